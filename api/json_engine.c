#include "json_engine.h"

#include "engine/rules.h"
#include "json_parts.h"

#include <assert.h>
#include <jansson.h>
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
    json_t *moves;         /* borrowed; NULL: none */
    bool refused;          /* something is wrong, and `error` is the answer */
    struct json_out error; /* begun where refused */
};

/* Begins the answer that says what is wrong: {"error":{"code" ... */
static struct json_out *refuse(struct question *question, const char *code)
{
    assert(!question->refused);
    question->refused = true;
    question->error = json_out_begin();
    json_out_object(&question->error, NULL);
    json_out_object(&question->error, "error");
    json_out_text(&question->error, "code", code);
    return &question->error;
}

static void refuse_end(struct json_out *error, const char *detail)
{
    json_out_text(error, "detail", detail);
    json_out_end(error);
    json_out_end(error);
}

static void fail(struct question *question, const char *code, const char *detail)
{
    refuse_end(refuse(question, code), detail);
}

static void write_squares(struct json_out *out, const char *key, const uint8_t *squares,
                          size_t count)
{
    json_out_array(out, key);
    for (size_t i = 0; i < count; i++) {
        char square[3];
        square_format(squares[i], square);
        json_out_text(out, NULL, square);
    }
    json_out_end(out);
}

/* Of the move that would be the next one; `why` NULL: because the game is over. */
static void fail_at_ply(struct question *question, const struct illegal *why)
{
    const char *detail = why == NULL ? "the game has ended" : illegal_reason_detail(why->reason);
    struct json_out *error = refuse(question, why == NULL ? "game-over" : "illegal-move");
    json_out_integer(error, "ply", (int64_t)question->rules->ply(&question->position) + 1);
    if (why != NULL) {
        json_out_text(error, "reason", illegal_reason_text(why->reason));
        if (why->square_count > 0) {
            write_squares(error, "squares", why->squares, why->square_count);
        }
    }
    refuse_end(error, detail);
}

/* --- reading the request ---------------------------------------------------------------------- */

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

/* A text without U+0000, which would end it early; NULL: it is none. */
static const char *plain_text(const json_t *value)
{
    const char *text = json_string_value(value);
    return text != NULL && strlen(text) == json_string_length(value) ? text : NULL;
}

/* Whether the option is a number; one that is not there takes either, so that its name is what is
 * complained about. */
static bool fits_type(const struct game_rules *rules, const char *key, const json_t *value)
{
    for (size_t i = 0; i < rules->option_count; i++) {
        if (strcmp(rules->options[i].key, key) == 0) {
            return rules->options[i].words == NULL ? json_is_integer(value)
                                                   : plain_text(value) != NULL;
        }
    }
    return json_is_integer(value) || plain_text(value) != NULL;
}

static bool read_option(struct question *question, const char *key, json_t *value)
{
    struct text_error error;
    char digits[24];
    const char *text = digits;
    if (!fits_type(question->rules, key, value)) {
        fail(question, "invalid-field", "an option is a word or a whole number, as the rules say");
        return false;
    }
    if (json_is_integer(value)) {
        (void)snprintf(digits, sizeof digits, "%lld", (long long)json_integer_value(value));
    } else {
        text = json_string_value(value);
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
    const char *game = plain_text(json_object_get(question->request, "game"));
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

/* --- playing ---------------------------------------------------------------------------------- */

/* A text that could be a move; whether it is one is the rules' to say. */
static bool is_move_text(const json_t *text)
{
    return json_is_string(text) && json_string_length(text) <= LIMIT_MOVE_BYTES;
}

/* False: the move is refused and the answer is set. */
static bool play_one(struct question *question, const json_t *text, struct ply_effects *effects)
{
    const struct game_rules *rules = question->rules;
    struct history history = history_of(question);
    struct illegal why = {0};
    struct move move;
    if (!is_move_text(text)) {
        fail(question, "invalid-field", "a move is a text of at most 16 bytes");
        return false;
    }
    if (question->outcome.reason != END_NONE) {
        fail_at_ply(question, NULL);
        return false;
    }
    why.reason = rules->parse_move(json_string_value(text), json_string_length(text), &move);
    if (why.reason != ILLEGAL_NONE ||
        !rules->is_legal(&question->position, &question->options, &history, move, &why)) {
        /* No reason: a set-up that is over by itself, where nothing but the end is in the way. */
        fail_at_ply(question, why.reason == ILLEGAL_NONE ? NULL : &why);
        return false;
    }
    int mover = rules->turn(&question->position);
    rules->play(&question->position, &question->options, move, &question->position, effects);
    question->plies++;
    note_position(question, mover, effects->gave_new_check);
    return true;
}

static void write_position(struct json_out *out, const struct question *question)
{
    char text[RULES_POSITION_TEXT_MAX];
    size_t length = question->rules->format_position(&question->position, text);
    json_out_bytes(out, NULL, text, length);
}

static void write_end(struct json_out *out, const struct question *question)
{
    if (question->outcome.reason == END_NONE) {
        json_out_null(out, "end");
        return;
    }
    json_out_object(out, "end");
    json_out_text(out, "reason", end_reason_text(question->outcome.reason));
    json_out_array(out, "ranks");
    for (size_t i = 0; i < question->rules->seat_count; i++) {
        json_out_integer(out, NULL, question->outcome.places[i]);
    }
    json_out_end(out);
    json_out_end(out);
}

/* What grows side by side while the moves are played. */
struct played {
    struct json_out positions;
    struct json_out captured;
    struct json_out eliminations;
};

static void write_played(struct played *played, const struct question *question,
                         const struct ply_effects *effects)
{
    write_position(&played->positions, question);
    write_squares(&played->captured, NULL, effects->captured, effects->captured_count);
    assert(effects->elimination_count <= RULES_ELIMINATIONS_MAX);
    for (size_t i = 0; i < effects->elimination_count; i++) {
        json_elimination(&played->eliminations, question->rules,
                         question->rules->ply(&question->position), &effects->eliminations[i]);
    }
}

static void answer_play(struct question *question, struct json_out *out)
{
    struct played played = {json_out_begin(), json_out_begin(), json_out_begin()};
    size_t index = 0;
    json_t *text = NULL;
    json_out_array(&played.positions, NULL);
    json_out_array(&played.captured, NULL);
    json_out_array(&played.eliminations, NULL);
    json_array_foreach(question->moves, index, text)
    {
        struct ply_effects effects = {0};
        if (!play_one(question, text, &effects)) {
            break;
        }
        write_played(&played, question, &effects);
    }
    json_out_end(&played.positions);
    json_out_end(&played.captured);
    json_out_end(&played.eliminations);
    json_out_object(out, NULL);
    json_out_document(out, "positions", &played.positions);
    json_out_document(out, "captured", &played.captured);
    json_out_document(out, "eliminations", &played.eliminations);
    write_end(out, question);
    json_out_end(out);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void write_legal(struct json_out *out, const struct question *question)
{
    char texts[RULES_MOVES_MAX][RULES_MOVE_TEXT_MAX];
    struct move_list moves = {0};
    struct history history = history_of(question);
    if (question->outcome.reason == END_NONE) {
        question->rules->legal_moves(&question->position, &question->options, &history, &moves);
    }
    assert(moves.count <= RULES_MOVES_MAX);
    for (size_t i = 0; i < moves.count; i++) {
        question->rules->format_move(moves.at[i], texts[i]);
    }
    qsort(texts, moves.count, sizeof texts[0], by_text);
    json_out_array(out, "moves");
    for (size_t i = 0; i < moves.count; i++) {
        json_out_text(out, NULL, texts[i]);
    }
    json_out_end(out);
}

static void answer_legal(struct question *question, struct json_out *out)
{
    size_t index = 0;
    json_t *text = NULL;
    json_array_foreach(question->moves, index, text)
    {
        struct ply_effects effects = {0};
        if (!play_one(question, text, &effects)) {
            return;
        }
    }
    json_out_object(out, NULL);
    write_legal(out, question);
    json_out_end(out);
}

static void answer_perft(struct question *question, struct json_out *out)
{
    const json_t *depth = json_object_get(question->request, "depth");
    if (!json_is_integer(depth) || json_integer_value(depth) < 0 ||
        json_integer_value(depth) > RULES_PERFT_DEPTH_MAX) {
        fail(question, "invalid-field", "depth is not a whole number of 0 to 64");
        return;
    }
    uint64_t nodes = question->rules->perft(&question->position, &question->options,
                                            (unsigned)json_integer_value(depth), false);
    json_out_object(out, NULL);
    json_out_integer(out, "nodes", (int64_t)nodes);
    json_out_end(out);
}

/* --- the line --------------------------------------------------------------------------------- */

static void answer(struct question *question, struct json_out *out)
{
    const char *op = plain_text(json_object_get(question->request, "op"));
    if (op == NULL) {
        fail(question, "invalid-field", "op is missing or not a text");
        return;
    }
    bool perft = strcmp(op, "perft") == 0;
    bool play = strcmp(op, "play") == 0;
    if (!perft && !play && strcmp(op, "legal") != 0) {
        fail(question, "invalid-field", "op is none of legal, play, perft");
        return;
    }
    if (!check_fields(question, perft ? "depth" : "moves") || !read_game(question)) {
        return;
    }
    if (perft) {
        answer_perft(question, out);
    } else if (read_moves(question) && play) {
        answer_play(question, out);
    } else if (!question->refused) {
        answer_legal(question, out);
    }
}

char *engine_answer(const char *line, size_t length)
{
    struct question question = {0};
    struct json_out out = json_out_begin();
    json_error_t error;
    question.request = json_loadb(line, length, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (json_is_object(question.request)) {
        answer(&question, &out);
    } else {
        fail(&question, "malformed-json",
             question.request == NULL ? error.text : "a request is one object");
    }
    char *text = json_out_take(question.refused ? &question.error : &out, &length);
    if (question.refused) {
        json_out_drop(&out);
    }
    json_decref(question.request);
    free(question.history);
    return text;
}
