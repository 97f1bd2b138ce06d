#include "ratings/elo.h"
#include "ratings/policy.h"
#include "result.h"
#include "verify_parts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AT_ONCE = 64, TABLE_START = 1024 };

/* Standings recomputed so far: open addressing by (player_no, pool). */
struct standings {
    size_t size;
    size_t used;
    struct db_rating *slots; /* player_no 0: free */
};

static struct db_rating *standing_slot(struct db_rating *slots, size_t size, int64_t player_no,
                                       const char *pool)
{
    size_t hash = (size_t)player_no * 0x9e3779b97f4a7c15U ^ (size_t)pool[strlen(pool) / 2];
    for (size_t i = hash % size;; i = (i + 1) % size) {
        if (slots[i].player_no == 0 ||
            (slots[i].player_no == player_no && strcmp(slots[i].pool, pool) == 0)) {
            return &slots[i];
        }
    }
}

static bool standings_grow(struct standings *standings)
{
    size_t size = standings->size * 2;
    struct db_rating *slots = calloc(size, sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < standings->size; i++) {
        const struct db_rating *old = &standings->slots[i];
        if (old->player_no != 0) {
            *standing_slot(slots, size, old->player_no, old->pool) = *old;
        }
    }
    free(standings->slots);
    standings->slots = slots;
    standings->size = size;
    return true;
}

/* The standing so far, begun where there is none. NULL: no memory. */
static struct db_rating *standing_of(struct standings *standings, int64_t player_no,
                                     const char *pool)
{
    if (standings->used * 2 >= standings->size && !standings_grow(standings)) {
        return NULL;
    }
    struct db_rating *slot = standing_slot(standings->slots, standings->size, player_no, pool);
    if (slot->player_no == 0) {
        *slot = (struct db_rating){.player_no = player_no, .rating_milli = ELO_START_MILLI};
        memcpy(slot->pool, pool, strlen(pool) + 1);
        standings->used++;
    }
    return slot;
}

/* --- one game's events ---------------------------------------------------------------------------
 */

struct rated_game {
    struct verify *verify;
    struct db_game game;
    const struct game_rules *rules;
    struct game_options options;
    struct db_seat seats[DB_SEATS_MAX];
    struct rated_seat before[DB_SEATS_MAX];
    struct elo_change changes[DB_SEATS_MAX];
};

static void check_field(struct rated_game *rated, const struct db_rating_event *event,
                        const char *what, int64_t expected, int64_t found)
{
    if (expected != found) {
        verify_differs(rated->verify,
                       "rating_event %" PRId64 " (game %s, seat %s): expected %s %" PRId64
                       ", found %" PRId64,
                       event->event_no, rated->game.id.id.text, rated->seats[event->seat_no].seat,
                       what, expected, found);
    }
}

static enum db_status check_against(struct rated_game *rated, const struct db_rating_event *event,
                                    const struct elo_change *change)
{
    struct db_against rows[DB_SEATS_MAX];
    size_t count = 0;
    enum db_status status = db_against_of_event(rated->verify->db, event->event_no, rows, &count);
    if (status != DB_OK) {
        return status;
    }
    check_field(rated, event, "number of opposing sides", change->against_count, (int64_t)count);
    for (size_t i = 0; i < count && i < change->against_count; i++) {
        const struct elo_against *against = &change->against[i];
        check_field(rated, event, "opponent_seat_no",
                    side_first_seat(rated->rules, &rated->options, against->side),
                    rows[i].opponent_seat_no);
        check_field(rated, event, "opponent's rating", against->rating_milli, rows[i].rating_milli);
        check_field(rated, event, "expected_micro", lround(against->expected * 1e6),
                    rows[i].expected_micro);
        check_field(rated, event, "score_halves", against->score_halves, rows[i].score_halves);
        check_field(rated, event, "points_milli", against->points_milli, rows[i].points_milli);
    }
    return DB_OK;
}

static enum db_status check_event(struct rated_game *rated, const struct db_rating_event *event)
{
    const struct rated_seat *seat = &rated->before[event->seat_no];
    const struct elo_change *change = &rated->changes[event->seat_no];
    check_field(rated, event, "player_no", rated->seats[event->seat_no].player_no,
                event->player_no);
    check_field(rated, event, "place", seat->place, event->place);
    check_field(rated, event, "games_before", seat->rated_games, event->games_before);
    check_field(rated, event, "k", change->k, event->k);
    check_field(rated, event, "before_milli", seat->rating_milli, event->before_milli);
    check_field(rated, event, "delta_milli", change->delta_milli, event->delta_milli);
    check_field(rated, event, "after_milli", change->after_milli, event->after_milli);
    check_field(rated, event, "cpu_plies", seat->cpu_plies, event->cpu_plies);
    check_field(rated, event, "cpu at the end", seat->cpu_at_end, event->cpu_at_end);
    check_field(rated, event, "capped", change->capped, event->capped);
    check_field(rated, event, "floor_applied", change->floor_applied, event->floor_applied);
    check_field(rated, event, "at_ms", rated->game.finished_at_ms, event->at_ms);
    return check_against(rated, event, change);
}

static enum db_status load_before(struct rated_game *rated, struct standings *standings)
{
    for (uint8_t i = 0; i < rated->rules->seat_count; i++) {
        const struct db_seat *row = &rated->seats[i];
        const struct db_rating *standing = standing_of(standings, row->player_no, rated->game.pool);
        if (standing == NULL) {
            return DB_ERROR;
        }
        rated->before[i] = (struct rated_seat){
            .rating_milli = standing->rating_milli,
            .rated_games = standing->games,
            .place = row->place,
            .cpu_at_end = row->cpu,
        };
        enum db_status status = db_seat_plies(rated->verify->db, rated->game.game_no, row->seat[0],
                                              &rated->before[i].plies, &rated->before[i].cpu_plies);
        if (status != DB_OK) {
            return status;
        }
    }
    return DB_OK;
}

static void count_game(const struct rated_game *rated, uint8_t seat_no, struct db_rating *standing)
{
    uint8_t places[DB_SEATS_MAX];
    for (uint8_t i = 0; i < rated->rules->seat_count; i++) {
        places[i] = rated->seats[i].place;
    }
    result_count(rated->rules, &rated->options, places, seat_no, standing);
    standing->rating_milli = rated->changes[seat_no].after_milli;
    standing->last_game_at_ms = rated->game.finished_at_ms;
}

static bool places_make_sense(const struct rated_game *rated, size_t seat_count)
{
    if (seat_count != rated->rules->seat_count) {
        return false;
    }
    for (size_t i = 0; i < seat_count; i++) {
        if (rated->seats[i].place < 1 || rated->seats[i].place > seat_count) {
            return false;
        }
    }
    return true;
}

static enum db_status check_game(struct verify *verify, struct standings *standings,
                                 const struct db_rating_event *events, size_t count)
{
    struct rated_game rated = {.verify = verify};
    size_t seat_count = 0;
    enum db_status status = db_game_load(verify->db, events[0].game_no, &rated.game);
    if (status == DB_OK) {
        status = db_seats(verify->db, events[0].game_no, rated.seats, &seat_count);
    }
    if (status != DB_OK) {
        return status;
    }
    if (!line_rules(&rated.game, &rated.rules, &rated.options) ||
        !places_make_sense(&rated, seat_count) || count != seat_count) {
        verify_differs(verify,
                       "rating_event %" PRId64 " (game %s): expected one event a seat of "
                       "an ended game, found %zu",
                       events[0].event_no, rated.game.id.id.text, count);
        return DB_OK;
    }
    status = load_before(&rated, standings);
    if (status != DB_OK) {
        return status;
    }
    result_changes(rated.rules, &rated.options, rated.before, rated.changes);
    for (uint8_t i = 0; i < count && status == DB_OK; i++) {
        if (events[i].seat_no != i) {
            check_field(&rated, &events[i], "seat_no", i, events[i].seat_no);
            return DB_OK;
        }
        status = check_event(&rated, &events[i]);
        count_game(&rated, i, standing_of(standings, rated.seats[i].player_no, rated.game.pool));
    }
    return status;
}

/* --- all of them ---------------------------------------------------------------------------------
 */

static enum db_status check_events(struct verify *verify, struct standings *standings)
{
    struct db_rating_event events[AT_ONCE];
    int64_t after = 0;
    size_t count = 0;
    for (;;) {
        enum db_status status = db_rating_events(verify->db, after, events, AT_ONCE, &count);
        if (status != DB_OK || count == 0) {
            return status;
        }
        size_t begin = 0;
        while (begin < count && status == DB_OK && !verify_is_over(verify)) {
            size_t end = begin + 1;
            while (end < count && events[end].game_no == events[begin].game_no) {
                end++;
            }
            /* A game cut by the page's end begins the next page. */
            if (end == count && begin > 0 && count == AT_ONCE) {
                break;
            }
            status = check_game(verify, standings, &events[begin], end - begin);
            after = events[end - 1].event_no;
            verify->report->rating_events += end - begin;
            begin = end;
        }
        if (status != DB_OK || verify_is_over(verify)) {
            return status;
        }
    }
}

static void check_standing(struct verify *verify, struct standings *standings,
                           const struct db_rating *row)
{
    const struct db_rating *mine =
        standing_slot(standings->slots, standings->size, row->player_no, row->pool);
    const struct {
        const char *what;
        int64_t expected;
        int64_t found;
    } fields[] = {
        {"rating_milli",                   mine->rating_milli,         row->rating_milli   },
        {"games",                          mine->games,                row->games          },
        {"wins",                           mine->wins,                 row->wins           },
        {"draws",                          mine->draws,                row->draws          },
        {"losses",                         mine->losses,               row->losses         },
        {"place_1",                        mine->places[0],            row->places[0]      },
        {"place_2",                        mine->places[1],            row->places[1]      },
        {"place_3",                        mine->places[2],            row->places[2]      },
        {"place_4",                        mine->places[3],            row->places[3]      },
        {"last_game_at_ms",                mine->last_game_at_ms,      row->last_game_at_ms},
        {"list (0 ranked, 1 provisional)",
         elo_is_provisional(mine->games) ? DB_PROVISIONAL : DB_RANKED, row->list           },
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (fields[i].expected != fields[i].found) {
            verify_differs(verify,
                           "player_rating of player_no %" PRId64 " in %s: expected %s %" PRId64
                           ", found %" PRId64,
                           row->player_no, row->pool, fields[i].what, fields[i].expected,
                           fields[i].found);
        }
    }
}

static enum db_status check_standings(struct verify *verify, struct standings *standings)
{
    struct db_rating rows[AT_ONCE];
    struct db_rating last = {0};
    size_t count = 0;
    size_t total = 0;
    do {
        enum db_status status =
            db_ratings(verify->db, last.player_no, last.pool, rows, AT_ONCE, &count);
        if (status != DB_OK) {
            return status;
        }
        for (size_t i = 0; i < count && !verify_is_over(verify); i++) {
            check_standing(verify, standings, &rows[i]);
            last = rows[i];
            total++;
        }
    } while (count == AT_ONCE && !verify_is_over(verify));
    if (!verify_is_over(verify) && total != standings->used) {
        verify_differs(verify, "player_rating: expected %zu rows, found %zu", standings->used,
                       total);
    }
    return DB_OK;
}

static enum db_status check_counts(struct verify *verify)
{
    struct db_count_difference found;
    enum db_status status = db_count_difference(verify->db, &found);
    if (status == DB_OK) {
        verify_differs(verify,
                       "rating_count %s, %s, width %" PRId64 ", bucket %" PRId64
                       ": expected %" PRId64 " players, found %" PRId64,
                       found.pool, found.list, found.width_milli, found.bucket, found.actual,
                       found.stored);
    }
    return status == DB_NONE ? DB_OK : status;
}

enum db_status verify_ratings(struct verify *verify)
{
    struct standings standings = {.size = TABLE_START};
    standings.slots = calloc(standings.size, sizeof *standings.slots);
    enum db_status status = standings.slots == NULL ? DB_ERROR : check_events(verify, &standings);
    if (status == DB_OK && !verify_is_over(verify)) {
        status = check_standings(verify, &standings);
    }
    if (status == DB_OK && !verify_is_over(verify)) {
        status = check_counts(verify);
    }
    free(standings.slots);
    return status;
}
