#ifndef DB_LISTS_H
#define DB_LISTS_H

/*
 * The public lists, a page at a time: each begins at a place that an index finds, so that a page
 * costs the same wherever it is. Threads, ownership and failure as in db.h.
 */

#include "db.h"
#include "standings.h"

/* --- players by name ----------------------------------------------------------------------- */

/* A stretch of the players in order of (folded name, id): after one place, names below another. */
struct db_name_range {
    const char *after_folded;
    const char *after_id; /* "": any that has this name is after it */
    const char *below_folded;
};
DB_NODISCARD enum db_status db_players_named(struct db *db, const struct db_name_range *range,
                                             struct db_player *players, size_t max, size_t *count);
/* Some of those who have a name that was not folded yet. */
DB_NODISCARD enum db_status db_players_not_folded(struct db *db, struct db_player *players,
                                                  size_t max, size_t *count);
/* player->name_folded, as long as player->name is still the name; DB_NONE when it is not. */
DB_NODISCARD enum db_status db_player_fold(struct db *db, const struct db_player *player);

/* --- games --------------------------------------------------------------------------------- */

enum {
    /* Rows that are looked at for one page where a filter is not in the index: a page may then be
     * short, or empty, although the list goes on. */
    DB_LOOK_MAX = 4000,
};

/* Newest created first. Zero, NULL or "" means any; `before_game_no` is the keyset (0: from the
 * top). A pool says which game it is, so not both are given. Private games are in the list of a
 * player only, for a viewer whom db_game_is_seen_by knows (tables.h). */
struct db_game_filter {
    int64_t player_no;
    int64_t opponent_no; /* with player_no */
    int64_t viewer_no;   /* who asks; 0: anybody */
    const char *game;
    const char *pool;
    const char *status;
    int64_t before_game_no;
};
/* *look_before: where to look on after a page that is not full; 0: there is nothing more. */
DB_NODISCARD enum db_status db_games(struct db *db, const struct db_game_filter *filter,
                                     struct db_game *games, size_t max, size_t *count,
                                     int64_t *look_before);

/* All that a player has a seat in and that are running, private ones too, newest created first;
 * there must not be more than `max`. */
DB_NODISCARD enum db_status db_games_running(struct db *db, int64_t player_no,
                                             struct db_game *games, size_t max, size_t *count);

/* --- rankings ------------------------------------------------------------------------------ */

/* The rating of the player at a place of a list, 1 being the best; DB_NONE: it has fewer. */
DB_NODISCARD enum db_status db_rating_at(struct db *db, const char *pool, enum db_list list,
                                         int64_t place, int64_t *rating_milli);

/* The rows of a list from a rank on, 2 or a later one. DB_NONE: nobody is there. */
struct db_ranking_start {
    const char *pool;
    enum db_list list;
    int64_t rank;
};
DB_NODISCARD enum db_status db_ranking_from(struct db *db, const struct db_ranking_start *start,
                                            struct db_ranking_row *rows, size_t max, size_t *count);

/* Rows after a place (NULL: from the top) of those who have played since a time, each with its rank
 * in the whole list. */
struct db_active_page {
    const char *pool;
    enum db_list list;
    const struct db_rank_key *after;
    int64_t since_ms;
};
/* *look_after: where to look on after a page that is not full; all 0: there is nothing more. */
DB_NODISCARD enum db_status db_ranking_active(struct db *db, const struct db_active_page *page,
                                              struct db_ranking_row *rows, size_t max,
                                              size_t *count, struct db_rank_key *look_after);

/* --- results ------------------------------------------------------------------------------- */

/* That a finished game ended, or was voided after it. */
struct db_result {
    int64_t seq; /* of the chain */
    bool is_void;
    int64_t at_ms;
    struct db_game game;
};
/* In order, over `after`; `pool` NULL: of all. */
DB_NODISCARD enum db_status db_results(struct db *db, int64_t after, const char *pool,
                                       struct db_result *results, size_t max, size_t *count);

/* --- rating history ------------------------------------------------------------------------ */

/* A rating event in the order of time. */
struct db_change_place {
    int64_t at_ms;
    int64_t event_no;
};
struct db_change {
    struct db_change_place place;
    bool is_void;
    uint8_t rank; /* in the game */
    int64_t before_milli;
    int64_t delta_milli;
    int64_t after_milli;
    struct game_id game_id;
    char end_reason[DB_WORD_TEXT];
};
/* Which events, and in which direction. */
struct db_history {
    int64_t player_no;
    const char *pool;
    bool descending;
    int64_t from_ms;  /* this time and later */
    int64_t below_ms; /* before this time */
    bool has_after;
    struct db_change_place after; /* on the way: beyond this place */
};
DB_NODISCARD enum db_status db_changes(struct db *db, const struct db_history *history,
                                       struct db_change *changes, size_t max, size_t *count);

/* What the events of one day (of UTC) come to. */
struct db_rating_day {
    int64_t day; /* since 1970 */
    int64_t last_milli;
    int64_t high_milli;
    int64_t low_milli;
    uint32_t games; /* voids are none */
};
/* At most `max` whole days of the range; *more: there are others beyond them. */
DB_NODISCARD enum db_status db_rating_days(struct db *db, const struct db_history *history,
                                           struct db_rating_day *days, size_t max, size_t *count,
                                           bool *more);

#endif
