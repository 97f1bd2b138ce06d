#ifndef DB_STANDINGS_H
#define DB_STANDINGS_H

/*
 * Ratings, the events that made them, and the ranking lists. Threads, ownership and failure as in
 * db.h.
 */

#include "db.h"

enum db_list { DB_RANKED, DB_PROVISIONAL, DB_HIDDEN };

struct db_rating {
    int64_t player_no;
    char pool[DB_WORD_TEXT];
    int64_t rating_milli;
    enum db_list list;
    uint32_t games;
    uint32_t wins;
    uint32_t draws;
    uint32_t losses;
    uint32_t places[DB_SEATS_MAX];
    int64_t last_game_at_ms;
};
struct db_rating_event {
    int64_t event_no;
    int64_t game_no;
    uint8_t seat_no;
    int64_t player_no;
    char pool[DB_WORD_TEXT];
    bool is_void;
    int64_t at_ms;
    uint8_t place;
    uint32_t games_before;
    uint8_t k;
    int64_t before_milli;
    int64_t delta_milli;
    int64_t after_milli;
    uint32_t cpu_plies;
    bool cpu_at_end;
    bool capped;
    bool floor_applied;
    struct player_id player_id; /* joined; read only */
};
struct db_against {
    int64_t event_no;
    uint8_t opponent_seat_no;
    int64_t rating_milli;
    uint32_t expected_micro;
    uint8_t score_halves;
    int64_t points_milli;
};
/* A row of a ranking list; `rank` 1 is the best, equal ratings share one. */
struct db_ranking_row {
    int64_t rank;
    struct db_rating rating;
    struct player_id player_id;
    bool has_name;
    char name[DB_NAME_TEXT];
};

/* DB_NONE: never rated in the pool. */
DB_NODISCARD enum db_status db_rating_load(struct db *db, int64_t player_no, const char *pool,
                                           struct db_rating *rating);
/* Inserts or replaces. */
DB_NODISCARD enum db_status db_rating_store(struct db *db, const struct db_rating *rating);
/* Of a player, every pool. */
DB_NODISCARD enum db_status db_ratings_of(struct db *db, int64_t player_no,
                                          struct db_rating *ratings, size_t max, size_t *count);
/* Sets event->event_no. DB_CONFLICT: that result was applied before. */
DB_NODISCARD enum db_status db_rating_event_insert(struct db *db, struct db_rating_event *event);
/* When a player's last event of a pool before this number was, or DB_NONE. */
DB_NODISCARD enum db_status db_rating_event_time(struct db *db, int64_t player_no, const char *pool,
                                                 int64_t before_event_no, int64_t *at_ms);
DB_NODISCARD enum db_status db_against_insert(struct db *db, const struct db_against *against);
/* In order of seat_no; `is_void` picks the kind. */
DB_NODISCARD enum db_status db_rating_events_of_game(struct db *db, int64_t game_no, bool is_void,
                                                     struct db_rating_event events[DB_SEATS_MAX],
                                                     size_t *count);
DB_NODISCARD enum db_status db_against_of_event(struct db *db, int64_t event_no,
                                                struct db_against against[DB_SEATS_MAX],
                                                size_t *count);
/* For verify: events over `after` in order. */
DB_NODISCARD enum db_status db_rating_events(struct db *db, int64_t after,
                                             struct db_rating_event *events, size_t max,
                                             size_t *count);
/* For verify: the last event of mark->player_no in mark->pool up to mark->event_no (if there is
 * one) and those after it, in order. */
DB_NODISCARD enum db_status db_rating_events_of_player(struct db *db,
                                                       const struct db_rating_event *mark,
                                                       struct db_rating_event *events, size_t max,
                                                       size_t *count);

/* Players of a list strictly above `rating_milli`, by the counts. */
DB_NODISCARD enum db_status db_rating_above(struct db *db, const char *pool, enum db_list list,
                                            int64_t rating_milli, int64_t *players);
DB_NODISCARD enum db_status db_list_size(struct db *db, const char *pool, enum db_list list,
                                         int64_t *players);
/* Keyset position in a list: order is rating descending, then player_no ascending. */
struct db_rank_key {
    int64_t rating_milli;
    int64_t player_no;
};
/* Rows after `key` (NULL: from the top), best first, each with its rank. */
DB_NODISCARD enum db_status db_ranking_after(struct db *db, const char *pool, enum db_list list,
                                             const struct db_rank_key *key,
                                             struct db_ranking_row *rows, size_t max,
                                             size_t *count);
/* Where a listed player stands. */
struct db_standing {
    int64_t total;     /* players in the list */
    int64_t above;     /* strictly above the player */
    int64_t not_below; /* above, or with the same rating, the player too */
    size_t count;      /* rows around the player, the player's own among them */
};
/* `rows` has room for 2 * radius + 1: up to `radius` neighbours each way, best first, each row with
 * its rank. */
DB_NODISCARD enum db_status db_standing_load(struct db *db, const struct db_player *player,
                                             const struct db_rating *rating, size_t radius,
                                             struct db_ranking_row *rows,
                                             struct db_standing *standing);

/* For verify: the first stored count that differs from the ratings themselves; DB_NONE: none. */
struct db_count_difference {
    char pool[DB_WORD_TEXT];
    char list[DB_WORD_TEXT];
    int64_t width_milli;
    int64_t bucket;
    int tenth; /* 0: of the whole bucket; 1 to 9: of those from this tenth on */
    int64_t stored;
    int64_t actual;
};
DB_NODISCARD enum db_status db_count_difference(struct db *db,
                                                struct db_count_difference *difference);
/* For verify: standings in order of (player_no, pool), after the given one. */
DB_NODISCARD enum db_status db_ratings(struct db *db, int64_t after_player_no,
                                       const char *after_pool, struct db_rating *ratings,
                                       size_t max, size_t *count);

#endif
