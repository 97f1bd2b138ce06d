/*
 * How fast the engine counts, beside a well-known engine of the same machine and the same minute.
 * Prints one table; a missed target is a line that says so, never a failure.
 *
 * Threads: one. Ownership: nothing outlives main.
 */

#include "engine/rules.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BASELINE       "/usr/games/fairy-stockfish"
#define BASELINE_SETUP "setoption name UCI_Variant value shogi\\nposition startpos\\n"

enum { RUNS = 3, MILLION = 1000000 };

/* One line of the table; a target is in million leaves a second. */
struct figure {
    const char *name;
    unsigned depth;
    bool play_every_leaf;
    double target;
    double target_ratio;
};

static const struct figure figures[] = {
    {"start, depth 5, last ply in bulk",     5, false, 1500, 150},
    {"start, depth 4, every leaf is played", 4, true,  120,  12 },
    {"start, depth 5, every leaf is played", 5, true,  120,  12 },
};

static double measure(const struct figure *figure, uint64_t *leaves);
static double measure_baseline(void);
static uint64_t run_baseline(const char *commands, double *seconds);
static double now_seconds(void);
static const char *verdict(double value, double target);

int main(void)
{
    const double baseline = measure_baseline();

    printf("%-38s %13s %12s %8s %8s\n", "perft", "leaves", "million/s", "target", "ratio");
    if (baseline > 0) {
        printf("%-38s %13s %12.1f %8s %8s\n", "fairy-stockfish, shogi, depth 5", "19861490",
               baseline, "", "1.0");
    } else {
        printf("%-38s\n", BASELINE " is not here: no ratios");
    }
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        const struct figure *figure = &figures[i];
        uint64_t leaves = 0;
        const double rate = measure(figure, &leaves);

        printf("%-38s %13" PRIu64 " %12.1f %8.0f", figure->name, leaves, rate, figure->target);
        if (baseline > 0) {
            printf(" %8.1f  %s, ratio %s (%.0f)\n", rate / baseline, verdict(rate, figure->target),
                   verdict(rate / baseline, figure->target_ratio), figure->target_ratio);
        } else {
            printf(" %8s  %s\n", "", verdict(rate, figure->target));
        }
    }
    return EXIT_SUCCESS;
}

/* The best of a few runs, in million leaves a second; a long run is made once. */
static double measure(const struct figure *figure, uint64_t *leaves)
{
    const struct game_rules *rules = rules_find("hasami");
    struct position position;
    struct game_options options;
    double best = 0;
    double spent = 0;

    assert(rules != NULL);
    rules->start(&position);
    options_default(rules, &options);
    for (int run = 0; run < RUNS && spent < RUNS; run++) {
        const double start = now_seconds();
        *leaves = rules->perft(&position, &options, figure->depth, figure->play_every_leaf);
        const double seconds = now_seconds() - start;
        const double rate = (double)*leaves / seconds / MILLION;

        spent += seconds;
        best = rate > best ? rate : best;
    }
    return best;
}

/* The other engine's start-up is measured apart and taken off. 0 where it is not installed. */
static double measure_baseline(void)
{
    double start_up = 0;
    double seconds = 0;

    if (access(BASELINE, X_OK) != 0) {
        return 0;
    }
    (void)run_baseline(BASELINE_SETUP "quit\\n", &start_up);
    const uint64_t leaves = run_baseline(BASELINE_SETUP "go perft 5\\nquit\\n", &seconds);
    assert(seconds > 0);
    return (double)leaves / (seconds > start_up ? seconds - start_up : seconds) / MILLION;
}

static uint64_t run_baseline(const char *commands, double *seconds)
{
    static const char found[] = "Nodes searched: ";
    char line[256];
    uint64_t leaves = 0;

    (void)snprintf(line, sizeof line, "printf '%s' | " BASELINE, commands);
    const double start = now_seconds();
    FILE *output = popen(line, "r");
    if (output == NULL) {
        return 0;
    }
    while (fgets(line, sizeof line, output) != NULL) {
        if (strncmp(line, found, sizeof found - 1) == 0) {
            leaves = strtoull(line + sizeof found - 1, NULL, 10);
        }
    }
    (void)pclose(output);
    *seconds = now_seconds() - start;
    return leaves;
}

static double now_seconds(void)
{
    struct timespec now;

    const int status = clock_gettime(CLOCK_MONOTONIC, &now);
    assert(status == 0);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static const char *verdict(double value, double target)
{
    return value >= target ? "met" : "MISSED";
}
