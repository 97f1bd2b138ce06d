#include "tests/support/party.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* A table without a clock, at which whoever is on turn has gone. */

enum { PATIENCE_MS = 30000 };

struct scene {
    struct process *server;
    struct device *absent; /* has b, and says nothing any more */
    struct device *other;  /* has w */
    char game[32];
};

static struct scene scene_new(const char *const *arguments)
{
    struct scene scene = {.server = process_folder()};
    process_start(scene.server, arguments, NULL);
    scene.absent = device_new(scene.server);
    scene.other = device_new(scene.server);
    struct party party = party_open(scene.other, "{\"game\":\"hasami\"}");
    party_join(scene.absent, &party);
    party_sit(scene.other, &party, 'w');
    party_sit(scene.absent, &party, 'b');
    party_start(scene.other, &party, scene.game);
    return scene;
}

static void scene_free(struct scene *scene)
{
    process_verify(scene->server);
    device_free(scene->absent);
    device_free(scene->other);
    process_free(scene->server);
}

static struct answer game_now(const struct scene *scene)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s", scene->game);
    return expect(200, client_get(scene->other->client, path, scene->other->token));
}

/* The game once the other is on turn. */
static struct answer await_turn(const struct scene *scene)
{
    long long until_ms = test_now_ms() + PATIENCE_MS;
    struct answer answer = game_now(scene);
    while (strcmp(answer_text(&answer, "turn"), "w") != 0) {
        cr_assert_lt(test_now_ms(), until_ms, "%s", answer.text);
        answer_free(&answer);
        answer = game_now(scene);
    }
    return answer;
}

/* Far from what it would be without the option: two minutes. */
Test(scenario_absence, whoever_is_silent_for_so_long_as_the_option_says_is_played_for_at_its_level)
{
    static const char *const arguments[] = {
        "--absence-seconds", "50", "--absence-level", "7", "--cpu-delay-ms", "0", NULL};
    char event[64];
    struct scene scene = scene_new(arguments);
    process_control(scene.server, "advance 15000");
    struct answer game = game_now(&scene);
    cr_expect_str_eq(answer_text(&game, "seats.0.control"), "player");
    cr_expect_eq(answer_integer(&game, "ply"), 0);
    answer_free(&game);
    process_control(scene.server, "advance 35000");
    game = await_turn(&scene);
    cr_expect_str_eq(answer_text(&game, "seats.0.control"), "cpu");
    cr_expect_eq(answer_integer(&game, "seats.0.cpu_level"), 7);
    cr_expect_str_eq(answer_text(&game, "seats.1.control"), "player");
    answer_free(&game);
    process_sql(scene.server,
                "SELECT group_concat(type || ' ' || seat || ' ' || reason)"
                " FROM game_event",
                event, sizeof event);
    cr_expect_str_eq(event, "seat b absent");
    scene_free(&scene);
}
