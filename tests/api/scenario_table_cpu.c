#include "tests/support/scene.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Games of tables in which the CPU plays: for seats of its own, and for whoever has left. */

enum { PATIENCE_MS = 30000, PLIES_MOST = 400 };

/* A server with another delay of the CPU's moves. */
static struct scene enter(const char *delay_ms, size_t people, const char *body)
{
    const char *const arguments[] = {"--cpu-delay-ms", delay_ms, NULL};
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    return scene_on(server, people, body);
}

/* Whatever happened: the file is as its moves and events say. */
static void leave(struct scene *scene)
{
    process_verify(scene->server);
    scene_free(scene);
}

static struct answer get(struct device *device, const struct scene *scene, const char *below)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s%s", scene->game, below);
    return expect(200, client_get(device->client, path, device->token));
}

static void post(struct device *device, const struct scene *scene, const char *below)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s%s", scene->game, below);
    struct answer answer = expect(200, client_post(device->client, path, device->token, NULL));
    answer_free(&answer);
}

static void leave_table(struct device *device, const struct scene *scene)
{
    struct answer answer = expect(204, party_post(device, &scene->party, "/leave", NULL));
    answer_free(&answer);
}

/* The game once the seat is on turn, or nobody is any more. */
static struct answer await_turn(const struct scene *scene, const char *seat)
{
    long long until_ms = test_now_ms() + PATIENCE_MS;
    while (true) {
        struct answer answer = get(scene->people[0], scene, "?include=legal_moves");
        const char *turn = json_string_value(answer_at(&answer, "turn"));
        if (turn == NULL || strcmp(turn, seat) == 0) {
            return answer;
        }
        cr_assert_lt(test_now_ms(), until_ms, "%s", answer.text);
        answer_free(&answer);
    }
}

/* Plays the seat with the first move that is legal; what has become of the game. */
static struct answer play_to_the_end(const struct scene *scene, const char *seat)
{
    for (unsigned i = 0; i < PLIES_MOST; i++) {
        struct answer answer = await_turn(scene, seat);
        if (json_is_null(answer_at(&answer, "turn"))) {
            return answer;
        }
        struct answer made = expect(201, device_move(scene->people[0], scene->game,
                                                     (unsigned)answer_integer(&answer, "next_ply"),
                                                     answer_text(&answer, "legal_moves.0")));
        answer_free(&made);
        answer_free(&answer);
    }
    cr_assert_fail("the game has no end");
    return (struct answer){0};
}

/* --- seats of its own ----------------------------------------------------------------------------
 */

/* Whose seat it is says who has made the move. */
static void expect_made_by(const struct scene *scene, const char *own)
{
    size_t index = 0;
    json_t *move = NULL;
    struct answer moves = get(scene->people[0], scene, "/moves");
    json_array_foreach(answer_at(&moves, "items"), index, move)
    {
        const char *seat = json_string_value(json_object_get(move, "seat"));
        cr_expect_str_eq(json_string_value(json_object_get(move, "by")),
                         strcmp(seat, own) == 0 ? "player" : "cpu", "move %zu", index + 1);
    }
    cr_expect_gt(index, 4);
    answer_free(&moves);
}

Test(scenario_table_cpu, one_person_plays_the_cpu_to_the_end_and_again_from_the_other_side)
{
    struct scene scene = enter("0", 1, "{\"game\":\"hasami\",\"options\":{\"move_limit\":40}}");
    party_sit(scene.people[0], &scene.party, 'w');
    party_sit_cpu(scene.people[0], &scene.party, 'b', 3);
    for (int i = 0; i < 2; i++) {
        const char *own = i == 0 ? "w" : "b";
        scene_expect_seats(&scene, i == 0 ? "bc3 w0" : "b0 wc3");
        party_start(scene.people[0], &scene.party, scene.game);
        struct answer game = get(scene.people[0], &scene, "");
        cr_expect_eq(answer_integer(&game, i == 0 ? "seats.0.cpu_level" : "seats.1.cpu_level"), 3);
        answer_free(&game);
        game = play_to_the_end(&scene, own);
        cr_expect_str_eq(answer_text(&game, "status"), "finished");
        cr_expect_str_eq(answer_text(&game, "result.rating_status"), "unrated");
        cr_expect_str_eq(answer_text(&game, "unrated_reason"), "cpu_seat");
        answer_free(&game);
        expect_made_by(&scene, own);
    }
    scene_expect_seats(&scene, "bc3 w0");
    leave(&scene);
}

Test(scenario_table_cpu, one_person_plays_three_and_their_levels_go_round_with_them)
{
    struct scene scene = enter("0", 1, "{\"game\":\"yonin\",\"options\":{\"move_limit\":24}}");
    party_sit(scene.people[0], &scene.party, 's');
    party_sit_cpu(scene.people[0], &scene.party, 'w', 1);
    party_sit_cpu(scene.people[0], &scene.party, 'n', 5);
    party_sit_cpu(scene.people[0], &scene.party, 'e', 8);
    party_start(scene.people[0], &scene.party, scene.game);
    struct answer game = play_to_the_end(&scene, "s");
    cr_expect_str_eq(answer_text(&game, "status"), "finished");
    cr_expect_eq(json_array_size(answer_at(&game, "result.ranks")), 4);
    answer_free(&game);
    expect_made_by(&scene, "s");
    scene_expect_seats(&scene, "sc1 wc5 nc8 e0");
    party_start(scene.people[0], &scene.party, scene.game);
    game = await_turn(&scene, "e");
    cr_expect_eq(answer_integer(&game, "seats.0.cpu_level"), 1);
    cr_expect_eq(answer_integer(&game, "seats.2.cpu_level"), 8);
    cr_expect_geq(answer_integer(&game, "ply"), 1);
    answer_free(&game);
    leave(&scene);
}

/* --- whoever leaves ------------------------------------------------------------------------------
 */

static void expect_hand(const struct scene *scene, const char *control, int64_t seq)
{
    struct answer game = get(scene->people[1], scene, "");
    cr_expect_str_eq(answer_text(&game, "seats.0.control"), control);
    cr_expect_eq(answer_integer(&game, "seq"), seq, "%s", game.text);
    answer_free(&game);
}

Test(scenario_table_cpu, who_leaves_the_table_in_a_game_is_played_for_and_may_return_to_it)
{
    struct scene scene = enter("60000", 2, "{\"game\":\"hasami\"}");
    party_sit(scene.people[0], &scene.party, 'b');
    party_sit(scene.people[1], &scene.party, 'w');
    party_start(scene.people[0], &scene.party, scene.game);
    leave_table(scene.people[0], &scene);
    expect_hand(&scene, "cpu", 1);
    post(scene.people[0], &scene, "/return");
    expect_hand(&scene, "player", 2);
    /* A member again, but without a seat in the next game. */
    party_join(scene.people[0], &scene.party);
    scene_expect_seats(&scene, "b- w1");
    leave_table(scene.people[0], &scene);
    expect_hand(&scene, "cpu", 3);
    process_control(scene.server, "advance 60000");
    struct answer game = await_turn(&scene, "w");
    cr_expect_eq(answer_integer(&game, "ply"), 1);
    answer_free(&game);
    leave(&scene);
}

Test(scenario_table_cpu, who_only_watches_or_has_left_already_leaves_no_game)
{
    struct scene scene = enter("60000", 2, "{\"game\":\"hasami\"}");
    party_sit(scene.people[0], &scene.party, 'b');
    party_sit_cpu(scene.people[0], &scene.party, 'w', 2);
    party_start(scene.people[0], &scene.party, scene.game);
    leave_table(scene.people[1], &scene);
    struct answer game = get(scene.people[0], &scene, "");
    cr_expect_eq(answer_integer(&game, "seq"), 0);
    answer_free(&game);
    post(scene.people[0], &scene, "/leave");
    leave_table(scene.people[0], &scene);
    game = get(scene.people[0], &scene, "");
    cr_expect_eq(answer_integer(&game, "seq"), 1);
    answer_free(&game);
    leave(&scene);
}

Test(scenario_table_cpu, an_erased_member_leaves_table_and_game)
{
    struct scene scene = enter("60000", 2, "{\"game\":\"hasami\"}");
    party_sit(scene.people[0], &scene.party, 'b');
    party_sit(scene.people[1], &scene.party, 'w');
    party_start(scene.people[0], &scene.party, scene.game);
    struct device *host = scene.people[0];
    struct call erase = {.method = "DELETE", .path = "/v1/me", .token = host->token};
    struct answer answer = expect(204, client_send(host->client, &erase));
    answer_free(&answer);
    expect_hand(&scene, "cpu", 1);
    struct device *people[] = {scene.people[1], NULL};
    party_expect_seats(scene.people[1], &scene.party, people, "b- w0");
    leave(&scene);
}
