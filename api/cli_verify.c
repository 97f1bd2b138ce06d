#include "cli.h"
#include "cli_storage.h"
#include "match/verify.h"

#include <assert.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
    "usage: banzuke verify [OPTION]...\n"
    "\n"
    "Replays every game with the engine and recomputes every result, place, rating, standing,\n"
    "rating count, replay link and the hash chain. Names the first row that differs, with what\n"
    "was expected and what was found. The file may be served meanwhile.\n"
    "\n"
    "  --db FILE        the database (banzuke.db)\n"
    "  --key-file FILE  the key (FILE.key beside the database)\n"
    "  --no-key         everything but the chain\n"
    "  --game ID        this game alone\n"
    "  --head N:HASH    the chain had this link, as a log line `stop` or a backup said: an end "
    "that\n"
    "                   was cut off is found by it\n"
    "  --all            go on after the first difference and list them all\n"
    "  --help           this text\n"
    "\n"
    "exit: 0 nothing differs, 64 usage, 65 something differs or the file is not sound,\n"
    "      70 internal, 73 it cannot be opened, 74 the disk failed or the file was moved,\n"
    "      75 another program holds it, 78 the key does not fit\n";

struct arguments {
    struct verify_options options;
    char key_path[CONFIG_PATH_MAX];
};

static int hex_digit(char digit)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = digit == '\0' ? NULL : strchr(digits, digit);
    return at == NULL ? -1 : (int)(at - digits);
}

/* "12:8c0f...": a number and 64 hex digits. */
static bool parse_head(const char *text, struct verify_options *options)
{
    char *end = NULL;
    options->head_link = strtoll(text, &end, 10);
    if (end == text || *end != ':' || options->head_link < 1 ||
        strlen(end + 1) != sizeof options->head_hash * 2) {
        return false;
    }
    for (size_t i = 0; i < sizeof options->head_hash; i++) {
        int high = hex_digit(end[1 + 2 * i]);
        int low = hex_digit(end[2 + 2 * i]);
        if (high < 0 || low < 0) {
            return false;
        }
        options->head_hash[i] = (uint8_t)(high * 16 + low);
    }
    return true;
}

/* -1: go on; else the exit code. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
    enum { DB = 1, KEY_FILE, NO_KEY, GAME, HEAD, ALL, HELP };
    static const struct option options[] = {
        {"db",       required_argument, NULL, DB      },
        {"key-file", required_argument, NULL, KEY_FILE},
        {"no-key",   no_argument,       NULL, NO_KEY  },
        {"game",     required_argument, NULL, GAME    },
        {"head",     required_argument, NULL, HEAD    },
        {"all",      no_argument,       NULL, ALL     },
        {"help",     no_argument,       NULL, HELP    },
        {NULL,       0,                 NULL, 0       },
    };
    struct verify_options *wanted = &arguments->options;
    int option = 0;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case DB: wanted->db_path = optarg; break;
        case KEY_FILE: wanted->key_path = optarg; break;
        case NO_KEY: wanted->no_key = true; break;
        case GAME: wanted->game_id = optarg; break;
        case HEAD:
            if (!parse_head(optarg, wanted)) {
                (void)fprintf(stderr, "banzuke verify: not a link and its hash: %s\n", optarg);
                return EXIT_USAGE;
            }
            break;
        case ALL: wanted->all = true; break;
        case HELP: (void)fputs(help, stdout); return 0;
        default: return EXIT_USAGE; /* getopt has said which */
        }
    }
    if (optind < argc) {
        (void)fprintf(stderr, "banzuke verify: unexpected argument %s\n", argv[optind]);
        return EXIT_USAGE;
    }
    if (wanted->head_link != 0 && (wanted->no_key || wanted->game_id != NULL)) {
        (void)fputs("banzuke verify: --head is about the chain, which is not looked at\n", stderr);
        return EXIT_USAGE;
    }
    return -1;
}

static void print_difference(void *context, const char *line)
{
    (void)context;
    (void)fprintf(stderr, "%s\n", line);
}

static int summarise(const struct verify_options *options, const struct verify_report *report)
{
    const char *chain = options->no_key ? " (the chain was not looked at)" : "";
    if (report->differences > 0) {
        (void)fprintf(stderr, "banzuke verify: %s: %" PRIu64 " difference%s\n", options->db_path,
                      report->differences, report->differences == 1 ? "" : "s");
        return EXIT_DATA;
    }
    (void)printf("%s: %" PRIu64 " games, %" PRIu64 " moves, %" PRIu64 " rating events, %" PRIu64
                 " chain links: no difference%s\n",
                 options->db_path, report->games, report->moves, report->rating_events,
                 report->links, chain);
    return 0;
}

int cli_verify(int argc, char **argv)
{
    struct arguments arguments = {.options = {.db_path = "banzuke.db"}};
    struct verify_report report;
    int code = parse(argc, argv, &arguments);
    if (code != -1) {
        return code;
    }
    struct verify_options *options = &arguments.options;
    if (options->key_path == NULL) {
        (void)snprintf(arguments.key_path, sizeof arguments.key_path, "%s.key", options->db_path);
        options->key_path = arguments.key_path;
    }
    assert(options->db_path != NULL && options->key_path != NULL);
    enum db_status status = verify_run(options, print_difference, NULL, &report);
    if (status != DB_OK) {
        const char *why = status == DB_NONE ? "no such game" : db_status_text(status);
        (void)fprintf(stderr, "banzuke verify: %s\n", report.first[0] != '\0' ? report.first : why);
        return report.key_refused ? EXIT_CONFIG : storage_exit_code(status);
    }
    return summarise(options, &report);
}
