#include "cli.h"
#include "config.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
} commands[] = {
    {"serve",     cli_serve,     "the service; see `banzuke serve --help`"                          },
    {"migrate",   cli_migrate,   "brings a database file to this build's schema"                    },
    {"backup",    cli_backup,    "copies the database, also while it is served"                     },
    {"verify",    cli_verify,    "replays every game and recomputes every result and rating"        },
    {"void-game", cli_void_game, "takes the result of a rated game back"                            },
    {"ban",       cli_ban,       "shuts a player out"                                               },
    {"unban",     cli_unban,     "lets a banned player in again"                                    },
    {"rename",    cli_rename,    "gives a player a fresh generated name"                            },
    {"record",    cli_record,    "prints one game as text, or draws a position of it"               },
    {"perft",     cli_perft,     "counts move sequences"                                            },
    {"engine",    cli_engine,    "answers questions about the rules, JSON Lines on stdin and stdout"},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

static void print_usage(FILE *out)
{
    (void)fputs("usage: banzuke COMMAND [OPTION]...\n\n", out);
    for (size_t i = 0; i < COMMANDS; i++) {
        (void)fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].what);
    }
    (void)fputs("\n  --help, --version\n", out);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(name, commands[i].name) == 0) {
            return commands[i].run(argc - 1, argv + 1);
        }
    }
    if (strcmp(name, "--help") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(name, "--version") == 0) {
        (void)puts("banzuke " BANZUKE_VERSION);
        return 0;
    }
    print_usage(stderr);
    return EXIT_USAGE;
}
