#include "counted.h"

#include <stdio.h>
#include <stdlib.h>

static long long ask(struct process *server, const char *sql)
{
    char text[64];
    process_sql(server, sql, text, sizeof text);
    return strtoll(text, NULL, 10);
}

long long counted_number(struct process *server, long long stored)
{
    char sql[128];
    (void)snprintf(sql, sizeof sql,
                   "SELECT count(*) FROM game_event WHERE reason = 'pause' AND seq <= %lld",
                   stored);
    return stored - ask(server, sql);
}

long long stored_number(struct process *server, long long counted)
{
    char sql[256];
    (void)snprintf(sql, sizeof sql,
                   "SELECT seq FROM (SELECT seq FROM move UNION ALL SELECT seq FROM game_event"
                   " WHERE reason IS NOT 'pause') ORDER BY seq LIMIT 1 OFFSET %lld",
                   counted - 1);
    return counted <= 0 ? 0 : ask(server, sql);
}
