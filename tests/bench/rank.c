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
    VIEW_MS_MAX = 50,     /* what a person takes for at once */
    GUARD_STEPS = 100000, /* of SQLite's machine, between two looks at the clock */
};
#define ROUND_SECONDS   1.5
#define WARM_UP_SECONDS 0.3
#define RATIO_MAX       1.5
#define VIEW_SECONDS    5.0

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
        printf("GET of a rank, 1 million : 10 thousand, per s|%.0f|%.0f|%.2f|<= %.1f|%s\n",
               median_rate(&many), median_rate(&few), ratio, RATIO_MAX,
               ratio <= RATIO_MAX ? "met" : "MISSED");
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

/* A view that walks over everybody must not hold up the whole run. */
static int is_too_late(void *context)
{
    const double *until = context;
    return load_now() > *until;
}

/* One run, all rows read: its milliseconds, and SQLITE_DONE or why it could not be had. */
static int run_query(sqlite3 *handle, const char *sql, double *ms)
{
    sqlite3_stmt *statement = NULL;
    const double start = load_now();
    double until = start + VIEW_SECONDS;
    sqlite3_progress_handler(handle, GUARD_STEPS, is_too_late, &until);
    int result = sqlite3_prepare_v2(handle, sql, -1, &statement, NULL);
    while (result == SQLITE_OK || result == SQLITE_ROW) {
        result = sqlite3_step(statement);
    }
    (void)sqlite3_finalize(statement);
    sqlite3_progress_handler(handle, 0, NULL, NULL);
    *ms = (load_now() - start) * 1e3;
    return result;
}

/* The best of a few runs. */
static void time_view(sqlite3 *handle, const char *name, const char *sql)
{
    double best = 0;
    int result = SQLITE_DONE;
    for (int run = 0; run < VIEW_RUNS && result == SQLITE_DONE; run++) {
        double ms;
        result = run_query(handle, sql, &ms);
        best = run == 0 || ms < best ? ms : best;
    }
    if (result == SQLITE_DONE) {
        printf("%s|%.2f|-|-|< %d|%s\n", name, best, VIEW_MS_MAX,
               best < VIEW_MS_MAX ? "met" : "MISSED");
    } else if (result == SQLITE_INTERRUPT) {
        printf("%s|> %.0f|-|-|< %d|MISSED\n", name, VIEW_SECONDS * 1e3, VIEW_MS_MAX);
    } else {
        printf("%s|none|-|-|< %d|%s\n", name, VIEW_MS_MAX, sqlite3_errmsg(handle));
    }
}

static void time_views(const struct side *side)
{
    static const char *const queries[][2] = {
        {"view: first ten of a million, ms",
         "SELECT * FROM ranking WHERE pool = 'hasami' ORDER BY rank LIMIT 10"            },
        {"view: one player of a million, ms",
         "SELECT * FROM ranking WHERE player_id = 'p_00000000000000000000543210'"        },
        {"view: ten in the middle, ms",
         "SELECT * FROM ranking WHERE pool = 'hasami' AND rank BETWEEN 500000 AND 500009"},
    };
    sqlite3 *handle = NULL;
    const int result = sqlite3_open_v2(side->server->db, &handle, SQLITE_OPEN_READONLY, NULL);
    for (size_t i = 0; result == SQLITE_OK && i < sizeof queries / sizeof queries[0]; i++) {
        time_view(handle, queries[i][0], queries[i][1]);
    }
    (void)sqlite3_close(handle);
}
