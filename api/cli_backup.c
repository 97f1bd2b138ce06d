#include "cli.h"
#include "cli_storage.h"
#include "db/maintenance.h"
#include "match/env.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

static const char help[] =
    "usage: banzuke backup --to FILE [OPTION]...\n"
    "\n"
    "Copies the database, which may be served meanwhile: everything that was answered before the\n"
    "copy began is in it. The copy is one file (0600), checked by quick_check and\n"
    "foreign_key_check and on the disk before it gets its name; an existing file is never\n"
    "replaced. Cut off, there is at most a file FILE.part-NUMBER, which the next backup to FILE\n"
    "removes.\n"
    "\n"
    "The key (FILE.key beside the database) is never copied: keep a copy of it elsewhere, as a\n"
    "restored database is served with it only.\n"
    "\n"
    "  --to FILE        the copy\n"
    "  --db FILE        the database (banzuke.db)\n"
    "  --help           this text\n"
    "\n"
    "To restore: stop the service, put the copy in the place of the database, remove the\n"
    "database's -wal and -shm, start. Copying the database file with cp loses what is in its\n"
    "-wal only.\n"
    "\n"
    "exit: 0 copied and checked, 64 usage, 65 damaged, foreign or newer file, 70 internal,\n"
    "      73 it cannot be opened, or the copy cannot be made, 74 the disk failed,\n"
    "      75 another program holds it\n";

struct arguments {
    const char *db_path;
    const char *to;
};

/* -1: go on; else the exit code. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
    enum { DB = 1, TO, HELP };
    static const struct option options[] = {
        {"db",   required_argument, NULL, DB  },
        {"to",   required_argument, NULL, TO  },
        {"help", no_argument,       NULL, HELP},
        {NULL,   0,                 NULL, 0   },
    };
    int option = 0;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case DB: arguments->db_path = optarg; break;
        case TO: arguments->to = optarg; break;
        case HELP: (void)fputs(help, stdout); return 0;
        default: return EXIT_USAGE; /* getopt has said which */
        }
    }
    if (optind < argc) {
        (void)fprintf(stderr, "banzuke backup: unexpected argument %s\n", argv[optind]);
        return EXIT_USAGE;
    }
    if (arguments->to == NULL || arguments->to[0] == '\0') {
        (void)fputs("banzuke backup: --to is missing\n", stderr);
        return EXIT_USAGE;
    }
    return -1;
}

static void print_copy(const struct arguments *arguments, const struct db_copy *copy)
{
    (void)printf("%s: copied to %s: schema %d, %" PRId64 " bytes, checked\n", arguments->db_path,
                 arguments->to, copy->schema_version, copy->bytes);
    if (copy->has_link) {
        (void)printf("chain: %" PRId64 ":", copy->link.link);
        for (size_t i = 0; i < sizeof copy->link.hash; i++) {
            (void)printf("%02x", copy->link.hash[i]);
        }
        (void)putchar('\n');
    }
    (void)puts("the key is not in it: keep a copy of the key file elsewhere");
}

int cli_backup(int argc, char **argv)
{
    struct arguments arguments = {.db_path = "banzuke.db"};
    struct db_copy copy;
    struct db_report report;
    int code = parse(argc, argv, &arguments);
    if (code != -1) {
        return code;
    }
    enum db_status status =
        db_backup(arguments.db_path, arguments.to, env_utc_ms(), &copy, &report);
    if (status != DB_OK) {
        const char *why = report.text[0] != '\0' ? report.text : db_status_text(status);
        (void)fprintf(stderr, "banzuke backup: %s\n", why);
        return storage_exit_code(status);
    }
    print_copy(&arguments, &copy);
    return 0;
}
