#include "tests/support/device.h"

#include "db/driver.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A player of this name; its id. */
static void register_as(struct client *client, const char *name, char id[32])
{
    char body[128];
    (void)snprintf(body, sizeof body, "{\"name\":\"%s\"}", name);
    struct answer answer = expect(201, client_post(client, "/v1/devices", NULL, body));
    (void)snprintf(id, 32, "%s", answer_text(&answer, "player.id"));
    answer_free(&answer);
}

/* --- profiles ------------------------------------------------------------------------------------
 */

Test(scenario_players, a_profile_shows_what_everybody_may_know)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    char path[64];
    struct pairing pairing = device_pair(a, b);
    struct answer answer = expect(200, device_resign(a, pairing.game));
    answer_free(&answer);
    (void)snprintf(path, sizeof path, "/v1/players/%s", b->player);
    answer = expect(200, client_get(a->client, path, NULL));
    cr_expect_str_eq(answer_text(&answer, "player.id"), b->player);
    cr_expect_eq(answer_integer(&answer, "ratings.hasami.wins"), 1);
    cr_expect_eq(answer_integer(&answer, "ratings.hasami.rating"), 1520);
    char caching[64] = "";
    cr_expect(answer_header(&answer, "Cache-Control", caching, sizeof caching));
    cr_expect_str_eq(caching, "no-cache");

    struct answer own = expect(200, client_get(b->client, "/v1/me", b->token));
    cr_expect(json_equal(answer_at(&answer, "player"), answer_at(&own, "player")));
    cr_expect(json_equal(answer_at(&answer, "ratings"), answer_at(&own, "ratings")));
    answer_free(&own);
    answer_free(&answer);
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_players, one_who_never_was_or_is_erased_has_no_profile)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    char id[32];
    char path[64];
    struct db *db = NULL;
    register_as(client, "Haru", id);
    (void)snprintf(path, sizeof path, "/v1/players/%s", id);
    struct answer answer = expect(200, client_get(client, path, NULL));
    answer_free(&answer);
    cr_assert_eq(process_stop(server), 0);
    cr_assert_eq(db_connect(server->db, DB_MODE_WRITER, &db), DB_OK);
    cr_assert_eq(db_script(db, "UPDATE player SET name = NULL", NULL), DB_OK);
    db_close(db);
    process_start(server, NULL, NULL);
    client_free(client);
    client = client_new(server->origin);
    expect_problem(404, "not-found", client_get(client, path, NULL));
    (void)snprintf(path, sizeof path, "/v1/players/%s/games", id);
    expect_problem(404, "not-found", client_get(client, path, NULL));
    expect_problem(404, "not-found",
                   client_get(client, "/v1/players/p_00000000000000000000000000", NULL));
    expect_problem(404, "not-found", client_get(client, "/v1/players/haru", NULL));
    expect_problem(400, "invalid-parameter",
                   client_get(client, "/v1/players/haru?include=games", NULL));
    answer = expect(200, client_get(client, "/v1/players?name=h", NULL));
    cr_expect_eq(json_array_size(answer_at(&answer, "items")), 0);
    answer_free(&answer);
    client_free(client);
    process_free(server);
}

/* --- by name -------------------------------------------------------------------------------------
 */

/* The names that a search finds on one page, each followed by a comma. */
static void expect_found(struct client *client, const char *query, const char *names)
{
    char path[256];
    char found[512] = "";
    (void)snprintf(path, sizeof path, "/v1/players?%s", query);
    struct answer answer = expect(200, client_get(client, path, NULL));
    for (size_t i = 0; i < json_array_size(answer_at(&answer, "items")); i++) {
        char at[32];
        (void)snprintf(at, sizeof at, "items.%zu.name", i);
        strncat(found, answer_text(&answer, at), sizeof found - strlen(found) - 1);
        strncat(found, ",", sizeof found - strlen(found) - 1);
    }
    cr_expect_str_eq(found, names, "%s", query);
    answer_free(&answer);
}

Test(scenario_players, are_found_by_the_beginning_of_their_name_in_any_case)
{
    static const char *const names[] = {"Hana", "haru", "Haruka", "Émile", "Straßenkind", "春"};
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    char id[32];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        register_as(client, names[i], id);
    }
    expect_found(client, "name=HA", "Hana,haru,Haruka,");
    expect_found(client, "name=HARU", "haru,Haruka,");
    expect_found(client, "name=harukas", "");
    expect_found(client, "name=%C3%A9", "Émile,");
    expect_found(client, "name=E%CC%81MIL", "Émile,");
    expect_found(client, "name=STRASS", "Straßenkind,");
    expect_found(client, "name=%E6%98%A5", "春,");
    expect_found(client, "name=%25", "");
    expect_found(client, "name=_", "");
    expect_found(client, "name='%20OR%201=1--", "");
    client_free(client);
    process_free(server);
}

Test(scenario_players, are_walked_in_order_of_name_and_id)
{
    enum { PLAYERS = 9 };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    char ids[PLAYERS][32];
    char path[1024] = "/v1/players?name=t&limit=2";
    char last[64] = "";
    size_t seen = 0;
    /* Three of each name, whose ids are drawn. */
    for (size_t i = 0; i < PLAYERS; i++) {
        static const char *const names[] = {"Tora", "TORA", "Taki"};
        register_as(client, names[i % 3], ids[i]);
    }
    while (path[0] != '\0') {
        struct answer page = expect(200, client_get(client, path, NULL));
        for (size_t i = 0; i < json_array_size(answer_at(&page, "items")); i++, seen++) {
            char at[32];
            char here[64];
            (void)snprintf(at, sizeof at, "items.%zu.name", i);
            bool taki = strcmp(answer_text(&page, at), "Taki") == 0;
            (void)snprintf(at, sizeof at, "items.%zu.id", i);
            (void)snprintf(here, sizeof here, "%s %s", taki ? "taki" : "tora",
                           answer_text(&page, at));
            cr_expect_lt(strcmp(last, here), 0, "%s before %s", last, here);
            memcpy(last, here, sizeof last);
        }
        path[0] = '\0';
        if (!json_is_null(answer_at(&page, "next_cursor"))) {
            (void)snprintf(path, sizeof path, "/v1/players?name=T&limit=2&cursor=%s",
                           answer_text(&page, "next_cursor"));
        }
        answer_free(&page);
    }
    cr_expect_eq(seen, PLAYERS);
    client_free(client);
    process_free(server);
}

Test(scenario_players, a_search_needs_a_beginning_and_a_cursor_of_its_own)
{
    static const char *const bad[] = {
        "/v1/players",
        "/v1/players?name=",
        "/v1/players?name=abcdefghijklmnopqrstuvwxy",
        "/v1/players?name=%FF",
        "/v1/players?name=a&limit=0",
        "/v1/players?name=a&limit=101",
        "/v1/players?name=a&order=desc",
        "/v1/players?name=a&name=b",
    };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    char id[32];
    char path[1024];
    char cursor[640];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        expect_problem(400, "invalid-parameter", client_get(client, bad[i], NULL));
    }
    expect_found(client, "name=abcdefghijklmnopqrstuvwx&limit=100", "");
    register_as(client, "Haru", id);
    register_as(client, "Hasu", id);
    struct answer page = expect(200, client_get(client, "/v1/players?name=ha&limit=1", NULL));
    (void)snprintf(cursor, sizeof cursor, "%s", answer_text(&page, "next_cursor"));
    answer_free(&page);
    (void)snprintf(path, sizeof path, "name=ha&limit=1&cursor=%s", cursor);
    expect_found(client, path, "Hasu,");
    (void)snprintf(path, sizeof path, "/v1/players?name=h&limit=1&cursor=%s", cursor);
    expect_problem(400, "invalid-cursor", client_get(client, path, NULL));
    (void)snprintf(path, sizeof path, "/v1/games?cursor=%s", cursor);
    expect_problem(400, "invalid-cursor", client_get(client, path, NULL));
    cursor[strlen(cursor) - 1] = '\0';
    (void)snprintf(path, sizeof path, "/v1/players?name=ha&cursor=%s", cursor);
    expect_problem(400, "invalid-cursor", client_get(client, path, NULL));
    client_free(client);
    process_free(server);
}

/* As a file of an older build is, and as one is where somebody changed a name by hand. */
Test(scenario_players, whose_names_were_not_folded_are_found_soon)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    char id[32];
    char count[32] = "";
    struct db *db = NULL;
    for (int i = 0; i < 5; i++) {
        register_as(client, "Haru", id);
    }
    cr_assert_eq(process_stop(server), 0);
    cr_assert_eq(db_connect(server->db, DB_MODE_WRITER, &db), DB_OK);
    cr_assert_eq(db_script(db,
                           "UPDATE player SET name_folded = NULL;"
                           "UPDATE player SET name = 'Éva' WHERE player_no = 1",
                           NULL),
                 DB_OK);
    db_close(db);
    process_start(server, NULL, NULL);
    client_free(client);
    client = client_new(server->origin);
    long long deadline = test_now_ms() + 5000;
    while (strcmp(count, "5") != 0 && test_now_ms() < deadline) {
        (void)usleep(20000);
        process_sql(server, "SELECT count(name_folded) FROM player", count, sizeof count);
    }
    expect_found(client, "name=haru", "Haru,Haru,Haru,Haru,");
    expect_found(client, "name=%C3%89VA", "Éva,");
    client_free(client);
    process_free(server);
}

/* Changed by hand to what no client may have: it is folded to itself. */
Test(scenario_players, whose_names_are_none_are_walked_like_others)
{
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    char id[32];
    char path[1024];
    struct db *db = NULL;
    register_as(client, "Haru", id);
    register_as(client, "Hasu", id);
    cr_assert_eq(process_stop(server), 0);
    cr_assert_eq(db_connect(server->db, DB_MODE_WRITER, &db), DB_OK);
    cr_assert_eq(db_script(db,
                           "UPDATE player SET name = 'no  name!';"
                           "UPDATE player SET name_folded = name",
                           NULL),
                 DB_OK);
    db_close(db);
    process_start(server, NULL, NULL);
    client_free(client);
    client = client_new(server->origin);
    struct answer page = expect(200, client_get(client, "/v1/players?name=no&limit=1", NULL));
    (void)snprintf(path, sizeof path, "name=no&limit=1&cursor=%s",
                   answer_text(&page, "next_cursor"));
    answer_free(&page);
    expect_found(client, path, "no  name!,");
    client_free(client);
    process_free(server);
}

/* --- games ---------------------------------------------------------------------------------------
 */

static size_t count_of(struct client *client, const char *path)
{
    struct answer answer = expect(200, client_get(client, path, NULL));
    size_t count = json_array_size(answer_at(&answer, "items"));
    answer_free(&answer);
    return count;
}

Test(scenario_players, have_their_games_listed_as_the_list_of_all_games_would)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct device *c = device_new(server);
    char path[256];
    char cursor[64];
    struct pairing first = device_pair(a, b);
    struct answer answer = expect(200, device_resign(a, first.game));
    answer_free(&answer);
    struct pairing second = device_pair(a, c);
    struct pairing third = device_pair(b, a);
    (void)device_pair(b, c);

    (void)snprintf(path, sizeof path, "/v1/players/%s/games?limit=2", a->player);
    answer = expect(200, client_get(a->client, path, NULL));
    cr_expect_str_eq(answer_text(&answer, "items.0.id"), third.game);
    cr_expect_str_eq(answer_text(&answer, "items.1.id"), second.game);
    (void)snprintf(cursor, sizeof cursor, "%s", answer_text(&answer, "next_cursor"));
    answer_free(&answer);
    (void)snprintf(path, sizeof path, "/v1/players/%s/games?limit=2&cursor=%s", a->player, cursor);
    answer = expect(200, client_get(a->client, path, NULL));
    cr_expect_str_eq(answer_text(&answer, "items.0.id"), first.game);
    cr_expect(json_is_null(answer_at(&answer, "next_cursor")));
    answer_free(&answer);
    (void)snprintf(path, sizeof path, "/v1/players/%s/games?opponent=%s&status=playing", a->player,
                   b->player);
    cr_expect_eq(count_of(a->client, path), 1);
    (void)snprintf(path, sizeof path,
                   "/v1/players/%s/games?status=finished&pool=hasami&game=hasami", b->player);
    cr_expect_eq(count_of(a->client, path), 1);
    (void)snprintf(path, sizeof path, "/v1/players/%s/games?status=aborted", b->player);
    cr_expect_eq(count_of(a->client, path), 0);
    (void)snprintf(path, sizeof path, "/v1/players/%s/games?opponent=p_00000000000000000000000000",
                   a->player);
    cr_expect_eq(count_of(a->client, path), 0);

    (void)snprintf(path, sizeof path, "/v1/players/%s/games?limit=2&cursor=%s", b->player, cursor);
    expect_problem(400, "invalid-cursor", client_get(a->client, path, NULL));
    (void)snprintf(path, sizeof path, "/v1/games?player=%s&cursor=%s", a->player, cursor);
    expect_problem(400, "invalid-cursor", client_get(a->client, path, NULL));
    (void)snprintf(path, sizeof path, "/v1/players/%s/games?player=%s", a->player, a->player);
    expect_problem(400, "invalid-parameter", client_get(a->client, path, NULL));
    (void)snprintf(path, sizeof path, "/v1/players/%s/games?opponent=me", a->player);
    expect_problem(400, "invalid-parameter", client_get(a->client, path, NULL));
    expect_problem(404, "not-found",
                   client_get(a->client, "/v1/players/p_00000000000000000000000000/games", NULL));
    expect_problem(404, "not-found", client_get(a->client, "/v1/players/me/games", NULL));
    expect_problem(400, "invalid-parameter",
                   client_get(a->client, "/v1/players/me/games?limit=0", NULL));
    device_free(a);
    device_free(b);
    device_free(c);
    process_free(server);
}
