#include "personal.h"

#include "db/personal.h"

#include <assert.h>
#include <stdio.h>

enum db_status personal_add(struct db *db, int64_t player_no, const char *type, int64_t game_no,
                            int64_t table_no, int64_t at_ms)
{
    struct db_personal event = {
        .player_no = player_no,
        .at_ms = at_ms,
        .game_no = game_no,
        .table_no = table_no,
    };
    if (player_no == 0) {
        return DB_OK;
    }
    (void)snprintf(event.type, sizeof event.type, "%s", type);
    /* Whoever is further behind gets a snapshot, so that nobody can fill another's file. */
    enum db_status status = db_personal_insert(db, &event, LIMIT_STREAM_RESUME);
    assert(status != DB_NONE); /* a player is never deleted */
    return status == DB_OK ? db_personal_sweep(db, at_ms - LIMIT_PERSONAL_MS) : status;
}

enum db_status personal_add_all(struct db *db, const struct db_seat *seats, size_t count,
                                const char *type, int64_t game_no, int64_t at_ms)
{
    enum db_status status = DB_OK;
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        status = personal_add(db, seats[i].player_no, type, game_no, 0, at_ms);
    }
    return status;
}

void personal_publish(struct match *match, int64_t player_no)
{
    if (player_no != 0) {
        events_publish(match->events, EVENT_PLAYER, player_no);
    }
}

void personal_publish_all(struct match *match, const struct db_seat *seats, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        personal_publish(match, seats[i].player_no);
    }
}
