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
