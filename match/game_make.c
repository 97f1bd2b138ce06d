#include "game_make.h"

#include "clocks.h"
#include "personal.h"
#include "ratings/policy.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void player_set_format(const int64_t *players, size_t count, char set[DB_SET_TEXT])
{
    int64_t sorted[DB_SEATS_MAX] = {0};
    assert(count >= 1 && count <= DB_SEATS_MAX);
    for (size_t i = 0; i < count; i++) {
        size_t j = i;
        for (; j > 0 && sorted[j - 1] > players[i]; j--) {
            sorted[j] = sorted[j - 1];
        }
        sorted[j] = players[i];
    }
    size_t used = 0;
    set[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        int wrote =
            snprintf(set + used, DB_SET_TEXT - used, "%s%" PRId64, i == 0 ? "" : ",", sorted[i]);
        assert(wrote > 0 && used + (size_t)wrote < DB_SET_TEXT);
        used += (size_t)wrote;
    }
}

static bool has_cpu_seat(const struct game_plan *plan)
{
    for (size_t i = 0; i < plan->rules->seat_count; i++) {
        if (plan->players[i] == 0) {
            return true;
        }
    }
    return false;
}

static enum db_status decide_rated(struct match *match, struct db *db, const struct game_plan *plan,
                                   struct db_game *game)
{
    struct policy_start start = {
        .wants_rating = !plan->casual,
        .has_cpu_seat = has_cpu_seat(plan),
        .pool_rules = plan->pool != NULL,
        .turn_seconds = plan->turn_seconds,
        .repeat_limit = match->options.repeat_limit,
    };
    if (plan->pool != NULL) {
        enum db_status status =
            db_recent_rated(db, plan->pool, game->player_set, plan->at_ms - POLICY_REPEAT_WINDOW_MS,
                            &start.recent_rated);
        if (status != DB_OK) {
            return status;
        }
    }
    enum unrated_reason reason = policy_at_start(&start);
    game->rated = reason == POLICY_RATED;
    if (!game->rated) {
        (void)snprintf(game->unrated_reason, sizeof game->unrated_reason, "%s",
                       unrated_reason_text(reason));
    }
    return DB_OK;
}

static void game_at_start(struct match *match, const struct game_plan *plan, struct db_game *game)
{
    struct position position;
    *game = (struct db_game){
        .turn_seconds = plan->turn_seconds,
        .created_at_ms = plan->at_ms,
        .deadline_at_ms = clock_deadline(plan->turn_seconds, plan->at_ms),
        .rematch_of = plan->rematch_of,
    };
    secrets_id(match->env, 'g', &game->id.id);
    (void)snprintf(game->game, sizeof game->game, "%s", plan->rules->key);
    (void)snprintf(game->pool, sizeof game->pool, "%s", plan->pool == NULL ? "" : plan->pool);
    (void)snprintf(game->status, sizeof game->status, "playing");
    options_format(plan->rules, &plan->options, game->options);
    player_set_format(plan->players, plan->rules->seat_count, game->player_set);
    plan->rules->start(&position);
    plan->rules->format_position(&position, game->position);
    game->turn[0] = plan->rules->seat_letters[plan->rules->turn(&position)];
}

static void game_at_table(const struct db_table *table, struct db_game *game)
{
    game->table_no = table->table_no;
    game->table_id = table->id;
    game->is_private = !table->is_public;
    game->hides_legal_moves = !table->show_legal_moves;
    game->keeps_seats = !table->rotate_first;
}

/* What was the table's when the game before began, whatever it is now. */
static void game_inherit_table(const struct db_game *before, struct db_game *game)
{
    game->table_no = before->table_no;
    game->table_id = before->table_id;
    game->is_private = before->is_private;
    game->hides_legal_moves = before->hides_legal_moves;
    game->keeps_seats = before->keeps_seats;
}

static enum db_status seats_insert(struct db *db, const struct game_plan *plan, int64_t game_no)
{
    for (uint8_t i = 0; i < plan->rules->seat_count; i++) {
        struct db_seat seat = {
            .game_no = game_no,
            .seat_no = i,
            .seat = {plan->rules->seat_letters[i], '\0'},
            .player_no = plan->players[i],
            .cpu = plan->cpu_levels[i] != 0,
            .cpu_level = plan->cpu_levels[i],
        };
        enum db_status status = DB_OK;
        if (plan->pool != NULL && plan->players[i] != 0) {
            struct db_rating rating;
            status = rating_or_start(db, plan->players[i], plan->pool, &rating);
            seat.has_rating = true;
            seat.rating_milli = rating.rating_milli;
        }
        if (status == DB_OK) {
            status = db_seat_insert(db, &seat);
        }
        if (status != DB_OK) {
            return status;
        }
    }
    return DB_OK;
}

static enum db_status tell_people(struct db *db, const struct game_plan *plan, int64_t game_no)
{
    enum db_status status = DB_OK;
    for (uint8_t i = 0; status == DB_OK && i < plan->rules->seat_count; i++) {
        int64_t player_no = plan->players[i];
        if (plan->news != NULL) {
            status = personal_add(db, player_no, plan->news, game_no, 0, plan->at_ms);
        }
        if (status == DB_OK) {
            status = personal_add(db, player_no, "game_started", game_no, 0, plan->at_ms);
        }
    }
    return status;
}

static enum db_status game_store(struct match *match, struct db *db, const struct game_plan *plan,
                                 struct db_game *game)
{
    int starts = rules_seat(plan->rules, game->turn[0]);
    enum db_status status = db_game_insert(db, game);
    if (status == DB_OK) {
        status = seats_insert(db, plan, game->game_no);
    }
    if (status == DB_OK) {
        status = tell_people(db, plan, game->game_no);
    }
    assert(starts != RULES_SEAT_NONE);
    return status == DB_OK ? clock_made(match, game, plan->cpu_levels[starts] != 0) : status;
}

enum db_status game_make(struct match *match, struct db *db, const struct game_plan *plan,
                         struct db_game *game)
{
    game_at_start(match, plan, game);
    if (plan->table != NULL) {
        game_at_table(plan->table, game);
    }
    enum db_status status = decide_rated(match, db, plan, game);
    return status == DB_OK ? game_store(match, db, plan, game) : status;
}

/* --- the next game of the same people ------------------------------------------------------------
 */

size_t seat_before(bool keeps_seats, size_t seat, size_t seat_count)
{
    assert(seat < seat_count);
    return keeps_seats ? seat : (seat + 1) % seat_count;
}

static enum db_status plan_again(const struct db_game *before, const struct db_seat *seats,
                                 int64_t at_ms, struct game_plan *plan)
{
    *plan = (struct game_plan){
        .pool = before->pool[0] == '\0' ? NULL : before->pool,
        .turn_seconds = before->turn_seconds,
        .at_ms = at_ms,
    };
    if (!line_rules(before, &plan->rules, &plan->options)) {
        return DB_CORRUPT;
    }
    size_t count = plan->rules->seat_count;
    for (size_t i = 0; i < count; i++) {
        plan->players[i] = seats[seat_before(before->keeps_seats, i, count)].player_no;
    }
    return DB_OK;
}

enum db_status game_make_rematch(struct match *match, struct db *db, const struct db_game *ended,
                                 const struct db_seat *seats, int64_t at_ms, struct db_game *game)
{
    struct game_plan plan;
    enum db_status status = plan_again(ended, seats, at_ms, &plan);
    plan.casual = !ended->rated;
    plan.rematch_of = ended->game_no;
    return status == DB_OK ? game_make(match, db, &plan, game) : status;
}

enum db_status game_make_replay(struct match *match, struct db *db, const struct db_game *drawn,
                                const struct db_seat *seats, int64_t at_ms, struct db_game *game)
{
    struct game_plan plan;
    enum db_status status = plan_again(drawn, seats, at_ms, &plan);
    if (status != DB_OK) {
        return status;
    }
    plan.news = "replay";
    size_t count = plan.rules->seat_count;
    for (size_t i = 0; i < count; i++) {
        plan.cpu_levels[i] = seats[seat_before(drawn->keeps_seats, i, count)].cpu_level;
    }
    game_at_start(match, &plan, game);
    game->replay_of = drawn->game_no;
    game->rated = drawn->rated;
    memcpy(game->unrated_reason, drawn->unrated_reason, sizeof game->unrated_reason);
    game_inherit_table(drawn, game);
    return game_store(match, db, &plan, game);
}
