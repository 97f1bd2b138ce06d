/* What a client makes of a game's events is the game. */

#include "tests/support/device.h"
#include "tests/support/dice.h"
#include "tests/support/fold.h"
#include "tests/support/games.h"
#include "tests/support/listener.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { SEATS_MAX = GAME_SEATS_MAX, SEED = 20261130 };

struct board {
    struct process *server;
    size_t count;
    struct device *devices[SEATS_MAX];
    char letters[SEATS_MAX]; /* of the seats they have */
    char game[32];
    char path[96];
};

static struct board board_new(const struct listed_game *game)
{
    struct board board = {.server = process_new(NULL), .count = game_seat_count(game)};
    size_t count = board.count;
    char tickets[SEATS_MAX][32];
    char body[64];
    (void)snprintf(body, sizeof body, "{\"pool\":\"%s\"}", game->pool);
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

static void expect_equal(json_t *state, json_t *snapshot)
{
    fold_settle(snapshot);
    char *folded = json_dumps(state, JSON_SORT_KEYS);
    char *stands = json_dumps(snapshot, JSON_SORT_KEYS);
    cr_assert_str_eq(folded, stands);
    free(folded);
    free(stands);
}

static void fold_event(struct listener *listener, json_t **state)
{
    json_t *frame = listener_event(listener);
    fold(state, frame);
    json_decref(frame);
}

/* A machine that stands still credits the clocks with it, at any time. */
static void expect_same(const struct board *board, struct listener *listener, json_t **state)
{
    struct answer answer = device_game(board->devices[0], board->game);
    while (json_integer_value(json_object_get(*state, "seq")) < answer_integer(&answer, "seq")) {
        fold_event(listener, state);
    }
    expect_equal(*state, answer.body);
    answer_free(&answer);
}

/* Folds one event more, over those of a machine that stood still; its data is what its player was
 * answered. */
static void fold_next(struct listener *listener, json_t **state, const struct answer *answer)
{
    json_t *frame = listener_event(listener);
    while (strcmp(frame_type(frame), "clock") == 0) {
        fold(state, frame);
        json_decref(frame);
        frame = listener_event(listener);
    }
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
static void fold_a_game(const struct listed_game *game, uint64_t number, unsigned plies)
{
    struct board board = board_new(game);
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
            expect_same(&board, first, &states[0]);
        }
    }
    if (!over && game->resigns) {
        struct answer answer = expect(200, device_resign(board.devices[0], board.game));
        answer_free(&answer);
        over = true;
    }
    if (over) {
        fold_next(first, &states[0], NULL); /* the end */
    }
    expect_same(&board, first, &states[0]);
    long long last = json_integer_value(json_object_get(states[0], "seq"));
    while (second != NULL &&
           (states[1] == NULL || json_integer_value(json_object_get(states[1], "seq")) < last)) {
        fold_event(second, &states[1]);
    }
    cr_expect(second == NULL || json_equal(states[0], states[1]));
    listener_close(first);
    listener_close(second);
    json_decref(states[0]);
    json_decref(states[1]);
    board_free(&board);
}

Test(scenario_streams_fold, the_events_of_a_game_are_the_game)
{
    for (size_t i = 0; i < GAMES; i++) {
        for (uint64_t j = 0; j < 3; j++) {
            fold_a_game(games_at(i), 100 * i + j, 100);
        }
    }
}

/* --- deadlines, and seats that change hands ------------------------------------------------------
 */

/* A game whose people come and go, and one who has followed it from the beginning. */
struct trouble {
    struct board board;
    struct dice dice;
    struct listener *listener;
    json_t *begin;
    json_t *state;
    long long open_ms; /* how old the stream may be at the most, as the server sees it */
    unsigned changes;  /* of hands */
    unsigned cpu_moves;
};

static long long number_in(const struct trouble *trouble, const char *name)
{
    return json_integer_value(json_object_get(trouble->state, name));
}

static bool is_over(const struct trouble *trouble)
{
    return json_is_null(json_object_get(trouble->state, "turn"));
}

static void listen(struct trouble *trouble, const char *last_id)
{
    struct listen_wish wish = {.path = trouble->board.path, .last_id = last_id};
    trouble->listener = listener_open(trouble->board.server, &wish);
    trouble->open_ms = 0;
}

static void take_event(struct trouble *trouble)
{
    json_t *frame = listener_event(trouble->listener);
    json_t *move = json_object_get(frame_data(frame), "move");
    const char *by = json_string_value(json_object_get(move, "by"));
    trouble->changes += strcmp(frame_type(frame), "seat") == 0;
    trouble->cpu_moves += by != NULL && strcmp(by, "cpu") == 0;
    fold(&trouble->state, frame);
    json_decref(frame);
}

/* Whatever has happened by now. */
static void catch_up(struct trouble *trouble)
{
    struct answer answer = device_game(trouble->board.devices[0], trouble->board.game);
    while (number_in(trouble, "seq") < answer_integer(&answer, "seq")) {
        take_event(trouble);
    }
    expect_equal(trouble->state, answer.body);
    answer_free(&answer);
}

/* Moves time on until somebody moves or the game is over; streams last ten minutes. */
static void pass(struct trouble *trouble, long long ms)
{
    enum { STREAM_MS = 480000 };
    char text[48];
    long long ply = number_in(trouble, "ply");
    (void)snprintf(text, sizeof text, "advance %lld", ms);
    process_control(trouble->board.server, text);
    while (!is_over(trouble) && number_in(trouble, "ply") == ply) {
        take_event(trouble);
    }
    trouble->open_ms += ms;
    if (trouble->open_ms > STREAM_MS) {
        listener_close(trouble->listener);
        (void)snprintf(text, sizeof text, "%lld", number_in(trouble, "seq"));
        listen(trouble, text);
    }
}

/* Somebody leaves or comes back; both may be so already. */
static void change_hands(struct trouble *trouble, const char *what)
{
    char path[96];
    const struct board *board = &trouble->board;
    struct device *device = board->devices[dice_below(&trouble->dice, (uint32_t)board->count)];
    (void)snprintf(path, sizeof path, "/v1/games/%s/%s", board->game, what);
    struct answer answer = client_post(device->client, path, device->token, NULL);
    cr_expect(answer.status == 200 || answer.status == 409, "%s", answer.text);
    answer_free(&answer);
}

static bool cpu_is_on_turn(const struct trouble *trouble)
{
    size_t index = 0;
    json_t *seat = NULL;
    json_t *turn = json_object_get(trouble->state, "turn");
    json_array_foreach(json_object_get(trouble->state, "seats"), index, seat)
    {
        if (json_equal(json_object_get(seat, "seat"), turn)) {
            return strcmp(json_string_value(json_object_get(seat, "control")), "cpu") == 0;
        }
    }
    return false;
}

static void go_on(struct trouble *trouble)
{
    enum { TURN_MS = 60000, CPU_DELAY_MS = 500 };
    uint32_t throw = dice_below(&trouble->dice, 20);
    if (throw < 2) {
        change_hands(trouble, "leave");
    } else if (throw < 4) {
        change_hands(trouble, "return");
    } else if (cpu_is_on_turn(trouble)) {
        pass(trouble, CPU_DELAY_MS);
    } else if (throw < 7) {
        pass(trouble, TURN_MS);
    } else {
        struct answer answer = play_one(&trouble->board, &trouble->dice);
        answer_free(&answer);
    }
}

/* Plays it, and folds it again from its first event on. */
static void fold_trouble(struct trouble *trouble, unsigned steps)
{
    listen(trouble, NULL);
    fold_next(trouble->listener, &trouble->begin, NULL);
    trouble->state = json_deep_copy(trouble->begin);
    for (unsigned i = 0; !is_over(trouble) && i < steps; i++) {
        go_on(trouble);
        catch_up(trouble);
    }
    listener_close(trouble->listener);
    listen(trouble, "0");
    while (json_integer_value(json_object_get(trouble->begin, "seq")) < number_in(trouble, "seq")) {
        fold_event(trouble->listener, &trouble->begin);
    }
    cr_expect(json_equal(trouble->begin, trouble->state));
    listener_close(trouble->listener);
    json_decref(trouble->begin);
    json_decref(trouble->state);
}

Test(scenario_streams_fold, the_events_of_a_game_are_the_game_whoever_plays_it)
{
    for (size_t i = 0; i < GAMES; i++) {
        unsigned changes = 0;
        unsigned cpu_moves = 0;
        for (uint64_t j = 0; j < 3; j++) {
            struct trouble trouble = {
                .board = board_new(games_at(i)),
                .dice = dice_of(SEED, 1000 + 100 * i + j),
            };
            fold_trouble(&trouble, 50);
            changes += trouble.changes;
            cpu_moves += trouble.cpu_moves;
            process_verify(trouble.board.server);
            board_free(&trouble.board);
        }
        cr_expect_gt(changes, 0, "%s", games_at(i)->pool);
        cr_expect_gt(cpu_moves, 0, "%s", games_at(i)->pool);
    }
}

/* --- all of it -----------------------------------------------------------------------------------
 */

/* From the very first event on, put onto the snapshot of a game that has just begun. */
Test(scenario_streams_fold, all_events_again_are_the_game_too)
{
    struct board board = board_new(games_find("hasami"));
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
    expect_same(&board, again, &begin);
    listener_close(again);
    json_decref(begin);
    board_free(&board);
}

/* Back and forth: a draw by repetition, which is played again. */
Test(scenario_streams_fold, a_drawn_game_and_its_replay_are_linked_by_events)
{
    static const char *const moves[] = {"5i5h", "5a5b", "5h5i", "5b5a", NULL};
    struct board board = board_new(games_find("hasami"));
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
    expect_same(&board, listener, &state);
    listener_close(listener);
    json_decref(state);
    board_free(&board);
}

Test(scenario_streams_fold, a_void_is_an_event_of_a_game_that_ended_long_ago)
{
    char command[96];
    char output[1024];
    struct board board = board_new(games_find("hasami"));
    struct listener *listener =
        listener_open(board.server, &(struct listen_wish){.path = board.path});
    json_t *state = NULL;
    fold_next(listener, &state, NULL);
    struct answer answer = expect(200, device_resign(board.devices[0], board.game));
    answer_free(&answer);
    fold_next(listener, &state, NULL);
    expect_same(&board, listener, &state);
    (void)snprintf(command, sizeof command, "void-game %s", board.game);
    cr_assert_eq(process_run(board.server, command, output, sizeof output), 0, "%s", output);
    fold_next(listener, &state, NULL);
    cr_expect_str_eq(json_string_value(json_object_get(state, "unrated_reason")), "void");
    expect_same(&board, listener, &state);
    listener_close(listener);
    json_decref(state);
    board_free(&board);
}
