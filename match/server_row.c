#include "server_row.h"
#include "chain.h"
#include "db/operators.h"
#include "waited.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

struct server_job {
    struct waited_job waited;
    struct match *match;
    struct db_server row;
    int64_t copied_at_ms;
};

static enum db_status create_run(struct db_job *job, struct db *db)
{
    const struct server_job *server = (struct server_job *)job;
    return db_server_insert(db, &server->row);
}

static enum db_status server_create(struct match *match)
{
    struct server_job job = {.match = match};
    secrets_key_id(match->secrets, job.row.key_id);
    job.row.created_at_ms = match->started_at_ms;
    job.row.last_stamp_ms = match->started_at_ms;
    return waited_write(match, &job.waited, create_run);
}

/* What came after a backup is gone: the chain says where, and goes on. */
static enum db_status restore_run(struct db_job *job, struct db *db)
{
    const struct server_job *server = (struct server_job *)job;
    char note[64];
    time_t copied = (time_t)(server->copied_at_ms / 1000);
    struct tm utc;
    (void)gmtime_r(&copied, &utc);
    (void)strftime(note, sizeof note, "a backup of %Y-%m-%d %H:%M:%S UTC", &utc);
    struct db_link link = {.kind = "restored", .at_ms = match_now_ms(server->match)};
    struct db_operator_event event = {.at_ms = link.at_ms, .what = "restore", .note = note};
    enum db_status status = chain_append_link(db, server->match->secrets, &link);
    if (status == DB_OK) {
        status = db_operator_event_insert(db, &event);
    }
    return status == DB_OK ? db_server_mark_copy(db, 0) : status;
}

static enum db_status server_restore(struct match *match)
{
    struct server_job job = {.match = match};
    struct db *db = reader_take(match);
    enum db_status status = db_server_copied_at(db, &job.copied_at_ms);
    reader_give(match, db);
    if (status != DB_OK || job.copied_at_ms == 0) {
        return status;
    }
    return waited_write(match, &job.waited, restore_run);
}

enum db_status server_check(struct match *match, int64_t *last_stamp_ms)
{
    struct db_server row;
    struct db *db = reader_take(match);
    enum db_status status = db_server_load(db, &row);
    reader_give(match, db);
    *last_stamp_ms = match->started_at_ms;
    if (status == DB_NONE) {
        return server_create(match);
    }
    if (status != DB_OK) {
        return status;
    }
    char key_id[DB_KEY_ID_TEXT];
    *last_stamp_ms = row.last_stamp_ms;
    secrets_key_id(match->secrets, key_id);
    return strcmp(key_id, row.key_id) == 0 ? server_restore(match) : DB_DENIED;
}
