#include "tests/support/process.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Which files `banzuke verify` takes, and how it refuses the others: with the exit codes of serve.
 */

/* A file that was served once, and no server. */
static struct process *served_file(void)
{
    struct process *server = process_new(NULL);
    cr_assert_eq(process_stop(server), 0);
    return server;
}

/* Verifying ends with this code, and its one line says why. */
static void expect_end(struct process *server, int code, const char *why)
{
    char output[512];
    cr_expect_eq(process_run(server, "verify --db banzuke.db", output, sizeof output), code, "%s",
                 output);
    cr_expect_not_null(strstr(output, why), "%s: %s", why, output);
    cr_expect_eq(strcspn(output, "\n") + 1, strlen(output), "one line: %s", output);
}

Test(scenario_verify_opens, a_file_that_cannot_be_written_is_verified)
{
    struct process *server = served_file();
    cr_assert_eq(chmod(server->db, 0444), 0);
    expect_end(server, 0, "no difference");
    expect_end(server, 0, "no difference");
    process_free(server);
}

Test(scenario_verify_opens, a_file_that_cannot_be_opened_is_73_and_says_why)
{
    char name[128];
    struct process *server = served_file();
    (void)snprintf(name, sizeof name, "%s/other.db", server->folder);
    cr_assert_eq(chmod(server->db, 0000), 0);
    expect_end(server, 73, "banzuke.db: cannot be read: Permission denied");
    cr_assert_eq(chmod(server->db, 0600), 0);
    cr_assert_eq(chmod(server->folder, 0500), 0);
    expect_end(server, 73, "banzuke.db: reading takes a -shm beside it, but the folder ");
    cr_assert_eq(chmod(server->folder, 0700), 0);
    cr_assert_eq(link(server->db, name), 0);
    expect_end(server, 73, "banzuke.db: the file has a second name (a hard link)");
    cr_assert_eq(unlink(name), 0);
    cr_assert_eq(unlink(server->db), 0);
    expect_end(server, 73, "banzuke.db: no such file");
    cr_assert_eq(mkdir(server->db, 0700), 0);
    expect_end(server, 73, "banzuke.db: not a regular file");
    process_free(server);
}

Test(scenario_verify_opens, a_file_that_is_no_database_of_this_build_is_65_and_says_why)
{
    struct process *server = served_file();
    cr_assert_eq(truncate(server->db, 8192), 0);
    expect_end(server, 65, "banzuke.db: truncated: 8192 bytes of ");
    cr_assert_eq(truncate(server->db, 0), 0);
    expect_end(server, 65, "banzuke.db: an empty file");
    process_free(server);
}

Test(scenario_verify_opens, a_key_that_does_not_fit_is_78)
{
    char key[128];
    struct process *server = served_file();
    (void)snprintf(key, sizeof key, "%s.key", server->db);
    cr_assert_eq(unlink(key), 0);
    expect_end(server, 78, "banzuke.db.key");
    process_free(server);
}
