#include "players.h"

#include "db/lists.h"
#include "names.h"
#include "service.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum db_status profile_fill(struct db *db, const struct player_id *id,
                                   struct profile_view *view)
{
    enum db_status status = db_player_find(db, id, &view->player);
    if (status == DB_OK && !view->player.has_name) {
        status = DB_NONE;
    }
    return status == DB_OK ? pools_fill(db, view->player.player_no, view->pools, &view->pool_count)
                           : status;
}

enum match_status match_profile(struct match *match, const struct player_id *id,
                                struct profile_view *view)
{
    struct db *db = reader_take(match);
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = profile_fill(db, id, view);
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

/* --- by name -------------------------------------------------------------------------------------
 */

void name_place_of(const struct db_player *player, struct name_place *place)
{
    assert(player->has_name && player->name_folded[0] != '\0');
    memcpy(place->folded, player->name_folded, sizeof place->folded);
    place->id = player->id;
}

enum match_status match_players(struct match *match, const char *prefix,
                                const struct name_place *after, struct db_player *players,
                                size_t max, size_t *count)
{
    /* No name has the last code point in it, so all that begin with the prefix are below this. */
    static const char last[] = "\xF4\x8F\xBF\xBF";
    char below[DB_FOLDED_TEXT + sizeof last];
    (void)snprintf(below, sizeof below, "%s%s", prefix, last);
    struct db_name_range range = {
        .after_folded = after == NULL ? prefix : after->folded,
        .after_id = after == NULL ? "" : after->id.id.text,
        .below_folded = below,
    };
    struct db *db = reader_take(match);
    enum db_status status = db_players_named(db, &range, players, max, count);
    reader_give(match, db);
    return match_status_of(status);
}

/* --- names that nobody has folded: from before there was a list by name, or changed by hand ------
 */

enum { NAMES_AT_ONCE = 256 };

struct folding {
    struct match_op op;
    size_t count;
    struct db_player players[NAMES_AT_ONCE];
};

static struct folding *folding_of(struct db_job *job)
{
    static_assert(offsetof(struct folding, op) == 0, "a command is its op");
    return (struct folding *)op_of_job(job);
}

static enum db_status folding_run(struct db_job *job, struct db *db)
{
    struct folding *folding = folding_of(job);
    folding->op.status = MATCH_OK;
    for (size_t i = 0; i < folding->count; i++) {
        enum db_status status = db_player_fold(db, &folding->players[i]);
        /* Renamed or erased since it was looked at: then that stands. */
        if (status != DB_OK && status != DB_NONE) {
            return status;
        }
    }
    return DB_OK;
}

static void folding_done(struct db_job *job, enum db_status status)
{
    struct folding *folding = folding_of(job);
    atomic_store(&folding->op.match->folding, false);
    op_finish(&folding->op, status);
}

static void folding_free(void *context)
{
    free(context);
}

static enum db_status folding_load(struct match *match, struct folding *folding)
{
    struct db *db = reader_take(match);
    enum db_status status =
        db_players_not_folded(db, folding->players, NAMES_AT_ONCE, &folding->count);
    reader_give(match, db);
    for (size_t i = 0; status == DB_OK && i < folding->count; i++) {
        struct db_player *player = &folding->players[i];
        if (!name_fold(player->name, strlen(player->name), player->name_folded)) {
            /* Not a name that we would let in: found as it stands, rather than looked at for ever.
             */
            memcpy(player->name_folded, player->name, sizeof player->name);
        }
    }
    return status;
}

bool names_fold(struct match *match)
{
    if (atomic_load(&match->folding)) {
        return true;
    }
    struct folding *folding = calloc(1, sizeof *folding);
    if (folding == NULL || folding_load(match, folding) != DB_OK || folding->count == 0) {
        free(folding);
        return false;
    }
    folding->op.wake = folding_free;
    folding->op.context = folding;
    atomic_store(&match->folding, true);
    if (op_submit(match, &folding->op, folding_run, folding_done) != MATCH_WAIT) {
        atomic_store(&match->folding, false);
        free(folding);
    }
    return true;
}
