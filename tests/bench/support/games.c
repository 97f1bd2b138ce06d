#include "games.h"

#include "load.h"

#include "engine/rules.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { TRIES_MAX = 2000, POLLS_MAX = 50 };

/* --- a long game ---------------------------------------------------------------------------------
 */

/* xorshift64*: any good mixing will do. */
static uint64_t draw(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1dULL;
}

struct walk {
    const struct game_rules *rules;
    struct game_options options;
    struct position position;
    struct history_entry entries[GAMES_PLIES_MAX + 1];
    size_t count;
};

/* Plays the move unless it ends the game. */
static bool step(struct walk *walk, struct move move)
{
    struct position after;
    struct ply_effects effects;
    struct outcome outcome;
    const struct game_rules *rules = walk->rules;
    const int mover = rules->turn(&walk->position);
    rules->play(&walk->position, &walk->options, move, &after, &effects);
    walk->entries[walk->count] =
        (struct history_entry){rules->hash(&after), (int8_t)mover, effects.gave_new_check};
    const struct history history = {walk->entries, walk->count + 1};
    rules->outcome(&after, &walk->options, &history, &outcome);
    if (outcome.reason != END_NONE) {
        return false;
    }
    walk->position = after;
    walk->count++;
    return true;
}

unsigned games_seats(const char *pool)
{
    const struct pool_rules *found = NULL;
    const struct game_rules *rules = rules_find_pool(pool, &found);
    return rules == NULL ? 0 : rules->seat_count;
}

void games_line_make(struct games_line *line, const char *pool, size_t plies, uint64_t seed)
{
    const struct pool_rules *found = NULL;
    struct walk walk = {.rules = rules_find_pool(pool, &found), .count = 1};
    struct move_list list;
    uint64_t state = seed * 2 + 1;
    assert(walk.rules != NULL && plies <= GAMES_PLIES_MAX);
    walk.options = found->options;
    walk.rules->start(&walk.position);
    walk.entries[0] =
        (struct history_entry){walk.rules->hash(&walk.position), RULES_SEAT_NONE, false};
    for (line->plies = 0; line->plies < plies; line->plies++) {
        bool played = false;
        walk.rules->legal_moves(&walk.position, &walk.options, NULL, &list);
        for (int tries = 0; !played && list.count > 0 && tries < TRIES_MAX; tries++) {
            const struct move move = list.at[draw(&state) % list.count];
            char text[RULES_MOVE_TEXT_MAX];
            walk.rules->format_move(move, text);
            memcpy(line->moves[line->plies], text, sizeof text);
            line->seats[line->plies] = (uint8_t)walk.rules->turn(&walk.position);
            played = step(&walk, move);
        }
        if (!played) {
            return;
        }
    }
}

/* --- players and games ---------------------------------------------------------------------------
 */

static size_t format_post(const char *path, const char *token, const char *body, char *request,
                          size_t size)
{
    const int length =
        snprintf(request, size,
                 "POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s%s%s"
                 "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                 path, token == NULL ? "" : "Authorization: Bearer ", token == NULL ? "" : token,
                 token == NULL ? "" : "\r\n", strlen(body), body);
    assert(length > 0 && (size_t)length < size);
    return (size_t)length;
}

bool games_text(const char *json, const char *key, char *value, size_t size)
{
    char pattern[64];
    (void)snprintf(pattern, sizeof pattern, "\"%s\":\"", key);
    const char *at = strstr(json, pattern);
    if (at == NULL) {
        return false;
    }
    at += strlen(pattern);
    const size_t length = strcspn(at, "\"");
    if (length >= size) {
        return false;
    }
    memcpy(value, at, length);
    value[length] = '\0';
    return true;
}

static bool refuse(const char *what, int status, const char *answer)
{
    (void)fprintf(stderr, "%s: status %d: %s\n", what, status, load_body(answer));
    return false;
}

bool games_register(int fd, struct games_player *player)
{
    char request[LOAD_REQUEST_MAX];
    char answer[LOAD_ANSWER_MAX] = "";
    const size_t length = format_post("/v1/devices", NULL, "{}", request, sizeof request);
    const int status = load_ask(fd, request, length, answer);
    if (status != 201 || !games_text(answer, "token", player->token, sizeof player->token)) {
        return refuse("a device", status, answer);
    }
    return true;
}

static bool take_ticket(int fd, const char *pool, const struct games_player *player,
                        char id[GAMES_ID_TEXT])
{
    char request[LOAD_REQUEST_MAX];
    char answer[LOAD_ANSWER_MAX] = "";
    char body[64];
    (void)snprintf(body, sizeof body, "{\"pool\":\"%s\",\"turn_seconds\":%d}", pool,
                   GAMES_TURN_SECONDS);
    const size_t length = format_post("/v1/tickets", player->token, body, request, sizeof request);
    const int status = load_ask(fd, request, length, answer);
    if (status != 201 || !games_text(load_body(answer), "id", id, GAMES_ID_TEXT)) {
        return refuse("a ticket", status, answer);
    }
    return true;
}

/* Where the player sits in the game that the ticket led to, or RULES_SEAT_NONE. */
static int await_game(int fd, const struct game_rules *rules, const struct games_player *player,
                      const char *ticket, char game[GAMES_ID_TEXT])
{
    char request[LOAD_REQUEST_MAX];
    char answer[LOAD_ANSWER_MAX] = "";
    char seat[8];
    int status = 200;
    const int length = snprintf(request, sizeof request,
                                "GET /v1/tickets/%s?wait=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                                "Authorization: Bearer %s\r\n\r\n",
                                ticket, player->token);
    for (int i = 0; i < POLLS_MAX && status == 200; i++) {
        status = load_ask(fd, request, (size_t)length, answer);
        if (status == 200 && games_text(answer, "game_id", game, GAMES_ID_TEXT) &&
            games_text(answer, "seat", seat, sizeof seat)) {
            return rules_seat(rules, seat[0]);
        }
    }
    (void)refuse("no game", status, answer);
    return RULES_SEAT_NONE;
}

bool games_match(int fd, const char *pool, const struct games_player *players,
                 struct games_game *game)
{
    const struct pool_rules *found = NULL;
    const struct game_rules *rules = rules_find_pool(pool, &found);
    char tickets[GAMES_SEATS_MAX][GAMES_ID_TEXT];
    bool good = true;
    for (uint8_t i = 0; good && i < rules->seat_count; i++) {
        good = take_ticket(fd, pool, &players[i], tickets[i]);
    }
    for (uint8_t i = 0; good && i < rules->seat_count; i++) {
        int seat = await_game(fd, rules, &players[i], tickets[i], game->id);
        good = seat != RULES_SEAT_NONE;
        if (good) {
            game->players[seat] = i;
        }
    }
    return good;
}

size_t games_move_request(const struct games_player *player, const char *game_id, unsigned ply,
                          const char *move, char *request, size_t size)
{
    char path[64];
    char body[64];
    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", game_id);
    (void)snprintf(body, sizeof body, "{\"ply\":%u,\"move\":\"%s\"}", ply, move);
    return format_post(path, player->token, body, request, size);
}
