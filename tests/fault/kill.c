#include "player.h"

#include "tests/support/board.h"
#include "tests/support/contract.h"
#include "tests/support/each_game.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

/* A kill proves that an acknowledgement comes after COMMIT, and that recovery works. It does not
 * prove that the disk has it: the page cache survives the process. */

enum { PLAYERS = 8, KILLS = 50, LOAD_MS_MAX = TEST_STALL_MS };

/* From the start of the process to its readiness, at most restarts of a run: a machine with other
 * things to do can spoil some. A sanitizer slows it down by more than it says about the service. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
enum { RESTART_MS_MAX = 5000 };
#else
enum { RESTART_MS_MAX = 1000 };
#endif

static unsigned kills_wanted(void)
{
    const char *text = getenv("BANZUKE_KILLS");
    return text == NULL ? KILLS : (unsigned)strtoul(text, NULL, 10);
}

static unsigned moves_made(struct player *players)
{
    unsigned moves = 0;
    for (size_t i = 0; i < PLAYERS; i++) {
        moves += atomic_load(&players[i].moves);
    }
    return moves;
}

/* Everybody has come to play, and this life has seen its share. */
static bool is_load(struct player *players, unsigned moves_before)
{
    for (size_t i = 0; i < PLAYERS; i++) {
        if (atomic_load(&players[i].moves) == 0) {
            return false;
        }
    }
    return moves_made(players) >= moves_before + PLAYERS;
}

/* One life of the server under load, ended at a random instant; the plies that were lost, and
 * whether the next life began within its time. */
static unsigned live_and_die(struct process *server, struct player *players, unsigned *seed,
                             const char *fault, bool *in_time)
{
    unsigned lost = 0;
    unsigned moves_before = moves_made(players);
    long long load_until = test_now_ms() + LOAD_MS_MAX;
    for (size_t i = 0; i < PLAYERS; i++) {
        player_settle(&players[i]);
    }
    for (size_t i = 0; i < PLAYERS; i++) {
        cr_assert_eq(pthread_create(&players[i].thread, NULL, player_run, &players[i]), 0);
    }
    while (!is_load(players, moves_before) && test_now_ms() < load_until) {
        test_pause_ms(1);
    }
    *seed = *seed * 1103515245U + 12345U;
    test_pause_ms(15 + *seed / 65536 % 100);
    process_kill(server);
    for (size_t i = 0; i < PLAYERS; i++) {
        (void)pthread_join(players[i].thread, NULL);
    }
    long long begin = test_now_ms();
    process_start(server, NULL, fault);
    *in_time = test_now_ms() - begin < RESTART_MS_MAX;
    for (size_t i = 0; i < PLAYERS; i++) {
        lost += player_lost(&players[i], server);
    }
    return lost;
}

static void prepare(struct process *server, struct player *players, pthread_mutex_t *queue)
{
    (void)contract();
    for (size_t i = 0; i < PLAYERS; i++) {
        player_init(&players[i], games_at(i % GAMES), server, queue);
    }
}

static void finish(struct process *server, struct player *players)
{
    for (size_t i = 0; i < PLAYERS; i++) {
        player_free(&players[i]);
    }
    process_free(server);
}

Test(kill, a_server_that_dies_is_back_in_a_second_and_has_lost_no_acknowledged_move, .timeout = 300)
{
    static struct player players[PLAYERS];
    struct process *server = process_new(NULL);
    unsigned seed = (unsigned)time(NULL);
    pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
    unsigned slow = 0;
    prepare(server, players, &queue);
    for (unsigned i = 0; i < kills_wanted(); i++) {
        bool in_time = false;
        unsigned lost = live_and_die(server, players, &seed, NULL, &in_time);
        slow += !in_time;
        cr_assert_eq(lost, 0, "kill %u (seed %u): %u acknowledged plies lost", i, seed, lost);
        process_verify(server);
    }
    cr_expect_leq(slow, kills_wanted() / 2, "%u of %u restarts took over %d ms", slow,
                  kills_wanted(), RESTART_MS_MAX);
    cr_assert(is_load(players, (kills_wanted() - 1) * PLAYERS), "the load was no load: %u moves",
              moves_made(players));
    finish(server, players);
}

Test(kill, the_harness_catches_a_server_that_acknowledges_before_commit, .timeout = 300)
{
    static struct player players[PLAYERS];
    struct process *server = process_new(NULL);
    unsigned seed = 1;
    unsigned lost = 0;
    pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
    prepare(server, players, &queue);
    for (size_t i = 0; i < PLAYERS; i++) {
        players[i].lenient = true;
    }
    cr_assert_eq(process_stop(server), 0);
    process_start(server, NULL, "ack_before_commit");
    for (unsigned i = 0; i < KILLS && lost == 0; i++) {
        bool in_time = false;
        lost = live_and_die(server, players, &seed, "ack_before_commit", &in_time);
    }
    cr_assert_gt(lost, 0, "the lie was not found out in %d kills", KILLS);
    finish(server, players);
}

/* --- at exact points -----------------------------------------------------------------------------
 */

static void expect_stored(const struct board *board, const char *status, size_t events)
{
    char sql[96];
    char text[64];
    (void)snprintf(sql, sizeof sql, "SELECT status FROM game WHERE game_id = '%s'", board->id);
    process_sql(board->server, sql, text, sizeof text);
    cr_assert_str_eq(text, status, "%s: %s", board->game->pool, text);
    process_sql(board->server, "SELECT count(*) FROM rating_event", text, sizeof text);
    cr_assert_eq(strtoul(text, NULL, 10), events, "%s: %s", board->game->pool, text);
}

/* The first commit is that of the start, which gives the running game the time in between back. */
#define AFTER_COMMIT "kill:after_commit:2"

TestEachGame(kill, between_commit_and_answer_the_retry_gets_the_stored_answer)
{
    struct board board = board_begun(game);
    board_restart(&board, AFTER_COMMIT);
    board_move_deadly(&board, game->line[board.ply]);
    board_restart(&board, NULL);
    struct answer answer = expect(200, device_move(board.seats[0], board.id, 1, game->line[0]));
    cr_assert_eq(answer_integer(&answer, "move.ply"), 1);
    answer_free(&answer);
    board_free(&board);
}

TestEachGame(kill, between_request_and_commit_the_retry_makes_the_move)
{
    struct board board = board_begun(game);
    board_restart(&board, "kill:before_commit:2");
    board_move_deadly(&board, game->line[board.ply]);
    board_restart(&board, NULL);
    struct answer answer = board_move(&board, game->line[0]);
    answer_free(&answer);
    board_free(&board);
}

/* Once for every seat whose rating has been written. */
TestEachGame(kill, in_the_middle_of_a_result_nothing_of_it_stays)
{
    for (size_t passage = 1; passage <= game_seat_count(game); passage++) {
        char fault[32];
        struct board board = board_begun(game);
        (void)snprintf(fault, sizeof fault, "kill:mid_result:%zu", passage);
        board_play_to_the_last(&board, game->line);
        board_restart(&board, fault);
        board_move_deadly(&board, game->line[board.ply]);
        board_restart(&board, NULL);
        expect_stored(&board, "playing", 0);
        struct answer answer = board_finish(&board);
        answer_free(&answer);
        expect_stored(&board, "finished", game_seat_count(game));
        board_free(&board);
    }
}

TestEachGame(kill, after_the_commit_of_a_result_all_of_it_stays)
{
    struct board board = board_begun(game);
    board_play_to_the_last(&board, game->line);
    board_restart(&board, AFTER_COMMIT);
    board_move_deadly(&board, game->line[board.ply]);
    board_restart(&board, NULL);
    expect_stored(&board, "finished", game_seat_count(game));
    board_free(&board);
}

Test(kill, sigterm_under_load_answers_what_is_in_flight_and_ends_in_time, .timeout = 300)
{
    static struct player players[PLAYERS];
    struct process *server = process_new(NULL);
    pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
    prepare(server, players, &queue);
    for (size_t i = 0; i < PLAYERS; i++) {
        player_settle(&players[i]);
        cr_assert_eq(pthread_create(&players[i].thread, NULL, player_run, &players[i]), 0);
    }
    test_pause_ms(200);
    long long begin = test_now_ms();
    cr_assert_eq(process_stop(server), 0);
    cr_assert_lt(test_now_ms() - begin, 5000 + TEST_STALL_MS);
    for (size_t i = 0; i < PLAYERS; i++) {
        (void)pthread_join(players[i].thread, NULL);
    }
    process_start(server, NULL, NULL);
    for (size_t i = 0; i < PLAYERS; i++) {
        cr_assert_eq(player_lost(&players[i], server), 0);
    }
    finish(server, players);
}
