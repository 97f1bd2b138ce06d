#include "cli.h"
#include "config.h"
#include "engine/rules.h"

#include <assert.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char help[] =
    "usage: banzuke perft GAME --depth N [OPTION]...\n"
    "\n"
    "Counts the sequences of exactly 1 to N plies from a position, without repetition. GAME is\n"
    "hasami or yonin (four-player shogi).\n"
    "\n"
    "  --depth N        plies (1..64)\n"
    "  --position TEXT  the position to start from (the game's start)\n"
    "  --option K=V     an option of the game, may come several times; the first value is the\n"
    "                   default\n"
    "                     hasami  win_condition=capture_5|lead_3|capture_all\n"
    "                     yonin   format=individual|pairs, ending=two_mates|last_survivor,\n"
    "                             orphaned_pieces=to_mater|ownerless\n"
    "                     both    move_limit=0..2000 (0: none)\n"
    "  --divide         also the share of every first move in the last count\n"
    "  --help           this text\n"
    "\n"
    "exit: 0, 64 usage\n";

struct arguments {
    const char *game;
    const char *position;
    long depth;
    const char *options[RULES_OPTIONS_MAX];
    size_t option_count;
    bool divide;
};

static int complain(const char *what, const char *value)
{
    (void)fprintf(stderr, "banzuke perft: %s%s\n", what, value);
    return EXIT_USAGE;
}

static bool parse_depth(const char *text, long *depth)
{
    char *end = NULL;
    *depth = strtol(text, &end, 10);
    return *text != '\0' && *end == '\0' && *depth >= 1 && *depth <= RULES_PERFT_DEPTH_MAX;
}

/* -1: go on; else the exit code. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
    enum { DEPTH = 1, POSITION, OPTION, DIVIDE, HELP };
    static const struct option options[] = {
        {"depth",    required_argument, NULL, DEPTH   },
        {"position", required_argument, NULL, POSITION},
        {"option",   required_argument, NULL, OPTION  },
        {"divide",   no_argument,       NULL, DIVIDE  },
        {"help",     no_argument,       NULL, HELP    },
        {NULL,       0,                 NULL, 0       },
    };
    int option = 0;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case DEPTH:
            if (!parse_depth(optarg, &arguments->depth)) {
                return complain("not a depth of 1 to 64: ", optarg);
            }
            break;
        case POSITION: arguments->position = optarg; break;
        case OPTION:
            if (arguments->option_count == RULES_OPTIONS_MAX) {
                return complain("too many options at ", optarg);
            }
            arguments->options[arguments->option_count++] = optarg;
            break;
        case DIVIDE: arguments->divide = true; break;
        case HELP: (void)fputs(help, stdout); return 0;
        default: return EXIT_USAGE; /* getopt has said which */
        }
    }
    if (optind + 1 != argc) {
        return complain("expected one game, such as hasami or yonin", "");
    }
    arguments->game = argv[optind];
    return arguments->depth == 0 ? complain("--depth is missing", "") : -1;
}

static bool set_options(const struct game_rules *rules, const struct arguments *arguments,
                        struct game_options *options, struct text_error *error)
{
    options_default(rules, options);
    for (size_t i = 0; i < arguments->option_count; i++) {
        char key[RULES_OPTIONS_TEXT_MAX];
        (void)snprintf(key, sizeof key, "%s", arguments->options[i]);
        char *value = strchr(key, '=');
        if (value == NULL) {
            (void)snprintf(error->text, sizeof error->text, "option %.80s has no '='", key);
            return false;
        }
        *value++ = '\0';
        if (!options_set(rules, options, key, value, error)) {
            return false;
        }
    }
    return true;
}

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void count(const struct game_rules *rules, const struct position *position,
                  const struct game_options *options, unsigned depth)
{
    (void)printf("%5s %20s %10s %14s\n", "depth", "nodes", "seconds", "nodes/second");
    for (unsigned i = 1; i <= depth; i++) {
        double begin = seconds_now();
        uint64_t nodes = rules->perft(position, options, i, false);
        double seconds = seconds_now() - begin;
        (void)printf("%5u %20" PRIu64 " %10.3f %14.0f\n", i, nodes, seconds,
                     seconds > 0 ? (double)nodes / seconds : 0.0);
        (void)fflush(stdout);
    }
}

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The legal moves as texts in byte order; none once the game is over. */
static size_t first_moves(const struct game_rules *rules, const struct position *position,
                          const struct game_options *options,
                          char texts[RULES_MOVES_MAX][RULES_MOVE_TEXT_MAX])
{
    const struct history_entry now = {rules->hash(position), RULES_SEAT_NONE, false};
    const struct history history = {&now, 1};
    struct outcome outcome;
    struct move_list moves = {0};
    rules->outcome(position, options, &history, &outcome);
    if (outcome.reason == END_NONE) {
        rules->legal_moves(position, options, NULL, &moves);
    }
    assert(moves.count <= RULES_MOVES_MAX);
    for (size_t i = 0; i < moves.count; i++) {
        rules->format_move(moves.at[i], texts[i]);
    }
    qsort(texts, moves.count, sizeof texts[0], by_text);
    return moves.count;
}

static void divide(const struct game_rules *rules, const struct position *position,
                   const struct game_options *options, unsigned depth)
{
    char texts[RULES_MOVES_MAX][RULES_MOVE_TEXT_MAX];
    size_t moves = first_moves(rules, position, options, texts);
    assert(depth >= 1);
    for (size_t i = 0; i < moves; i++) {
        struct move move;
        struct position after;
        struct ply_effects effects;
        enum illegal_reason reason = rules->parse_move(texts[i], strlen(texts[i]), &move);
        assert(reason == ILLEGAL_NONE);
        (void)reason;
        rules->play(position, options, move, &after, &effects);
        (void)printf("%-8s %17" PRIu64 "\n", texts[i],
                     rules->perft(&after, options, depth - 1, false));
    }
}

int cli_perft(int argc, char **argv)
{
    struct arguments arguments = {0};
    struct game_options options;
    struct position position;
    struct text_error error;
    int code = parse(argc, argv, &arguments);
    if (code != -1) {
        return code;
    }
    const struct game_rules *rules = rules_find(arguments.game);
    if (rules == NULL) {
        return complain("no such game: ", arguments.game);
    }
    if (!set_options(rules, &arguments, &options, &error)) {
        return complain(error.text, "");
    }
    rules->start(&position);
    if (arguments.position != NULL &&
        !rules->parse_position(arguments.position, strlen(arguments.position), &options, &position,
                               &error)) {
        return complain(error.text, "");
    }
    count(rules, &position, &options, (unsigned)arguments.depth);
    if (arguments.divide) {
        divide(rules, &position, &options, (unsigned)arguments.depth);
    }
    return 0;
}
