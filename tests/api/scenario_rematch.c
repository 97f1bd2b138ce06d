#include "ended.h"
#include "proof.h"
#include "tests/support/board.h"
#include "tests/support/party.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Playing again: all who sat in a game ask within a minute, and there is one rematch. */

/* What is said after asking, as "b w" and the game's id, "" for none. */
static void expect_asked(struct answer answer, const char *seats, char game[32])
{
    char found[16] = "";
    size_t index = 0;
    json_t *seat = NULL;
    answer = expect(200, answer);
    json_array_foreach(answer_at(&answer, "asked"), index, seat)
    {
        size_t used = strlen(found);
        (void)snprintf(found + used, sizeof found - used, "%s%s", index == 0 ? "" : " ",
                       json_string_value(seat));
    }
    cr_expect_str_eq(found, seats);
    const char *id = json_string_value(answer_at(&answer, "game_id"));
    (void)snprintf(game, 32, "%s", id == NULL ? "" : id);
    answer_free(&answer);
}

static void expect_none(struct answer answer, const char *seats)
{
    char game[32];
    expect_asked(answer, seats, game);
    cr_expect_str_eq(game, "");
}

Test(scenario_rematch, two_who_ask_play_again_with_seats_swapped_and_linked_both_ways)
{
    struct ended ended = ended_game(process_new(NULL));
    const char *first = ended.pairing.game;
    char game[32];
    char again[32];
    expect_none(device_rematch(ended.pairing.seats[1], first), "w");
    expect_none(device_rematch(ended.pairing.seats[1], first), "w");
    expect_asked(device_rematch(ended.pairing.seats[0], first), "b w", game);
    cr_assert_str_neq(game, "");
    expect_asked(device_rematch(ended.pairing.seats[1], first), "b w", again);
    cr_expect_str_eq(again, game, "there is one");
    struct answer answer = device_game(ended.devices[0], game);
    cr_expect_str_eq(answer_text(&answer, "rematch_of"), first);
    cr_expect_str_eq(answer_text(&answer, "seats.0.player.id"), ended.pairing.seats[1]->player);
    cr_expect_str_eq(answer_text(&answer, "seats.1.player.id"), ended.pairing.seats[0]->player);
    cr_expect(json_is_true(answer_at(&answer, "rated")));
    cr_expect_eq(answer_integer(&answer, "clock.turn_seconds"), 60);
    answer_free(&answer);
    answer = device_game(ended.devices[0], first);
    cr_expect_str_eq(answer_text(&answer, "rematched_by"), game);
    cr_expect(json_is_null(answer_at(&answer, "rematch_of")));
    answer_free(&answer);
    char links[96];
    char expected[96];
    (void)snprintf(expected, sizeof expected, "%s %s", first, game);
    process_sql(ended.server,
                "SELECT o.rematch_of || ' ' || n.rematched_by FROM game_summary AS o"
                " JOIN game_summary AS n ON n.game_id = o.rematch_of",
                links, sizeof links);
    cr_expect_str_eq(links, expected);
    expect_status(200, device_resign(ended.devices[0], game));
    process_control(ended.server, "advance 3600000");
    expect_asked(device_rematch(ended.pairing.seats[0], first), "b w", again);
    cr_expect_str_eq(again, game, "however late");
    expect_none(device_rematch(ended.pairing.seats[0], game), "w");
    ended_free(&ended);
}

static void expect_moved_on(const struct board *board, const char *again)
{
    struct answer first = board_game(board);
    struct answer second = device_game(board->devices[0], again);
    cr_expect_str_eq(answer_text(&first, "rematched_by"), again);
    cr_expect_str_eq(answer_text(&second, "rematch_of"), board->id);
    cr_expect_str_eq(answer_text(&second, "pool"), board->game->pool);
    cr_expect(json_is_true(answer_at(&second, "rated")));
    for (size_t i = 0; i < GAME_SEATS_MAX; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "seats.%zu.player.id", i);
        cr_expect_str_eq(answer_text(&second, path), board->seats[(i + 1) % GAME_SEATS_MAX]->player,
                         "%s", path);
    }
    answer_free(&second);
    answer_free(&first);
}

/* Partners stay partners: both move one seat. */
static void expect_four_again(const char *pool)
{
    static const char *const asked[GAME_SEATS_MAX] = {"n", "s n", "s n e", "s w n e"};
    static const size_t order[GAME_SEATS_MAX] = {2, 0, 3, 1};
    char again[32];
    struct board board = board_new(games_find(pool));
    board_play_whole(&board);
    for (size_t i = 0; i < GAME_SEATS_MAX; i++) {
        expect_asked(device_rematch(board.seats[order[i]], board.id), asked[i], again);
        cr_expect_eq(again[0] != '\0', i == GAME_SEATS_MAX - 1, "%s after %zu", pool, i + 1);
    }
    expect_moved_on(&board, again);
    struct answer move = expect(201, device_move(board.seats[1], again, 1, board.game->line[0]));
    answer_free(&move);
    process_verify(board.server);
    board_free(&board);
}

Test(scenario_rematch, four_play_again_once_the_last_of_them_has_asked_each_a_seat_further_on)
{
    expect_four_again("yonin");
    expect_four_again("yonin_pairs");
}

Test(scenario_rematch, what_was_asked_is_good_for_sixty_seconds)
{
    struct ended ended = ended_game(process_new(NULL));
    const char *first = ended.pairing.game;
    char game[32];
    struct answer answer = expect(200, device_rematch(ended.pairing.seats[0], first));
    char expires[32];
    (void)snprintf(expires, sizeof expires, "%s", answer_text(&answer, "expires_at"));
    answer_free(&answer);
    process_control(ended.server, "advance 30000");
    answer = expect(200, device_rematch(ended.pairing.seats[0], first));
    cr_expect_str_eq(answer_text(&answer, "expires_at"), expires,
                     "asking again is no other asking");
    answer_free(&answer);
    process_control(ended.server, "advance 30000");
    expect_none(device_rematch(ended.pairing.seats[1], first), "w");
    process_control(ended.server, "advance 59000");
    expect_asked(device_rematch(ended.pairing.seats[0], first), "b w", game);
    cr_expect_str_neq(game, "", "one second before");
    ended_free(&ended);
}

Test(scenario_rematch, who_takes_it_back_has_not_asked)
{
    struct ended ended = ended_game(process_new(NULL));
    const char *first = ended.pairing.game;
    char game[32];
    expect_status(204, device_rematch_back(ended.pairing.seats[0], first));
    expect_none(device_rematch(ended.pairing.seats[0], first), "b");
    expect_status(204,
                  device_rematch_back(ended.pairing.seats[1], first)); /* of one's own seat only */
    expect_none(device_rematch(ended.pairing.seats[0], first), "b");
    expect_status(204, device_rematch_back(ended.pairing.seats[0], first));
    expect_status(204, device_rematch_back(ended.pairing.seats[0], first));
    expect_none(device_rematch(ended.pairing.seats[1], first), "w");
    expect_asked(device_rematch(ended.pairing.seats[0], first), "b w", game);
    expect_status(204, device_rematch_back(ended.pairing.seats[0], first));
    struct answer answer = device_game(ended.devices[0], first);
    cr_expect_str_eq(answer_text(&answer, "rematched_by"), game, "too late to take it back");
    answer_free(&answer);
    ended_free(&ended);
}

Test(scenario_rematch, only_those_who_sat_in_an_ended_game_of_the_queue_may_ask)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct device *stranger = device_new(server);
    struct pairing pairing = device_pair(a, b);
    char game[32];
    expect_problem(409, "game-running", device_rematch(a, pairing.game));
    expect_problem(403, "not-your-seat", device_rematch(stranger, pairing.game));
    expect_problem(403, "not-your-seat", device_rematch_back(stranger, pairing.game));
    expect_problem(404, "not-found", device_rematch(a, "g_00000000000000000000000000"));
    expect_problem(404, "not-found", device_rematch(a, "g_1"));
    struct party party = party_open(a, "{\"game\":\"hasami\"}");
    party_join(b, &party);
    party_sit(a, &party, 'b');
    party_sit(b, &party, 'w');
    party_start(a, &party, game);
    expect_problem(409, "game-running", device_rematch(a, game));
    expect_status(200, device_resign(a, game));
    expect_problem(409, "game-over", device_rematch(a, game));
    expect_status(204, device_rematch_back(a, game));
    expect_problem(404, "not-found", device_rematch(stranger, game));
    device_free(a);
    device_free(b);
    device_free(stranger);
    process_free(server);
}

Test(scenario_rematch, the_repeat_limit_counts_rematches_too)
{
    static const char *const arguments[] = {"--repeat-limit", "2", NULL};
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    struct ended ended = ended_game(server);
    char game[32];
    memcpy(game, ended.pairing.game, sizeof game);
    for (int i = 0; i < 3; i++) {
        char next[32];
        expect_status(200, device_rematch(ended.devices[0], game));
        expect_asked(device_rematch(ended.devices[1], game), "b w", next);
        memcpy(game, next, sizeof game);
        struct answer answer = device_game(ended.devices[0], game);
        const char *reason = json_string_value(answer_at(&answer, "unrated_reason"));
        cr_expect_eq(json_is_true(answer_at(&answer, "rated")), i == 0, "rematch %d", i);
        cr_expect_str_eq(reason == NULL ? "" : reason, i == 0 ? "" : "repeat_limit");
        answer_free(&answer);
        expect_status(200, device_resign(ended.devices[0], game));
    }
    /* A day later the limit is far away, but what was not rated is not from then on. */
    process_control(server, "advance 86400000");
    char last[32];
    expect_status(200, device_rematch(ended.devices[0], game));
    expect_asked(device_rematch(ended.devices[1], game), "b w", last);
    struct answer answer = device_game(ended.devices[0], last);
    cr_expect_str_eq(answer_text(&answer, "unrated_reason"), "casual");
    answer_free(&answer);
    ended_free(&ended);
}

/* --- who is gone
 * ----------------------------------------------------------------------------------
 */

static void erase(struct device *device)
{
    expect_status(204, client_send(device->client, &(struct call){.method = "DELETE",
                                                                  .path = "/v1/me",
                                                                  .token = device->token}));
}

static void operate(struct process *server, const char *what, const struct device *device)
{
    char line[64];
    char output[512];
    (void)snprintf(line, sizeof line, "%s %s", what, device->player);
    cr_assert_eq(process_run(server, line, output, sizeof output), 0, "%s", output);
}

static void expect_games(struct process *server, const char *expected)
{
    char count[16];
    process_sql(server, "SELECT count(*) FROM game", count, sizeof count);
    cr_expect_str_eq(count, expected);
}

Test(scenario_rematch, nobody_plays_again_with_who_was_erased_before_or_after_asking)
{
    for (int asks = 0; asks < 2; asks++) {
        struct ended ended = ended_game(process_new(NULL));
        const char *first = ended.pairing.game;
        struct device *gone = ended.pairing.seats[asks];
        struct device *left = ended.pairing.seats[1 - asks];
        expect_status(200, device_rematch(asks != 0 ? gone : left, first));
        erase(gone);
        expect_problem(401, "invalid-token", device_rematch(gone, first));
        expect_problem(409, "seat-empty", device_rematch(left, first));
        expect_status(204, device_rematch_back(left, first));
        process_control(ended.server, "advance 60000");
        expect_problem(409, "seat-empty", device_rematch(left, first));
        expect_games(ended.server, "1");
        ended_free(&ended);
    }
}

Test(scenario_rematch, nobody_plays_again_with_who_is_banned_until_the_ban_is_lifted)
{
    struct ended ended = ended_game(process_new(NULL));
    const char *first = ended.pairing.game;
    struct device *banned = ended.pairing.seats[0];
    struct device *left = ended.pairing.seats[1];
    char game[32];
    expect_none(device_rematch(banned, first), "b");
    operate(ended.server, "ban", banned);
    expect_problem(401, "invalid-token", device_rematch(banned, first));
    expect_problem(409, "seat-empty", device_rematch(left, first));
    expect_games(ended.server, "1");
    operate(ended.server, "unban", banned);
    expect_asked(device_rematch(left, first), "b w", game);
    cr_expect_str_neq(game, "", "the minute is not over");
    ended_free(&ended);
}

Test(scenario_rematch, a_rematch_that_is_there_is_told_whoever_is_gone)
{
    struct ended ended = ended_game(process_new(NULL));
    const char *first = ended.pairing.game;
    char game[32];
    char again[32];
    expect_status(200, device_rematch(ended.pairing.seats[0], first));
    expect_asked(device_rematch(ended.pairing.seats[1], first), "b w", game);
    erase(ended.pairing.seats[0]);
    expect_asked(device_rematch(ended.pairing.seats[1], first), "b w", again);
    cr_expect_str_eq(again, game);
    ended_free(&ended);
}

Test(scenario_rematch, of_four_no_three_play_again_without_the_one_who_is_gone)
{
    struct board board = board_new(games_find("yonin"));
    board_play_whole(&board);
    expect_none(device_rematch(board.seats[1], board.id), "w");
    expect_none(device_rematch(board.seats[3], board.id), "w e");
    erase(board.seats[1]);
    expect_problem(409, "seat-empty", device_rematch(board.seats[0], board.id));
    expect_problem(409, "seat-empty", device_rematch(board.seats[2], board.id));
    expect_problem(409, "seat-empty", device_rematch(board.seats[3], board.id));
    expect_status(204, device_rematch_back(board.seats[3], board.id));
    expect_games(board.server, "1");
    process_verify(board.server);
    board_free(&board);
}

/* --- at once -------------------------------------------------------------------------------------
 */

struct asker {
    pthread_t thread;
    pthread_barrier_t *start;
    struct device *device;
    const char *game;
    char rematch[32];
    long status;
};

static void *ask_at_once(void *context)
{
    struct asker *asker = context;
    (void)pthread_barrier_wait(asker->start);
    struct answer answer = device_rematch(asker->device, asker->game);
    const char *id = json_string_value(answer_at(&answer, "game_id"));
    asker->status = answer.status;
    (void)snprintf(asker->rematch, sizeof asker->rematch, "%s", id == NULL ? "" : id);
    answer_free(&answer);
    return NULL;
}

Test(scenario_rematch, of_two_who_ask_at_once_one_hears_of_the_game_and_there_is_one,
     .timeout = 300)
{
    enum { ROUNDS = 20 };
    struct ended ended = ended_game(process_new(NULL));
    pthread_barrier_t start;
    char game[32];
    char count[16];
    memcpy(game, ended.pairing.game, sizeof game);
    cr_assert_eq(pthread_barrier_init(&start, NULL, 2), 0);
    for (int round = 0; round < ROUNDS; round++) {
        struct asker askers[2];
        for (size_t i = 0; i < 2; i++) {
            askers[i] = (struct asker){.start = &start, .device = ended.devices[i], .game = game};
            cr_assert_eq(pthread_create(&askers[i].thread, NULL, ask_at_once, &askers[i]), 0);
        }
        for (size_t i = 0; i < 2; i++) {
            (void)pthread_join(askers[i].thread, NULL);
            cr_expect_eq(askers[i].status, 200);
        }
        bool first = askers[0].rematch[0] != '\0';
        bool second = askers[1].rematch[0] != '\0';
        cr_assert(first != second, "round %d: %d %d", round, first, second);
        memcpy(game, askers[first ? 0 : 1].rematch, sizeof game);
        expect_status(200, device_resign(ended.devices[0], game));
    }
    process_sql(ended.server, "SELECT count(*) FROM game", count, sizeof count);
    cr_expect_str_eq(count, "21");
    (void)pthread_barrier_destroy(&start);
    ended_free(&ended);
}

Test(scenario_rematch, a_kill_forgets_nobody_who_has_asked)
{
    struct ended ended = ended_game(process_new(NULL));
    const char *first = ended.pairing.game;
    char game[32];
    expect_none(device_rematch(ended.pairing.seats[0], first), "b");
    process_kill(ended.server);
    process_start(ended.server, NULL, NULL);
    device_reconnect(ended.devices[0], ended.server);
    device_reconnect(ended.devices[1], ended.server);
    expect_asked(device_rematch(ended.pairing.seats[1], first), "b w", game);
    cr_expect_str_neq(game, "");
    ended_free(&ended);
}

/* What is appended to a game after its end is counted on, whichever came first. */
Test(scenario_rematch, a_game_may_be_voided_before_or_after_its_rematch)
{
    for (int voided_first = 0; voided_first < 2; voided_first++) {
        struct ended ended = ended_game(process_new(NULL));
        char game[32];
        char line[64];
        char output[512];
        (void)snprintf(line, sizeof line, "void-game %s", ended.pairing.game);
        if (voided_first) {
            cr_assert_eq(process_run(ended.server, line, output, sizeof output), 0, "%s", output);
        }
        expect_status(200, device_rematch(ended.devices[0], ended.pairing.game));
        expect_asked(device_rematch(ended.devices[1], ended.pairing.game), "b w", game);
        if (!voided_first) {
            cr_assert_eq(process_run(ended.server, line, output, sizeof output), 0, "%s", output);
        }
        expect_status(200, device_resign(ended.devices[0], game));
        process_sql(ended.server,
                    "SELECT group_concat(type) FROM game_event WHERE game_no = 1"
                    " AND reason IS NOT 'pause'",
                    output, sizeof output);
        cr_expect_str_eq(output,
                         voided_first ? "finished,voided,rematch" : "finished,rematch,voided");
        ended_free(&ended); /* which verifies */
    }
}

/* --- the proof -----------------------------------------------------------------------------------
 */

/* Game 1 (A B, A resigned), its rematch 2 (B A, B resigned), of which A has asked for one; game 3
 * (A B) runs. */
static void play_again(struct process *server)
{
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    char game[32];
    expect_status(200, device_resign(a, pairing.game));
    expect_status(200, device_rematch(a, pairing.game));
    expect_asked(device_rematch(b, pairing.game), "b w", game);
    expect_status(200, device_resign(b, game));
    expect_status(200, device_rematch(a, game));
    (void)device_pair(a, b);
    device_free(a);
    device_free(b);
}

Test(scenario_rematch, verify_finds_every_change_of_a_rematch)
{
    static const struct tampering changes[] = {
        {"UPDATE game SET rematch_of = NULL WHERE game_no = 2",
         "game $1: expected number of events rematch 0, found 1"                                                                                                },
        {"UPDATE game SET rematch_of = 99 WHERE game_no = 3",
         "game $3: expected rematch_of an earlier game, found no game"                                                                                          },
        {"UPDATE game SET rematch_of = 2 WHERE game_no = 3",
         "game $2: expected number of events rematch 1, found 0"                                                                                                },
        {"DELETE FROM game_event WHERE type = 'rematch'",
         "game $1: expected number of events rematch 1, found 0"                                                                                                },
        {"UPDATE game_event SET linked_game_no = 3 WHERE type = 'rematch'",
         "game $1, event 2: expected linked_game_no 2, found 3"                                                                                                 },
        {"UPDATE game_event SET at_ms = at_ms + 7 WHERE type = 'rematch'",
         "game $1, event 2: expected at_ms *, found *"                                                                                                          },
        {"UPDATE game SET turn_seconds = 30 WHERE game_no = 2",
         "game $2: expected the terms of $1, whose rematch it is, found *"                                                                                      },
        {"UPDATE seat SET player_no = 3 - player_no WHERE game_no = 1",
         "game $2, seat b: expected player p_* (a rematch rotates), found p_*"                                                                                  },
        {"DELETE FROM rematch_ask WHERE game_no = 1 AND seat_no = 0",
         "game $1: expected every seat's rematch_ask, found 1"                                                                                                  },
        {"INSERT INTO rematch_ask SELECT 2, 0, asked_at_ms FROM rematch_ask WHERE game_no = 2",
         "game $2: expected not every seat's rematch_ask, found 2"                                                                                              },
        {"UPDATE rematch_ask SET asked_at_ms = asked_at_ms + 60000 WHERE game_no = 1 AND "
         "seat_no = 1",                                                                "game $1: expected rematch_ask rows of one minute after the end"},
        {"DELETE FROM rematch_news WHERE game_no = 1 AND seat_no = 1",
         "game $1: expected rematch_news of seat_no 1, since the end or later"                                                                                  },
        {"UPDATE rematch_news SET since_ms = 5 WHERE game_no = 2",
         "game $2: expected rematch_news of seat_no 1, since the end or later"                                                                                  },
        {"UPDATE rematch_ask SET asked_at_ms = 5 WHERE game_no = 2",
         "game $2: expected rematch_ask rows of one minute after the end"                                                                                       },
    };
    proof_expect_of(proof_of(play_again, 3), changes, sizeof changes / sizeof changes[0]);
}
