#include "tests/support/device.h"
#include "tests/support/games.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct answer results(struct client *client, const char *query)
{
    char path[128];
    (void)snprintf(path, sizeof path, "/v1/results%s", query);
    return client_get(client, path, NULL);
}

static void resign(struct device *device, const char *game)
{
    struct answer answer = expect(200, device_resign(device, game));
    answer_free(&answer);
}

/* --- the feed ------------------------------------------------------------------------------------
 */

Test(scenario_results, come_in_the_order_in_which_the_games_ended)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct answer page = expect(200, results(a->client, ""));
    cr_expect_eq(json_array_size(answer_at(&page, "items")), 0);
    cr_expect_eq(answer_integer(&page, "last_seq"), 0);
    char caching[64] = "";
    cr_expect(answer_header(&page, "Cache-Control", caching, sizeof caching));
    cr_expect_str_eq(caching, "no-cache");
    answer_free(&page);

    struct pairing games[3];
    for (size_t i = 0; i < 3; i++) {
        games[i] = device_pair(a, b);
    }
    resign(a, games[1].game);
    resign(b, games[0].game);
    page = expect(200, results(a->client, "?after=0&pool=hasami"));
    cr_assert_eq(json_array_size(answer_at(&page, "items")), 2, "a running game is no result");
    cr_expect_str_eq(answer_text(&page, "items.0.game.id"), games[1].game);
    cr_expect_str_eq(answer_text(&page, "items.1.game.id"), games[0].game);
    cr_expect_str_eq(answer_text(&page, "items.0.type"), "finished");
    cr_expect_str_eq(answer_text(&page, "items.0.at"),
                     answer_text(&page, "items.0.game.finished_at"));
    cr_expect_lt(answer_integer(&page, "items.0.seq"), answer_integer(&page, "items.1.seq"));
    long long last = answer_integer(&page, "last_seq");
    cr_expect_eq(last, answer_integer(&page, "items.1.seq"));
    answer_free(&page);

    page = expect(200, results(a->client, "?limit=1"));
    cr_assert_eq(json_array_size(answer_at(&page, "items")), 1);
    cr_expect_eq(answer_integer(&page, "last_seq"), answer_integer(&page, "items.0.seq"));
    cr_expect_lt(answer_integer(&page, "last_seq"), last);
    answer_free(&page);
    char query[64];
    (void)snprintf(query, sizeof query, "?after=%lld", last);
    page = expect(200, results(a->client, query));
    cr_expect_eq(json_array_size(answer_at(&page, "items")), 0);
    cr_expect_eq(answer_integer(&page, "last_seq"), last);
    answer_free(&page);
    device_free(a);
    device_free(b);
    process_free(server);
}

static void drop_live(json_t *game)
{
    size_t index = 0;
    json_t *seat = NULL;
    cr_assert_eq(json_object_del(game, "server_now"), 0);
    cr_assert_eq(json_object_del(json_object_get(game, "clock"), "remaining_ms"), 0);
    json_array_foreach(json_object_get(game, "seats"), index, seat)
    {
        cr_assert_eq(json_object_del(seat, "present"), 0);
        cr_assert_eq(json_object_del(json_object_get(seat, "player"), "name"), 0);
    }
}

Test(scenario_results, show_the_game_without_what_is_live)
{
    static const char *const moves[] = {"5i5e", "4a4e", NULL};
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    device_play(&pairing, 1, moves);
    resign(b, pairing.game);
    struct answer page = expect(200, results(a->client, ""));
    struct answer snapshot = expect(200, device_game(a, pairing.game));
    drop_live(snapshot.body);
    cr_expect(json_equal(answer_at(&page, "items.0.game"), snapshot.body));
    answer_free(&snapshot);
    answer_free(&page);
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_results, parameters_are_checked)
{
    static const char *const bad[] = {
        "?after=-1", "?after=9007199254740992",
        "?after=",   "?pool=chess",
        "?wait=26",  "?wait=x",
        "?limit=0",  "?limit=101",
        "?cursor=a", "?after=1&after=1",
    };
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        expect_problem(400, "invalid-parameter", results(client, bad[i]));
    }
    struct answer page = expect(200, results(client, "?after=9007199254740991&wait=0&limit=100"));
    cr_expect_eq(answer_integer(&page, "last_seq"), 9007199254740991);
    answer_free(&page);
    client_free(client);
    process_free(server);
}

/* --- waiting -------------------------------------------------------------------------------------
 */

struct reader {
    pthread_t thread;
    struct client *client;
    const char *query;
    struct answer answer;
    long long took_ms;
};

static void *wait_for_results(void *context)
{
    struct reader *reader = context;
    long long begin = test_now_ms();
    reader->answer = results(reader->client, reader->query);
    reader->took_ms = test_now_ms() - begin;
    return NULL;
}

/* The reader that makes `count` of them that wait, and has waited for a while. */
static void reader_start(struct reader *reader, const struct process *server, const char *query,
                         unsigned count)
{
    struct client *other = client_new(server->origin);
    *reader = (struct reader){.client = client_new(server->origin), .query = query};
    cr_assert_eq(pthread_create(&reader->thread, NULL, wait_for_results, reader), 0);
    client_await_held(other, count);
    client_free(other);
    test_pause_ms(300);
}

static void reader_join(struct reader *reader)
{
    (void)pthread_join(reader->thread, NULL);
    client_free(reader->client);
}

/* The second way for a game to end: a move that decides it, here a draw by repetition. */
static void play_to_a_draw(const struct pairing *pairing)
{
    device_play(pairing, 1, games_find("hasami")->repetition);
}

Test(scenario_results, wake_who_waits_for_them)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing resigned = device_pair(a, b);
    struct pairing drawn = device_pair(a, b);
    struct reader readers[2];
    reader_start(&readers[0], server, "?wait=25", 1);
    reader_start(&readers[1], server, "?wait=25&pool=hasami", 2);
    resign(a, resigned.game);
    long long ended_ms = test_now_ms();
    for (int i = 0; i < 2; i++) {
        reader_join(&readers[i]);
        cr_expect_lt(test_now_ms() - ended_ms, CLIENT_WAIT_MS);
        cr_expect_geq(readers[i].took_ms, 250);
        cr_expect_str_eq(answer_text(&readers[i].answer, "items.0.game.id"), resigned.game);
        answer_free(&readers[i].answer);
    }
    reader_start(&readers[0], server, "?after=1&wait=25", 1);
    play_to_a_draw(&drawn);
    ended_ms = test_now_ms();
    reader_join(&readers[0]);
    cr_expect_lt(test_now_ms() - ended_ms, CLIENT_WAIT_MS);
    cr_expect_str_eq(answer_text(&readers[0].answer, "items.0.game.id"), drawn.game);
    answer_free(&readers[0].answer);
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_results, wake_who_waits_when_a_game_is_declared_void)
{
    char output[256];
    char command[64];
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    struct reader reader;
    resign(a, pairing.game);
    reader_start(&reader, server, "?after=1&wait=25", 1);
    (void)snprintf(command, sizeof command, "void-game %s", pairing.game);
    cr_assert_eq(process_run(server, command, output, sizeof output), 0, "%s", output);
    long long void_ms = test_now_ms();
    reader_join(&reader);
    cr_expect_lt(test_now_ms() - void_ms, CLIENT_WAIT_MS);
    cr_expect_str_eq(answer_text(&reader.answer, "items.0.type"), "voided");
    cr_expect_str_eq(answer_text(&reader.answer, "items.0.game.id"), pairing.game);
    answer_free(&reader.answer);
    device_free(a);
    device_free(b);
    process_free(server);
}

/* Woken without news, a request goes on waiting: these are past what the first game is. */
Test(scenario_results, of_no_news_keep_waiting_until_their_time_is_over)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    struct reader reader;
    reader_start(&reader, server, "?after=1&wait=2", 1);
    resign(a, pairing.game);
    reader_join(&reader);
    (void)expect(200, reader.answer);
    cr_expect_geq(reader.took_ms, 1900);
    cr_expect_leq(reader.took_ms, 2000 + TEST_STALL_MS);
    cr_expect_eq(json_array_size(answer_at(&reader.answer, "items")), 0);
    cr_expect_eq(answer_integer(&reader.answer, "last_seq"), 1);
    answer_free(&reader.answer);
    device_free(a);
    device_free(b);
    process_free(server);
}

Test(scenario_results, do_not_keep_a_service_from_stopping)
{
    struct process *server = process_new(NULL);
    struct reader reader;
    reader_start(&reader, server, "?wait=25", 1);
    long long begin = test_now_ms();
    cr_assert_eq(process_stop(server), 0);
    cr_expect_lt(test_now_ms() - begin, CLIENT_WAIT_MS);
    reader_join(&reader);
    (void)expect(200, reader.answer);
    cr_expect_eq(json_array_size(answer_at(&reader.answer, "items")), 0);
    answer_free(&reader.answer);
    process_free(server);
}
