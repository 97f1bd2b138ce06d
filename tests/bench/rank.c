/*
 * Is a rank as cheap among a million players as among ten thousand? Makes both files, serves both,
 * asks them in turn for the standing of random players, and times the views that people use on the
 * larger file. Prints rows of the table of run.sh. $BANZUKE is the server.
 *
 * Threads: one, beside the servers. Ownership: the folders go at the end.
 */

#include "support/load.h"
#include "support/players.h"

#include "tests/support/process.h"

#include <assert.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    FEW = 10000,
    MANY = 1000000,
    CONNECTIONS = 16,
    ROUNDS = 3,
    VIEW_RUNS = 3,
};
#define ROUND_SECONDS   1.5
#define WARM_UP_SECONDS 0.3
#define RATIO_MAX       1.5

struct side {
    int64_t players;
    uint64_t state; /* of the random numbers */
    struct process *server;
    struct load_result results[ROUNDS];
};

static bool open_side(struct side *side);
static void close_side(struct side *side);
static bool measure(struct side *side, int round);
static double median_rate(const struct side *side);
static void time_views(const struct side *side);

int main(void)
{
    struct side few = {.players = FEW, .state = 1};
    struct side many = {.players = MANY, .state = 2};
    bool good = open_side(&few) && open_side(&many);
    for (int round = 0; good && round < ROUNDS; round++) {
        good = measure(&few, round) && measure(&many, round);
    }
    if (good) {
        const double ratio = median_rate(&few) / median_rate(&many);
        printf("rank among 10 thousand, GET/s|%.0f||||\n", median_rate(&few));
        printf("rank among 1 million, GET/s|%.0f|||p99 %.1f ms|\n", median_rate(&many),
               many.results[0].p99_ms);
        printf("rank, 1 million costs of 10 thousand||10 thousand|%.2f|<= %.1f|%s\n", ratio,
               RATIO_MAX, ratio <= RATIO_MAX ? "met" : "missed");
        time_views(&many);
    }
    close_side(&few);
    close_side(&many);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* --- the two servers -----------------------------------------------------------------------------
 */

static bool open_side(struct side *side)
{
    static const char *const quiet[] = {"--log", "off", NULL};
    const double start = load_now();
    side->server = process_folder();
    process_start(side->server, quiet, NULL); /* makes the file */
    if (process_stop(side->server) != 0 || !players_fill(side->server->db, side->players)) {
        return false;
    }
    process_start(side->server, quiet, NULL);
    (void)fprintf(stderr, "rank: %" PRId64 " players in %.1f s\n", side->players,
                  load_now() - start);
    return true;
}

static void close_side(struct side *side)
{
    if (side->server != NULL && side->server->pid != 0) {
        (void)process_stop(side->server);
    }
    process_free(side->server);
}

static size_t next_standing(void *context, unsigned connection, char request[LOAD_REQUEST_MAX])
{
    struct side *side = context;
    char id[PLAYERS_ID_TEXT];
    (void)connection;
    side->state = side->state * 6364136223846793005ULL + 1442695040888963407ULL;
    players_id((int64_t)((side->state >> 33) % (uint64_t)side->players) + 1, id);
    const int length =
        snprintf(request, LOAD_REQUEST_MAX,
                 "GET /v1/rankings/hasami/players/%s HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", id);
    assert(length > 0 && length < LOAD_REQUEST_MAX);
    return (size_t)length;
}

static bool is_ok(void *context, unsigned connection, int status, const char *answer)
{
    (void)context;
    (void)connection;
    (void)answer;
    return status == 200;
}

static bool measure(struct side *side, int round)
{
    const struct load_script script = {next_standing, is_ok, side};
    const struct load_options options = {.port = (uint16_t)side->server->port,
                                         .connections = CONNECTIONS,
                                         .seconds = ROUND_SECONDS,
                                         .warm_up_seconds = WARM_UP_SECONDS};
    struct load_result *result = &side->results[round];
    const bool good = load_run(&script, &options, result);
    if (result->problem[0] != '\0') {
        (void)fprintf(stderr, "rank: %s\n", result->problem);
    }
    return good && result->errors == 0;
}

static int compare(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median_rate(const struct side *side)
{
    double rates[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        rates[i] = (double)side->results[i].requests / side->results[i].seconds;
    }
    qsort(rates, ROUNDS, sizeof rates[0], compare);
    return rates[ROUNDS / 2];
}

/* --- the views -----------------------------------------------------------------------------------
 */

/* The best of a few runs, all rows read, in ms; negative: it cannot be asked, and why is printed.
 */
static double time_query(sqlite3 *handle, const char *sql)
{
    double best = -1;
    for (int run = 0; run < VIEW_RUNS; run++) {
        sqlite3_stmt *statement = NULL;
        const double start = load_now();
        int result = sqlite3_prepare_v2(handle, sql, -1, &statement, NULL);
        while (result == SQLITE_OK || result == SQLITE_ROW) {
            result = sqlite3_step(statement);
        }
        (void)sqlite3_finalize(statement);
        const double ms = (load_now() - start) * 1e3;
        if (result != SQLITE_DONE) {
            (void)fprintf(stderr, "rank: %s: %s\n", sql, sqlite3_errmsg(handle));
            return -1;
        }
        best = best < 0 || ms < best ? ms : best;
    }
    return best;
}

static void time_views(const struct side *side)
{
    static const char *const queries[][2] = {
        {"view, first ten of a million, ms",
         "SELECT * FROM ranking WHERE pool = 'hasami' ORDER BY rank LIMIT 10"            },
        {"view, one player of a million, ms",
         "SELECT * FROM ranking WHERE player_id = 'p_00000000000000000000543210'"        },
        {"view, ten in the middle, ms",
         "SELECT * FROM ranking WHERE pool = 'hasami' AND rank BETWEEN 500000 AND 500009"},
    };
    sqlite3 *handle = NULL;
    const int result = sqlite3_open_v2(side->server->db, &handle, SQLITE_OPEN_READONLY, NULL);
    for (size_t i = 0; result == SQLITE_OK && i < sizeof queries / sizeof queries[0]; i++) {
        const double ms = time_query(handle, queries[i][1]);
        if (ms < 0) {
            printf("%s|none||||\n", queries[i][0]);
        } else {
            printf("%s|%.2f||||\n", queries[i][0], ms);
        }
    }
    (void)sqlite3_close(handle);
}
