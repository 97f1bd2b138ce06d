#include "player.h"
#include "tests/support/contract.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

/* A kill proves that an acknowledgement comes after COMMIT, and that recovery works. It does not
 * prove that the disk has it: the page cache survives the process. */

enum { PLAYERS = 8, KILLS = 50 };

/* From the start of the process to its readiness. A sanitizer slows it down by more than it says
 * about the service. */
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

/* One life of the server under load, ended at a random instant; the plies that were lost. */
static unsigned live_and_die(struct process *server, struct player *players, unsigned *seed,
                             const char *fault)
{
    unsigned lost = 0;
    for (size_t i = 0; i < PLAYERS; i++) {
        player_settle(&players[i]);
    }
    for (size_t i = 0; i < PLAYERS; i++) {
        cr_assert_eq(pthread_create(&players[i].thread, NULL, player_run, &players[i]), 0);
    }
    *seed = *seed * 1103515245U + 12345U;
    test_pause_ms(15 + *seed / 65536 % 100);
    process_kill(server);
    for (size_t i = 0; i < PLAYERS; i++) {
        (void)pthread_join(players[i].thread, NULL);
    }
    long long begin = test_now_ms();
    process_start(server, NULL, fault);
    long long took_ms = test_now_ms() - begin;
    cr_expect_lt(took_ms, RESTART_MS_MAX, "%lld ms", took_ms);
    for (size_t i = 0; i < PLAYERS; i++) {
        lost += player_lost(&players[i], server);
    }
    return lost;
}

static void prepare(struct process *server, struct player *players, pthread_mutex_t *queue)
{
    (void)contract();
    for (size_t i = 0; i < PLAYERS; i++) {
        player_init(&players[i], server, queue);
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
    unsigned moves = 0;
    pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
    prepare(server, players, &queue);
    for (unsigned i = 0; i < kills_wanted(); i++) {
        unsigned lost = live_and_die(server, players, &seed, NULL);
        cr_assert_eq(lost, 0, "kill %u (seed %u): %u acknowledged plies lost", i, seed, lost);
        process_verify(server);
    }
    for (size_t i = 0; i < PLAYERS; i++) {
        moves += players[i].moves;
    }
    cr_assert_gt(moves, kills_wanted() * 5, "the load was no load: %u moves", moves);
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
        lost = live_and_die(server, players, &seed, "ack_before_commit");
    }
    cr_assert_gt(lost, 0, "the lie was not found out in %d kills", KILLS);
    finish(server, players);
}

/* --- at exact points -----------------------------------------------------------------------------
 */

struct couple {
    struct process *server;
    struct device *seats[2];
    char game[32];
};

static const char *const script[] = {"1i1b", "9a9b", "9i9h", "8a9a", "8i9i",
                                     "9a8a", "1b1h", "8a8i", "2i1i", "2a2i"};

static struct couple couple_new(void)
{
    struct couple couple = {.server = process_new(NULL)};
    struct device *a = device_new(couple.server);
    struct device *b = device_new(couple.server);
    struct pairing pairing = device_pair(a, b);
    couple.seats[0] = pairing.seats[0];
    couple.seats[1] = pairing.seats[1];
    (void)snprintf(couple.game, sizeof couple.game, "%s", pairing.game);
    return couple;
}

static void restart(struct couple *couple, const char *fault)
{
    if (couple->server->pid != 0) {
        cr_assert_eq(process_stop(couple->server), 0);
    }
    process_start(couple->server, NULL, fault);
    for (int i = 0; i < 2; i++) {
        client_free(couple->seats[i]->client);
        couple->seats[i]->client = client_new(couple->server->origin);
    }
}

static void play(struct couple *couple, unsigned from, unsigned to)
{
    for (unsigned ply = from; ply <= to; ply++) {
        struct answer answer = expect(
            201, device_move(couple->seats[(ply + 1) % 2], couple->game, ply, script[ply - 1]));
        answer_free(&answer);
    }
}

/* The move that the server dies of: no answer. */
static void move_unanswered(struct couple *couple, unsigned ply)
{
    char path[96];
    char body[64];
    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", couple->game);
    (void)snprintf(body, sizeof body, "{\"ply\":%u,\"move\":\"%s\"}", ply, script[ply - 1]);
    struct device *mover = couple->seats[(ply + 1) % 2];
    struct answer answer = client_try(
        mover->client,
        &(struct call){.method = "POST", .path = path, .token = mover->token, .body = body});
    cr_assert_eq(answer.status, 0);
    cr_assert_eq(process_wait(couple->server), -9);
}

static void couple_free(struct couple *couple)
{
    device_free(couple->seats[0]);
    device_free(couple->seats[1]);
    process_free(couple->server);
}

/* The first commit is that of the start, which gives the running game the time in between back. */
#define AFTER_COMMIT "kill:after_commit:2"

Test(kill, between_commit_and_answer_the_retry_gets_the_stored_answer)
{
    struct couple couple = couple_new();
    restart(&couple, AFTER_COMMIT);
    move_unanswered(&couple, 1);
    restart(&couple, NULL);
    struct answer answer = expect(200, device_move(couple.seats[0], couple.game, 1, script[0]));
    cr_assert_eq(answer_integer(&answer, "move.ply"), 1);
    answer_free(&answer);
    couple_free(&couple);
}

Test(kill, between_request_and_commit_the_retry_makes_the_move)
{
    struct couple couple = couple_new();
    restart(&couple, "kill:before_commit:2");
    move_unanswered(&couple, 1);
    restart(&couple, NULL);
    struct answer answer = expect(201, device_move(couple.seats[0], couple.game, 1, script[0]));
    answer_free(&answer);
    couple_free(&couple);
}

Test(kill, in_the_middle_of_a_result_nothing_of_it_stays)
{
    for (unsigned passage = 1; passage <= 2; passage++) {
        char fault[32];
        char text[64];
        struct couple couple = couple_new();
        (void)snprintf(fault, sizeof fault, "kill:mid_result:%u", passage);
        play(&couple, 1, 9);
        restart(&couple, fault);
        move_unanswered(&couple, 10);
        restart(&couple, NULL);
        process_sql(couple.server, "SELECT count(*) FROM rating_event", text, sizeof text);
        cr_assert_str_eq(text, "0");
        process_sql(couple.server, "SELECT status FROM game", text, sizeof text);
        cr_assert_str_eq(text, "playing");
        play(&couple, 10, 10);
        process_sql(couple.server, "SELECT count(*) FROM rating_event", text, sizeof text);
        cr_assert_str_eq(text, "2");
        couple_free(&couple);
    }
}

Test(kill, after_the_commit_of_a_result_all_of_it_stays)
{
    char text[64];
    struct couple couple = couple_new();
    play(&couple, 1, 9);
    restart(&couple, AFTER_COMMIT);
    move_unanswered(&couple, 10);
    restart(&couple, NULL);
    process_sql(couple.server, "SELECT status FROM game", text, sizeof text);
    cr_assert_str_eq(text, "finished");
    process_sql(couple.server, "SELECT count(*) FROM rating_event", text, sizeof text);
    cr_assert_str_eq(text, "2");
    couple_free(&couple);
}

Test(kill, sigterm_under_load_answers_what_is_in_flight_and_ends_in_time, .timeout = 60)
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
    cr_assert_lt(test_now_ms() - begin, 5000);
    for (size_t i = 0; i < PLAYERS; i++) {
        (void)pthread_join(players[i].thread, NULL);
    }
    process_start(server, NULL, NULL);
    for (size_t i = 0; i < PLAYERS; i++) {
        cr_assert_eq(player_lost(&players[i], server), 0);
    }
    finish(server, players);
}
