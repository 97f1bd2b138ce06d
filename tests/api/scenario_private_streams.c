#include "tests/support/listener.h"
#include "tests/support/party.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* A private game in players' own streams: those who sit in it follow it there like any other game,
 * and nobody else hears of it. */

struct scene {
    struct process *server;
    struct device *black; /* and host */
    struct device *white;
    struct device *member; /* of the table, who watches */
    struct device *stranger;
    struct party party;
    char game[32];
};

static struct scene scene_new(const char *body)
{
    struct scene scene = {.server = process_new(NULL)};
    scene.black = device_new(scene.server);
    scene.white = device_new(scene.server);
    scene.member = device_new(scene.server);
    scene.stranger = device_new(scene.server);
    scene.party = party_open(scene.black, body);
    party_join(scene.white, &scene.party);
    party_join(scene.member, &scene.party);
    party_sit(scene.black, &scene.party, 'b');
    party_sit(scene.white, &scene.party, 'w');
    party_start(scene.black, &scene.party, scene.game);
    return scene;
}

static void scene_free(struct scene *scene)
{
    device_free(scene->black);
    device_free(scene->white);
    device_free(scene->member);
    device_free(scene->stranger);
    process_free(scene->server);
}

static struct listener *listen_as(const struct scene *scene, const struct device *device,
                                  const char *query)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/v1/me/events%s", query);
    struct listener *listener =
        listener_open(scene->server, &(struct listen_wish){.path = path, .token = device->token});
    cr_assert_eq(listener_status(listener), 200);
    return listener;
}

/* The next event, of this game or of the player (NULL). */
static void expect_next(struct listener *listener, const char *type, const char *game)
{
    json_t *frame = listener_event(listener);
    const char *of = json_string_value(json_object_get(frame, "game_id"));
    cr_expect_str_eq(frame_type(frame), type);
    cr_expect_str_eq(of == NULL ? "" : of, game == NULL ? "" : game, "%s", type);
    json_decref(frame);
}

static void move(struct device *device, const struct scene *scene, unsigned ply, const char *text)
{
    expect_status(201, device_move(device, scene->game, ply, text));
}

/* The types of what a long poll answers, as "snapshot your_turn". */
static void expect_polled(const struct device *device, const char *expected)
{
    char found[128] = "";
    size_t index = 0;
    json_t *event = NULL;
    struct answer answer =
        expect(200, client_get(device->client, "/v1/me/events?wait=0&games=all", device->token));
    json_array_foreach(answer_at(&answer, "events"), index, event)
    {
        size_t used = strlen(found);
        (void)snprintf(found + used, sizeof found - used, "%s%s", index == 0 ? "" : " ",
                       json_string_value(json_object_get(event, "type")));
    }
    cr_expect_str_eq(found, expected);
    answer_free(&answer);
}

Test(scenario_private_streams, whose_turn_it_is_in_a_private_game_is_told_to_its_players)
{
    struct scene scene = scene_new("{\"game\":\"hasami\"}");
    struct listener *black = listen_as(&scene, scene.black, "");
    struct listener *white = listen_as(&scene, scene.white, "");
    expect_next(black, "snapshot", NULL);
    expect_next(white, "snapshot", NULL);
    expect_next(black, "your_turn", scene.game);
    move(scene.black, &scene, 1, "5i5h");
    expect_next(white, "your_turn", scene.game);
    move(scene.white, &scene, 2, "5a5b");
    expect_next(black, "your_turn", scene.game);
    listener_close(black);
    listener_close(white);
    scene_free(&scene);
}

Test(scenario_private_streams, with_all_games_its_frames_are_there_too_also_for_who_left_the_table)
{
    struct scene scene = scene_new("{\"game\":\"hasami\"}");
    struct listener *black = listen_as(&scene, scene.black, "?games=all");
    struct listener *white = listen_as(&scene, scene.white, "?games=all");
    expect_next(black, "snapshot", NULL);
    expect_next(black, "snapshot", scene.game);
    expect_next(black, "your_turn", scene.game);
    expect_next(white, "snapshot", NULL);
    expect_next(white, "snapshot", scene.game);
    move(scene.black, &scene, 1, "5i5h");
    expect_next(black, "move", scene.game);
    expect_next(white, "move", scene.game);
    expect_next(white, "your_turn", scene.game);
    expect_status(204, party_post(scene.white, &scene.party, "/leave", NULL));
    json_decref(listener_until(white, "seat"));
    json_decref(listener_until(black, "seat"));
    expect_status(200, device_resign(scene.black, scene.game));
    json_decref(listener_until(white, "finished"));
    json_decref(listener_until(black, "finished"));
    listener_close(black);
    listener_close(white);
    scene_free(&scene);
}

Test(scenario_private_streams, who_watches_the_table_or_is_a_stranger_hears_nothing_of_the_game)
{
    struct scene scene = scene_new("{\"game\":\"hasami\"}");
    struct listener *member = listen_as(&scene, scene.member, "?games=all");
    struct listener *stranger = listen_as(&scene, scene.stranger, "?games=all");
    expect_next(member, "snapshot", NULL);
    expect_next(stranger, "snapshot", NULL);
    move(scene.black, &scene, 1, "5i5h");
    expect_polled(scene.black, "snapshot snapshot");
    expect_polled(scene.white, "snapshot snapshot your_turn");
    expect_polled(scene.member, "snapshot");
    expect_polled(scene.stranger, "snapshot");
    expect_status(200, device_resign(scene.black, scene.game));
    expect_next(member, "table", NULL); /* that it is open again, and nothing before that */
    listener_quiet(stranger, 200);
    listener_close(member);
    listener_close(stranger);
    scene_free(&scene);
}
