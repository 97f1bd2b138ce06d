#include "api/json_engine.h"
#include "tests/support/device.h"
#include "tests/support/games.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records of real games: the three forms say the same, and anybody can play them again. */

struct table {
    struct process *server;
    struct device *a;
    struct device *b;
    struct pairing pairing;
    char path[96];
};

static struct table table_new(void)
{
    struct table table = {.server = process_new(NULL)};
    table.a = device_new(table.server);
    table.b = device_new(table.server);
    table.pairing = device_pair(table.a, table.b);
    (void)snprintf(table.path, sizeof table.path, "/v1/games/%s/record", table.pairing.game);
    return table;
}

static void table_free(struct table *table)
{
    device_free(table->a);
    device_free(table->b);
    process_free(table->server);
}

static struct answer get(const struct table *table, const char *accept)
{
    return client_send(table->a->client,
                       &(struct call){.method = "GET", .path = table->path, .header = accept});
}

static void expect_header(const struct answer *answer, const char *name, const char *expected)
{
    char value[128];
    cr_assert(answer_header(answer, name, value, sizeof value), "%s", name);
    cr_expect_str_eq(value, expected);
}

/* A man of b is taken at 5d, then w gives up. */
static const char *const opening[] = {"5i5e", "6a6d", "5e5d", "4a4d", NULL};

static void play(struct table *table)
{
    device_play(&table->pairing, 1, opening);
    struct answer answer = expect(200, device_resign(table->pairing.seats[1], table->pairing.game));
    answer_free(&answer);
}

/* What the rules themselves say of the record's moves from its start with its options. */
static void expect_replayable(const struct answer *record)
{
    json_t *question = json_object();
    json_t *texts = json_array();
    size_t index = 0;
    json_t *move = NULL;
    json_object_set_new(question, "op", json_string("play"));
    json_object_set(question, "game", answer_at(record, "game"));
    json_object_set(question, "options", answer_at(record, "options"));
    json_object_set(question, "position", answer_at(record, "start"));
    json_array_foreach(answer_at(record, "moves"), index, move)
    {
        json_array_append(texts, json_object_get(move, "move"));
    }
    json_object_set_new(question, "moves", texts);
    char *line = json_dumps(question, JSON_COMPACT);
    char *text = engine_answer(line, strlen(line));
    json_t *answer = json_loads(text, 0, NULL);
    json_t *positions = json_object_get(answer, "positions");
    json_array_foreach(answer_at(record, "moves"), index, move)
    {
        cr_expect(json_equal(json_object_get(move, "captured"),
                             json_array_get(json_object_get(answer, "captured"), index)));
    }
    cr_expect_eq(json_array_size(positions), json_array_size(texts));
    cr_expect(json_equal(json_array_get(positions, json_array_size(positions) - 1),
                         answer_at(record, "position")));
    json_decref(answer);
    free(text);
    free(line);
    json_decref(question);
}

Test(scenario_records, a_record_is_enough_to_play_the_game_again)
{
    struct table table = table_new();
    play(&table);
    struct answer record = expect(200, get(&table, NULL));
    cr_expect_str_eq(answer_text(&record, "seats.0.player_id"), table.pairing.seats[0]->player);
    cr_expect_str_eq(answer_text(&record, "moves.3.captured.0"), "5d");
    cr_expect_str_eq(answer_text(&record, "reason"), "resign");
    cr_expect_str_eq(answer_text(&record, "resigned"), "w");
    cr_expect_eq(answer_integer(&record, "places.0"), 1);
    cr_expect_null(strstr(record.text, "\"name\""));
    cr_expect_null(strstr(record.text, "rating"));
    expect_replayable(&record);
    answer_free(&record);
    table_free(&table);
}

/* The same members, but for `type`, wherever they stand. */
static void expect_in_document(const struct answer *document, json_t *line, size_t move)
{
    const char *key = NULL;
    json_t *value = NULL;
    const char *type = json_string_value(json_object_get(line, "type"));
    json_t *same = strcmp(type, "move") == 0 ? json_array_get(answer_at(document, "moves"), move)
                                             : document->body;
    json_object_foreach(line, key, value)
    {
        cr_expect(strcmp(key, "type") == 0 || json_equal(value, json_object_get(same, key)), "%s",
                  key);
    }
}

Test(scenario_records, accept_chooses_one_of_three_forms_of_the_same)
{
    struct table table = table_new();
    size_t lines = 0;
    play(&table);
    struct answer document = expect(200, get(&table, "Accept: application/json"));
    struct answer stream = expect(200, get(&table, "Accept: application/x-ndjson"));
    struct answer text = expect(200, get(&table, "Accept: text/plain"));
    cr_expect_str_eq(document.content_type, "application/json");
    cr_expect_str_eq(stream.content_type, "application/x-ndjson");
    cr_expect_str_eq(text.content_type, "text/plain; charset=utf-8");
    for (char *at = strtok(stream.text, "\n"); at != NULL; at = strtok(NULL, "\n"), lines++) {
        json_t *line = json_loads(at, 0, NULL);
        expect_in_document(&document, line, lines - 1);
        json_decref(line);
    }
    cr_expect_eq(lines, 6);
    for (size_t i = 0; opening[i] != NULL; i++) {
        char start[32];
        (void)snprintf(start, sizeof start, "\n%5zu %c    %s ", i + 1, "bw"[i % 2], opening[i]);
        cr_expect_not_null(strstr(text.text, start), "%s", text.text);
    }
    cr_expect_not_null(strstr(text.text, " 5d\n\nstatus: finished\n"));
    answer_free(&document);
    answer_free(&stream);
    answer_free(&text);
    expect_problem(406, "not-acceptable", get(&table, "Accept: text/html"));
    expect_problem(406, "not-acceptable", get(&table, "Accept: text/plain;q=0"));
    table_free(&table);
}

Test(scenario_records, the_record_of_an_ended_game_never_changes_again)
{
    static const char *const forms[] = {"Accept: application/json", "Accept: application/x-ndjson",
                                        "Accept: text/plain"};
    struct table table = table_new();
    struct answer before[3];
    struct answer running = expect(200, get(&table, NULL));
    expect_header(&running, "Cache-Control", "no-cache");
    cr_expect_str_eq(answer_text(&running, "status"), "playing");
    cr_expect_eq(json_array_size(answer_at(&running, "moves")), 0);
    answer_free(&running);
    play(&table);
    for (size_t i = 0; i < 3; i++) {
        before[i] = expect(200, get(&table, forms[i]));
        expect_header(&before[i], "Cache-Control", "public, max-age=31536000, immutable");
        expect_header(&before[i], "Vary", "Accept, Accept-Encoding");
    }
    process_kill(table.server);
    process_start(table.server, NULL, NULL);
    device_reconnect(table.a, table.server);
    for (size_t i = 0; i < 3; i++) {
        struct answer after = expect(200, get(&table, forms[i]));
        cr_expect_eq(after.length, before[i].length);
        cr_expect_arr_eq(after.text, before[i].text, after.length);
        answer_free(&after);
        answer_free(&before[i]);
    }
    table_free(&table);
}

Test(scenario_records, a_replay_names_the_game_it_replays)
{
    struct table table = table_new();
    device_play(&table.pairing, 1, games_find("hasami")->repetition);
    struct answer game = device_game(table.a, table.pairing.game);
    struct answer record = expect(200, get(&table, NULL));
    cr_expect_eq(answer_integer(&record, "places.0"), 1);
    cr_expect_eq(answer_integer(&record, "places.1"), 1);
    cr_expect(json_is_null(answer_at(&record, "resigned")));
    expect_replayable(&record);
    answer_free(&record);
    (void)snprintf(table.path, sizeof table.path, "/v1/games/%s/record",
                   answer_text(&game, "replayed_by"));
    record = expect(200, get(&table, NULL));
    cr_expect_str_eq(answer_text(&record, "replay_of"), table.pairing.game);
    answer_free(&record);
    answer_free(&game);
    table_free(&table);
}

Test(scenario_records, what_is_no_game_has_no_record)
{
    struct table table = table_new();
    struct client *client = table.a->client;
    char path[128];
    expect_problem(404, "not-found", client_get(client, "/v1/games/x/record", NULL));
    expect_problem(404, "not-found",
                   client_get(client, "/v1/games/g_00000000000000000000000000/record", NULL));
    (void)snprintf(path, sizeof path, "%s?ply=1", table.path);
    expect_problem(400, "invalid-parameter", client_get(client, path, NULL));
    table_free(&table);
}

/* --- banzuke record --------------------------------------------------------------------------- */

static int run(const struct table *table, const char *arguments, char *output, size_t size)
{
    char line[256];
    (void)snprintf(line, sizeof line, "record %s %s", table->pairing.game, arguments);
    return process_run(table->server, line, output, size);
}

Test(scenario_records, the_command_prints_what_is_served_while_it_is_served)
{
    struct table table = table_new();
    char output[4096];
    play(&table);
    struct answer text = expect(200, get(&table, "Accept: text/plain"));
    cr_assert_eq(run(&table, "--db banzuke.db", output, sizeof output), 0, "%s", output);
    cr_expect_eq(strlen(output), text.length);
    cr_expect_arr_eq(output, text.text, text.length);
    answer_free(&text);
    table_free(&table);
}

Test(scenario_records, the_command_draws_any_position_of_the_game)
{
    struct table table = table_new();
    char output[4096];
    play(&table);
    cr_assert_eq(run(&table, "--board", output, sizeof output), 0, "%s", output);
    cr_expect_not_null(strstr(output, "\nafter ply 4 of 4: w 4a4d, takes 5d\n\n 9 8 7 6 5 4 3 2 1"
                                      "\n p p p . p . p p p  a\n"));
    cr_expect_not_null(strstr(output, "\nend: resign\n"));
    cr_assert_eq(run(&table, "--board --ply 1", output, sizeof output), 0, "%s", output);
    cr_expect_not_null(strstr(output, "\n . . . . P . . . .  e\n"));
    cr_expect_not_null(strstr(output, "\nto move: w\n"));
    cr_assert_eq(run(&table, "--ply 0 --board", output, sizeof output), 0, "%s", output);
    cr_expect_not_null(strstr(output, "\nbefore the first of 4 plies\n"));
    table_free(&table);
}

Test(scenario_records, the_command_says_what_is_wrong_with_its_exit_code)
{
    static const struct {
        const char *line; /* for a shell that knows $GAME */
        int code;
        const char *says;
    } cases[] = {
        {"record",                              64, "expected one game id"    },
        {"record $GAME $GAME",                  64, "expected one game id"    },
        {"record $GAME --ply 1",                64, "--ply needs --board"     },
        {"record $GAME --board --ply -1",       64, "not a number of plies"   },
        {"record $GAME --board --ply 1x",       64, "not a number of plies"   },
        {"record $GAME --nonsense",             64, "nonsense"                },
        {"record $GAME --board --ply 5",        65, "the game has 4 plies"    },
        {"record g_00000000000000000000000000", 65, "no such game"            },
        {"record g_1",                          65, "no such game"            },
        {"record $GAME --db log",               65, "log"                     },
        {"record $GAME --db nowhere.db",        73, "nowhere.db: no such file"},
        {"record $GAME > /dev/full",            74, ""                        },
        {"record --help",                       0,  "usage: banzuke record"   },
    };
    struct table table = table_new();
    char output[4096];
    play(&table);
    (void)setenv("GAME", table.pairing.game, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *line = cases[i].line;
        cr_expect_eq(process_run(table.server, line, output, sizeof output), cases[i].code, "%s",
                     line);
        cr_expect_not_null(strstr(output, cases[i].says), "%s: %s", line, output);
    }
    table_free(&table);
}
