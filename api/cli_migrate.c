#include "cli.h"
#include "cli_storage.h"
#include "db/maintenance.h"
#include "match/env.h"

#include <getopt.h>
#include <stdio.h>

static const char help[] =
    "usage: banzuke migrate [OPTION]...\n"
    "\n"
    "Brings the schema of a database file to this build's, each migration in one transaction, and\n"
    "says from what to what. Before that the file is copied to FILE.before-NNNN, NNNN being the\n"
    "first migration to come; an earlier copy of that name is replaced. `banzuke serve` does the\n"
    "same at its start. Not while the file is served.\n"
    "\n"
    "  --db FILE        the database (banzuke.db)\n"
    "  --help           this text\n"
    "\n"
    "exit: 0 up to date now, or before, 64 usage, 65 damaged, foreign or newer file, 70 internal,\n"
    "      73 no such file, or it or the copy cannot be written, 74 the disk failed,\n"
    "      75 a server or another program holds it\n";

/* -1: go on; else the exit code. */
static int parse(int argc, char **argv, const char **db_path)
{
    enum { DB = 1, HELP };
    static const struct option options[] = {
        {"db",   required_argument, NULL, DB  },
        {"help", no_argument,       NULL, HELP},
        {NULL,   0,                 NULL, 0   },
    };
    int option = 0;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case DB: *db_path = optarg; break;
        case HELP: (void)fputs(help, stdout); return 0;
        default: return EXIT_USAGE; /* getopt has said which */
        }
    }
    if (optind < argc) {
        (void)fprintf(stderr, "banzuke migrate: unexpected argument %s\n", argv[optind]);
        return EXIT_USAGE;
    }
    return -1;
}

int cli_migrate(int argc, char **argv)
{
    const char *db_path = "banzuke.db";
    struct db_lock *lock = NULL;
    struct db_report report;
    int code = parse(argc, argv, &db_path);
    if (code != -1) {
        return code;
    }
    enum db_status status = db_prepare_existing(db_path, env_utc_ms(), true, &lock, &report);
    if (status != DB_OK) {
        const char *why = report.text[0] != '\0' ? report.text : db_status_text(status);
        (void)fprintf(stderr, "banzuke migrate: %s\n", why);
        return storage_exit_code(status);
    }
    if (report.text[0] != '\0') {
        (void)puts(report.text);
    } else {
        (void)printf("%s: the schema is this build's; nothing to do\n", db_path);
    }
    db_unlock(lock);
    return 0;
}
