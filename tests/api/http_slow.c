#include "tests/support/process.h"
#include "tests/support/raw.h"

#include <criterion/criterion.h>
#include <string.h>

/* Clients that take their time: the service waits for a request as a whole, not for every byte. */

Test(http_slow, a_client_that_sends_too_slowly_is_cut_off, .timeout = 60)
{
    static const char body[] = "POST /v1/devices HTTP/1.1\r\nHost: b\r\n"
                               "Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{";
    const struct {
        const char *bytes;
        long long until_ms;
    } slow[] = {
        {"",                                         5000 },
        {"GET /healthz HTTP/1.1\r\nHost:",           5000 },
        {"\x16\x03\x01\x02",                         5000 },
        {body,                                       10000},
        {"GET /healthz HTTP/1.1\r\nHost: b\r\n\r\n", 10000},
    };
    enum { SLOW = sizeof slow / sizeof slow[0] };
    static struct raw_answer answer;
    int fds[SLOW];
    struct process *server = process_new(NULL);
    long long begin = test_now_ms();
    for (size_t i = 0; i < SLOW; i++) {
        fds[i] = raw_open(server->port);
        (void)raw_send(fds[i], slow[i].bytes, strlen(slow[i].bytes));
    }
    for (size_t i = 0; i < SLOW; i++) {
        raw_read(fds[i], slow[i].until_ms + 1500, &answer);
        long long took_ms = test_now_ms() - begin;
        cr_expect(answer.closed, "case %zu", i);
        cr_expect_leq(took_ms, slow[i].until_ms + 1500, "case %zu: %lld ms", i, took_ms);
        raw_close(fds[i]);
    }
    process_free(server);
}

/* A byte now and then keeps an inactivity timer quiet; the total time is what counts. */
Test(http_slow, a_client_that_drips_its_headers_is_cut_off, .timeout = 60)
{
    static const char head[] =
        "GET /healthz HTTP/1.1\r\nHost: banzuke\r\nX-Slow: aaaaaaaaaaaaaaaaa";
    static struct raw_answer answer;
    struct process *server = process_new(NULL);
    int fd = raw_open(server->port);
    long long begin = test_now_ms();
    bool open = true;
    for (size_t i = 0; open && i < sizeof head - 1; i++) {
        open = raw_send(fd, head + i, 1);
        raw_read(fd, 250, &answer);
        open = open && !answer.closed;
    }
    cr_expect_not(open);
    cr_expect_lt(test_now_ms() - begin, 9000);
    raw_close(fd);
    process_free(server);
}

/* --- all stages of a request together ------------------------------------------------------------
 */

/* Sends a text evenly over a time. False: the server closed meanwhile. */
static bool drip(int fd, const char *text, long long over_ms)
{
    static struct raw_answer answer;
    long long begin = test_now_ms();
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++) {
        if (!raw_send(fd, text + i, 1)) {
            return false;
        }
        long long due_ms = over_ms * (long long)(i + 1) / (long long)length;
        long long early_ms = due_ms - (test_now_ms() - begin);
        raw_read(fd, early_ms > 0 ? early_ms : 0, &answer);
        if (answer.closed) {
            return false;
        }
    }
    return true;
}

static const char request_line[] = "POST /v1/devices HTTP/1.1\r\n";
static const char header_lines[] =
    "Host: b\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n";
static const char twenty_bytes[] = "{                  }";

Test(http_slow, the_time_for_the_headers_counts_from_the_connection, .timeout = 60)
{
    struct process *server = process_new(NULL);
    int fd = raw_open(server->port);
    long long begin = test_now_ms();
    cr_expect(drip(fd, request_line, 3500));
    cr_expect_not(drip(fd, header_lines, 3500), "line and headers each had their own time");
    cr_expect_lt(test_now_ms() - begin, 9000);
    raw_close(fd);
    process_free(server);
}

Test(http_slow, the_time_for_the_body_counts_from_the_connection_too, .timeout = 60)
{
    char count[32];
    struct process *server = process_new(NULL);
    int fd = raw_open(server->port);
    long long begin = test_now_ms();
    cr_expect(drip(fd, request_line, 2000));
    cr_expect(drip(fd, header_lines, 2000));
    cr_expect_not(drip(fd, twenty_bytes, 9000), "headers and body each had their own time");
    cr_expect_geq(test_now_ms() - begin, 9000, "the body has its ten seconds");
    cr_expect_lt(test_now_ms() - begin, 16000);
    raw_close(fd);
    process_sql(server, "SELECT count(*) FROM player", count, sizeof count);
    cr_expect_str_eq(count, "0");
    process_free(server);
}

Test(http_slow, a_later_request_has_its_own_time_but_once, .timeout = 60)
{
    static struct raw_answer answer;
    static const char first[] = "GET /healthz HTTP/1.1\r\nHost: b\r\n\r\n";
    struct process *server = process_new(NULL);
    int fd = raw_open(server->port);
    (void)raw_send(fd, first, sizeof first - 1);
    raw_read(fd, 200, &answer);
    cr_assert_eq(raw_status(&answer), 200);
    test_pause_ms(3000);
    cr_expect(drip(fd, request_line, 0));
    cr_expect(drip(fd, header_lines, 4000), "the time before the request was counted");
    cr_expect(drip(fd, "{                  ", 2000), "the body has more time than the headers");
    (void)raw_send(fd, "}", 1);
    raw_read(fd, 1000, &answer);
    cr_expect_eq(raw_status(&answer), 201);
    cr_expect_not(answer.closed);
    long long begin = test_now_ms();
    cr_expect(drip(fd, request_line, 0));
    cr_expect_not(drip(fd, header_lines, 8000));
    cr_expect_lt(test_now_ms() - begin, 9000);
    raw_close(fd);
    process_free(server);
}
