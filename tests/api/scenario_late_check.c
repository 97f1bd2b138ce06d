#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A file that is too large to be checked before it is served is checked while it is served. */

enum { PATIENCE_MS = 60000, LINE_SIZE = 4096 };

/* A table that takes little room but more time to check than any served read has: whether a column
 * is NULL is computed for every row. Its pages are the last of the file, and the service never
 * reads them. */
static const char slow_table[] =
    "CREATE TABLE slow (size INTEGER,"
    " text AS (replace(hex(zeroblob(size)), '00', '.')) NOT NULL);"
    "INSERT INTO slow WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n"
    " WHERE i < 4000) SELECT 20000 FROM n;";

/* A file of this build with that table in it, and no server. */
static struct process *slow_file(void)
{
    char command[512];
    struct process *server = process_new(NULL);
    cr_assert_eq(process_stop(server), 0);
    (void)snprintf(command, sizeof command, "sqlite3 '%s' \"%s\"", server->db, slow_table);
    cr_assert_eq(system(command), 0, "%s", command);
    return server;
}

static void smash_last_page(const char *path)
{
    enum { PAGE = 4096 };
    unsigned char noise[PAGE];
    struct stat found;
    memset(noise, 0xa5, sizeof noise);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    cr_assert_geq(file, 0);
    cr_assert_eq(fstat(file, &found), 0);
    cr_assert_eq(pwrite(file, noise, sizeof noise, found.st_size - PAGE), (ssize_t)sizeof noise);
    (void)close(file);
}

static bool find_line(const struct process *server, const char *text, char line[LINE_SIZE])
{
    bool found = false;
    FILE *log = fopen(server->log, "re");
    cr_assert_not_null(log);
    while (!found && fgets(line, LINE_SIZE, log) != NULL) {
        found = strstr(line, text) != NULL;
    }
    (void)fclose(log);
    return found;
}

/* The line that the check ends with. */
static void wait_for_check(const struct process *server, char line[LINE_SIZE])
{
    const struct timespec pause = {.tv_nsec = 5000000};
    long long until = test_now_ms() + PATIENCE_MS;
    while (!find_line(server, "{\"event\":\"check", line)) {
        cr_assert_lt(test_now_ms(), until, "the check did not come to an end");
        (void)nanosleep(&pause, NULL);
    }
}

Test(scenario_late_check, damage_that_is_found_while_serving_ends_being_ready)
{
    char line[LINE_SIZE];
    struct process *server = slow_file();
    smash_last_page(server->db);
    process_start(server, NULL, "check_later");
    struct client *client = client_new(server->origin);
    wait_for_check(server, line);
    cr_expect_not_null(strstr(line, "\"event\":\"check_failed\""), "%s", line);
    cr_expect_not_null(strstr(line, "quick_check: "), "%s", line);
    expect_problem(503, "integrity", client_get(client, "/readyz", NULL));
    client_free(client);
    cr_assert_eq(process_stop(server), 0);
    process_free(server);
}

Test(scenario_late_check, a_sound_file_stays_ready_however_long_its_check_takes)
{
    char line[LINE_SIZE];
    struct process *server = slow_file();
    process_start(server, NULL, "check_later");
    struct client *client = client_new(server->origin);
    wait_for_check(server, line);
    cr_expect_not_null(strstr(line, "\"event\":\"checked\""), "%s", line);
    struct answer answer = expect(200, client_get(client, "/readyz", NULL));
    answer_free(&answer);
    client_free(client);
    process_free(server);
}
