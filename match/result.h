#ifndef MATCH_RESULT_H
#define MATCH_RESULT_H

/*
 * The end of a game, all of it in the transaction of the ply (or resignation) that caused it:
 * places, rating events, standings, the replay of a repetition draw, the chain link.
 *
 * Threads: the writer's. Ownership: everything borrowed for the call.
 */

#include "service.h"
#include "table_news.h"

struct ending {
    const struct game_rules *rules;
    const struct game_options *options;
    struct outcome outcome;             /* with a reason other than END_NONE */
    int64_t at_ms;                      /* in; out: where it is rated, as result_time has it */
    int resigned_seat;                  /* RULES_SEAT_NONE */
    struct db_game *game;               /* in: as stored now; out: as it ended */
    bool is_replayed;                   /* out */
    struct db_game replay;              /* out: where it is */
    struct db_seat seats[DB_SEATS_MAX]; /* out: with places */
    struct table_news *news;            /* out: of the table that it was played at */
};

/* DB_CORRUPT: the file lacks a row that every such game has; never DB_NONE. */
enum db_status ending_apply(struct match *match, struct db *db, struct ending *ending);

/* What a finished game does to the ratings: from standings, places and the seats' plies to
 * changes. Shared with verify, which does it again from the stored rows. */
struct rated_seat {
    int64_t rating_milli;
    uint32_t rated_games;
    uint8_t place;
    bool cpu_at_end;
    uint32_t cpu_plies;
    uint32_t plies;
};
struct elo_change;
/* What is stored of them now: standings and plies. Places are left to the caller. */
enum db_status result_standings(struct db *db, const struct db_game *game,
                                const struct db_seat *rows, size_t count, struct db_rating *ratings,
                                struct rated_seat *seats);
void result_changes(const struct game_rules *rules, const struct game_options *options,
                    const struct rated_seat *seats, struct elo_change *changes);

/* The time of a rated end: not before the rating events of its players, which are in the order of
 * commits, so that their times are too. `before_event_no`: the game's own first one, or INT64_MAX
 * while there is none. */
enum db_status result_time(struct db *db, const struct db_game *game, const struct db_seat *rows,
                           size_t count, int64_t before_event_no, int64_t *at_ms);

/* An expected score in millionths, as it is stored. */
uint32_t result_expected_micro(double expected);

/* Counts one finished game into a standing: games, win or draw or loss, place. */
void result_count(const struct game_rules *rules, const struct game_options *options,
                  const uint8_t *places, uint8_t seat_no, struct db_rating *standing);

/* Takes it back; false: the standing does not have such a game in it. */
bool result_uncount(const struct game_rules *rules, const struct game_options *options,
                    const uint8_t *places, uint8_t seat_no, struct db_rating *standing);

/* Where a standing of so many rated games belongs: nowhere without one, which a void can bring
 * about. `gone`: its player was erased or is banned. */
enum db_list standing_list(bool gone, uint32_t games);

/* The lowest seat of a side: how `rating_against` names it. */
uint8_t side_first_seat(const struct game_rules *rules, const struct game_options *options,
                        uint8_t side);

#endif
