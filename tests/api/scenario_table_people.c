#include "tests/support/listener.h"
#include "tests/support/party.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Who belongs to a table: coming by code or without, watching, leaving, and how many may. */

static struct answer join_by(struct device *device, const char *code)
{
    char body[96];
    (void)snprintf(body, sizeof body, "{\"code\":\"%s\"}", code);
    return client_post(device->client, "/v1/tables/join", device->token, body);
}

static size_t members_of(struct device *device, const struct party *party)
{
    struct answer answer = expect(200, party_get(device, party, ""));
    size_t count = json_array_size(answer_at(&answer, "members"));
    answer_free(&answer);
    return count;
}

static void leave(struct device *device, const struct party *party)
{
    struct answer answer = expect(204, party_post(device, party, "/leave", NULL));
    answer_free(&answer);
}

Test(scenario_table_people, a_code_lets_in_however_it_is_typed_and_again)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct device *guest = device_new(server);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    char typed[16];
    size_t used = 0;
    for (const char *at = party.code; *at != '\0'; at++) {
        if (*at != '-') {
            typed[used++] = (char)tolower(*at);
        }
    }
    typed[used] = '\0';
    expect_problem(404, "not-found", party_get(guest, &party, ""));
    struct answer answer = expect(200, join_by(guest, typed));
    cr_expect_str_eq(answer_text(&answer, "code"), party.code);
    cr_expect_str_eq(answer_text(&answer, "members.0.id"), host->player);
    cr_expect_str_eq(answer_text(&answer, "members.1.id"), guest->player);
    answer_free(&answer);
    answer = expect(200, join_by(guest, party.code));
    answer_free(&answer);
    cr_expect_eq(members_of(guest, &party), 2);
    device_free(host);
    device_free(guest);
    process_free(server);
}

Test(scenario_table_people, a_wrong_code_opens_nothing)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct device *guest = device_new(server);
    struct party party = party_open(host, "{\"game\":\"hasami\",\"public\":true}");
    expect_problem(404, "wrong-code", join_by(guest, "0000-0000"));
    expect_problem(404, "wrong-code", join_by(guest, "nonsense"));
    expect_problem(404, "wrong-code", join_by(guest, ""));
    cr_expect_eq(members_of(guest, &party), 1);
    /* A code for another device of a player is none for a table, nor the other way round. */
    struct answer answer =
        expect(201, client_post(host->client, "/v1/me/link-codes", host->token, NULL));
    expect_problem(404, "wrong-code", join_by(guest, answer_text(&answer, "code")));
    answer_free(&answer);
    char body[64];
    (void)snprintf(body, sizeof body, "{\"code\":\"%s\"}", party.code);
    expect_problem(410, "link-code-gone",
                   client_post(guest->client, "/v1/link-codes/redeem", NULL, body));
    device_free(host);
    device_free(guest);
    process_free(server);
}

/* --- guessing ------------------------------------------------------------------------------------
 */

static struct answer guess(struct device *device, const char *path, const char *code)
{
    char body[96];
    (void)snprintf(body, sizeof body, "{\"code\":\"%s\"}", code);
    bool joins = strcmp(path, "/v1/tables/join") == 0;
    return client_send(device->client, &(struct call){.method = "POST",
                                                      .path = path,
                                                      .token = joins ? device->token : NULL,
                                                      .body = body,
                                                      .header = "X-Forwarded-For: 192.0.2.1"});
}

Test(scenario_table_people, ten_wrong_codes_an_hour_close_the_door_with_those_of_devices)
{
    static const char *const arguments[] = {"--trusted-proxy", "127.0.0.0/8", NULL};
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    struct device *host = device_new(server);
    struct device *guest = device_new(server);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    for (int i = 0; i < 9; i++) {
        bool joins = i % 2 == 0;
        expect_problem(
            joins ? 404 : 410, joins ? "wrong-code" : "link-code-gone",
            guess(guest, joins ? "/v1/tables/join" : "/v1/link-codes/redeem", "ABCD-EFGH"));
    }
    for (int i = 0; i < 3; i++) { /* right ones are not counted */
        struct answer answer = expect(200, guess(guest, "/v1/tables/join", party.code));
        answer_free(&answer);
    }
    expect_problem(404, "wrong-code", guess(guest, "/v1/tables/join", "nonsense"));
    expect_problem(429, "rate-limited", guess(guest, "/v1/tables/join", "ABCD-EFGH"));
    expect_problem(429, "rate-limited", guess(guest, "/v1/tables/join", party.code));
    expect_problem(429, "rate-limited", guess(guest, "/v1/link-codes/redeem", "ABCD-EFGH"));
    process_control(server, "advance 361000");
    expect_problem(404, "wrong-code", guess(guest, "/v1/tables/join", "ABCD-EFGH"));
    expect_problem(429, "rate-limited", guess(guest, "/v1/tables/join", party.code));
    device_free(host);
    device_free(guest);
    process_free(server);
}

/* A repeat by its key takes nothing from the budget either. */
Test(scenario_table_people, a_right_code_costs_nothing_however_often_it_is_repeated)
{
    static const char *const arguments[] = {"--trusted-proxy", "127.0.0.0/8", NULL};
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    struct device *host = device_new(server);
    struct device *guest = device_new(server);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    char body[64];
    (void)snprintf(body, sizeof body, "{\"code\":\"%s\"}", party.code);
    for (int i = 0; i < 12; i++) {
        struct answer answer =
            expect(200, client_post_keyed(guest->client, "/v1/tables/join", guest->token,
                                          "the-key-of-a-join", body));
        cr_expect_eq(answer_replayed(&answer), i > 0);
        answer_free(&answer);
    }
    expect_problem(404, "wrong-code", guess(guest, "/v1/tables/join", "ABCD-EFGH"));
    device_free(host);
    device_free(guest);
    process_free(server);
}

/* --- how many ------------------------------------------------------------------------------------
 */

enum { CROWD = 16 };

Test(scenario_table_people, a_table_has_sixteen_members_and_no_more)
{
    struct process *server = process_new(NULL);
    struct device *people[CROWD + 1];
    for (size_t i = 0; i <= CROWD; i++) {
        people[i] = device_new(server);
    }
    struct party party = party_open(people[0], "{\"game\":\"hasami\",\"public\":true}");
    for (size_t i = 1; i < CROWD; i++) {
        party_join(people[i], &party);
        cr_expect_eq(members_of(people[i], &party), i + 1);
    }
    expect_problem(409, "table-full", join_by(people[CROWD], party.code));
    expect_problem(409, "table-full", party_post(people[CROWD], &party, "/join", NULL));
    struct answer answer = expect(200, join_by(people[3], party.code));
    answer_free(&answer); /* who is in already is let in */
    leave(people[3], &party);
    answer = expect(200, party_post(people[CROWD], &party, "/join", NULL));
    cr_expect_eq(json_array_size(answer_at(&answer, "members")), CROWD);
    cr_expect_str_eq(answer_text(&answer, "members.15.id"), people[CROWD]->player);
    answer_free(&answer);
    for (size_t i = 0; i <= CROWD; i++) {
        device_free(people[i]);
    }
    process_free(server);
}

Test(scenario_table_people, a_player_opens_eight_tables_and_is_in_thirty_two)
{
    enum { HOSTED = 8, JOINED = 32, HOSTS = JOINED / HOSTED };
    struct process *server = process_new(NULL);
    struct device *guest = device_new(server);
    struct device *hosts[HOSTS + 1];
    struct party parties[HOSTS][HOSTED];
    for (size_t i = 0; i <= HOSTS; i++) {
        hosts[i] = device_new(server);
    }
    for (size_t i = 0; i < HOSTS; i++) {
        for (size_t j = 0; j < HOSTED; j++) {
            parties[i][j] = party_open(hosts[i], "{\"game\":\"hasami\"}");
            party_join(guest, &parties[i][j]);
        }
        expect_problem(
            409, "too-many-games",
            client_post(hosts[i]->client, "/v1/tables", hosts[i]->token, "{\"game\":\"hasami\"}"));
    }
    struct party other = party_open(hosts[HOSTS], "{\"game\":\"hasami\"}");
    expect_problem(409, "too-many-games", join_by(guest, other.code));
    expect_problem(409, "too-many-games",
                   client_post(guest->client, "/v1/tables", guest->token, "{\"game\":\"hasami\"}"));
    leave(guest, &parties[1][1]);
    party_join(guest, &other);
    leave(hosts[0], &parties[0][0]);
    (void)party_open(hosts[0], "{\"game\":\"hasami\"}");
    for (size_t i = 0; i <= HOSTS; i++) {
        device_free(hosts[i]);
    }
    device_free(guest);
    process_free(server);
}

/* --- leaving -------------------------------------------------------------------------------------
 */

Test(scenario_table_people, the_longest_member_inherits_and_the_last_one_closes)
{
    struct process *server = process_new(NULL);
    struct device *people[4];
    for (size_t i = 0; i < 4; i++) {
        people[i] = device_new(server);
    }
    struct party party = party_open(people[0], "{\"game\":\"hasami\",\"public\":true}");
    party_join(people[1], &party);
    party_join(people[2], &party);
    leave(people[1], &party);
    party_join(people[1], &party); /* who comes again is the youngest */
    leave(people[0], &party);
    struct answer answer = expect(200, party_get(people[2], &party, ""));
    cr_expect_str_eq(answer_text(&answer, "host_player_id"), people[2]->player);
    answer_free(&answer);
    answer = expect(200, party_change(people[2], &party, "{\"rotate_first\":false}"));
    answer_free(&answer);
    expect_problem(403, "not-the-host", party_change(people[0], &party, "{\"rated\":false}"));
    leave(people[2], &party);
    party_sit_cpu(people[1], &party, 'w', 2);
    leave(people[1], &party);
    answer = expect(200, party_get(people[3], &party, ""));
    cr_expect_str_eq(answer_text(&answer, "status"), "closed");
    cr_expect(json_is_null(answer_at(&answer, "host_player_id")));
    cr_expect_eq(json_array_size(answer_at(&answer, "members")), 0);
    cr_expect(json_is_null(answer_at(&answer, "seats.1.cpu_level")));
    answer_free(&answer);
    expect_problem(404, "wrong-code", join_by(people[3], party.code));
    expect_problem(404, "not-found", party_post(people[3], &party, "/join", NULL));
    for (size_t i = 0; i < 4; i++) {
        device_free(people[i]);
    }
    process_free(server);
}

Test(scenario_table_people, who_leaves_a_private_table_is_a_stranger_to_it)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct device *guest = device_new(server);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    party_join(guest, &party);
    party_sit(guest, &party, 'b');
    leave(guest, &party);
    expect_problem(404, "not-found", party_get(guest, &party, ""));
    expect_problem(404, "not-found", party_post(guest, &party, "/leave", NULL));
    party_expect_seats(host, &party, (struct device *[]){host, guest, NULL}, "b- w-");
    leave(host, &party);
    expect_problem(404, "not-found", party_get(host, &party, ""));
    device_free(host);
    device_free(guest);
    process_free(server);
}

/* The number of a device's newest event of its own. */
static int newest_of(struct device *device)
{
    struct answer answer =
        expect(200, client_get(device->client, "/v1/me/events?wait=0", device->token));
    int seq = (int)answer_integer(&answer, "last_seq");
    answer_free(&answer);
    return seq;
}

static void expect_left(const struct process *server, const struct device *device, int after,
                        const struct party *party)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/v1/me/events?after=%d", after);
    struct listener *listener =
        listener_open(server, &(struct listen_wish){.path = path, .token = device->token});
    json_t *frame = listener_event(listener);
    cr_expect_str_eq(frame_type(frame), "table");
    cr_expect_eq(frame_seq(frame), after + 1);
    cr_expect_str_eq(json_string_value(json_object_get(frame_data(frame), "table_id")), party->id);
    json_decref(frame);
    listener_close(listener);
}

Test(scenario_table_people, who_leaves_hears_of_it_on_the_other_devices_and_after_a_ban)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct device *guest = device_new(server);
    struct device *other = device_linked(server, guest);
    struct party party = party_open(host, "{\"game\":\"hasami\"}");
    char line[64];
    char output[256];
    party_join(guest, &party);
    int guest_seq = newest_of(guest);
    leave(guest, &party);
    expect_left(server, other, guest_seq, &party);
    int host_seq = newest_of(host);
    (void)snprintf(line, sizeof line, "ban %s", host->player);
    cr_assert_eq(process_run(server, line, output, sizeof output), 0, "%s", output);
    (void)snprintf(line, sizeof line, "unban %s", host->player);
    cr_assert_eq(process_run(server, line, output, sizeof output), 0, "%s", output);
    expect_left(server, host, host_seq, &party);
    device_free(host);
    device_free(guest);
    device_free(other);
    process_free(server);
}

Test(scenario_table_people, an_erased_or_banned_host_hands_over_too)
{
    struct process *server = process_new(NULL);
    struct device *people[3];
    for (size_t i = 0; i < 3; i++) {
        people[i] = device_new(server);
    }
    struct party party = party_open(people[0], "{\"game\":\"hasami\"}");
    struct party alone = party_open(people[0], "{\"game\":\"hasami\",\"public\":true}");
    party_join(people[1], &party);
    party_join(people[2], &party);
    party_sit(people[0], &party, 'b');
    struct call erase = {.method = "DELETE", .path = "/v1/me", .token = people[0]->token};
    struct answer answer = expect(204, client_send(people[0]->client, &erase));
    answer_free(&answer);
    answer = expect(200, party_get(people[1], &party, ""));
    cr_expect_str_eq(answer_text(&answer, "host_player_id"), people[1]->player);
    cr_expect(json_is_null(answer_at(&answer, "seats.0.player")));
    answer_free(&answer);
    answer = expect(200, party_get(people[1], &alone, ""));
    cr_expect_str_eq(answer_text(&answer, "status"), "closed");
    answer_free(&answer);
    char line[96];
    char output[512];
    (void)snprintf(line, sizeof line, "ban %s", people[1]->player);
    cr_assert_eq(process_run(server, line, output, sizeof output), 0, "%s", output);
    answer = expect(200, party_get(people[2], &party, ""));
    cr_expect_str_eq(answer_text(&answer, "host_player_id"), people[2]->player);
    cr_expect_eq(json_array_size(answer_at(&answer, "members")), 1);
    answer_free(&answer);
    for (size_t i = 0; i < 3; i++) {
        device_free(people[i]);
    }
    process_free(server);
}

/* --- lists, and tables that are forgotten --------------------------------------------------------
 */

static void expect_list(struct device *device, const char *query, const char *const *ids)
{
    char path[96];
    size_t count = 0;
    (void)snprintf(path, sizeof path, "/v1/tables%s", query);
    struct answer answer = expect(200, client_get(device->client, path, device->token));
    for (; ids[count] != NULL; count++) {
        char at[32];
        (void)snprintf(at, sizeof at, "items.%zu.id", count);
        cr_expect_str_eq(answer_text(&answer, at), ids[count], "%s", query);
    }
    cr_expect_eq(json_array_size(answer_at(&answer, "items")), count, "%s", query);
    answer_free(&answer);
}

Test(scenario_table_people, the_list_has_public_open_tables_and_with_mine_ones_own)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct device *guest = device_new(server);
    struct party hidden = party_open(host, "{\"game\":\"hasami\"}");
    struct party open = party_open(host, "{\"game\":\"hasami\",\"public\":true}");
    struct party playing = party_open(host, "{\"game\":\"hasami\",\"public\":true}");
    struct party closed = party_open(host, "{\"game\":\"hasami\",\"public\":true}");
    struct party newest = party_open(host, "{\"game\":\"yonin\",\"public\":true}");
    char game[32];
    party_join(guest, &hidden);
    party_join(guest, &playing);
    party_sit(host, &playing, 'b');
    party_sit(guest, &playing, 'w');
    party_start(host, &playing, game);
    leave(host, &closed);
    expect_list(guest, "", (const char *const[]){newest.id, open.id, NULL});
    expect_list(guest, "?mine=false", (const char *const[]){newest.id, open.id, NULL});
    expect_list(guest, "?mine=true", (const char *const[]){playing.id, hidden.id, NULL});
    struct answer answer =
        expect(200, client_get(guest->client, "/v1/tables?limit=1", guest->token));
    cr_expect(json_is_null(answer_at(&answer, "items.0.code")), "only members are told it");
    char next[128];
    (void)snprintf(next, sizeof next, "?limit=1&cursor=%s", answer_text(&answer, "next_cursor"));
    answer_free(&answer);
    expect_list(guest, next, (const char *const[]){open.id, NULL});
    char path[160];
    (void)snprintf(path, sizeof path, "/v1/tables%s&mine=true", next);
    expect_problem(400, "invalid-cursor", client_get(guest->client, path, guest->token));
    expect_problem(400, "invalid-parameter",
                   client_get(guest->client, "/v1/tables?mine=yes", guest->token));
    device_free(host);
    device_free(guest);
    process_free(server);
}

Test(scenario_table_people, a_table_that_nobody_touches_is_closed_after_a_week)
{
    struct process *server = process_new(NULL);
    struct device *host = device_new(server);
    struct device *other = device_new(server);
    char rows[64];
    struct party idle = party_open(host, "{\"game\":\"hasami\",\"public\":true}");
    struct party touched = party_open(host, "{\"game\":\"hasami\",\"public\":true}");
    process_control(server, "advance 604799000");
    struct answer answer = expect(200, party_change(host, &touched, "{\"rated\":false}"));
    answer_free(&answer); /* which changes nothing, and is no touch */
    answer = expect(200, party_change(host, &touched, "{\"rotate_first\":false}"));
    answer_free(&answer);
    (void)party_open(other, "{\"game\":\"hasami\"}");
    answer = expect(200, party_get(host, &idle, ""));
    cr_expect_str_eq(answer_text(&answer, "status"), "open", "one second is left");
    answer_free(&answer);
    process_control(server, "advance 1000");
    (void)party_open(other, "{\"game\":\"hasami\"}");
    answer = expect(200, party_get(host, &idle, ""));
    cr_expect_str_eq(answer_text(&answer, "status"), "closed");
    answer_free(&answer);
    answer = expect(200, party_get(host, &touched, ""));
    cr_expect_str_eq(answer_text(&answer, "status"), "open");
    answer_free(&answer);
    process_control(server, "advance 86400000");
    (void)party_open(other, "{\"game\":\"hasami\"}");
    process_sql(server,
                "SELECT group_concat(t) FROM (SELECT table_no || status AS t FROM game_table ORDER "
                "BY table_no)",
                rows, sizeof rows);
    cr_expect_str_eq(rows, "2open,3open,4open,5open");
    device_free(host);
    device_free(other);
    process_free(server);
}
