#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char key[] = "4fa1c0de-7e57";
static const char hasami[] = "{\"pool\":\"hasami\"}";

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
    struct answer answer;
};

static void *race(void *context)
{
    struct racer *racer = context;
    struct client *client = client_new(racer->server->origin);
    racer->answer = racer->key == NULL ? client_post(client, "/v1/tickets", racer->token, hasami)
                                       : client_post_keyed(client, "/v1/tickets", racer->token,
                                                           racer->key, hasami);
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

Test(scenario_retry_at_once, of_fifty_at_once_one_takes_the_ticket_and_all_get_its_answer)
{
    static struct racer racers[RACERS];
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    size_t replayed = 0;
    for (size_t i = 0; i < RACERS; i++) {
        racers[i] = (struct racer){.server = server, .token = a->token, .key = key};
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
Test(scenario_retry_at_once, who_joins_from_several_places_at_once_gets_one_ticket)
{
    for (int round = 0; round < 5; round++) {
        struct process *server = process_new(NULL);
        struct device *a = device_new(server);
        struct device *linked = device_linked(server, a);
        struct racer racers[] = {
            {.server = server,        .token = a->token   },
            { .server = server,      .token = a->token,           .key = key},
            { .server = server, .token = linked->token,           .key = key},
            { .server = server, .token = linked->token, .key = "another-key"},
        };
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

/* Both are matched with each other, or one has left and the other waits. */
static void expect_agreement(const struct leaver *leaver, struct device *other, const char *ticket)
{
    bool stayed = leaver->status == 409;
    struct answer left = read_ticket(leaver->device, leaver->ticket);
    struct answer came = read_ticket(other, ticket);
    cr_expect(stayed || leaver->status == 204, "%ld", leaver->status);
    cr_expect_str_eq(answer_text(&left, "status"), stayed ? "matched" : "cancelled");
    cr_expect_str_eq(answer_text(&came, "status"), stayed ? "matched" : "waiting");
    if (stayed) {
        cr_expect_str_eq(answer_text(&left, "game_id"), answer_text(&came, "game_id"));
    }
    answer_free(&left);
    answer_free(&came);
}

Test(scenario_retry_at_once, who_leaves_while_somebody_comes_is_gone_or_matched_for_both)
{
    struct process *server = process_new(NULL);
    for (int round = 0; round < 20; round++) {
        struct device *a = device_new(server);
        struct device *b = device_new(server);
        char tickets[2][32];
        device_queue(a, tickets[0]);
        struct leaver leaver = {.device = a, .ticket = tickets[0]};
        cr_assert_eq(pthread_create(&leaver.thread, NULL, leave, &leaver), 0);
        device_queue(b, tickets[1]);
        (void)pthread_join(leaver.thread, NULL);
        expect_agreement(&leaver, b, tickets[1]);
        struct leaver last = {.device = b, .ticket = tickets[1]};
        (void)leave(&last); /* the next round begins with an empty queue */
        device_free(a);
        device_free(b);
    }
    process_free(server);
}
