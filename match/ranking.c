#include "db/revision.h"
#include "ratings/elo.h"
#include "service.h"

#include <assert.h>
#include <string.h>

enum db_status pool_version_load(const struct match *match, struct db *db, const char *pool,
                                 struct pool_version *version)
{
    version->since_ms = match->started_at_ms;
    return db_pool_revision(db, pool, &version->revision);
}

enum match_status match_pool_version(struct match *match, const char *pool,
                                     struct pool_version *version)
{
    struct db *db = reader_take(match);
    enum db_status status = pool_version_load(match, db, pool, version);
    reader_give(match, db);
    return match_status_of(status);
}

/* --- one player ----------------------------------------------------------------------------------
 */

/* The share of the list strictly below: what is left of it under this rating. */
static enum db_status percentile_fill(struct db *db, const struct db_rating *rating,
                                      struct standing_view *view)
{
    int64_t total = 0;
    int64_t not_below = 0;
    enum db_status status = db_list_size(db, rating->pool, rating->list, &total);
    if (status == DB_OK) {
        status =
            db_rating_above(db, rating->pool, rating->list, rating->rating_milli - 1, &not_below);
    }
    if (status == DB_OK) {
        assert(total >= 1 && not_below >= 1 && not_below <= total);
        view->percentile = 100.0 * (double)(total - not_below) / (double)total;
    }
    return status;
}

static void own_row(const struct standing_view *view, struct db_ranking_row *row)
{
    *row = (struct db_ranking_row){
        .rank = view->rank,
        .rating = view->pool.rating,
        .player_id = view->player.id,
        .has_name = view->player.has_name,
    };
    memcpy(row->name, view->player.name, sizeof row->name);
}

static enum db_status around_fill(struct db *db, const struct db_rating *rating, size_t radius,
                                  struct standing_view *view)
{
    struct db_rank_key key = {rating->rating_milli, rating->player_no};
    size_t before = 0;
    size_t after = 0;
    enum db_status status = DB_OK;
    if (radius > 0) {
        status =
            db_ranking_before(db, rating->pool, rating->list, &key, view->around, radius, &before);
    }
    own_row(view, &view->around[before]);
    if (radius > 0 && status == DB_OK) {
        status = db_ranking_after(db, rating->pool, rating->list, &key, &view->around[before + 1],
                                  radius, &after);
    }
    view->around_count = before + 1 + after;
    return status;
}

static enum db_status standing_fill(struct db *db, const char *pool, bool provisional,
                                    size_t radius, struct standing_view *view)
{
    enum db_status status = pool_view_fill(db, view->player.player_no, pool, &view->pool);
    if (status != DB_OK) {
        return status;
    }
    const struct db_rating *rating = &view->pool.rating;
    bool listed = rating->list == DB_RANKED ||
                  (rating->list == DB_PROVISIONAL && provisional && rating->games > 0);
    if (!listed) {
        return DB_OK;
    }
    view->has_rank = true;
    view->rank = view->pool.rank;
    if (rating->list == DB_PROVISIONAL) {
        int64_t above = 0;
        status = db_rating_above(db, pool, rating->list, rating->rating_milli, &above);
        view->rank = above + 1;
    }
    if (status == DB_OK) {
        status = percentile_fill(db, rating, view);
    }
    if (status == DB_OK) {
        status = around_fill(db, rating, radius, view);
    }
    return status;
}

enum match_status match_standing(struct match *match, const char *pool,
                                 const struct player_id *player, bool provisional, size_t radius,
                                 struct standing_view *view)
{
    assert(radius <= LIMIT_RADIUS);
    const struct pool_rules *rules = NULL;
    if (rules_find_pool(pool, &rules) == NULL) {
        return MATCH_NOT_FOUND;
    }
    struct db *db = reader_take(match);
    view->has_rank = false;
    view->around_count = 0;
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = pool_version_load(match, db, pool, &view->version);
        if (status == DB_OK) {
            status = db_player_find(db, player, &view->player);
        }
        if (status == DB_OK) {
            status = standing_fill(db, pool, provisional, radius, view);
        }
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}
