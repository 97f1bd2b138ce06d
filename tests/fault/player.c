#include "player.h"

#include <stdio.h>
#include <string.h>

enum { MEETING_MS_MAX = TEST_STALL_MS, MEETING_PAUSE_MS = 5 };

void player_init(struct player *player, const struct listed_game *listed,
                 const struct process *server, pthread_mutex_t *queue)
{
    *player = (struct player){.server = server, .queue = queue, .listed = listed};
    for (size_t i = 0; i < game_seat_count(listed); i++) {
        struct device *device = device_new(server);
        (void)snprintf(player->ids[i], sizeof player->ids[i], "%s", device->player);
        (void)snprintf(player->tokens[i], sizeof player->tokens[i], "%s", device->token);
        device_free(device);
    }
}

void player_free(struct player *player)
{
    client_free(player->client);
    player->client = NULL;
}

/* False: the server is gone. */
static bool post(struct player *player, const char *path, size_t who, const char *body,
                 struct answer *answer)
{
    *answer = client_try(
        player->client,
        &(struct call){.method = "POST", .path = path, .token = player->tokens[who], .body = body});
    return answer->status != 0;
}

/* Joins the queue; a ticket that was taken before the kill still waits, and that is as good. */
static bool queue(struct player *player, size_t who)
{
    struct answer answer;
    char body[64];
    (void)snprintf(body, sizeof body, "{\"pool\":\"%s\",\"turn_seconds\":60}",
                   player->listed->pool);
    bool alive = post(player, "/v1/tickets", who, body, &answer);
    if (alive && answer.status != 201 && answer.status != 409 && answer.status != 503 &&
        !player->lenient) {
        test_fail("ticket: %ld %s", answer.status, answer.text);
    }
    answer_free(&answer);
    return alive;
}

static void find_seats(struct player *player, const struct answer *me)
{
    const size_t count = game_seat_count(player->listed);
    for (size_t seat = 0; seat < count; seat++) {
        char path[64];
        size_t who = 0;
        (void)snprintf(path, sizeof path, "open_games.0.seats.%zu.player.id", seat);
        while (who < count && strcmp(player->ids[who], answer_text(me, path)) != 0) {
            who++;
        }
        if (who == count) {
            test_fail("a stranger sits at seat %zu: %s", seat, me->text);
        }
        player->seats[seat] = who;
    }
}

/* The running game of all, by /v1/me. */
static bool find_game(struct player *player)
{
    struct answer answer =
        client_try(player->client,
                   &(struct call){.method = "GET", .path = "/v1/me", .token = player->tokens[0]});
    if (answer.status != 200) {
        bool gone = answer.status == 0;
        answer_free(&answer);
        return !gone;
    }
    if (json_array_size(answer_at(&answer, "open_games")) > 0) {
        (void)snprintf(player->game, sizeof player->game, "%s",
                       answer_text(&answer, "open_games.0.id"));
        player->acked = (unsigned)answer_integer(&answer, "open_games.0.ply");
        find_seats(player, &answer);
        player->games++;
    }
    answer_free(&answer);
    return true;
}

static bool make_move(struct player *player)
{
    struct answer answer;
    char path[96];
    char body[64];
    unsigned ply = player->acked + 1;
    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", player->game);
    (void)snprintf(body, sizeof body, "{\"ply\":%u,\"move\":\"%s\"}", ply,
                   player->listed->line[ply - 1]);
    const size_t mover = player->seats[game_seat_of(player->listed, ply)];
    if (!post(player, path, mover, body, &answer)) {
        return false;
    }
    if (answer.status == 201 || answer.status == 200) {
        player->acked = ply;
        atomic_fetch_add(&player->moves, 1);
        player->repeats += answer.status == 200;
    } else if (answer.status != 503 && !player->lenient) {
        test_fail("move %u of %s: %ld %s", ply, player->game, answer.status, answer.text);
    }
    answer_free(&answer);
    return true;
}

void player_settle(struct player *player)
{
    client_free(player->client);
    player->client = client_new(player->server->origin);
    for (size_t i = 0; i < game_seat_count(player->listed); i++) {
        char path[96];
        struct answer answer = expect(200, client_get(player->client, "/v1/me", player->tokens[i]));
        if (!json_is_null(answer_at(&answer, "ticket"))) {
            (void)snprintf(path, sizeof path, "/v1/tickets/%s", answer_text(&answer, "ticket.id"));
            struct answer gone = client_send(
                player->client,
                &(struct call){.method = "DELETE", .path = path, .token = player->tokens[i]});
            if (gone.status != 204 && gone.status != 409) { /* 409: both wait, and meet just now */
                test_fail("leaving the queue: %ld %s", gone.status, gone.text);
            }
            answer_free(&gone);
        }
        answer_free(&answer);
    }
}

static bool next_game(struct player *player)
{
    pthread_mutex_lock(player->queue);
    bool alive = find_game(player);
    if (alive && player->game[0] == '\0') {
        /* Nobody else comes before these have met. */
        long long until_ms = test_now_ms() + MEETING_MS_MAX;
        for (size_t i = 0; i < game_seat_count(player->listed) && alive; i++) {
            alive = queue(player, i);
        }
        while (alive && player->game[0] == '\0' && test_now_ms() < until_ms) {
            test_pause_ms(MEETING_PAUSE_MS);
            alive = find_game(player);
        }
    }
    pthread_mutex_unlock(player->queue);
    return alive;
}

void *player_run(void *context)
{
    struct player *player = context;
    bool alive = true;
    while (alive) {
        if (player->game[0] == '\0') {
            alive = next_game(player);
        } else {
            alive = make_move(player);
            if (player->acked == game_plies(player->listed->line)) {
                player->game[0] = '\0';
                player->acked = 0;
            }
        }
    }
    return NULL;
}

unsigned player_lost(struct player *player, const struct process *server)
{
    struct client *client = client_new(server->origin);
    char path[96];
    unsigned stored = 0;
    if (player->game[0] != '\0') {
        (void)snprintf(path, sizeof path, "/v1/games/%s", player->game);
        struct answer answer = client_get(client, path, NULL);
        stored = answer.status == 200 ? (unsigned)answer_integer(&answer, "ply") : 0;
        answer_free(&answer);
    }
    client_free(client);
    return player->acked > stored ? player->acked - stored : 0;
}
