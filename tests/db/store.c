#include "store.h"

#include "db/migrations.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each test runs in a process of its own, so these belong to one test. */
static char folder[64];
static char database[96];

void store_enter(void)
{
    (void)snprintf(folder, sizeof folder, "/tmp/banzuke-db-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    (void)snprintf(database, sizeof database, "%s/banzuke.db", folder);
}

void store_leave(void)
{
    DIR *listing = opendir(folder);
    cr_assert_not_null(listing);
    for (struct dirent *entry = readdir(listing); entry != NULL; entry = readdir(listing)) {
        if (entry->d_name[0] != '.') {
            (void)remove(store_file(entry->d_name));
        }
    }
    (void)closedir(listing);
    cr_expect_eq(rmdir(folder), 0);
}

const char *store_path(void)
{
    return database;
}

const char *store_file(const char *name)
{
    static char path[sizeof folder + 300];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void store_prepare(enum db_status expected, struct db_report *report)
{
    struct db_lock *lock = NULL;
    bool check_later = true;
    enum db_status status = db_prepare(database, STORE_NOW_MS, &lock, &check_later, report);
    cr_assert_eq(status, expected, "%s: %s", db_status_text(status), report->text);
    cr_assert_eq(lock != NULL, status == DB_OK);
    if (status == DB_OK) {
        cr_assert(!check_later);
    } else {
        cr_assert_not_null(strstr(report->text, folder), "the file is named: %s", report->text);
        cr_assert_null(strchr(report->text, '\n'));
    }
    db_unlock(lock);
}

void store_at(int version)
{
    char record[256];
    sqlite3 *foreign = foreign_open(database);
    for (size_t i = 0; i < migration_count && migrations[i].version <= version; i++) {
        foreign_run(foreign, migrations[i].sql);
        (void)snprintf(record, sizeof record,
                       "INSERT INTO schema_migration VALUES (%d, '%s', '%s', 5);"
                       "PRAGMA user_version = %d",
                       migrations[i].version, migrations[i].name, migrations[i].sha256,
                       migrations[i].version);
        foreign_run(foreign, record);
    }
    (void)snprintf(record, sizeof record, "PRAGMA application_id = %d", DB_APPLICATION_ID);
    foreign_run(foreign, record);
    foreign_run(foreign,
                "INSERT INTO player (player_no, player_id, name, created_at_ms)"
                " VALUES (1, 'p_00000000000000000000000001', 'aki', 7);"
                "INSERT INTO game (game_no, game_id, game, pool, rated, options, turn_seconds,"
                " player_set, status, position, ply, turn, seq, created_at_ms)"
                " VALUES (1, 'g_00000000000000000000000001', 'hasami', 'hasami', 1, '', 30, '1,1',"
                " 'playing', '', 0, 'b', 0, 8);"
                "INSERT INTO seat (game_no, seat_no, seat, player_no, rating_milli, control, place)"
                " VALUES (1, 0, 'b', 1, 1500000, 'player', NULL),"
                " (1, 1, 'w', 1, 1500000, 'player', NULL)");
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
}

struct db *store_open(void)
{
    struct db_report report;
    struct db *db = NULL;
    store_prepare(DB_OK, &report);
    cr_assert_eq(db_connect(database, DB_MODE_WRITER, &db), DB_OK);
    cr_assert_eq(db_begin_immediate(db), DB_OK);
    return db;
}

void store_close(struct db *db)
{
    if (db_in_transaction(db)) {
        cr_assert_eq(db_commit(db), DB_OK);
    }
    db_close(db);
}

uint64_t store_print(const char *path)
{
    uint64_t print = UINT64_C(0xcbf29ce484222325);
    unsigned char bytes[4096];
    ssize_t got = 0;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return 0;
    }
    while ((got = read(descriptor, bytes, sizeof bytes)) > 0) {
        for (ssize_t i = 0; i < got; i++) {
            print = (print ^ bytes[i]) * UINT64_C(0x100000001b3);
        }
    }
    cr_assert_eq(got, 0);
    (void)close(descriptor);
    return print;
}

bool store_exists(const char *name)
{
    struct stat found;
    return lstat(store_file(name), &found) == 0;
}

void store_write(const char *path, const void *bytes, size_t count)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    cr_assert_geq(descriptor, 0);
    cr_assert_eq(write(descriptor, bytes, count), (ssize_t)count);
    (void)close(descriptor);
}

/* --- a foreign program ---------------------------------------------------------------------------
 */

sqlite3 *foreign_open(const char *path)
{
    sqlite3 *foreign = NULL;
    cr_assert_eq(sqlite3_open(path, &foreign), SQLITE_OK);
    return foreign;
}

int foreign_try(sqlite3 *foreign, const char *sql, char **message)
{
    return sqlite3_exec(foreign, sql, NULL, NULL, message);
}

void foreign_run(sqlite3 *foreign, const char *sql)
{
    char *message = NULL;
    int result = foreign_try(foreign, sql, &message);
    cr_assert_eq(result, SQLITE_OK, "%s: %s", sql, message);
}

int64_t foreign_int(sqlite3 *foreign, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(foreign, sql, -1, &statement, NULL);
    cr_assert_eq(result, SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(foreign));
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW, "%s", sql);
    int64_t number = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    return number;
}

/* --- rows ----------------------------------------------------------------------------------------
 */

int64_t store_player(struct db *db, const char *name)
{
    struct db_player player = {.has_name = true, .created_at_ms = STORE_NOW_MS};
    (void)snprintf(player.id.id.text, sizeof player.id.id.text, "p_%26s", name);
    for (char *c = strchr(player.id.id.text, ' '); c != NULL; c = strchr(c, ' ')) {
        *c = '0';
    }
    (void)snprintf(player.name, sizeof player.name, "%s", name);
    cr_assert_eq(db_player_insert(db, &player), DB_OK);
    cr_assert_gt(player.player_no, 0);
    return player.player_no;
}

static void seat(struct db *db, int64_t game_no, uint8_t seat_no, int64_t player_no)
{
    struct db_seat row = {
        .game_no = game_no,
        .seat_no = seat_no,
        .seat = {seat_no == 0 ? 'b' : 'w', '\0'},
        .player_no = player_no,
        .has_rating = true,
        .rating_milli = 1500000
    };
    cr_assert_eq(db_seat_insert(db, &row), DB_OK);
}

int64_t store_game(struct db *db, int64_t first, int64_t second)
{
    struct db_game game = {.game = "hasami",
                           .pool = "hasami",
                           .rated = true,
                           .options = "win_condition=capture_5",
                           .turn_seconds = 30,
                           .status = "playing",
                           .position = "start",
                           .turn = "b",
                           .created_at_ms = STORE_NOW_MS};
    unsigned char salt[8];
    sqlite3_randomness(sizeof salt, salt);
    uint64_t number = 0;
    memcpy(&number, salt, sizeof number);
    (void)snprintf(game.id.id.text, sizeof game.id.id.text, "g_%026" PRIu64, number);
    (void)snprintf(game.player_set, sizeof game.player_set, "%" PRId64 ",%" PRId64, first, second);
    cr_assert_eq(db_game_insert(db, &game), DB_OK);
    seat(db, game.game_no, 0, first);
    seat(db, game.game_no, 1, second);
    return game.game_no;
}

struct db_move store_move(int64_t game_no, uint32_t ply)
{
    return (struct db_move){
        .game_no = game_no,
        .ply = ply,
        .seq = ply,
        .seat = {ply % 2 == 1 ? 'b' : 'w', '\0'},
        .move = "9i8i",
        .captured = "5e 5f",
        .at_ms = STORE_NOW_MS + ply,
        .think_ms = 250
    };
}

void store_play(struct db *db, int64_t game_no, uint32_t ply)
{
    struct db_move move = store_move(game_no, ply);
    struct db_game game = {.game_no = game_no, .position = "later", .ply = ply, .seq = ply};
    game.turn[0] = ply % 2 == 1 ? 'w' : 'b';
    cr_assert_eq(db_move_insert(db, &move), DB_OK);
    cr_assert_eq(db_game_advance(db, &game, ply - 1), DB_OK);
}

void store_finish(struct db *db, int64_t game_no)
{
    struct db_game game;
    cr_assert_eq(db_game_load(db, game_no, &game), DB_OK);
    struct db_event event = {
        .game_no = game_no, .seq = game.seq + 1, .type = "finished", .at_ms = STORE_NOW_MS + 99};
    cr_assert_eq(db_event_insert(db, &event), DB_OK);
    cr_assert_eq(db_seat_place(db, game_no, 0, 1), DB_OK);
    cr_assert_eq(db_seat_place(db, game_no, 1, 2), DB_OK);
    game = (struct db_game){.game_no = game_no,
                            .status = "finished",
                            .seq = game.seq + 1,
                            .end_reason = "capture",
                            .rating_status = "applied",
                            .finished_at_ms = STORE_NOW_MS + 99};
    cr_assert_eq(db_game_finish(db, &game), DB_OK);
}

void store_rating(struct db *db, int64_t player_no, enum db_list list, int64_t rating_milli)
{
    struct db_rating rating = {
        .player_no = player_no,
        .pool = "hasami",
        .rating_milli = rating_milli,
        .list = list,
        .games = 6,
        .wins = 3,
        .draws = 2,
        .losses = 1,
        .places = {3, 3, 0, 0},
        .last_game_at_ms = STORE_NOW_MS
    };
    cr_assert_eq(db_rating_store(db, &rating), DB_OK);
}
