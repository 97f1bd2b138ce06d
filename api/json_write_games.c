#include "json_parts.h"

#include <assert.h>
#include <string.h>

/* --- parts ------------------------------------------------------------------------------------ */

static void write_hand(struct json_out *out, const struct game_rules *rules,
                       const struct seat_facts *facts)
{
    assert(strlen(rules->hand_letters) <= RULES_HAND_MAX);
    json_out_object(out, "hand");
    for (size_t i = 0; rules->hand_letters[i] != '\0'; i++) {
        const char letter[2] = {rules->hand_letters[i], '\0'};
        if (facts->hand[i] > 0) {
            json_out_integer(out, letter, facts->hand[i]);
        }
    }
    json_out_end(out);
}

/* What the rules say of a seat; the same in snapshots and in answers to moves. */
static void write_facts(struct json_out *out, const struct game_rules *rules,
                        const struct seat_facts *facts)
{
    json_out_bool(out, "alive", facts->alive);
    json_out_bool(out, "in_check", facts->in_check);
    json_out_integer(out, "pieces", facts->pieces);
    json_out_integer(out, "captured", facts->captured);
    json_out_integer(out, "mates", facts->mates);
    write_hand(out, rules, facts);
}

/* What is live in a snapshot: who is there, what they are called now, and what the clock says. */
enum liveness { LIVE, SETTLED };

/* `now_ms`: when it is looked at; nobody looks at what is settled. */
static void write_clock(struct json_out *out, uint16_t turn_seconds, int64_t deadline_ms,
                        int64_t now_ms, enum liveness liveness)
{
    bool runs = deadline_ms != 0;
    json_out_object(out, "clock");
    json_out_integer(out, "turn_seconds", turn_seconds);
    json_out_time(out, "deadline_at", deadline_ms);
    if (liveness == LIVE) {
        json_out_live_begin(out);
        json_out_integer_or_null(out, "remaining_ms", runs,
                                 deadline_ms > now_ms ? deadline_ms - now_ms : 0);
        json_out_live_end(out);
    }
    json_out_end(out);
}

void json_clock(struct json_out *out, uint16_t turn_seconds, int64_t deadline_ms, int64_t at_ms)
{
    write_clock(out, turn_seconds, deadline_ms, at_ms, LIVE);
}

static void write_turn_reason(struct json_out *out, const char *turn, bool check)
{
    json_out_text_or_null(out, "turn_reason", turn[0] == '\0' ? NULL : check ? "check" : "order");
}

static void write_seat_letter(struct json_out *out, const char *key, const struct game_rules *rules,
                              int seat)
{
    char letter[2] = "";
    assert(seat < rules->seat_count);
    if (seat != RULES_SEAT_NONE) {
        letter[0] = rules->seat_letters[seat];
    }
    json_out_text_or_null(out, key, letter);
}

void json_elimination(struct json_out *out, const struct game_rules *rules, uint32_t ply,
                      const struct elimination *elimination)
{
    json_out_object(out, NULL);
    json_out_integer(out, "ply", ply);
    write_seat_letter(out, "seat", rules, elimination->seat);
    write_seat_letter(out, "credited", rules, elimination->credited);
    json_out_end(out);
}

/* --- results ---------------------------------------------------------------------------------- */

static void write_rating(struct json_out *out, const struct rating_view *rating)
{
    json_out_object(out, NULL);
    json_out_text(out, "seat", rating->seat);
    json_out_text(out, "player_id", rating->player_id.id.text);
    json_out_points(out, "before", rating->before_milli);
    json_out_points(out, "after", rating->after_milli);
    json_out_points(out, "delta", rating->delta_milli);
    json_out_end(out);
}

static void write_ranks(struct json_out *out, const struct result_view *result, size_t seats)
{
    if (!result->has_ranks) {
        json_out_null(out, "ranks");
        return;
    }
    json_out_array(out, "ranks");
    for (size_t i = 0; i < seats; i++) {
        json_out_integer(out, NULL, result->ranks[i]);
    }
    json_out_end(out);
}

void json_result(struct json_out *out, const struct result_view *result, size_t seats)
{
    assert(seats <= DB_SEATS_MAX && result->rating_count <= DB_SEATS_MAX);
    if (!result->ended) {
        json_out_null(out, "result");
        return;
    }
    json_out_object(out, "result");
    json_out_text(out, "reason", result->reason);
    json_out_bool(out, "draw", result->draw);
    write_ranks(out, result, seats);
    json_out_text(out, "rating_status", result->rating_status);
    json_out_array(out, "ratings");
    for (size_t i = 0; i < result->rating_count; i++) {
        write_rating(out, &result->ratings[i]);
    }
    json_out_end(out);
    json_out_end(out);
}

/* --- snapshots -------------------------------------------------------------------------------- */

static void write_seat_player(struct json_out *out, const struct db_seat *row,
                              enum liveness liveness)
{
    if (row->player_no == 0) {
        json_out_null(out, "player");
        return;
    }
    json_out_object(out, "player");
    json_out_text(out, "id", row->player_id.id.text);
    if (liveness == LIVE) {
        json_out_text_or_null(out, "name", row->has_name ? row->name : NULL);
    }
    if (row->has_rating) {
        json_out_points(out, "rating", row->rating_milli);
    } else {
        json_out_null(out, "rating");
    }
    json_out_end(out);
}

static void write_seat(struct json_out *out, const struct game_rules *rules,
                       const struct seat_view *seat, enum liveness liveness)
{
    json_out_object(out, NULL);
    json_out_text(out, "seat", seat->row.seat);
    write_seat_player(out, &seat->row, liveness);
    json_out_text(out, "control", seat->row.cpu ? "cpu" : "player");
    if (liveness == LIVE) {
        json_out_bool(out, "present", seat->present);
    }
    json_out_integer_or_null(out, "cpu_level", seat->row.cpu_level != 0, seat->row.cpu_level);
    write_facts(out, rules, &seat->facts);
    json_out_end(out);
}

void json_options(struct json_out *out, const char *key, const struct game_rules *rules,
                  const struct game_options *options)
{
    assert(rules->option_count <= RULES_OPTIONS_MAX);
    json_out_object(out, key);
    for (size_t i = 0; i < rules->option_count; i++) {
        const struct option_rules *option = &rules->options[i];
        uint16_t value = options->value[i];
        if (option->words == NULL) {
            json_out_integer(out, option->key, value);
        } else {
            json_out_text(out, option->key, option->words[value]);
        }
    }
    json_out_end(out);
}

static void write_seats(struct json_out *out, const struct game_view *view, enum liveness liveness)
{
    assert(view->seat_count <= DB_SEATS_MAX);
    json_out_array(out, "seats");
    for (size_t i = 0; i < view->seat_count; i++) {
        write_seat(out, view->rules, &view->seats[i], liveness);
    }
    json_out_end(out);
    json_out_array(out, "eliminations");
    for (size_t i = 0; i < view->elimination_count; i++) {
        const struct line_elimination *fallen = &view->eliminations[i];
        json_elimination(out, view->rules, fallen->ply, &fallen->elimination);
    }
    json_out_end(out);
}

static void write_state(struct json_out *out, const struct game_view *view, enum liveness liveness)
{
    const struct db_game *game = &view->game;
    bool playing = game->turn[0] != '\0';
    json_out_text(out, "status", game->status);
    json_out_text(out, "position", game->position);
    json_out_integer(out, "ply", game->ply);
    json_out_integer_or_null(out, "next_ply", playing, (int64_t)game->ply + 1);
    json_out_text_or_null(out, "turn", game->turn);
    write_turn_reason(out, game->turn, view->check);
    json_out_integer(out, "seq", game->seq);
    write_seats(out, view, liveness);
    write_clock(out, game->turn_seconds, view->deadline_at_ms, view->now_ms, liveness);
}

static void open_game(struct json_out *out, const char *key, const struct game_view *view,
                      enum liveness liveness)
{
    const struct db_game *game = &view->game;
    json_out_object(out, key);
    json_out_text(out, "id", game->id.id.text);
    json_out_text(out, "game", game->game);
    json_out_text_or_null(out, "pool", game->pool);
    json_out_bool(out, "rated", game->rated);
    json_out_text_or_null(out, "unrated_reason", game->unrated_reason);
    json_options(out, "options", view->rules, &view->options);
    write_state(out, view, liveness);
    if (liveness == LIVE) {
        json_out_live_begin(out);
        json_out_time(out, "server_now", view->now_ms);
        json_out_live_end(out);
    }
    json_result(out, &view->result, view->seat_count);
    json_out_text_or_null(out, "replay_of", view->has_replay_of ? view->replay_of.id.text : NULL);
    json_out_text_or_null(out, "replayed_by",
                          view->has_replayed_by ? view->replayed_by.id.text : NULL);
    json_out_text_or_null(out, "rematch_of",
                          view->has_rematch_of ? view->rematch_of.id.text : NULL);
    json_out_text_or_null(out, "rematched_by",
                          view->has_rematched_by ? view->rematched_by.id.text : NULL);
    json_out_text_or_null(out, "table_id", game->table_id.id.text);
    json_out_time(out, "created_at", game->created_at_ms);
    json_out_time(out, "finished_at", game->finished_at_ms);
}

void json_game_open(struct json_out *out, const char *key, const struct game_view *view)
{
    open_game(out, key, view, LIVE);
}

void json_settled_game(struct json_out *out, const char *key, const struct game_view *view)
{
    open_game(out, key, view, SETTLED);
    json_out_end(out);
}

static void write_legal(struct json_out *out, const char *key, const struct legal_view *view)
{
    assert(view->count <= RULES_MOVES_MAX);
    json_out_array(out, key);
    for (size_t i = 0; i < view->count; i++) {
        json_out_text(out, NULL, view->moves[i]);
    }
    json_out_end(out);
}

enum handled reply_game(const struct request *request, struct reply *reply,
                        const struct game_view *view, const struct legal_view *legal)
{
    struct json_out out = json_out_begin();
    json_game_open(&out, NULL, view);
    if (legal != NULL) {
        write_legal(&out, "legal_moves", legal);
    }
    json_out_end(&out);
    return reply_json_tagged(request, reply, &out);
}

enum handled reply_new_game(const struct request *request, struct reply *reply,
                            const struct game_view *view)
{
    struct json_out out = json_out_begin();
    json_game_open(&out, NULL, view);
    json_out_end(&out);
    return reply_json(request, reply, 201, &out);
}

enum handled reply_games(const struct request *request, struct reply *reply,
                         const struct game_view *views, size_t count, const char *next)
{
    struct json_out out = json_out_begin();
    json_list_begin(&out);
    for (size_t i = 0; i < count; i++) {
        json_game_open(&out, NULL, &views[i]);
        json_out_end(&out);
    }
    json_list_end(&out, next);
    return reply_json(request, reply, 200, &out);
}

enum handled reply_legal_moves(const struct request *request, struct reply *reply,
                               const struct legal_view *view)
{
    struct json_out out = json_out_begin();
    json_out_object(&out, NULL);
    json_out_integer(&out, "ply", view->ply);
    json_out_text_or_null(&out, "turn", view->turn);
    write_legal(&out, "moves", view);
    json_out_end(&out);
    return reply_json(request, reply, 200, &out);
}

/* --- moves ------------------------------------------------------------------------------------ */

/* "5e 6e" to ["5e","6e"]: as stored, sorted. */
static void write_squares(struct json_out *out, const char *key, const char *text)
{
    json_out_array(out, key);
    for (const char *at = text; *at != '\0'; at += *at == ' ') {
        size_t length = strcspn(at, " ");
        json_out_bytes(out, NULL, at, length);
        at += length;
    }
    json_out_end(out);
}

void json_move_members(struct json_out *out, const struct db_move *move)
{
    json_out_integer(out, "ply", move->ply);
    json_out_text(out, "seat", move->seat);
    json_out_text(out, "move", move->move);
    write_squares(out, "captured", move->captured);
    json_out_text(out, "by", move->by_cpu ? "cpu" : "player");
    json_out_time(out, "at", move->at_ms);
    json_out_integer(out, "think_ms", move->think_ms);
}

static void write_move(struct json_out *out, const char *key, const struct db_move *move)
{
    json_out_object(out, key);
    json_move_members(out, move);
    json_out_end(out);
}

static void write_answer_seats(struct json_out *out, const struct move_answer *answer)
{
    assert(answer->seat_count <= answer->rules->seat_count);
    json_out_array(out, "seats");
    for (size_t i = 0; i < answer->seat_count; i++) {
        const char letter[2] = {answer->rules->seat_letters[i], '\0'};
        json_out_object(out, NULL);
        json_out_text(out, "seat", letter);
        write_facts(out, answer->rules, &answer->facts[i]);
        json_out_end(out);
    }
    json_out_end(out);
}

static void write_answer_game(struct json_out *out, const struct move_answer *answer)
{
    bool playing = answer->turn[0] != '\0';
    json_out_object(out, "game");
    json_out_text(out, "status", answer->status);
    json_out_integer(out, "ply", answer->move.ply);
    json_out_integer_or_null(out, "next_ply", playing, (int64_t)answer->move.ply + 1);
    json_out_text_or_null(out, "turn", answer->turn);
    write_turn_reason(out, answer->turn, answer->check);
    json_out_text(out, "position", answer->position);
    write_clock(out, answer->turn_seconds, answer->deadline_at_ms, answer->move.at_ms, LIVE);
    write_answer_seats(out, answer);
    json_out_time(out, "server_now", answer->move.at_ms);
    json_result(out, &answer->result, answer->seat_count);
    json_out_end(out);
}

void json_move_answer(struct json_out *out, const char *key, const struct move_answer *answer)
{
    json_out_object(out, key);
    write_move(out, "move", &answer->move);
    json_out_array(out, "eliminations");
    for (size_t i = 0; i < answer->elimination_count; i++) {
        json_elimination(out, answer->rules, answer->move.ply, &answer->eliminations[i]);
    }
    json_out_end(out);
    json_out_integer(out, "seq", answer->seq);
    write_answer_game(out, answer);
    json_out_end(out);
}

enum handled reply_move(const struct request *request, struct reply *reply, unsigned status,
                        const struct move_answer *answer)
{
    struct json_out out = json_out_begin();
    json_move_answer(&out, NULL, answer);
    return reply_json(request, reply, status, &out);
}

enum handled reply_moves(const struct request *request, struct reply *reply,
                         const struct db_move *moves, size_t count, const char *next)
{
    struct json_out out = json_out_begin();
    json_list_begin(&out);
    for (size_t i = 0; i < count; i++) {
        write_move(&out, NULL, &moves[i]);
    }
    json_list_end(&out, next);
    return reply_json(request, reply, 200, &out);
}
