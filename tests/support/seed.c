#include "seed.h"

#include "db/driver.h"

#include <stdio.h>

static void run(struct process *server, const char *sql)
{
    struct db *db = NULL;
    struct db_report report = {.text = ""};
    enum db_status status = db_connect(server->db, DB_MODE_WRITER, &db);
    if (status == DB_OK) {
        status = db_begin_immediate(db);
    }
    if (status == DB_OK) {
        status = db_script(db, sql, &report);
    }
    if (status == DB_OK) {
        status = db_commit(db);
    }
    if (status != DB_OK) {
        test_fail("seed: %s: %s", db_status_text(status), report.text);
    }
    db_close(db);
}

struct process *seed_begin(const char *sql)
{
    struct process *server = process_new(NULL);
    int code = process_stop(server);
    if (code != 0) {
        test_fail("seed: the server ended with %d", code);
    }
    run(server, sql);
    process_start(server, (const char *const[]){"--rate-limit=off", NULL}, NULL);
    return server;
}

void seed_more(struct process *server, const char *sql)
{
    run(server, sql);
}

void seed_end(struct process *server)
{
    if (server->pid != 0 && process_stop(server) != 0) {
        test_fail("seed: the server did not end as it should");
    }
    process_free(server);
}

void seed_players(char *sql, size_t size, int count)
{
    int length = snprintf(sql, size,
                          "INSERT INTO player (player_no, player_id, name, name_folded,"
                          " created_at_ms) WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT"
                          " i + 1 FROM n WHERE i < %d) SELECT i, printf('p_%%026d', i),"
                          " printf('Player %%d', i), printf('player %%d', i), 1 FROM n;",
                          count);
    if (length < 0 || (size_t)length >= size) {
        test_fail("seed: no room");
    }
}
