/* What slow and dead readers of streams cost. */

#include "tests/support/raw.h"
#include "tests/support/table.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
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
        if (!listener_vanish(enter(&table, NULL, NULL))) {
            table_free(&table);
            cr_skip("nobody can leave without a word here");
        }
    }
    let_them_be_missed(&table, 0);
    table_free(&table);
}

/* --- those who do not read ------------------------------------------------------------------- */

/* Ten seconds after nothing more found room a reader is let go; on a machine that stalled so long
 * there is nothing to see. */
static json_t *next_of_slow(struct listener *slow, long long full_ms)
{
    enum { LET_GO_MS = 9000 };
    json_t *frame = listener_next(slow, LISTENER_PATIENCE_MS);
    if (frame == NULL && test_now_ms() - full_ms > LET_GO_MS) {
        cr_skip("the machine is too slow for this");
    }
    cr_assert_not_null(frame);
    return frame;
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
    cr_assert_eq(listener_status(slow), 200);
    /* It reads nothing while far more comes than finds room on the way. */
    long long begin_ms = test_now_ms();
    device_stroll(&table.pairing, 1, LAST);
    bool told = false;
    long long last = -1;
    while (last < LAST) {
        json_t *frame = next_of_slow(slow, begin_ms);
        told = told || strcmp(frame_type(frame), "resync") == 0;
        last = json_object_get(frame, "game_id") != NULL && frame_seq(frame) >= 0 ? frame_seq(frame)
                                                                                  : last;
        json_decref(frame);
    }
    cr_expect(told, "all of it found room on the way");
    listener_close(slow);
    table_free(&table);
}

/* Up to this event; every one has the next number, but that a snapshot goes on from its own. How
 * many came before it was told to begin again; 0: it was not. */
static unsigned read_slow(struct listener *slow, long long until, long long full_ms)
{
    unsigned before = 0;
    unsigned count = 0;
    long long last = 0;
    while (last < until) {
        json_t *frame = next_of_slow(slow, full_ms);
        bool snapshot = strcmp(frame_type(frame), "snapshot") == 0;
        bool resync = strcmp(frame_type(frame), "resync") == 0;
        before = resync && before == 0 ? count : before;
        if (frame_seq(frame) >= 0) {
            cr_expect(snapshot ? frame_seq(frame) >= last : frame_seq(frame) == last + 1,
                      "%s %lld after %lld", frame_type(frame), frame_seq(frame), last);
            last = frame_seq(frame);
            count++;
        }
        json_decref(frame);
    }
    return before;
}

static int by_size(const void *a, const void *b)
{
    long long left = *(const long long *)a;
    long long right = *(const long long *)b;
    return (left > right) - (left < right);
}

/* With sanitizers freed memory is kept for a while. The one for threads is in the server alone. */
static bool freed_stays(void)
{
#if defined __SANITIZE_ADDRESS__
    return true;
#else
    return getenv("TSAN_OPTIONS") != NULL;
#endif
}

enum { PART = 150 };

/* Makes moves from `first` on; the median of the milliseconds until a reader has them. */
static long long median_ms(const struct table *table, struct listener *quick, unsigned first)
{
    long long took_ms[PART];
    for (unsigned i = 0; i < PART; i++) {
        long long begin_ms = test_now_ms();
        device_stroll(&table->pairing, first + i, first + i);
        expect_event(table, quick, "move", first + i);
        took_ms[i] = test_now_ms() - begin_ms;
    }
    qsort(took_ms, PART, sizeof took_ms[0], by_size);
    return took_ms[PART / 2];
}

/* By numbers, as browsers come. */
Test(scenario_streams_slow, of_many_who_read_nothing_the_others_notice_nothing, .timeout = 300)
{
    enum { SLOW = 100, LAST = 3 * PART, SPARE_BYTES = 8 * 1024 * 1024 };
    static const char resident[] = "process_resident_memory_bytes";
    static const char *const arguments[] = {"--rate-limit", "off", NULL};
    static struct listener *slow[SLOW];
    struct table table = table_with(arguments);
    struct client *client = table.devices[0]->client;
    struct listen_wish wish = {.path = table.path, .receive_bytes = 4096};
    struct listener *quick = enter(&table, NULL, NULL);
    long long alone_ms = median_ms(&table, quick, 1);
    for (size_t i = 0; i < SLOW; i++) {
        slow[i] = listener_open(table.server, &wish);
        cr_assert_eq(listener_status(slow[i]), 200);
    }
    long long full_ms = test_now_ms();
    (void)median_ms(&table, quick, 1 + PART); /* for all that finds room on the way */
    double before = client_metric(client, resident);
    long long beside_ms = median_ms(&table, quick, 1 + 2 * PART);
    double after = client_metric(client, resident);
    cr_expect_leq(beside_ms, 4 * alone_ms + 20, "%lld ms, alone %lld", beside_ms, alone_ms);
    cr_expect(freed_stays() || after - before < SPARE_BYTES, "%g bytes more", after - before);
    unsigned told = read_slow(slow[0], LAST, full_ms);
    cr_expect(told > 0 && told <= PART, "%u events found room on the way", told);
    for (size_t i = 0; i < SLOW; i++) {
        listener_close(slow[i]);
    }
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
