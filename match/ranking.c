#include "db/revision.h"
#include "ratings/elo.h"
#include "service.h"

#include <assert.h>

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

/* The share of the list strictly below. */
static double percentile(const struct db_standing *standing)
{
    assert(standing->total >= 1 && standing->not_below >= 1);
    assert(standing->not_below <= standing->total);
    return 100.0 * (double)(standing->total - standing->not_below) / (double)standing->total;
}

static enum db_status standing_fill(struct db *db, const char *pool, bool provisional,
                                    size_t radius, struct standing_view *view)
{
    struct db_standing standing;
    enum db_status status = pool_view_fill(db, view->player.player_no, pool, &view->pool);
    const struct db_rating *rating = &view->pool.rating;
    if (status != DB_OK) {
        return status;
    }
    view->has_rank = rating->list == DB_RANKED ||
                     (rating->list == DB_PROVISIONAL && provisional && rating->games > 0);
    if (!view->has_rank) {
        return DB_OK;
    }
    status = db_standing_load(db, &view->player, rating, radius, view->around, &standing);
    if (status == DB_OK) {
        view->rank = standing.above + 1;
        view->pool.rank = rating->list == DB_RANKED ? view->rank : 0;
        view->percentile = percentile(&standing);
        view->around_count = standing.count;
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
        if (status == DB_OK && !view->player.has_name) {
            status = DB_NONE;
        }
        if (status == DB_OK) {
            status = standing_fill(db, pool, provisional, radius, view);
        }
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}
