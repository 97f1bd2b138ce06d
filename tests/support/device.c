#include "device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As the answer of a registration says. */
static struct device *device_of(const struct process *server, struct answer *take_answer)
{
    struct device *device = calloc(1, sizeof *device);
    if (device == NULL) {
        test_fail("no memory");
    }
    device->server = server;
    device->client = client_new(server->origin);
    (void)snprintf(device->player, sizeof device->player, "%s",
                   answer_text(take_answer, "player.id"));
    (void)snprintf(device->token, sizeof device->token, "%s", answer_text(take_answer, "token"));
    answer_free(take_answer);
    return device;
}

struct device *device_new(const struct process *server)
{
    struct client *client = client_new(server->origin);
    struct answer answer = expect(201, client_post(client, "/v1/devices", NULL, NULL));
    client_free(client);
    return device_of(server, &answer);
}

struct device *device_linked(const struct process *server, const struct device *first)
{
    char body[64];
    struct answer answer =
        expect(201, client_post(first->client, "/v1/me/link-codes", first->token, NULL));
    (void)snprintf(body, sizeof body, "{\"code\":\"%s\"}", answer_text(&answer, "code"));
    answer_free(&answer);
    answer = expect(201, client_post(first->client, "/v1/link-codes/redeem", NULL, body));
    return device_of(server, &answer);
}

void device_free(struct device *device)
{
    if (device != NULL) {
        client_free(device->client);
        free(device);
    }
}

void device_reconnect(struct device *device, const struct process *server)
{
    client_free(device->client);
    device->server = server;
    device->client = client_new(server->origin);
}

void device_queue_for(struct device *device, const char *pool, const struct device *partner,
                      char ticket[32])
{
    char body[128];
    (void)snprintf(body, sizeof body,
                   partner == NULL ? "{\"pool\":\"%s\"}" : "{\"pool\":\"%s\",\"partner\":\"%s\"}",
                   pool, partner == NULL ? "" : partner->player);
    struct answer answer =
        expect(201, client_post(device->client, "/v1/tickets", device->token, body));
    if (strcmp(answer_text(&answer, "status"), "waiting") != 0 ||
        (partner != NULL && strcmp(answer_text(&answer, "partner"), partner->player) != 0)) {
        test_fail("%s: %s", body, answer.text);
    }
    (void)snprintf(ticket, 32, "%s", answer_text(&answer, "id"));
    answer_free(&answer);
}

void device_queue(struct device *device, char ticket[32])
{
    device_queue_for(device, "hasami", NULL, ticket);
}

static struct answer ticket_after(struct device *device, const char *ticket, unsigned seconds)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/tickets/%s?wait=%u", ticket, seconds);
    return expect(200, client_get(device->client, path, device->token));
}

void device_matched(struct device *device, const char *ticket, char game[32], char seat[2])
{
    struct answer answer = ticket_after(device, ticket, 1);
    if (strcmp(answer_text(&answer, "status"), "waiting") == 0) {
        char line[32];
        json_int_t left = json_integer_value(answer_at(&answer, "estimate_seconds"));
        (void)snprintf(line, sizeof line, "advance %lld", 1000 * (long long)left);
        answer_free(&answer);
        if (left > 0) {
            process_control(device->server, line);
        }
        answer = ticket_after(device, ticket, 5);
    }
    (void)snprintf(game, 32, "%s", answer_text(&answer, "game_id"));
    (void)snprintf(seat, 2, "%s", answer_text(&answer, "seat"));
    answer_free(&answer);
}

struct pairing device_pair(struct device *earlier, struct device *later)
{
    struct pairing pairing;
    char tickets[2][32];
    char seat[2];
    device_queue(earlier, tickets[0]);
    device_queue(later, tickets[1]);
    device_matched(earlier, tickets[0], pairing.game, seat);
    pairing.seats[seat[0] == 'b' ? 0 : 1] = earlier;
    pairing.seats[seat[0] == 'b' ? 1 : 0] = later;
    return pairing;
}

struct answer device_move(struct device *device, const char *game, unsigned ply, const char *move)
{
    char path[96];
    char body[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", game);
    (void)snprintf(body, sizeof body, "{\"ply\":%u,\"move\":\"%s\"}", ply, move);
    return client_post(device->client, path, device->token, body);
}

void device_play(const struct pairing *pairing, unsigned ply, const char *const *moves)
{
    for (; *moves != NULL; moves++, ply++) {
        struct answer answer =
            expect(201, device_move(pairing->seats[(ply + 1) % 2], pairing->game, ply, *moves));
        answer_free(&answer);
    }
}

/* The nine men of a side count: each is a digit of three values, of which one step changes one by
 * one (a reflected Gray code). */
void device_stroll(const struct pairing *pairing, unsigned from, unsigned to)
{
    enum { FILES = 9, VALUES = 3 };
    int ranks[FILES] = {0};
    int ways[FILES] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (unsigned ply = 1; ply <= to; ply++) {
        unsigned digit = 0;
        char move[8];
        bool black = ply % 2 == 1;
        for (unsigned turn = (ply + 1) / 2; turn % VALUES == 0; turn /= VALUES) {
            digit++;
        }
        int next = ranks[digit] + ways[digit];
        (void)snprintf(move, sizeof move, "%u%c%u%c", digit % FILES + 1,
                       black ? 'i' - ranks[digit] : 'a' + ranks[digit], digit % FILES + 1,
                       black ? 'i' - next : 'a' + next);
        if (!black) { /* both have made the step */
            ranks[digit] = next;
            ways[digit] = next == 0 || next == VALUES - 1 ? -ways[digit] : ways[digit];
        }
        if (ply >= from) {
            struct answer answer =
                expect(201, device_move(pairing->seats[(ply + 1) % 2], pairing->game, ply, move));
            answer_free(&answer);
        }
    }
}

struct answer device_resign(struct device *device, const char *game)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s/resign", game);
    return client_post(device->client, path, device->token, NULL);
}

struct answer device_rematch(struct device *device, const char *game)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s/rematch", game);
    return client_post(device->client, path, device->token, NULL);
}

struct answer device_rematch_back(struct device *device, const char *game)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s/rematch", game);
    return client_send(device->client,
                       &(struct call){.method = "DELETE", .path = path, .token = device->token});
}

struct answer device_game(struct device *device, const char *game)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s", game);
    return expect(200, client_get(device->client, path, NULL));
}
