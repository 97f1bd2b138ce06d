#include "four.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static const char letters[FOUR_SEATS + 1] = "swne";
const int four_alone[FOUR_SEATS] = {-1, -1, -1, -1};

struct four four_new(void)
{
    struct four four = {.server = process_new(NULL)};
    for (size_t i = 0; i < FOUR_SEATS; i++) {
        four.devices[i] = device_new(four.server);
    }
    return four;
}

void four_free(struct four *four)
{
    for (size_t i = 0; i < FOUR_SEATS; i++) {
        device_free(four->devices[i]);
    }
    process_free(four->server);
}

size_t four_seat(const char *letter)
{
    const char *found = strchr(letters, letter[0]);
    cr_assert(found != NULL && letter[0] != '\0', "%s is no seat", letter);
    return (size_t)(found - letters);
}

static void queue(struct device *device, const char *pool, const struct device *partner,
                  char ticket[32])
{
    char body[128];
    (void)snprintf(body, sizeof body,
                   partner == NULL ? "{\"pool\":\"%s\"}" : "{\"pool\":\"%s\",\"partner\":\"%s\"}",
                   pool, partner == NULL ? "" : partner->player);
    struct answer answer =
        expect(201, client_post(device->client, "/v1/tickets", device->token, body));
    cr_assert_str_eq(answer_text(&answer, "status"), "waiting");
    if (partner != NULL) {
        cr_assert_str_eq(answer_text(&answer, "partner"), partner->player);
    }
    (void)snprintf(ticket, 32, "%s", answer_text(&answer, "id"));
    answer_free(&answer);
}

/* Everybody queues; `partners[i]` is a device or -1. */
void four_sit(struct four *four, const char *pool, const int partners[FOUR_SEATS])
{
    char tickets[FOUR_SEATS][32];
    for (size_t i = 0; i < FOUR_SEATS; i++) {
        const struct device *partner = partners[i] < 0 ? NULL : four->devices[partners[i]];
        queue(four->devices[i], pool, partner, tickets[i]);
    }
    for (size_t i = 0; i < FOUR_SEATS; i++) {
        char game[32];
        char seat[2];
        device_matched(four->devices[i], tickets[i], game, seat);
        cr_assert(i == 0 || strcmp(game, four->game) == 0);
        (void)snprintf(four->game, sizeof four->game, "%s", game);
        four->seats[four_seat(seat)] = four->devices[i];
    }
}

json_t *four_vector(int line)
{
    static char text[1 << 20];
    FILE *file = fopen("tests/data/yonin.games.jsonl", "r");
    cr_assert_not_null(file);
    for (int i = 0; i <= line; i++) {
        cr_assert_not_null(fgets(text, sizeof text, file));
    }
    (void)fclose(file);
    json_t *game = json_loads(text, 0, NULL);
    cr_assert_null(json_object_get(game, "start"));
    return game;
}

/* Who is on turn is what the answers say: checks change the order. */
void four_play(const struct four *four, json_t *game)
{
    json_t *moves = json_object_get(game, "moves");
    json_t *positions = json_object_get(game, "positions");
    size_t turn = 0;
    for (size_t i = 0; i < json_array_size(moves); i++) {
        const char *move = json_string_value(json_array_get(moves, i));
        struct answer answer =
            expect(201, device_move(four->seats[turn], four->game, (unsigned)i + 1, move));
        cr_assert_str_eq(answer_text(&answer, "game.position"),
                         json_string_value(json_array_get(positions, i)));
        if (i + 1 < json_array_size(moves)) {
            turn = four_seat(answer_text(&answer, "game.turn"));
        }
        answer_free(&answer);
    }
}

void four_whole_game(struct four *four, int line)
{
    static const int partners[FOUR_SEATS] = {3, 2, 1, 0};
    json_t *game = four_vector(line);
    bool pairs = line == FOUR_PAIRS;
    four_sit(four, pairs ? "yonin_pairs" : "yonin", pairs ? partners : four_alone);
    four_play(four, game);
    json_decref(game);
}
