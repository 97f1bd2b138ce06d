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
