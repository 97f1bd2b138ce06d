#include "json_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- parts ---------------------------------------------------------------------------------------
 */

json_t *json_hand(const struct game_rules *rules, const struct seat_facts *facts)
{
    struct json_out out = json_out_begin();
    for (size_t i = 0; rules->hand_letters[i] != '\0'; i++) {
        const char letter[2] = {rules->hand_letters[i], '\0'};
        if (facts->hand[i] > 0) {
            json_out_set(&out, letter, json_integer(facts->hand[i]));
        }
    }
    return json_out_end(&out);
}

json_t *json_clock(uint16_t turn_seconds)
{
    struct json_out out = json_out_begin();
    json_out_set(&out, "turn_seconds", json_integer(turn_seconds));
    json_out_set(&out, "deadline_at", json_null());
    json_out_set(&out, "remaining_ms", json_null());
    return json_out_end(&out);
}

json_t *json_turn_reason(const char *turn, bool check)
{
    return turn[0] == '\0' ? json_null() : json_string_nocheck(check ? "check" : "order");
}

static json_t *json_seat_letter(const struct game_rules *rules, int seat)
{
    if (seat == RULES_SEAT_NONE) {
        return json_null();
    }
    const char letter[2] = {rules->seat_letters[seat], '\0'};
    return json_string_nocheck(letter);
}

json_t *json_elimination(const struct game_rules *rules, uint32_t ply,
                         const struct elimination *elimination)
{
    struct json_out out = json_out_begin();
    json_out_set(&out, "ply", json_integer(ply));
    json_out_set(&out, "seat", json_seat_letter(rules, elimination->seat));
    json_out_set(&out, "credited", json_seat_letter(rules, elimination->credited));
    return json_out_end(&out);
}

static json_t *json_rating(const struct rating_view *rating)
{
    struct json_out out = json_out_begin();
    json_out_set(&out, "seat", json_string_nocheck(rating->seat));
    json_out_set(&out, "player_id", json_string_nocheck(rating->player_id.id.text));
    json_out_set(&out, "before", json_points(rating->before_milli));
    json_out_set(&out, "after", json_points(rating->after_milli));
    json_out_set(&out, "delta", json_points(rating->delta_milli));
    return json_out_end(&out);
}

static json_t *json_ranks(const struct result_view *result, size_t seats)
{
    if (!result->has_ranks) {
        return json_null();
    }
    json_t *ranks = json_array();
    for (size_t i = 0; i < seats; i++) {
        ranks = json_append(ranks, json_integer(result->ranks[i]));
    }
    return ranks;
}

json_t *json_result(const struct result_view *result, size_t seats)
{
    if (!result->ended) {
        return json_null();
    }
    json_t *ratings = json_array();
    for (size_t i = 0; i < result->rating_count; i++) {
        ratings = json_append(ratings, json_rating(&result->ratings[i]));
    }
    struct json_out out = json_out_begin();
    json_out_set(&out, "reason", json_string_nocheck(result->reason));
    json_out_set(&out, "draw", json_boolean(result->draw));
    json_out_set(&out, "ranks", json_ranks(result, seats));
    json_out_set(&out, "rating_status", json_string_nocheck(result->rating_status));
    json_out_set(&out, "ratings", ratings);
    return json_out_end(&out);
}

/* What the rules say of a seat; the same in snapshots and in answers to moves. */
static void set_facts(struct json_out *out, const struct game_rules *rules,
                      const struct seat_facts *facts)
{
    json_out_set(out, "alive", json_boolean(facts->alive));
    json_out_set(out, "in_check", json_boolean(facts->in_check));
    json_out_set(out, "pieces", json_integer(facts->pieces));
    json_out_set(out, "captured", json_integer(facts->captured));
    json_out_set(out, "mates", json_integer(facts->mates));
    json_out_set(out, "hand", json_hand(rules, facts));
}

/* --- snapshots -----------------------------------------------------------------------------------
 */

static json_t *json_seat_player(const struct db_seat *row)
{
    if (row->player_no == 0) {
        return json_null();
    }
    struct json_out out = json_out_begin();
    json_out_set(&out, "id", json_string_nocheck(row->player_id.id.text));
    json_out_set(&out, "name", row->has_name ? json_string(row->name) : json_null());
    json_out_set(&out, "rating", row->has_rating ? json_points(row->rating_milli) : json_null());
    return json_out_end(&out);
}

static json_t *json_seat(const struct game_rules *rules, const struct seat_view *seat)
{
    struct json_out out = json_out_begin();
    json_out_set(&out, "seat", json_string_nocheck(seat->row.seat));
    json_out_set(&out, "player", json_seat_player(&seat->row));
    json_out_set(&out, "control", json_string_nocheck(seat->row.cpu ? "cpu" : "player"));
    json_out_set(&out, "present", json_boolean(seat->present));
    json_out_set(&out, "cpu_level", json_null());
    set_facts(&out, rules, &seat->facts);
    return json_out_end(&out);
}

static json_t *json_options(const struct game_view *view)
{
    struct json_out out = json_out_begin();
    for (size_t i = 0; i < view->rules->option_count; i++) {
        const struct option_rules *option = &view->rules->options[i];
        uint16_t value = view->options.value[i];
        json_out_set(&out, option->key,
                     option->words == NULL ? json_integer(value)
                                           : json_string_nocheck(option->words[value]));
    }
    return json_out_end(&out);
}

static void set_state(struct json_out *out, const struct game_view *view)
{
    const struct db_game *game = &view->game;
    bool playing = game->turn[0] != '\0';
    json_t *seats = json_array();
    json_t *eliminations = json_array();
    for (size_t i = 0; i < view->seat_count; i++) {
        seats = json_append(seats, json_seat(view->rules, &view->seats[i]));
    }
    for (size_t i = 0; i < view->elimination_count; i++) {
        const struct line_elimination *fallen = &view->eliminations[i];
        eliminations = json_append(
            eliminations, json_elimination(view->rules, fallen->ply, &fallen->elimination));
    }
    json_out_set(out, "status", json_string_nocheck(game->status));
    json_out_set(out, "position", json_string_nocheck(game->position));
    json_out_set(out, "ply", json_integer(game->ply));
    json_out_set(out, "next_ply", json_integer_or_null(playing, (int64_t)game->ply + 1));
    json_out_set(out, "turn", json_text_or_null(game->turn));
    json_out_set(out, "turn_reason", json_turn_reason(game->turn, view->check));
    json_out_set(out, "seq", json_integer(game->seq));
    json_out_set(out, "seats", seats);
    json_out_set(out, "eliminations", eliminations);
    json_out_set(out, "clock", json_clock(game->turn_seconds));
}

json_t *json_game(const struct game_view *view)
{
    const struct db_game *game = &view->game;
    struct json_out out = json_out_begin();
    json_out_set(&out, "id", json_string_nocheck(game->id.id.text));
    json_out_set(&out, "game", json_string_nocheck(game->game));
    json_out_set(&out, "pool", json_text_or_null(game->pool));
    json_out_set(&out, "rated", json_boolean(game->rated));
    json_out_set(&out, "unrated_reason", json_text_or_null(game->unrated_reason));
    json_out_set(&out, "options", json_options(view));
    set_state(&out, view);
    json_out_set(&out, "server_now", json_time(view->now_ms));
    json_out_set(&out, "result", json_result(&view->result, view->seat_count));
    json_out_set(&out, "replay_of",
                 view->has_replay_of ? json_string_nocheck(view->replay_of.id.text) : json_null());
    json_out_set(&out, "replayed_by",
                 view->has_replayed_by ? json_string_nocheck(view->replayed_by.id.text)
                                       : json_null());
    json_out_set(&out, "rematch_of", json_null());
    json_out_set(&out, "rematched_by", json_null());
    json_out_set(&out, "table_id", json_null());
    json_out_set(&out, "created_at", json_time(game->created_at_ms));
    json_out_set(&out, "finished_at", json_time(game->finished_at_ms));
    return json_out_end(&out);
}

static json_t *json_move_texts(const struct legal_view *view)
{
    json_t *moves = json_array();
    for (size_t i = 0; i < view->count; i++) {
        moves = json_append(moves, json_string_nocheck(view->moves[i]));
    }
    return moves;
}

enum handled reply_game(const struct request *request, struct reply *reply,
                        const struct game_view *view, const struct legal_view *legal)
{
    json_t *game = json_game(view);
    if (legal != NULL && game != NULL) {
        struct json_out out = {game, false};
        json_out_set(&out, "legal_moves", json_move_texts(legal));
        game = json_out_end(&out);
    }
    return reply_json(request, reply, 200, game);
}

enum handled reply_games(const struct request *request, struct reply *reply,
                         const struct game_view *views, size_t count, const char *next)
{
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++) {
        items = json_append(items, json_game(&views[i]));
    }
    return reply_json(request, reply, 200, json_list(items, next));
}

enum handled reply_legal_moves(const struct request *request, struct reply *reply,
                               const struct legal_view *view)
{
    struct json_out out = json_out_begin();
    json_out_set(&out, "ply", json_integer(view->ply));
    json_out_set(&out, "turn", json_text_or_null(view->turn));
    json_out_set(&out, "moves", json_move_texts(view));
    return reply_json(request, reply, 200, json_out_end(&out));
}

/* --- moves ---------------------------------------------------------------------------------------
 */

/* "5e 6e" to ["5e","6e"]: as stored, sorted. */
static json_t *json_squares(const char *text)
{
    json_t *squares = json_array();
    for (const char *at = text; *at != '\0'; at += *at == ' ') {
        size_t length = strcspn(at, " ");
        squares = json_append(squares, json_stringn_nocheck(at, length));
        at += length;
    }
    return squares;
}

static json_t *json_move(const struct db_move *move)
{
    struct json_out out = json_out_begin();
    json_out_set(&out, "ply", json_integer(move->ply));
    json_out_set(&out, "seat", json_string_nocheck(move->seat));
    json_out_set(&out, "move", json_string_nocheck(move->move));
    json_out_set(&out, "captured", json_squares(move->captured));
    json_out_set(&out, "by", json_string_nocheck(move->by_cpu ? "cpu" : "player"));
    json_out_set(&out, "at", json_time(move->at_ms));
    json_out_set(&out, "think_ms", json_integer(move->think_ms));
    return json_out_end(&out);
}

static json_t *json_answer_seats(const struct move_answer *answer)
{
    json_t *seats = json_array();
    for (size_t i = 0; i < answer->seat_count; i++) {
        const char letter[2] = {answer->rules->seat_letters[i], '\0'};
        struct json_out out = json_out_begin();
        json_out_set(&out, "seat", json_string_nocheck(letter));
        set_facts(&out, answer->rules, &answer->facts[i]);
        seats = json_append(seats, json_out_end(&out));
    }
    return seats;
}

static json_t *json_answer_game(const struct move_answer *answer)
{
    bool playing = answer->turn[0] != '\0';
    struct json_out out = json_out_begin();
    json_out_set(&out, "status", json_string_nocheck(answer->status));
    json_out_set(&out, "ply", json_integer(answer->move.ply));
    json_out_set(&out, "next_ply", json_integer_or_null(playing, (int64_t)answer->move.ply + 1));
    json_out_set(&out, "turn", json_text_or_null(answer->turn));
    json_out_set(&out, "turn_reason", json_turn_reason(answer->turn, answer->check));
    json_out_set(&out, "position", json_string_nocheck(answer->position));
    json_out_set(&out, "clock", json_clock(answer->turn_seconds));
    json_out_set(&out, "seats", json_answer_seats(answer));
    json_out_set(&out, "server_now", json_time(answer->move.at_ms));
    json_out_set(&out, "result", json_result(&answer->result, answer->seat_count));
    return json_out_end(&out);
}

enum handled reply_move(const struct request *request, struct reply *reply, unsigned status,
                        const struct move_answer *answer)
{
    json_t *eliminations = json_array();
    for (size_t i = 0; i < answer->elimination_count; i++) {
        eliminations = json_append(eliminations, json_elimination(answer->rules, answer->move.ply,
                                                                  &answer->eliminations[i]));
    }
    struct json_out out = json_out_begin();
    json_out_set(&out, "move", json_move(&answer->move));
    json_out_set(&out, "eliminations", eliminations);
    json_out_set(&out, "seq", json_integer(answer->seq));
    json_out_set(&out, "game", json_answer_game(answer));
    return reply_json(request, reply, status, json_out_end(&out));
}

enum handled reply_moves(const struct request *request, struct reply *reply,
                         const struct db_move *moves, size_t count, const char *next)
{
    json_t *items = json_array();
    for (size_t i = 0; i < count; i++) {
        items = json_append(items, json_move(&moves[i]));
    }
    return reply_json(request, reply, 200, json_list(items, next));
}
