#define _GNU_SOURCE /* prlimit. NOLINT(bugprone-reserved-identifier) */
#include "tests/support/device.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A storage that cannot write for a while, or takes too long: what clients are told, that nothing
 * of what was refused is stored, and that the service goes on afterwards. */

struct scene {
    struct process *server;
    struct device *devices[2];
    struct pairing pairing;
    char before[128]; /* what is stored */
};

static void count_rows(const struct scene *scene, char *text, size_t size)
{
    process_sql(scene->server,
                "SELECT (SELECT count(*) FROM player), (SELECT count(*) FROM ticket),"
                " (SELECT count(*) FROM move), (SELECT group_concat(status) FROM game)",
                text, size);
}

/* Two devices in a game, and nothing wrong yet. Takes the server. */
static struct scene scene_new(struct process *server)
{
    struct scene scene = {.server = server};
    scene.devices[0] = device_new(server);
    scene.devices[1] = device_new(server);
    scene.pairing = device_pair(scene.devices[0], scene.devices[1]);
    count_rows(&scene, scene.before, sizeof scene.before);
    return scene;
}

static void scene_free(struct scene *scene)
{
    device_free(scene->devices[0]);
    device_free(scene->devices[1]);
    process_free(scene->server);
}

/* 503 with the code; Retry-After where it is a matter of moments. */
static void expect_unavailable(const char *code, bool passes, struct answer answer)
{
    char seconds[16] = "";
    cr_assert_eq(answer.status, 503, "%ld instead of %s", answer.status, code);
    cr_expect_str_eq(answer_text(&answer, "code"), code);
    cr_expect_eq(answer_header(&answer, "Retry-After", seconds, sizeof seconds), passes);
    cr_expect_str_eq(seconds, passes ? "1" : "");
    answer_free(&answer);
}

static void expect_move_refused(const struct scene *scene, const char *code, bool passes)
{
    expect_unavailable(code, passes,
                       device_move(scene->pairing.seats[0], scene->pairing.game, 1, "5i5e"));
}

static void expect_writes_refused(const struct scene *scene, const char *code)
{
    struct device *device = scene->devices[1];
    expect_move_refused(scene, code, false);
    expect_unavailable(code, false, device_resign(device, scene->pairing.game));
    expect_unavailable(code, false, client_post(device->client, "/v1/devices", NULL, NULL));
    expect_unavailable(
        code, false,
        client_post(device->client, "/v1/tickets", device->token, "{\"pool\":\"hasami\"}"));
}

static void expect_reads(const struct scene *scene)
{
    static const char *const paths[] = {"/healthz", "/readyz", "/v1/games", "/v1/rankings/hasami",
                                        "/v1/me"};
    struct device *device = scene->devices[0];
    struct answer answer = device_game(device, scene->pairing.game);
    cr_expect_eq(answer_integer(&answer, "ply"), 0);
    answer_free(&answer);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        answer = expect(200, client_get(device->client, paths[i], device->token));
        answer_free(&answer);
    }
}

static void expect_nothing_stored(const struct scene *scene)
{
    char after[128];
    count_rows(scene, after, sizeof after);
    cr_expect_str_eq(after, scene->before);
}

/* The same writes again, without a restart. */
static void expect_writes(const struct scene *scene)
{
    char ticket[32];
    struct answer answer =
        expect(201, device_move(scene->pairing.seats[0], scene->pairing.game, 1, "5i5e"));
    answer_free(&answer);
    struct device *device = device_new(scene->server);
    device_queue(device, ticket);
    device_free(device);
    answer = expect(200, device_resign(scene->devices[1], scene->pairing.game));
    answer_free(&answer);
}

Test(scenario_faults, a_lock_of_another_program_is_storage_busy_until_it_is_gone)
{
    sqlite3 *other = NULL;
    struct scene scene = scene_new(process_new(NULL));
    cr_assert_eq(sqlite3_open(scene.server->db, &other), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    long long begin = test_now_ms();
    expect_move_refused(&scene, "storage-busy", true);
    long long took_ms = test_now_ms() - begin;
    cr_expect(took_ms > 1500 && took_ms < 3000, "%lld ms", took_ms);
    expect_reads(&scene);
    expect_nothing_stored(&scene);
    cr_assert_eq(sqlite3_exec(other, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_close(other), SQLITE_OK);
    expect_writes(&scene);
    scene_free(&scene);
}

/* No file of the server may grow beyond this. */
static void limit_files(const struct process *server, rlim_t bytes)
{
    struct rlimit limit;
    cr_assert_eq(prlimit(server->pid, RLIMIT_FSIZE, NULL, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    cr_assert_eq(prlimit(server->pid, RLIMIT_FSIZE, &limit, NULL), 0);
}

Test(scenario_faults, without_room_writes_are_storage_full_until_there_is_some)
{
    char path[128];
    struct stat wal;
    struct scene scene = scene_new(process_new(NULL));
    (void)snprintf(path, sizeof path, "%s-wal", scene.server->db);
    cr_assert_eq(stat(path, &wal), 0);
    limit_files(scene.server, (rlim_t)wal.st_size);
    expect_writes_refused(&scene, "storage-full");
    expect_reads(&scene);
    expect_nothing_stored(&scene);
    limit_files(scene.server, RLIM_INFINITY);
    expect_writes(&scene);
    scene_free(&scene);
}

/* A server whose fault goes on and off with a file. */
static struct process *process_with_switch(const char *name, char path[128])
{
    char fault[192];
    struct process *server = process_folder();
    (void)snprintf(path, 128, "%s/fault", server->folder);
    (void)snprintf(fault, sizeof fault, "while:%s:%s", name, path);
    process_start(server, NULL, fault);
    return server;
}

static void turn_on(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    cr_assert_geq(fd, 0);
    (void)close(fd);
}

static void turn_off(const char *path)
{
    cr_assert_eq(unlink(path), 0);
}

Test(scenario_faults, a_file_that_turns_read_only_is_storage_readonly_until_it_can_be_written)
{
    char fault[128];
    struct scene scene = scene_new(process_with_switch("readonly", fault));
    turn_on(fault);
    expect_writes_refused(&scene, "storage-readonly");
    expect_reads(&scene);
    expect_nothing_stored(&scene);
    turn_off(fault);
    expect_writes(&scene);
    scene_free(&scene);
}

Test(scenario_faults, a_read_that_takes_too_long_is_query_timeout_and_the_next_one_is_served)
{
    static const char *const paths[] = {"/v1/games", "/v1/rankings/hasami", "/v1/me"};
    char fault[128];
    struct scene scene = scene_new(process_with_switch("no_budget", fault));
    struct device *device = scene.devices[0];
    turn_on(fault);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        expect_unavailable("query-timeout", true,
                           client_get(device->client, paths[i], device->token));
    }
    expect_nothing_stored(&scene);
    turn_off(fault);
    expect_reads(&scene);
    expect_writes(&scene);
    scene_free(&scene);
}

/* After a restart the server has nobody's token at hand. */
Test(scenario_faults, a_write_whose_reads_take_too_long_changes_nothing)
{
    char fault[128];
    char armed[192];
    struct scene scene = scene_new(process_with_switch("no_budget", fault));
    cr_assert_eq(process_stop(scene.server), 0);
    (void)snprintf(armed, sizeof armed, "while:no_budget:%s", fault);
    process_start(scene.server, NULL, armed);
    for (size_t i = 0; i < 2; i++) {
        client_free(scene.devices[i]->client);
        scene.devices[i]->client = client_new(scene.server->origin);
    }
    turn_on(fault);
    expect_move_refused(&scene, "query-timeout", true);
    expect_nothing_stored(&scene);
    turn_off(fault);
    expect_writes(&scene);
    scene_free(&scene);
}

Test(scenario_faults, a_move_that_the_disk_did_not_confirm_is_in_doubt_and_safe_to_repeat)
{
    char fault[128];
    struct scene scene = scene_new(process_with_switch("no_fsync", fault));
    const struct pairing *pairing = &scene.pairing;
    turn_on(fault);
    struct answer answer = device_move(pairing->seats[0], pairing->game, 1, "5i5e");
    cr_assert_eq(answer.status, 503);
    cr_expect_str_eq(answer_text(&answer, "code"), "shutting-down");
    cr_expect_not_null(strstr(answer_text(&answer, "detail"), "may be done or not"), "%s",
                       answer_text(&answer, "detail"));
    answer_free(&answer);
    cr_expect_eq(process_wait(scene.server), 70);
    turn_off(fault);
    process_start(scene.server, NULL, NULL);
    for (size_t i = 0; i < 2; i++) {
        device_reconnect(scene.devices[i], scene.server);
    }
    answer = expect(200, device_move(pairing->seats[0], pairing->game, 1, "5i5e"));
    answer_free(&answer);
    scene_free(&scene);
}
