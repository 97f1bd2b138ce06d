#include "tests/support/party.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* A table's rules: what it begins with, what the host may make of them, and what not. */

Test(scenario_tables, a_new_table_has_the_defaults_and_a_host_without_a_seat)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct answer answer =
        expect(201, client_post(host->client, "/v1/tables", host->token, "{\"game\":\"hasami\"}"));
    char location[96] = "";
    char expected[96];
    (void)snprintf(expected, sizeof expected, "/v1/tables/%s", answer_text(&answer, "id"));
    cr_expect(answer_header(&answer, "Location", location, sizeof location));
    cr_expect_str_eq(location, expected);
    cr_expect_str_eq(answer_text(&answer, "game"), "hasami");
    cr_expect_str_eq(answer_text(&answer, "options.win_condition"), "capture_5");
    cr_expect_eq(answer_integer(&answer, "options.move_limit"), 2000);
    cr_expect_eq(answer_integer(&answer, "turn_seconds"), 0);
    cr_expect(json_is_true(answer_at(&answer, "show_legal_moves")));
    cr_expect(json_is_true(answer_at(&answer, "rotate_first")));
    cr_expect(json_is_false(answer_at(&answer, "rated")));
    cr_expect(json_is_false(answer_at(&answer, "public")));
    cr_expect_str_eq(answer_text(&answer, "status"), "open");
    cr_expect_str_eq(answer_text(&answer, "host_player_id"), host->player);
    cr_expect_str_eq(answer_text(&answer, "members.0.id"), host->player);
    cr_expect(json_is_null(answer_at(&answer, "seats.0.player")));
    cr_expect(json_is_null(answer_at(&answer, "seats.1.player")));
    cr_expect(json_is_null(answer_at(&answer, "game_id")));
    cr_expect_eq(json_array_size(answer_at(&answer, "games")), 0);
    answer_free(&answer);
    device_free(host);
    process_free(server);
}

Test(scenario_tables, every_option_of_both_games_may_be_chosen)
{
    static const struct {
        const char *body;
        const char *path;
        const char *value;
    } cases[] = {
        {"{\"game\":\"hasami\",\"options\":{\"win_condition\":\"lead_3\"}}",
         "options.win_condition",                                                                   "lead_3"     },
        {"{\"game\":\"hasami\",\"options\":{\"win_condition\":\"capture_all\"}}",
         "options.win_condition",                                                                   "capture_all"},
        {"{\"game\":\"yonin\",\"options\":{\"format\":\"pairs\"}}",               "options.format", "pairs"      },
        {"{\"game\":\"yonin\",\"options\":{\"ending\":\"last_survivor\"}}",       "options.ending",
         "last_survivor"                                                                                         },
        {"{\"game\":\"yonin\",\"options\":{\"orphaned_pieces\":\"ownerless\"}}",
         "options.orphaned_pieces",                                                                 "ownerless"  },
    };
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct party party = party_open(host, cases[i].body);
        struct answer answer = expect(200, party_get(host, &party, ""));
        cr_expect_str_eq(answer_text(&answer, cases[i].path), cases[i].value, "%s", cases[i].body);
        answer_free(&answer);
        answer = expect(204, party_post(host, &party, "/leave", NULL));
        answer_free(&answer);
    }
    device_free(host);
    process_free(server);
}

Test(scenario_tables, a_move_limit_goes_from_one_to_the_end_and_none_is_the_end)
{
    static const struct {
        long limit;
        long stored; /* 0: refused */
    } cases[] = {
        {0,    2000},
        {1,    1   },
        {1999, 1999},
        {2000, 2000},
        {2001, 0   },
        {-1,   0   },
    };
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct party party = party_open(host, "{\"game\":\"yonin\"}");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char body[64];
        (void)snprintf(body, sizeof body, "{\"options\":{\"move_limit\":%ld}}", cases[i].limit);
        struct answer answer = party_change(host, &party, body);
        if (cases[i].stored == 0) {
            cr_expect_eq(answer.status, 422, "%s: %ld", body, answer.status);
            cr_expect_str_eq(answer_text(&answer, "errors.0.pointer"), "/options/move_limit");
            cr_expect_str_eq(answer_text(&answer, "errors.0.reason"), "out-of-range");
        } else {
            cr_expect_eq(answer.status, 200, "%s: %ld", body, answer.status);
            cr_expect_eq(answer_integer(&answer, "options.move_limit"), cases[i].stored);
        }
        answer_free(&answer);
    }
    device_free(host);
    process_free(server);
}

Test(scenario_tables, what_no_table_can_be_is_refused_by_name)
{
    static const struct {
        const char *body;
        const char *code;
        const char *pointer;
        const char *reason;
    } cases[] = {
        {"{}",                                                                              "invalid-field",     "/game",                                          "required"                 },
        {"{\"game\":\"chess\"}",                                                            "invalid-field",     "/game",                                          "unknown-game"             },
        {"{\"game\":7}",                                                                    "invalid-field",     "/game",                                          "not-a-string"             },
        {"{\"game\":\"hasami\",\"komi\":6}",                                                "unknown-field",     "/komi",                                          "unknown"                  },
        {"{\"game\":\"hasami\",\"turn_seconds\":45}",                                       "invalid-field",     "/turn_seconds",
         "not-offered"                                                                                                                                                                        },
        {"{\"game\":\"hasami\",\"turn_seconds\":3601}",                                     "invalid-field",     "/turn_seconds",
         "out-of-range"                                                                                                                                                                       },
        {"{\"game\":\"hasami\",\"turn_seconds\":30.0}",                                     "invalid-field",     "/turn_seconds",
         "not-an-integer"                                                                                                                                                                     },
        {"{\"game\":\"hasami\",\"options\":[]}",                                            "invalid-field",     "/options",                                       "not-an-object"            },
        {"{\"game\":\"hasami\",\"options\":{\"format\":\"pairs\"}}",                        "unknown-field",
         "/options/format",                                                                                                                                        "unknown"                  },
        {"{\"game\":\"hasami\",\"options\":{\"a/b~c\":1}}",                                 "unknown-field",     "/options/a~1b~0c",
         "unknown"                                                                                                                                                                            },
        {"{\"game\":\"hasami\",\"options\":{\"an_option_that_no_game_will_ever_have\":1}}",
         "unknown-field",                                                                                        "/options/an_option_that_no_game_will_ever_have", "unknown"                  },
        {"{\"game\":\"hasami\",\"options\":{\"win_condition\":\"capture_6\"}}",             "invalid-field",
         "/options/win_condition",                                                                                                                                 "not-offered"              },
        {"{\"game\":\"hasami\",\"options\":{\"win_condition\":5}}",                         "invalid-field",
         "/options/win_condition",                                                                                                                                 "not-a-string"             },
        {"{\"game\":\"hasami\",\"options\":{\"win_condition\":null}}",                      "invalid-field",
         "/options/win_condition",                                                                                                                                 "not-a-word-or-integer"    },
        {"{\"game\":\"hasami\",\"options\":{\"move_limit\":\"300\"}}",                      "invalid-field",
         "/options/move_limit",                                                                                                                                    "not-an-integer"           },
        {"{\"game\":\"hasami\",\"options\":{\"move_limit\":300.0}}",                        "invalid-field",
         "/options/move_limit",                                                                                                                                    "not-a-word-or-integer"    },
        {"{\"game\":\"hasami\",\"rated\":1}",                                               "invalid-field",     "/rated",                                         "not-a-boolean"            },
        {"{\"game\":\"hasami\",\"rated\":true}",                                            "rated-needs-clock", "/rated",
         "rated-needs-clock"                                                                                                                                                                  },
        {"{\"game\":\"hasami\",\"rated\":true,\"public\":true}",                            "rated-needs-clock", "/rated",
         "rated-needs-clock"                                                                                                                                                                  },
        {"{\"game\":\"hasami\",\"rated\":true,\"turn_seconds\":30}",                        "invalid-field",     "/rated",
         "rated-needs-public"                                                                                                                                                                 },
        {"{\"game\":\"hasami\",\"rated\":true,\"turn_seconds\":30,\"public\":true,"
         "\"options\":{\"move_limit\":1999}}",                                     "invalid-field",     "/rated",                                         "rated-needs-default-rules"},
    };
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer answer = client_post(host->client, "/v1/tables", host->token, cases[i].body);
        cr_expect_eq(answer.status, 422, "%s: %ld", cases[i].body, answer.status);
        cr_expect_str_eq(answer_text(&answer, "code"), cases[i].code, "%s", cases[i].body);
        cr_expect_str_eq(answer_text(&answer, "errors.0.pointer"), cases[i].pointer);
        cr_expect_str_eq(answer_text(&answer, "errors.0.reason"), cases[i].reason, "%s",
                         cases[i].body);
        answer_free(&answer);
    }
    struct answer answer =
        expect(200, client_get(host->client, "/v1/tables?mine=true", host->token));
    cr_expect_eq(json_array_size(answer_at(&answer, "items")), 0, "a refusal leaves nothing");
    answer_free(&answer);
    device_free(host);
    process_free(server);
}

/* Each pool's rules, a limit of 0 and one of 2000 being the same. */
Test(scenario_tables, a_table_with_a_pools_rules_a_clock_and_people_may_be_rated)
{
    static const char *const bodies[] = {
        "{\"game\":\"hasami\",\"rated\":true,\"turn_seconds\":30,\"public\":true}",
        "{\"game\":\"yonin\",\"rated\":true,\"turn_seconds\":60,\"public\":true,"
        "\"options\":{\"move_limit\":0}}",
        "{\"game\":\"yonin\",\"rated\":true,\"turn_seconds\":60,\"public\":true,"
        "\"options\":{\"move_limit\":2000,\"format\":\"pairs\"}}",
    };
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        struct party party = party_open(host, bodies[i]);
        struct answer answer = expect(200, party_get(host, &party, ""));
        cr_expect(json_is_true(answer_at(&answer, "rated")), "%s", bodies[i]);
        answer_free(&answer);
    }
    device_free(host);
    process_free(server);
}

Test(scenario_tables, a_rated_table_stays_what_it_must_be)
{
    static const struct {
        const char *body;
        const char *code;
        const char *pointer;
    } cases[] = {
        {"{\"public\":false}",                           "invalid-field",     "/public"      },
        {"{\"turn_seconds\":0}",                         "rated-needs-clock", "/turn_seconds"},
        {"{\"options\":{\"win_condition\":\"lead_3\"}}", "invalid-field",     "/options"     },
        {"{\"rated\":true,\"public\":false}",            "invalid-field",     "/rated"       },
    };
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct party party = party_open(
        host, "{\"game\":\"hasami\",\"rated\":true,\"turn_seconds\":30,\"public\":true}");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct answer answer = expect(422, party_change(host, &party, cases[i].body));
        cr_expect_str_eq(answer_text(&answer, "code"), cases[i].code, "%s", cases[i].body);
        cr_expect_str_eq(answer_text(&answer, "errors.0.pointer"), cases[i].pointer);
        answer_free(&answer);
    }
    struct answer answer = expect(422, party_post(host, &party, "/seats/b", "{\"cpu_level\":3}"));
    cr_expect_str_eq(answer_text(&answer, "errors.0.reason"), "rated-needs-people-only");
    answer_free(&answer);
    answer = expect(200, party_change(host, &party, "{\"rated\":false,\"public\":false}"));
    cr_expect(json_is_false(answer_at(&answer, "rated")));
    answer_free(&answer);
    party_sit_cpu(host, &party, 'b', 3);
    answer = expect(422, party_change(host, &party, "{\"rated\":true,\"public\":true}"));
    cr_expect_str_eq(answer_text(&answer, "errors.0.reason"), "rated-needs-people-only");
    answer_free(&answer);
    device_free(host);
    process_free(server);
}

Test(scenario_tables, new_rules_are_merged_key_by_key)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct party party = party_open(host, "{\"game\":\"yonin\",\"turn_seconds\":30,"
                                          "\"options\":{\"ending\":\"last_survivor\"}}");
    struct answer answer = expect(200, party_change(host, &party,
                                                    "{\"options\":{\"move_limit\":300},"
                                                    "\"show_legal_moves\":false}"));
    cr_expect_str_eq(answer_text(&answer, "options.ending"), "last_survivor");
    cr_expect_eq(answer_integer(&answer, "options.move_limit"), 300);
    cr_expect_eq(answer_integer(&answer, "turn_seconds"), 30);
    cr_expect(json_is_false(answer_at(&answer, "show_legal_moves")));
    answer_free(&answer);
    answer = expect(200, party_change(host, &party,
                                      "{\"options\":{\"move_limit\":0},\"rotate_first\":false,"
                                      "\"turn_seconds\":0,\"public\":true}"));
    cr_expect_str_eq(answer_text(&answer, "options.ending"), "last_survivor");
    cr_expect_eq(answer_integer(&answer, "options.move_limit"), 2000);
    cr_expect_eq(answer_integer(&answer, "turn_seconds"), 0);
    cr_expect(json_is_false(answer_at(&answer, "show_legal_moves")));
    cr_expect(json_is_false(answer_at(&answer, "rotate_first")));
    cr_expect(json_is_true(answer_at(&answer, "public")));
    answer_free(&answer);
    answer = expect(422, party_change(host, &party, "{\"game\":\"hasami\"}"));
    cr_expect_str_eq(answer_text(&answer, "code"), "unknown-field");
    answer_free(&answer);
    device_free(host);
    process_free(server);
}

/* Half of a change is none. */
Test(scenario_tables, a_change_that_is_refused_changes_nothing)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    struct answer before = expect(200, party_get(host, &party, ""));
    expect_problem(422, "invalid-field",
                   party_change(host, &party,
                                "{\"public\":true,\"options\":{\"move_limit\":7,"
                                "\"win_condition\":\"none\"}}"));
    struct answer after = expect(200, party_get(host, &party, ""));
    cr_expect_str_eq(after.text, before.text);
    answer_free(&before);
    answer_free(&after);
    device_free(host);
    process_free(server);
}

Test(scenario_tables, only_offered_turn_times_may_be_chosen)
{
    static const char *const arguments[] = {"--turn-seconds", "20,40", NULL};
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    struct device *host = device_new(server);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    struct answer answer = expect(200, party_get(host, &party, ""));
    cr_expect_eq(answer_integer(&answer, "turn_seconds"), 40, "without 0, what a ticket gets");
    answer_free(&answer);
    expect_problem(422, "invalid-field", party_change(host, &party, "{\"turn_seconds\":0}"));
    expect_problem(422, "invalid-field", party_change(host, &party, "{\"turn_seconds\":30}"));
    answer = expect(200, party_change(host, &party, "{\"turn_seconds\":20}"));
    answer_free(&answer);
    device_free(host);
    process_free(server);
}

Test(scenario_tables, only_the_host_changes_the_rules)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct device *guest = device_new(server);
    struct device *stranger = device_new(server);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    party_join(guest, &party);
    expect_problem(403, "not-the-host", party_change(guest, &party, "{\"public\":true}"));
    expect_problem(404, "not-found", party_change(stranger, &party, "{\"public\":true}"));
    expect_problem(403, "not-the-host", party_post(guest, &party, "/start", NULL));
    struct answer answer = expect(200, party_change(host, &party, "{\"public\":true}"));
    answer_free(&answer);
    expect_problem(403, "not-the-host", party_change(stranger, &party, "{\"public\":false}"));
    expect_problem(403, "not-the-host", party_post(stranger, &party, "/start", NULL));
    device_free(host);
    device_free(guest);
    device_free(stranger);
    process_free(server);
}

/* The same request again, with its key, is the same table. */
Test(scenario_tables, a_table_is_opened_once_by_a_key)
{
    static const char body[] = "{\"game\":\"hasami\"}";
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct answer first = expect(
        201, client_post_keyed(host->client, "/v1/tables", host->token, "key-of-a-table", body));
    struct answer again = expect(
        201, client_post_keyed(host->client, "/v1/tables", host->token, "key-of-a-table", body));
    cr_expect_str_eq(again.text, first.text);
    cr_expect(answer_replayed(&again));
    answer_free(&first);
    answer_free(&again);
    first = expect(200, client_get(host->client, "/v1/tables?mine=true", host->token));
    cr_expect_eq(json_array_size(answer_at(&first, "items")), 1);
    answer_free(&first);
    device_free(host);
    process_free(server);
}
