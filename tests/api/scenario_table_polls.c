#include "tests/support/party.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Waiting at a table (`wait`): whatever changes there is told at once, and nothing is missed. */

struct waiter {
    pthread_t thread;
    struct device *device;
    struct party party;
    const char *tail;
    char header[64]; /* If-None-Match, or "" */
    struct answer answer;
    long long took_ms;
};

static void *wait_for_news(void *context)
{
    struct waiter *waiter = context;
    char path[96];
    long long began = test_now_ms();
    (void)snprintf(path, sizeof path, "/v1/tables/%s%s", waiter->party.id, waiter->tail);
    waiter->answer =
        client_send(waiter->device->client,
                    &(struct call){.method = "GET",
                                   .path = path,
                                   .token = waiter->device->token,
                                   .header = waiter->header[0] == '\0' ? NULL : waiter->header});
    waiter->took_ms = test_now_ms() - began;
    return NULL;
}

static void begin(struct waiter *waiter)
{
    cr_assert_eq(pthread_create(&waiter->thread, NULL, wait_for_news, waiter), 0);
}

static void end(struct waiter *waiter)
{
    (void)pthread_join(waiter->thread, NULL);
}

struct scene {
    struct process *server;
    struct device *host;
    struct device *guest; /* waits */
    struct party party;
    char game[32];
};

static void sits(struct scene *scene)
{
    party_sit(scene->host, &scene->party, 'b');
}
static void changes_rules(struct scene *scene)
{
    expect_status(200, party_change(scene->host, &scene->party, "{\"rotate_first\":false}"));
}
static void is_joined(struct scene *scene)
{
    struct device *late = device_new(scene->server);
    party_join(late, &scene->party);
    device_free(late);
}
static void starts(struct scene *scene)
{
    party_sit(scene->host, &scene->party, 'b');
    party_sit_cpu(scene->host, &scene->party, 'w', 1);
    party_start(scene->host, &scene->party, scene->game);
}
static void is_left(struct scene *scene)
{
    expect_status(204, party_post(scene->host, &scene->party, "/leave", NULL));
}
static void loses_its_host_for_good(struct scene *scene)
{
    struct call erase = {.method = "DELETE", .path = "/v1/me", .token = scene->host->token};
    expect_status(204, client_send(scene->host->client, &erase));
}

Test(scenario_table_polls, whatever_changes_at_a_table_wakes_who_waits)
{
    static void (*const changes[])(struct scene *) = {
        sits, changes_rules, is_joined, starts, is_left, loses_its_host_for_good};
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct scene scene = {.server = process_new(NULL)};
        scene.host = device_new(scene.server);
        scene.guest = device_new(scene.server);
        scene.party = party_open(scene.host, "{\"game\":\"hasami\"}");
        party_join(scene.guest, &scene.party);
        struct waiter waiter = {.device = scene.guest, .party = scene.party, .tail = "?wait=25"};
        begin(&waiter);
        client_await_held(scene.host->client, 1);
        changes[i](&scene);
        end(&waiter);
        cr_expect_eq(waiter.answer.status, 200, "change %zu: %ld", i, waiter.answer.status);
        cr_expect_lt(waiter.took_ms, CLIENT_WAIT_MS, "change %zu", i);
        answer_free(&waiter.answer);
        device_free(scene.host);
        device_free(scene.guest);
        process_free(scene.server);
    }
}

static void end_by_move(const struct pairing *pairing)
{
    static const char *const last[] = {"5i5h", NULL};
    device_play(pairing, 1, last);
}
static void end_by_resignation(const struct pairing *pairing)
{
    expect_status(200, device_resign(pairing->seats[1], pairing->game));
}
/* The CPU makes the last move, for who has left. */
static void end_by_cpu(const struct pairing *pairing)
{
    char path[96];
    struct device *first = pairing->seats[0];
    (void)snprintf(path, sizeof path, "/v1/games/%s/leave", pairing->game);
    expect_status(200, client_post(first->client, path, first->token, NULL));
    process_control(first->server, "advance 500");
}

Test(scenario_table_polls, the_end_of_its_game_wakes_who_waits_at_the_table)
{
    static void (*const ends[])(const struct pairing *) = {end_by_move, end_by_resignation,
                                                           end_by_cpu};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct process *server = process_new(NULL);
        struct device *people[] = {device_new(server), device_new(server), device_new(server)};
        struct party party =
            party_open(people[0], "{\"game\":\"hasami\",\"options\":{\"move_limit\":1}}");
        struct pairing pairing = {
            .seats = {people[0], people[1]}
        };
        party_join(people[1], &party);
        party_join(people[2], &party);
        party_sit(people[0], &party, 'b');
        party_sit(people[1], &party, 'w');
        party_start(people[0], &party, pairing.game);
        struct waiter waiter = {.device = people[2], .party = party, .tail = "?wait=25"};
        begin(&waiter);
        client_await_held(people[0]->client, 1);
        ends[i](&pairing);
        end(&waiter);
        cr_expect_str_eq(answer_text(&waiter.answer, "status"), "open");
        cr_expect_str_eq(answer_text(&waiter.answer, "seats.0.player.id"), people[1]->player);
        cr_expect_lt(waiter.took_ms, CLIENT_WAIT_MS);
        answer_free(&waiter.answer);
        for (size_t j = 0; j < 3; j++) {
            device_free(people[j]);
        }
        process_free(server);
    }
}

static void note_tag(const struct answer *answer, char header[64])
{
    char tag[32] = "";
    cr_assert(answer_header(answer, "ETag", tag, sizeof tag));
    (void)snprintf(header, 64, "If-None-Match: %s", tag);
}

/* What came between the last answer and this question is told by the tag. */
Test(scenario_table_polls, a_change_before_the_question_is_answered_at_once)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    struct waiter waiter = {.device = host, .party = party, .tail = "?wait=25"};
    struct answer answer = expect(200, party_get(host, &party, ""));
    note_tag(&answer, waiter.header);
    answer_free(&answer);
    party_sit(host, &party, 'b');
    begin(&waiter);
    end(&waiter);
    cr_expect_eq(waiter.answer.status, 200);
    cr_expect_lt(waiter.took_ms, CLIENT_WAIT_MS);
    cr_expect_str_eq(answer_text(&waiter.answer, "seats.0.player.id"), host->player);
    note_tag(&waiter.answer, waiter.header);
    answer_free(&waiter.answer);
    waiter.tail = "?wait=1";
    begin(&waiter);
    end(&waiter);
    cr_expect_eq(waiter.answer.status, 304, "nothing new: %ld", waiter.answer.status);
    cr_expect_geq(waiter.took_ms, 900);
    answer_free(&waiter.answer);
    device_free(host);
    process_free(server);
}

Test(scenario_table_polls, without_news_the_answer_comes_when_the_time_is_over)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    struct waiter waiter = {.device = host, .party = party, .tail = "?wait=1"};
    begin(&waiter);
    end(&waiter);
    cr_expect_eq(waiter.answer.status, 200);
    cr_expect_geq(waiter.took_ms, 900);
    cr_expect_leq(waiter.took_ms, 1000 + TEST_STALL_MS);
    answer_free(&waiter.answer);
    expect_problem(400, "invalid-parameter", party_get(host, &party, "?wait=26"));
    expect_problem(400, "invalid-parameter", party_get(host, &party, "?wait=-1"));
    device_free(host);
    process_free(server);
}

Test(scenario_table_polls, who_waits_and_is_no_member_any_more_is_told_that_there_is_nothing)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct device *guest = device_new(server);
    struct device *other = device_linked(server, guest);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    party_join(guest, &party);
    struct waiter waiter = {.device = guest, .party = party, .tail = "?wait=25"};
    begin(&waiter);
    client_await_held(host->client, 1);
    expect_status(204, party_post(other, &party, "/leave", NULL));
    end(&waiter);
    cr_expect_eq(waiter.answer.status, 404);
    answer_free(&waiter.answer);
    device_free(host);
    device_free(guest);
    device_free(other);
    process_free(server);
}

Test(scenario_table_polls, the_end_of_the_service_answers_who_waits)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct client *other = client_new(server->origin);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    struct waiter waiter = {.device = host, .party = party, .tail = "?wait=25"};
    begin(&waiter);
    client_await_held(other, 1);
    cr_assert_eq(process_stop(server), 0);
    end(&waiter);
    cr_expect_eq(waiter.answer.status, 200);
    cr_expect_lt(waiter.took_ms, CLIENT_WAIT_MS);
    answer_free(&waiter.answer);
    client_free(other);
    device_free(host);
    process_free(server);
}
