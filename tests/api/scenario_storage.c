#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What the process does about its file and its end: exit codes, and what is left behind. */

/* --- files that are not served -------------------------------------------------------------------
 */

static void write_file(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wbe");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(bytes, 1, length, file), length);
    cr_assert_eq(fclose(file), 0);
}

/* Size and FNV-1a hash of a file, as one number to compare. */
static unsigned long long print_of(const char *path)
{
    unsigned long long hash = 14695981039346656037ULL;
    FILE *file = fopen(path, "rbe");
    cr_assert_not_null(file);
    for (int byte = fgetc(file); byte != EOF; byte = fgetc(file)) {
        hash = (hash ^ (unsigned)byte) * 1099511628211ULL;
    }
    (void)fclose(file);
    return hash;
}

/* The file is refused with this exit code and left as it is. */
static void expect_refused(struct process *server, int code, const char *what)
{
    char line[512] = "";
    unsigned long long before = print_of(server->db);
    cr_expect_eq(process_start_fails(server, NULL), code, "%s", what);
    cr_expect_eq(print_of(server->db), before, "%s: the file was changed", what);
    FILE *log = fopen(server->log, "re");
    cr_assert_not_null(log);
    cr_expect_not_null(fgets(line, sizeof line, log), "%s: no reason given", what);
    cr_expect_not_null(strstr(line, "banzuke: "), "%s: %s", what, line);
    (void)fclose(log);
}

/* A file with a finished game in it, and no server. */
static struct process *played_file(void)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    struct answer answer = expect(200, device_resign(a, pairing.game));
    answer_free(&answer);
    device_free(a);
    device_free(b);
    cr_assert_eq(process_stop(server), 0);
    return server;
}

/* SQL into a file that is not there, or not served. */
static void run_sql(const char *path, const char *sql)
{
    char command[256];
    (void)snprintf(command, sizeof command, "sqlite3 '%s' '%s'", path, sql);
    cr_assert_eq(system(command), 0, "%s", command);
}

Test(scenario_storage, a_foreign_file_is_refused_and_not_touched)
{
    static const char text[] = "This is no database at all, but somebody may want it.\n";
    struct process *server = process_folder();
    write_file(server->db, text, sizeof text - 1);
    expect_refused(server, 65, "text");
    (void)unlink(server->db);
    run_sql(server->db, "PRAGMA application_id = 7; CREATE TABLE bookmark (url TEXT)");
    expect_refused(server, 65, "the database of another application");
    (void)unlink(server->db);
    run_sql(server->db, "CREATE TABLE player (name TEXT)");
    expect_refused(server, 65, "a database without an owner");
    process_free(server);
}

Test(scenario_storage, a_newer_file_is_refused_and_not_touched)
{
    struct process *server = played_file();
    run_sql(server->db, "PRAGMA user_version = 999");
    expect_refused(server, 65, "newer");
    process_free(server);
}

Test(scenario_storage, a_damaged_file_is_refused_and_not_touched)
{
    enum { PAGE = 4096 };
    static char bytes[1 << 20];
    struct process *server = played_file();
    FILE *file = fopen(server->db, "rbe");
    cr_assert_not_null(file);
    size_t length = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    cr_assert(length > 8 * (size_t)PAGE && length < sizeof bytes);

    write_file(server->db, bytes, 100);
    expect_refused(server, 65, "the header alone");
    write_file(server->db, bytes, length / 2);
    expect_refused(server, 65, "half of it");
    memset(bytes + 2 * (size_t)PAGE, 0x5a, 3 * (size_t)PAGE);
    write_file(server->db, bytes, length);
    expect_refused(server, 65, "three pages smashed");
    process_free(server);
}

static size_t count_files(const struct process *server)
{
    size_t files = 0;
    DIR *folder = opendir(server->folder);
    cr_assert_not_null(folder);
    for (struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
        files += entry->d_name[0] != '.';
    }
    (void)closedir(folder);
    return files;
}

/* The one line that a start which came to nothing has left; false: none, or more. */
static bool only_line(const struct process *server, char *line, size_t size)
{
    char more[16];
    FILE *log = fopen(server->log, "re");
    cr_assert_not_null(log);
    bool only = fgets(line, (int)size, log) != NULL && fgets(more, sizeof more, log) == NULL;
    (void)fclose(log);
    return only;
}

Test(scenario_storage, the_wal_of_a_killed_server_whose_file_was_removed_is_65)
{
    char line[512] = "";
    char path[128];
    struct process *server = process_new(NULL);
    device_free(device_new(server));
    process_kill(server);
    cr_assert_eq(unlink(server->db), 0);
    cr_expect_eq(process_start_fails(server, NULL), 65);
    cr_expect(only_line(server, line, sizeof line));
    cr_expect_not_null(strstr(line, "its -wal is there"), "%s", line);
    cr_expect_neq(access(server->db, F_OK), 0, "no file was made");
    (void)snprintf(path, sizeof path, "%s-wal", server->db);
    cr_expect_eq(access(path, F_OK), 0, "the WAL is still there");
    process_free(server);
}

Test(scenario_storage, a_file_or_folder_that_cannot_be_written_is_73)
{
    struct process *server = played_file();
    cr_assert_eq(chmod(server->db, 0400), 0);
    expect_refused(server, 73, "a read-only file");
    cr_assert_eq(chmod(server->db, 0600), 0);
    cr_assert_eq(chmod(server->folder, 0500), 0);
    cr_expect_eq(process_start_fails(server, NULL), 73);
    cr_assert_eq(chmod(server->folder, 0700), 0);
    process_free(server);
}

Test(scenario_storage, another_key_or_none_is_a_matter_of_configuration)
{
    char key[160];
    struct process *server = played_file();
    (void)snprintf(key, sizeof key, "%s.key", server->db);
    cr_assert_eq(chmod(key, 0644), 0);
    expect_refused(server, 78, "a key that others can read");
    cr_assert_eq(unlink(key), 0);
    expect_refused(server, 78, "no key");
    const char *const arguments[] = {"--listen", "256.0.0.1:0", NULL};
    cr_expect_eq(process_start_fails(server, arguments), 64);
    process_free(server);
}

Test(scenario_storage, a_start_that_is_killed_while_it_makes_the_key_leaves_nothing_of_it)
{
    static const char *const faults[] = {"kill:key_unnamed:1", "kill:key_named_twice:1"};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        char key[160];
        char draft[168];
        struct stat facts;
        struct process *server = process_folder();
        (void)snprintf(key, sizeof key, "%s.key", server->db);
        (void)snprintf(draft, sizeof draft, "%s.new", key);
        cr_assert_eq(setenv("BANZUKE_FAULT", faults[i], 1), 0);
        cr_expect_eq(process_start_fails(server, NULL), -SIGKILL);
        cr_assert_eq(unsetenv("BANZUKE_FAULT"), 0);
        cr_assert_eq(lstat(draft, &facts), 0, "%s", faults[i]);
        process_start(server, NULL, NULL);
        cr_expect_neq(lstat(draft, &facts), 0, "%s", faults[i]);
        cr_assert_eq(stat(key, &facts), 0);
        cr_expect_eq(facts.st_nlink, 1, "%s", faults[i]);
        cr_expect_eq(facts.st_mode & 07777, 0600);
        process_free(server);
    }
}

Test(scenario_storage, a_port_in_use_is_said_before_any_file_is_made_or_looked_at)
{
    char line[512] = "";
    char address[32];
    struct process *first = process_new(NULL);
    struct process *second = process_folder();
    const char *const arguments[] = {"--listen", address, NULL};
    (void)snprintf(address, sizeof address, "127.0.0.1:%d", first->port);
    cr_expect_eq(process_start_fails(second, arguments), 78);
    cr_expect(only_line(second, line, sizeof line));
    cr_expect_not_null(strstr(line, "banzuke: cannot listen on 127.0.0.1 port "), "%s", line);
    cr_expect_not_null(strstr(line, "in use"), "%s", line);
    cr_expect_eq(count_files(second), 1, "there is the log only");
    process_free(second);
    process_free(first);
}

Test(scenario_storage, what_was_stored_is_served_again_after_a_restart)
{
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    char waiting[32];
    char path[96];
    struct pairing pairing = device_pair(a, b);
    struct answer before = expect(201, device_move(pairing.seats[0], pairing.game, 1, "5i5e"));
    device_queue(a, waiting);
    cr_assert_eq(process_stop(server), 0);
    process_start(server, NULL, NULL);
    struct client *client = client_new(server->origin);
    (void)snprintf(path, sizeof path, "/v1/games/%s", pairing.game);
    struct answer after = expect(200, client_get(client, path, NULL));
    cr_assert_str_eq(answer_text(&after, "position"), answer_text(&before, "game.position"));
    answer_free(&after);
    (void)snprintf(path, sizeof path, "/v1/tickets/%s", waiting);
    after = expect(200, client_get(client, path, a->token));
    cr_assert_str_eq(answer_text(&after, "status"), "waiting");
    answer_free(&after);
    answer_free(&before);
    client_free(client);
    device_free(a);
    device_free(b);
    process_free(server);
}

/* --- one file, one server ------------------------------------------------------------------------
 */

Test(scenario_storage, a_second_server_on_the_file_leaves_at_once_and_the_first_goes_on)
{
    struct process *first = process_new(NULL);
    struct process *second = process_folder();
    struct device *device = device_new(first);
    const char *const arguments[] = {"--db", first->db, NULL};
    long long begin = test_now_ms();
    cr_assert_eq(process_start_fails(second, arguments), 75);
    cr_assert_lt(test_now_ms() - begin, 5000 + TEST_STALL_MS);
    struct device *other = device_new(first);
    (void)device_pair(device, other);
    device_free(device);
    device_free(other);
    process_free(second);
    process_free(first);
}

Test(scenario_storage, the_lock_of_a_killed_server_does_not_keep_the_next_one_out)
{
    struct process *server = process_new(NULL);
    process_kill(server);
    process_start(server, NULL, NULL);
    process_free(server);
}

Test(scenario_storage, a_file_that_was_moved_away_ends_the_service_without_a_lie)
{
    char path[160];
    struct process *server = process_new(NULL);
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    (void)snprintf(path, sizeof path, "%s/moved.db", server->folder);
    cr_assert_eq(rename(server->db, path), 0);
    struct answer answer = device_move(pairing.seats[0], pairing.game, 1, "5i5e");
    cr_expect_eq(answer.status, 503, "%ld", answer.status);
    answer_free(&answer);
    cr_expect_eq(process_wait(server), 74);
    char text[32];
    (void)snprintf(server->db, sizeof server->db, "%.80s/moved.db", server->folder);
    process_sql(server, "SELECT count(*) FROM move", text, sizeof text);
    cr_expect_str_eq(text, "0", "what was refused is not stored");
    device_free(a);
    device_free(b);
    process_free(server);
}

/* The index that games are found in becomes noise while the file is served. */
Test(scenario_storage, damage_that_is_met_in_reading_ends_the_service)
{
    char text[32];
    unsigned char noise[4096];
    struct process *server = process_new(NULL);
    struct client *client = client_new(server->origin);
    process_sql(server, "SELECT rootpage FROM sqlite_schema WHERE name = 'sqlite_autoindex_game_1'",
                text, sizeof text);
    memset(noise, 0xa5, sizeof noise);
    int file = open(server->db, O_WRONLY | O_CLOEXEC);
    cr_assert_eq(pwrite(file, noise, sizeof noise, (strtol(text, NULL, 10) - 1) * 4096), 4096);
    (void)close(file);
    expect_problem(503, "integrity",
                   client_get(client, "/v1/games/g_00000000000000000000000000", NULL));
    cr_expect_eq(process_wait(server), 65);
    client_free(client);
    process_free(server);
}

/* What it acknowledged is in the WAL; a limit keeps it from being written behind the first pages of
 * the file. */
Test(scenario_storage, an_end_that_leaves_the_file_behind_its_wal_is_no_orderly_one)
{
    static char text[1 << 16];
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    (void)snprintf(text, sizeof text, "prlimit --pid %d --fsize=8192", (int)server->pid);
    cr_assert_eq(system(text), 0);
    cr_expect_eq(process_stop(server), 73);
    FILE *log = fopen(server->log, "re");
    cr_assert_not_null(log);
    text[fread(text, 1, sizeof text - 1, log)] = '\0';
    (void)fclose(log);
    cr_expect_not_null(strstr(text, "\"event\":\"storage_failed\""), "%s", text);
    process_start(server, NULL, NULL);
    process_sql(server, "SELECT count(*) FROM player", text, sizeof text);
    cr_expect_str_eq(text, "1", "nothing is lost");
    device_free(device);
    process_free(server);
}

static bool log_says(const struct process *server, const char *what)
{
    static char text[1 << 16];
    FILE *log = fopen(server->log, "re");
    cr_assert_not_null(log);
    text[fread(text, 1, sizeof text - 1, log)] = '\0';
    (void)fclose(log);
    return strstr(text, what) != NULL;
}

/* As after an hour that was taken back from the clock of the machine. */
Test(scenario_storage, a_clock_that_was_set_back_is_said_once_at_the_start_and_time_goes_on)
{
    static const char warning[] = "\"event\":\"warning\"";
    char before[32];
    char after[32];
    struct process *server = process_new(NULL);
    cr_expect_not(log_says(server, warning));
    process_control(server, "advance 3600000");
    device_free(device_new(server));
    cr_assert_eq(process_stop(server), 0);
    process_sql(server, "SELECT last_stamp_ms FROM server", before, sizeof before);
    process_start(server, NULL, NULL);
    cr_expect(log_says(server, warning));
    cr_expect(log_says(server, "ms behind the last time that was stored"));
    device_free(device_new(server));
    process_sql(server, "SELECT max(created_at_ms) FROM player", after, sizeof after);
    cr_expect_geq(strtoll(after, NULL, 10), strtoll(before, NULL, 10));
    process_free(server);
}

/* --- the end under load --------------------------------------------------------------------------
 */

enum { PLAYERS = 16 };

struct load {
    pthread_t thread;
    const struct process *server;
    atomic_uint *acknowledged;
    atomic_uint *refused;
    atomic_bool *stop;
};

/* Registers players until told to stop or the server is gone; counts what was acknowledged. */
static void *register_players(void *context)
{
    struct load *load = context;
    struct client *client = client_new(load->server->origin);
    bool alive = true;
    while (alive && !atomic_load(load->stop)) {
        struct answer answer =
            client_try(client, &(struct call){.method = "POST", .path = "/v1/devices"});
        atomic_fetch_add(load->acknowledged, answer.status == 201);
        atomic_fetch_add(load->refused, answer.status == 503);
        alive = answer.status == 201 || answer.status == 503;
        answer_free(&answer);
    }
    client_free(client);
    return NULL;
}

Test(scenario_storage, a_signal_under_load_ends_in_order_and_loses_nothing_acknowledged)
{
    enum { ENOUGH = 50 };
    struct load loads[PLAYERS];
    atomic_uint acknowledged = 0;
    atomic_uint refused = 0;
    atomic_bool stop = false;
    char text[160];
    struct process *server = process_new(NULL);
    for (size_t i = 0; i < PLAYERS; i++) {
        loads[i] = (struct load){
            .server = server, .acknowledged = &acknowledged, .refused = &refused, .stop = &stop};
        cr_assert_eq(pthread_create(&loads[i].thread, NULL, register_players, &loads[i]), 0);
    }
    while (atomic_load(&acknowledged) < ENOUGH) {
        test_pause_ms(10);
    }
    long long begin = test_now_ms();
    cr_assert_eq(process_stop(server), 0);
    cr_assert_lt(test_now_ms() - begin, 5000 + TEST_STALL_MS);
    atomic_store(&stop, true);
    for (size_t i = 0; i < PLAYERS; i++) {
        (void)pthread_join(loads[i].thread, NULL);
    }
    (void)snprintf(text, sizeof text, "%s-wal", server->db);
    struct stat wal;
    cr_assert(stat(text, &wal) != 0 || wal.st_size == 0, "the WAL is %lld bytes",
              (long long)wal.st_size);
    process_sql(server, "SELECT count(*) FROM player", text, sizeof text);
    cr_assert_geq(strtoul(text, NULL, 10), atomic_load(&acknowledged));
    process_verify(server);
    process_free(server);
}
