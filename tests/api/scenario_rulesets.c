#include "api/json_engine.h"
#include "engine/rules.h"
#include "ratings/elo.h"
#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What /v1/rulesets and /v1/rating-rules say is what the server does. */

static struct answer get(struct client *client, const char *path, const char *header)
{
    return expect(
        200, client_send(client, &(struct call){.method = "GET", .path = path, .header = header}));
}

static void expect_header(const struct answer *answer, const char *name, const char *expected)
{
    char value[128];
    cr_assert(answer_header(answer, name, value, sizeof value), "%s", name);
    cr_expect_str_eq(value, expected);
}

Test(scenario_rulesets, both_come_in_english_and_spanish_and_may_be_kept_for_five_minutes)
{
    static const char *const paths[] = {"/v1/rulesets", "/v1/rating-rules"};
    static const struct {
        const char *header;
        const char *tag;
    } languages[] = {
        {NULL,                                  "en"},
        {"Accept-Language: de, es;q=0.5",       "es"},
        {"Accept-Language: en-GB, es-MX;q=0.9", "en"},
        {"Accept-Language: xx",                 "en"},
    };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < 2; i++) {
        char text[2][256];
        for (size_t j = 0; j < sizeof languages / sizeof languages[0]; j++) {
            struct answer answer = get(client, paths[i], languages[j].header);
            expect_header(&answer, "Content-Language", languages[j].tag);
            expect_header(&answer, "Cache-Control", "public, max-age=300");
            expect_header(&answer, "Vary", "Accept-Language, Accept-Encoding");
            (void)snprintf(text[languages[j].tag[1] == 's'], sizeof text[0], "%s",
                           answer_text(&answer, i == 0 ? "games.0.text" : "formula.text"));
            answer_free(&answer);
        }
        cr_expect_str_neq(text[0], text[1]);
    }
    expect_problem(400, "invalid-parameter", client_get(client, "/v1/rulesets?lang=es", NULL));
    expect_problem(400, "invalid-parameter", client_get(client, "/v1/rating-rules?x=1", NULL));
    client_free(client);
    process_free(server);
}

/* --- rulesets --------------------------------------------------------------------------------- */

/* One value over what is said to be allowed is refused by the rules, what is said is taken. */
static void expect_option(const struct game_rules *rules, json_t *option, size_t index)
{
    const char *key = json_string_value(json_object_get(option, "option"));
    const char *type = json_string_value(json_object_get(option, "type"));
    struct game_options options;
    struct text_error error;
    options_default(rules, &options);
    cr_assert_str_eq(key, rules->options[index].key);
    if (strcmp(type, "number") == 0) {
        char most[24];
        long long maximum = json_integer_value(json_object_get(option, "maximum"));
        (void)snprintf(most, sizeof most, "%lld", maximum);
        cr_expect(options_set(rules, &options, key, most, &error));
        (void)snprintf(most, sizeof most, "%lld", maximum + 1);
        cr_expect_not(options_set(rules, &options, key, most, &error));
        cr_expect_eq(json_integer_value(json_object_get(option, "default")), 0);
        return;
    }
    json_t *values = json_object_get(option, "values");
    for (size_t i = 0; i < json_array_size(values); i++) {
        const char *value = json_string_value(json_object_get(json_array_get(values, i), "value"));
        cr_expect(options_set(rules, &options, key, value, &error));
        cr_expect_eq(options.value[index], i);
    }
    cr_expect(json_equal(json_object_get(option, "default"),
                         json_object_get(json_array_get(values, 0), "value")));
}

static bool lists(json_t *reasons, const char *reason)
{
    size_t index = 0;
    json_t *one = NULL;
    json_array_foreach(reasons, index, one)
    {
        if (strcmp(json_string_value(json_object_get(one, "reason")), reason) == 0) {
            return true;
        }
    }
    return false;
}

static void expect_ruleset(json_t *game, const struct game_rules *rules)
{
    char start[RULES_POSITION_TEXT_MAX];
    struct position position;
    json_t *options = json_object_get(game, "options");
    json_t *pools = json_object_get(game, "pools");
    json_t *seats = json_object_get(game, "seats");
    rules->start(&position);
    rules->format_position(&position, start);
    cr_expect_str_eq(json_string_value(json_object_get(game, "start")), start);
    cr_expect_eq(json_is_true(json_object_get(game, "resignation")), rules->resign != NULL);
    cr_assert_eq(json_array_size(seats), rules->seat_count);
    for (size_t i = 0; i < rules->seat_count; i++) {
        json_t *seat = json_object_get(json_array_get(seats, i), "seat");
        cr_expect_eq(json_string_value(seat)[0], rules->seat_letters[i]);
    }
    cr_assert_eq(json_array_size(options), rules->option_count);
    for (size_t i = 0; i < rules->option_count; i++) {
        expect_option(rules, json_array_get(options, i), i);
    }
    cr_assert_eq(json_array_size(pools), rules->pool_count);
    for (size_t i = 0; i < rules->pool_count; i++) {
        json_t *pool = json_array_get(pools, i);
        json_t *fixed = json_object_get(pool, "options");
        cr_expect_str_eq(json_string_value(json_object_get(pool, "pool")), rules->pools[i].key);
        cr_expect_eq(json_object_size(fixed), rules->option_count);
        cr_expect_eq(json_integer_value(json_object_get(fixed, "move_limit")), 2000);
    }
}

Test(scenario_rulesets, a_ruleset_is_what_the_rules_themselves_take)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct answer answer = get(client, "/v1/rulesets", NULL);
    json_t *games = answer_at(&answer, "games");
    cr_assert_eq(json_array_size(games), rules_count());
    for (size_t i = 0; i < rules_count(); i++) {
        json_t *game = json_array_get(games, i);
        cr_assert_str_eq(json_string_value(json_object_get(game, "game")), rules_at(i)->key);
        expect_ruleset(game, rules_at(i));
    }
    cr_expect_eq(answer_integer(&answer, "turn_seconds.values.0"), 30);
    cr_expect_eq(answer_integer(&answer, "turn_seconds.values.1"), 60);
    cr_expect_eq(answer_integer(&answer, "turn_seconds.default"), 60);
    answer_free(&answer);
    client_free(client);
    process_free(server);
}

/* What a table is that has not chosen, and one for every value that it may choose. */
static void expect_table_option(struct device *host, json_t *option)
{
    const char *key = json_string_value(json_object_get(option, "option"));
    json_t *fallback = json_object_get(option, "default");
    json_t *values = json_object_get(option, "values");
    struct answer table =
        expect(201, client_post(host->client, "/v1/tables", host->token, "{\"game\":\"hasami\"}"));
    cr_expect(json_equal(answer_at(&table, key), fallback), "%s", key);
    answer_free(&table);
    cr_expect(values != NULL || json_is_boolean(fallback), "%s", key);
    for (size_t i = 0; i < json_array_size(values); i++) {
        char body[64];
        json_int_t value = json_integer_value(json_array_get(values, i));
        (void)snprintf(body, sizeof body, "{\"game\":\"hasami\",\"%s\":%lld}", key,
                       (long long)value);
        table = expect(201, client_post(host->client, "/v1/tables", host->token, body));
        cr_expect_eq(answer_integer(&table, key), value);
        answer_free(&table);
    }
}

static void expect_table_options(const char *const *arguments, size_t seconds)
{
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    struct device *host = device_new(server);
    struct answer answer = get(host->client, "/v1/rulesets", "Accept-Language: es");
    size_t index = 0;
    json_t *option = NULL;
    cr_assert_eq(json_array_size(answer_at(&answer, "table_options")), 5);
    cr_expect_eq(json_array_size(answer_at(&answer, "table_options.0.values")), seconds);
    json_array_foreach(answer_at(&answer, "table_options"), index, option)
    {
        struct device *fresh = device_new(server); /* a player opens only so many */
        expect_table_option(fresh, option);
        device_free(fresh);
    }
    answer_free(&answer);
    device_free(host);
    process_free(server);
}

Test(scenario_rulesets, tables_have_the_options_and_defaults_that_are_told)
{
    static const char *const timed[] = {"--turn-seconds", "45,90", NULL};
    expect_table_options((const char *const[]){NULL}, 3);
    expect_table_options(timed, 2);
}

/* Why the engine refuses the move of a line of the vectors; false: for no reason of the rules. */
static bool refusal(const char *game, json_t *vector, char reason[64])
{
    json_t *question = json_pack("{s:s, s:s, s:O, s:O}", "op", "play", "game", game, "position",
                                 json_object_get(vector, "position"), "options",
                                 json_object_get(vector, "options"));
    json_t *moves = json_array();
    json_array_extend(moves, json_object_get(vector, "after"));
    json_array_append(moves, json_object_get(vector, "move"));
    json_object_set_new(question, "moves", moves);
    char *line = json_dumps(question, JSON_COMPACT);
    char *text = engine_answer(line, strlen(line));
    json_t *answer = json_loads(text, 0, NULL);
    const char *found =
        json_string_value(json_object_get(json_object_get(answer, "error"), "reason"));
    if (found != NULL) {
        (void)snprintf(reason, 64, "%s", found);
    }
    json_decref(answer);
    free(text);
    free(line);
    json_decref(question);
    return found != NULL;
}

static void expect_reasons_listed(json_t *game)
{
    static char line[1 << 16];
    char path[64];
    char reason[64];
    size_t looked = 0;
    const char *key = json_string_value(json_object_get(game, "game"));
    (void)snprintf(path, sizeof path, "tests/data/%s.illegal.jsonl", key);
    FILE *file = fopen(path, "re");
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        json_t *vector = json_loads(line, JSON_ALLOW_NUL, NULL);
        if (refusal(key, vector, reason)) {
            cr_expect(lists(json_object_get(game, "illegal_reasons"), reason), "%s", reason);
            looked++;
        }
        json_decref(vector);
    }
    cr_expect_gt(looked, 20);
    (void)fclose(file);
}

/* The reasons that the vectors of illegal moves lead to are all listed. */
Test(scenario_rulesets, every_reason_that_the_rules_give_is_listed)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct answer answer = get(client, "/v1/rulesets", "Accept-Language: es");
    size_t index = 0;
    json_t *game = NULL;
    json_array_foreach(answer_at(&answer, "games"), index, game)
    {
        expect_reasons_listed(game);
    }
    answer_free(&answer);
    client_free(client);
    process_free(server);
}

/* --- rating rules ----------------------------------------------------------------------------- */

static bool below(json_t *bound, long long value)
{
    return json_is_null(bound) || value < json_integer_value(bound);
}

/* The first factor whose conditions hold. */
static long long factor_of(json_t *factors, long long points, long long games)
{
    size_t index = 0;
    json_t *factor = NULL;
    json_array_foreach(factors, index, factor)
    {
        json_t *from = json_object_get(factor, "rating_from");
        bool strong = json_is_null(from) || points >= json_integer_value(from);
        if (strong && below(json_object_get(factor, "games_below"), games)) {
            return json_integer_value(json_object_get(factor, "k"));
        }
    }
    return 0;
}

Test(scenario_rulesets, the_numbers_of_the_rating_rules_are_those_that_games_are_rated_by)
{
    static const long long games[] = {0, 19, 20, 500};
    static const long long points[] = {100, 1500, 1999, 2000, 3000};
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct answer answer = get(client, "/v1/rating-rules", NULL);
    json_t *factors = answer_at(&answer, "k_factors");
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        for (size_t j = 0; j < sizeof points / sizeof points[0]; j++) {
            cr_expect_eq(factor_of(factors, points[j], games[i]),
                         elo_k(points[j] * 1000, (uint32_t)games[i]), "%lld points, %lld games",
                         points[j], games[i]);
        }
    }
    cr_expect_eq(answer_integer(&answer, "scale.start"), 1500);
    cr_expect_eq(answer_integer(&answer, "scale.floor"), 100);
    cr_expect_str_eq(answer_text(&answer, "scale.text"),
                     "Everybody starts with 1500 points in every pool, and nobody falls below "
                     "100.");
    cr_expect_str_eq(answer_text(&answer, "formula.expected"),
                     "E = 1 / (1 + 10 ^ ((opponent - own) / 400))");
    cr_expect_eq(answer_integer(&answer, "provisional.games_below"), 20);
    cr_expect_eq(answer_integer(&answer, "leaving.cpu_plies_free"), 3);
    cr_expect_eq(answer_integer(&answer, "repetition.rated_draws"), 2);
    cr_expect_eq(answer_integer(&answer, "repetition.draws_max"), 8);
    answer_free(&answer);
    client_free(client);
    process_free(server);
}

Test(scenario_rulesets, what_the_operator_configures_is_what_they_say)
{
    static const char *const arguments[] = {"--repeat-limit", "3", "--turn-seconds", "45,0,90",
                                            NULL};
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    struct client *client = client_new(server->origin);
    struct answer answer = get(client, "/v1/rating-rules", "Accept-Language: es");
    cr_expect_eq(answer_integer(&answer, "repeat_limit.games"), 3);
    cr_expect_eq(answer_integer(&answer, "repeat_limit.hours"), 24);
    cr_expect_not_null(strstr(answer_text(&answer, "repeat_limit.text"),
                              "como mucho 3 partidas clasificatorias en 24 horas"));
    answer_free(&answer);
    answer = get(client, "/v1/rulesets", NULL);
    cr_expect_eq(json_array_size(answer_at(&answer, "turn_seconds.values")), 2);
    cr_expect_eq(answer_integer(&answer, "turn_seconds.values.0"), 45);
    cr_expect_eq(answer_integer(&answer, "turn_seconds.default"), 90);
    answer_free(&answer);
    client_free(client);
    process_free(server);
}
