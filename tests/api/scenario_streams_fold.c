/* What a client makes of a game's events is the game. */

#include "tests/support/device.h"
#include "tests/support/dice.h"
#include "tests/support/fold.h"
#include "tests/support/listener.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { SEATS_MAX = 4, SEED = 20261130 };

struct board {
    struct process *server;
    size_t count;
    struct device *devices[SEATS_MAX];
    char letters[SEATS_MAX]; /* of the seats they have */
    char game[32];
    char path[96];
};

static struct board board_new(const char *pool, size_t count)
{
    struct board board = {.server = process_new(NULL), .count = count};
    char tickets[SEATS_MAX][32];
    char body[64];
    (void)snprintf(body, sizeof body, "{\"pool\":\"%s\"}", pool);
    for (size_t i = 0; i < count; i++) {
        struct device *device = device_new(board.server);
        struct answer answer =
            expect(201, client_post(device->client, "/v1/tickets", device->token, body));
        (void)snprintf(tickets[i], sizeof tickets[i], "%s", answer_text(&answer, "id"));
        answer_free(&answer);
        board.devices[i] = device;
    }
    for (size_t i = 0; i < count; i++) {
        char seat[2];
        device_matched(board.devices[i], tickets[i], board.game, seat);
        board.letters[i] = seat[0];
    }
    (void)snprintf(board.path, sizeof board.path, "/v1/games/%s/events", board.game);
    return board;
}

static void board_free(struct board *board)
{
    for (size_t i = 0; i < board->count; i++) {
        device_free(board->devices[i]);
    }
    process_free(board->server);
}

static struct device *on_turn(const struct board *board, const char *letter)
{
    for (size_t i = 0; i < board->count; i++) {
        if (board->letters[i] == letter[0]) {
            return board->devices[i];
        }
    }
    cr_assert_fail("%s is nobody's seat", letter);
    return NULL;
}

/* One legal move, whichever the dice say; the answer. */
static struct answer play_one(const struct board *board, struct dice *dice)
{
    char path[96];
    char move[16];
    (void)snprintf(path, sizeof path, "/v1/games/%s/legal-moves", board->game);
    struct answer legal = expect(200, client_get(board->devices[0]->client, path, NULL));
    json_t *moves = answer_at(&legal, "moves");
    size_t which = dice_below(dice, (uint32_t)json_array_size(moves));
    (void)snprintf(move, sizeof move, "%s", json_string_value(json_array_get(moves, which)));
    unsigned ply = (unsigned)answer_integer(&legal, "ply") + 1;
    struct device *device = on_turn(board, answer_text(&legal, "turn"));
    answer_free(&legal);
    return expect(201, device_move(device, board->game, ply, move));
}

static void expect_same(const struct board *board, json_t *state)
{
    struct answer answer = device_game(board->devices[0], board->game);
    fold_settle(answer.body);
    char *folded = json_dumps(state, JSON_SORT_KEYS);
    char *stands = json_dumps(answer.body, JSON_SORT_KEYS);
    cr_assert_str_eq(folded, stands);
    free(folded);
    free(stands);
    answer_free(&answer);
}

/* Folds one event more; its data is what its player was answered. */
static void fold_next(struct listener *listener, json_t **state, const struct answer *answer)
{
    json_t *frame = listener_event(listener);
    if (answer != NULL) {
        cr_expect(json_equal(frame_data(frame), answer->body), "not what the player got");
    }
    fold(state, frame);
    json_decref(frame);
}

/* True: the game has ended by it. */
static bool play_and_fold(const struct board *board, struct dice *dice, struct listener *listener,
                          json_t **state)
{
    struct answer answer = play_one(board, dice);
    fold_next(listener, state, &answer);
    bool over = strcmp(answer_text(&answer, "game.status"), "playing") != 0;
    answer_free(&answer);
    return over;
}

/* A game of random moves, looked at now and then, by one who was there from the beginning and by
 * one who comes in the middle; then by one who reads it all afterwards. */
static void fold_a_game(const char *pool, size_t seats, uint64_t number, unsigned plies)
{
    struct board board = board_new(pool, seats);
    struct dice dice = dice_of(SEED, number);
    struct listen_wish wish = {.path = board.path};
    struct listener *first = listener_open(board.server, &wish);
    struct listener *second = NULL;
    json_t *states[3] = {NULL, NULL, NULL};
    bool over = false;
    fold_next(first, &states[0], NULL);
    for (unsigned ply = 1; !over && ply <= plies; ply++) {
        over = play_and_fold(&board, &dice, first, &states[0]);
        if (second == NULL && dice_once_in(&dice, plies / 2)) {
            second = listener_open(board.server, &wish);
        }
        if (!over && dice_once_in(&dice, 10)) {
            expect_same(&board, states[0]);
        }
    }
    if (!over && seats == 2) {
        struct answer answer = expect(200, device_resign(board.devices[0], board.game));
        answer_free(&answer);
        over = true;
    }
    if (over) {
        json_t *frame = listener_until(first, "finished");
        fold(&states[0], frame);
        json_decref(frame);
    }
    expect_same(&board, states[0]);
    long long last = json_integer_value(json_object_get(states[0], "seq"));
    while (second != NULL &&
           (states[1] == NULL || json_integer_value(json_object_get(states[1], "seq")) < last)) {
        fold_next(second, &states[1], NULL);
    }
    cr_expect(second == NULL || json_equal(states[0], states[1]));
    listener_close(first);
    listener_close(second);
    json_decref(states[0]);
    json_decref(states[1]);
    board_free(&board);
}

Test(scenario_streams_fold, the_events_of_a_game_of_two_are_the_game)
{
    for (uint64_t i = 0; i < 6; i++) {
        fold_a_game("hasami", 2, i, 80);
    }
}

Test(scenario_streams_fold, the_events_of_a_game_of_four_are_the_game)
{
    for (uint64_t i = 0; i < 3; i++) {
        fold_a_game("yonin", 4, 100 + i, 120);
    }
    fold_a_game("yonin_pairs", 4, 200, 120);
}

/* From the very first event on, put onto the snapshot of a game that has just begun. */
Test(scenario_streams_fold, all_events_again_are_the_game_too)
{
    struct board board = board_new("hasami", 2);
    struct dice dice = dice_of(SEED, 300);
    struct listener *first = listener_open(board.server, &(struct listen_wish){.path = board.path});
    json_t *begin = NULL;
    fold_next(first, &begin, NULL);
    listener_close(first);
    for (unsigned ply = 1; ply <= 70; ply++) {
        struct answer answer = play_one(&board, &dice);
        answer_free(&answer);
    }
    struct answer answer = expect(200, device_resign(board.devices[1], board.game));
    answer_free(&answer);
    struct listen_wish wish = {.path = board.path, .last_id = "0"};
    struct listener *again = listener_open(board.server, &wish);
    while (strcmp(json_string_value(json_object_get(begin, "status")), "playing") == 0) {
        fold_next(again, &begin, NULL);
    }
    expect_same(&board, begin);
    listener_close(again);
    json_decref(begin);
    board_free(&board);
}

/* Back and forth: a draw by repetition, which is played again. */
Test(scenario_streams_fold, a_drawn_game_and_its_replay_are_linked_by_events)
{
    static const char *const moves[] = {"5i5h", "5a5b", "5h5i", "5b5a", NULL};
    struct board board = board_new("hasami", 2);
    struct listener *listener =
        listener_open(board.server, &(struct listen_wish){.path = board.path});
    json_t *state = NULL;
    bool over = false;
    fold_next(listener, &state, NULL);
    for (unsigned ply = 1; !over; ply++) {
        struct device *device = on_turn(&board, ply % 2 == 1 ? "b" : "w");
        struct answer answer =
            expect(201, device_move(device, board.game, ply, moves[(ply - 1) % 4]));
        fold_next(listener, &state, &answer);
        over = strcmp(answer_text(&answer, "game.status"), "playing") != 0;
        answer_free(&answer);
    }
    fold_next(listener, &state, NULL); /* finished */
    fold_next(listener, &state, NULL); /* replay */
    cr_expect(json_is_string(json_object_get(state, "replayed_by")));
    expect_same(&board, state);
    listener_close(listener);
    json_decref(state);
    board_free(&board);
}

Test(scenario_streams_fold, a_void_is_an_event_of_a_game_that_ended_long_ago)
{
    char command[96];
    char output[1024];
    struct board board = board_new("hasami", 2);
    struct listener *listener =
        listener_open(board.server, &(struct listen_wish){.path = board.path});
    json_t *state = NULL;
    fold_next(listener, &state, NULL);
    struct answer answer = expect(200, device_resign(board.devices[0], board.game));
    answer_free(&answer);
    fold_next(listener, &state, NULL);
    expect_same(&board, state);
    (void)snprintf(command, sizeof command, "void-game %s", board.game);
    cr_assert_eq(process_run(board.server, command, output, sizeof output), 0, "%s", output);
    fold_next(listener, &state, NULL);
    cr_expect_str_eq(json_string_value(json_object_get(state, "unrated_reason")), "void");
    expect_same(&board, state);
    listener_close(listener);
    json_decref(state);
    board_free(&board);
}
