#include "tests/support/board.h"
#include "tests/support/each_game.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

/* Kills in the middle of what nobody waits for: the game that replays a draw, the move that the CPU
 * makes for somebody who has left. */

static unsigned long number(const struct board *board, const char *sql)
{
    char text[64];
    process_sql(board->server, sql, text, sizeof text);
    return strtoul(text, NULL, 10);
}

static void await_number(const struct board *board, const char *sql, unsigned long wanted)
{
    long long until_ms = test_now_ms() + TEST_STALL_MS;
    while (number(board, sql) != wanted) {
        cr_assert_lt(test_now_ms(), until_ms, "%s is not %lu", sql, wanted);
        test_pause_ms(20);
    }
}

/* The first commit of a life is that of the start, which gives the time in between back. */
TestEachGame(kill_people, a_draw_and_its_replay_come_together_or_not_at_all)
{
    const unsigned long after = game->replays ? 2 : 1;
    static const char games[] = "SELECT count(*) FROM game";
    static const struct {
        const char *fault;
        bool stays;
    } cases[] = {
        {"kill:before_commit:2", false},
        {"kill:mid_result:1",    false},
        {"kill:after_commit:2",  true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct board board = board_begun(game);
        const char *last = game->repetition[game_plies(game->repetition) - 1];
        board_play_to_the_last(&board, game->repetition);
        board_restart(&board, cases[i].fault);
        board_move_deadly(&board, last);
        board_restart(&board, NULL);
        cr_expect_eq(number(&board, games), cases[i].stays ? after : 1, "%s", cases[i].fault);
        if (!cases[i].stays) {
            struct answer answer = board_move(&board, last);
            answer_free(&answer);
        }
        cr_expect_eq(number(&board, games), after, "%s", cases[i].fault);
        cr_expect_eq(number(&board, "SELECT count(*) FROM game AS o JOIN game AS r"
                                    " ON r.replay_of = o.game_no WHERE o.status = 'finished'"
                                    " AND r.status = 'playing'"),
                     after - 1);
        process_verify(board.server);
        board_free(&board);
    }
}

/* Whether it died before its move was stored or after: there is one. */
TestEachGame(kill_people, what_the_cpu_was_about_to_play_it_plays_once)
{
    static const char *const slow[] = {"--cpu-delay-ms", "60000", NULL};
    static const char *const faults[] = {"kill:before_commit:2", "kill:after_commit:2"};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        char path[96];
        struct board board = board_begun(game);
        cr_assert_eq(process_stop(board.server), 0);
        process_start(board.server, slow, NULL);
        for (size_t j = 0; j < game_seat_count(game); j++) {
            device_reconnect(board.devices[j], board.server);
        }
        (void)snprintf(path, sizeof path, "/v1/games/%s/leave", board.id);
        struct answer answer =
            expect(200, client_post(board.seats[1]->client, path, board.seats[1]->token, NULL));
        answer_free(&answer);
        answer = board_move(&board, game->line[0]);
        answer_free(&answer);
        board_restart(&board, faults[i]);
        cr_assert_eq(process_wait(board.server), -9);
        cr_expect_leq(number(&board, "SELECT count(*) FROM move WHERE made_by = 'cpu'"), 1);
        board_restart(&board, NULL);
        await_number(&board, "SELECT count(*) FROM move", 2);
        cr_expect_eq(number(&board, "SELECT count(*) FROM move WHERE made_by = 'cpu'"), 1);
        process_verify(board.server);
        board_free(&board);
    }
}
