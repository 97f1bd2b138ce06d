#include "counted.h"

#include <stdio.h>
#include <stdlib.h>

static long long ask(struct process *server, const char *sql)
{
    char text[64];
    process_sql(server, sql, text, sizeof text);
    return strtoll(text, NULL, 10);
}

long long counted_number(struct process *server, const char *game, long long stored)
{
    char sql[256];
    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) FROM game_event JOIN game USING (game_no)"
                   " WHERE game_id = '%s' AND reason = 'pause' AND game_event.seq <= %lld",
                   game, stored);
    return stored - ask(server, sql);
}

long long stored_number(struct process *server, const char *game, long long counted)
{
    char sql[512];
    (void)snprintf(sql, sizeof sql,
                   "SELECT seq FROM (SELECT game_no, seq FROM move UNION ALL SELECT game_no, seq"
                   " FROM game_event WHERE reason IS NOT 'pause') WHERE game_no ="
                   " (SELECT game_no FROM game WHERE game_id = '%s')"
                   " ORDER BY seq LIMIT 1 OFFSET %lld",
                   game, counted - 1);
    return counted <= 0 ? 0 : ask(server, sql);
}
