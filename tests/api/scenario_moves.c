#include "tests/support/board.h"
#include "tests/support/contract.h"
#include "tests/support/each_game.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A submission of a seat, as it is answered. */
static struct answer submit(const struct board *board, size_t seat, unsigned ply, const char *move)
{
    return device_move(board->seats[seat], board->id, ply, move);
}

static void expect_same_bytes(const struct board *board, const struct answer *first,
                              struct answer again)
{
    cr_assert_eq(again.status, 200, "%s: %ld", board->game->pool, again.status);
    cr_assert_eq(again.length, first->length, "%s", board->game->pool);
    cr_assert_arr_eq(again.text, first->text, first->length);
    answer_free(&again);
}

TestEachGame(scenario_moves, a_repeat_is_the_same_answer_byte_for_byte_whatever_happened_since)
{
    const char *const *line = game->line;
    struct board board = board_begun(game);
    struct answer first = board_move(&board, line[0]);
    expect_same_bytes(&board, &first, submit(&board, 0, 1, line[0]));
    struct answer other = board_move(&board, line[1]);
    answer_free(&other);
    expect_same_bytes(&board, &first, submit(&board, 0, 1, line[0]));
    board_play(&board, line + 2);
    expect_same_bytes(&board, &first, submit(&board, 0, 1, line[0]));
    answer_free(&first);
    board_free(&board);
}

TestEachGame(scenario_moves, the_repeat_of_the_move_that_ended_the_game_has_the_result_in_it)
{
    struct board board = board_begun(game);
    struct answer first = board_finish(&board);
    const unsigned ply = game_plies(game->line);
    const size_t seat = game_seat_of(game, ply);
    cr_assert_str_eq(answer_text(&first, "game.result.reason"), game->end);
    cr_assert_eq(json_array_size(answer_at(&first, "game.result.ratings")), game_seat_count(game));
    expect_same_bytes(&board, &first, submit(&board, seat, ply, game->line[ply - 1]));
    /* A restart forgets every cache: the answer comes from the stored rows alone. */
    process_kill(board.server);
    board_restart(&board, NULL);
    expect_same_bytes(&board, &first, submit(&board, seat, ply, game->line[ply - 1]));
    answer_free(&first);
    board_free(&board);
}

/* --- refusals ------------------------------------------------------------------------------------
 */

static const char nowhere[] = "/v1/games/g_00000000000000000000000000/moves";

static struct answer post(const struct board *board, const char *path, const char *token,
                          const char *body)
{
    return client_post(board->devices[0]->client, path, token, body);
}

/* Before the game is looked up. */
static void expect_refusals_of_the_request(const struct board *board, const char *path)
{
    static const struct {
        const char *body;
        long status;
        const char *code;
    } cases[] = {
        {"{",                                          400, "malformed-json"},
        {"{\"ply\":1,\"move\":\"5i5e\",\"x\":1}",      422, "unknown-field" },
        {"{\"ply\":1}",                                422, "invalid-field" },
        {"{\"ply\":0,\"move\":\"5i5e\"}",              422, "invalid-field" },
        {"{\"ply\":1.0,\"move\":\"5i5e\"}",            422, "invalid-field" },
        {"{\"ply\":2147483648,\"move\":\"5i5e\"}",     422, "invalid-field" },
        {"{\"ply\":1,\"move\":\"12345678901234567\"}", 422, "invalid-field" },
    };
    const char *token = board->seats[0]->token;
    expect_problem(401, "unauthenticated", post(board, path, NULL, "{"));
    expect_problem(401, "invalid-token", post(board, path, "bzd_x", "{"));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_problem(cases[i].status, cases[i].code, post(board, path, token, cases[i].body));
    }
}

TestEachGame(scenario_moves, refusals_come_in_their_order)
{
    struct board board = board_begun(game);
    struct device *stranger = device_new(board.server);
    const char *token = board.seats[0]->token;
    char path[96];
    char good[64];
    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", board.id);
    (void)snprintf(good, sizeof good, "{\"ply\":1,\"move\":\"%s\"}", game->line[0]);
    expect_refusals_of_the_request(&board, nowhere);
    expect_refusals_of_the_request(&board, path);
    expect_problem(404, "not-found", post(&board, nowhere, token, good));
    expect_problem(404, "not-found", post(&board, "/v1/games/x/moves", token, good));
    expect_problem(403, "not-your-seat", post(&board, path, stranger->token, good));
    for (size_t seat = 1; seat < game_seat_count(game); seat++) {
        expect_problem(409, "stale-ply", submit(&board, seat, 2, game->detour[seat]));
        expect_problem(409, "not-your-turn", submit(&board, seat, 1, game->line[0]));
        expect_problem(409, "not-your-turn", submit(&board, seat, 1, game->detour[seat]));
    }
    expect_problem(422, "illegal-move", submit(&board, 0, 1, game->illegal.move));
    device_free(stranger);
    board_free(&board);
}

/* A move that was made is repeated only by who made it, and only word for word. */
TestEachGame(scenario_moves, what_has_been_made_refuses_all_but_its_repeat)
{
    struct board board = board_begun(game);
    struct device *stranger = device_new(board.server);
    struct answer first = board_move(&board, game->line[0]);
    expect_problem(409, "stale-ply", submit(&board, 0, 1, game->detour[0]));
    expect_problem(409, "not-your-turn", submit(&board, 0, 2, "zz"));
    for (size_t seat = 1; seat < game_seat_count(game); seat++) {
        expect_problem(409, "stale-ply", submit(&board, seat, 1, game->line[0]));
    }
    board_play(&board, game->line + 1);
    expect_same_bytes(&board, &first, submit(&board, 0, 1, game->line[0]));
    for (size_t seat = 0; seat < game_seat_count(game); seat++) {
        expect_problem(409, "game-over", submit(&board, seat, board.ply + 1, "zz"));
        expect_problem(409, "game-over", submit(&board, seat, board.ply + 7, game->line[0]));
        expect_problem(409, "game-over", submit(&board, seat, 1, game->detour[seat]));
    }
    expect_problem(403, "not-your-seat", device_move(stranger, board.id, 1, game->line[0]));
    answer_free(&first);
    device_free(stranger);
    board_free(&board);
}

/* --- many at once --------------------------------------------------------------------------------
 */

enum { RACERS = 100 };

struct racer {
    pthread_t thread;
    const struct process *server;
    const char *token;
    char path[96];
    char body[64];
    struct answer answer;
};

struct race {
    struct racer racers[RACERS];
    size_t count;
};

static void enter(struct race *race, const struct board *board, size_t seat, unsigned ply,
                  const char *move)
{
    cr_assert_lt(race->count, RACERS);
    struct racer *racer = &race->racers[race->count++];
    *racer = (struct racer){.server = board->server, .token = board->seats[seat]->token};
    (void)snprintf(racer->path, sizeof racer->path, "/v1/games/%s/moves", board->id);
    (void)snprintf(racer->body, sizeof racer->body, "{\"ply\":%u,\"move\":\"%s\"}", ply, move);
}

static void *run(void *context)
{
    struct racer *racer = context;
    struct client *client = client_new(racer->server->origin);
    racer->answer = client_post(client, racer->path, racer->token, racer->body);
    client_free(client);
    return NULL;
}

static void run_all(struct race *race)
{
    (void)contract();
    for (size_t i = 0; i < race->count; i++) {
        cr_assert_eq(pthread_create(&race->racers[i].thread, NULL, run, &race->racers[i]), 0);
    }
    for (size_t i = 0; i < race->count; i++) {
        (void)pthread_join(race->racers[i].thread, NULL);
    }
}

static void free_answers(struct race *race)
{
    for (size_t i = 0; i < race->count; i++) {
        answer_free(&race->racers[i].answer);
    }
}

static bool is_refused(const struct racer *racer, const char *code)
{
    return racer->answer.status == 409 && strcmp(answer_text(&racer->answer, "code"), code) == 0;
}

TestEachGame(scenario_moves, a_hundred_identical_moves_are_one_move_and_a_hundred_equal_answers)
{
    static struct race race;
    struct board board = board_begun(game);
    size_t created = 0;
    for (size_t i = 0; i < RACERS; i++) {
        enter(&race, &board, 0, 1, game->line[0]);
    }
    run_all(&race);
    for (size_t i = 0; i < RACERS; i++) {
        const struct answer *answer = &race.racers[i].answer;
        cr_assert(answer->status == 201 || answer->status == 200, "%s: %ld", game->pool,
                  answer->status);
        created += answer->status == 201;
        cr_assert_str_eq(answer->text, race.racers[0].answer.text);
    }
    cr_assert_eq(created, 1);
    free_answers(&race);
    board_free(&board);
}

TestEachGame(scenario_moves, of_a_hundred_different_legal_moves_of_one_ply_exactly_one_is_made)
{
    static struct race race;
    struct board board = board_begun(game);
    size_t created = 0;
    board_play(&board, game->opening);
    struct answer legal = expect(200, board_get(&board, "/legal-moves"));
    cr_assert_geq(json_array_size(answer_at(&legal, "moves")), RACERS, "%s", game->pool);
    for (size_t i = 0; i < RACERS; i++) {
        enter(&race, &board, board.turn, board.ply + 1,
              json_string_value(json_array_get(answer_at(&legal, "moves"), i)));
    }
    run_all(&race);
    for (size_t i = 0; i < RACERS; i++) {
        bool made = race.racers[i].answer.status == 201;
        cr_assert(made || is_refused(&race.racers[i], "stale-ply"), "%s: %ld", game->pool,
                  race.racers[i].answer.status);
        created += made;
    }
    cr_assert_eq(created, 1);
    free_answers(&race);
    answer_free(&legal);
    board_free(&board);
}

TestEachGame(scenario_moves, when_all_seats_submit_at_the_same_instant_exactly_one_is_on_turn)
{
    static struct race race;
    struct board board = board_begun(game);
    for (size_t seat = 0; seat < game_seat_count(game); seat++) {
        enter(&race, &board, seat, 1, game->detour[seat]);
    }
    run_all(&race);
    cr_assert_eq(race.racers[0].answer.status, 201);
    for (size_t seat = 1; seat < race.count; seat++) {
        cr_assert(is_refused(&race.racers[seat], "not-your-turn") ||
                      is_refused(&race.racers[seat], "stale-ply"),
                  "%s: %ld", game->pool, race.racers[seat].answer.status);
    }
    free_answers(&race);
    board_free(&board);
}

/* --- reading -------------------------------------------------------------------------------------
 */

/* Two by two, from the second move on, as somebody who does not play. */
TestEachGame(scenario_moves, moves_are_listed_oldest_first_and_by_pages)
{
    char below[192] = "/moves?limit=2&after=1";
    unsigned listed = 1;
    struct board board = board_begun(game);
    board_play(&board, game->line);
    while (listed < board.ply) {
        struct answer page = expect(200, board_get(&board, below));
        size_t index = 0;
        json_t *item = NULL;
        json_array_foreach(answer_at(&page, "items"), index, item)
        {
            const char seat[] = {game->seats[game_seat_of(game, ++listed)], '\0'};
            cr_assert_eq(json_integer_value(json_object_get(item, "ply")), listed);
            cr_assert_str_eq(json_string_value(json_object_get(item, "seat")), seat);
            cr_assert_str_eq(json_string_value(json_object_get(item, "move")),
                             game->line[listed - 1]);
        }
        cr_assert(index == 2 || listed == board.ply);
        cr_assert_eq(json_is_null(answer_at(&page, "next_cursor")), listed == board.ply);
        if (listed < board.ply) {
            (void)snprintf(below, sizeof below, "/moves?limit=2&after=1&cursor=%s",
                           answer_text(&page, "next_cursor"));
        }
        answer_free(&page);
    }
    (void)snprintf(below, sizeof below, "/moves?cursor=%064d", 0);
    expect_problem(400, "invalid-cursor", board_get(&board, below));
    board_free(&board);
}

Test(scenario_moves, a_listed_move_says_whom_it_took)
{
    static const char *const moves[] = {"5i5e", "5a5d", "4i4d", "1a1b", "6i6d", NULL};
    struct board board = board_begun(games_find("hasami"));
    board_play(&board, moves);
    struct answer answer = expect(200, board_get(&board, "/moves?after=3"));
    cr_assert_eq(json_array_size(answer_at(&answer, "items.0.captured")), 0);
    cr_assert_str_eq(answer_text(&answer, "items.1.captured.0"), "5d");
    answer_free(&answer);
    board_free(&board);
}

/* Of all moves, those that start as this one does: from a square, or from the hand. */
static void expect_moves_from(const struct board *board, json_t *all, const char *example)
{
    const char from[] = {example[0], example[1], '\0'};
    char below[48];
    size_t index = 0;
    json_t *move = NULL;
    json_t *expected = json_array();
    json_array_foreach(all, index, move)
    {
        if (strncmp(json_string_value(move), from, 2) == 0) {
            json_array_append(expected, move);
        }
    }
    (void)snprintf(below, sizeof below, "/legal-moves?from=%s", from);
    struct answer answer = expect(200, board_get(board, below));
    cr_assert(json_equal(answer_at(&answer, "moves"), expected), "%s from %s: %s",
              board->game->pool, from, answer.text);
    json_decref(expected);
    answer_free(&answer);
}

TestEachGame(scenario_moves, legal_moves_are_listed_whole_and_from_where_they_start)
{
    struct board board = board_begun(game);
    board_play(&board, game->opening);
    struct answer whole = expect(200, board_get(&board, "/legal-moves"));
    json_t *moves = answer_at(&whole, "moves");
    for (size_t i = 1; i < json_array_size(moves); i++) {
        cr_assert_lt(strcmp(json_string_value(json_array_get(moves, i - 1)),
                            json_string_value(json_array_get(moves, i))),
                     0);
    }
    expect_moves_from(&board, moves, json_string_value(json_array_get(moves, 0)));
    expect_moves_from(&board, moves,
                      json_string_value(json_array_get(moves, json_array_size(moves) - 1)));
    expect_problem(400, "invalid-parameter", board_get(&board, "/legal-moves?from=5j"));
    struct answer snapshot = expect(200, board_get(&board, "?include=legal_moves"));
    cr_assert(json_equal(answer_at(&snapshot, "legal_moves"), moves));
    answer_free(&snapshot);
    answer_free(&whole);
    board_free(&board);
}
