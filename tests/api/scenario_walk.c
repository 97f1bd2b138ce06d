#include "tests/support/device.h"
#include "tests/support/seed.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Long lists walked page by page, while games begin and end. */

enum { GAMES = 20000 };

/* Players 1 and 2, and 20,000 finished games of theirs, g_00...01 the oldest. */
static struct process *seeded(void)
{
    char sql[4096];
    seed_players(sql, sizeof sql, 2);
    size_t used = strlen(sql);
    (void)snprintf(
        sql + used, sizeof sql - used,
        "INSERT INTO game (game_no, game_id, game, pool, rated, unrated_reason, options,"
        " turn_seconds, player_set, status, position, ply, turn, seq, end_reason, rating_status,"
        " created_at_ms, finished_at_ms) WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1"
        " FROM n WHERE i < %d) SELECT i, printf('g_%%026d', i), 'hasami', 'hasami', 0, 'casual',"
        " 'win_condition=capture_5 move_limit=2000', 30, '1,2', 'finished',"
        " 'ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b - 1', 0, NULL, 1, 'resign', 'unrated', i, i FROM n;"
        "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
        " SELECT game_no, 0, 'b', 1, 1500000, 'player', 1 FROM game;"
        "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
        " SELECT game_no, 1, 'w', 2, 1500000, 'player', 2 FROM game;"
        "INSERT INTO chain_link SELECT game_no, 'ended', game_no, game_no, zeroblob(32) FROM game;"
        "UPDATE server SET last_stamp_ms = %d",
        GAMES, GAMES);
    return seed_begin(sql);
}

/* --- meanwhile -----------------------------------------------------------------------------------
 */

struct crowd {
    const struct process *server;
    pthread_t thread;
    atomic_bool enough;
    atomic_int games; /* that began, and ended at once */
};

static void *play(void *context)
{
    struct crowd *crowd = context;
    struct device *a = device_new(crowd->server);
    struct device *b = device_new(crowd->server);
    while (!atomic_load(&crowd->enough)) {
        struct pairing pairing = device_pair(a, b);
        struct answer answer = expect(200, device_resign(a, pairing.game));
        answer_free(&answer);
        (void)atomic_fetch_add(&crowd->games, 1);
    }
    device_free(a);
    device_free(b);
    return NULL;
}

static void crowd_start(struct crowd *crowd, const struct process *server)
{
    crowd->server = server;
    atomic_init(&crowd->games, 0);
    atomic_init(&crowd->enough, false);
    cr_assert_eq(pthread_create(&crowd->thread, NULL, play, crowd), 0);
}

static int crowd_join(struct crowd *crowd)
{
    atomic_store(&crowd->enough, true);
    (void)pthread_join(crowd->thread, NULL);
    return atomic_load(&crowd->games);
}

/* --- walks ---------------------------------------------------------------------------------------
 */

/* The number in the identifier of a seeded game; 0: one that came later. */
static long seeded_number(const char *id)
{
    return strncmp(id, "g_000000000000000000", 20) == 0 ? strtol(id + 20, NULL, 10) : 0;
}

/* Of a snapshot, or of a result, which has one in it. */
static const char *item_id(const json_t *item)
{
    json_t *game = json_object_get(item, "game");
    return json_string_value(json_object_get(json_is_object(game) ? game : item, "id"));
}

/* A page; the first is held against openapi.yaml, all of them would take minutes. */
static struct answer read_page(struct client *client, const char *path, bool first)
{
    return expect(
        200,
        client_send(client, &(struct call){.method = "GET", .path = path, .unchecked = !first}));
}

/* Newest first down to the oldest; what begins meanwhile is before the first page. */
static void expect_walk(struct client *client, const char *list)
{
    char path[512];
    long next = GAMES;
    (void)snprintf(path, sizeof path, "%slimit=100", list);
    for (bool first = true; path[0] != '\0'; first = false) {
        struct answer page = read_page(client, path, first);
        size_t index = 0;
        json_t *item = NULL;
        json_array_foreach(answer_at(&page, "items"), index, item)
        {
            long number = seeded_number(item_id(item));
            cr_assert(number == next || (number == 0 && next == GAMES), "%s is not game %ld",
                      item_id(item), next);
            next -= number == 0 ? 0 : 1;
        }
        path[0] = '\0';
        if (!json_is_null(answer_at(&page, "next_cursor"))) {
            (void)snprintf(path, sizeof path, "%slimit=100&cursor=%s", list,
                           answer_text(&page, "next_cursor"));
        }
        answer_free(&page);
    }
    cr_assert_eq(next, 0, "the walk ended before game %ld", next);
}

Test(scenario_walk, through_twenty_thousand_games_misses_none_while_others_begin, .timeout = 300)
{
    static const char *const lists[] = {
        "/v1/games?",
        "/v1/games?status=finished&pool=hasami&",
        "/v1/players/p_00000000000000000000000001/games?",
        "/v1/games?player=p_00000000000000000000000002&opponent=p_00000000000000000000000001&",
    };
    struct process *server = seeded();
    struct client *client = client_new(server->origin);
    struct crowd crowd;
    crowd_start(&crowd, server);
    do { /* until enough games have begun meanwhile */
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
            expect_walk(client, lists[i]);
        }
    } while (atomic_load(&crowd.games) < 50);
    (void)crowd_join(&crowd);
    client_free(client);
    seed_end(server);
}

Test(scenario_walk, along_the_results_meets_every_end_once_and_in_order, .timeout = 300)
{
    struct process *server = seeded();
    struct client *client = client_new(server->origin);
    struct crowd crowd;
    char path[128] = "/v1/results?limit=100";
    long long last = 0;
    long seen = 0;
    int games = -1;
    crowd_start(&crowd, server);
    for (bool more = true; more;) {
        struct answer page = read_page(client, path, seen == 0);
        size_t index = 0;
        json_t *item = NULL;
        json_array_foreach(answer_at(&page, "items"), index, item)
        {
            long long seq = json_integer_value(json_object_get(item, "seq"));
            cr_assert_gt(seq, last);
            last = seq;
            seen++;
            cr_assert_eq(seeded_number(item_id(item)), seen <= GAMES ? seen : 0);
        }
        cr_assert_eq(answer_integer(&page, "last_seq"), last);
        more = json_array_size(answer_at(&page, "items")) > 0 || games < 0;
        (void)snprintf(path, sizeof path, "/v1/results?limit=100&after=%lld", last);
        answer_free(&page);
        if (seen > GAMES + 50 && games < 0) {
            games = crowd_join(&crowd);
        }
    }
    cr_assert_eq(seen, GAMES + games, "%ld results of %d games", seen, GAMES + games);
    client_free(client);
    seed_end(server);
}
