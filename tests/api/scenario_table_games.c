#include "tests/support/scene.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Games of tables: how they start, what they are worth, and who begins the next one. */

static void start(const struct scene *scene, char game[32])
{
    party_start(scene->people[0], &scene->party, game);
}

/* As a member sees it. */
static struct answer game_of(const struct scene *scene, const char *game)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s", game);
    return expect(200, client_get(scene->people[0]->client, path, scene->people[0]->token));
}

static void expect_text(const struct scene *scene, const char *game, const char *path,
                        const char *text)
{
    struct answer answer = game_of(scene, game);
    cr_expect_str_eq(answer_text(&answer, path), text, "%s", path);
    answer_free(&answer);
}

/* --- the start -----------------------------------------------------------------------------------
 */

Test(scenario_table_games, a_game_starts_with_the_seats_as_they_are)
{
    struct scene scene = scene_new(3, "{\"game\":\"hasami\",\"options\":{\"move_limit\":9}}");
    party_sit(scene.people[2], &scene.party, 'b');
    party_sit(scene.people[0], &scene.party, 'w');
    struct answer answer = expect(201, party_post(scene.people[0], &scene.party, "/start", NULL));
    char location[96];
    char expected[96];
    (void)snprintf(expected, sizeof expected, "/v1/games/%s", answer_text(&answer, "id"));
    cr_expect(answer_header(&answer, "Location", location, sizeof location));
    cr_expect_str_eq(location, expected);
    cr_expect_str_eq(answer_text(&answer, "table_id"), scene.party.id);
    cr_expect_str_eq(answer_text(&answer, "status"), "playing");
    cr_expect_str_eq(answer_text(&answer, "seats.0.player.id"), scene.people[2]->player);
    cr_expect_str_eq(answer_text(&answer, "seats.1.player.id"), scene.people[0]->player);
    cr_expect_eq(answer_integer(&answer, "options.move_limit"), 9);
    char game[32];
    (void)snprintf(game, sizeof game, "%s", answer_text(&answer, "id"));
    answer_free(&answer);
    answer = expect(200, party_get(scene.people[1], &scene.party, ""));
    cr_expect_str_eq(answer_text(&answer, "status"), "playing");
    cr_expect_str_eq(answer_text(&answer, "game_id"), game);
    cr_expect_str_eq(answer_text(&answer, "games.0"), game);
    answer_free(&answer);
    char rows[160];
    process_sql(scene.server,
                "SELECT t.table_id || ' ' || t.game_id || ' ' || substr(t.seats, 1, 3)"
                " FROM table_summary AS t JOIN game_summary AS g ON g.table_id = t.table_id",
                rows, sizeof rows);
    (void)snprintf(expected, sizeof expected, "%s %s b: ", scene.party.id, game);
    cr_expect_str_eq(rows, expected);
    scene_free(&scene);
}

Test(scenario_table_games, no_game_starts_before_every_seat_is_taken_one_by_a_person)
{
    struct scene scene = scene_new(1, "{\"game\":\"hasami\"}");
    expect_problem(409, "seat-empty", party_post(scene.people[0], &scene.party, "/start", NULL));
    party_sit_cpu(scene.people[0], &scene.party, 'b', 1);
    expect_problem(409, "seat-empty", party_post(scene.people[0], &scene.party, "/start", NULL));
    party_sit_cpu(scene.people[0], &scene.party, 'w', 8);
    expect_problem(409, "seat-empty", party_post(scene.people[0], &scene.party, "/start", NULL));
    expect_status(204, party_delete(scene.people[0], &scene.party, "/seats/w"));
    party_sit(scene.people[0], &scene.party, 'w');
    char game[32];
    start(&scene, game);
    struct answer answer = game_of(&scene, game);
    cr_expect(json_is_null(answer_at(&answer, "seats.0.player")));
    cr_expect_str_eq(answer_text(&answer, "seats.0.control"), "cpu");
    cr_expect_str_eq(answer_text(&answer, "unrated_reason"), "cpu_seat");
    answer_free(&answer);
    scene_free(&scene);
}

Test(scenario_table_games, while_a_game_is_running_rules_and_seats_stay)
{
    struct scene scene = scene_new(3, "{\"game\":\"hasami\"}");
    char game[32];
    party_sit(scene.people[0], &scene.party, 'b');
    party_sit(scene.people[1], &scene.party, 'w');
    start(&scene, game);
    expect_problem(409, "game-running",
                   party_change(scene.people[0], &scene.party, "{\"public\":true}"));
    expect_problem(409, "game-running", party_change(scene.people[0], &scene.party, "{}"));
    expect_problem(409, "game-running",
                   party_post(scene.people[2], &scene.party, "/seats/b", "{}"));
    expect_problem(409, "game-running", party_delete(scene.people[0], &scene.party, "/seats/b"));
    expect_problem(409, "game-running", party_post(scene.people[0], &scene.party, "/start", NULL));
    expect_problem(403, "not-the-host", party_post(scene.people[1], &scene.party, "/start", NULL));
    expect_status(200, device_resign(scene.people[1], game));
    expect_status(200, party_change(scene.people[0], &scene.party, "{\"public\":true}"));
    scene_free(&scene);
}

/* The running games of one player, at more tables than one may host: others open them, and sit
 * opposite. */
enum { GAMES = 32, HOSTS = 4 };
struct crowd {
    struct device *hosts[HOSTS];
    struct party parties[GAMES - 1];
    char ticket[32];
};

/* The host of the scene plays all of them, and takes a ticket before the last of them. */
static void fill(const struct scene *scene, struct crowd *crowd, char last[32])
{
    struct device *player = scene->people[0];
    for (size_t i = 0; i < HOSTS; i++) {
        crowd->hosts[i] = device_new(scene->server);
    }
    for (size_t i = 0; i < GAMES - 1; i++) {
        struct device *host = crowd->hosts[i / 8];
        crowd->parties[i] = party_open(host, "{\"game\":\"hasami\"}");
        party_join(player, &crowd->parties[i]);
        party_sit(player, &crowd->parties[i], 'b');
        party_sit(host, &crowd->parties[i], 'w');
        party_start(host, &crowd->parties[i], last);
    }
    device_queue(player, crowd->ticket);
    party_sit(scene->people[1], &scene->party, 'b');
    party_sit(player, &scene->party, 'w');
    start(scene, last);
}

static void crowd_free(struct crowd *crowd)
{
    for (size_t i = 0; i < HOSTS; i++) {
        device_free(crowd->hosts[i]);
    }
}

Test(scenario_table_games, a_player_has_thirty_two_running_games_and_a_waiting_ticket_is_no_matter)
{
    struct scene scene = scene_new(2, "{\"game\":\"hasami\"}");
    struct crowd crowd;
    char game[32];
    fill(&scene, &crowd, game);
    expect_status(204, party_post(scene.people[0], &crowd.parties[0], "/leave", NULL));
    struct party more = party_open(scene.people[0], "{\"game\":\"hasami\"}");
    party_join(scene.people[1], &more);
    party_sit(scene.people[0], &more, 'b');
    party_sit(scene.people[1], &more, 'w');
    expect_problem(409, "too-many-games", party_post(scene.people[0], &more, "/start", NULL));
    expect_status(200, device_resign(scene.people[0], game));
    party_start(scene.people[0], &more, game);
    crowd_free(&crowd);
    scene_free(&scene);
}

/* The ticket makes one more of them, and that is all it can do. */
Test(scenario_table_games, a_ticket_taken_before_the_last_of_them_adds_one_and_none_is_forgotten)
{
    struct scene scene = scene_new(2, "{\"game\":\"hasami\"}");
    struct device *player = scene.people[0];
    struct crowd crowd;
    char game[32];
    char seat[2];
    char ticket[32];
    char count[16];
    fill(&scene, &crowd, game);
    device_queue(crowd.hosts[0], ticket);
    device_matched(player, crowd.ticket, game, seat);
    expect_problem(
        409, "too-many-games",
        client_post(player->client, "/v1/tickets", player->token, "{\"pool\":\"hasami\"}"));
    struct answer answer = expect(200, client_get(player->client, "/v1/me", player->token));
    cr_expect_eq(json_array_size(answer_at(&answer, "open_games")), GAMES + 1);
    answer_free(&answer);
    expect_status(204, client_send(player->client, &(struct call){.method = "DELETE",
                                                                  .path = "/v1/me",
                                                                  .token = player->token}));
    process_sql(scene.server,
                "SELECT count(*) || ' ' || sum(control = 'cpu') FROM seat"
                " WHERE player_no = 1 AND place IS NULL",
                count, sizeof count);
    cr_expect_str_eq(count, "33 33", "whose owner has gone");
    crowd_free(&crowd);
    scene_free(&scene);
}

/* --- the next game -------------------------------------------------------------------------------
 */

Test(scenario_table_games, in_hasami_the_two_swap_after_every_game)
{
    struct scene scene = scene_new(2, "{\"game\":\"hasami\"}");
    char game[32];
    party_sit(scene.people[0], &scene.party, 'b');
    party_sit(scene.people[1], &scene.party, 'w');
    start(&scene, game);
    scene_expect_seats(&scene, "b0 w1");
    expect_status(200, device_resign(scene.people[0], game));
    scene_expect_seats(&scene, "b1 w0");
    start(&scene, game);
    expect_status(200, device_resign(scene.people[0], game));
    scene_expect_seats(&scene, "b0 w1");
    struct answer answer = expect(200, party_get(scene.people[1], &scene.party, ""));
    cr_expect_str_eq(answer_text(&answer, "games.0"), game, "the newest first");
    cr_expect_eq(json_array_size(answer_at(&answer, "games")), 2);
    answer_free(&answer);
    scene_free(&scene);
}

Test(scenario_table_games, with_four_the_start_goes_round_clockwise)
{
    static const char *const turns[] = {"s0 w1 n2 e3", "s1 w2 n3 e0", "s2 w3 n0 e1", "s3 w0 n1 e2",
                                        "s0 w1 n2 e3"};
    struct scene scene = scene_new(4, "{\"game\":\"yonin\",\"options\":{\"move_limit\":1}}");
    for (size_t i = 0; i < 4; i++) {
        party_sit(scene.people[i], &scene.party, "swne"[i]);
    }
    scene_expect_seats(&scene, turns[0]);
    for (size_t i = 0; i < 4; i++) {
        char game[32];
        start(&scene, game);
        expect_status(201, device_move(scene.people[i], game, 1, "3i2h"));
        expect_text(&scene, game, "result.reason", "move_limit");
        scene_expect_seats(&scene, turns[i + 1]);
    }
    scene_free(&scene);
}

Test(scenario_table_games, cpu_levels_and_empty_seats_move_on_with_the_people)
{
    struct scene scene = scene_new(3, "{\"game\":\"yonin\",\"options\":{\"move_limit\":1}}");
    char game[32];
    party_sit(scene.people[0], &scene.party, 's');
    party_sit_cpu(scene.people[0], &scene.party, 'w', 2);
    party_sit(scene.people[1], &scene.party, 'n');
    party_sit(scene.people[2], &scene.party, 'e');
    start(&scene, game);
    expect_status(204, party_post(scene.people[1], &scene.party, "/leave", NULL));
    expect_status(201, device_move(scene.people[0], game, 1, "3i2h"));
    scene_expect_seats(&scene, "sc2 w- n2 e0");
    scene_free(&scene);
}

Test(scenario_table_games, a_table_that_does_not_rotate_keeps_its_seats)
{
    struct scene scene = scene_new(2, "{\"game\":\"hasami\",\"rotate_first\":false}");
    char game[32];
    party_sit(scene.people[0], &scene.party, 'b');
    party_sit(scene.people[1], &scene.party, 'w');
    start(&scene, game);
    expect_status(200, device_resign(scene.people[0], game));
    scene_expect_seats(&scene, "b0 w1");
    scene_free(&scene);
}

static const char *const repetition[] = {"5i5h", "5a5b", "5h5i", "5b5a", "5i5h", "5a5b", "5h5i",
                                         "5b5a", "5i5h", "5a5b", "5h5i", "5b5a", NULL};

/* Draws the game by repetition; the replay that it leads to. */
static void draw(const struct scene *scene, size_t b, size_t w, const char *game, char replay[32])
{
    struct pairing pairing = {
        .seats = {scene->people[b], scene->people[w]}
    };
    memcpy(pairing.game, game, sizeof pairing.game);
    device_play(&pairing, 1, repetition);
    struct answer answer = game_of(scene, game);
    (void)snprintf(replay, 32, "%s", answer_text(&answer, "replayed_by"));
    answer_free(&answer);
}

Test(scenario_table_games, a_drawn_game_is_replayed_at_the_table_with_the_seats_moved_on)
{
    struct scene scene = scene_new(2, "{\"game\":\"hasami\"}");
    char game[32];
    char replay[32];
    party_sit(scene.people[0], &scene.party, 'b');
    party_sit(scene.people[1], &scene.party, 'w');
    start(&scene, game);
    draw(&scene, 0, 1, game, replay);
    struct answer answer = expect(200, party_get(scene.people[0], &scene.party, ""));
    cr_expect_str_eq(answer_text(&answer, "status"), "playing");
    cr_expect_str_eq(answer_text(&answer, "game_id"), replay);
    cr_expect_str_eq(answer_text(&answer, "games.0"), replay);
    cr_expect_str_eq(answer_text(&answer, "games.1"), game);
    answer_free(&answer);
    scene_expect_seats(&scene, "b1 w0");
    expect_text(&scene, replay, "table_id", scene.party.id);
    expect_text(&scene, replay, "replay_of", game);
    expect_text(&scene, replay, "seats.0.player.id", scene.people[1]->player);
    expect_status(200, device_resign(scene.people[0], replay));
    scene_expect_seats(&scene, "b0 w1");
    scene_free(&scene);
}

Test(scenario_table_games, without_rotation_a_replay_has_the_same_seats)
{
    struct scene scene = scene_new(2, "{\"game\":\"hasami\",\"rotate_first\":false}");
    char game[32];
    char replay[32];
    party_sit(scene.people[0], &scene.party, 'b');
    party_sit(scene.people[1], &scene.party, 'w');
    start(&scene, game);
    draw(&scene, 0, 1, game, replay);
    expect_text(&scene, replay, "seats.0.player.id", scene.people[0]->player);
    scene_expect_seats(&scene, "b0 w1");
    scene_free(&scene);
}

/* --- leaving in the middle -----------------------------------------------------------------------
 */

Test(scenario_table_games, who_leaves_the_table_keeps_the_game_but_not_the_next_seat)
{
    struct scene scene = scene_new(3, "{\"game\":\"hasami\"}");
    char game[32];
    char path[96];
    party_sit(scene.people[0], &scene.party, 'b');
    party_sit(scene.people[1], &scene.party, 'w');
    start(&scene, game);
    expect_status(204, party_post(scene.people[0], &scene.party, "/leave", NULL));
    expect_problem(404, "not-found", party_get(scene.people[0], &scene.party, ""));
    (void)snprintf(path, sizeof path, "/v1/games/%s", game);
    expect_status(200, client_get(scene.people[0]->client, path, scene.people[0]->token));
    struct answer answer = expect(200, party_get(scene.people[1], &scene.party, ""));
    cr_expect_str_eq(answer_text(&answer, "host_player_id"), scene.people[1]->player);
    cr_expect_str_eq(answer_text(&answer, "status"), "playing");
    answer_free(&answer);
    expect_status(200, device_resign(scene.people[0], game));
    party_expect_seats(scene.people[1], &scene.party, scene.people, "b1 w-");
    scene_free(&scene);
}

Test(scenario_table_games, a_table_that_all_have_left_is_closed_and_its_game_goes_on)
{
    static const char *const slow[] = {"--cpu-delay-ms", "60000", NULL};
    struct process *server = process_folder();
    process_start(server, slow, NULL); /* its players come back before the CPU has moved */
    struct scene scene = scene_on(server, 2, "{\"game\":\"hasami\",\"public\":true}");
    struct device *stranger = device_new(scene.server);
    char game[32];
    char replay[32];
    party_sit(scene.people[0], &scene.party, 'b');
    party_sit(scene.people[1], &scene.party, 'w');
    start(&scene, game);
    expect_status(204, party_post(scene.people[0], &scene.party, "/leave", NULL));
    expect_status(204, party_post(scene.people[1], &scene.party, "/leave", NULL));
    draw(&scene, 0, 1, game, replay);
    struct answer answer = expect(200, party_get(stranger, &scene.party, ""));
    cr_expect_str_eq(answer_text(&answer, "status"), "closed");
    cr_expect(json_is_null(answer_at(&answer, "game_id")));
    answer_free(&answer);
    expect_text(&scene, replay, "table_id", scene.party.id);
    expect_status(200, device_resign(scene.people[0], replay));
    device_free(stranger);
    scene_free(&scene);
}

/* --- what it is worth ----------------------------------------------------------------------------
 */

static void expect_reason(const char *body, bool cpu, const char *pool, const char *reason)
{
    struct scene scene = scene_new(2, body);
    char game[32];
    if (cpu) {
        party_sit_cpu(scene.people[0], &scene.party, 'b', 4);
    } else {
        party_sit(scene.people[1], &scene.party, 'b');
    }
    party_sit(scene.people[0], &scene.party, 'w');
    start(&scene, game);
    struct answer answer = game_of(&scene, game);
    const char *found = json_string_value(answer_at(&answer, "unrated_reason"));
    const char *in = json_string_value(answer_at(&answer, "pool"));
    cr_expect_str_eq(found == NULL ? "" : found, reason, "%s", body);
    cr_expect_str_eq(in == NULL ? "" : in, pool, "%s", body);
    cr_expect_eq(json_is_true(answer_at(&answer, "rated")), reason[0] == '\0', "%s", body);
    cr_expect_eq(json_is_null(answer_at(&answer, "seats.1.player.rating")), pool[0] == '\0');
    answer_free(&answer);
    scene_free(&scene);
}

Test(scenario_table_games, the_first_reason_that_fits_says_why_a_game_is_not_rated)
{
    static const char local[] = "{\"game\":\"hasami\",\"options\":{\"move_limit\":99}}";
    static const char timed[] = "{\"game\":\"hasami\",\"turn_seconds\":30}";
    static const char rated[] =
        "{\"game\":\"hasami\",\"turn_seconds\":30,\"public\":true,\"rated\":true}";
    expect_reason(local, true, "", "cpu_seat");
    expect_reason("{\"game\":\"hasami\"}", true, "hasami", "cpu_seat");
    expect_reason(local, false, "", "local_rules");
    expect_reason("{\"game\":\"hasami\"}", false, "hasami", "no_clock");
    expect_reason(timed, false, "hasami", "casual");
    expect_reason(rated, false, "hasami", "");
}

Test(scenario_table_games, the_repeat_limit_goes_before_casual_and_counts_rated_table_games)
{
    static const char *const arguments[] = {"--repeat-limit", "2", NULL};
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    struct scene scene = scene_on(
        server, 2, "{\"game\":\"hasami\",\"turn_seconds\":30,\"public\":true,\"rated\":true}");
    char game[32];
    party_sit(scene.people[0], &scene.party, 'b');
    party_sit(scene.people[1], &scene.party, 'w');
    for (int i = 0; i < 4; i++) {
        if (i == 3) {
            expect_status(200, party_change(scene.people[0], &scene.party, "{\"rated\":false}"));
        }
        start(&scene, game);
        struct answer answer = game_of(&scene, game);
        cr_expect_eq(json_is_true(answer_at(&answer, "rated")), i < 2, "game %d", i);
        if (i >= 2) {
            cr_expect_str_eq(answer_text(&answer, "unrated_reason"), "repeat_limit");
        }
        answer_free(&answer);
        expect_status(200, device_resign(scene.people[0], game));
    }
    struct answer answer =
        expect(200, client_get(scene.people[0]->client, "/v1/me", scene.people[0]->token));
    cr_expect_eq(answer_integer(&answer, "ratings.hasami.games"), 2);
    answer_free(&answer);
    scene_free(&scene);
}

Test(scenario_table_games, a_table_may_show_nobody_what_is_legal)
{
    struct scene scene = scene_new(2, "{\"game\":\"hasami\",\"show_legal_moves\":false}");
    char game[32];
    char path[96];
    party_sit(scene.people[0], &scene.party, 'b');
    party_sit(scene.people[1], &scene.party, 'w');
    start(&scene, game);
    struct device *player = scene.people[0];
    for (int ended = 0; ended < 2; ended++) {
        (void)snprintf(path, sizeof path, "/v1/games/%s/legal-moves", game);
        expect_problem(403, "legal-moves-hidden", client_get(player->client, path, player->token));
        (void)snprintf(path, sizeof path, "/v1/games/%s/legal-moves?from=5i", game);
        expect_problem(403, "legal-moves-hidden", client_get(player->client, path, player->token));
        (void)snprintf(path, sizeof path, "/v1/games/%s?include=legal_moves", game);
        expect_problem(403, "legal-moves-hidden", client_get(player->client, path, player->token));
        (void)snprintf(path, sizeof path, "/v1/games/%s", game);
        expect_status(200, client_get(player->client, path, player->token));
        if (ended == 0) {
            expect_status(200, device_resign(player, game));
        }
    }
    /* The next game is shown again, the one before is not. */
    expect_status(200, party_change(player, &scene.party, "{\"show_legal_moves\":true}"));
    (void)snprintf(path, sizeof path, "/v1/games/%s/legal-moves", game);
    expect_problem(403, "legal-moves-hidden", client_get(player->client, path, player->token));
    start(&scene, game);
    (void)snprintf(path, sizeof path, "/v1/games/%s/legal-moves", game);
    expect_status(200, client_get(player->client, path, player->token));
    scene_free(&scene);
}

/* --- a restart -----------------------------------------------------------------------------------
 */

static void restart(struct scene *scene)
{
    process_kill(scene->server);
    process_start(scene->server, NULL, NULL);
    for (size_t i = 0; scene->people[i] != NULL; i++) {
        device_reconnect(scene->people[i], scene->server);
    }
}

Test(scenario_table_games, a_table_goes_on_after_a_kill_between_and_in_games)
{
    struct scene scene = scene_new(3, "{\"game\":\"hasami\",\"options\":{\"move_limit\":99}}");
    struct device *late = device_new(scene.server);
    char game[32];
    party_sit(scene.people[1], &scene.party, 'b');
    party_sit_cpu(scene.people[0], &scene.party, 'w', 6);
    restart(&scene);
    scene_expect_seats(&scene, "b1 wc6");
    expect_status(204, party_delete(scene.people[0], &scene.party, "/seats/w"));
    party_sit(scene.people[0], &scene.party, 'w');
    start(&scene, game);
    expect_status(201, device_move(scene.people[1], game, 1, "5i5e"));
    restart(&scene);
    device_reconnect(late, scene.server);
    struct answer answer = expect(200, party_get(scene.people[2], &scene.party, ""));
    cr_expect_str_eq(answer_text(&answer, "status"), "playing");
    cr_expect_str_eq(answer_text(&answer, "game_id"), game);
    cr_expect_str_eq(answer_text(&answer, "code"), scene.party.code);
    answer_free(&answer);
    party_join(late, &scene.party);
    expect_problem(409, "game-running", party_post(scene.people[0], &scene.party, "/start", NULL));
    expect_status(201, device_move(scene.people[0], game, 2, "4a4b"));
    expect_status(200, device_resign(scene.people[1], game));
    scene_expect_seats(&scene, "b0 w1");
    device_free(late);
    scene_free(&scene);
}
