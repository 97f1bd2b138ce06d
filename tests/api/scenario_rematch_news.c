#include "ended.h"
#include "tests/support/board.h"
#include "tests/support/listener.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* What all who sat in a game hear of a rematch, in their own streams; and what stands in its way.
 */

enum { FINISHED = 3, AT_ONCE = 32 }; /* a first game's end is this event; running games */

/* The device's own events over a number. */
static struct listener *listen_from(const struct process *server, const struct device *device,
                                    int after)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/v1/me/events?after=%d", after);
    struct listener *listener =
        listener_open(server, &(struct listen_wish){.path = path, .token = device->token});
    cr_assert_eq(listener_status(listener), 200);
    return listener;
}

static void seats_text(json_t *seats, char text[16])
{
    size_t index = 0;
    json_t *seat = NULL;
    text[0] = '\0';
    json_array_foreach(seats, index, seat)
    {
        size_t used = strlen(text);
        (void)snprintf(text + used, 16 - used, "%s%s", index == 0 ? "" : " ",
                       json_string_value(seat));
    }
}

/* The next event tells that of this game these seats have asked, "b w"; and of the rematch, "" for
 * none. Where somebody asks, it is told until when, which goes to `until` unless that is NULL. */
static void expect_asked(struct listener *listener, long long seq, const char *game,
                         const char *seats, const char *again, char until[32])
{
    char asked[16];
    json_t *frame = listener_event(listener);
    cr_assert_str_eq(frame_type(frame), "rematch");
    json_t *data = frame_data(frame);
    const char *expires = json_string_value(json_object_get(data, "expires_at"));
    seats_text(json_object_get(data, "asked"), asked);
    cr_expect_eq(frame_seq(frame), seq);
    cr_expect_str_eq(json_string_value(json_object_get(data, "rematch_of")), game);
    cr_expect_str_eq(asked, seats);
    cr_expect_str_eq(json_string_value(json_object_get(data, "game_id")),
                     again[0] == '\0' ? game : again);
    cr_expect_eq(expires != NULL, seats[0] != '\0', "%s", expires);
    if (until != NULL) {
        (void)snprintf(until, 32, "%s", expires == NULL ? "" : expires);
    }
    json_decref(frame);
}

/* Asks; who has, and until when, and the rematch's id or "". */
static void ask(struct device *device, const char *game, const char *seats, char until[32],
                char again[32])
{
    char asked[16];
    struct answer answer = expect(200, device_rematch(device, game));
    seats_text(answer_at(&answer, "asked"), asked);
    cr_expect_str_eq(asked, seats);
    (void)snprintf(until, 32, "%s", answer_text(&answer, "expires_at"));
    const char *id = json_string_value(answer_at(&answer, "game_id"));
    (void)snprintf(again, 32, "%s", id == NULL ? "" : id);
    answer_free(&answer);
}

Test(scenario_rematch_news, both_hear_who_asks_until_when_and_that_it_begins)
{
    struct ended ended = ended_game(process_new(NULL));
    const char *first = ended.pairing.game;
    struct device *stranger = device_new(ended.server);
    struct listener *other = listen_from(ended.server, stranger, 0);
    struct listener *ears[2];
    char until[32];
    char told[32];
    char again[32];
    for (size_t i = 0; i < 2; i++) {
        ears[i] = listen_from(ended.server, ended.pairing.seats[i], FINISHED);
    }
    ask(ended.pairing.seats[1], first, "w", until, again);
    for (size_t i = 0; i < 2; i++) {
        expect_asked(ears[i], FINISHED + 1, first, "w", "", told);
        cr_expect_str_eq(told, until);
    }
    ask(ended.pairing.seats[1], first, "w", until, again);
    ask(ended.pairing.seats[0], first, "b w", until, again);
    for (size_t i = 0; i < 2; i++) {
        expect_asked(ears[i], FINISHED + 2, first, "b w", again, told);
        cr_expect_str_eq(told, until);
        json_t *frame = listener_event(ears[i]);
        cr_expect_str_eq(frame_type(frame), "game_started");
        cr_expect_str_eq(json_string_value(json_object_get(frame_data(frame), "game_id")), again);
        json_decref(frame);
        listener_close(ears[i]);
    }
    listener_quiet(other, 200);
    listener_close(other);
    device_free(stranger);
    ended_free(&ended);
}

Test(scenario_rematch_news, both_hear_of_what_is_taken_back_and_the_other_may_still_ask)
{
    struct ended ended = ended_game(process_new(NULL));
    const char *first = ended.pairing.game;
    struct listener *ears[2];
    for (size_t i = 0; i < 2; i++) {
        ears[i] = listen_from(ended.server, ended.pairing.seats[i], FINISHED);
    }
    expect_status(200, device_rematch(ended.pairing.seats[0], first));
    for (size_t i = 0; i < 2; i++) {
        expect_asked(ears[i], FINISHED + 1, first, "b", "", NULL);
    }
    expect_status(204, device_rematch_back(ended.pairing.seats[1], first));
    expect_status(204, device_rematch_back(ended.pairing.seats[0], first));
    for (size_t i = 0; i < 2; i++) {
        expect_asked(ears[i], FINISHED + 2, first, "", "", NULL);
    }
    expect_status(204, device_rematch_back(ended.pairing.seats[0], first));
    expect_status(200, device_rematch(ended.pairing.seats[1], first));
    for (size_t i = 0; i < 2; i++) {
        expect_asked(ears[i], FINISHED + 3, first, "w", "", NULL);
        listener_close(ears[i]);
    }
    ended_free(&ended);
}

/* Whoever comes back is told what still holds, in as many frames as there were events. */
Test(scenario_rematch_news, what_was_missed_is_told_as_it_stands)
{
    struct ended ended = ended_game(process_new(NULL));
    const char *first = ended.pairing.game;
    struct device *asks = ended.pairing.seats[0];
    struct device *hears = ended.pairing.seats[1];
    char until[32];
    char told[32];
    char again[32];
    expect_status(200, device_rematch(asks, first));
    expect_status(204, device_rematch_back(asks, first));
    ask(asks, first, "b", until, again);
    struct listener *ear = listen_from(ended.server, hears, FINISHED);
    for (int i = 1; i <= 3; i++) {
        expect_asked(ear, FINISHED + i, first, "b", "", told);
        cr_expect_str_eq(told, until);
    }
    process_control(ended.server, "advance 60000");
    listener_quiet(ear, 200);
    listener_close(ear);
    ear = listen_from(ended.server, hears, FINISHED);
    for (int i = 1; i <= 3; i++) {
        expect_asked(ear, FINISHED + i, first, "", "", NULL);
    }
    listener_close(ear);
    ask(hears, first, "w", until, again);
    ask(asks, first, "b w", until, again);
    process_control(ended.server, "advance 60000");
    ear = listen_from(ended.server, hears, FINISHED);
    for (int i = 1; i <= 5; i++) {
        expect_asked(ear, FINISHED + i, first, "b w", again, told);
        cr_expect_str_eq(told, until);
    }
    listener_close(ear);
    ended_free(&ended);
}

Test(scenario_rematch_news, nobody_is_told_to_play_again_with_who_is_gone)
{
    struct ended ended = ended_game(process_new(NULL));
    const char *first = ended.pairing.game;
    struct device *gone = ended.pairing.seats[0];
    expect_status(200, device_rematch(gone, first));
    expect_status(204, client_send(gone->client, &(struct call){.method = "DELETE",
                                                                .path = "/v1/me",
                                                                .token = gone->token}));
    struct listener *ear = listen_from(ended.server, ended.pairing.seats[1], FINISHED);
    expect_asked(ear, FINISHED + 1, first, "", "", NULL);
    listener_close(ear);
    ended_free(&ended);
}

/* A loop is no news: of seven changes the others are told, then of nothing until the game begins.
 */
Test(scenario_rematch_news, asking_and_taking_back_in_a_loop_costs_nobody_the_own_news)
{
    struct ended ended = ended_game(process_new(NULL));
    const char *first = ended.pairing.game;
    char until[32];
    char again[32];
    for (int i = 0; i < 100; i++) {
        expect_status(200, device_rematch(ended.pairing.seats[0], first));
        expect_status(204, device_rematch_back(ended.pairing.seats[0], first));
    }
    struct listener *ear = listen_from(ended.server, ended.pairing.seats[1], FINISHED);
    for (int i = 1; i <= 7; i++) {
        expect_asked(ear, FINISHED + i, first, "", "", NULL);
    }
    listener_quiet(ear, 200);
    ask(ended.pairing.seats[0], first, "b", until, again);
    listener_quiet(ear, 200);
    ask(ended.pairing.seats[1], first, "b w", until, again);
    cr_expect_str_neq(again, "");
    expect_asked(ear, FINISHED + 8, first, "b w", again, NULL);
    json_t *frame = listener_event(ear);
    cr_expect_str_eq(frame_type(frame), "game_started");
    json_decref(frame);
    listener_close(ear);
    ended_free(&ended);
}

/* --- four ----------------------------------------------------------------------------------------
 */

struct four {
    struct board board;
    struct listener *ears[GAME_SEATS_MAX]; /* by seats */
    long long seq;
};

static struct four four_new(void)
{
    struct four four = {.board = board_new(games_find("yonin")), .seq = FINISHED};
    board_play_whole(&four.board);
    for (size_t i = 0; i < GAME_SEATS_MAX; i++) {
        four.ears[i] = listen_from(four.board.server, four.board.seats[i], FINISHED);
    }
    return four;
}

static void four_free(struct four *four)
{
    for (size_t i = 0; i < GAME_SEATS_MAX; i++) {
        listener_close(four->ears[i]);
    }
    board_free(&four->board);
}

static void expect_all(struct four *four, const char *seats, const char *again, const char *until)
{
    char told[32];
    four->seq++;
    for (size_t i = 0; i < GAME_SEATS_MAX; i++) {
        expect_asked(four->ears[i], four->seq, four->board.id, seats, again, told);
        cr_expect_str_eq(told, until);
    }
}

Test(scenario_rematch_news, all_four_hear_of_each_who_asks_or_takes_it_back)
{
    struct four four = four_new();
    const struct board *board = &four.board;
    char until[32];
    char again[32];
    ask(board->seats[2], board->id, "n", until, again);
    expect_all(&four, "n", "", until);
    ask(board->seats[0], board->id, "s n", until, again);
    expect_all(&four, "s n", "", until);
    expect_status(204, device_rematch_back(board->seats[0], board->id));
    expect_all(&four, "n", "", until);
    ask(board->seats[3], board->id, "n e", until, again);
    expect_all(&four, "n e", "", until);
    ask(board->seats[1], board->id, "w n e", until, again);
    expect_all(&four, "w n e", "", until);
    ask(board->seats[0], board->id, "s w n e", until, again);
    cr_assert_str_neq(again, "");
    expect_all(&four, "s w n e", again, until);
    four_free(&four);
}

Test(scenario_rematch_news, what_has_expired_does_not_come_back_when_the_first_of_it_is_taken_back)
{
    struct four four = four_new();
    const struct board *board = &four.board;
    char until[32];
    char again[32];
    ask(board->seats[1], board->id, "w", until, again);
    expect_all(&four, "w", "", until);
    process_control(board->server, "advance 25000");
    expect_status(200, device_rematch(board->seats[3], board->id));
    four.seq++;
    process_control(board->server, "advance 36000");
    expect_status(204, device_rematch_back(board->seats[1], board->id));
    ask(board->seats[2], board->id, "n", until, again);
    four_free(&four);
}

/* --- too many games ------------------------------------------------------------------------------
 */

/* Whoever has as many running games as one may have stops it, whether first or last to ask. */
Test(scenario_rematch_news, no_rematch_begins_while_somebody_has_thirty_two_running_games,
     .timeout = 300)
{
    struct ended ended = ended_game(process_new(NULL));
    const char *first = ended.pairing.game;
    struct device *full = ended.pairing.seats[0];
    struct device *free_one = ended.pairing.seats[1];
    struct device *third = device_new(ended.server);
    struct pairing last = {0};
    char until[32];
    char again[32];
    for (int i = 0; i < AT_ONCE; i++) {
        last = device_pair(full, third);
    }
    ask(full, first, "b", until, again);
    expect_problem(409, "too-many-games", device_rematch(free_one, first));
    expect_status(204, device_rematch_back(full, first));
    ask(free_one, first, "w", until, again);
    expect_problem(409, "too-many-games", device_rematch(full, first));
    /* Of who was refused nothing was told, or kept. */
    struct listener *ear = listen_from(ended.server, free_one, FINISHED);
    for (int i = 1; i <= 3; i++) {
        expect_asked(ear, FINISHED + i, first, "w", "", NULL);
    }
    listener_quiet(ear, 200);
    listener_close(ear);
    expect_status(200, device_resign(third, last.game));
    ask(full, first, "b w", until, again);
    cr_expect_str_neq(again, "");
    device_free(third);
    ended_free(&ended);
}
