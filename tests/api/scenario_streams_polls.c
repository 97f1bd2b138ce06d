/* Long polls of a player's own events: what ends them, and all that their answers owe. */

#include "tests/support/device.h"
#include "tests/support/raw.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct answer poll_me(const struct device *device, const char *query)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/v1/me/events%s", query);
    return expect(200, client_get(device->client, path, device->token));
}

/* Until so many are held. */
static int hold_poll(const struct process *server, struct device *device, const char *query,
                     unsigned count)
{
    char text[512];
    (void)snprintf(text, sizeof text,
                   "GET /v1/me/events%s HTTP/1.1\r\nHost: b\r\n"
                   "Authorization: Bearer %s\r\n\r\n",
                   query, device->token);
    int fd = raw_open(server->port);
    cr_assert(raw_send(fd, text, strlen(text)));
    client_await_held(device->client, count);
    return fd;
}

/* --- what was told before ------------------------------------------------------------------------
 */

static void run_sql(const struct process *server, const char *sql)
{
    char command[512];
    (void)snprintf(command, sizeof command, "sqlite3 -cmd '.timeout 9000' '%s' \"%s\"", server->db,
                   sql);
    cr_assert_eq(system(command), 0); /* NOLINT(concurrency-mt-unsafe) */
}

/* The next device is as many devices after the first as there are places for polls of a kind. */
static void skip_devices(const struct process *server)
{
    run_sql(server, "INSERT INTO device (device_no, device_id, player_no, created_at_ms)"
                    " SELECT 2048, 'd_aaaaaaaaaaaaaaaaaaaaaaaaaa', player_no, created_at_ms"
                    " FROM device WHERE device_no = 1");
}

Test(scenario_streams_polls, devices_that_share_a_place_do_not_end_the_polls_of_each_other)
{
    struct process *server = process_new(NULL);
    struct device *devices[4] = {device_new(server), device_new(server)};
    skip_devices(server);
    devices[2] = device_new(server);
    devices[3] = device_new(server);
    run_sql(server, "DELETE FROM device WHERE device_no = 2048");
    (void)device_pair(devices[0], devices[1]);
    (void)device_pair(devices[2], devices[3]);
    for (size_t i = 0; i < 4; i += 2) {
        struct answer answer = poll_me(devices[i], "?wait=0&after=2&games=all");
        answer_free(&answer);
    }
    int fds[2];
    for (unsigned i = 0; i < 2; i++) {
        struct device *device = i == 0 ? devices[0] : devices[2];
        fds[i] = hold_poll(server, device, "?wait=25&after=2&games=all", i + 1);
    }
    raw_close(fds[0]);
    raw_close(fds[1]);
    for (int i = 0; i < 4; i++) {
        device_free(devices[i]);
    }
    process_free(server);
}
