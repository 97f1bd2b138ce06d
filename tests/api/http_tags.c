#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* ETag, If-None-Match and 304. */

enum { TAG_MAX = 64 };

static struct answer get_with(struct client *client, const char *path, const char *none_match)
{
    char line[256];
    (void)snprintf(line, sizeof line, "If-None-Match: %s", none_match);
    return client_send(client, &(struct call){.method = "GET", .path = path, .header = line});
}

/* The tag of a 200. */
static void read_tag(struct client *client, const char *path, char tag[TAG_MAX])
{
    struct answer answer = expect(200, client_get(client, path, NULL));
    cr_assert(answer_header(&answer, "ETag", tag, TAG_MAX), "%s has no ETag", path);
    answer_free(&answer);
}

/* 304 without a body, with the same tag and what caches need. */
static void expect_unchanged(struct answer answer, const char *tag)
{
    char value[TAG_MAX] = "";
    answer = expect(304, answer);
    cr_expect(answer_header(&answer, "ETag", value, sizeof value));
    cr_expect_str_eq(value, tag);
    cr_expect(answer_header(&answer, "Cache-Control", value, sizeof value));
    cr_expect(answer_header(&answer, "Vary", value, sizeof value));
    cr_expect_eq(answer.length, 0);
    cr_expect_str_eq(answer.content_type, "");
    answer_free(&answer);
}

Test(http_tags, a_snapshot_that_did_not_change_is_304)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    char path[96];
    char tag[TAG_MAX];
    char list[256];
    (void)snprintf(path, sizeof path, "/v1/games/%s", pairing.game);
    read_tag(a->client, path, tag);
    expect_unchanged(get_with(a->client, path, tag), tag);
    expect_unchanged(get_with(a->client, path, tag + 2), tag);
    expect_unchanged(get_with(a->client, path, "*"), tag);
    (void)snprintf(list, sizeof list, "\"a\", W/\"b,c\", %s", tag);
    expect_unchanged(get_with(a->client, path, list), tag);
    (void)snprintf(list, sizeof list, "If-None-Match: %s", tag);
    expect_unchanged(
        client_send(a->client, &(struct call){.method = "HEAD", .path = path, .header = list}),
        tag);
    struct answer answer = expect(200, get_with(a->client, path, "\"a\", \"b\""));
    answer_free(&answer);
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(http_tags, the_time_alone_changes_no_tag_and_a_move_does)
{
    static const char *const moves[] = {"5i5h", NULL};
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    char path[96];
    char first[TAG_MAX];
    char second[TAG_MAX];
    (void)snprintf(path, sizeof path, "/v1/games/%s", pairing.game);
    read_tag(a->client, path, first);
    process_control(server, "advance 5000");
    read_tag(a->client, path, second);
    cr_expect_str_eq(second, first, "server_now is not part of the tag");
    device_play(&pairing, 1, moves);
    read_tag(a->client, path, second);
    cr_expect_str_neq(second, first);
    struct answer answer = expect(200, get_with(a->client, path, first));
    cr_expect_eq(answer_integer(&answer, "ply"), 1);
    answer_free(&answer);
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(http_tags, a_snapshot_with_legal_moves_has_a_tag_of_its_own)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    char path[96];
    char with[128];
    char tags[2][TAG_MAX];
    (void)snprintf(path, sizeof path, "/v1/games/%s", pairing.game);
    (void)snprintf(with, sizeof with, "%s?include=legal_moves", path);
    read_tag(a->client, path, tags[0]);
    read_tag(a->client, with, tags[1]);
    cr_expect_str_neq(tags[0], tags[1]);
    expect_unchanged(get_with(a->client, with, tags[1]), tags[1]);
    struct answer answer = expect(200, get_with(a->client, with, tags[0]));
    answer_free(&answer);
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(http_tags, what_is_not_there_or_not_read_is_never_304)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    char path[96];
    char value[TAG_MAX];
    expect_problem(404, "not-found",
                   get_with(a->client, "/v1/games/g_00000000000000000000000000", "*"));
    expect_problem(400, "invalid-parameter",
                   get_with(a->client, "/v1/games/g_00000000000000000000000000?x=1", "*"));
    (void)snprintf(path, sizeof path, "/v1/games/%s/resign", pairing.game);
    struct answer answer =
        expect(200, client_send(a->client, &(struct call){.method = "POST",
                                                          .path = path,
                                                          .token = a->token,
                                                          .header = "If-None-Match: *"}));
    cr_expect_not(answer_header(&answer, "ETag", value, sizeof value));
    answer_free(&answer);
    device_free(a);
    device_free(b);
    process_free(server);
}

/* --- rankings ------------------------------------------------------------------------------------
 */

/* A server on which one game was rated. */
static struct process *with_ranking(struct device *devices[2])
{
    struct process *server = process_new(NULL);
    devices[0] = device_new(server);
    devices[1] = device_new(server);
    struct pairing pairing = device_pair(devices[0], devices[1]);
    struct answer answer = expect(200, device_resign(devices[0], pairing.game));
    answer_free(&answer);
    return server;
}

static void end(struct process *server, struct device *devices[2])
{
    device_free(devices[0]);
    device_free(devices[1]);
    process_free(server);
}

/* Fails unless the tag of each path is another one than before. */
static void expect_new_tags(struct client *client, const char *const *paths, char (*tags)[TAG_MAX],
                            const char *after)
{
    for (size_t i = 0; paths[i] != NULL; i++) {
        char before[TAG_MAX];
        memcpy(before, tags[i], sizeof before);
        struct answer answer = expect(200, get_with(client, paths[i], before));
        cr_expect(answer_header(&answer, "ETag", tags[i], TAG_MAX));
        cr_expect_str_neq(tags[i], before, "%s after %s", paths[i], after);
        answer_free(&answer);
        expect_unchanged(get_with(client, paths[i], tags[i]), tags[i]);
    }
}

Test(http_tags, a_ranking_is_304_until_something_in_its_pool_changes)
{
    struct device *devices[2];
    struct process *server = with_ranking(devices);
    struct client *client = devices[0]->client;
    char standing[160];
    (void)snprintf(standing, sizeof standing, "/v1/rankings/hasami/players/%s?provisional=true",
                   devices[1]->player);
    const char *const paths[] = {"/v1/rankings/hasami?provisional=true", "/v1/rankings/hasami",
                                 standing, NULL};
    char tags[3][TAG_MAX];
    for (size_t i = 0; paths[i] != NULL; i++) {
        read_tag(client, paths[i], tags[i]);
        expect_unchanged(get_with(client, paths[i], tags[i]), tags[i]);
        expect_unchanged(get_with(client, paths[i], "*"), tags[i]);
    }
    struct pairing pairing = device_pair(devices[0], devices[1]);
    process_control(server, "advance 20000");
    for (size_t i = 0; paths[i] != NULL; i++) {
        expect_unchanged(get_with(client, paths[i], tags[i]), tags[i]);
    }
    struct answer answer = expect(200, device_resign(devices[0], pairing.game));
    answer_free(&answer);
    expect_new_tags(client, paths, tags, "a result");
    answer = expect(200, client_send(client, &(struct call){.method = "PATCH",
                                                            .path = "/v1/me",
                                                            .token = devices[0]->token,
                                                            .body = "{\"name\":\"Haru\"}"}));
    answer_free(&answer);
    expect_new_tags(client, paths, tags, "a new name");
    answer = expect(204, client_send(client, &(struct call){.method = "DELETE",
                                                            .path = "/v1/me",
                                                            .token = devices[0]->token}));
    answer_free(&answer);
    expect_new_tags(client, paths, tags, "an erasure");
    end(server, devices);
}

Test(http_tags, every_question_to_a_ranking_has_a_tag_of_its_own)
{
    struct device *devices[2];
    struct process *server = with_ranking(devices);
    struct client *client = devices[0]->client;
    char standings[3][160];
    for (size_t i = 0; i < 3; i++) {
        static const char *const queries[] = {"", "?radius=1", ""};
        (void)snprintf(standings[i], sizeof standings[i], "/v1/rankings/hasami/players/%s%s",
                       devices[i / 2]->player, queries[i]);
    }
    const char *const paths[] = {"/v1/rankings/hasami",
                                 "/v1/rankings/hasami?limit=1",
                                 "/v1/rankings/hasami?limit=2",
                                 "/v1/rankings/hasami?provisional=true",
                                 "/v1/rankings/hasami?provisional=true&limit=1",
                                 standings[0],
                                 standings[1],
                                 standings[2]};
    enum { PATHS = sizeof paths / sizeof paths[0] };
    char tags[PATHS][TAG_MAX];
    for (size_t i = 0; i < PATHS; i++) {
        read_tag(client, paths[i], tags[i]);
        for (size_t j = 0; j < i; j++) {
            cr_expect_str_neq(tags[i], tags[j], "%s and %s", paths[i], paths[j]);
        }
    }
    end(server, devices);
}

Test(http_tags, no_tag_answers_for_a_ranking_that_is_not_there)
{
    struct device *devices[2];
    struct process *server = with_ranking(devices);
    struct client *client = devices[0]->client;
    char tag[TAG_MAX];
    read_tag(client, "/v1/rankings/hasami", tag);
    expect_problem(404, "not-found", get_with(client, "/v1/rankings/chess", tag));
    expect_problem(404, "not-found", get_with(client, "/v1/rankings/chess", "*"));
    expect_problem(
        404, "not-found",
        get_with(client, "/v1/rankings/hasami/players/p_00000000000000000000000000", "*"));
    expect_problem(400, "invalid-parameter", get_with(client, "/v1/rankings/hasami?limit=0", tag));
    end(server, devices);
}

/* Between two runs the file may have been put back to a state with the same revision. */
Test(http_tags, a_ranking_of_an_earlier_run_is_sent_again)
{
    struct device *devices[2];
    struct process *server = with_ranking(devices);
    char before[TAG_MAX];
    char after[TAG_MAX];
    read_tag(devices[0]->client, "/v1/rankings/hasami", before);
    cr_assert_eq(process_stop(server), 0);
    process_start(server, NULL, NULL);
    device_reconnect(devices[0], server);
    struct answer answer = expect(200, get_with(devices[0]->client, "/v1/rankings/hasami", before));
    cr_expect(answer_header(&answer, "ETag", after, sizeof after));
    cr_expect_str_neq(before, after);
    answer_free(&answer);
    end(server, devices);
}
