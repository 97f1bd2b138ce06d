#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* `banzuke migrate` and `banzuke backup` as an operator meets them. */

static char output[4096];

static int run(struct process *server, const char *arguments)
{
    return process_run(server, arguments, output, sizeof output);
}

static void expect_said(const char *text)
{
    cr_expect_not_null(strstr(output, text), "expected \"%s\" in:\n%s", text, output);
}

/* --- migrate -------------------------------------------------------------------------------------
 */

Test(scenario_backup, migrate_says_when_there_is_nothing_to_do)
{
    struct process *server = process_new(NULL);
    cr_expect_eq(run(server, "migrate"), 75);
    expect_said("another banzuke serves this file");
    cr_assert_eq(process_stop(server), 0);
    cr_expect_eq(run(server, "migrate --db banzuke.db"), 0);
    cr_expect_str_eq(output, "banzuke.db: the schema is this build's; nothing to do\n");
    cr_expect_eq(run(server, "migrate --db other.db"), 73);
    cr_expect_str_eq(output, "banzuke migrate: other.db: No such file or directory\n");
    cr_expect_eq(run(server, "migrate banzuke.db"), 64);
    cr_expect_eq(run(server, "migrate --to x"), 64);
    cr_expect_eq(run(server, "migrate --help"), 0);
    expect_said("usage: banzuke migrate");
    process_free(server);
}

/* --- backup --------------------------------------------------------------------------------------
 */

enum { CLIENTS = 8, PLAYERS_MAX = 20000 };

struct crowd {
    const struct process *server;
    pthread_mutex_t lock;
    char (*players)[32]; /* acknowledged, in order */
    size_t count;
    atomic_bool stop;
};

static void *register_players(void *context)
{
    struct crowd *crowd = context;
    struct client *client = client_new(crowd->server->origin);
    while (!atomic_load(&crowd->stop)) {
        struct answer answer = expect(201, client_post(client, "/v1/devices", NULL, "{}"));
        pthread_mutex_lock(&crowd->lock);
        cr_assert_lt(crowd->count, PLAYERS_MAX);
        (void)snprintf(crowd->players[crowd->count++], 32, "%s", answer_text(&answer, "player.id"));
        pthread_mutex_unlock(&crowd->lock);
        answer_free(&answer);
    }
    client_free(client);
    return NULL;
}

static size_t acknowledged(struct crowd *crowd)
{
    pthread_mutex_lock(&crowd->lock);
    size_t count = crowd->count;
    pthread_mutex_unlock(&crowd->lock);
    return count;
}

static void wait_for(struct crowd *crowd, size_t count)
{
    struct timespec pause = {.tv_nsec = 5000000};
    while (acknowledged(crowd) < count) {
        (void)nanosleep(&pause, NULL);
    }
}

static void expect_players(const char *path, const struct crowd *crowd, size_t count)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    cr_assert_eq(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    cr_assert_eq(
        sqlite3_prepare_v2(db, "SELECT 1 FROM player WHERE player_id = ?", -1, &statement, NULL),
        SQLITE_OK);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(sqlite3_bind_text(statement, 1, crowd->players[i], -1, SQLITE_STATIC), 0);
        cr_expect_eq(sqlite3_step(statement), SQLITE_ROW, "%s is missing", crowd->players[i]);
        (void)sqlite3_reset(statement);
    }
    (void)sqlite3_finalize(statement);
    cr_assert_eq(sqlite3_close(db), SQLITE_OK);
}

static void play_a_game(struct process *server)
{
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct pairing pairing = device_pair(a, b);
    struct answer answer = expect(200, device_resign(pairing.seats[0], pairing.game));
    answer_free(&answer);
    device_free(a);
    device_free(b);
}

Test(scenario_backup, a_backup_under_load_has_all_that_was_acknowledged_before_it_began)
{
    static char players[PLAYERS_MAX][32];
    struct process *server = process_new(NULL);
    struct crowd crowd = {.server = server, .lock = PTHREAD_MUTEX_INITIALIZER, .players = players};
    pthread_t threads[CLIENTS];
    char path[128];
    play_a_game(server);
    for (size_t i = 0; i < CLIENTS; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, register_players, &crowd), 0);
    }
    for (int i = 1; i <= 3; i++) {
        char command[64];
        wait_for(&crowd, (size_t)i * 100);
        size_t before = acknowledged(&crowd);
        (void)snprintf(command, sizeof command, "backup --to copy%d.db", i);
        cr_assert_eq(run(server, command), 0, "%s", output);
        (void)snprintf(path, sizeof path, "%s/copy%d.db", server->folder, i);
        expect_players(path, &crowd, before);
    }
    size_t during = acknowledged(&crowd);
    wait_for(&crowd, during + 20);
    atomic_store(&crowd.stop, true);
    for (size_t i = 0; i < CLIENTS; i++) {
        cr_assert_eq(pthread_join(threads[i], NULL), 0);
    }
    cr_expect_eq(run(server, "verify --db copy3.db --key-file banzuke.db.key"), 0, "%s", output);
    expect_said("1 games");
    expect_players(server->db, &crowd, crowd.count);
    process_free(server);
}

Test(scenario_backup, a_backup_is_private_whole_and_never_has_the_key)
{
    struct stat found;
    char path[128];
    struct process *server = process_new(NULL);
    play_a_game(server);
    cr_assert_eq(run(server, "backup --to copy.db"), 0, "%s", output);
    expect_said("banzuke.db: copied to copy.db: schema ");
    expect_said("\nchain: 1:");
    expect_said("\nthe key is not in it: keep a copy of the key file elsewhere\n");
    (void)snprintf(path, sizeof path, "%s/copy.db", server->folder);
    cr_assert_eq(stat(path, &found), 0);
    cr_expect_eq(found.st_mode & 07777, 0600);
    cr_expect_eq(run(server, "backup --to copy.db"), 73);
    cr_expect_str_eq(output, "banzuke backup: copy.db: exists, and a backup replaces nothing\n");
    cr_expect_eq(run(server, "verify --db copy.db --key-file banzuke.db.key"), 0, "%s", output);
    (void)snprintf(path, sizeof path, "%s/copy.db.key", server->folder);
    cr_expect_neq(access(path, F_OK), 0);
    process_free(server);
}

Test(scenario_backup, a_backup_that_cannot_be_made_says_why)
{
    struct process *server = process_folder();
    cr_expect_eq(run(server, "backup --to copy.db"), 73);
    cr_expect_str_eq(output, "banzuke backup: banzuke.db: no such file\n");
    process_start(server, NULL, NULL);
    cr_expect_eq(run(server, "backup"), 64);
    cr_expect_str_eq(output, "banzuke backup: --to is missing\n");
    cr_expect_eq(run(server, "backup --to nowhere/copy.db"), 73);
    expect_said("cannot be created: No such file or directory");
    cr_expect_eq(run(server, "backup --to a.db b.db"), 64);
    cr_expect_eq(run(server, "backup --help"), 0);
    expect_said("usage: banzuke backup --to FILE");
    process_free(server);
}

static int count_parts(const struct process *server)
{
    char pattern[160];
    glob_t found;
    (void)snprintf(pattern, sizeof pattern, "%s/copy.db.part-*", server->folder);
    int count = glob(pattern, 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
    globfree(&found);
    return count;
}

Test(scenario_backup, a_backup_that_is_killed_as_it_gets_its_name_is_whole)
{
    struct process *server = process_new(NULL);
    play_a_game(server);
    cr_assert_eq(setenv("BANZUKE_FAULT", "kill:copy_named_twice:1", 1), 0);
    cr_expect_eq(run(server, "backup --to copy.db"), 128 + SIGKILL, "%s", output);
    cr_assert_eq(unsetenv("BANZUKE_FAULT"), 0);
    cr_expect_eq(count_parts(server), 1);
    cr_expect_eq(run(server, "backup --to copy.db"), 73);
    expect_said("copy.db: exists, and a backup replaces nothing");
    cr_expect_eq(count_parts(server), 0);
    cr_expect_eq(run(server, "verify --db copy.db --key-file banzuke.db.key"), 0, "%s", output);
    process_free(server);
}

Test(scenario_backup, what_a_living_process_or_nobody_writes_stays_beside_a_backup)
{
    char command[512];
    struct process *server = process_new(NULL);
    (void)snprintf(command, sizeof command,
                   "cd '%s' && touch copy.db.part-%ld copy.db.part- copy.db.part-0 copy.db.part-9x"
                   " copy.db.part-999999999999 copy.db.part-999999999-journal",
                   server->folder, (long)getpid());
    cr_assert_eq(system(command), 0);
    cr_expect_eq(run(server, "backup --to copy.db"), 0, "%s", output);
    cr_expect_eq(count_parts(server), 5, "only the journal has gone");
    process_free(server);
}

Test(scenario_backup, a_backup_that_is_killed_leaves_no_copy_under_the_name_and_harms_nothing)
{
    char path[160];
    struct process *server = process_new(NULL);
    play_a_game(server);
    (void)snprintf(path, sizeof path, "%s/copy.db", server->folder);
    cr_assert_eq(setenv("BANZUKE_FAULT", "kill:copy_unnamed:1", 1), 0);
    cr_expect_eq(run(server, "backup --to copy.db"), 128 + SIGKILL, "%s", output);
    cr_assert_eq(unsetenv("BANZUKE_FAULT"), 0);
    cr_expect_neq(access(path, F_OK), 0, "the name is not there yet");
    cr_expect_eq(count_parts(server), 1);
    process_verify(server);
    cr_expect_eq(run(server, "backup --to copy.db"), 0, "%s", output);
    cr_expect_eq(count_parts(server), 0);
    cr_expect_eq(run(server, "verify --db copy.db --key-file banzuke.db.key"), 0, "%s", output);
    process_free(server);
}

/* --- restoring -----------------------------------------------------------------------------------
 */

static const char *ask(struct process *server, const char *sql)
{
    static char text[256];
    process_sql(server, sql, text, sizeof text);
    return text;
}

/* As the help text says. */
static void restore(const struct process *server, const char *copy)
{
    char command[512];
    (void)snprintf(command, sizeof command,
                   "cd '%s' && rm -f banzuke.db-wal banzuke.db-shm && cp %s banzuke.db",
                   server->folder, copy);
    cr_assert_eq(system(command), 0);
}

Test(scenario_backup, a_restored_file_is_played_on_and_its_chain_says_so)
{
    struct process *server = process_new(NULL);
    play_a_game(server);
    cr_assert_eq(run(server, "backup --to copy.db"), 0, "%s", output);
    struct device *lost = device_new(server);
    play_a_game(server);
    cr_assert_eq(process_stop(server), 0);
    restore(server, "copy.db");
    process_verify(server);
    process_start(server, NULL, NULL);
    device_reconnect(lost, server);
    struct call me = {.method = "GET", .path = "/v1/me", .token = lost->token};
    expect_problem(401, "invalid-token", client_send(lost->client, &me));
    play_a_game(server);
    cr_expect_str_eq(ask(server, "SELECT group_concat(kind, ' ') FROM"
                                 " (SELECT kind FROM chain_link ORDER BY link)"),
                     "ended restored ended");
    cr_expect_str_eq(ask(server, "SELECT what, note LIKE 'a backup of 20__-__-__ __:__:__ UTC',"
                                 " player_id IS NULL AND game_id IS NULL FROM operator_log"),
                     "restore|1|1");
    process_verify(server);
    cr_assert_eq(process_stop(server), 0);
    process_start(server, NULL, NULL);
    cr_expect_str_eq(ask(server, "SELECT count(*) FROM operator_event"), "1", "said once");
    cr_expect_str_eq(ask(server, "SELECT journal_mode FROM pragma_journal_mode"), "wal");
    device_free(lost);
    process_free(server);
}

/* An operator's command may be the first that comes to a restored file. */
Test(scenario_backup, a_command_on_a_restored_file_says_that_it_is_one_too)
{
    char command[128];
    struct process *server = process_new(NULL);
    struct device *device = device_new(server);
    cr_assert_eq(run(server, "backup --to copy.db"), 0, "%s", output);
    cr_assert_eq(process_stop(server), 0);
    restore(server, "copy.db");
    (void)snprintf(command, sizeof command, "ban %s", device->player);
    cr_assert_eq(run(server, command), 0, "%s", output);
    cr_expect_str_eq(ask(server, "SELECT group_concat(what, ' ') FROM operator_log"),
                     "restore ban");
    process_verify(server);
    device_free(device);
    process_free(server);
}

/* --- an end that was cut off ---------------------------------------------------------------------
 */

/* The head of the chain in the log line of the last stop, as verify takes it. */
static void head_in_log(const struct process *server, char head[80])
{
    char line[4096];
    FILE *log = fopen(server->log, "re");
    cr_assert_not_null(log);
    head[0] = '\0';
    while (fgets(line, sizeof line, log) != NULL) {
        const char *link = strstr(line, "\"chain_link\":");
        const char *hash = strstr(line, "\"chain_hash\":\"");
        if (strstr(line, "\"event\":\"stop\"") != NULL && link != NULL && hash != NULL) {
            (void)snprintf(head, 80, "%ld:%.64s", strtol(link + 13, NULL, 10), hash + 14);
        }
    }
    (void)fclose(log);
    cr_assert_str_not_empty(head);
}

Test(scenario_backup, verify_finds_by_the_head_in_the_log_that_the_end_is_gone)
{
    char head[80];
    char command[160];
    struct process *server = process_new(NULL);
    play_a_game(server);
    cr_assert_eq(run(server, "backup --to copy.db"), 0, "%s", output);
    play_a_game(server);
    cr_assert_eq(process_stop(server), 0);
    head_in_log(server, head);
    (void)snprintf(command, sizeof command, "verify --head %s", head);
    cr_expect_eq(run(server, command), 0, "%s", output);
    head[strlen(head) - 1] = head[strlen(head) - 1] == '0' ? '1' : '0';
    (void)snprintf(command, sizeof command, "verify --head %s", head);
    cr_expect_eq(run(server, command), 65);
    head_in_log(server, head);
    restore(server, "copy.db");
    cr_expect_eq(run(server, "verify"), 0, "without it nothing is missing");
    (void)snprintf(command, sizeof command, "verify --head %s", head);
    cr_expect_eq(run(server, command), 65);
    expect_said("chain_link: expected link 2 (--head), found 1");
    cr_expect_eq(run(server, "verify --head 2:00"), 64);
    cr_expect_eq(run(server, "verify --head 0123"), 64);
    (void)snprintf(command, sizeof command, "verify --no-key --head %s", head);
    cr_expect_eq(run(server, command), 64);
    process_free(server);
}
