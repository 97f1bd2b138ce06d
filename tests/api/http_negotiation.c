#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What clients ask answers to be like: types and codings. */

static struct answer get_with(struct client *client, const char *path, const char *header)
{
    return client_send(client, &(struct call){.method = "GET", .path = path, .header = header});
}

Test(http_negotiation, json_goes_to_those_who_take_it)
{
    static const char *const good[] = {
        "Accept: */*",
        "Accept: application/*",
        "Accept: application/json",
        "Accept: application/json;charset=utf-8",
        "Accept: text/html, application/json;q=0.1",
        "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "Accept: application/problem+json, application/json",
    };
    static const char *const bad[] = {
        "Accept: text/html",
        "Accept: text/*",
        "Accept: application/json;q=0",
        "Accept: application/json;q=0.000, */*",
        "Accept: application/problem+json",
        "Accept: application/xml, */*;q=0",
    };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct answer answer = get_with(client, "/v1/games", good[i]);
        cr_expect_eq(answer.status, 200, "%s", good[i]);
        cr_expect_str_eq(answer.content_type, "application/json", "%s", good[i]);
        answer_free(&answer);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        expect_problem(406, "not-acceptable", get_with(client, "/v1/games", bad[i]));
    }
    client_free(client);
    process_free(server);
}

Test(http_negotiation, a_problem_is_told_whatever_accept_says)
{
    static const char *const headers[] = {"Accept: text/html", "Accept: */*;q=0"};
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < 2; i++) {
        expect_problem(404, "not-found",
                       client_send(client, &(struct call){.method = "GET",
                                                          .path = "/v1/nothing",
                                                          .header = headers[i],
                                                          .unchecked = true}));
        expect_problem(405, "method-not-allowed",
                       client_send(client, &(struct call){.method = "PUT",
                                                          .path = "/v1/games",
                                                          .header = headers[i],
                                                          .unchecked = true}));
        expect_problem(400, "invalid-parameter", get_with(client, "/healthz?x=1", headers[i]));
    }
    client_free(client);
    process_free(server);
}

Test(http_negotiation, what_has_a_type_of_its_own_keeps_it)
{
    static const char *const headers[] = {"Accept: text/html", "Accept: application/json;q=0",
                                          "Accept: image/png"};
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        struct answer answer = expect(200, get_with(client, "/healthz", headers[i]));
        cr_expect_str_eq(answer.content_type, "application/json");
        answer_free(&answer);
        answer = expect(200, get_with(client, "/openapi.yaml", headers[i]));
        cr_expect_str_eq(answer.content_type, "application/yaml; charset=utf-8");
        answer_free(&answer);
    }
    client_free(client);
    process_free(server);
}

/* --- gzip ----------------------------------------------------------------------------------------
 */

/* What came, and whether it came packed, and how long it was on the way. */
struct packing {
    struct answer answer;
    bool packed;
    long length;
    char tag[64];
};

static struct packing fetch(struct client *client, const char *path, const char *codings)
{
    char value[64] = "";
    struct packing packing = {
        .answer = expect(
            200, client_send(client,
                             &(struct call){.method = "GET", .path = path, .codings = codings}))};
    cr_expect(answer_header(&packing.answer, "Vary", value, sizeof value));
    cr_expect_not_null(strstr(value, "Accept-Encoding"), "%s: %s", path, value);
    packing.packed = answer_header(&packing.answer, "Content-Encoding", value, sizeof value);
    cr_expect(!packing.packed || strcmp(value, "gzip") == 0);
    cr_expect(answer_header(&packing.answer, "Content-Length", value, sizeof value));
    packing.length = strtol(value, NULL, 10);
    (void)answer_header(&packing.answer, "ETag", packing.tag, sizeof packing.tag);
    return packing;
}

Test(http_negotiation, a_long_answer_is_packed_for_those_who_ask)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    char paths[3][96] = {"", "/v1/games", "/openapi.yaml"};
    (void)snprintf(paths[0], sizeof paths[0], "/v1/games/%s?include=legal_moves", pairing.game);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        struct packing plain = fetch(a->client, paths[i], NULL);
        struct packing packed = fetch(a->client, paths[i], "gzip");
        struct packing refused = fetch(a->client, paths[i], "gzip;q=0, *");
        cr_expect_gt(plain.length, 1024, "%s", paths[i]);
        cr_expect(packed.packed && !plain.packed && !refused.packed, "%s", paths[i]);
        cr_expect_lt(packed.length, plain.length * 3 / 4, "%s", paths[i]);
        cr_expect_eq(packed.answer.length, plain.answer.length, "%s", paths[i]);
        cr_expect_str_eq(packed.answer.content_type, plain.answer.content_type);
        cr_expect_str_eq(packed.tag, plain.tag, "%s", paths[i]);
        answer_free(&plain.answer);
        answer_free(&packed.answer);
        answer_free(&refused.answer);
    }
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(http_negotiation, a_short_answer_is_never_packed)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct packing health = fetch(client, "/healthz", "gzip");
    struct packing ranking = fetch(client, "/v1/rankings/hasami", "gzip");
    cr_expect_not(health.packed);
    cr_expect_not(ranking.packed);
    answer_free(&health.answer);
    answer_free(&ranking.answer);
    client_free(client);
    process_free(server);
}

Test(http_negotiation, head_tells_the_packed_length)
{
    char lengths[2][32] = {"", "-"};
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    struct packing get = fetch(client, "/openapi.yaml", "gzip");
    struct answer head = expect(200, client_send(client, &(struct call){.method = "HEAD",
                                                                        .path = "/openapi.yaml",
                                                                        .codings = "gzip"}));
    cr_expect(answer_header(&get.answer, "Content-Length", lengths[0], sizeof lengths[0]));
    cr_expect(answer_header(&head, "Content-Length", lengths[1], sizeof lengths[1]));
    cr_expect_str_eq(lengths[0], lengths[1]);
    cr_expect(answer_header(&head, "Content-Encoding", lengths[1], sizeof lengths[1]));
    cr_expect_str_eq(lengths[1], "gzip");
    answer_free(&get.answer);
    answer_free(&head);
    client_free(client);
    process_free(server);
}

Test(http_negotiation, a_packed_answer_is_still_304_by_the_same_tag)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    char path[96];
    char header[96];
    (void)snprintf(path, sizeof path, "/v1/games/%s?include=legal_moves", pairing.game);
    struct packing packed = fetch(a->client, path, "gzip");
    (void)snprintf(header, sizeof header, "If-None-Match: %s", packed.tag);
    struct answer answer = expect(304, client_send(a->client, &(struct call){.method = "GET",
                                                                             .path = path,
                                                                             .header = header,
                                                                             .codings = "gzip"}));
    cr_expect_not(answer_header(&answer, "Content-Encoding", path, sizeof path));
    answer_free(&packed.answer);
    answer_free(&answer);
    device_free(a);
    device_free(b);
    process_free(server);
}
