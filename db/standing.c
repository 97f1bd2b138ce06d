#include "rankings.h"

#include <assert.h>
#include <string.h>

/* A player's standing. The list itself is counted once, above the player: neighbours have the
 * places next to that one, as far as the rows show where ties begin and end. Only a tie that goes
 * on out of sight is counted again. */

/* Rows [0, own) are before the player's own row, and [first, end) share its rating. */
struct around {
    struct db_ranking_row *rows;
    size_t radius;
    size_t own;
    size_t count;
    size_t first;
    size_t end;
};

static void own_row(const struct db_player *player, const struct db_rating *rating,
                    struct db_ranking_row *row)
{
    *row = (struct db_ranking_row){
        .rating = *rating, .player_id = player->id, .has_name = player->has_name};
    memcpy(row->name, player->name, sizeof row->name);
}

static void find_tie(struct around *around)
{
    const struct db_ranking_row *rows = around->rows;
    int64_t rating_milli = rows[around->own].rating.rating_milli;
    around->first = around->own;
    while (around->first > 0 && rows[around->first - 1].rating.rating_milli == rating_milli) {
        around->first--;
    }
    around->end = around->own + 1;
    while (around->end < around->count && rows[around->end].rating.rating_milli == rating_milli) {
        around->end++;
    }
}

static enum db_status load_rows(struct db *db, const struct db_player *player,
                                const struct db_rating *rating, struct around *around)
{
    size_t after = 0;
    enum db_status status = DB_OK;
    if (around->radius > 0) {
        status = rankings_before(db, rating, around->rows, around->radius, &around->own);
    }
    if (status == DB_OK) {
        own_row(player, rating, &around->rows[around->own]);
    }
    if (status == DB_OK && around->radius > 0) {
        status = rankings_after(db, rating, &around->rows[around->own + 1], around->radius, &after);
    }
    around->count = around->own + 1 + after;
    if (status == DB_OK) {
        find_tie(around);
    }
    return status;
}

static enum db_status count_not_below(struct db *db, const struct db_rating *rating,
                                      const struct around *around, struct db_standing *standing)
{
    bool begins = around->first > 0 || around->own < around->radius;
    bool ends = around->end < around->count || around->count - around->own <= around->radius;
    if (begins && ends) {
        standing->not_below = standing->above + (int64_t)(around->end - around->first);
        return DB_OK;
    }
    return db_rating_above(db, rating->pool, rating->list, rating->rating_milli - 1,
                           &standing->not_below);
}

/* Of the rows above the player only the first can be in a tie that began out of sight. */
static enum db_status number_above(struct db *db, const struct around *around, int64_t above)
{
    if (around->first == 0) {
        return DB_OK;
    }
    const struct db_rating *top = &around->rows[0].rating;
    int64_t place = above - (int64_t)around->first + 1;
    int64_t above_top = place - 1;
    bool tied = false;
    enum db_status status = rankings_tie_before(db, top, &tied);
    if (status == DB_OK && tied) {
        status = db_rating_above(db, top->pool, top->list, top->rating_milli, &above_top);
    }
    if (status == DB_OK) {
        rankings_number(around->rows, around->first, place, above_top + 1);
    }
    return status;
}

enum db_status db_standing_load(struct db *db, const struct db_player *player,
                                const struct db_rating *rating, size_t radius,
                                struct db_ranking_row *rows, struct db_standing *standing)
{
    struct around around = {.rows = rows, .radius = radius};
    assert(player->player_no == rating->player_no);
    enum db_status status = db_list_size(db, rating->pool, rating->list, &standing->total);
    if (status == DB_OK) {
        status =
            db_rating_above(db, rating->pool, rating->list, rating->rating_milli, &standing->above);
    }
    if (status == DB_OK) {
        status = load_rows(db, player, rating, &around);
    }
    if (status == DB_OK) {
        status = count_not_below(db, rating, &around, standing);
    }
    if (status == DB_OK) {
        status = number_above(db, &around, standing->above);
    }
    if (status == DB_OK) {
        size_t tied = around.end - around.first;
        rankings_number(&rows[around.first], around.count - around.first,
                        standing->not_below - (int64_t)tied + 1, standing->above + 1);
        standing->count = around.count;
    }
    return status;
}
