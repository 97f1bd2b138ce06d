#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What two devices ask of the queue in one instant: either comes first, and both hear the same. */

/* One request of one device, sent when all are ready. */
struct asker {
    pthread_t thread;
    pthread_barrier_t *ready;
    struct device *device;
    struct call call;
    unsigned late_us;
    struct answer answer;
};

static void *ask(void *context)
{
    struct asker *asker = context;
    (void)pthread_barrier_wait(asker->ready);
    (void)usleep(asker->late_us);
    asker->call.token = asker->device->token;
    asker->answer = client_send(asker->device->client, &asker->call);
    return NULL;
}

static void ask_at_once(struct asker askers[2])
{
    pthread_barrier_t ready;
    cr_assert_eq(pthread_barrier_init(&ready, NULL, 2), 0);
    for (size_t i = 0; i < 2; i++) {
        askers[i].ready = &ready;
        cr_assert_eq(pthread_create(&askers[i].thread, NULL, ask, &askers[i]), 0);
    }
    for (size_t i = 0; i < 2; i++) {
        (void)pthread_join(askers[i].thread, NULL);
    }
    (void)pthread_barrier_destroy(&ready);
}

static const struct call queue = {
    .method = "POST", .path = "/v1/tickets", .body = "{\"pool\":\"hasami\"}"};

static struct process *serve(void)
{
    struct process *server = process_folder();
    process_start(server, (const char *const[]){"--rate-limit", "off", NULL}, NULL);
    return server;
}

static void cancel(struct device *device, const char *ticket)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/tickets/%s", ticket);
    struct answer answer = expect(
        204, client_send(device->client,
                         &(struct call){.method = "DELETE", .path = path, .token = device->token}));
    answer_free(&answer);
}

Test(scenario_tickets_at_once, of_two_devices_of_a_player_one_takes_the_ticket)
{
    enum { ROUNDS = 30 };
    char count[16];
    struct process *server = serve();
    struct device *first = device_new(server);
    struct device *second = device_linked(server, first);
    for (int i = 0; i < ROUNDS; i++) {
        struct asker askers[2] = {
            {.device = first,  .call = queue},
            {.device = second, .call = queue},
        };
        ask_at_once(askers);
        size_t won = askers[0].answer.status == 201 ? 0 : 1;
        struct answer taken = expect(201, askers[won].answer);
        expect_problem(409, "already-queued", askers[1 - won].answer);
        process_sql(server, "SELECT count(*) FROM ticket WHERE status = 'waiting'", count,
                    sizeof count);
        cr_expect_str_eq(count, "1");
        /* It is the player's, not the device's. */
        cancel(askers[1 - won].device, answer_text(&taken, "id"));
        answer_free(&taken);
    }
    device_free(first);
    device_free(second);
    process_free(server);
}

/* The ticket, where it stands after so many seconds at the latest. */
static struct answer ticket(struct device *device, const char *id, unsigned seconds)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/tickets/%s?wait=%u", id, seconds);
    return expect(200, client_get(device->client, path, device->token));
}

/* Somebody waits, and leaves as another comes, so much later than that one, or earlier. True: they
 * were paired before. */
static bool leave_as_another_comes(struct process *server, long late_us)
{
    char path[96];
    char waiting[32];
    struct device *leaver = device_new(server);
    struct device *comer = device_new(server);
    device_queue(leaver, waiting);
    (void)snprintf(path, sizeof path, "/v1/tickets/%s", waiting);
    struct asker askers[2] = {
        {.device = leaver, .call = {.method = "DELETE", .path = path}},
        {.device = comer,  .call = queue                             },
    };
    askers[late_us > 0 ? 0 : 1].late_us = (unsigned)labs(late_us);
    ask_at_once(askers);
    bool paired = askers[0].answer.status != 204;
    struct answer came = expect(201, askers[1].answer);
    struct answer left = ticket(leaver, waiting, 0);
    struct answer other = ticket(comer, answer_text(&came, "id"), paired ? 25 : 0);
    if (paired) {
        expect_problem(409, "already-matched", askers[0].answer);
        cr_expect_str_eq(answer_text(&left, "status"), "matched");
        cr_expect_str_eq(answer_text(&other, "status"), "matched");
        cr_expect_str_eq(answer_text(&left, "game_id"), answer_text(&other, "game_id"));
        cr_expect_str_neq(answer_text(&left, "seat"), answer_text(&other, "seat"));
    } else {
        answer_free(&askers[0].answer);
        cr_expect_str_eq(answer_text(&left, "status"), "cancelled");
        cr_expect(json_is_null(answer_at(&left, "game_id")));
        cr_expect_str_eq(answer_text(&other, "status"), "waiting");
        cancel(comer, answer_text(&came, "id"));
    }
    answer_free(&came);
    answer_free(&left);
    answer_free(&other);
    device_free(leaver);
    device_free(comer);
    return paired;
}

Test(scenario_tickets_at_once, who_leaves_as_another_comes_is_gone_or_paired_for_both,
     .timeout = 300)
{
    enum { ROUNDS = 40, STEP_US = 200, STEP_MAX_US = 500 * 1000 };
    char count[32];
    char expected[32];
    int paired = 0;
    bool before = false;
    long late_us = 0;
    long step_us = STEP_US;
    struct process *server = serve();
    for (int i = 0; i < ROUNDS; i++) {
        bool now = leave_as_another_comes(server, late_us);
        paired += now;
        /* Nearer to where either may be first, however slow the machine is. */
        step_us = now != before ? STEP_US : step_us < STEP_MAX_US ? 2 * step_us : step_us;
        late_us += now ? -step_us : step_us;
        before = now;
    }
    cr_expect(paired > 0 && paired < ROUNDS, "%d of %d were paired", paired, ROUNDS);
    process_sql(server,
                "SELECT (SELECT count(*) FROM game) || ' ' ||"
                " (SELECT count(*) FROM ticket WHERE status = 'matched')",
                count, sizeof count);
    (void)snprintf(expected, sizeof expected, "%d %d", paired, 2 * paired);
    cr_expect_str_eq(count, expected);
    process_free(server);
}
