#include "cli.h"
#include "cli_storage.h"
#include "config.h"
#include "operators.h"

#include <assert.h>
#include <getopt.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* void-game, ban, unban, rename: asked of the server of the file, or done here where there is
 * none. */

enum { RETRIES = 20, PAUSE_MS = 100 };

struct command {
    const char *name;
    const char *takes;
    const char *what;
};

static const struct command void_game = {
    "void-game",
    "GAME",
    "Takes the result of a finished rated game back: every seat gets minus what was applied (not\n"
    "below the floor), games, wins, draws, losses and places go down by one. Later games are not\n"
    "reckoned again. The game stays finished, its rating status is `void`. Once a game.\n",
};
static const struct command ban = {
    "ban",
    "PLAYER",
    "Shuts a player out: tokens are answered 401, link code and waiting ticket go, the ratings\n"
    "leave the rankings. Running games go on; name, games and events stay.\n",
};
static const struct command unban = {
    "unban",
    "PLAYER",
    "Lets a banned player in again, with the same tokens and back in the rankings.\n",
};
static const struct command rename_player = {
    "rename",
    "PLAYER",
    "Gives a player a fresh generated name, in the place of one that must not stay.\n",
};

struct arguments {
    const char *id;
    const char *reason;
    struct config config;
};

static void print_help(const struct command *command)
{
    (void)printf("usage: banzuke %s %s [OPTION]...\n\n%s\n"
                 "A server of the file is asked through its socket FILE.sock; where none runs, it\n"
                 "is done on the file itself. Each leaves a row in operator_event (view\n"
                 "operator_log).\n\n",
                 command->name, command->takes, command->what);
    (void)fputs("  --reason TEXT    kept with it, at most 200 characters\n"
                "  --db FILE        the database (banzuke.db)\n"
                "  --key-file FILE  the key (FILE.key beside the database), where no server runs\n"
                "  --help           this text\n"
                "\n"
                "exit: 0 done, 64 usage, 65 no such game or player, or nothing to be done for it\n"
                "      (it says why), or a file that is not sound, 70 internal, 73 it cannot be\n"
                "      opened or written, 74 the disk failed, 75 the server does not answer or\n"
                "      another program holds the file, 78 the key does not fit\n",
                stdout);
}

static int complain(const struct command *command, const char *what)
{
    (void)fprintf(stderr, "banzuke %s: %s\n", command->name, what);
    return EXIT_USAGE;
}

static bool set_path(char path[CONFIG_PATH_MAX], const char *text, const char *suffix)
{
    int length = snprintf(path, CONFIG_PATH_MAX, "%s%s", text, suffix);
    return length > 0 && length < CONFIG_PATH_MAX;
}

/* -1: go on; else the exit code. */
static int parse(const struct command *command, int argc, char **argv, struct arguments *arguments)
{
    enum { DB = 1, KEY_FILE, REASON, HELP };
    static const struct option options[] = {
        {"db",       required_argument, NULL, DB      },
        {"key-file", required_argument, NULL, KEY_FILE},
        {"reason",   required_argument, NULL, REASON  },
        {"help",     no_argument,       NULL, HELP    },
        {NULL,       0,                 NULL, 0       },
    };
    const char *db = "banzuke.db";
    const char *key = NULL;
    int option = 0;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case DB: db = optarg; break;
        case KEY_FILE: key = optarg; break;
        case REASON: arguments->reason = optarg; break;
        case HELP: print_help(command); return 0;
        default: return EXIT_USAGE; /* getopt has said which */
        }
    }
    if (optind + 1 != argc) {
        return complain(command, "expected one id");
    }
    arguments->id = argv[optind];
    bool fits =
        set_path(arguments->config.db_path, db, "") &&
        set_path(arguments->config.key_path, key == NULL ? db : key, key == NULL ? ".key" : "");
    return fits ? -1 : complain(command, "a path is too long");
}

/* --- without a server ----------------------------------------------------------------------------
 */

static void note_fatal(void *context, enum db_status status)
{
    atomic_int *fatal = context;
    atomic_store(fatal, storage_exit_code(status));
}

static int open_here(const struct config *config, const struct storage *storage, atomic_int *fatal,
                     struct match **match)
{
    const struct match_options options = {
        .db_path = config->db_path,
        .readers = 1,
        .offline = true,
        .on_fatal = note_fatal,
        .context = fatal,
    };
    enum db_status status = match_open(&options, &storage->env, storage->secrets, match);
    if (status == DB_OK) {
        return 0;
    }
    (void)fprintf(stderr, "banzuke: %s: %s\n", config->db_path, db_status_text(status));
    return status == DB_DENIED ? EXIT_CONFIG : storage_exit_code(status);
}

/* -1: nothing was opened and said, as somebody serves the file; else the exit code. */
static int run_here(const struct config *config, const char *line,
                    char answer[OPERATOR_ANSWER_SIZE])
{
    struct storage storage;
    struct match *match = NULL;
    atomic_int fatal = 0;
    int code = storage_open_existing(config, &storage);
    if (code == 0) {
        code = open_here(config, &storage, &fatal, &match);
    }
    if (code == 0) {
        code = operator_line_run(match, line, answer);
    }
    enum db_status closed = match_close(match);
    storage_close(&storage);
    if (atomic_load(&fatal) != 0) {
        return atomic_load(&fatal);
    }
    return code == 0 && closed != DB_OK ? storage_exit_code(closed) : code;
}

/* A server that is about to start or stop has the lock, but not the socket. */
static int run_line(const struct config *config, const char *line,
                    char answer[OPERATOR_ANSWER_SIZE])
{
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    for (int i = 0; i < RETRIES; i++) {
        if (i > 0) {
            (void)nanosleep(&pause, NULL);
        }
        int code = operators_ask(config->db_path, line, answer);
        if (code == -1) {
            code = run_here(config, line, answer);
        }
        if (code != -1) {
            return code;
        }
    }
    (void)snprintf(answer, OPERATOR_ANSWER_SIZE,
                   "%.300s is served, but nobody answers at its socket", config->db_path);
    return EXIT_OTHER_INSTANCE;
}

static int operate(const struct command *command, int argc, char **argv)
{
    struct arguments arguments = {.reason = ""};
    char line[OPERATOR_LINE_SIZE];
    char answer[OPERATOR_ANSWER_SIZE] = "";
    int code = parse(command, argc, argv, &arguments);
    if (code != -1) {
        return code;
    }
    if (!operator_line_format(command->name, arguments.id, arguments.reason, line)) {
        return complain(command, "a reason is one line of at most 200 characters");
    }
    code = run_line(&arguments.config, line, answer);
    if (answer[0] != '\0' && code == 0) {
        (void)puts(answer);
    } else if (answer[0] != '\0') {
        (void)fprintf(stderr, "banzuke %s: %s\n", command->name, answer);
    }
    return code;
}

int cli_void_game(int argc, char **argv)
{
    return operate(&void_game, argc, argv);
}

int cli_ban(int argc, char **argv)
{
    return operate(&ban, argc, argv);
}

int cli_unban(int argc, char **argv)
{
    return operate(&unban, argc, argv);
}

int cli_rename(int argc, char **argv)
{
    return operate(&rename_player, argc, argv);
}
