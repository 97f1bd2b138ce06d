#ifndef MATCH_TABLE_NEWS_H
#define MATCH_TABLE_NEWS_H

/*
 * What a job has changed at a table, and whose personal stream has it: noted where the events of
 * the members are stored, so that it can be told after the commit without another look at the file.
 *
 * Threads: any; notes are the job's own until its commit. Ownership: values.
 */

#include "limits.h"

#include <stddef.h>
#include <stdint.h>

struct match;

struct table_news {
    int64_t table_no; /* 0: nothing has changed */
    size_t count;
    int64_t players[LIMIT_TABLE_MEMBERS]; /* members before or after it, each once */
};
/* Of as many tables as one job can change: those of a player who goes. */
struct tables_news {
    size_t count;
    struct table_news at[LIMIT_TABLES_JOINED];
};

/* Nothing is added twice. */
void table_news_note(struct table_news *news, int64_t player_no);
/* Where there is something. */
void tables_news_add(struct tables_news *all, const struct table_news *news);

/* After the commit: wakes who waits at the table, and its members' streams. */
void table_news_publish(struct match *match, const struct table_news *news);
void tables_news_publish(struct match *match, const struct tables_news *all);

#endif
