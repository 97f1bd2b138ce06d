#include "ratings/elo.h"
#include "result.h"
#include "verify_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_START = 1024 };

/* Standings recomputed so far: open addressing by (player_no, pool). */
struct standing {
    struct db_rating rating; /* player_no 0: free */
    bool is_stored;          /* there is a row for it */
};
struct standings {
    size_t size;
    size_t used;
    struct standing *slots;
};

static struct standing *standing_slot(struct standing *slots, size_t size, int64_t player_no,
                                      const char *pool)
{
    /* The upper half of a product hangs on every bit of the number, the lower one does not. */
    size_t hash = (size_t)((uint64_t)player_no * 0x9e3779b97f4a7c15U >> 32);
    hash ^= (size_t)pool[strlen(pool) / 2];
    for (size_t i = hash % size;; i = (i + 1) % size) {
        const struct db_rating *rating = &slots[i].rating;
        if (rating->player_no == 0 ||
            (rating->player_no == player_no && strcmp(rating->pool, pool) == 0)) {
            return &slots[i];
        }
    }
}

static bool standings_grow(struct standings *standings)
{
    size_t size = standings->size * 2;
    struct standing *slots = calloc(size, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < standings->size; i++) {
        const struct standing *old = &standings->slots[i];
        if (old->rating.player_no != 0) {
            *standing_slot(slots, size, old->rating.player_no, old->rating.pool) = *old;
        }
    }
    free(standings->slots);
    standings->slots = slots;
    standings->size = size;
    return true;
}

struct db_rating *standing_of(struct standings *standings, int64_t player_no, const char *pool)
{
    if (standings->used * 2 >= standings->size && !standings_grow(standings)) {
        return NULL;
    }
    struct db_rating *rating =
        &standing_slot(standings->slots, standings->size, player_no, pool)->rating;
    if (rating->player_no == 0) {
        *rating = (struct db_rating){.player_no = player_no, .rating_milli = ELO_START_MILLI};
        memcpy(rating->pool, pool, strlen(pool) + 1);
        standings->used++;
    }
    return rating;
}

struct standings *standings_new(void)
{
    struct standings *standings = calloc(1, sizeof *standings);
    if (standings != NULL) {
        standings->size = TABLE_START;
        standings->slots = calloc(TABLE_START, sizeof *standings->slots);
    }
    if (standings != NULL && standings->slots == NULL) {
        free(standings);
        return NULL;
    }
    return standings;
}

void standings_free(struct standings *standings)
{
    if (standings != NULL) {
        free(standings->slots);
        free(standings);
    }
}

/* --- beside the rows -----------------------------------------------------------------------------
 */

static void standing_row(const struct db_rating *rating, char row[VERIFY_ROW_TEXT])
{
    (void)snprintf(row, VERIFY_ROW_TEXT, "player_rating of player_no %" PRId64 " in %s",
                   rating->player_no, rating->pool);
}

/* Where a standing belongs: nowhere, once its player was erased, or while banned. Earlier builds
 * left one whose only game was void among the provisional ones, and nothing was wrong with that. */
static enum db_list list_of(struct verify *verify, const struct db_rating *mine, enum db_list found)
{
    struct db_player player;
    enum db_status status = db_player_load(verify->db, mine->player_no, &player);
    bool gone = status == DB_OK && (!player.has_name || player.banned_at_ms != 0);
    bool of_earlier_build = !gone && mine->games == 0 && found == DB_PROVISIONAL;
    return of_earlier_build ? found : standing_list(gone, mine->games);
}

static void check_standing(struct verify *verify, struct standings *standings,
                           const struct db_rating *found)
{
    char row[VERIFY_ROW_TEXT];
    struct standing *standing =
        standing_slot(standings->slots, standings->size, found->player_no, found->pool);
    const struct db_rating *mine = &standing->rating;
    standing_row(found, row);
    if (mine->player_no == 0) {
        verify_differs(verify, "%s: expected no row, as there is no rating event, found %" PRId64,
                       row, found->rating_milli);
        return;
    }
    standing->is_stored = true;
    const int64_t list = list_of(verify, mine, found->list);
    const struct {
        const char *column;
        int64_t expected;
        int64_t found;
    } columns[] = {
        {"rating_milli",                             mine->rating_milli,    found->rating_milli   },
        {"games",                                    mine->games,           found->games          },
        {"wins",                                     mine->wins,            found->wins           },
        {"draws",                                    mine->draws,           found->draws          },
        {"losses",                                   mine->losses,          found->losses         },
        {"place_1",                                  mine->places[0],       found->places[0]      },
        {"place_2",                                  mine->places[1],       found->places[1]      },
        {"place_3",                                  mine->places[2],       found->places[2]      },
        {"place_4",                                  mine->places[3],       found->places[3]      },
        {"last_game_at_ms",                          mine->last_game_at_ms, found->last_game_at_ms},
        {"list (0 ranked, 1 provisional, 2 hidden)", list,                  found->list           },
    };
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        verify_number(verify, row, columns[i].column, columns[i].expected, columns[i].found);
    }
}

/* Standings that came of the events and that no row tells. */
static void check_missing(struct verify *verify, const struct standings *standings)
{
    for (size_t i = 0; i < standings->size; i++) {
        const struct standing *standing = &standings->slots[i];
        if (standing->rating.player_no != 0 && !standing->is_stored) {
            char row[VERIFY_ROW_TEXT];
            standing_row(&standing->rating, row);
            verify_differs(verify, "%s: expected rating_milli %" PRId64 ", found no row", row,
                           standing->rating.rating_milli);
        }
    }
}

static enum db_status check_standings(struct verify *verify, struct standings *standings)
{
    struct db_rating rows[VERIFY_AT_ONCE];
    struct db_rating last = {0};
    size_t count = 0;
    do {
        enum db_status status =
            db_ratings(verify->db, last.player_no, last.pool, rows, VERIFY_AT_ONCE, &count);
        if (status != DB_OK) {
            return verify_readable(verify, "player_rating", status);
        }
        for (size_t i = 0; i < count && !verify_is_over(verify); i++) {
            check_standing(verify, standings, &rows[i]);
            last = rows[i];
        }
    } while (count == VERIFY_AT_ONCE && !verify_is_over(verify));
    check_missing(verify, standings);
    return DB_OK;
}

static enum db_status check_counts(struct verify *verify)
{
    struct db_count_difference found;
    enum db_status status = db_count_difference(verify->db, &found);
    if (status == DB_OK) {
        char tenth[16] = "";
        if (found.tenth != 0) {
            (void)snprintf(tenth, sizeof tenth, ", from_%d", found.tenth);
        }
        verify_differs(verify,
                       "rating_count %s, %s, width %" PRId64 ", bucket %" PRId64
                       "%s: expected %" PRId64 " players, found %" PRId64,
                       found.pool, found.list, found.width_milli, found.bucket, tenth, found.actual,
                       found.stored);
    }
    return status == DB_NONE ? DB_OK : status;
}

enum db_status verify_standings(struct verify *verify, struct standings *standings)
{
    enum db_status status = check_standings(verify, standings);
    if (status == DB_OK && !verify_is_over(verify)) {
        status = check_counts(verify);
    }
    return status;
}
