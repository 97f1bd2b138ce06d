#include "tests/support/contract.h"
#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct table {
    struct process *server;
    struct device *a;
    struct device *b;
    struct pairing pairing;
    char moves[96]; /* the path */
};

static struct table table_new(void)
{
    struct table table = {.server = process_new(NULL)};
    table.a = device_new(table.server);
    table.b = device_new(table.server);
    table.pairing = device_pair(table.a, table.b);
    (void)snprintf(table.moves, sizeof table.moves, "/v1/games/%s/moves", table.pairing.game);
    return table;
}

static void table_free(struct table *table)
{
    device_free(table->a);
    device_free(table->b);
    process_free(table->server);
}

static struct answer post_move(struct table *table, struct device *device, const char *body)
{
    return client_post(device->client, table->moves, device->token, body);
}

Test(scenario_moves, a_repeat_is_the_same_answer_byte_for_byte_whatever_happened_since)
{
    struct table table = table_new();
    struct device *b = table.pairing.seats[0];
    struct answer first = expect(201, device_move(b, table.pairing.game, 1, "5i5e"));
    for (int i = 0; i < 3; i++) {
        struct answer again = expect(200, device_move(b, table.pairing.game, 1, "5i5e"));
        cr_assert_eq(again.length, first.length);
        cr_assert_arr_eq(again.text, first.text, first.length);
        answer_free(&again);
        if (i == 0) {
            struct answer other =
                expect(201, device_move(table.pairing.seats[1], table.pairing.game, 2, "1a1b"));
            answer_free(&other);
        }
        if (i == 1) {
            struct answer end = expect(200, device_resign(b, table.pairing.game));
            answer_free(&end);
        }
    }
    answer_free(&first);
    table_free(&table);
}

Test(scenario_moves, the_repeat_of_the_move_that_ended_the_game_has_the_result_in_it)
{
    static const char *const moves[] = {"5i5h", "5a5b", "5h5i", "5b5a", "5i5h", "5a5b",
                                        "5h5i", "5b5a", "5i5h", "5a5b", "5h5i", NULL};
    struct table table = table_new();
    device_play(&table.pairing, 1, moves);
    struct device *w = table.pairing.seats[1];
    struct answer first = expect(201, device_move(w, table.pairing.game, 12, "5b5a"));
    cr_assert_str_eq(answer_text(&first, "game.result.reason"), "repetition");
    struct answer again = expect(200, device_move(w, table.pairing.game, 12, "5b5a"));
    cr_assert_str_eq(again.text, first.text);
    answer_free(&first);
    answer_free(&again);
    /* A restart forgets every cache: the answer comes from the stored rows alone. */
    process_kill(table.server);
    process_start(table.server, NULL, NULL);
    struct client *client = client_new(table.server->origin);
    again =
        expect(200, client_post(client, table.moves, w->token, "{\"ply\":12,\"move\":\"5b5a\"}"));
    cr_assert_str_eq(answer_text(&again, "game.result.reason"), "repetition");
    answer_free(&again);
    client_free(client);
    table_free(&table);
}

Test(scenario_moves, refusals_come_in_their_order)
{
    struct table table = table_new();
    struct device *b = table.pairing.seats[0];
    struct device *w = table.pairing.seats[1];
    struct device *stranger = device_new(table.server);
    const char *nowhere = "/v1/games/g_00000000000000000000000000/moves";
    const char *good = "{\"ply\":1,\"move\":\"5i5e\"}";

    expect_problem(401, "unauthenticated", client_post(b->client, table.moves, NULL, "{"));
    expect_problem(401, "invalid-token", client_post(b->client, table.moves, "bzd_x", "{"));
    expect_problem(400, "malformed-json", client_post(b->client, nowhere, b->token, "{"));
    expect_problem(
        422, "unknown-field",
        client_post(b->client, nowhere, b->token, "{\"ply\":1,\"move\":\"5i5e\",\"x\":1}"));
    expect_problem(422, "invalid-field", client_post(b->client, nowhere, b->token, "{\"ply\":1}"));
    expect_problem(422, "invalid-field", post_move(&table, b, "{\"ply\":0,\"move\":\"5i5e\"}"));
    expect_problem(422, "invalid-field", post_move(&table, b, "{\"ply\":1.0,\"move\":\"5i5e\"}"));
    expect_problem(422, "invalid-field",
                   post_move(&table, b, "{\"ply\":2147483648,\"move\":\"5i5e\"}"));
    expect_problem(422, "invalid-field",
                   post_move(&table, b, "{\"ply\":1,\"move\":\"12345678901234567\"}"));
    expect_problem(404, "not-found", client_post(b->client, nowhere, b->token, good));
    expect_problem(404, "not-found", client_post(b->client, "/v1/games/x/moves", b->token, good));
    expect_problem(403, "not-your-seat",
                   client_post(b->client, table.moves, stranger->token, good));
    expect_problem(409, "stale-ply", post_move(&table, w, "{\"ply\":2,\"move\":\"5a5b\"}"));
    expect_problem(409, "not-your-turn", post_move(&table, w, good));
    expect_problem(422, "illegal-move", post_move(&table, b, "{\"ply\":1,\"move\":\"5i4h\"}"));

    struct answer answer = expect(201, post_move(&table, b, good));
    answer_free(&answer);
    expect_problem(409, "stale-ply", post_move(&table, b, "{\"ply\":1,\"move\":\"5i5d\"}"));
    expect_problem(409, "stale-ply", post_move(&table, w, "{\"ply\":1,\"move\":\"5i5e\"}"));
    expect_problem(409, "not-your-turn", post_move(&table, b, "{\"ply\":2,\"move\":\"zz\"}"));
    answer = expect(200, device_resign(b, table.pairing.game));
    answer_free(&answer);
    answer = expect(200, post_move(&table, b, good));
    answer_free(&answer);
    expect_problem(409, "game-over", post_move(&table, w, "{\"ply\":2,\"move\":\"zz\"}"));
    expect_problem(409, "game-over", post_move(&table, w, "{\"ply\":7,\"move\":\"5a5b\"}"));
    device_free(stranger);
    table_free(&table);
}

/* Every reason that hasami has, in the position after the first plies of the test below. */
static const struct {
    const char *move;
    const char *reason;
    const char *squares; /* NULL: none explains it */
} illegal_moves[] = {
    {"zz",    "syntax",         NULL             },
    {"",      "syntax",         NULL             },
    {"5i5h+", "syntax",         NULL             },
    {"0i5h",  "off-board",      NULL             },
    {"5i5j",  "off-board",      NULL             },
    {"5d5c",  "no-piece",       "[\"5d\"]"       },
    {"5d5d",  "no-piece",       "[\"5d\"]"       },
    {"5a5b",  "not-your-piece", "[\"5a\"]"       },
    {"6i6i",  "no-move",        NULL             },
    {"6i5h",  "bad-geometry",   NULL             },
    {"6i7i",  "own-piece",      "[\"7i\"]"       },
    {"6i2i",  "own-piece",      "[\"2i\"]"       },
    {"6i6a",  "occupied",       "[\"6a\"]"       },
    {"5e5a",  "occupied",       "[\"5a\"]"       },
    {"9e1e",  "blocked",        "[\"5e\",\"4e\"]"},
    {"9e1e",  "blocked",        "[\"5e\",\"4e\"]"},
};

static void expect_illegal(struct table *table, size_t i)
{
    struct device *b = table->pairing.seats[0];
    struct answer answer =
        expect(422, device_move(b, table->pairing.game, 7, illegal_moves[i].move));
    char *squares = json_dumps(answer_at(&answer, "squares"), JSON_COMPACT);
    cr_expect_str_eq(answer_text(&answer, "code"), "illegal-move");
    cr_expect_str_eq(answer_text(&answer, "reason"), illegal_moves[i].reason, "%s",
                     illegal_moves[i].move);
    cr_expect_eq(answer_integer(&answer, "current.ply"), 6);
    cr_expect_str_eq(answer_text(&answer, "current.turn"), "b");
    cr_expect_eq(squares == NULL, illegal_moves[i].squares == NULL, "%s", illegal_moves[i].move);
    if (squares != NULL && illegal_moves[i].squares != NULL) {
        cr_expect_str_eq(squares, illegal_moves[i].squares, "%s", illegal_moves[i].move);
    }
    free(squares);
    answer_free(&answer);
}

Test(scenario_moves, an_illegal_move_says_why_and_where)
{
    static const char *const plies[] = {"5i5e", "1a1b", "4i4e", "1b1a", "9i9e", "1a1b", NULL};
    struct table table = table_new();
    device_play(&table.pairing, 1, plies);
    for (size_t i = 0; i < sizeof illegal_moves / sizeof illegal_moves[0]; i++) {
        expect_illegal(&table, i);
    }
    table_free(&table);
}

/* --- many at once --------------------------------------------------------------------------------
 */

struct racer {
    pthread_t thread;
    const struct process *server;
    const char *path;
    const char *token;
    char body[64];
    struct answer answer;
};

static void *race(void *context)
{
    struct racer *racer = context;
    struct client *client = client_new(racer->server->origin);
    racer->answer = client_post(client, racer->path, racer->token, racer->body);
    client_free(client);
    return NULL;
}

enum { RACERS = 100 };

static void race_all(struct racer *racers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(pthread_create(&racers[i].thread, NULL, race, &racers[i]), 0);
    }
    for (size_t i = 0; i < count; i++) {
        (void)pthread_join(racers[i].thread, NULL);
    }
}

Test(scenario_moves, a_hundred_identical_moves_are_one_move_and_a_hundred_equal_answers)
{
    static struct racer racers[RACERS];
    struct table table = table_new();
    size_t created = 0;
    (void)contract();
    for (size_t i = 0; i < RACERS; i++) {
        racers[i] = (struct racer){.server = table.server,
                                   .path = table.moves,
                                   .token = table.pairing.seats[0]->token,
                                   .body = "{\"ply\":1,\"move\":\"5i5e\"}"};
    }
    race_all(racers, RACERS);
    for (size_t i = 0; i < RACERS; i++) {
        cr_assert(racers[i].answer.status == 201 || racers[i].answer.status == 200);
        created += racers[i].answer.status == 201;
        cr_assert_str_eq(racers[i].answer.text, racers[0].answer.text);
    }
    cr_assert_eq(created, 1);
    for (size_t i = 0; i < RACERS; i++) {
        answer_free(&racers[i].answer);
    }
    table_free(&table);
}

/* To a position with over a hundred moves: at the start there are 63. */
static const char *const opening[] = {"2i2b", "5a5b", "3i3c", "5b5a", "4i4d",
                                      "5a5b", "5i5e", "5b5a", NULL};

Test(scenario_moves, of_a_hundred_different_legal_moves_of_one_ply_exactly_one_is_made)
{
    static struct racer racers[RACERS];
    struct table table = table_new();
    size_t created = 0;
    char path[128];
    device_play(&table.pairing, 1, opening);
    (void)snprintf(path, sizeof path, "/v1/games/%s/legal-moves", table.pairing.game);
    struct answer legal = expect(200, client_get(table.a->client, path, NULL));
    cr_assert_geq(json_array_size(answer_at(&legal, "moves")), RACERS);
    for (size_t i = 0; i < RACERS; i++) {
        racers[i] = (struct racer){
            .server = table.server, .path = table.moves, .token = table.pairing.seats[0]->token};
        (void)snprintf(racers[i].body, sizeof racers[i].body, "{\"ply\":9,\"move\":\"%s\"}",
                       json_string_value(json_array_get(answer_at(&legal, "moves"), i)));
    }
    race_all(racers, RACERS);
    for (size_t i = 0; i < RACERS; i++) {
        if (racers[i].answer.status == 201) {
            created++;
            answer_free(&racers[i].answer);
        } else {
            expect_problem(409, "stale-ply", racers[i].answer);
        }
    }
    cr_assert_eq(created, 1);
    answer_free(&legal);
    table_free(&table);
}

Test(scenario_moves, when_both_submit_at_the_same_instant_exactly_one_is_on_turn)
{
    static struct racer racers[2];
    struct table table = table_new();
    (void)contract();
    for (size_t i = 0; i < 2; i++) {
        racers[i] = (struct racer){
            .server = table.server, .path = table.moves, .token = table.pairing.seats[i]->token};
        (void)snprintf(racers[i].body, sizeof racers[i].body, "{\"ply\":1,\"move\":\"%s\"}",
                       i == 0 ? "5i5e" : "5a5e");
    }
    race_all(racers, 2);
    cr_assert_eq(racers[0].answer.status, 201);
    cr_assert_eq(racers[1].answer.status, 409);
    cr_assert(strcmp(answer_text(&racers[1].answer, "code"), "not-your-turn") == 0 ||
              strcmp(answer_text(&racers[1].answer, "code"), "stale-ply") == 0);
    answer_free(&racers[0].answer);
    answer_free(&racers[1].answer);
    table_free(&table);
}

/* --- reading -------------------------------------------------------------------------------------
 */

Test(scenario_moves, moves_are_listed_oldest_first_and_by_pages)
{
    static const char *const moves[] = {"5i5e", "5a5d", "4i4d", "1a1b", "6i6d", NULL};
    struct table table = table_new();
    char path[256];
    device_play(&table.pairing, 1, moves);
    (void)snprintf(path, sizeof path, "%s?limit=2&after=1", table.moves);
    struct answer page = expect(200, client_get(table.a->client, path, NULL));
    cr_assert_eq(answer_integer(&page, "items.0.ply"), 2);
    cr_assert_str_eq(answer_text(&page, "items.1.move"), "4i4d");
    (void)snprintf(path, sizeof path, "%s?limit=2&after=1&cursor=%s", table.moves,
                   answer_text(&page, "next_cursor"));
    answer_free(&page);
    page = expect(200, client_get(table.a->client, path, NULL));
    cr_assert_eq(answer_integer(&page, "items.0.ply"), 4);
    cr_assert_str_eq(answer_text(&page, "items.1.captured.0"), "5d");
    cr_assert(json_is_null(answer_at(&page, "next_cursor")));
    answer_free(&page);
    (void)snprintf(path, sizeof path, "%s?cursor=%064d", table.moves, 0);
    expect_problem(400, "invalid-cursor", client_get(table.a->client, path, NULL));
    table_free(&table);
}

Test(scenario_moves, legal_moves_are_listed_whole_and_from_a_square)
{
    struct table table = table_new();
    char path[128];
    (void)snprintf(path, sizeof path, "/v1/games/%s/legal-moves", table.pairing.game);
    struct answer answer = expect(200, client_get(table.a->client, path, NULL));
    cr_assert_eq(json_array_size(answer_at(&answer, "moves")), 63);
    cr_assert_str_eq(answer_text(&answer, "moves.0"), "1i1b");
    answer_free(&answer);
    (void)snprintf(path, sizeof path, "/v1/games/%s/legal-moves?from=5i", table.pairing.game);
    answer = expect(200, client_get(table.a->client, path, NULL));
    cr_assert_eq(json_array_size(answer_at(&answer, "moves")), 7);
    answer_free(&answer);
    (void)snprintf(path, sizeof path, "/v1/games/%s/legal-moves?from=5j", table.pairing.game);
    expect_problem(400, "invalid-parameter", client_get(table.a->client, path, NULL));
    (void)snprintf(path, sizeof path, "/v1/games/%s?include=legal_moves", table.pairing.game);
    answer = expect(200, client_get(table.a->client, path, NULL));
    cr_assert_eq(json_array_size(answer_at(&answer, "legal_moves")), 63);
    answer_free(&answer);
    table_free(&table);
}
