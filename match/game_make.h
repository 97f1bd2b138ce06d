#ifndef MATCH_GAME_MAKE_H
#define MATCH_GAME_MAKE_H

/*
 * Making a game: from tickets, at a table, or as the replay of a drawn one. Runs inside a write
 * job, on the writer's thread. Who made it publishes to its people after the commit.
 */

#include "db/tables.h"
#include "service.h"

struct game_plan {
    const struct game_rules *rules;
    struct game_options options;
    const char *pool; /* NULL: local rules */
    uint16_t turn_seconds;
    int64_t players[DB_SEATS_MAX]; /* player numbers in seat order; 0: the CPU's own seat */
    /* The level that plays for a seat from the start: its own, or carried over by a replay; 0: the
     * owner does. */
    uint8_t cpu_levels[DB_SEATS_MAX];
    const char *news; /* what the people in it are told beside its start (personal.h); or NULL */
    int64_t at_ms;
    bool casual;                  /* nobody wants it to be rated */
    int64_t rematch_of;           /* game_no; 0: none */
    const struct db_table *table; /* where it is played; NULL: made of tickets */
};

/* Rated or not by the policy, decided now and shown from the start. */
enum db_status game_make(struct match *match, struct db *db, const struct game_plan *plan,
                         struct db_game *game);

/* The replay of `drawn`: same people one seat on (unless its table says otherwise), same options,
 * same terms. */
enum db_status game_make_replay(struct match *match, struct db *db, const struct db_game *drawn,
                                const struct db_seat *seats, int64_t at_ms, struct db_game *game);

/* The rematch of an ended game, rated if that was and the policy allows: the same people one seat
 * on, same options, same turn time. */
enum db_status game_make_rematch(struct match *match, struct db *db, const struct db_game *ended,
                                 const struct db_seat *seats, int64_t at_ms, struct db_game *game);

/* In which seat of a game whoever has this one in the next game sat: everybody moves one seat
 * against the clock, so that the start moves one seat with it, unless they keep their seats. */
size_t seat_before(bool keeps_seats, size_t seat, size_t seat_count);

/* "3,17": player numbers, ascending. */
void player_set_format(const int64_t *players, size_t count, char set[DB_SET_TEXT]);

#endif
