#include "json_engine.h"

#include "engine/rules.h"
#include "json_parts.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENGINE_PLIES_MAX = 20000 };

/* A request understood, with the game at its position. */
struct question {
    json_t *request;
    const struct game_rules *rules;
    struct game_options options;
    struct position position;
    struct outcome outcome;
    struct history_entry *history; /* plies + 1 entries, and room for all of `moves` */
    size_t plies;
    json_t *moves; /* borrowed; NULL: none */
    json_t *error; /* the answer, once something is wrong */
};

static void fail(struct question *question, const char *code, const char *detail)
{
    assert(question->error == NULL);
    struct json_out out = json_out_begin();
    json_out_set(&out, "code", json_string_nocheck(code));
    json_out_set(&out, "detail", json_string(detail));
    question->error = json_out_end(&out);
}

static void fail_at_ply(struct question *question, const char *code, const struct illegal *why,
                        const char *detail)
{
    struct json_out out = json_out_begin();
    json_out_set(&out, "code", json_string_nocheck(code));
    json_out_set(&out, "ply",
                 json_integer((json_int_t)question->rules->ply(&question->position) + 1));
    if (why != NULL) {
        json_out_set(&out, "reason", json_string_nocheck(illegal_reason_text(why->reason)));
    }
    json_out_set(&out, "detail", json_string(detail));
    question->error = json_out_end(&out);
}

/* --- reading the request -------------------------------------------------------------------------
 */

static bool check_fields(struct question *question, const char *last)
{
    static const char *const known[] = {"op", "game", "position", "options", "moves", "depth"};
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(question->request, key, value)
    {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            bool other = strcmp(known[i], "moves") == 0 || strcmp(known[i], "depth") == 0;
            found = found || (strcmp(known[i], key) == 0 && (!other || strcmp(key, last) == 0));
        }
        if (!found) {
            char detail[96];
            (void)snprintf(detail, sizeof detail, "unknown field %.48s", key);
            fail(question, "unknown-field", detail);
            return false;
        }
    }
    return true;
}

static bool read_option(struct question *question, const char *key, json_t *value)
{
    struct text_error error;
    char digits[24];
    const char *text = json_string_value(value);
    if (json_is_integer(value)) {
        (void)snprintf(digits, sizeof digits, "%lld", (long long)json_integer_value(value));
        text = digits;
    }
    if (text == NULL) {
        fail(question, "invalid-field", "an option is a word or a whole number");
        return false;
    }
    if (!options_set(question->rules, &question->options, key, text, &error)) {
        fail(question, "invalid-field", error.text);
        return false;
    }
    return true;
}

static bool read_options(struct question *question)
{
    json_t *options = json_object_get(question->request, "options");
    const char *key = NULL;
    json_t *value = NULL;
    options_default(question->rules, &question->options);
    if (options != NULL && !json_is_object(options)) {
        fail(question, "invalid-field", "options is not an object");
        return false;
    }
    json_object_foreach(options, key, value)
    {
        if (!read_option(question, key, value)) {
            return false;
        }
    }
    return true;
}

static bool read_position(struct question *question)
{
    struct text_error error;
    json_t *position = json_object_get(question->request, "position");
    question->rules->start(&question->position);
    if (position == NULL) {
        return true;
    }
    if (!json_is_string(position)) {
        fail(question, "invalid-field", "position is not a text");
        return false;
    }
    if (!question->rules->parse_position(json_string_value(position), json_string_length(position),
                                         &question->options, &question->position, &error)) {
        fail(question, "invalid-field", error.text);
        return false;
    }
    return true;
}

static bool read_game(struct question *question)
{
    const char *game = json_string_value(json_object_get(question->request, "game"));
    question->rules = game == NULL ? NULL : rules_find(game);
    if (question->rules == NULL) {
        fail(question, "invalid-field", "game is not a known game");
        return false;
    }
    return read_options(question) && read_position(question);
}

static struct history history_of(const struct question *question)
{
    return (struct history){question->history, question->plies + 1};
}

static void note_position(struct question *question, int mover, bool gave_new_check)
{
    question->history[question->plies] = (struct history_entry){
        question->rules->hash(&question->position), (int8_t)mover, gave_new_check};
    struct history history = history_of(question);
    question->rules->outcome(&question->position, &question->options, &history, &question->outcome);
}

static bool read_moves(struct question *question)
{
    question->moves = json_object_get(question->request, "moves");
    if (question->moves != NULL && !json_is_array(question->moves)) {
        fail(question, "invalid-field", "moves is not a list");
        return false;
    }
    if (json_array_size(question->moves) > ENGINE_PLIES_MAX) {
        fail(question, "invalid-field", "more than 20000 moves");
        return false;
    }
    question->history = calloc(json_array_size(question->moves) + 1, sizeof *question->history);
    if (question->history == NULL) {
        fail(question, "internal", "no memory");
        return false;
    }
    note_position(question, RULES_SEAT_NONE, false);
    return true;
}

/* --- playing -------------------------------------------------------------------------------------
 */

/* False: the move is refused and the answer is set. */
static bool play_one(struct question *question, json_t *text, struct ply_effects *effects)
{
    const struct game_rules *rules = question->rules;
    struct history history = history_of(question);
    struct illegal why = {0};
    struct move move;
    if (!json_is_string(text)) {
        fail(question, "invalid-field", "a move is not a text");
        return false;
    }
    if (question->outcome.reason != END_NONE) {
        fail_at_ply(question, "game-over", NULL, "the game has ended");
        return false;
    }
    why.reason = rules->parse_move(json_string_value(text), json_string_length(text), &move);
    if (why.reason != ILLEGAL_NONE ||
        !rules->is_legal(&question->position, &question->options, &history, move, &why)) {
        /* A set-up that is over by itself: then nothing but the end is in the way. */
        bool over = why.reason == ILLEGAL_NONE;
        fail_at_ply(question, over ? "game-over" : "illegal-move", over ? NULL : &why,
                    over ? "the game has ended" : illegal_reason_detail(why.reason));
        return false;
    }
    int mover = rules->turn(&question->position);
    rules->play(&question->position, &question->options, move, &question->position, effects);
    question->plies++;
    note_position(question, mover, effects->gave_new_check);
    return true;
}

static json_t *position_text(const struct question *question)
{
    char text[RULES_POSITION_TEXT_MAX];
    question->rules->format_position(&question->position, text);
    return json_string_nocheck(text);
}

static json_t *captured_list(const struct ply_effects *effects)
{
    json_t *list = json_array();
    for (size_t i = 0; i < effects->captured_count; i++) {
        char square[3];
        square_format(effects->captured[i], square);
        list = json_append(list, json_string_nocheck(square));
    }
    return list;
}

static json_t *end_of(const struct question *question)
{
    if (question->outcome.reason == END_NONE) {
        return json_null();
    }
    json_t *ranks = json_array();
    for (size_t i = 0; i < question->rules->seat_count; i++) {
        ranks = json_append(ranks, json_integer(question->outcome.places[i]));
    }
    struct json_out out = json_out_begin();
    json_out_set(&out, "reason", json_string_nocheck(end_reason_text(question->outcome.reason)));
    json_out_set(&out, "ranks", ranks);
    return json_out_end(&out);
}

static json_t *answer_play(struct question *question)
{
    json_t *positions = json_array();
    json_t *captured = json_array();
    json_t *eliminations = json_array();
    struct json_out out = json_out_begin();
    size_t index = 0;
    json_t *text = NULL;
    json_array_foreach(question->moves, index, text)
    {
        struct ply_effects effects = {0};
        if (!play_one(question, text, &effects)) {
            break;
        }
        positions = json_append(positions, position_text(question));
        captured = json_append(captured, captured_list(&effects));
        for (size_t i = 0; i < effects.elimination_count; i++) {
            eliminations = json_append(eliminations,
                                       json_elimination(question->rules,
                                                        question->rules->ply(&question->position),
                                                        &effects.eliminations[i]));
        }
    }
    json_out_set(&out, "positions", positions);
    json_out_set(&out, "captured", captured);
    json_out_set(&out, "eliminations", eliminations);
    json_out_set(&out, "end", end_of(question));
    return json_out_end(&out);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static json_t *legal_list(const struct question *question)
{
    char texts[RULES_MOVES_MAX][RULES_MOVE_TEXT_MAX];
    struct move_list moves = {0};
    struct history history = history_of(question);
    if (question->outcome.reason == END_NONE) {
        question->rules->legal_moves(&question->position, &question->options, &history, &moves);
    }
    for (size_t i = 0; i < moves.count; i++) {
        question->rules->format_move(moves.at[i], texts[i]);
    }
    qsort(texts, moves.count, sizeof texts[0], by_text);
    json_t *list = json_array();
    for (size_t i = 0; i < moves.count; i++) {
        list = json_append(list, json_string_nocheck(texts[i]));
    }
    return list;
}

static json_t *answer_legal(struct question *question)
{
    size_t index = 0;
    json_t *text = NULL;
    json_array_foreach(question->moves, index, text)
    {
        struct ply_effects effects = {0};
        if (!play_one(question, text, &effects)) {
            return NULL;
        }
    }
    struct json_out out = json_out_begin();
    json_out_set(&out, "moves", legal_list(question));
    return json_out_end(&out);
}

static json_t *answer_perft(struct question *question)
{
    json_t *depth = json_object_get(question->request, "depth");
    if (!json_is_integer(depth) || json_integer_value(depth) < 0 ||
        json_integer_value(depth) > RULES_PERFT_DEPTH_MAX) {
        fail(question, "invalid-field", "depth is not a whole number of 0 to 64");
        return NULL;
    }
    uint64_t nodes = question->rules->perft(&question->position, &question->options,
                                            (unsigned)json_integer_value(depth), false);
    struct json_out out = json_out_begin();
    json_out_set(&out, "nodes", json_integer((json_int_t)nodes));
    return json_out_end(&out);
}

/* --- the line ------------------------------------------------------------------------------------
 */

static json_t *answer(struct question *question)
{
    const char *op = json_string_value(json_object_get(question->request, "op"));
    if (op == NULL) {
        fail(question, "invalid-field", "op is missing or not a text");
        return NULL;
    }
    bool perft = strcmp(op, "perft") == 0;
    bool play = strcmp(op, "play") == 0;
    if (!perft && !play && strcmp(op, "legal") != 0) {
        fail(question, "invalid-field", "op is none of legal, play, perft");
        return NULL;
    }
    if (!check_fields(question, perft ? "depth" : "moves") || !read_game(question)) {
        return NULL;
    }
    if (perft) {
        return answer_perft(question);
    }
    if (!read_moves(question)) {
        return NULL;
    }
    return play ? answer_play(question) : answer_legal(question);
}

char *engine_answer(const char *line, size_t length)
{
    struct question question = {0};
    json_error_t error;
    json_t *reply = NULL;
    question.request = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);
    if (!json_is_object(question.request)) {
        fail(&question, "malformed-json",
             question.request == NULL ? error.text : "a request is one object");
    } else {
        reply = answer(&question);
    }
    if (question.error != NULL) {
        json_decref(reply);
        struct json_out out = json_out_begin();
        json_out_set(&out, "error", question.error);
        reply = json_out_end(&out);
    }
    char *text = reply == NULL ? NULL : json_dumps(reply, JSON_COMPACT);
    json_decref(reply);
    json_decref(question.request);
    free(question.history);
    return text;
}
