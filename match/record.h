#ifndef MATCH_RECORD_H
#define MATCH_RECORD_H

/*
 * A game with all its moves: what it takes to play it again and check it anywhere. Nothing in it
 * that could change after the game's end: who played, but no names and no ratings.
 *
 * Threads: any; a record is never written after it was made.
 * Ownership: record_free.
 */

#include "match.h"

struct record {
    const struct game_rules *rules;
    struct game_options options;
    struct db_game game;
    bool ended;
    char start[DB_POSITION_TEXT];
    size_t seat_count;
    struct db_seat seats[DB_SEATS_MAX];
    bool has_places; /* false: playing, or aborted */
    bool has_replay_of;
    struct game_id replay_of;
    char resigned[2]; /* the seat that did; "": none */
    size_t elimination_count;
    struct line_elimination eliminations[RULES_ELIMINATIONS_MAX];
    size_t move_count;
    struct db_move moves[];
};

/* On this connection, inside its read transaction. DB_NONE: no such game. */
enum db_status record_load(struct db *db, const struct game_id *id, struct record **record);
void record_free(struct record *record); /* accepts NULL */

/* For this viewer, as games in match.h. */
MATCH_NODISCARD enum match_status match_record(struct match *match, const struct game_id *id,
                                               int64_t viewer_no, struct record **record);

#endif
