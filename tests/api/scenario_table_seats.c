#include "tests/support/scene.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Who sits where: people and the CPU, the host's part in it, and two who want one seat. */

/* Two members, and a third who is none. */
static struct scene enter(const char *body)
{
    struct scene scene = scene_new(2, body);
    scene.people[2] = device_new(scene.server);
    return scene;
}

static struct answer seat(const struct scene *scene, size_t who, const char *tail, const char *body)
{
    return party_post(scene->people[who], &scene->party, tail, body);
}

Test(scenario_table_seats, a_member_sits_down_moves_on_and_stands_up)
{
    struct scene scene = enter("{\"game\":\"yonin\"}");
    expect_status(200, seat(&scene, 1, "/seats/n", "{}"));
    scene_expect_seats(&scene, "s- w- n1 e-");
    expect_status(200, seat(&scene, 1, "/seats/n", NULL));
    expect_status(200, seat(&scene, 1, "/seats/e", NULL));
    scene_expect_seats(&scene, "s- w- n- e1");
    expect_status(200, seat(&scene, 0, "/seats/s", NULL));
    expect_status(204, party_delete(scene.people[1], &scene.party, "/seats/e"));
    expect_status(204, party_delete(scene.people[1], &scene.party, "/seats/e"));
    expect_status(204, party_delete(scene.people[1], &scene.party, "/seats/w"));
    scene_expect_seats(&scene, "s0 w- n- e-");
    scene_free(&scene);
}

Test(scenario_table_seats, a_taken_seat_is_somebody_elses)
{
    struct scene scene = enter("{\"game\":\"hasami\"}");
    expect_status(200, seat(&scene, 0, "/seats/b", NULL));
    expect_problem(409, "seat-taken", seat(&scene, 1, "/seats/b", NULL));
    expect_problem(409, "seat-taken", seat(&scene, 0, "/seats/b", "{\"cpu_level\":3}"));
    expect_status(200, seat(&scene, 0, "/seats/w", "{\"cpu_level\":3}"));
    expect_problem(409, "seat-taken", seat(&scene, 1, "/seats/w", NULL));
    expect_problem(409, "seat-taken", seat(&scene, 0, "/seats/w", "{}"));
    expect_problem(403, "not-your-seat", party_delete(scene.people[1], &scene.party, "/seats/b"));
    expect_problem(403, "not-your-seat", party_delete(scene.people[1], &scene.party, "/seats/w"));
    scene_expect_seats(&scene, "b0 wc3");
    scene_free(&scene);
}

Test(scenario_table_seats, the_host_seats_members_and_the_cpu_on_eight_levels)
{
    struct scene scene = enter("{\"game\":\"hasami\"}");
    char body[64];
    (void)snprintf(body, sizeof body, "{\"player\":\"%s\"}", scene.people[1]->player);
    expect_status(200, seat(&scene, 0, "/seats/w", body));
    scene_expect_seats(&scene, "b- w1");
    for (int level = 0; level <= 9; level++) {
        char cpu[32];
        (void)snprintf(cpu, sizeof cpu, "{\"cpu_level\":%d}", level);
        bool there = level >= 1 && level <= 8;
        struct answer answer = expect(there ? 200 : 422, seat(&scene, 0, "/seats/b", cpu));
        if (there) {
            cr_expect_eq(answer_integer(&answer, "seats.0.cpu_level"), level);
        } else {
            cr_expect_str_eq(answer_text(&answer, "errors.0.pointer"), "/cpu_level");
        }
        answer_free(&answer);
    }
    expect_status(200, seat(&scene, 0, "/seats/w", body));
    scene_expect_seats(&scene, "bc8 w1");
    expect_status(204, party_delete(scene.people[0], &scene.party, "/seats/w"));
    expect_status(204, party_delete(scene.people[0], &scene.party, "/seats/b"));
    expect_status(200, seat(&scene, 0, "/seats/b", body));
    scene_expect_seats(&scene, "b1 w-");
    scene_free(&scene);
}

Test(scenario_table_seats, only_the_host_seats_others_and_only_members)
{
    struct scene scene = enter("{\"game\":\"hasami\"}");
    char member[64];
    char stranger[64];
    (void)snprintf(member, sizeof member, "{\"player\":\"%s\"}", scene.people[1]->player);
    (void)snprintf(stranger, sizeof stranger, "{\"player\":\"%s\"}", scene.people[2]->player);
    expect_problem(403, "not-the-host", seat(&scene, 1, "/seats/b", "{\"cpu_level\":1}"));
    expect_problem(403, "not-the-host", seat(&scene, 1, "/seats/b", member));
    const char *const bad[] = {stranger, "{\"player\":\"p_00000000000000000000000000\"}",
                               "{\"player\":\"somebody\"}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct answer answer = expect(422, seat(&scene, 0, "/seats/b", bad[i]));
        cr_expect_str_eq(answer_text(&answer, "errors.0.pointer"), "/player");
        cr_expect_str_eq(answer_text(&answer, "errors.0.reason"), "not-a-member", "%s", bad[i]);
        answer_free(&answer);
    }
    (void)snprintf(member, sizeof member, "{\"player\":\"%s\",\"cpu_level\":2}",
                   scene.people[1]->player);
    expect_problem(422, "invalid-field", seat(&scene, 0, "/seats/b", member));
    scene_expect_seats(&scene, "b- w-");
    scene_free(&scene);
}

Test(scenario_table_seats, who_is_no_member_has_no_seat)
{
    struct scene scene = enter("{\"game\":\"hasami\"}");
    expect_problem(404, "not-found", seat(&scene, 2, "/seats/b", NULL));
    expect_problem(404, "not-found", party_delete(scene.people[2], &scene.party, "/seats/b"));
    expect_status(200, party_change(scene.people[0], &scene.party, "{\"public\":true}"));
    expect_problem(403, "not-your-seat", seat(&scene, 2, "/seats/b", NULL));
    expect_problem(403, "not-your-seat", party_delete(scene.people[2], &scene.party, "/seats/b"));
    expect_status(200, seat(&scene, 2, "/join", NULL));
    expect_status(200, seat(&scene, 2, "/seats/b", NULL));
    scene_expect_seats(&scene, "b2 w-");
    scene_free(&scene);
}

Test(scenario_table_seats, a_letter_of_the_other_game_is_no_seat)
{
    static const char *const tails[] = {"/seats/s", "/seats/n",   "/seats/x",  "/seats/bw",
                                        "/seats/B", "/seats/%00", "/seats/%20"};
    struct scene scene = enter("{\"game\":\"hasami\"}");
    for (size_t i = 0; i < sizeof tails / sizeof tails[0]; i++) {
        struct call call = {.method = "POST", .token = scene.people[0]->token, .unchecked = true};
        char path[96];
        (void)snprintf(path, sizeof path, "/v1/tables/%s%s", scene.party.id, tails[i]);
        call.path = path;
        struct answer answer = client_send(scene.people[0]->client, &call);
        cr_expect(answer.status == 404 || answer.status == 400, "%s: %ld", tails[i], answer.status);
        answer_free(&answer);
    }
    scene_expect_seats(&scene, "b- w-");
    scene_free(&scene);
}

Test(scenario_table_seats, a_member_who_leaves_frees_the_seat)
{
    struct scene scene = enter("{\"game\":\"hasami\"}");
    expect_status(200, seat(&scene, 1, "/seats/b", NULL));
    expect_status(204, seat(&scene, 1, "/leave", NULL));
    scene_expect_seats(&scene, "b- w-");
    scene_free(&scene);
}

/* --- at once -------------------------------------------------------------------------------------
 */

enum { RACERS = 8, ROUNDS = 20 };

struct racer {
    pthread_t thread;
    pthread_barrier_t *start;
    struct device *device;
    struct party party;
    long statuses[ROUNDS];
    char codes[ROUNDS][24];
};

static void *race(void *context)
{
    struct racer *racer = context;
    for (size_t i = 0; i < ROUNDS; i++) {
        (void)pthread_barrier_wait(racer->start);
        struct answer answer = party_post(racer->device, &racer->party, "/seats/b", NULL);
        racer->statuses[i] = answer.status;
        if (answer.status != 200) {
            (void)snprintf(racer->codes[i], sizeof racer->codes[i], "%s",
                           answer_text(&answer, "code"));
        }
        (void)pthread_barrier_wait(racer->start);
        if (answer.status == 200) { /* the next round begins with the seat empty */
            struct answer stood = party_delete(racer->device, &racer->party, "/seats/b");
            answer_free(&stood);
        }
        answer_free(&answer);
    }
    return NULL;
}

Test(scenario_table_seats, of_many_who_want_one_seat_exactly_one_has_it, .timeout = 300)
{
    struct racer racers[RACERS];
    pthread_barrier_t start;
    struct process *server = process_new(NULL);
    cr_assert_eq(pthread_barrier_init(&start, NULL, RACERS), 0);
    for (size_t i = 0; i < RACERS; i++) {
        racers[i] = (struct racer){.start = &start, .device = device_new(server)};
        racers[i].party =
            i == 0 ? party_open(racers[0].device, "{\"game\":\"hasami\"}") : racers[0].party;
        if (i > 0) {
            party_join(racers[i].device, &racers[i].party);
        }
    }
    for (size_t i = 0; i < RACERS; i++) {
        cr_assert_eq(pthread_create(&racers[i].thread, NULL, race, &racers[i]), 0);
    }
    for (size_t i = 0; i < RACERS; i++) {
        (void)pthread_join(racers[i].thread, NULL);
    }
    for (size_t round = 0; round < ROUNDS; round++) {
        size_t won = 0;
        for (size_t i = 0; i < RACERS; i++) {
            won += racers[i].statuses[round] == 200;
            cr_expect(racers[i].statuses[round] == 200 ||
                          strcmp(racers[i].codes[round], "seat-taken") == 0,
                      "round %zu: %ld %s", round, racers[i].statuses[round],
                      racers[i].codes[round]);
        }
        cr_expect_eq(won, 1, "round %zu: %zu", round, won);
    }
    for (size_t i = 0; i < RACERS; i++) {
        device_free(racers[i].device);
    }
    (void)pthread_barrier_destroy(&start);
    process_free(server);
}
