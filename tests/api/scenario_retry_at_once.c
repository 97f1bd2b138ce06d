#include "tests/support/board.h"
#include "tests/support/each_game.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char key[] = "4fa1c0de-7e57";

static long number_of(struct process *server, const char *sql)
{
    char text[64];
    process_sql(server, sql, text, sizeof text);
    return strtol(text, NULL, 10);
}

enum { RACERS = 50 };

struct racer {
    pthread_t thread;
    const struct process *server;
    const char *token;
    const char *key;
    const char *pool;
    struct answer answer;
};

static void *race(void *context)
{
    struct racer *racer = context;
    struct client *client = client_new(racer->server->origin);
    char body[48];
    (void)snprintf(body, sizeof body, "{\"pool\":\"%s\"}", racer->pool);
    racer->answer = racer->key == NULL
                        ? client_post(client, "/v1/tickets", racer->token, body)
                        : client_post_keyed(client, "/v1/tickets", racer->token, racer->key, body);
    client_free(client);
    return NULL;
}

static void race_all(struct racer *racers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(pthread_create(&racers[i].thread, NULL, race, &racers[i]), 0);
    }
    for (size_t i = 0; i < count; i++) {
        (void)pthread_join(racers[i].thread, NULL);
    }
}

TestEachGame(scenario_retry_at_once, of_fifty_at_once_one_takes_the_ticket_and_all_get_its_answer)
{
    static struct racer racers[RACERS];
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    size_t replayed = 0;
    for (size_t i = 0; i < RACERS; i++) {
        racers[i] =
            (struct racer){.server = server, .token = a->token, .key = key, .pool = game->pool};
    }
    race_all(racers, RACERS);
    for (size_t i = 0; i < RACERS; i++) {
        cr_expect_eq(racers[i].answer.status, 201);
        cr_expect_str_eq(racers[i].answer.text, racers[0].answer.text);
        replayed += answer_replayed(&racers[i].answer);
    }
    cr_expect_eq(replayed, RACERS - 1);
    cr_expect_eq(number_of(server, "SELECT count(*) FROM ticket"), 1);
    for (size_t i = 0; i < RACERS; i++) {
        answer_free(&racers[i].answer);
    }
    device_free(a);
    process_free(server);
}

/* Two tabs of one device, and another device of the same player, each with a key or without. */
TestEachGame(scenario_retry_at_once, who_joins_from_several_places_at_once_gets_one_ticket)
{
    for (int round = 0; round < 5; round++) {
        struct process *server = process_new(NULL);
        struct device *a = device_new(server);
        struct device *linked = device_linked(server, a);
        const struct racer plain = {.server = server, .token = a->token, .pool = game->pool};
        struct racer racers[] = {plain, plain, plain, plain};
        racers[1].key = racers[2].key = key;
        racers[3].key = "another-key";
        racers[2].token = racers[3].token = linked->token;
        size_t taken = 0;
        race_all(racers, sizeof racers / sizeof racers[0]);
        for (size_t i = 0; i < sizeof racers / sizeof racers[0]; i++) {
            long status = racers[i].answer.status;
            cr_expect(status == 201 || status == 409, "%ld", status);
            taken += status == 201;
            answer_free(&racers[i].answer);
        }
        cr_expect_eq(taken, 1);
        cr_expect_eq(number_of(server, "SELECT count(*) FROM ticket"), 1);
        device_free(a);
        device_free(linked);
        process_free(server);
    }
}

/* --- leaving while somebody comes ---------------------------------------------------------------
 */

struct leaver {
    pthread_t thread;
    struct device *device;
    const char *ticket;
    long status;
};

static void *leave(void *context)
{
    struct leaver *leaver = context;
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/tickets/%s", leaver->ticket);
    struct answer answer = client_send(
        leaver->device->client,
        &(struct call){.method = "DELETE", .path = path, .token = leaver->device->token});
    leaver->status = answer.status;
    answer_free(&answer);
    return NULL;
}

static struct answer read_ticket(struct device *device, const char *ticket)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/tickets/%s", ticket);
    return expect(200, client_get(device->client, path, device->token));
}

/* All are matched with each other, or one has left and the others wait. */
static void expect_agreement(const struct board *board, const struct leaver *leaver,
                             char tickets[][32])
{
    bool stayed = leaver->status == 409;
    const char *pool = board->game->pool;
    struct answer left = read_ticket(leaver->device, leaver->ticket);
    cr_expect(stayed || leaver->status == 204, "%s: %ld", pool, leaver->status);
    cr_expect_str_eq(answer_text(&left, "status"), stayed ? "matched" : "cancelled", "%s", pool);
    for (size_t i = 1; i < game_seat_count(board->game); i++) {
        struct answer came = read_ticket(board->devices[i], tickets[i]);
        cr_expect_str_eq(answer_text(&came, "status"), stayed ? "matched" : "waiting", "%s", pool);
        if (stayed) {
            cr_expect_str_eq(answer_text(&left, "game_id"), answer_text(&came, "game_id"));
        }
        answer_free(&came);
    }
    answer_free(&left);
}

/* Only the last seat is still empty. */
TestEachGame(scenario_retry_at_once, who_leaves_while_somebody_comes_is_gone_or_matched_for_all)
{
    enum { ROUNDS = 20 };
    const size_t count = game_seat_count(game);
    struct board board = board_new(game);
    for (int round = 0; round < ROUNDS; round++) {
        char tickets[GAME_SEATS_MAX][32];
        for (size_t i = 0; i + 1 < count; i++) {
            device_queue_for(board.devices[i], game->pool, NULL, tickets[i]);
        }
        struct leaver leaver = {.device = board.devices[0], .ticket = tickets[0]};
        cr_assert_eq(pthread_create(&leaver.thread, NULL, leave, &leaver), 0);
        device_queue_for(board.devices[count - 1], game->pool, NULL, tickets[count - 1]);
        (void)pthread_join(leaver.thread, NULL);
        expect_agreement(&board, &leaver, tickets);
        for (size_t i = 1; i < count; i++) { /* the next round begins with an empty queue */
            struct leaver last = {.device = board.devices[i], .ticket = tickets[i]};
            (void)leave(&last);
        }
    }
    board_free(&board);
}
