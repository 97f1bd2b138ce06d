#include "tests/support/process.h"
#include "tests/support/raw.h"

#include <criterion/criterion.h>
#include <string.h>

/*
 * Clients that take their time: the service waits for a request as a whole, not for every byte.
 *
 * What must not happen before or after an instant is tried up to ATTEMPTS times, each on a
 * connection of its own: a machine with other things to do can spoil one attempt, whereas a service
 * that counts wrongly spoils them all.
 */

enum { ATTEMPTS = 6 };

Test(http_slow, a_client_that_sends_too_slowly_is_cut_off, .timeout = 300)
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
    for (size_t i = 0; i < SLOW; i++) {
        fds[i] = raw_open(server->port);
        (void)raw_send(fds[i], slow[i].bytes, strlen(slow[i].bytes));
    }
    for (size_t i = 0; i < SLOW; i++) {
        raw_read(fds[i], slow[i].until_ms + TEST_STALL_MS, &answer);
        cr_expect(answer.closed, "case %zu", i);
        raw_close(fds[i]);
    }
    process_free(server);
}

/* --- drop by drop --------------------------------------------------------------------------------
 */

static const char request_line[] = "POST /v1/devices HTTP/1.1\r\n";
static const char header_lines[] =
    "Host: b\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n";
static const char twenty_bytes[] = "{                  }";

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

/* Whether one attempt went as it should. */
typedef bool attempt_fn(int fd);

static void expect_once(attempt_fn *attempt)
{
    bool done = false;
    struct process *server = process_new(NULL);
    for (int i = 0; i < ATTEMPTS && !done; i++) {
        int fd = raw_open(server->port);
        done = attempt(fd);
        raw_close(fd);
    }
    cr_expect(done, "in none of %d attempts", ATTEMPTS);
    process_free(server);
}

/* A byte now and then keeps an inactivity timer quiet; the total time is what counts. */
static bool dripped_headers_end(int fd)
{
    long long begin = test_now_ms();
    bool open = drip(fd, "GET /healthz HTTP/1.1\r\nHost: banzuke\r\nX-Slow: aaaaaaaaa", 12000);
    return !open && test_now_ms() - begin < 9000;
}

Test(http_slow, a_client_that_drips_its_headers_is_cut_off, .timeout = 180)
{
    expect_once(dripped_headers_end);
}

/* Were there five seconds for the headers alone, they would end after 8.5. */
static bool line_and_headers_share_their_time(int fd)
{
    long long begin = test_now_ms();
    return drip(fd, request_line, 3500) && !drip(fd, header_lines, 9000) &&
           test_now_ms() - begin < 8000;
}

Test(http_slow, the_time_for_the_headers_counts_from_the_connection, .timeout = 180)
{
    expect_once(line_and_headers_share_their_time);
}

/* Were there ten seconds for the body alone, they would end after 14. */
static bool body_shares_the_time_of_the_headers(int fd)
{
    long long begin = test_now_ms();
    bool cut = drip(fd, request_line, 2000) && drip(fd, header_lines, 2000) &&
               !drip(fd, twenty_bytes, 15000);
    long long took_ms = test_now_ms() - begin;
    return cut && took_ms >= 9000 && took_ms < 13500;
}

Test(http_slow, the_time_for_the_body_counts_from_the_connection_too, .timeout = 180)
{
    expect_once(body_shares_the_time_of_the_headers);
}

static bool later_request_has_its_own_time(int fd)
{
    static struct raw_answer answer;
    static const char first[] = "GET /healthz HTTP/1.1\r\nHost: b\r\n\r\n";
    (void)raw_send(fd, first, sizeof first - 1);
    raw_read_answers(fd, 1, &answer);
    if (raw_status(&answer) != 200) {
        return false;
    }
    test_pause_ms(3000);
    bool kept = drip(fd, request_line, 0) && drip(fd, header_lines, 4000) &&
                drip(fd, "{                  ", 2000);
    (void)raw_send(fd, "}", 1);
    raw_read_answers(fd, 1, &answer);
    if (!kept || raw_status(&answer) != 201 || answer.closed) {
        return false;
    }
    long long begin = test_now_ms();
    return drip(fd, request_line, 0) && !drip(fd, header_lines, 12000) &&
           test_now_ms() - begin < 9000;
}

Test(http_slow, a_later_request_has_its_own_time_but_once, .timeout = 240)
{
    expect_once(later_request_has_its_own_time);
}
