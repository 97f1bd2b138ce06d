#include "rankings.h"

#include <assert.h>
#include <string.h>

/* Lists and ranks. How many are above a rating is a sum of rating_count: whole buckets of the
 * widest width, then of the next one inside the bucket that holds the rating, and so on down; the
 * last, narrowest bucket says itself how many it has above: a million equal ratings cost no more
 * than one. */

enum {
    COUNT_ABOVE,
    LIST_SIZE,
    RANKING_TOP,
    RANKING_AFTER,
    RANKING_BEFORE,
    TIE_BEFORE,
    COUNT_DIFFERENCE,
    RANKING_TEXTS,
};
enum { TENTHS = 10 };
#define SELECT_ROW                                                                                 \
    "SELECT r.player_no, r.rating_milli, r.games, r.wins, r.draws, r.losses, r.place_1, "          \
    "r.place_2,"                                                                                   \
    " r.place_3, r.place_4, r.last_game_at_ms, p.player_id, p.name"                                \
    " FROM player_rating r CROSS JOIN player p ON p.player_no = r.player_no"                       \
    " WHERE r.pool = $1 AND r.list = $2"
#define IN_BUCKETS                                                                                 \
    "(SELECT coalesce(sum(players), 0) FROM rating_count WHERE pool = $1 AND list = $2"
#define IN_LIST "FROM player_rating WHERE pool = $1 AND list = $2"
#define EACH_TENTH(text)                                                                           \
    text("1") text("2") text("3") text("4") text("5") text("6") text("7") text("8") text("9")
#define COUNTED_TENTH(i) ", sum(tenth >= " i ") AS counted_" i
#define ACTUAL_TENTH(i)  ", 0 AS stored_" i ", counted_" i
#define STORED_TENTH(i)  ", from_" i ", 0"
#define BOTH_TENTHS(i)   ", sum(stored_" i "), sum(counted_" i ")"
#define OTHER_TENTH(i)   " OR sum(stored_" i ") <> sum(counted_" i ")"
static const char *const ranking_texts[RANKING_TEXTS] = {
    [COUNT_ABOVE] =
        "SELECT " IN_BUCKETS " AND width_milli = 100000 AND bucket > $3 / 100000)"
        " + " IN_BUCKETS " AND width_milli = 10000"
        " AND bucket > $3 / 10000 AND bucket < ($3 / 100000 + 1) * 10)"
        " + " IN_BUCKETS " AND width_milli = 1000"
        " AND bucket > $3 / 1000 AND bucket < ($3 / 10000 + 1) * 10)"
        " + " IN_BUCKETS " AND width_milli = 100"
        " AND bucket > $3 / 100 AND bucket < ($3 / 1000 + 1) * 10)"
        " + " IN_BUCKETS " AND width_milli = 10"
        " AND bucket > $3 / 10 AND bucket < ($3 / 100 + 1) * 10)"
        " + coalesce((SELECT CASE $3 % 10 WHEN 0 THEN from_1 WHEN 1 THEN from_2 WHEN 2 THEN from_3"
        " WHEN 3 THEN from_4 WHEN 4 THEN from_5 WHEN 5 THEN from_6 WHEN 6 THEN from_7"
        " WHEN 7 THEN from_8 WHEN 8 THEN from_9 ELSE 0 END FROM rating_count"
        " WHERE pool = $1 AND list = $2 AND width_milli = 10 AND bucket = $3 / 10), 0)",
    [LIST_SIZE] = "SELECT coalesce(sum(players), 0) FROM rating_count"
                  " WHERE pool = $1 AND list = $2 AND width_milli = 1000000",
    [RANKING_TOP] = SELECT_ROW " ORDER BY r.rating_milli DESC, r.player_no LIMIT $3",
    /* What is left of a tie, then the rest: a tie is entered in its middle, not walked through. */
    [RANKING_AFTER] = SELECT_ROW " AND r.rating_milli = $4 AND r.player_no > $5"
                                 " UNION ALL " SELECT_ROW " AND r.rating_milli < $4"
                                 " ORDER BY r.rating_milli DESC, r.player_no LIMIT $3",
    [RANKING_BEFORE] = SELECT_ROW " AND r.rating_milli = $4 AND r.player_no < $5"
                                  " UNION ALL " SELECT_ROW " AND r.rating_milli > $4"
                                  " ORDER BY r.rating_milli, r.player_no DESC LIMIT $3",
    [TIE_BEFORE] = "SELECT EXISTS (SELECT 1 " IN_LIST " AND rating_milli = $3 AND player_no < $4)",
    [COUNT_DIFFERENCE] =
        "WITH width (w) AS (VALUES (1000000), (100000), (10000), (1000), (100), (10)),"
        " actual AS (SELECT pool, list, w, rating_milli / w AS bucket, count(*) AS "
        "counted" EACH_TENTH(
            COUNTED_TENTH) " FROM (SELECT pool, list, rating_milli, w, rating_milli / (w / 10) % "
                           "10 AS tenth"
                           " FROM player_rating, width) GROUP BY 1, 2, 3, 4)"
                           " SELECT pool, list, w, bucket, sum(stored), sum(counted)" EACH_TENTH(
                               BOTH_TENTHS) " FROM (SELECT pool, list, w, bucket, 0 AS stored, "
                                            "counted" EACH_TENTH(
                                                ACTUAL_TENTH) " FROM actual UNION "
                                                              "ALL"
                                                              " SELECT pool, "
                                                              "list, width_milli, "
                                                              "bucket, players, "
                                                              "0" EACH_TENTH(
                                                                  STORED_TENTH) " "
                                                                                "F"
                                                                                "R"
                                                                                "O"
                                                                                "M"
                                                                                " "
                                                                                "r"
                                                                                "a"
                                                                                "t"
                                                                                "i"
                                                                                "n"
                                                                                "g"
                                                                                "_"
                                                                                "c"
                                                                                "o"
                                                                                "u"
                                                                                "n"
                                                                                "t"
                                                                                ")"
                                                                                " "
                                                                                "G"
                                                                                "R"
                                                                                "O"
                                                                                "U"
                                                                                "P"
                                                                                " "
                                                                                "B"
                                                                                "Y"
                                                                                " "
                                                                                "1"
                                                                                ","
                                                                                " "
                                                                                "2"
                                                                                ","
                                                                                " "
                                                                                "3"
                                                                                ","
                                                                                " "
                                                                                "4"
                                                                                " "
                                                                                "H"
                                                                                "A"
                                                                                "V"
                                                                                "I"
                                                                                "N"
                                                                                "G"
                                                                                " "
                                                                                "s"
                                                                                "u"
                                                                                "m"
                                                                                "("
                                                                                "s"
                                                                                "t"
                                                                                "o"
                                                                                "r"
                                                                                "e"
                                                                                "d"
                                                                                ")"
                                                                                " "
                                                                                "<"
                                                                                ">"
                                                                                " "
                                                                                "s"
                                                                                "u"
                                                                                "m"
                                                                                "("
                                                                                "c"
                                                                                "o"
                                                                                "u"
                                                                                "n"
                                                                                "t"
                                                                                "e"
                                                                                "d"
                                                                                ")" EACH_TENTH(
                                                                                    OTHER_TENTH) " "
                                                                                                 "L"
                                                                                                 "I"
                                                                                                 "M"
                                                                                                 "I"
                                                                                                 "T"
                                                                                                 " "
                                                                                                 "1"
                                                                                                 " "
                                                                                                 "/"
                                                                                                 "*"
                                                                                                 "s"
                                                                                                 "c"
                                                                                                 "a"
                                                                                                 "n"
                                                                                                 "*"
                                                                                                 "/",
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

/* Pool and list were asked for: no row needs to say them again. */
static enum db_status read_page(struct query *query, const char *pool, enum db_list list,
                                struct db_ranking_row *rows, size_t max, size_t *count)
{
    const size_t pool_size = strlen(pool) + 1;
    size_t found = 0;
    assert(pool_size <= sizeof rows->rating.pool);
    while (query_step(query)) {
        assert(found < max);
        struct db_ranking_row *row = &rows[found++];
        row->rating.player_no = column_int(query, 0);
        memcpy(row->rating.pool, pool, pool_size);
        row->rating.rating_milli = column_int(query, 1);
        row->rating.list = list;
        db_read_results(query, 2, &row->rating);
        column_text(query, 11, row->player_id.id.text, sizeof row->player_id.id.text);
        row->has_name = !column_is_null(query, 12);
        column_text(query, 12, row->name, sizeof row->name);
    }
    *count = found;
    return query_end(query);
}

void rankings_number(struct db_ranking_row *rows, size_t count, int64_t place, int64_t rank)
{
    for (size_t i = 0; i < count; i++) {
        bool tied = i > 0 && rows[i].rating.rating_milli == rows[i - 1].rating.rating_milli;
        rows[i].rank = i == 0 ? rank : tied ? rows[i - 1].rank : place + (int64_t)i;
    }
}

/* The page goes on after a row: one count says the places, and a second one only where the page
 * begins inside a tie and shows its end. */
static enum db_status number_page(struct db *db, const struct db_rank_key *key,
                                  struct db_ranking_row *rows, size_t count)
{
    size_t tied = 0;
    while (tied < count && rows[tied].rating.rating_milli == key->rating_milli) {
        tied++;
    }
    if (count == 0) {
        return DB_OK;
    }
    const struct db_rating *first = &rows[0].rating;
    int64_t above = 0;
    enum db_status status =
        db_rating_above(db, first->pool, first->list, first->rating_milli, &above);
    int64_t above_next = above;
    if (status == DB_OK && tied > 0 && tied < count) {
        status = db_rating_above(db, first->pool, first->list, rows[tied].rating.rating_milli,
                                 &above_next);
    }
    if (status == DB_OK) {
        rankings_number(rows, count, above_next - (int64_t)tied + 1, above + 1);
    }
    return status;
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
    enum db_status status = read_page(&query, pool, list, rows, max, count);
    if (status == DB_OK && key != NULL) {
        return number_page(db, key, rows, *count);
    }
    if (status == DB_OK) {
        rankings_number(rows, *count, 1, 1);
    }
    return status;
}

/* --- neighbours ----------------------------------------------------------------------------------
 */

static enum db_status neighbours(struct db *db, size_t which, const struct db_rating *rating,
                                 struct db_ranking_row *rows, size_t max, size_t *count)
{
    struct query query;
    page_begin(&query, db, which, rating->pool, rating->list);
    query_int(&query, 3, (int64_t)max);
    query_int(&query, 4, rating->rating_milli);
    query_int(&query, 5, rating->player_no);
    return read_page(&query, rating->pool, rating->list, rows, max, count);
}

enum db_status rankings_after(struct db *db, const struct db_rating *rating,
                              struct db_ranking_row *rows, size_t max, size_t *count)
{
    return neighbours(db, RANKING_AFTER, rating, rows, max, count);
}

enum db_status rankings_before(struct db *db, const struct db_rating *rating,
                               struct db_ranking_row *rows, size_t max, size_t *count)
{
    enum db_status status = neighbours(db, RANKING_BEFORE, rating, rows, max, count);
    for (size_t i = 0; status == DB_OK && i < *count / 2; i++) {
        struct db_ranking_row row = rows[i];
        rows[i] = rows[*count - 1 - i];
        rows[*count - 1 - i] = row;
    }
    return status;
}

enum db_status rankings_tie_before(struct db *db, const struct db_rating *rating, bool *tied)
{
    struct query query;
    int64_t exists = 0;
    page_begin(&query, db, TIE_BEFORE, rating->pool, rating->list);
    query_int(&query, 3, rating->rating_milli);
    query_int(&query, 4, rating->player_no);
    enum db_status status = number_end(&query, &exists);
    *tied = exists != 0;
    return status;
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
        int tenth = 0;
        do {
            difference->stored = column_int(&query, 4 + 2 * tenth);
            difference->actual = column_int(&query, 5 + 2 * tenth);
        } while (difference->stored == difference->actual && ++tenth < TENTHS);
        difference->tenth = tenth;
    }
    return query_end_one(&query, found);
}
