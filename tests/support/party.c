#include "party.h"

#include <stdio.h>
#include <string.h>

enum { PATH = 160 };

static struct answer call(struct device *device, const char *method, const struct party *party,
                          const char *tail, const char *body)
{
    char path[PATH];
    (void)snprintf(path, sizeof path, "/v1/tables/%s%s", party->id, tail);
    return client_send(
        device->client,
        &(struct call){.method = method, .path = path, .token = device->token, .body = body});
}

struct answer party_get(struct device *device, const struct party *party, const char *tail)
{
    return call(device, "GET", party, tail, NULL);
}

struct answer party_post(struct device *device, const struct party *party, const char *tail,
                         const char *body)
{
    return call(device, "POST", party, tail, body);
}

struct answer party_delete(struct device *device, const struct party *party, const char *tail)
{
    return call(device, "DELETE", party, tail, NULL);
}

struct answer party_change(struct device *device, const struct party *party, const char *body)
{
    return call(device, "PATCH", party, "", body);
}

struct party party_open(struct device *host, const char *body)
{
    struct party party;
    struct answer answer = expect(201, client_post(host->client, "/v1/tables", host->token, body));
    (void)snprintf(party.id, sizeof party.id, "%s", answer_text(&answer, "id"));
    (void)snprintf(party.code, sizeof party.code, "%s", answer_text(&answer, "code"));
    answer_free(&answer);
    return party;
}

void party_join(struct device *device, const struct party *party)
{
    char body[64];
    (void)snprintf(body, sizeof body, "{\"code\":\"%s\"}", party->code);
    struct answer answer =
        expect(200, client_post(device->client, "/v1/tables/join", device->token, body));
    answer_free(&answer);
}

static void take_seat(struct device *device, const struct party *party, char seat, const char *body)
{
    char tail[16];
    (void)snprintf(tail, sizeof tail, "/seats/%c", seat);
    struct answer answer = expect(200, party_post(device, party, tail, body));
    answer_free(&answer);
}

void party_sit(struct device *device, const struct party *party, char seat)
{
    take_seat(device, party, seat, "{}");
}

void party_sit_cpu(struct device *host, const struct party *party, char seat, int level)
{
    char body[32];
    (void)snprintf(body, sizeof body, "{\"cpu_level\":%d}", level);
    take_seat(host, party, seat, body);
}

void party_start(struct device *host, const struct party *party, char game[32])
{
    struct answer answer = expect(201, party_post(host, party, "/start", NULL));
    (void)snprintf(game, 32, "%s", answer_text(&answer, "id"));
    answer_free(&answer);
}

/* "0", "c5" or "-". */
static void describe(json_t *seat, struct device *const *people, char text[8])
{
    json_t *player = json_object_get(seat, "player");
    json_t *level = json_object_get(seat, "cpu_level");
    (void)snprintf(text, 8, "-");
    if (json_is_integer(level)) {
        (void)snprintf(text, 8, "c%d", (int)json_integer_value(level));
    }
    for (unsigned char i = 0; json_is_object(player) && people[i] != NULL; i++) {
        if (strcmp(people[i]->player, json_string_value(json_object_get(player, "id"))) == 0) {
            (void)snprintf(text, 8, "%d", i);
        }
    }
}

void party_alone(struct device *host, unsigned resigned, char game[32])
{
    struct party party = party_open(host, "{\"game\":\"hasami\",\"public\":true}");
    party_sit(host, &party, 'b');
    party_sit_cpu(host, &party, 'w', 1);
    for (unsigned i = 0; i < resigned; i++) {
        party_start(host, &party, game);
        expect_status(200, device_resign(host, game));
    }
    party_start(host, &party, game);
}

void party_expect_seats(struct device *device, const struct party *party,
                        struct device *const *people, const char *seats)
{
    char found[64] = "";
    size_t index = 0;
    json_t *seat = NULL;
    struct answer answer = expect(200, party_get(device, party, ""));
    json_array_foreach(answer_at(&answer, "seats"), index, seat)
    {
        char who[8];
        size_t used = strlen(found);
        describe(seat, people, who);
        (void)snprintf(found + used, sizeof found - used, "%s%s%s", index == 0 ? "" : " ",
                       json_string_value(json_object_get(seat, "seat")), who);
    }
    if (strcmp(found, seats) != 0) {
        test_fail("seats %s, not %s", found, seats);
    }
    answer_free(&answer);
}
