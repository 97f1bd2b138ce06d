#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A request with its key, the server killed at every point on the way, and the request again: what
 * it asks for is done once, and what was answered or could have been is answered so for ever. */

static const char key[] = "8c5f0b7e3d914a26b1f2c4d6e8a09b3c";

struct stage {
    struct process *server;
    struct device *a;
    struct device *b;
    struct call call;
    char path[96];
    char body[64];
};

static struct stage stage_new(const char *path, const char *body)
{
    struct stage stage = {.server = process_new(NULL)};
    stage.a = device_new(stage.server);
    stage.b = device_new(stage.server);
    /* So that no first use of a token goes through the writer before the request does. */
    for (int i = 0; i < 2; i++) {
        struct device *device = i == 0 ? stage.a : stage.b;
        struct answer answer = expect(200, client_get(device->client, "/v1/me", device->token));
        answer_free(&answer);
    }
    (void)snprintf(stage.path, sizeof stage.path, "%s", path);
    (void)snprintf(stage.body, sizeof stage.body, "%s", body);
    return stage;
}

static void stage_free(struct stage *stage)
{
    device_free(stage->a);
    device_free(stage->b);
    process_free(stage->server);
}

static void restart(struct stage *stage, const char *fault)
{
    if (stage->server->pid != 0) {
        cr_assert_eq(process_stop(stage->server), 0);
    }
    process_start(stage->server, NULL, fault);
    device_reconnect(stage->a, stage->server);
    device_reconnect(stage->b, stage->server);
}

static struct call call_of(const struct stage *stage, bool with_token)
{
    static char header[128];
    (void)snprintf(header, sizeof header, "Idempotency-Key: %s", key);
    return (struct call){.method = "POST",
                         .path = stage->path,
                         .token = with_token ? stage->a->token : NULL,
                         .body = stage->body[0] == '\0' ? NULL : stage->body,
                         .header = header};
}
