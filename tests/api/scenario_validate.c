#include "api/json_engine.h"
#include "engine/rules.h"
#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* POST /v1/validate: the engine's very answers, and nothing that would cost too much. */

static struct process *server;
static struct client *client;

static void enter(void)
{
    server = process_new(NULL);
    client = client_new(server->origin);
}

static void leave(void)
{
    client_free(client);
    process_free(server);
}

TestSuite(scenario_validate, .init = enter, .fini = leave);

static struct answer ask(const char *body)
{
    return client_post(client, "/v1/validate", NULL, body);
}

static void expect_the_engines_answer(const char *body)
{
    char *expected = engine_answer(body, strlen(body));
    struct answer answer = expect(200, ask(body));
    cr_expect_str_eq(answer.text, expected, "%s", body);
    answer_free(&answer);
    free(expected);
}

#define HASAMI "\"game\":\"hasami\""
#define YONIN  "\"game\":\"yonin\""

Test(scenario_validate, whatever_the_engine_says_is_the_answer)
{
    static const char *const bodies[] = {
        "{\"op\":\"legal\"," HASAMI "}",
        "{\"op\":\"play\"," HASAMI "}",
        " {\n\"op\" : \"play\",\r\n\t" HASAMI
        ", \"moves\":[\"5i5e\",\"6a6d\",\"5e5d\",\"4a4d\"]}\n",
        "{\"op\":\"play\"," HASAMI ",\"moves\":[\"5i5e\",\"\"]}",
        "{\"op\":\"play\"," HASAMI ",\"moves\":[\"5i5e\",\"5a5b\",\"5e4d\"]}",
        "{\"op\":\"legal\"," HASAMI ",\"moves\":[\"5i4i\"]}",
        "{\"op\":\"legal\"," HASAMI ",\"position\":\"9/9\"}",
        "{\"op\":\"legal\"," HASAMI ",\"position\":\"\"}",
        "{\"op\":\"legal\"," HASAMI ",\"options\":{\"move_limit\":0}}",
        "{\"op\":\"legal\"," HASAMI ",\"options\":{\"move_limit\":2001}}",
        "{\"op\":\"legal\"," HASAMI ",\"options\":{\"move_limit\":\"10\"}}",
        "{\"op\":\"legal\"," HASAMI ",\"options\":{\"format\":\"pairs\"}}",
        "{\"op\":\"play\"," HASAMI ",\"options\":{\"move_limit\":1},\"moves\":[\"5i5e\",\"5a5b\"]}",
        "{\"op\":\"play\"," HASAMI ",\"moves\":[\"番番番番番\"]}",
        "{\"op\":\"legal\"," YONIN "}",
        "{\"op\":\"play\"," YONIN ",\"moves\":[\"5g5f\",\"7e6e\",\"P*5e\"]}",
        "{\"op\":\"play\"," YONIN ",\"moves\":[\"5g5f+\"]}",
        "{\"op\":\"legal\"," YONIN ",\"options\":{\"format\":\"pairs\"}}",
        "{\"op\":\"legal\"," YONIN ",\"options\":{\"format\":\"trio\"}}",
        "{\"op\":\"legal\"," YONIN ",\"options\":{\"win_condition\":\"lead_3\"}}",
        "{\"op\":\"play\"," YONIN ",\"options\":{\"ending\":\"last_survivor\","
        "\"orphaned_pieces\":\"ownerless\",\"move_limit\":1},\"moves\":[\"5g5f\"]}",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        expect_the_engines_answer(bodies[i]);
    }
}

/* A line of a vector file as a question. */
static void ask_vector(const char *game, json_t *vector, const char *op, const char *position)
{
    json_t *question = json_object();
    json_t *moves = json_object_get(vector, "moves");
    json_object_set_new(question, "op", json_string(op));
    json_object_set_new(question, "game", json_string(game));
    json_object_set(question, "options", json_object_get(vector, "options"));
    if (json_object_get(vector, position) != NULL) {
        json_object_set(question, "position", json_object_get(vector, position));
    }
    if (strcmp(op, "play") == 0 && json_array_size(moves) <= 2000) {
        json_object_set(question, "moves", moves);
    }
    char *body = json_dumps(question, JSON_COMPACT);
    expect_the_engines_answer(body);
    free(body);
    json_decref(question);
}

static void ask_vectors(const char *game, const char *kind, const char *op, const char *position)
{
    static char line[1 << 20];
    char path[64];
    size_t asked = 0;
    (void)snprintf(path, sizeof path, "tests/data/%s.%s.jsonl", game, kind);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file);
    for (; fgets(line, sizeof line, file) != NULL; asked++) {
        json_t *vector = json_loads(line, 0, NULL);
        ask_vector(game, vector, op, position);
        json_decref(vector);
    }
    cr_assert_gt(asked, 20);
    (void)fclose(file);
}

Test(scenario_validate, every_game_and_every_position_of_the_vectors_is_answered)
{
    for (size_t i = 0; i < rules_count(); i++) {
        ask_vectors(rules_at(i)->key, "games", "play", "start");
        ask_vectors(rules_at(i)->key, "legal", "legal", "position");
    }
}

/* --- outside the schema ----------------------------------------------------------------------- */

static void expect_refused(const char *body, const char *code, const char *pointer,
                           const char *reason)
{
    struct answer answer = expect(422, ask(body));
    cr_expect_str_eq(answer_text(&answer, "code"), code, "%s", body);
    cr_expect_str_eq(answer_text(&answer, "errors.0.pointer"), pointer, "%s", body);
    cr_expect_str_eq(answer_text(&answer, "errors.0.reason"), reason, "%s", body);
    answer_free(&answer);
}

Test(scenario_validate, what_does_not_fit_the_schema_is_refused_with_where_and_why)
{
    static const struct {
        const char *body;
        const char *pointer;
        const char *reason;
    } cases[] = {
        {"{}",                                                      "/op",           "required"     },
        {"{\"op\":1," HASAMI "}",                                   "/op",           "not-a-string" },
        {"{\"op\":\"perft\"," HASAMI "}",                           "/op",           "unknown"      },
        {"{\"op\":\"search\"," HASAMI "}",                          "/op",           "unknown"      },
        {"{\"op\":\"legal\"}",                                      "/game",         "required"     },
        {"{\"op\":\"legal\",\"game\":null}",                        "/game",         "not-a-string" },
        {"{\"op\":\"legal\",\"game\":\"chess\"}",                   "/game",         "unknown"      },
        {"{\"op\":\"legal\"," HASAMI ",\"position\":null}",         "/position",     "not-a-string" },
        {"{\"op\":\"legal\"," HASAMI ",\"options\":[]}",            "/options",      "not-an-object"},
        {"{\"op\":\"legal\"," HASAMI ",\"options\":{\"a/b\":1.0}}", "/options/a~1b",
         "not-a-string"                                                                             },
        {"{\"op\":\"legal\"," HASAMI ",\"options\":{\"a\":true}}",  "/options/a",    "not-a-string" },
        {"{\"op\":\"legal\"," HASAMI ",\"moves\":\"5i5e\"}",        "/moves",        "not-an-array" },
        {"{\"op\":\"legal\"," HASAMI ",\"moves\":[\"5i5e\",5]}",    "/moves/1",      "not-a-string" },
        {"{\"op\":\"play\"," HASAMI ",\"moves\":[null]}",           "/moves/0",      "not-a-string" },
        {"{\"op\":\"play\"," HASAMI ",\"moves\":[[]]}",             "/moves/0",      "not-a-string" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_refused(cases[i].body, "invalid-field", cases[i].pointer, cases[i].reason);
    }
    expect_refused("{\"op\":\"legal\"," HASAMI ",\"depth\":1}", "unknown-field", "/depth",
                   "unknown");
    expect_refused("{\"op\":\"perft\"," HASAMI ",\"depth\":1}", "unknown-field", "/depth",
                   "unknown");
    expect_problem(422, "invalid-field",
                   ask("{\"op\":\"legal\"," HASAMI ",\"options\":{\"a\":1e999}}"));
}

Test(scenario_validate, what_is_no_json_object_is_400_as_everywhere)
{
    static const char *const bodies[] = {
        "",
        "{",
        "[]",
        "1",
        "{\"op\":\"legal\"," HASAMI "} {}",
        "{\"op\":\"legal\",\"op\":\"legal\"," HASAMI "}",
        "{\"op\":\"legal\"," HASAMI ",\"position\":\"\\u0000\"}",
        "{\"op\":\"legal\"," HASAMI ",\"moves\":[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]}",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        expect_problem(400, "malformed-json", ask(bodies[i]));
    }
    expect_problem(400, "invalid-parameter",
                   client_post(client, "/v1/validate?op=legal", NULL, "{}"));
    expect_problem(401, "invalid-token", client_post(client, "/v1/validate", "bzd_x", "{}"));
    const struct call get = {.method = "GET", .path = "/v1/validate", .unchecked = true};
    expect_problem(405, "method-not-allowed", client_send(client, &get));
}

/* --- limits: at, and one over ----------------------------------------------------------------- */

/* {"op":"play","game":"hasami",PREFIX FILLER SUFFIX}, the filler repeated. */
static char *filled(const char *prefix, const char *filler, size_t times, const char *suffix)
{
    char *body = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&body, &length);
    cr_assert_not_null(out);
    (void)fprintf(out, "{\"op\":\"play\"," HASAMI ",%s", prefix);
    for (size_t i = 0; i < times; i++) {
        (void)fputs(filler, out);
    }
    (void)fprintf(out, "%s}", suffix);
    (void)fclose(out);
    return body;
}

struct limit {
    const char *prefix;
    const char *filler;
    size_t most;
    const char *suffix;
    const char *pointer;
    const char *reason;
};

static void expect_limit(const struct limit *limit)
{
    char *at = filled(limit->prefix, limit->filler, limit->most, limit->suffix);
    char *over = filled(limit->prefix, limit->filler, limit->most + 1, limit->suffix);
    expect_the_engines_answer(at);
    expect_refused(over, "invalid-field", limit->pointer, limit->reason);
    free(at);
    free(over);
}

Test(scenario_validate, texts_and_lists_have_their_limits)
{
    static const struct limit limits[] = {
        {"\"position\":\"",                   "9",      511,  "\"",  "/position",              "too-long"},
        {"\"moves\":[\"",                     "x",      16,   "\"]", "/moves/0",               "too-long"},
        {"\"moves\":[\"",                     "x\",\"", 1999, "\"]", "/moves",                 "too-many"},
        {"\"options\":{\"win_condition\":\"", "x",      64,   "\"}", "/options/win_condition", "too-long"},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        expect_limit(&limits[i]);
    }
}

Test(scenario_validate, a_question_has_at_most_sixteen_options)
{
    for (int count = 16; count <= 17; count++) {
        char body[512] = "{\"op\":\"legal\"," HASAMI ",\"options\":{\"o0\":0";
        size_t length = strlen(body);
        for (int i = 1; i < count; i++) {
            length += (size_t)snprintf(body + length, sizeof body - length, ",\"o%d\":%d", i, i);
        }
        (void)snprintf(body + length, sizeof body - length, "}}");
        if (count == 16) {
            expect_the_engines_answer(body);
        } else {
            expect_refused(body, "invalid-field", "/options", "too-many");
        }
    }
}

enum { LONGEST = 2000 };

/* A game in the making: random moves that neither take anybody nor end it. */
struct wander {
    const struct game_rules *rules;
    struct game_options options;
    struct position position;
    struct history_entry history[LONGEST + 1];
    size_t plies;
    uint32_t random;
};

static bool step(struct wander *wander, struct move move)
{
    const struct game_rules *rules = wander->rules;
    struct position after;
    struct ply_effects effects;
    struct outcome outcome;
    rules->play(&wander->position, &wander->options, move, &after, &effects);
    wander->history[wander->plies + 1] = (struct history_entry){rules->hash(&after), 0, false};
    const struct history history = {wander->history, wander->plies + 2};
    rules->outcome(&after, &wander->options, &history, &outcome);
    if (effects.captured_count > 0 || outcome.reason != END_NONE) {
        return false;
    }
    wander->position = after;
    wander->plies++;
    return true;
}

static void wander_on(struct wander *wander, char text[RULES_MOVE_TEXT_MAX])
{
    struct move_list moves;
    wander->rules->legal_moves(&wander->position, &wander->options, NULL, &moves);
    for (;;) {
        wander->random = wander->random * 1103515245U + 12345U;
        struct move move = moves.at[(wander->random >> 16) % moves.count];
        if (step(wander, move)) {
            wander->rules->format_move(move, text);
            return;
        }
    }
}

Test(scenario_validate, the_longest_game_that_is_served_fits_one_question)
{
    static struct wander wander;
    char *body = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&body, &length);
    cr_assert_not_null(out);
    wander.rules = rules_find("hasami");
    wander.rules->start(&wander.position);
    wander.history[0].key = wander.rules->hash(&wander.position);
    (void)fputs("{\"op\":\"play\"," HASAMI ",\"moves\":[", out);
    while (wander.plies < LONGEST) {
        char text[RULES_MOVE_TEXT_MAX];
        wander_on(&wander, text);
        (void)fprintf(out, "%s\"%s\"", wander.plies == 1 ? "" : ",", text);
    }
    (void)fputs("]}", out);
    (void)fclose(out);
    expect_the_engines_answer(body);
    struct answer answer = expect(200, ask(body));
    cr_expect_eq(json_array_size(answer_at(&answer, "positions")), LONGEST);
    cr_expect(json_is_null(answer_at(&answer, "end")));
    answer_free(&answer);
    free(body);
}

Test(scenario_validate, a_body_has_at_most_32_kib)
{
    enum { MOST = 32 * 1024 };
    static char body[MOST + 2];
    static const char question[] = "{\"op\":\"legal\"," HASAMI "}";
    memset(body, ' ', MOST);
    memcpy(body, question, sizeof question - 1);
    expect_the_engines_answer(body);
    body[MOST] = ' ';
    expect_problem(413, "payload-too-large", ask(body));
}
