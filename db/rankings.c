#include "rankings.h"

#include <assert.h>
#include <string.h>

/* Lists and ranks. How many are above a rating is a sum of rating_count: whole buckets of the
 * widest width, then of the next one inside the bucket that holds the rating, and so on down; the
 * rows of the last, narrowest bucket are counted one by one. */

enum {
    COUNT_ABOVE,
    LIST_SIZE,
    RANKING_TOP,
    RANKING_AFTER,
    RANKING_BEFORE,
    COUNT_DIFFERENCE,
    RANKING_TEXTS,
};
#define SELECT_ROW                                                                                 \
    "SELECT r.player_no, r.pool, r.rating_milli, r.list, r.games, r.wins, r.draws, r.losses,"      \
    " r.place_1, r.place_2, r.place_3, r.place_4, r.last_game_at_ms, p.player_id, p.name"          \
    " FROM player_rating r CROSS JOIN player p ON p.player_no = r.player_no"                       \
    " WHERE r.pool = $1 AND r.list = $2"
#define IN_BUCKETS                                                                                 \
    "(SELECT coalesce(sum(players), 0) FROM rating_count WHERE pool = $1 AND list = $2"
static const char *const ranking_texts[RANKING_TEXTS] = {
    [COUNT_ABOVE] = "SELECT " IN_BUCKETS " AND width_milli = 100000 AND bucket > $3 / 100000)"
                    " + " IN_BUCKETS " AND width_milli = 10000"
                    " AND bucket > $3 / 10000 AND bucket < ($3 / 100000 + 1) * 10)"
                    " + " IN_BUCKETS " AND width_milli = 1000"
                    " AND bucket > $3 / 1000 AND bucket < ($3 / 10000 + 1) * 10)"
                    " + " IN_BUCKETS " AND width_milli = 100"
                    " AND bucket > $3 / 100 AND bucket < ($3 / 1000 + 1) * 10)"
                    " + " IN_BUCKETS " AND width_milli = 10"
                    " AND bucket > $3 / 10 AND bucket < ($3 / 100 + 1) * 10)"
                    " + (SELECT count(*) FROM player_rating WHERE pool = $1 AND list = $2"
                    " AND rating_milli > $3 AND rating_milli < ($3 / 10 + 1) * 10)",
    [LIST_SIZE] = "SELECT coalesce(sum(players), 0) FROM rating_count"
                  " WHERE pool = $1 AND list = $2 AND width_milli = 100000",
    [RANKING_TOP] = SELECT_ROW " ORDER BY r.rating_milli DESC, r.player_no LIMIT $3",
    [RANKING_AFTER] =
        SELECT_ROW " AND r.rating_milli <= $4 AND (r.rating_milli < $4 OR r.player_no > $5)"
                   " ORDER BY r.rating_milli DESC, r.player_no LIMIT $3",
    [RANKING_BEFORE] =
        SELECT_ROW " AND r.rating_milli >= $4 AND (r.rating_milli > $4 OR r.player_no < $5)"
                   " ORDER BY r.rating_milli, r.player_no DESC LIMIT $3",
    [COUNT_DIFFERENCE] =
        "WITH width (w) AS (VALUES (100000), (10000), (1000), (100), (10)),"
        " actual AS (SELECT pool, list, w, rating_milli / w AS bucket, count(*) AS players"
        " FROM player_rating, width GROUP BY 1, 2, 3, 4)"
        " SELECT pool, list, w, bucket, sum(stored), sum(counted) FROM ("
        " SELECT pool, list, w, bucket, 0 AS stored, players AS counted FROM actual UNION ALL"
        " SELECT pool, list, width_milli, bucket, players, 0 FROM rating_count)"
        " GROUP BY 1, 2, 3, 4 HAVING sum(stored) <> sum(counted) LIMIT 1 /*scan*/",
};
const struct sql_set sql_rankings = {"rankings", SLOTS_RANKINGS, RANKING_TEXTS, ranking_texts};

static enum db_status number_end(struct query *query, int64_t *number)
{
    bool found = query_step(query);
    if (found) {
        *number = column_int(query, 0);
    }
    return query_end_one(query, found);
}

enum db_status db_rating_above(struct db *db, const char *pool, enum db_list list,
                               int64_t rating_milli, int64_t *players)
{
    struct query query;
    assert(rating_milli >= 0);
    query_begin(&query, db, &sql_rankings, COUNT_ABOVE);
    query_text(&query, 1, pool);
    query_text(&query, 2, db_list_text(list));
    query_int(&query, 3, rating_milli);
    return number_end(&query, players);
}

enum db_status db_list_size(struct db *db, const char *pool, enum db_list list, int64_t *players)
{
    struct query query;
    query_begin(&query, db, &sql_rankings, LIST_SIZE);
    query_text(&query, 1, pool);
    query_text(&query, 2, db_list_text(list));
    return number_end(&query, players);
}

/* --- pages ---------------------------------------------------------------------------------------
 */

static enum db_status read_page(struct query *query, struct db_ranking_row *rows, size_t max,
                                size_t *count)
{
    size_t found = 0;
    while (query_step(query)) {
        assert(found < max);
        struct db_ranking_row *row = &rows[found++];
        db_read_rating(query, 0, &row->rating);
        column_text(query, 13, row->player_id.id.text, sizeof row->player_id.id.text);
        row->has_name = !column_is_null(query, 14);
        column_text(query, 14, row->name, sizeof row->name);
    }
    *count = found;
    return query_end(query);
}

/* Equal ratings share a rank. A page may begin inside a tie, so two counts are needed: above the
 * first row, and above the first row with another rating; from there on the place in the page
 * says it. */
static enum db_status fill_ranks(struct db *db, const char *pool, enum db_list list,
                                 struct db_ranking_row *rows, size_t count)
{
    size_t counted = 0; /* rows whose rank came from a count and not from its place */
    int64_t above = 0;
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && rows[i].rating.rating_milli == rows[i - 1].rating.rating_milli) {
            rows[i].rank = rows[i - 1].rank;
            continue;
        }
        if (counted < 2) {
            enum db_status status =
                db_rating_above(db, pool, list, rows[i].rating.rating_milli, &above);
            if (status != DB_OK) {
                return status;
            }
            above -= (int64_t)i;
            counted++;
        }
        rows[i].rank = above + (int64_t)i + 1;
    }
    return DB_OK;
}

static void page_begin(struct query *query, struct db *db, size_t which, const char *pool,
                       enum db_list list)
{
    query_begin(query, db, &sql_rankings, which);
    query_text(query, 1, pool);
    query_text(query, 2, db_list_text(list));
}

/* NOLINTNEXTLINE(readability-function-size): a list, a place in it, and where its rows go */
enum db_status db_ranking_after(struct db *db, const char *pool, enum db_list list,
                                const struct db_rank_key *key, struct db_ranking_row *rows,
                                size_t max, size_t *count)
{
    struct query query;
    page_begin(&query, db, key == NULL ? RANKING_TOP : RANKING_AFTER, pool, list);
    query_int(&query, 3, (int64_t)max);
    if (key != NULL) {
        query_int(&query, 4, key->rating_milli);
        query_int(&query, 5, key->player_no);
    }
    enum db_status status = read_page(&query, rows, max, count);
    return status == DB_OK ? fill_ranks(db, pool, list, rows, *count) : status;
}

static void reverse(struct db_ranking_row *rows, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct db_ranking_row row = rows[i];
        rows[i] = rows[count - 1 - i];
        rows[count - 1 - i] = row;
    }
}

/* NOLINTNEXTLINE(readability-function-size): as db_ranking_after */
enum db_status db_ranking_before(struct db *db, const char *pool, enum db_list list,
                                 const struct db_rank_key *key, struct db_ranking_row *rows,
                                 size_t max, size_t *count)
{
    struct query query;
    page_begin(&query, db, RANKING_BEFORE, pool, list);
    query_int(&query, 3, (int64_t)max);
    query_int(&query, 4, key->rating_milli);
    query_int(&query, 5, key->player_no);
    enum db_status status = read_page(&query, rows, max, count);
    if (status != DB_OK) {
        return status;
    }
    reverse(rows, *count);
    return fill_ranks(db, pool, list, rows, *count);
}

/* --- proof ---------------------------------------------------------------------------------------
 */

enum db_status db_count_difference(struct db *db, struct db_count_difference *difference)
{
    struct query query;
    query_begin(&query, db, &sql_rankings, COUNT_DIFFERENCE);
    bool found = query_step(&query);
    if (found) {
        column_text(&query, 0, difference->pool, sizeof difference->pool);
        column_text(&query, 1, difference->list, sizeof difference->list);
        difference->width_milli = column_int(&query, 2);
        difference->bucket = column_int(&query, 3);
        difference->stored = column_int(&query, 4);
        difference->actual = column_int(&query, 5);
    }
    return query_end_one(&query, found);
}
