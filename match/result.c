#include "result.h"

#include "chain.h"
#include "clocks.h"
#include "db/fault.h"
#include "game_make.h"
#include "personal.h"
#include "ratings/elo.h"
#include "ratings/policy.h"
#include "table_news.h"
#include "table_parts.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void result_changes(const struct game_rules *rules, const struct game_options *options,
                    const struct rated_seat *seats, struct elo_change *changes)
{
    struct elo_seat elo[DB_SEATS_MAX];
    for (uint8_t i = 0; i < rules->seat_count; i++) {
        const struct policy_seat played = {seats[i].cpu_at_end, seats[i].cpu_plies, seats[i].plies};
        elo[i] = (struct elo_seat){
            .rating_milli = seats[i].rating_milli,
            .rated_games = seats[i].rated_games,
            .side = rules->team(options, i),
            .place = seats[i].place,
            .may_not_gain = policy_may_not_gain(&played),
        };
    }
    elo_rate(elo, rules->seat_count, changes);
}

enum db_status result_standings(struct db *db, const struct db_game *game,
                                const struct db_seat *rows, size_t count, struct db_rating *ratings,
                                struct rated_seat *seats)
{
    for (size_t i = 0; i < count; i++) {
        const struct db_seat *row = &rows[i];
        enum db_status status = rating_or_start(db, row->player_no, game->pool, &ratings[i]);
        seats[i] = (struct rated_seat){
            .rating_milli = ratings[i].rating_milli,
            .rated_games = ratings[i].games,
            .cpu_at_end = row->cpu,
        };
        if (status == DB_OK) {
            status = db_seat_plies(db, game->game_no, row->seat[0], &seats[i].plies,
                                   &seats[i].cpu_plies);
        }
        if (status != DB_OK) {
            return status;
        }
    }
    return DB_OK;
}

uint32_t result_expected_micro(double expected)
{
    assert(expected >= 0 && expected <= 1);
    return (uint32_t)lround(expected * 1e6);
}

uint8_t side_first_seat(const struct game_rules *rules, const struct game_options *options,
                        uint8_t side)
{
    uint8_t seat = 0;
    while (rules->team(options, seat) != side) {
        seat++;
        assert(seat < rules->seat_count);
    }
    return seat;
}

/* Which of wins, draws and losses a game counts for. */
static uint32_t *score_of(const struct game_rules *rules, const struct game_options *options,
                          const uint8_t *places, uint8_t seat_no, struct db_rating *standing)
{
    uint8_t sides[DB_SEATS_MAX];
    for (uint8_t i = 0; i < rules->seat_count; i++) {
        sides[i] = rules->team(options, i);
    }
    switch (policy_score(places, sides, rules->seat_count, seat_no)) {
    case POLICY_WIN: return &standing->wins;
    case POLICY_DRAW: return &standing->draws;
    case POLICY_LOSS: break;
    }
    return &standing->losses;
}

void result_count(const struct game_rules *rules, const struct game_options *options,
                  const uint8_t *places, uint8_t seat_no, struct db_rating *standing)
{
    standing->games++;
    standing->places[places[seat_no] - 1]++;
    ++*score_of(rules, options, places, seat_no, standing);
}

bool result_uncount(const struct game_rules *rules, const struct game_options *options,
                    const uint8_t *places, uint8_t seat_no, struct db_rating *standing)
{
    uint32_t *score = score_of(rules, options, places, seat_no, standing);
    uint32_t *place = &standing->places[places[seat_no] - 1];
    if (standing->games == 0 || *score == 0 || *place == 0) {
        return false;
    }
    --standing->games;
    --*score;
    --*place;
    return true;
}

enum db_list standing_list(bool gone, uint32_t games)
{
    if (gone || games == 0) {
        return DB_HIDDEN;
    }
    return elo_is_provisional(games) ? DB_PROVISIONAL : DB_RANKED;
}

/* --- ratings -------------------------------------------------------------------------------------
 */

static enum db_status insert_against(struct db *db, const struct ending *ending, int64_t event_no,
                                     const struct elo_change *change)
{
    enum db_status status = DB_OK;
    for (size_t i = 0; i < change->against_count && status == DB_OK; i++) {
        const struct elo_against *against = &change->against[i];
        struct db_against row = {
            .event_no = event_no,
            .opponent_seat_no = side_first_seat(ending->rules, ending->options, against->side),
            .rating_milli = against->rating_milli,
            .expected_micro = result_expected_micro(against->expected),
            .score_halves = against->score_halves,
            .points_milli = against->points_milli,
        };
        status = db_against_insert(db, &row);
    }
    return status;
}

enum db_status result_time(struct db *db, const struct db_game *game, const struct db_seat *rows,
                           size_t count, int64_t before_event_no, int64_t *at_ms)
{
    for (size_t i = 0; i < count; i++) {
        int64_t last_ms = 0;
        enum db_status status =
            db_rating_event_time(db, rows[i].player_no, game->pool, before_event_no, &last_ms);
        if (status != DB_OK && status != DB_NONE) {
            return status;
        }
        *at_ms = status == DB_OK && last_ms > *at_ms ? last_ms : *at_ms;
    }
    return DB_OK;
}

static enum db_status insert_event(struct db *db, const struct ending *ending, uint8_t seat_no,
                                   const struct rated_seat *seat, const struct elo_change *change)
{
    struct db_rating_event event = {
        .game_no = ending->game->game_no,
        .seat_no = seat_no,
        .player_no = ending->seats[seat_no].player_no,
        .at_ms = ending->at_ms,
        .place = seat->place,
        .games_before = seat->rated_games,
        .k = change->k,
        .before_milli = seat->rating_milli,
        .delta_milli = change->delta_milli,
        .after_milli = change->after_milli,
        .cpu_plies = seat->cpu_plies,
        .cpu_at_end = seat->cpu_at_end,
        .capped = change->capped,
        .floor_applied = change->floor_applied,
    };
    memcpy(event.pool, ending->game->pool, sizeof event.pool);
    enum db_status status = db_rating_event_insert(db, &event);
    return status == DB_OK ? insert_against(db, ending, event.event_no, change) : status;
}

static enum db_status apply_ratings(struct db *db, const struct ending *ending)
{
    struct db_rating ratings[DB_SEATS_MAX];
    struct rated_seat seats[DB_SEATS_MAX];
    struct elo_change changes[DB_SEATS_MAX];
    enum db_status status = result_standings(db, ending->game, ending->seats,
                                             ending->rules->seat_count, ratings, seats);
    if (status != DB_OK) {
        return status;
    }
    for (uint8_t i = 0; i < ending->rules->seat_count; i++) {
        seats[i].place = ending->outcome.places[i];
    }
    result_changes(ending->rules, ending->options, seats, changes);
    for (uint8_t i = 0; i < ending->rules->seat_count && status == DB_OK; i++) {
        status = insert_event(db, ending, i, &seats[i], &changes[i]);
        ratings[i].rating_milli = changes[i].after_milli;
        ratings[i].last_game_at_ms = ending->at_ms;
        result_count(ending->rules, ending->options, ending->outcome.places, i, &ratings[i]);
        ratings[i].list = standing_list(owner_is_gone(&ending->seats[i]), ratings[i].games);
        if (status == DB_OK) {
            status = db_rating_store(db, &ratings[i]);
        }
        FAULT_POINT("mid_result");
    }
    return status;
}

/* --- the rest of the end -------------------------------------------------------------------------
 */

static enum db_status add_event(struct db *db, struct ending *ending, const char *type,
                                int64_t linked_game_no)
{
    struct db_event event = {
        .game_no = ending->game->game_no,
        .seq = ++ending->game->seq,
        .at_ms = ending->at_ms,
        .linked_game_no = linked_game_no,
    };
    (void)snprintf(event.type, sizeof event.type, "%s", type);
    if (linked_game_no == 0) {
        (void)snprintf(event.reason, sizeof event.reason, "%s",
                       end_reason_text(ending->outcome.reason));
        if (ending->resigned_seat != RULES_SEAT_NONE) {
            event.seat[0] = ending->rules->seat_letters[ending->resigned_seat];
        }
    }
    return db_event_insert(db, &event);
}

static enum db_status store_places(struct db *db, struct ending *ending)
{
    size_t count = 0;
    enum db_status status = db_seats(db, ending->game->game_no, ending->seats, &count);
    if (status == DB_OK && count != ending->rules->seat_count) {
        status = DB_CORRUPT;
    }
    for (uint8_t i = 0; status == DB_OK && i < count; i++) {
        ending->seats[i].place = ending->outcome.places[i];
        status = db_seat_place(db, ending->game->game_no, i, ending->outcome.places[i]);
    }
    return status;
}

static bool replays(const struct ending *ending)
{
    return ending->outcome.reason == END_REPETITION &&
           ending->rules->replays_repetition(ending->options);
}

static enum db_status open_replay(struct match *match, struct db *db, struct ending *ending,
                                  uint32_t draws_before)
{
    struct policy_replay facts = {.game_replays = true, .draws_before = draws_before};
    for (size_t i = 0; i < ending->rules->seat_count; i++) {
        facts.person_left = facts.person_left || !ending->seats[i].cpu;
        facts.owner_gone = facts.owner_gone || owner_is_gone(&ending->seats[i]);
    }
    if (!policy_replay_follows(&facts)) {
        return DB_OK;
    }
    enum db_status status =
        game_make_replay(match, db, ending->game, ending->seats, ending->at_ms, &ending->replay);
    ending->is_replayed = status == DB_OK;
    return status == DB_OK ? add_event(db, ending, "replay", ending->replay.game_no) : status;
}

/* A draw by repetition: how many came before it in its chain says whether it counts. */
static enum db_status count_draws(struct db *db, const struct ending *ending, uint32_t *before)
{
    *before = 0;
    return replays(ending) ? db_chain_draws(db, ending->game->game_no, before) : DB_OK;
}

static void close_game(struct ending *ending, bool applied, bool counts)
{
    struct db_game *game = ending->game;
    (void)snprintf(game->status, sizeof game->status, "finished");
    (void)snprintf(game->end_reason, sizeof game->end_reason, "%s",
                   end_reason_text(ending->outcome.reason));
    (void)snprintf(game->rating_status, sizeof game->rating_status, "%s",
                   applied ? "applied" : "unrated");
    if (game->rated && !counts) {
        (void)snprintf(game->unrated_reason, sizeof game->unrated_reason, "%s",
                       unrated_reason_text(POLICY_REPEAT_DRAW));
    }
    game->turn[0] = '\0';
    game->finished_at_ms = ending->at_ms;
}

/* In this order: the replay starts with the ratings that the draw has left. */
static enum db_status apply_all(struct match *match, struct db *db, struct ending *ending)
{
    uint32_t draws_before = 0;
    enum db_status status = store_places(db, ending);
    if (status == DB_OK) {
        status = count_draws(db, ending, &draws_before);
    }
    bool counts = !replays(ending) || policy_draw_is_rated(draws_before);
    bool applied = ending->game->rated && counts;
    if (status == DB_OK && applied) {
        status = result_time(db, ending->game, ending->seats, ending->rules->seat_count, INT64_MAX,
                             &ending->at_ms);
    }
    if (status == DB_OK) {
        status = add_event(db, ending, "finished", 0);
    }
    if (status == DB_OK) {
        status = personal_add_all(db, ending->seats, ending->rules->seat_count, "game_finished",
                                  ending->game->game_no, ending->at_ms);
    }
    if (status == DB_OK && applied) {
        status = apply_ratings(db, ending);
    }
    if (status == DB_OK && replays(ending)) {
        status = open_replay(match, db, ending, draws_before);
    }
    if (status == DB_OK) {
        close_game(ending, applied, counts);
        status = db_game_finish(db, ending->game);
    }
    if (status == DB_OK) {
        const struct db_game *replay = ending->is_replayed ? &ending->replay : NULL;
        status = table_game_over(db, ending->game, replay, ending->news);
    }
    if (status == DB_OK) {
        status = chain_append(db, match->secrets, ending->game->game_no, ending->at_ms);
    }
    return status;
}

enum db_status ending_apply(struct match *match, struct db *db, struct ending *ending)
{
    assert(ending->outcome.reason != END_NONE);
    ending->is_replayed = false;
    enum db_status status = apply_all(match, db, ending);
    return status == DB_NONE ? DB_CORRUPT : status;
}

void game_over_publish(struct match_op *op, const struct game_rows *rows,
                       const struct table_news *news)
{
    struct match *match = op->match;
    op_release(op, NULL);
    clock_stop(match, rows->game.game_no);
    game_publish(match, rows->game.game_no);
    personal_publish_all(match, rows->seats, rows->seat_count);
    result_publish(match);
    table_news_publish(match, news);
}
