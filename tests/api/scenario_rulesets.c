#include "engine/rules.h"
#include "ratings/elo.h"
#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
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

Test(scenario_rulesets, a_ruleset_is_what_the_rules_themselves_take)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct answer answer = get(client, "/v1/rulesets", NULL);
    cr_assert_eq(json_array_size(answer_at(&answer, "games")), rules_count());
    const struct game_rules *rules = rules_find(answer_text(&answer, "games.0.game"));
    cr_assert_not_null(rules);
    cr_expect_str_eq(answer_text(&answer, "games.0.start"),
                     "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b - 1");
    cr_expect_str_eq(answer_text(&answer, "games.0.seats.0.seat"), "b");
    cr_expect_eq(answer_integer(&answer, "games.0.pools.0.options.move_limit"), 2000);
    json_t *options = answer_at(&answer, "games.0.options");
    cr_assert_eq(json_array_size(options), rules->option_count);
    for (size_t i = 0; i < rules->option_count; i++) {
        expect_option(rules, json_array_get(options, i), i);
    }
    cr_expect_eq(answer_integer(&answer, "turn_seconds.values.0"), 30);
    cr_expect_eq(answer_integer(&answer, "turn_seconds.values.1"), 60);
    cr_expect_eq(answer_integer(&answer, "turn_seconds.default"), 60);
    answer_free(&answer);
    client_free(client);
    process_free(server);
}

/* The reasons that the vectors of illegal moves lead to are all listed. */
Test(scenario_rulesets, every_reason_that_the_rules_give_is_listed)
{
    static char line[1 << 16];
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct answer answer = get(client, "/v1/rulesets", "Accept-Language: es");
    json_t *reasons = answer_at(&answer, "games.0.illegal_reasons");
    const struct game_rules *rules = rules_find("hasami");
    FILE *file = fopen("tests/data/hasami.illegal.jsonl", "r");
    size_t looked = 0;
    cr_assert_not_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        json_t *vector = json_loads(line, 0, NULL);
        const char *text = json_string_value(json_object_get(vector, "position"));
        const char *written = json_string_value(json_object_get(vector, "move"));
        struct game_options options;
        struct position position;
        struct text_error error;
        struct illegal why = {0};
        struct move move;
        options_default(rules, &options);
        if (written != NULL &&
            rules->parse_position(text, strlen(text), &options, &position, &error)) {
            why.reason = rules->parse_move(written, strlen(written), &move);
            bool legal = why.reason == ILLEGAL_NONE &&
                         rules->is_legal(&position, &options, NULL, move, &why);
            looked += why.reason != ILLEGAL_NONE;
            cr_expect(legal || why.reason == ILLEGAL_NONE ||
                          lists(reasons, illegal_reason_text(why.reason)),
                      "%s", illegal_reason_text(why.reason));
        }
        json_decref(vector);
    }
    cr_expect_gt(looked, 20);
    (void)fclose(file);
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
