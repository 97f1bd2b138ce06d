#include "stage.h"

#include "tests/support/contract.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *stage_operation(const struct route *route)
{
    json_t *operation = contract_operation(contract(), walk_verb(route), route->path);
    cr_assert_not_null(operation, "%s is not in the document", route->operation_id);
    return operation;
}

static json_t *media_of(const struct route *route)
{
    json_t *body = json_object_get(stage_operation(route), "requestBody");
    return json_object_get(json_object_get(body, "content"), "application/json");
}

json_t *stage_content(const struct route *route, const char *key)
{
    json_t *found = json_object_get(media_of(route), key);
    cr_assert_not_null(found, "%s: no %s of the body", route->operation_id, key);
    return contract_follow(contract(), found);
}

/* The document's own body; of several, the first. */
static json_t *example_of(const struct route *route)
{
    json_t *examples = json_object_get(media_of(route), "examples");
    void *first = json_object_iter(examples);
    if (first == NULL) {
        return stage_content(route, "example");
    }
    return json_object_get(contract_follow(contract(), json_object_iter_value(first)), "value");
}

/* A code that is good once. */
static void take_link_code(struct stage *stage)
{
    struct device *device = stage->walk->waiting;
    struct answer answer =
        expect(201, client_post(device->client, "/v1/me/link-codes", device->token, NULL));
    (void)json_object_set(stage->good, "code", answer_at(&answer, "code"));
    answer_free(&answer);
}

/* A code that is good as long as its table is there. */
static void take_invite_code(struct stage *stage)
{
    char path[96];
    struct device *host = stage->walk->waiting;
    (void)snprintf(path, sizeof path, "/v1/tables/%s", stage->walk->table);
    struct answer answer = expect(200, client_get(host->client, path, host->token));
    (void)json_object_set(stage->good, "code", answer_at(&answer, "code"));
    answer_free(&answer);
}

static void cancel(const struct device *device, const char *ticket)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/tickets/%s", ticket);
    struct call call = {.method = "DELETE", .path = path, .token = device->token};
    struct answer answer = expect(204, client_send(device->client, &call));
    answer_free(&answer);
}

/* Whose the thing in the path is; what has none is anybody's. */
static const char *token_of(const struct walk *walk, const struct route *route)
{
    bool waits = strstr(route->path, "/tickets/{id}") != NULL ||
                 strstr(route->path, "/devices/{id}") != NULL ||
                 strstr(route->path, "/tables/{id}") != NULL;
    if (route->auth != AUTH_TOKEN) {
        return "";
    }
    return waits ? walk->waiting->token : walk->board.seats[0]->token;
}

struct stage *stage_new(const struct route *route)
{
    static const char *const arguments[] = {"--rate-limit", "off", "--turn-seconds",
                                            "0,1,2,3599,3600", NULL};
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    struct stage *stage = calloc(1, sizeof *stage);
    cr_assert_not_null(stage);
    stage->walk = walk_on(server);
    stage->route = route;
    stage->good = route->body_limit == 0 ? NULL : json_deep_copy(example_of(route));
    walk_path(stage->walk, route, stage->path);
    (void)snprintf(stage->token, sizeof stage->token, "%s", token_of(stage->walk, route));
    cancel(stage->walk->waiting, stage->walk->ticket); /* or it would meet those of ours */
    if (strcmp(route->operation_id, "redeemLinkCode") == 0) {
        take_link_code(stage);
    } else if (strcmp(route->operation_id, "joinTableByCode") == 0) {
        take_invite_code(stage);
    } else if (strcmp(route->operation_id, "askRematch") == 0) {
        struct answer ended =
            expect(200, device_resign(stage->walk->board.seats[0], stage->walk->board.id));
        answer_free(&ended);
    } else if (strcmp(route->operation_id, "createTable") == 0 ||
               strcmp(route->operation_id, "createTicket") == 0) {
        (void)json_object_set_new(stage->good, "turn_seconds", json_integer(3600));
    }
    return stage;
}

void stage_free(struct stage *stage)
{
    json_decref(stage->good);
    walk_free(stage->walk);
    free(stage);
}

struct call stage_call(const struct stage *stage, const char *body)
{
    return (struct call){.method = walk_verb(stage->route),
                         .path = stage->path,
                         .token = stage->token[0] == '\0' ? NULL : stage->token,
                         .body = body};
}

/* --- after a success -----------------------------------------------------------------------------
 */

static void after_rotation(struct stage *stage, const struct answer *answer)
{
    (void)snprintf(stage->token, sizeof stage->token, "%s", answer_text(answer, "token"));
}

static void after_redemption(struct stage *stage, const struct answer *answer)
{
    char path[96];
    const struct device *device = stage->walk->waiting;
    (void)snprintf(path, sizeof path, "/v1/me/devices/%s", answer_text(answer, "device.id"));
    struct call call = {.method = "DELETE", .path = path, .token = device->token};
    struct answer revoked = expect(204, client_send(device->client, &call));
    answer_free(&revoked); /* a player has only so many */
    take_link_code(stage);
}

static void after_ticket(struct stage *stage, const struct answer *answer)
{
    cancel(stage->walk->board.seats[0], answer_text(answer, "id"));
}

static void after_resignation(struct stage *stage, const struct answer *answer)
{
    struct walk *walk = stage->walk;
    (void)answer;
    board_seat(&walk->board);
    /* Whoever moves first resigns, and that is the other one every time: they stay equals. */
    (void)snprintf(stage->token, sizeof stage->token, "%s", walk->board.seats[0]->token);
    walk_path(walk, stage->route, stage->path);
}

/* The caller's new table goes again: a player has only so many. */
static void after_table(struct stage *stage, const struct answer *answer)
{
    char path[96];
    const struct device *device = stage->walk->board.seats[0];
    (void)snprintf(path, sizeof path, "/v1/tables/%s/leave", answer_text(answer, "id"));
    struct answer left = expect(204, client_post(device->client, path, stage->token, NULL));
    answer_free(&left);
}

static void after_start(struct stage *stage, const struct answer *answer)
{
    struct answer ended =
        expect(200, device_resign(stage->walk->waiting, answer_text(answer, "id")));
    answer_free(&ended);
}

static void after_leaving(struct stage *stage, const struct answer *answer)
{
    (void)answer;
    walk_new_table(stage->walk);
    walk_path(stage->walk, stage->route, stage->path);
}

void stage_recover(struct stage *stage, const struct answer *answer)
{
    static const struct {
        const char *operation_id;
        void (*recover)(struct stage *, const struct answer *);
    } rows[] = {
        {"rotateToken",    after_rotation   },
        {"redeemLinkCode", after_redemption },
        {"createTicket",   after_ticket     },
        {"resignGame",     after_resignation},
        {"createTable",    after_table      },
        {"startTableGame", after_start      },
        {"leaveTable",     after_leaving    },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].operation_id, stage->route->operation_id) == 0) {
            rows[i].recover(stage, answer);
        }
    }
}
