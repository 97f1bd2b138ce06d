#include "walk.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void walk_new_table(struct walk *walk)
{
    static const char *const seats[] = {"{}", "{\"cpu_level\":1}"};
    struct device *host = walk->waiting;
    char path[96];
    struct answer answer =
        expect(201, client_post(host->client, "/v1/tables", host->token, "{\"game\":\"hasami\"}"));
    (void)snprintf(walk->table, sizeof walk->table, "%s", answer_text(&answer, "id"));
    answer_free(&answer);
    for (size_t i = 0; i < 2; i++) {
        (void)snprintf(path, sizeof path, "/v1/tables/%s/seats/%c", walk->table, "bw"[i]);
        answer = expect(200, client_post(host->client, path, host->token, seats[i]));
        answer_free(&answer);
    }
}

static struct walk *walk_of(const struct listed_game *game, struct process *take_server)
{
    struct walk *walk = calloc(1, sizeof *walk);
    cr_assert_not_null(walk);
    walk->board = board_on(game, take_server);
    walk->waiting = device_new(take_server);
    board_seat(&walk->board);
    if (game->resigns) {
        struct answer end = expect(200, device_resign(walk->board.devices[0], walk->board.id));
        answer_free(&end);
        board_seat(&walk->board);
    }
    device_queue_for(walk->waiting, game->pool, NULL, walk->ticket);
    struct answer answer =
        expect(200, client_get(walk->waiting->client, "/v1/me/devices", walk->waiting->token));
    (void)snprintf(walk->device, sizeof walk->device, "%s", answer_text(&answer, "items.0.id"));
    answer_free(&answer);
    walk_new_table(walk);
    return walk;
}

struct walk *walk_new(const struct listed_game *game)
{
    return walk_of(game, process_new(NULL));
}

struct walk *walk_on(struct process *take_server)
{
    return walk_of(games_find("hasami"), take_server);
}

void walk_free(struct walk *walk)
{
    device_free(walk->waiting);
    board_free(&walk->board);
    free(walk);
}

/* What stands for the variable behind a segment. */
static const char *value_after(const struct walk *walk, const char *segment, size_t length)
{
    const struct {
        const char *segment;
        const char *value;
    } values[] = {
        {"games",    walk->board.id                },
        {"tickets",  walk->ticket                  },
        {"devices",  walk->device                  },
        {"players",  walk->board.devices[0]->player},
        {"rankings", walk->board.game->pool        },
        {"tables",   walk->table                   },
        {"seats",    "b"                           },
    };
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (strlen(values[i].segment) == length &&
            strncmp(values[i].segment, segment, length) == 0) {
            return values[i].value;
        }
    }
    cr_assert_fail("walk.c does not know what follows %.*s", (int)length, segment);
    return "";
}

void walk_path(const struct walk *walk, const struct route *route, char path[WALK_PATH])
{
    const char *before = "";
    size_t before_length = 0;
    path[0] = '\0';
    for (const char *at = route->path; *at == '/';) {
        size_t length = strcspn(at + 1, "/");
        size_t used = strlen(path);
        if (at[1] == '{') {
            (void)snprintf(path + used, WALK_PATH - used, "/%s",
                           value_after(walk, before, before_length));
        } else {
            (void)snprintf(path + used, WALK_PATH - used, "/%.*s", (int)length, at + 1);
        }
        before = at + 1;
        before_length = length;
        at += 1 + length;
    }
}

const char *walk_token(const struct walk *walk, const struct route *route)
{
    return route->auth == AUTH_TOKEN ? walk->waiting->token : NULL;
}

void walk_read_path(const struct walk *walk, const struct route *route, char path[WALK_PATH])
{
    char pool[32];
    (void)snprintf(pool, sizeof pool, "?pool=%s", walk->board.game->pool);
    const char *const queries[] = {"", "?name=a", pool};
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        walk_path(walk, route, path);
        (void)snprintf(path + strlen(path), WALK_PATH - strlen(path), "%s", queries[i]);
        struct answer answer = client_get(walk->waiting->client, path, walk_token(walk, route));
        long status = answer.status;
        answer_free(&answer);
        if (status == 200) {
            return;
        }
    }
    cr_assert_fail("walk.c knows no query with which %s is 200", route->path);
}

static const char *const verbs[HTTP_METHODS] = {
    [HTTP_GET] = "GET",
    [HTTP_POST] = "POST",
    [HTTP_PATCH] = "PATCH",
    [HTTP_DELETE] = "DELETE",
};

const char *walk_verb(const struct route *route)
{
    return verbs[route->method];
}

void walk_allow(const char *template, char allow[64])
{
    allow[0] = '\0';
    for (size_t method = 0; method < HTTP_METHODS; method++) {
        for (size_t i = 0; i < routes_count(); i++) {
            if (strcmp(routes_at(i)->path, template) == 0 && routes_at(i)->method == method) {
                (void)snprintf(allow + strlen(allow), 64 - strlen(allow), "%s%s, ", verbs[method],
                               method == HTTP_GET ? ", HEAD" : "");
            }
        }
    }
    (void)snprintf(allow + strlen(allow), 64 - strlen(allow), "OPTIONS");
}
