#include "lists.h"
#include "rankings.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Where a page of a ranking begins, and pages that leave players out. */

enum {
    BUCKETS_DOWN,
    TENTHS_OF_BUCKET,
    STANDINGS_TOP,
    STANDINGS_AFTER,
    RANKING_PAGE_TEXTS,
};
enum { NARROWEST_MILLI = 10, TENTHS = 10 };
#define STANDINGS "SELECT " RATING_COLUMNS " FROM player_rating WHERE pool = $1 AND list = $2"
static const char *const ranking_page_texts[RANKING_PAGE_TEXTS] = {
    [BUCKETS_DOWN] = "SELECT bucket, players FROM rating_count WHERE pool = $1 AND list = $2"
                     " AND width_milli = $3 AND bucket >= $4 AND bucket < $5 ORDER BY bucket DESC",
    [TENTHS_OF_BUCKET] =
        "SELECT players, from_1, from_2, from_3, from_4, from_5, from_6, from_7, from_8, from_9"
        " FROM rating_count WHERE pool = $1 AND list = $2 AND width_milli = $3 AND bucket = $4",
    [STANDINGS_TOP] = STANDINGS " ORDER BY rating_milli DESC, player_no LIMIT $3",
    [STANDINGS_AFTER] =
        STANDINGS " AND rating_milli <= $4 AND (rating_milli < $4 OR player_no > $5)"
                  " ORDER BY rating_milli DESC, player_no LIMIT $3",
};
const struct sql_set sql_ranking_pages = {"ranking_pages", SLOTS_RANKING_PAGES, RANKING_PAGE_TEXTS,
                                          ranking_page_texts};

/* --- the rating at a place: the sums of rating_count, the other way round ------------------------
 */

/* A place within ratings from..below-1, counted from the best of them. */
struct place {
    const char *pool;
    enum db_list list;
    int64_t from_milli;
    int64_t below_milli;
    int64_t place;
};

/* The rating found there, and how many have it or a better one. */
struct rated_place {
    int64_t rating_milli;
    int64_t not_below;
};

static void place_begin(struct query *query, struct db *db, size_t which, const struct place *place)
{
    query_begin(query, db, &sql_ranking_pages, which);
    query_text(query, 1, place->pool);
    query_text(query, 2, db_list_text(place->list));
}

/* Down to the one bucket of this width that holds the place. DB_NONE: there are not so many. */
static enum db_status narrow(struct db *db, int64_t width_milli, struct place *place)
{
    struct query query;
    bool found = false;
    place_begin(&query, db, BUCKETS_DOWN, place);
    query_int(&query, 3, width_milli);
    query_int(&query, 4, place->from_milli / width_milli);
    query_int(&query, 5, place->below_milli / width_milli);
    while (!found && query_step(&query)) {
        int64_t players = column_int(&query, 1);
        found = players >= place->place;
        if (found) {
            place->from_milli = column_int(&query, 0) * width_milli;
            place->below_milli = place->from_milli + width_milli;
        } else {
            place->place -= players;
        }
    }
    return query_end_one(&query, found);
}

/* The best rating of the narrowest bucket that has so many at or above it. */
static enum db_status find_tenth(struct db *db, const struct place *at, struct rated_place *found)
{
    struct query query;
    int tenth = TENTHS - 1;
    place_begin(&query, db, TENTHS_OF_BUCKET, at);
    query_int(&query, 3, NARROWEST_MILLI);
    query_int(&query, 4, at->from_milli / NARROWEST_MILLI);
    bool is_there = query_step(&query);
    if (is_there) {
        while (tenth > 0 && at->place > column_int(&query, tenth)) {
            tenth--;
        }
        found->rating_milli = at->from_milli + tenth;
        found->not_below = column_int(&query, tenth);
    }
    return query_end_one(&query, is_there);
}

static enum db_status find_place(struct db *db, struct place at, struct rated_place *found)
{
    static const int64_t widths_milli[] = {1000000, 100000, 10000, 1000, 100, NARROWEST_MILLI};
    const int64_t place = at.place;
    assert(place >= 1);
    for (size_t i = 0; i < sizeof widths_milli / sizeof widths_milli[0]; i++) {
        enum db_status status = narrow(db, widths_milli[i], &at);
        if (status != DB_OK) {
            return status;
        }
    }
    enum db_status status = find_tenth(db, &at, found);
    found->not_below += place - at.place;
    return status;
}

enum db_status db_rating_at(struct db *db, const char *pool, enum db_list list, int64_t place,
                            int64_t *rating_milli)
{
    struct rated_place found = {0, 0};
    enum db_status status = find_place(db, (struct place){pool, list, 0, INT64_MAX, place}, &found);
    *rating_milli = found.rating_milli;
    return status;
}

/* Rank N and later is whatever is rated below the player at place N - 1, and the way to that rating
 * has counted everybody above the page. */
enum db_status db_ranking_from(struct db *db, const struct db_ranking_start *start,
                               struct db_ranking_row *rows, size_t max, size_t *count)
{
    struct rated_place before = {0, 0};
    struct db_rating key = {.list = start->list};
    assert(start->rank >= 2);
    enum db_status status = find_place(
        db, (struct place){start->pool, start->list, 0, INT64_MAX, start->rank - 1}, &before);
    if (status != DB_OK) {
        return status;
    }
    (void)snprintf(key.pool, sizeof key.pool, "%s", start->pool);
    key.rating_milli = before.rating_milli - 1;
    status = rankings_after(db, &key, rows, max, count);
    if (status == DB_OK) {
        rankings_number(rows, *count, before.not_below + 1, before.not_below + 1);
    }
    return status;
}

/* --- pages without those who have not played lately ----------------------------------------------
 */

/* Ranks along a walk down the list, which may begin inside a tie: they are counted at its first row
 * and at the first one with another rating; from there on the place in the walk says them. */
struct ranking_walk {
    struct db *db;
    const struct db_active_page *page;
    int64_t looked; /* rows so far */
    int counted;
    int64_t above; /* players above the place where the walk would begin at the top of a tie */
    int64_t rating_milli;
    int64_t rank;
};

static enum db_status walk_rank(struct ranking_walk *walk, int64_t rating_milli)
{
    enum db_status status = DB_OK;
    if (walk->looked == 0 || rating_milli != walk->rating_milli) {
        if (walk->counted < 2) {
            status = db_rating_above(walk->db, walk->page->pool, walk->page->list, rating_milli,
                                     &walk->above);
            walk->above -= walk->looked;
            walk->counted++;
        }
        walk->rank = walk->above + walk->looked + 1;
        walk->rating_milli = rating_milli;
    }
    walk->looked++;
    return status;
}

static void page_begin(struct query *query, struct db *db, const struct db_active_page *page)
{
    const struct db_rank_key *key = page->after;
    query_begin(query, db, &sql_ranking_pages, key == NULL ? STANDINGS_TOP : STANDINGS_AFTER);
    query_text(query, 1, page->pool);
    query_text(query, 2, db_list_text(page->list));
    query_int(query, 3, DB_LOOK_MAX);
    if (key != NULL) {
        query_int(query, 4, key->rating_milli);
        query_int(query, 5, key->player_no);
    }
}

/* Standings with ranks, without the players' names. */
static enum db_status walk_down(struct ranking_walk *walk, struct db_ranking_row *rows, size_t max,
                                size_t *count, struct db_rank_key *look_after)
{
    struct query query;
    struct db_rating rating = {0};
    size_t found = 0;
    enum db_status status = DB_OK;
    page_begin(&query, walk->db, walk->page);
    while (status == DB_OK && found < max && query_step(&query)) {
        db_read_rating(&query, 0, &rating);
        status = walk_rank(walk, rating.rating_milli);
        if (rating.last_game_at_ms >= walk->page->since_ms) {
            rows[found].rating = rating;
            rows[found++].rank = walk->rank;
        }
    }
    *count = found;
    *look_after = (struct db_rank_key){0, 0};
    if (walk->looked == DB_LOOK_MAX && found < max) {
        *look_after = (struct db_rank_key){rating.rating_milli, rating.player_no};
    }
    enum db_status ended = query_end(&query);
    return status == DB_OK ? ended : status;
}

static enum db_status add_player(struct db *db, struct db_ranking_row *row)
{
    struct db_player player;
    enum db_status status = db_player_load(db, row->rating.player_no, &player);
    if (status == DB_OK) {
        row->player_id = player.id;
        row->has_name = player.has_name;
        memcpy(row->name, player.name, sizeof row->name);
    }
    return status == DB_NONE ? DB_CORRUPT : status;
}

enum db_status db_ranking_active(struct db *db, const struct db_active_page *page,
                                 struct db_ranking_row *rows, size_t max, size_t *count,
                                 struct db_rank_key *look_after)
{
    struct ranking_walk walk = {.db = db, .page = page};
    enum db_status status = walk_down(&walk, rows, max, count, look_after);
    for (size_t i = 0; status == DB_OK && i < *count; i++) {
        status = add_player(db, &rows[i]);
    }
    return status;
}
