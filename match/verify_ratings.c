#include "ratings/elo.h"
#include "ratings/policy.h"
#include "result.h"
#include "verify_parts.h"
#include "void.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void event_row(const struct rated_game *rated, const struct db_rating_event *event,
                      char row[VERIFY_ROW_TEXT])
{
    (void)snprintf(row, VERIFY_ROW_TEXT, "rating_event %" PRId64 " (game %s, seat_no %d)",
                   event->event_no, rated->game.id.id.text, event->seat_no);
}

static enum db_status check_against(struct rated_game *rated, const struct db_rating_event *event,
                                    const struct elo_change *change)
{
    struct verify *verify = rated->verify;
    struct db_against found[DB_SEATS_MAX];
    char row[VERIFY_ROW_TEXT + 24];
    size_t count = 0;
    enum db_status status = db_against_of_event(verify->db, event->event_no, found, &count);
    if (status != DB_OK) {
        return status;
    }
    (void)snprintf(row, sizeof row, "rating_against of event %" PRId64 " (game %s)",
                   event->event_no, rated->game.id.id.text);
    verify_number(verify, row, "number of rows", change->against_count, (int64_t)count);
    for (size_t i = 0; i < count && i < change->against_count; i++) {
        const struct elo_against *against = &change->against[i];
        verify_number(verify, row, "opponent_seat_no",
                      side_first_seat(rated->rules, &rated->options, against->side),
                      found[i].opponent_seat_no);
        verify_number(verify, row, "rating_milli", against->rating_milli, found[i].rating_milli);
        verify_number(verify, row, "expected_micro", lround(against->expected * 1e6),
                      found[i].expected_micro);
        verify_number(verify, row, "score_halves", against->score_halves, found[i].score_halves);
        verify_number(verify, row, "points_milli", against->points_milli, found[i].points_milli);
    }
    return DB_OK;
}

static enum db_status check_event(struct rated_game *rated, const struct db_rating_event *event)
{
    const struct rated_seat *seat = &rated->before[event->seat_no];
    const struct elo_change *change = &rated->changes[event->seat_no];
    const struct {
        const char *column;
        int64_t expected;
        int64_t found;
    } columns[] = {
        {"player_no",                        rated->seats[event->seat_no].player_no, event->player_no    },
        {"at_ms",                            rated->game.finished_at_ms,             event->at_ms        },
        {"place",                            seat->place,                            event->place        },
        {"games_before",                     seat->rated_games,                      event->games_before },
        {"k",                                change->k,                              event->k            },
        {"before_milli",                     seat->rating_milli,                     event->before_milli },
        {"delta_milli",                      change->delta_milli,                    event->delta_milli  },
        {"after_milli",                      change->after_milli,                    event->after_milli  },
        {"cpu_plies",                        seat->cpu_plies,                        event->cpu_plies    },
        {"control_at_end (0 player, 1 cpu)", seat->cpu_at_end,                       event->cpu_at_end   },
        {"capped",                           change->capped,                         event->capped       },
        {"floor_applied",                    change->floor_applied,                  event->floor_applied},
    };
    char row[VERIFY_ROW_TEXT];
    event_row(rated, event, row);
    verify_text(rated->verify, row, "pool", rated->game.pool, event->pool);
    verify_text(rated->verify, row, "kind", "result", event->is_void ? "void" : "result");
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        verify_number(rated->verify, row, columns[i].column, columns[i].expected, columns[i].found);
    }
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

/* DB_NONE: the events of this game cannot be reckoned, and why is reported. */
static enum db_status load_game(struct rated_game *rated, const struct db_rating_event *events,
                                size_t count)
{
    struct verify *verify = rated->verify;
    size_t seat_count = 0;
    enum db_status status = db_game_load(verify->db, events[0].game_no, &rated->game);
    if (status == DB_NONE) {
        verify_differs(verify,
                       "rating_event %" PRId64 ": expected an ended game, found none with game_no "
                       "%" PRId64,
                       events[0].event_no, events[0].game_no);
        return DB_NONE;
    }
    if (status == DB_OK) {
        status = db_seats(verify->db, events[0].game_no, rated->seats, &seat_count);
    }
    if (status == DB_OK && (!line_rules(&rated->game, &rated->rules, &rated->options) ||
                            !places_make_sense(rated, seat_count) || count != seat_count)) {
        verify_differs(verify,
                       "rating_event %" PRId64 " (game %s): expected one event a seat of an ended "
                       "game, found %zu for %zu seats",
                       events[0].event_no, rated->game.id.id.text, count, seat_count);
        status = DB_NONE;
    }
    return status;
}

static enum db_status check_game(struct verify *verify, struct standings *standings,
                                 const struct db_rating_event *events, size_t count)
{
    struct rated_game rated = {.verify = verify};
    enum db_status status = load_game(&rated, events, count);
    if (status != DB_OK) {
        return status == DB_NONE ? DB_OK : status;
    }
    status = load_before(&rated, standings);
    if (status != DB_OK) {
        return status;
    }
    result_changes(rated.rules, &rated.options, rated.before, rated.changes);
    for (uint8_t i = 0; i < count && status == DB_OK; i++) {
        if (events[i].seat_no != i) {
            char row[VERIFY_ROW_TEXT];
            event_row(&rated, &events[i], row);
            verify_number(verify, row, "seat_no", i, events[i].seat_no);
            return DB_OK;
        }
        status = check_event(&rated, &events[i]);
        count_game(&rated, i, standing_of(standings, rated.seats[i].player_no, rated.game.pool));
    }
    return status;
}

/* --- a void --------------------------------------------------------------------------------------
 */

static void check_columns(struct rated_game *rated, const struct db_rating_event *expected,
                          const struct db_rating_event *event)
{
    const struct {
        const char *column;
        int64_t expected;
        int64_t found;
    } columns[] = {
        {"seat_no",                          expected->seat_no,       event->seat_no      },
        {"player_no",                        expected->player_no,     event->player_no    },
        {"place",                            expected->place,         event->place        },
        {"games_before",                     expected->games_before,  event->games_before },
        {"k",                                expected->k,             event->k            },
        {"before_milli",                     expected->before_milli,  event->before_milli },
        {"delta_milli",                      expected->delta_milli,   event->delta_milli  },
        {"after_milli",                      expected->after_milli,   event->after_milli  },
        {"cpu_plies",                        expected->cpu_plies,     event->cpu_plies    },
        {"control_at_end (0 player, 1 cpu)", expected->cpu_at_end,    event->cpu_at_end   },
        {"capped",                           expected->capped,        event->capped       },
        {"floor_applied",                    expected->floor_applied, event->floor_applied},
    };
    char row[VERIFY_ROW_TEXT];
    event_row(rated, event, row);
    verify_text(rated->verify, row, "pool", expected->pool, event->pool);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        verify_number(rated->verify, row, columns[i].column, columns[i].expected, columns[i].found);
    }
}

/* The results that are taken back, which came earlier. */
static enum db_status load_results(struct rated_game *rated, const struct db_rating_event *voids,
                                   struct db_rating_event results[DB_SEATS_MAX])
{
    size_t found = 0;
    enum db_status status =
        db_rating_events_of_game(rated->verify->db, voids[0].game_no, false, results, &found);
    if (status == DB_OK &&
        (found != rated->rules->seat_count || results[found - 1].event_no > voids[0].event_no)) {
        verify_differs(rated->verify,
                       "rating_event %" PRId64 " (game %s): expected an earlier result that it "
                       "voids, found none",
                       voids[0].event_no, rated->game.id.id.text);
        return DB_NONE;
    }
    return status;
}

static enum db_status check_void(struct verify *verify, struct standings *standings,
                                 const struct db_rating_event *events, size_t count)
{
    struct rated_game rated = {.verify = verify};
    struct db_rating_event results[DB_SEATS_MAX];
    uint8_t places[DB_SEATS_MAX] = {0};
    enum db_status status = load_game(&rated, events, count);
    if (status == DB_OK) {
        status = load_results(&rated, events, results);
    }
    for (uint8_t i = 0; status == DB_OK && i < count; i++) {
        places[i] = rated.seats[i].place;
    }
    for (uint8_t i = 0; status == DB_OK && i < count; i++) {
        struct db_rating_event expected;
        struct db_rating *standing = standing_of(standings, results[i].player_no, rated.game.pool);
        if (standing == NULL) {
            return DB_ERROR;
        }
        /* A standing without the game is another row's difference. */
        (void)void_event(rated.rules, &rated.options, &results[i], places, standing, &expected);
        check_columns(&rated, &expected, &events[i]);
    }
    return status == DB_NONE ? DB_OK : status;
}

/* --- all of them ---------------------------------------------------------------------------------
 */

/* The events of one result, or of one void. */
static bool is_together(const struct db_rating_event *a, const struct db_rating_event *b)
{
    return a->game_no == b->game_no && a->is_void == b->is_void;
}

static enum db_status check_events(struct verify *verify, struct standings *standings)
{
    struct db_rating_event events[VERIFY_AT_ONCE];
    char row[VERIFY_ROW_TEXT];
    int64_t after = 0;
    size_t count = 0;
    for (;;) {
        enum db_status status = db_rating_events(verify->db, after, events, VERIFY_AT_ONCE, &count);
        if (status != DB_OK || count == 0) {
            return verify_readable(verify, "rating_event", status);
        }
        size_t begin = 0;
        while (begin < count && status == DB_OK && !verify_is_over(verify)) {
            size_t end = begin + 1;
            while (end < count && is_together(&events[end], &events[begin])) {
                end++;
            }
            /* A game cut by the page's end begins the next page. */
            if (end == count && begin > 0 && count == VERIFY_AT_ONCE) {
                break;
            }
            (void)snprintf(row, sizeof row, "rating_event %" PRId64, events[begin].event_no);
            status = events[begin].is_void
                         ? check_void(verify, standings, &events[begin], end - begin)
                         : check_game(verify, standings, &events[begin], end - begin);
            status = verify_readable(verify, row, status);
            after = events[end - 1].event_no;
            verify->report->rating_events += end - begin;
            begin = end;
        }
        if (status != DB_OK || verify_is_over(verify)) {
            return status;
        }
    }
}

enum db_status verify_ratings(struct verify *verify)
{
    struct standings *standings = standings_new();
    enum db_status status = standings == NULL ? DB_ERROR : check_events(verify, standings);
    if (status == DB_OK && !verify_is_over(verify)) {
        status = verify_standings(verify, standings);
    }
    standings_free(standings);
    return status;
}
