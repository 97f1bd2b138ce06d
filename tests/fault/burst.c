#include "engine/rules.h"
#include "tests/support/board.h"
#include "tests/support/contract.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * Reads while moves and results are written as fast as they go: nobody sees a game go back, what
 * was acknowledged before a read is in it, a tag stands for one content, and 304 is never stale.
 */

enum {
    READERS = 4,
    BURST_MS_MAX = 60 * 1000,
    PLIES_MIN = 120,
    RESULTS_MIN = 10,
    READS_MIN = 1000, /* of 200 and of 304 */
    PLIES_MAX = 1900, /* a served game ends at 2000 */
    TAG_MAX = 32,
    ODDS = 8,
};

/* What all readers have seen of a ply of a game; the first one writes it down. */
struct sight {
    char tag[TAG_MAX];
    char *content;
};

struct table {
    struct board board;
    atomic_uint acked; /* plies */
    struct sight sights[PLIES_MAX + 1];
};

struct burst {
    struct process *server;
    struct table tables[GAMES];
    pthread_mutex_t lock; /* of the sights */
    atomic_uint results;  /* acknowledged */
    atomic_bool over;
    atomic_uint whole; /* answers 200 */
    atomic_uint unchanged;
};

/* --- writers -------------------------------------------------------------------------------------
 */

/* A game by chance in which all stay in their camps: so nothing ends it, and in so many plies no
 * position comes again four times. */
struct stroll {
    const struct listed_game *game;
    const struct game_rules *rules;
    struct game_options options;
    struct position position;
    unsigned ply; /* the next */
    unsigned seed;
};

static struct stroll stroll_begin(const struct listed_game *game)
{
    const struct pool_rules *pool = NULL;
    struct stroll stroll = {.game = game, .rules = rules_find_pool(game->pool, &pool), .ply = 1};
    stroll.options = pool->options;
    options_bound(stroll.rules, &stroll.options);
    stroll.rules->start(&stroll.position);
    return stroll;
}

static void next_move(struct stroll *stroll, char text[RULES_MOVE_TEXT_MAX])
{
    struct move_list moves;
    struct ply_effects effects;
    struct position after;
    size_t quiet = 0;
    stroll->rules->legal_moves(&stroll->position, &stroll->options, NULL, &moves);
    for (size_t i = 0; i < moves.count; i++) {
        stroll->rules->format_move(moves.at[i], text);
        if (game_is_quiet(stroll->game, stroll->ply, text)) {
            moves.at[quiet++] = moves.at[i];
        }
    }
    if (quiet == 0) {
        test_fail("%s: nobody moves quietly at ply %u", stroll->game->pool, stroll->ply);
    }
    stroll->seed = stroll->seed * 1103515245U + 12345U;
    const struct move move = moves.at[stroll->seed / 65536 % quiet];
    stroll->rules->format_move(move, text);
    stroll->rules->play(&stroll->position, &stroll->options, move, &after, &effects);
    stroll->position = after;
    stroll->ply++;
}

struct writer {
    struct burst *burst;
    struct table *table;
};

static void *write_moves(void *context)
{
    struct writer *writer = context;
    struct table *table = writer->table;
    struct stroll stroll = stroll_begin(table->board.game);
    while (stroll.ply <= PLIES_MAX && !atomic_load(&writer->burst->over)) {
        char move[RULES_MOVE_TEXT_MAX];
        next_move(&stroll, move);
        struct answer answer = board_move(&table->board, move);
        answer_free(&answer);
        atomic_store(&table->acked, table->board.ply);
    }
    return NULL;
}

/* Rated results, one after the other. */
static void *write_results(void *context)
{
    struct burst *burst = context;
    struct device *rivals[2] = {device_new(burst->server), device_new(burst->server)};
    while (!atomic_load(&burst->over)) {
        struct pairing pairing = device_pair(rivals[0], rivals[1]);
        struct answer answer = expect(200, device_resign(rivals[0], pairing.game));
        bool rated = strcmp(answer_text(&answer, "result.rating_status"), "applied") == 0;
        answer_free(&answer);
        if (rated) {
            atomic_fetch_add(&burst->results, 1);
        } else { /* these two have met too often; nobody plays so much that the list changes */
            for (size_t i = 0; i < 2; i++) {
                device_free(rivals[i]);
                rivals[i] = device_new(burst->server);
            }
        }
    }
    device_free(rivals[0]);
    device_free(rivals[1]);
    return NULL;
}

/* --- readers -------------------------------------------------------------------------------------
 */

/* What a reader has: of a game, or of the ranking. */
struct copy {
    char tag[TAG_MAX];
    char *content;  /* what the tag stands for */
    unsigned count; /* plies, or results */
};

struct reader {
    struct burst *burst;
    struct client *client;
    unsigned seed;
    struct copy games[GAMES];
    struct copy ranking;
};

static unsigned chance(struct reader *reader)
{
    reader->seed = reader->seed * 1103515245U + 12345U;
    return reader->seed / 65536;
}

/* The body without what changes by itself. */
static char *content_of(const struct answer *answer)
{
    (void)json_object_del(answer->body, "server_now");
    (void)json_object_del(answer->body, "as_of");
    (void)json_object_del(answer_at(answer, "clock"), "remaining_ms");
    return json_dumps(answer->body, JSON_SORT_KEYS | JSON_COMPACT);
}

/* 200 with something new, or 304 for what the reader has. True: new, and the copy says so. */
static bool refresh(struct reader *reader, const char *path, struct copy *copy)
{
    char header[64];
    char tag[TAG_MAX] = "";
    bool asks = copy->tag[0] != '\0' && chance(reader) % ODDS != 0;
    (void)snprintf(header, sizeof header, "If-None-Match: %s", copy->tag);
    struct answer answer =
        client_send(reader->client,
                    &(struct call){.method = "GET", .path = path, .header = asks ? header : NULL});
    (void)answer_header(&answer, "ETag", tag, sizeof tag);
    bool same = strcmp(tag, copy->tag) == 0;
    if (answer.status == 304) {
        if (!asks || !same) {
            test_fail("%s: 304 %s for %s", path, tag, copy->tag);
        }
        atomic_fetch_add(&reader->burst->unchanged, 1);
        answer_free(&answer);
        return false;
    }
    answer = expect(200, answer);
    char *content = content_of(&answer);
    bool equal = copy->content != NULL && strcmp(content, copy->content) == 0;
    if ((asks && same) || same != equal) {
        test_fail("%s: %s after %s: %s\n%s", path, tag, copy->tag, content, copy->content);
    }
    free(copy->content);
    copy->content = content;
    memcpy(copy->tag, tag, sizeof copy->tag);
    atomic_fetch_add(&reader->burst->whole, 1);
    answer_free(&answer);
    return true;
}

static unsigned integer_in(const char *content, const char *key)
{
    json_t *body = json_loads(content, 0, NULL);
    unsigned value = (unsigned)json_integer_value(json_object_get(body, key));
    json_decref(body);
    return value;
}

/* All that look at a ply of a game see the same under the same tag. */
static void compare(struct burst *burst, struct sight *sight, const struct copy *copy)
{
    pthread_mutex_lock(&burst->lock);
    if (sight->content == NULL) {
        memcpy(sight->tag, copy->tag, sizeof sight->tag);
        sight->content = strdup(copy->content);
    } else if (strcmp(sight->tag, copy->tag) != 0 || strcmp(sight->content, copy->content) != 0) {
        test_fail("two contents of ply %u:\n%s %s\n%s %s", copy->count, sight->tag, sight->content,
                  copy->tag, copy->content);
    }
    pthread_mutex_unlock(&burst->lock);
}

static void read_game(struct reader *reader, size_t number)
{
    char path[64];
    struct table *table = &reader->burst->tables[number];
    struct copy *copy = &reader->games[number];
    unsigned before = copy->count;
    unsigned acked = atomic_load(&table->acked);
    (void)snprintf(path, sizeof path, "/v1/games/%s", table->board.id);
    if (refresh(reader, path, copy)) {
        copy->count = integer_in(copy->content, "ply");
        compare(reader->burst, &table->sights[copy->count], copy);
    }
    if (copy->count < before || copy->count < acked) {
        test_fail("game %zu at ply %u, after %u was seen and %u acknowledged", number, copy->count,
                  before, acked);
    }
}

/* Every result is a rated game of two players. */
static unsigned results_in(const char *content)
{
    size_t index = 0;
    json_t *row = NULL;
    json_int_t games = 0;
    json_t *body = json_loads(content, 0, NULL);
    json_array_foreach(json_object_get(body, "items"), index, row)
    {
        games += json_integer_value(json_object_get(row, "games"));
    }
    json_decref(body);
    return (unsigned)(games / 2);
}

static void read_ranking(struct reader *reader)
{
    struct copy *copy = &reader->ranking;
    unsigned before = copy->count;
    unsigned acked = atomic_load(&reader->burst->results);
    if (refresh(reader, "/v1/rankings/hasami?provisional=true&limit=100", copy)) {
        copy->count = results_in(copy->content);
    }
    if (copy->count < before || copy->count < acked) {
        test_fail("a ranking of %u results, after %u were seen and %u acknowledged", copy->count,
                  before, acked);
    }
}

static void *read_all(void *context)
{
    struct reader *reader = context;
    while (!atomic_load(&reader->burst->over)) {
        size_t what = chance(reader) % (GAMES + 1);
        if (what < GAMES) {
            read_game(reader, what);
        } else {
            read_ranking(reader);
        }
    }
    return NULL;
}

/* --- the test ------------------------------------------------------------------------------------
 */

static void begin(struct burst *burst)
{
    (void)contract();
    burst->server = process_new(NULL);
    pthread_mutex_init(&burst->lock, NULL);
    for (size_t i = 0; i < GAMES; i++) {
        struct table *table = &burst->tables[i];
        table->board = board_on(games_at(i), burst->server);
        board_seat(&table->board);
    }
}

static void end(struct burst *burst)
{
    for (size_t i = 0; i < GAMES; i++) {
        struct table *table = &burst->tables[i];
        board_leave(&table->board);
        for (size_t ply = 0; ply <= PLIES_MAX; ply++) {
            free(table->sights[ply].content);
        }
    }
    pthread_mutex_destroy(&burst->lock);
    process_free(burst->server);
    free(burst);
}

/* Once it is quiet, what a reader has is 304 or, read once more, becomes so. */
static void settle(struct reader *reader)
{
    for (size_t i = 0; i < GAMES; i++) {
        read_game(reader, i);
        cr_expect_eq(reader->games[i].count, atomic_load(&reader->burst->tables[i].acked));
    }
    read_ranking(reader);
    cr_expect_eq(reader->ranking.count, atomic_load(&reader->burst->results));
    for (size_t i = 0; i < GAMES; i++) {
        free(reader->games[i].content);
    }
    free(reader->ranking.content);
    client_free(reader->client);
}

/* Of everything; how long that takes hangs on the disk. */
static bool is_enough(struct burst *burst)
{
    bool enough = atomic_load(&burst->results) >= RESULTS_MIN &&
                  atomic_load(&burst->whole) >= READS_MIN &&
                  atomic_load(&burst->unchanged) >= READS_MIN;
    for (size_t i = 0; i < GAMES; i++) {
        enough = enough && atomic_load(&burst->tables[i].acked) >= PLIES_MIN;
    }
    return enough;
}

static bool wait_for_enough(struct burst *burst)
{
    const struct timespec nap = {.tv_nsec = 20000000L};
    long long end_ms = test_now_ms() + BURST_MS_MAX;
    while (!is_enough(burst) && test_now_ms() < end_ms) {
        (void)nanosleep(&nap, NULL);
    }
    return is_enough(burst);
}

Test(burst, reads_during_a_burst_of_writes_are_whole_new_and_named_rightly, .timeout = 300)
{
    struct burst *burst = calloc(1, sizeof *burst);
    struct writer writers[GAMES];
    struct reader readers[READERS] = {{0}};
    pthread_t threads[GAMES + 1 + READERS];
    size_t running = 0;
    cr_assert_not_null(burst);
    begin(burst);
    for (size_t i = 0; i < GAMES; i++) {
        writers[i] = (struct writer){burst, &burst->tables[i]};
        pthread_create(&threads[running++], NULL, write_moves, &writers[i]);
    }
    pthread_create(&threads[running++], NULL, write_results, burst);
    for (size_t i = 0; i < READERS; i++) {
        readers[i].burst = burst;
        readers[i].client = client_new(burst->server->origin);
        readers[i].seed = (unsigned)i + 1;
        pthread_create(&threads[running++], NULL, read_all, &readers[i]);
    }
    cr_expect(wait_for_enough(burst), "no burst: %u results, %u times 200, %u times 304",
              atomic_load(&burst->results), atomic_load(&burst->whole),
              atomic_load(&burst->unchanged));
    atomic_store(&burst->over, true);
    for (size_t i = 0; i < running; i++) {
        pthread_join(threads[i], NULL);
    }
    for (size_t i = 0; i < READERS; i++) {
        settle(&readers[i]);
    }
    end(burst);
}
