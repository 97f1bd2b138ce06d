/* What slow and dead readers of streams cost. */

#include "tests/support/raw.h"
#include "tests/support/table.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Of who is gone without a word the server hears when it sends its signs of life. */
static void let_them_be_missed(const struct table *table, double left)
{
    struct client *client = table->devices[0]->client;
    for (int i = 0; i < 4; i++) {
        process_control(table->server, "advance 15000");
        test_pause_ms(300);
    }
    client_await_down(client, "banzuke_streams_open", left);
}

/* Who has said all that there is to say still listens. */
Test(scenario_streams_slow, half_of_a_connection_is_enough_for_a_stream)
{
    static struct raw_answer answer;
    char text[256];
    struct table table = table_new();
    int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: b\r\n\r\n", table.path);
    int fd = raw_open(table.server->port);
    cr_assert(raw_send(fd, text, (size_t)length));
    client_await(table.devices[0]->client, "banzuke_streams_open", 1);
    raw_end(fd);
    device_stroll(&table.pairing, 1, 3);
    raw_read_until(fd, "id: 3\nevent: move\n", &answer);
    cr_expect_not(answer.closed);
    cr_expect_not_null(strstr(answer.text, "id: 3\nevent: move\n"));
    raw_close(fd);
    let_them_be_missed(&table, 0);
    table_free(&table);
}

Test(scenario_streams_slow, five_hundred_dead_clients_are_missed_within_a_minute)
{
    enum { DEAD = 500 };
    struct table table = table_new();
    for (size_t i = 0; i < DEAD; i++) {
        listener_vanish(enter(&table, NULL, NULL));
    }
    let_them_be_missed(&table, 0);
    table_free(&table);
}

Test(scenario_streams_slow, a_reader_that_takes_nothing_in_is_told_to_begin_again)
{
    enum { LAST = 300 };
    static const char *const arguments[] = {"--rate-limit", "off", NULL};
    struct table table = table_with(arguments);
    char path[64] = "/v1/me/events?games=all";
    struct listen_wish wish = {
        .path = path, .token = table.devices[0]->token, .receive_bytes = 4096};
    struct listener *slow = listener_open(table.server, &wish);
    struct listener *quick = listener_open(
        table.server, &(struct listen_wish){.path = path, .token = table.devices[1]->token});
    cr_assert_eq(listener_status(slow), 200);
    /* It reads nothing while far more comes than finds room on the way. */
    for (unsigned ply = 1; ply <= LAST; ply++) {
        json_t *frame = NULL;
        device_stroll(&table.pairing, ply, ply);
        do {
            json_decref(frame);
            frame = listener_until(quick, "move");
        } while (frame_seq(frame) < (long long)ply);
        json_decref(frame);
    }
    bool told = false;
    long long last = -1;
    while (last < LAST) {
        json_t *frame = listener_next(slow, LISTENER_PATIENCE_MS);
        cr_assert_not_null(frame);
        told = told || strcmp(frame_type(frame), "resync") == 0;
        last = json_object_get(frame, "game_id") != NULL && frame_seq(frame) >= 0 ? frame_seq(frame)
                                                                                  : last;
        json_decref(frame);
    }
    cr_expect(told, "all of it found room on the way");
    listener_close(slow);
    listener_close(quick);
    table_free(&table);
}

Test(scenario_streams_slow, a_reader_that_never_reads_is_let_go)
{
    static const char *const arguments[] = {"--rate-limit", "off", NULL};
    struct table table = table_with(arguments);
    struct listen_wish wish = {.path = table.path, .receive_bytes = 4096};
    struct listener *never = listener_open(table.server, &wish);
    cr_assert_eq(listener_status(never), 200);
    device_stroll(&table.pairing, 1, 300);
    long long begin = test_now_ms();
    do {
        test_pause_ms(500);
    } while (test_now_ms() - begin < 9500);
    client_await_down(table.devices[0]->client, "banzuke_streams_open", 0);
    listener_close(never);
    table_free(&table);
}
