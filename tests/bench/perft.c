/*
 * How fast the engine counts, beside a well-known engine of the same machine and the same minute,
 * in leaves a second of processor time. Prints one table; a missed target is a line that says so,
 * never a failure.
 *
 * Threads: one. Ownership: nothing outlives main.
 */

#include "engine/rules.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define BASELINE       "/usr/games/fairy-stockfish"
#define BASELINE_SETUP "setoption name UCI_Variant value shogi\\nposition startpos\\n"

enum { RUNS = 3, MILLION = 1000000, POSITION_BYTES_MAX = 512 };

/* One line of the table; targets are million leaves a second, and that beside the other engine's.
 * 0: printed without one. */
struct figure {
    const char *game;
    const char *name;
    const char *position; /* NULL: the start */
    unsigned depth;
    bool play_every_leaf;
    double target;
    double target_ratio;
};

static const struct figure figures[] = {
    {"hasami", "start, depth 5, last ply in bulk",         NULL, 5, false, 1500, 150},
    {"hasami", "start, depth 4, every leaf is played",     NULL, 4, true,  120,  12 },
    {"hasami", "start, depth 5, every leaf is played",     NULL, 5, true,  120,  12 },
    {"yonin",  "start, depth 8, last ply in bulk",         NULL, 8, false, 0,    6  },
    {"yonin",  "middle game A, depth 4, last ply in bulk",
     "GseRse1Gse3+Sw1/6Rn1Gn/1Pe1GnPn2Kn1/KwPw+PePn4Sn/4GsePn3/1SnPw1XsGe1PeKe/Gw3Pse3Se/"
     "Sw2RwGse1Pn1Sse/Sn8 -/P/-/RSP w s>e - 109",                4, false, 0,    6  },
    {"yonin",  "middle game B, depth 5, last ply in bulk",
     "Pn4KnSn2/+SeSn2GnPnGnGw1/6SeGseRw/KwPw1PnPnSe3/1Rn7/1RwPwPsePsePeKe1Sw/1Gw1Sw3RePn/"
     "Gse1Pn2Pse3/2Gw1Xs3Gw -/-/-/S w s>e - 92",                 5, false, 0,    6  },
    {"yonin",  "middle game C, depth 5, last ply in bulk",
     "2+Ps1Ss4/SwRnw1Rw1SnwPnwGs1/1Pw1Gw1Xn2Ke/1Sw1PwGwPnw2Se/1Pw2Gs3Gnw/1Ps1PsPsPs3/4Rs1Gs2/"
     "Kw1SsKsSsPeSe2/2Gs3GePsRs -/-/-/- e n>w - 173",            5, false, 0,    6  },
};

static void print_figure(const struct figure *figure, double baseline);
static struct position position_of(const struct game_rules *rules, const struct figure *figure,
                                   const struct game_options *options);
static double measure(const struct figure *figure, uint64_t *leaves);
static double measure_baseline(void);
static uint64_t run_baseline(const char *commands, double *seconds);
static double spent_seconds(int who);
static const char *verdict(double value, double target);

int main(void)
{
    const double baseline = measure_baseline();
    const size_t bytes = sizeof(struct position);

    printf("%-50s %13s %12s %8s %8s\n", "perft", "leaves", "million/s", "target", "ratio");
    if (baseline > 0) {
        printf("%-50s %13s %12.1f %8s %8s\n", "fairy-stockfish, shogi, depth 5", "19861490",
               baseline, "", "1.0");
    } else {
        printf("%-50s\n", BASELINE " is not here: no ratios");
    }
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        print_figure(&figures[i], baseline);
    }
    printf("%-50s %13zu %12s %8s %8s  %s\n", "position, bytes", bytes, "", "<= 512", "",
           bytes <= POSITION_BYTES_MAX ? "met" : "MISSED");
    return EXIT_SUCCESS;
}

static void print_figure(const struct figure *figure, double baseline)
{
    uint64_t leaves = 0;
    const double rate = measure(figure, &leaves);
    char target[16] = "";
    char name[64];

    (void)snprintf(name, sizeof name, "%s, %s", figure->game, figure->name);
    if (figure->target > 0) {
        (void)snprintf(target, sizeof target, "%.0f", figure->target);
    }
    printf("%-50s %13" PRIu64 " %12.1f %8s", name, leaves, rate, target);
    if (baseline > 0) {
        printf(" %8.1f ", rate / baseline);
    } else {
        printf(" %8s ", "");
    }
    if (figure->target > 0) {
        printf(" %s", verdict(rate, figure->target));
    }
    if (baseline > 0 && figure->target_ratio > 0) {
        printf("%s ratio %s (%.0f)", figure->target > 0 ? "," : "",
               verdict(rate / baseline, figure->target_ratio), figure->target_ratio);
    }
    printf("\n");
}

static struct position position_of(const struct game_rules *rules, const struct figure *figure,
                                   const struct game_options *options)
{
    struct position position;
    struct text_error error = {""};

    rules->start(&position);
    if (figure->position != NULL &&
        !rules->parse_position(figure->position, strlen(figure->position), options, &position,
                               &error)) {
        (void)fprintf(stderr, "%s: %s\n", figure->position, error.text);
        exit(EXIT_FAILURE);
    }
    return position;
}

/* The best of a few runs, in million leaves a second; a long run is made once, a short one until
 * it has had its second. */
static double measure(const struct figure *figure, uint64_t *leaves)
{
    const struct game_rules *rules = rules_find(figure->game);
    struct game_options options;
    double best = 0;
    double spent = 0;

    assert(rules != NULL);
    options_default(rules, &options);
    const struct position position = position_of(rules, figure, &options);
    for (int run = 0; (run < RUNS && spent < RUNS) || spent < 1; run++) {
        const double start = spent_seconds(RUSAGE_SELF);
        *leaves = rules->perft(&position, &options, figure->depth, figure->play_every_leaf);
        const double seconds = spent_seconds(RUSAGE_SELF) - start;
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
    const double start = spent_seconds(RUSAGE_CHILDREN);
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
    *seconds = spent_seconds(RUSAGE_CHILDREN) - start;
    return leaves;
}

/* Processor time, of this process or of those that it has waited for: one thread works, and a busy
 * neighbour takes nothing off it. */
static double spent_seconds(int who)
{
    struct rusage usage;

    const int status = getrusage(who, &usage);
    assert(status == 0);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / MILLION;
}

static const char *verdict(double value, double target)
{
    return value >= target ? "met" : "MISSED";
}
