#include "cli.h"
#include "cli_storage.h"
#include "config.h"
#include "record_text.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "usage: banzuke record GAME_ID [OPTION]...\n"
    "\n"
    "Prints one game as text: who sat where, the rules, every move, how it ended. It is what it\n"
    "takes to play the game again and check it anywhere. The file may be served meanwhile.\n"
    "\n"
    "Three parts with an empty line between them; a line that begins with # is a comment.\n"
    "  head    lines `name: value`; options are name=value, `seat X: PLAYER_ID` (or cpu)\n"
    "  moves   a line each: ply seat move by at think_ms [captured squares...]\n"
    "  status  lines `name: value`; reason, places (in the order of the seats), resigned and\n"
    "          `eliminated X: ply N by Y` (a mate) only where the game has them\n"
    "\n"
    "  --db FILE  the database (banzuke.db)\n"
    "  --board    draw the position instead: files 9 to 1 from left to right, ranks a to i from\n"
    "             top to bottom, as moves name them; . is an empty square. In yonin each piece\n"
    "             shows where it faces and, if that is not its owner's way, whose it is; the\n"
    "             seats follow with hands and mates\n"
    "  --ply N    with --board: after N plies (all of them)\n"
    "  --help     this text\n"
    "\n"
    "exit: 0, 64 usage, 65 no such game or ply, or the file is not sound, 73 it cannot be opened,\n"
    "      74 the disk or the output failed\n";

struct arguments {
    const char *db_path;
    const char *game;
    bool board;
    long ply; /* -1: the last */
};

static int complain(int code, const char *what, const char *value)
{
    (void)fprintf(stderr, "banzuke record: %s%s\n", what, value);
    return code;
}

static bool parse_ply(const char *text, long *ply)
{
    size_t digits = strspn(text, "0123456789");
    *ply = strtol(text, NULL, 10);
    return digits > 0 && digits < 8 && text[digits] == '\0';
}

/* -1: go on; else the exit code. */
static int parse(int argc, char **argv, struct arguments *arguments)
{
    enum { DB = 1, BOARD, PLY, HELP };
    static const struct option options[] = {
        {"db",    required_argument, NULL, DB   },
        {"board", no_argument,       NULL, BOARD},
        {"ply",   required_argument, NULL, PLY  },
        {"help",  no_argument,       NULL, HELP },
        {NULL,    0,                 NULL, 0    },
    };
    int option = 0;
    while ((option = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (option) {
        case DB: arguments->db_path = optarg; break;
        case BOARD: arguments->board = true; break;
        case PLY:
            if (!parse_ply(optarg, &arguments->ply)) {
                return complain(EXIT_USAGE, "not a number of plies: ", optarg);
            }
            break;
        case HELP: (void)fputs(help, stdout); return 0;
        default: return EXIT_USAGE; /* getopt has said which */
        }
    }
    if (optind + 1 != argc) {
        return complain(EXIT_USAGE, "expected one game id; see --help", "");
    }
    arguments->game = argv[optind];
    return arguments->ply >= 0 && !arguments->board
               ? complain(EXIT_USAGE, "--ply needs --board", "")
               : -1;
}

static int fail(enum db_status status, const struct arguments *arguments)
{
    if (status == DB_NONE) {
        return complain(EXIT_DATA, "no such game: ", arguments->game);
    }
    (void)fprintf(stderr, "banzuke record: %s: %s\n", arguments->db_path, db_status_text(status));
    return storage_exit_code(status);
}

static int print_board(struct db *db, const struct arguments *arguments,
                       const struct record *record)
{
    struct game_line *line = NULL;
    struct ply_effects effects;
    size_t ply = arguments->ply < 0 ? record->move_count : (size_t)arguments->ply;
    if (ply > record->move_count) {
        (void)fprintf(stderr, "banzuke record: the game has %zu plies\n", record->move_count);
        return EXIT_DATA;
    }
    enum db_status status = line_rebuild(db, &record->game, (uint32_t)ply, &line, &effects);
    if (status != DB_OK) {
        return fail(status, arguments);
    }
    record_print_board(stdout, record, line);
    line_unref(line);
    return 0;
}

static int print(struct db *db, const struct arguments *arguments)
{
    struct record *record = NULL;
    struct game_id id;
    int code = 0;
    if (!secrets_id_parse(arguments->game, strlen(arguments->game), 'g', &id.id)) {
        return fail(DB_NONE, arguments);
    }
    enum db_status status = record_load(db, &id, &record);
    if (status != DB_OK) {
        return fail(status, arguments);
    }
    if (arguments->board) {
        code = print_board(db, arguments, record);
    } else {
        record_print(stdout, record);
    }
    record_free(record);
    if (code == 0 && (fflush(stdout) != 0 || ferror(stdout) != 0)) {
        code = complain(EXIT_STORAGE_IO, "the output failed", "");
    }
    return code;
}

int cli_record(int argc, char **argv)
{
    struct arguments arguments = {.db_path = "banzuke.db", .ply = -1};
    struct db *db = NULL;
    int code = parse(argc, argv, &arguments);
    if (code != -1) {
        return code;
    }
    assert(arguments.db_path != NULL && arguments.game != NULL);
    struct db_report report;
    enum db_status status = db_open_inspector(arguments.db_path, &db, &report);
    if (status != DB_OK) {
        return complain(storage_exit_code(status), report.text, "");
    }
    status = db_read_begin(db);
    if (status == DB_OK) {
        code = print(db, &arguments);
        db_read_end(db);
    } else {
        code = fail(status, &arguments);
    }
    db_close_inspector(db, arguments.db_path);
    return code;
}
