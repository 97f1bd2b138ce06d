#ifndef DB_OPERATORS_H
#define DB_OPERATORS_H

/*
 * What operators did, and the bans that come of it.
 *
 * Threads: as db.h: writing functions on the writer's connection, reading ones on any.
 * Ownership: rows are caller-owned values.
 */

#include "db.h"

enum {
    DB_NOTE_CHARACTERS = 200,
    DB_NOTE_TEXT = 4 * DB_NOTE_CHARACTERS + 1,
};

struct db_operator_event {
    int64_t at_ms;
    const char *what;  /* void-game, ban, unban, rename, restore */
    int64_t player_no; /* 0: none */
    int64_t game_no;   /* 0: none */
    const char *note;  /* "": none */
};
DB_NODISCARD enum db_status db_operator_event_insert(struct db *db,
                                                     const struct db_operator_event *event);

/* When the newest was; 0: there is none. */
DB_NODISCARD enum db_status db_operator_last_ms(struct db *db, int64_t *at_ms);

/* 0: no longer. */
DB_NODISCARD enum db_status db_player_ban(struct db *db, int64_t player_no, int64_t at_ms);

/* When this file was made by `banzuke backup`; 0: it is the original. DB_NONE: never served. */
DB_NODISCARD enum db_status db_server_copied_at(struct db *db, int64_t *copied_at_ms);
/* Marks it: when it was copied, or 0. */
DB_NODISCARD enum db_status db_server_mark_copy(struct db *db, int64_t copied_at_ms);

/* For verify: whether a player was banned at some moment from `from_ms` to `to_ms`, and at all of
 * them, by the operator events. */
struct db_ban_spell {
    bool ever;
    bool always;
};
DB_NODISCARD enum db_status db_ban_spell(struct db *db, int64_t player_no, int64_t from_ms,
                                         int64_t to_ms, struct db_ban_spell *spell);
/* For verify: times that a game was voided, by the operator events. */
DB_NODISCARD enum db_status db_void_events(struct db *db, int64_t game_no, int64_t *events);
/* For verify: the first player whose ban is not what the last operator event says; DB_NONE: none.
 */
struct db_ban_difference {
    struct player_id player_id;
    int64_t stored_ms; /* 0: not banned */
    int64_t actual_ms;
};
DB_NODISCARD enum db_status db_ban_difference(struct db *db, struct db_ban_difference *difference);

#endif
