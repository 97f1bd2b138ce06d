#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What operators do, through the socket of a serving process and without one. */

static char output[4096];

struct table {
    struct process *server;
    struct device *a;
    struct device *b;
    char game[32]; /* finished: a resigned */
};

__attribute__((format(printf, 2, 3))) static int run(struct process *server, const char *format,
                                                     ...)
{
    char command[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    return process_run(server, command, output, sizeof output);
}

#define EXPECT(code, said, ...)                                                                    \
    do {                                                                                           \
        int got = run(__VA_ARGS__);                                                                \
        cr_expect_eq(got, code, "exit %d: %s", got, output);                                       \
        cr_expect_not_null(strstr(output, said), "expected \"%s\" in:\n%s", said, output);         \
    } while (0)

static void play(struct table *table)
{
    struct pairing pairing = device_pair(table->a, table->b);
    struct answer answer = expect(200, device_resign(table->a, pairing.game));
    answer_free(&answer);
    (void)snprintf(table->game, sizeof table->game, "%s", pairing.game);
}

static struct table table_new(void)
{
    struct table table = {.server = process_new(NULL)};
    table.a = device_new(table.server);
    table.b = device_new(table.server);
    play(&table);
    return table;
}

static void table_free(struct table *table)
{
    device_free(table->a);
    device_free(table->b);
    process_free(table->server);
}

static struct answer get(const struct table *table, const char *before, const char *id,
                         const char *after)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s%s%s", before, id, after);
    return client_get(table->a->client, path, NULL);
}

/* The first line of what a query answers. */
static const char *ask(const struct table *table, const char *sql)
{
    static char text[512];
    process_sql(table->server, sql, text, sizeof text);
    return text;
}

static bool socket_is_there(const struct table *table)
{
    char path[128];
    struct stat found;
    (void)snprintf(path, sizeof path, "%s.sock", table->server->db);
    return stat(path, &found) == 0 && S_ISSOCK(found.st_mode);
}

static long long provisional_total(const struct table *table)
{
    struct answer answer = expect(200, get(table, "/v1/rankings/", "hasami", "?provisional=true"));
    long long total = answer_integer(&answer, "total");
    answer_free(&answer);
    return total;
}

/* --- void-game -----------------------------------------------------------------------------------
 */

static void expect_rating(const struct table *table, const struct device *device, double rating,
                          long long games)
{
    struct answer answer = expect(
        200, get(table, "/v1/rankings/hasami/players/", device->player, "?provisional=true"));
    cr_expect_float_eq(json_number_value(answer_at(&answer, "rating")), rating, 1e-9);
    cr_expect_eq(answer_integer(&answer, "games"), games);
    cr_expect_eq(answer_integer(&answer, "wins") + answer_integer(&answer, "draws") +
                     answer_integer(&answer, "losses"),
                 games);
    answer_free(&answer);
}

static void expect_void(const struct table *table)
{
    struct answer answer = expect(200, get(table, "/v1/games/", table->game, ""));
    cr_expect_str_eq(answer_text(&answer, "status"), "finished");
    cr_expect_str_eq(answer_text(&answer, "unrated_reason"), "void");
    cr_expect_str_eq(answer_text(&answer, "result.rating_status"), "void");
    cr_expect_eq(answer_integer(&answer, "seq"), 2, "the end and the void");
    cr_expect_float_eq(json_number_value(answer_at(&answer, "result.ratings.0.delta")), -20, 1e-9);
    answer_free(&answer);
}

Test(scenario_operators, a_voided_game_gives_the_ratings_back_and_shows_it)
{
    char id[32];
    struct table table = table_new();
    expect_rating(&table, table.a, 1480, 1);
    (void)snprintf(id, sizeof id, "%s", table.game);
    EXPECT(0, " is void: p_", table.server, "void-game %s --reason 'two of one person'", id);
    cr_expect_not_null(strstr(output, " 1480.000 -> 1500.000, p_"), "%s", output);
    cr_expect_not_null(strstr(output, " 1520.000 -> 1500.000\n"), "%s", output);
    expect_rating(&table, table.a, 1500, 0);
    expect_rating(&table, table.b, 1500, 0);
    expect_void(&table);
    cr_expect_str_eq(ask(&table, "SELECT rating_status FROM game"), "applied",
                     "the row of an ended game never changes");
    cr_expect_str_eq(ask(&table, "SELECT what, note, game_id = (SELECT game_id FROM game),"
                                 " player_id IS NULL FROM operator_log"),
                     "void-game|two of one person|1|1");
    process_verify(table.server);
    table_free(&table);
}

Test(scenario_operators, what_cannot_be_voided_says_why)
{
    struct table table = table_new();
    struct pairing running = device_pair(table.a, table.b);
    EXPECT(65, "g_00000000000000000000000000: there is no such game\n", table.server,
           "void-game g_00000000000000000000000000");
    EXPECT(64, "banzuke void-game: p_1 is not the id of a game", table.server, "void-game p_1");
    EXPECT(65, ": the game is not finished\n", table.server, "void-game %s", running.game);
    EXPECT(0, " is void:", table.server, "void-game %s", table.game);
    EXPECT(65, ": the game is void already\n", table.server, "void-game %s", table.game);
    EXPECT(64, "expected one id", table.server, "void-game");
    EXPECT(64, "a reason is one line of at most 200 characters", table.server,
           "void-game %s --reason \"$(printf 'a\\nb')\"", table.game);
    EXPECT(64, "a reason is one line", table.server, "void-game %s --reason $(printf '%%0201d' 0)",
           table.game);
    EXPECT(0, "usage: banzuke void-game GAME", table.server, "void-game --help");
    cr_expect_str_eq(ask(&table, "SELECT count(*) FROM operator_event"), "1");
    table_free(&table);
}

/* Over the repeat limit nothing is applied that could be taken back. */
Test(scenario_operators, an_unrated_game_cannot_be_voided)
{
    struct table table = table_new();
    for (int i = 0; i < 5; i++) {
        play(&table);
    }
    EXPECT(65, ": the game was not rated, so that there is nothing to take back\n", table.server,
           "void-game %s", table.game);
    table_free(&table);
}

Test(scenario_operators, the_last_move_is_answered_as_before_when_its_game_is_void)
{
    static const char *const capture[] = {"1i1b", "9a9b", "9i9h", "8a9a", "8i9i",
                                          "9a8a", "1b1h", "8a8i", "2i1i", NULL};
    struct table table = table_new();
    struct pairing pairing = device_pair(table.a, table.b);
    device_play(&pairing, 1, capture);
    struct answer first = expect(201, device_move(pairing.seats[1], pairing.game, 10, "2a2i"));
    cr_assert_str_eq(answer_text(&first, "game.result.rating_status"), "applied");
    EXPECT(0, " is void:", table.server, "void-game %s", pairing.game);
    struct answer again = expect(200, device_move(pairing.seats[1], pairing.game, 10, "2a2i"));
    cr_expect_str_eq(again.text, first.text);
    answer_free(&again);
    answer_free(&first);
    table_free(&table);
}

/* A void right after its result, one with a game in between, and one of a chain with a draw. */
Test(scenario_operators, verify_understands_voids_in_any_order)
{
    char games[3][32];
    struct table table = table_new();
    for (int i = 0; i < 3; i++) {
        (void)snprintf(games[i], sizeof games[i], "%s", table.game);
        play(&table);
    }
    EXPECT(0, " is void:", table.server, "void-game %s", table.game);
    EXPECT(0, " is void:", table.server, "void-game %s", games[0]);
    process_verify(table.server);
    play(&table);
    EXPECT(0, " is void:", table.server, "void-game %s", games[2]);
    process_verify(table.server);
    EXPECT(0, "1 games", table.server, "verify --game %s", games[0]);
    cr_expect_str_eq(ask(&table, "SELECT count(*), count(*) FILTER (WHERE kind = 'voided')"
                                 " FROM chain_link"),
                     "8|3");
    table_free(&table);
}

/* --- ban, unban, rename --------------------------------------------------------------------------
 */

static void expect_banned(const struct device *device)
{
    struct call me = {.method = "GET", .path = "/v1/me", .token = device->token};
    expect_problem(401, "invalid-token", client_send(device->client, &me));
    struct call ticket = {.method = "POST",
                          .path = "/v1/tickets",
                          .token = device->token,
                          .body = "{\"pool\":\"hasami\"}"};
    expect_problem(401, "invalid-token", client_send(device->client, &ticket));
}

/* The seat that a ban took: neither moves nor resignations come from there, nor does anybody come
 * back to it. */
static void expect_given_up(const struct table *table, const struct pairing *running)
{
    static const char *const deeds[] = {"return", "resign", "moves"};
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0]; i++) {
        char path[96];
        (void)snprintf(path, sizeof path, "/v1/games/%s/%s", running->game, deeds[i]);
        const char *body = i < 2 ? NULL : "{\"ply\":1,\"move\":\"5i5h\"}";
        struct answer answer =
            expect(403, client_post(table->a->client, path, table->a->token, body));
        cr_expect_str_eq(answer_text(&answer, "code"), "not-your-seat");
        cr_expect_not_null(strstr(answer_text(&answer, "detail"), "for good"), "%s", deeds[i]);
        answer_free(&answer);
    }
}

Test(scenario_operators, a_banned_player_is_shut_out_and_let_in_again)
{
    char ticket[32];
    struct table table = table_new();
    struct pairing running = device_pair(table.a, table.b);
    device_queue(table.a, ticket);
    cr_assert_eq(provisional_total(&table), 2);
    EXPECT(0, " is banned, and out of the queue; running games, which go on: 1\n", table.server,
           "ban %s --reason 'sells ratings'", table.a->player);
    expect_banned(table.a);
    cr_expect_eq(provisional_total(&table), 1, "out of the rankings");
    cr_expect_str_eq(ask(&table, "SELECT status FROM ticket ORDER BY ticket_no DESC LIMIT 1"),
                     "cancelled");
    struct answer answer = expect(200, get(&table, "/v1/games/", running.game, ""));
    cr_expect_str_eq(answer_text(&answer, "status"), "playing");
    cr_expect(json_is_string(answer_at(&answer, "seats.0.player.name")), "the name stays");
    answer_free(&answer);
    process_verify(table.server);
    EXPECT(65, ": the player is banned already\n", table.server, "ban %s", table.a->player);
    EXPECT(0, " is no longer banned\n", table.server, "unban %s", table.a->player);
    EXPECT(65, ": the player is not banned\n", table.server, "unban %s", table.a->player);
    answer = expect(200, client_get(table.a->client, "/v1/me", table.a->token));
    answer_free(&answer);
    cr_expect_eq(provisional_total(&table), 2);
    expect_given_up(&table, &running);
    cr_expect_str_eq(ask(&table, "SELECT group_concat(what, ' ') FROM operator_log"), "ban unban");
    process_verify(table.server);
    table_free(&table);
}

Test(scenario_operators, a_result_that_comes_after_a_ban_stays_out_of_the_rankings)
{
    struct table table = {.server = process_new(NULL)};
    table.a = device_new(table.server);
    table.b = device_new(table.server);
    struct pairing running = device_pair(table.a, table.b);
    EXPECT(0, " is banned; running games, which go on: 1\n", table.server, "ban %s",
           table.a->player);
    struct answer answer = expect(200, device_resign(table.b, running.game));
    answer_free(&answer);
    cr_expect_eq(provisional_total(&table), 1);
    cr_expect_str_eq(ask(&table, "SELECT list, games FROM player_rating ORDER BY player_no"),
                     "hidden|1");
    EXPECT(0, " is void:", table.server, "void-game %s", running.game);
    cr_expect_str_eq(ask(&table, "SELECT list, games FROM player_rating ORDER BY player_no"),
                     "hidden|0");
    process_verify(table.server);
    EXPECT(0, "", table.server, "unban %s", table.a->player);
    cr_expect_eq(provisional_total(&table), 0, "nobody has a rated game");
    play(&table);
    cr_expect_eq(provisional_total(&table), 2);
    table_free(&table);
}

Test(scenario_operators, who_has_no_rated_game_left_is_in_no_list)
{
    sqlite3 *db = NULL;
    struct table table = table_new();
    cr_assert_eq(provisional_total(&table), 2);
    EXPECT(0, " is void:", table.server, "void-game %s", table.game);
    cr_expect_eq(provisional_total(&table), 0);
    struct answer answer = expect(
        200, get(&table, "/v1/rankings/hasami/players/", table.a->player, "?provisional=true"));
    cr_expect(json_is_null(answer_at(&answer, "rank")));
    answer_free(&answer);
    process_verify(table.server);
    /* As earlier builds left it. */
    cr_assert_eq(sqlite3_open(table.server->db, &db), SQLITE_OK);
    cr_assert_eq(
        sqlite3_exec(db, "UPDATE player_rating SET list = 'provisional'", NULL, NULL, NULL),
        SQLITE_OK);
    process_verify(table.server);
    cr_assert_eq(sqlite3_exec(db, "UPDATE player_rating SET list = 'ranked'", NULL, NULL, NULL),
                 SQLITE_OK);
    EXPECT(65, "list (0 ranked, 1 provisional, 2 hidden)", table.server, "verify");
    cr_assert_eq(sqlite3_exec(db, "UPDATE player_rating SET list = 'hidden'", NULL, NULL, NULL),
                 SQLITE_OK);
    cr_assert_eq(sqlite3_close(db), SQLITE_OK);
    table_free(&table);
}

Test(scenario_operators, a_draw_with_somebody_who_was_banned_meanwhile_has_no_replay)
{
    static const char *const repetition[] = {"5i5h", "5a5b", "5h5i", "5b5a", "5i5h", "5a5b",
                                             "5h5i", "5b5a", "5i5h", "5a5b", "5h5i", NULL};
    struct table table = table_new();
    struct pairing pairing = device_pair(table.a, table.b);
    device_play(&pairing, 1, repetition);
    EXPECT(0, " is banned", table.server, "ban %s", pairing.seats[0]->player);
    struct answer answer = expect(201, device_move(pairing.seats[1], pairing.game, 12, "5b5a"));
    cr_expect_str_eq(answer_text(&answer, "game.result.reason"), "repetition");
    answer_free(&answer);
    answer = expect(200, get(&table, "/v1/games/", pairing.game, ""));
    cr_expect(json_is_null(answer_at(&answer, "replayed_by")));
    answer_free(&answer);
    process_verify(table.server);
    process_control(table.server, "advance 3600000");
    EXPECT(0, "", table.server, "unban %s", pairing.seats[0]->player);
    process_verify(table.server);
    table_free(&table);
}

Test(scenario_operators, a_link_code_of_a_banned_player_is_gone)
{
    char body[64];
    struct table table = table_new();
    struct answer code =
        expect(201, client_post(table.a->client, "/v1/me/link-codes", table.a->token, NULL));
    (void)snprintf(body, sizeof body, "{\"code\":\"%s\"}", answer_text(&code, "code"));
    EXPECT(0, " is banned", table.server, "ban %s", table.a->player);
    expect_problem(410, "link-code-gone",
                   client_post(table.b->client, "/v1/link-codes/redeem", NULL, body));
    answer_free(&code);
    table_free(&table);
}

Test(scenario_operators, a_renamed_player_has_a_fresh_name_at_once_and_no_old_one_is_kept)
{
    char before[128];
    struct table table = table_new();
    struct pairing running = device_pair(table.a, table.b);
    struct answer answer = expect(200, client_get(table.a->client, "/v1/me", table.a->token));
    (void)snprintf(before, sizeof before, "%s", answer_text(&answer, "player.name"));
    answer_free(&answer);
    EXPECT(0, " is now called ", table.server, "rename %s --reason rude", table.a->player);
    char *after = strstr(output, "called ") + strlen("called ");
    after[strcspn(after, "\n")] = '\0';
    cr_expect_str_neq(after, before);
    answer = expect(200, get(&table, "/v1/games/", running.game, ""));
    bool first = strcmp(answer_text(&answer, "seats.0.player.id"), table.a->player) == 0;
    cr_expect_str_eq(answer_text(&answer, first ? "seats.0.player.name" : "seats.1.player.name"),
                     after);
    answer_free(&answer);
    cr_expect_str_eq(ask(&table, "SELECT what, note FROM operator_log"), "rename|rude");
    table_free(&table);
}

Test(scenario_operators, nobody_can_be_banned_who_is_not_there)
{
    struct table table = table_new();
    struct device *gone = device_new(table.server);
    struct call erase = {.method = "DELETE", .path = "/v1/me", .token = gone->token};
    struct answer answer = expect(204, client_send(gone->client, &erase));
    answer_free(&answer);
    EXPECT(65, ": the player was erased\n", table.server, "ban %s", gone->player);
    EXPECT(65, ": the player was erased\n", table.server, "rename %s", gone->player);
    EXPECT(65, ": there is no such player\n", table.server, "ban p_00000000000000000000000000");
    EXPECT(64, "is not the id of a player", table.server, "unban %s", table.game);
    EXPECT(0, "usage: banzuke unban PLAYER", table.server, "unban --help");
    device_free(gone);
    table_free(&table);
}

/* --- the socket, and without it -----------------------------------------------------------------
 */

Test(scenario_operators, the_socket_is_private_and_goes_with_the_server)
{
    char path[128];
    struct stat found;
    struct table table = table_new();
    (void)snprintf(path, sizeof path, "%s.sock", table.server->db);
    cr_assert_eq(stat(path, &found), 0);
    cr_expect(S_ISSOCK(found.st_mode));
    cr_expect_eq(found.st_mode & 07777, 0600);
    cr_assert_eq(process_stop(table.server), 0);
    cr_expect_neq(stat(path, &found), 0);
    table_free(&table);
}

Test(scenario_operators, the_socket_of_a_killed_server_is_in_nobodys_way)
{
    struct table table = table_new();
    process_kill(table.server);
    cr_assert(socket_is_there(&table));
    EXPECT(0, " is banned", table.server, "ban %s", table.a->player);
    process_start(table.server, NULL, NULL);
    device_reconnect(table.a, table.server);
    expect_banned(table.a);
    EXPECT(0, " is no longer banned", table.server, "unban %s", table.a->player);
    table_free(&table);
}

Test(scenario_operators, without_a_server_the_same_is_done_on_the_file)
{
    struct table table = table_new();
    cr_assert_eq(process_stop(table.server), 0);
    EXPECT(0, " is void:", table.server, "void-game %s", table.game);
    EXPECT(65, ": the game is void already\n", table.server, "void-game %s", table.game);
    EXPECT(0, " is banned; running games, which go on: 0\n", table.server, "ban %s",
           table.a->player);
    EXPECT(0, " is now called ", table.server, "rename %s", table.b->player);
    process_verify(table.server);
    EXPECT(78, "there is no key file", table.server, "ban %s --key-file other.key",
           table.b->player);
    EXPECT(73, "No such file", table.server, "ban %s --db other.db", table.b->player);
    process_start(table.server, NULL, NULL);
    device_reconnect(table.a, table.server);
    expect_void(&table);
    expect_banned(table.a);
    table_free(&table);
}

/* A second player waits for the first one's game. */
static void add_ticket(const struct table *table, const struct device *device)
{
    char sql[512];
    sqlite3 *db = NULL;
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO ticket (ticket_id, player_no, pool, turn_seconds, rating_milli,"
                   " status, created_at_ms) SELECT 'q_00000000000000000000000000',"
                   " (SELECT player_no FROM player WHERE player_id = '%s'), pool, turn_seconds,"
                   " rating_milli, status, created_at_ms FROM ticket WHERE status = 'waiting'",
                   device->player);
    cr_assert_eq(sqlite3_open(table->server->db, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_changes(db), 1);
    cr_assert_eq(sqlite3_close(db), SQLITE_OK);
}

Test(scenario_operators, without_a_server_nobody_meets_and_no_time_is_taken_or_given)
{
    static const char clocks[] = "SELECT last_stamp_ms, (SELECT group_concat(seq || ' ' ||"
                                 " coalesce(deadline_at_ms, 0)) FROM game) FROM server";
    static const char waiting[] = "SELECT count(*) FROM ticket WHERE status = 'waiting'";
    char ticket[32];
    char before[512];
    struct table table = table_new();
    struct device *third = device_new(table.server);
    struct device *fourth = device_new(table.server);
    (void)device_pair(table.a, table.b);
    device_queue(third, ticket);
    process_kill(table.server);
    add_ticket(&table, fourth);
    (void)snprintf(before, sizeof before, "%s", ask(&table, clocks));
    EXPECT(0, " is now called ", table.server, "rename %s", table.a->player);
    cr_expect_str_eq(ask(&table, clocks), before);
    cr_expect_str_eq(ask(&table, waiting), "2");
    EXPECT(0, " is banned, and out of the queue; ", table.server, "ban %s", third->player);
    cr_expect_str_eq(ask(&table, clocks), before);
    cr_expect_str_eq(ask(&table, waiting), "1");
    process_start(table.server, NULL, NULL);
    process_verify(table.server);
    device_free(third);
    device_free(fourth);
    table_free(&table);
}

/* Whatever the machine's clock says by then. */
Test(scenario_operators, time_goes_on_from_what_was_done_without_a_server)
{
    sqlite3 *db = NULL;
    struct table table = table_new();
    process_kill(table.server);
    cr_assert_eq(sqlite3_open(table.server->db, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db,
                              "INSERT INTO operator_event (at_ms, what, player_no)"
                              " SELECT last_stamp_ms + 3600000, 'rename', player_no"
                              " FROM server, player LIMIT 1",
                              NULL, NULL, NULL),
                 SQLITE_OK);
    cr_assert_eq(sqlite3_close(db), SQLITE_OK);
    process_start(table.server, NULL, NULL);
    struct device *newcomer = device_new(table.server);
    cr_expect_str_eq(ask(&table, "SELECT max(p.created_at_ms) >= max(e.at_ms)"
                                 " FROM player AS p, operator_event AS e"),
                     "1");
    device_free(newcomer);
    table_free(&table);
}

Test(scenario_operators, a_symbolic_link_leads_to_the_same_server)
{
    char path[128];
    struct table table = table_new();
    (void)snprintf(path, sizeof path, "%s/link.db", table.server->folder);
    cr_assert_eq(symlink(table.server->db, path), 0);
    EXPECT(0, " is banned", table.server, "ban %s --db link.db", table.a->player);
    expect_banned(table.a);
    table_free(&table);
}
