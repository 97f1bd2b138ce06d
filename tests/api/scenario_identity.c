#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one knows of a token. */
struct token {
    char text[80];
};

static struct token token_of(const struct answer *answer)
{
    struct token token;
    (void)snprintf(token.text, sizeof token.text, "%s", answer_text(answer, "token"));
    return token;
}

static struct answer ask(struct client *client, const char *method, const char *path,
                         const char *token, const char *body)
{
    return client_send(
        client, &(struct call){.method = method, .path = path, .token = token, .body = body});
}

static void expect_empty(long status, struct answer answer)
{
    answer = expect(status, answer);
    cr_expect_eq(answer.length, 0);
    answer_free(&answer);
}

static bool works(struct client *client, const struct token *token)
{
    struct answer answer = client_get(client, "/v1/me", token->text);
    long status = answer.status;
    cr_expect(status == 200 || status == 401, "%ld", status);
    answer_free(&answer);
    return status == 200;
}

static struct token rotate(struct client *client, const char *token)
{
    struct answer answer = expect(201, client_post(client, "/v1/me/token", token, NULL));
    char cache[64];
    cr_expect(answer_header(&answer, "Cache-Control", cache, sizeof cache));
    cr_expect_str_eq(cache, "no-store");
    struct token fresh = token_of(&answer);
    answer_free(&answer);
    return fresh;
}

/* --- tokens --------------------------------------------------------------------------------- */

Test(scenario_identity, a_rotated_token_works_until_its_successor_is_used)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct token old = {""};
    (void)snprintf(old.text, sizeof old.text, "%s", a->token);
    struct token fresh = rotate(a->client, old.text);
    cr_expect(works(a->client, &old));
    cr_expect(works(a->client, &old));
    cr_expect(works(a->client, &fresh));
    cr_expect_not(works(a->client, &old));
    cr_expect(works(a->client, &fresh));
    device_free(a);
    process_free(server);
}

Test(scenario_identity, a_rotated_token_ends_after_ten_minutes_whatever_happens)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct token old = {""};
    (void)snprintf(old.text, sizeof old.text, "%s", a->token);
    struct token fresh = rotate(a->client, old.text);
    process_control(server, "advance 599000");
    cr_expect(works(a->client, &old));
    process_control(server, "advance 1000");
    cr_expect_not(works(a->client, &old));
    cr_expect(works(a->client, &fresh));
    device_free(a);
    process_free(server);
}

Test(scenario_identity, asking_again_makes_the_unused_new_token_void)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct token lost = rotate(a->client, a->token);
    struct token found = rotate(a->client, a->token);
    cr_expect_not(works(a->client, &lost));
    cr_expect(works(a->client, &found));
    device_free(a);
    process_free(server);
}

Test(scenario_identity, rotation_survives_a_kill)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct token old = {""};
    (void)snprintf(old.text, sizeof old.text, "%s", a->token);
    struct token fresh = rotate(a->client, old.text);
    process_kill(server);
    process_start(server, NULL, NULL);
    device_reconnect(a, server);
    cr_expect(works(a->client, &fresh));
    process_kill(server);
    process_start(server, NULL, NULL);
    device_reconnect(a, server);
    cr_expect_not(works(a->client, &old));
    cr_expect(works(a->client, &fresh));
    device_free(a);
    process_free(server);
}

/* --- further devices ------------------------------------------------------------------------ */

static void make_code(const struct device *device, char code[16])
{
    struct answer answer =
        expect(201, client_post(device->client, "/v1/me/link-codes", device->token, "{}"));
    (void)snprintf(code, 16, "%s", answer_text(&answer, "code"));
    answer_free(&answer);
}

static struct answer redeem(struct client *client, const char *code)
{
    char body[64];
    (void)snprintf(body, sizeof body, "{\"code\":\"%s\"}", code);
    return client_post(client, "/v1/link-codes/redeem", NULL, body);
}

Test(scenario_identity, a_link_code_brings_in_one_further_device)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    char code[16];
    make_code(a, code);
    struct answer answer = expect(201, redeem(a->client, code));
    cr_expect_str_eq(answer_text(&answer, "player.id"), a->player);
    struct token second = token_of(&answer);
    cr_expect(works(a->client, &second));
    cr_expect_str_neq(second.text, a->token);
    answer_free(&answer);
    expect_problem(410, "link-code-gone", redeem(a->client, code));

    answer = expect(200, client_get(a->client, "/v1/me/devices", second.text));
    cr_expect_eq(json_array_size(answer_at(&answer, "items")), 2);
    cr_expect(json_is_false(answer_at(&answer, "items.0.current")));
    cr_expect(json_is_true(answer_at(&answer, "items.1.current")));
    cr_expect(json_is_string(answer_at(&answer, "items.1.last_used_on")));
    answer_free(&answer);
    device_free(a);
    process_free(server);
}

Test(scenario_identity, a_player_has_sixteen_devices_and_no_more)
{
    char code[16];
    char path[96];
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    for (int i = 1; i < 16; i++) {
        make_code(a, code);
        struct answer linked = expect(201, redeem(a->client, code));
        (void)snprintf(path, sizeof path, "/v1/me/devices/%s", answer_text(&linked, "device.id"));
        answer_free(&linked);
    }
    make_code(a, code);
    for (int i = 0; i < 2; i++) { /* the refusal does not use it up */
        struct answer refused = expect(410, redeem(a->client, code));
        cr_expect_str_eq(answer_text(&refused, "code"), "link-code-gone");
        cr_expect_not_null(strstr(answer_text(&refused, "detail"), "16 devices"));
        answer_free(&refused);
    }
    expect_empty(204, ask(a->client, "DELETE", path, a->token, NULL));
    struct answer answer = expect(201, redeem(a->client, code));
    answer_free(&answer);
    make_code(a, code);
    expect_problem(410, "link-code-gone", redeem(a->client, code));
    answer = expect(200, client_get(a->client, "/v1/me/devices", a->token));
    cr_expect_eq(json_array_size(answer_at(&answer, "items")), 16);
    answer_free(&answer);
    device_free(a);
    process_free(server);
}

static char sloppy(char digit)
{
    static const char written[] = "01ABCDEFGHJKMNPQRSTVWXYZ";
    static const char typed[] = "olabcdefghjkmnpqrstvwxyz";
    const char *found = strchr(written, digit);
    if (found != NULL) {
        return typed[found - written];
    }
    return digit;
}

Test(scenario_identity, a_code_is_read_as_people_write_it)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    char code[16];
    char typed[16];
    size_t used = 0;
    make_code(a, code);
    for (const char *at = code; *at != '\0'; at++) {
        if (*at != '-') {
            typed[used++] = sloppy(*at);
        }
    }
    typed[used] = '\0';
    struct answer answer = expect(201, redeem(a->client, typed));
    answer_free(&answer);
    device_free(a);
    process_free(server);
}

Test(scenario_identity, whatever_is_no_live_code_is_gone)
{
    static const char *const wrong[] = {"",          "ABCD",       "ABCD-EFGH",
                                        "ABCD-EFG",  "ABCDE-FGH",  "ABCD--EFGH",
                                        "UUUU-UUUU", "ABCD-EFGH9", "-ABCDEFGH"};
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    char first[16];
    char second[16];
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        expect_problem(410, "link-code-gone", redeem(a->client, wrong[i]));
    }
    make_code(a, first);
    make_code(a, second);
    expect_problem(410, "link-code-gone", redeem(a->client, first));
    process_control(server, "advance 300000");
    expect_problem(410, "link-code-gone", redeem(a->client, second));
    device_free(a);
    process_free(server);
}

Test(scenario_identity, a_revoked_device_is_refused_at_once_and_others_go_on)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *stranger = device_new(server);
    char code[16];
    char path[96];
    make_code(a, code);
    struct answer answer = expect(201, redeem(a->client, code));
    struct token second = token_of(&answer);
    (void)snprintf(path, sizeof path, "/v1/me/devices/%s", answer_text(&answer, "device.id"));
    answer_free(&answer);
    cr_expect(works(a->client, &second));
    expect_problem(404, "not-found", ask(a->client, "DELETE", path, stranger->token, NULL));
    cr_expect(works(a->client, &second));
    expect_empty(204, ask(a->client, "DELETE", path, a->token, NULL));
    cr_expect_not(works(a->client, &second));
    expect_empty(204, ask(a->client, "DELETE", path, a->token, NULL));

    answer = expect(200, client_get(a->client, "/v1/me/devices", a->token));
    cr_expect_eq(json_array_size(answer_at(&answer, "items")), 1);
    (void)snprintf(path, sizeof path, "/v1/me/devices/%s", answer_text(&answer, "items.0.id"));
    answer_free(&answer);
    expect_empty(204, ask(a->client, "DELETE", path, a->token, NULL));
    expect_problem(401, "invalid-token", client_get(a->client, "/v1/me", a->token));
    device_free(stranger);
    device_free(a);
    process_free(server);
}

/* --- names and the end ---------------------------------------------------------------------- */

Test(scenario_identity, a_new_name_is_shown_everywhere_at_once)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    static const char *const move[] = {"5i5e", NULL};
    device_play(&pairing, 1, move); /* so that the game's state is at hand */
    struct answer answer =
        expect(200, ask(a->client, "PATCH", "/v1/me", a->token, "{\"name\":\"Cafe\\u0301\"}"));
    cr_expect_str_eq(answer_text(&answer, "player.name"), "Caf\u00e9");
    cr_expect_eq(json_array_size(answer_at(&answer, "open_games")), 1);
    answer_free(&answer);
    answer = device_game(b, pairing.game);
    cr_expect_str_eq(answer_text(&answer, "seats.0.player.name"), "Caf\u00e9");
    answer_free(&answer);
    device_play(&pairing, 2, (const char *const[]){"5a5d", NULL});
    answer = device_game(b, pairing.game);
    cr_expect_str_eq(answer_text(&answer, "seats.0.player.name"), "Caf\u00e9");
    answer_free(&answer);
    expect_problem(422, "invalid-name",
                   ask(a->client, "PATCH", "/v1/me", a->token, "{\"name\":\"  \"}"));
    expect_problem(422, "invalid-field", ask(a->client, "PATCH", "/v1/me", a->token, "{}"));
    device_free(a);
    device_free(b);
    process_free(server);
}

static void ranking_tag(const struct device *device, char tag[96])
{
    struct answer answer =
        expect(200, client_get(device->client, "/v1/rankings/hasami?provisional=true", NULL));
    cr_assert(answer_header(&answer, "ETag", tag, 96));
    answer_free(&answer);
}

Test(scenario_identity, the_name_that_one_has_is_no_news)
{
    char before[96];
    char after[96];
    static const char name[] = "{\"name\":\"Haru\"}";
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    struct answer answer = expect(200, device_resign(a, pairing.game));
    answer_free(&answer);
    ranking_tag(b, before);
    for (int i = 0; i < 2; i++) {
        answer = expect(200, ask(a->client, "PATCH", "/v1/me", a->token, name));
        cr_expect_str_eq(answer_text(&answer, "player.name"), "Haru");
        answer_free(&answer);
        ranking_tag(b, after);
        bool is_same = strcmp(before, after) == 0;
        cr_expect_eq(is_same, i == 1);
        memcpy(before, after, sizeof before);
    }
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_identity, an_erased_player_leaves_its_id_and_nothing_else)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    char text[256];
    char ticket[32];
    device_queue(a, ticket);
    make_code(a, text);
    expect_empty(204, ask(a->client, "DELETE", "/v1/me", a->token, NULL));
    expect_problem(401, "invalid-token", client_get(a->client, "/v1/me", a->token));
    expect_problem(410, "link-code-gone", redeem(b->client, text));

    struct answer answer = device_game(b, pairing.game);
    cr_expect_str_eq(answer_text(&answer, "status"), "playing", "it goes on");
    cr_expect_str_eq(answer_text(&answer, "seats.0.control"), "cpu");
    cr_expect(json_is_false(answer_at(&answer, "seats.0.present")));
    answer_free(&answer);
    answer = expect(200, device_resign(b, pairing.game));
    cr_expect_str_eq(answer_text(&answer, "result.rating_status"), "applied");
    cr_expect_str_eq(answer_text(&answer, "seats.0.player.id"), a->player);
    cr_expect(json_is_null(answer_at(&answer, "seats.0.player.name")));
    answer_free(&answer);
    answer = expect(200, client_get(b->client, "/v1/rankings/hasami?provisional=true", NULL));
    cr_expect_eq(answer_integer(&answer, "total"), 1);
    answer_free(&answer);
    (void)snprintf(text, sizeof text, "/v1/rankings/hasami/players/%s", a->player);
    expect_problem(404, "not-found", client_get(b->client, text, NULL));
    process_sql(server,
                "SELECT (SELECT count(*) FROM token t JOIN device USING (device_no) JOIN player"
                " USING (player_no) WHERE name IS NULL) || ' ' ||"
                " (SELECT count(*) FROM ticket WHERE status = 'waiting') || ' ' ||"
                " (SELECT count(*) FROM link_code)",
                text, sizeof text);
    cr_expect_str_eq(text, "0 0 0");
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_identity, a_late_use_of_a_rotated_token_is_told_to_the_operator)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct token old = {""};
    char command[256];
    (void)snprintf(old.text, sizeof old.text, "%s", a->token);
    struct token fresh = rotate(a->client, old.text);
    cr_expect(works(a->client, &fresh));
    (void)snprintf(command, sizeof command, "grep -q '\"security\":\"token-reuse\"' '%s'",
                   server->log);
    cr_expect_neq(system(command), 0); /* NOLINT(cert-env33-c) */
    cr_expect_not(works(a->client, &old));
    cr_expect_eq(system(command), 0); /* NOLINT(cert-env33-c) */
    device_free(a);
    process_free(server);
}
