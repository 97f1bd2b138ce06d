#include "rankings.h"

#include <assert.h>
#include <string.h>

/* Standings and the events that made them; lists and ranks are in rankings.c. */

enum {
    RATING_LOAD,
    RATING_STORE,
    RATINGS_OF,
    RATINGS_AFTER,
    EVENT_INSERT,
    EVENTS_OF_GAME,
    EVENTS_AFTER,
    EVENT_TIME_BEFORE,
    EVENTS_OF_PLAYER,
    AGAINST_INSERT,
    AGAINST_OF_EVENT,
    RATING_TEXTS,
};
#define SELECT_EVENT                                                                               \
    "SELECT e.event_no, e.game_no, e.seat_no, e.player_no, e.pool, e.kind, e.at_ms, e.place,"      \
    " e.games_before, e.k, e.before_milli, e.delta_milli, e.after_milli, e.cpu_plies,"             \
    " e.control_at_end, e.capped, e.floor_applied, p.player_id"                                    \
    " FROM rating_event e CROSS JOIN player p ON p.player_no = e.player_no"
static const char *const rating_texts[RATING_TEXTS] = {
    [RATING_LOAD] =
        "SELECT " RATING_COLUMNS " FROM player_rating WHERE player_no = $1 AND pool = $2",
    [RATING_STORE] =
        "INSERT INTO player_rating (" RATING_COLUMNS ")"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
        " ON CONFLICT (player_no, pool) DO UPDATE SET rating_milli = $3, list = $4, games = $5,"
        " wins = $6, draws = $7, losses = $8, place_1 = $9, place_2 = $10, place_3 = $11,"
        " place_4 = $12, last_game_at_ms = $13",
    [RATINGS_OF] = "SELECT " RATING_COLUMNS " FROM player_rating WHERE player_no = $1"
                   " ORDER BY pool LIMIT $2",
    [RATINGS_AFTER] = "SELECT " RATING_COLUMNS " FROM player_rating"
                      " WHERE (player_no, pool) > ($1, $2) ORDER BY player_no, pool LIMIT $3",
    [EVENT_INSERT] =
        "INSERT INTO rating_event (game_no, seat_no, player_no, pool, kind, at_ms, place,"
        " games_before, k, before_milli, delta_milli, after_milli, cpu_plies, control_at_end,"
        " capped, floor_applied)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
    [EVENTS_OF_GAME] = SELECT_EVENT " WHERE e.game_no = $1 AND e.kind = $2 ORDER BY e.seat_no",
    [EVENTS_AFTER] = SELECT_EVENT " WHERE e.event_no > $1 ORDER BY e.event_no LIMIT $2",
    [EVENT_TIME_BEFORE] = "SELECT at_ms FROM rating_event WHERE player_no = $1 AND pool = $2"
                          " AND event_no < $3 ORDER BY event_no DESC LIMIT 1",
    [EVENTS_OF_PLAYER] = SELECT_EVENT
    " WHERE e.player_no = $1 AND e.pool = $2 AND e.event_no >= coalesce((SELECT max(event_no)"
    " FROM rating_event WHERE player_no = $1 AND pool = $2 AND event_no <= $3), 0)"
    " ORDER BY e.event_no LIMIT $4",
    [AGAINST_INSERT] =
        "INSERT INTO rating_against (event_no, opponent_seat_no, rating_milli, expected_micro,"
        " score_halves, points_milli) VALUES ($1, $2, $3, $4, $5, $6)",
    [AGAINST_OF_EVENT] =
        "SELECT event_no, opponent_seat_no, rating_milli, expected_micro, score_halves,"
        " points_milli FROM rating_against WHERE event_no = $1 ORDER BY opponent_seat_no",
};
const struct sql_set sql_ratings = {"ratings", SLOTS_RATINGS, RATING_TEXTS, rating_texts};

static const char *const list_words[] = {
    [DB_RANKED] = "ranked",
    [DB_PROVISIONAL] = "provisional",
    [DB_HIDDEN] = "hidden",
};

const char *db_list_text(enum db_list list)
{
    return list_words[list];
}

static enum db_list list_of(const char *word)
{
    for (int i = DB_RANKED; i < DB_HIDDEN; i++) {
        if (strcmp(word, list_words[i]) == 0) {
            return (enum db_list)i;
        }
    }
    return DB_HIDDEN;
}

void db_read_results(struct query *query, int first, struct db_rating *rating)
{
    rating->games = (uint32_t)column_count(query, first, UINT32_MAX);
    rating->wins = (uint32_t)column_count(query, first + 1, UINT32_MAX);
    rating->draws = (uint32_t)column_count(query, first + 2, UINT32_MAX);
    rating->losses = (uint32_t)column_count(query, first + 3, UINT32_MAX);
    for (int i = 0; i < DB_SEATS_MAX; i++) {
        rating->places[i] = (uint32_t)column_count(query, first + 4 + i, UINT32_MAX);
    }
    rating->last_game_at_ms = column_int(query, first + 8);
}

void db_read_rating(struct query *query, int first, struct db_rating *rating)
{
    char list[DB_WORD_TEXT];
    rating->player_no = column_int(query, first);
    column_text(query, first + 1, rating->pool, sizeof rating->pool);
    rating->rating_milli = column_int(query, first + 2);
    column_text(query, first + 3, list, sizeof list);
    rating->list = list_of(list);
    db_read_results(query, first + 4, rating);
}

/* --- standings -----------------------------------------------------------------------------------
 */

enum db_status db_rating_load(struct db *db, int64_t player_no, const char *pool,
                              struct db_rating *rating)
{
    struct query query;
    query_begin(&query, db, &sql_ratings, RATING_LOAD);
    query_int(&query, 1, player_no);
    query_text(&query, 2, pool);
    bool found = query_step(&query);
    if (found) {
        db_read_rating(&query, 0, rating);
    }
    return query_end_one(&query, found);
}

enum db_status db_rating_store(struct db *db, const struct db_rating *rating)
{
    struct query query;
    query_begin(&query, db, &sql_ratings, RATING_STORE);
    query_int(&query, 1, rating->player_no);
    query_text(&query, 2, rating->pool);
    query_int(&query, 3, rating->rating_milli);
    query_text(&query, 4, list_words[rating->list]);
    query_int(&query, 5, rating->games);
    query_int(&query, 6, rating->wins);
    query_int(&query, 7, rating->draws);
    query_int(&query, 8, rating->losses);
    for (int i = 0; i < DB_SEATS_MAX; i++) {
        query_int(&query, 9 + i, rating->places[i]);
    }
    query_int(&query, 13, rating->last_game_at_ms);
    return query_run(&query);
}

static enum db_status ratings_end(struct query *query, struct db_rating *ratings, size_t max,
                                  size_t *count)
{
    size_t found = 0;
    while (query_step(query)) {
        assert(found < max);
        db_read_rating(query, 0, &ratings[found++]);
    }
    *count = found;
    return query_end(query);
}

enum db_status db_ratings_of(struct db *db, int64_t player_no, struct db_rating *ratings,
                             size_t max, size_t *count)
{
    struct query query;
    query_begin(&query, db, &sql_ratings, RATINGS_OF);
    query_int(&query, 1, player_no);
    query_int(&query, 2, (int64_t)max);
    return ratings_end(&query, ratings, max, count);
}

enum db_status db_ratings(struct db *db, int64_t after_player_no, const char *after_pool,
                          struct db_rating *ratings, size_t max, size_t *count)
{
    struct query query;
    query_begin(&query, db, &sql_ratings, RATINGS_AFTER);
    query_int(&query, 1, after_player_no);
    query_text(&query, 2, after_pool);
    query_int(&query, 3, (int64_t)max);
    return ratings_end(&query, ratings, max, count);
}

/* --- events --------------------------------------------------------------------------------------
 */

static const char *kind_text(bool is_void)
{
    return is_void ? "void" : "result";
}

enum db_status db_rating_event_time(struct db *db, int64_t player_no, const char *pool,
                                    int64_t before_event_no, int64_t *at_ms)
{
    struct query query;
    query_begin(&query, db, &sql_ratings, EVENT_TIME_BEFORE);
    query_int(&query, 1, player_no);
    query_text(&query, 2, pool);
    query_int(&query, 3, before_event_no);
    bool found = query_step(&query);
    if (found) {
        *at_ms = column_int(&query, 0);
    }
    return query_end_one(&query, found);
}

enum db_status db_rating_event_insert(struct db *db, struct db_rating_event *event)
{
    struct query query;
    query_begin(&query, db, &sql_ratings, EVENT_INSERT);
    query_int(&query, 1, event->game_no);
    query_int(&query, 2, event->seat_no);
    query_int(&query, 3, event->player_no);
    query_text(&query, 4, event->pool);
    query_text(&query, 5, kind_text(event->is_void));
    query_int(&query, 6, event->at_ms);
    query_int(&query, 7, event->place);
    query_int(&query, 8, event->games_before);
    query_int(&query, 9, event->k);
    query_int(&query, 10, event->before_milli);
    query_int(&query, 11, event->delta_milli);
    query_int(&query, 12, event->after_milli);
    query_int(&query, 13, event->cpu_plies);
    query_text(&query, 14, event->cpu_at_end ? "cpu" : "player");
    query_int(&query, 15, event->capped);
    query_int(&query, 16, event->floor_applied);
    enum db_status status = query_run(&query);
    if (status == DB_OK) {
        event->event_no = query_last_row(db);
    }
    return status;
}

static void read_event(struct query *query, struct db_rating_event *event)
{
    char word[DB_WORD_TEXT];
    event->event_no = column_int(query, 0);
    event->game_no = column_int(query, 1);
    event->seat_no = (uint8_t)column_count(query, 2, UINT8_MAX);
    event->player_no = column_int(query, 3);
    column_text(query, 4, event->pool, sizeof event->pool);
    column_text(query, 5, word, sizeof word);
    event->is_void = strcmp(word, "void") == 0;
    event->at_ms = column_int(query, 6);
    event->place = (uint8_t)column_count(query, 7, UINT8_MAX);
    event->games_before = (uint32_t)column_count(query, 8, UINT32_MAX);
    event->k = (uint8_t)column_count(query, 9, UINT8_MAX);
    event->before_milli = column_int(query, 10);
    event->delta_milli = column_int(query, 11);
    event->after_milli = column_int(query, 12);
    event->cpu_plies = (uint32_t)column_count(query, 13, UINT32_MAX);
    column_text(query, 14, word, sizeof word);
    event->cpu_at_end = strcmp(word, "cpu") == 0;
    event->capped = column_int(query, 15) != 0;
    event->floor_applied = column_int(query, 16) != 0;
    column_text(query, 17, event->player_id.id.text, sizeof event->player_id.id.text);
}

static enum db_status events_end(struct query *query, struct db_rating_event *events, size_t max,
                                 size_t *count)
{
    size_t found = 0;
    while (query_step(query)) {
        assert(found < max);
        read_event(query, &events[found++]);
    }
    *count = found;
    return query_end(query);
}

enum db_status db_rating_events_of_game(struct db *db, int64_t game_no, bool is_void,
                                        struct db_rating_event events[DB_SEATS_MAX], size_t *count)
{
    struct query query;
    query_begin(&query, db, &sql_ratings, EVENTS_OF_GAME);
    query_int(&query, 1, game_no);
    query_text(&query, 2, kind_text(is_void));
    return events_end(&query, events, DB_SEATS_MAX, count);
}

enum db_status db_rating_events(struct db *db, int64_t after, struct db_rating_event *events,
                                size_t max, size_t *count)
{
    struct query query;
    query_begin(&query, db, &sql_ratings, EVENTS_AFTER);
    query_int(&query, 1, after);
    query_int(&query, 2, (int64_t)max);
    return events_end(&query, events, max, count);
}

enum db_status db_rating_events_of_player(struct db *db, const struct db_rating_event *mark,
                                          struct db_rating_event *events, size_t max, size_t *count)
{
    struct query query;
    query_begin(&query, db, &sql_ratings, EVENTS_OF_PLAYER);
    query_int(&query, 1, mark->player_no);
    query_text(&query, 2, mark->pool);
    query_int(&query, 3, mark->event_no);
    query_int(&query, 4, (int64_t)max);
    return events_end(&query, events, max, count);
}

enum db_status db_against_insert(struct db *db, const struct db_against *against)
{
    struct query query;
    query_begin(&query, db, &sql_ratings, AGAINST_INSERT);
    query_int(&query, 1, against->event_no);
    query_int(&query, 2, against->opponent_seat_no);
    query_int(&query, 3, against->rating_milli);
    query_int(&query, 4, against->expected_micro);
    query_int(&query, 5, against->score_halves);
    query_int(&query, 6, against->points_milli);
    return query_run(&query);
}

enum db_status db_against_of_event(struct db *db, int64_t event_no,
                                   struct db_against against[DB_SEATS_MAX], size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_ratings, AGAINST_OF_EVENT);
    query_int(&query, 1, event_no);
    while (query_step(&query)) {
        assert(found < DB_SEATS_MAX); /* the schema's CHECK on opponent_seat_no */
        struct db_against *row = &against[found++];
        row->event_no = column_int(&query, 0);
        row->opponent_seat_no = (uint8_t)column_count(&query, 1, UINT8_MAX);
        row->rating_milli = column_int(&query, 2);
        row->expected_micro = (uint32_t)column_count(&query, 3, UINT32_MAX);
        row->score_halves = (uint8_t)column_count(&query, 4, UINT8_MAX);
        row->points_milli = column_int(&query, 5);
    }
    *count = found;
    return query_end(&query);
}
