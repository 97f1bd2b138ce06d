#include "api/hangups.h"

#include "tests/support/process.h"

#include <criterion/criterion.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

struct told {
    atomic_int halves;
    atomic_int wholes;
};

static void tell(void *context, bool gone)
{
    struct told *told = context;
    (void)atomic_fetch_add(gone ? &told->wholes : &told->halves, 1);
}

static void expect_told(atomic_int *count, int expected)
{
    long long until = test_now_ms() + TEST_STALL_MS;
    while (atomic_load(count) < expected && test_now_ms() < until) {
        test_pause_ms(1);
    }
    cr_expect_eq(atomic_load(count), expected);
}

static void open_pair(int fds[2])
{
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
}

Test(hangups, half_an_end_is_told_once_and_the_whole_too)
{
    int fds[2];
    struct told told = {0};
    struct hangups *hangups = hangups_new(tell);
    open_pair(fds);
    cr_assert(hangups_add(hangups, fds[0], &told));
    cr_assert_eq(shutdown(fds[1], SHUT_WR), 0);
    expect_told(&told.halves, 1);
    cr_expect_eq(atomic_load(&told.wholes), 0);
    close(fds[1]);
    expect_told(&told.wholes, 1);
    hangups_remove(hangups, fds[0]);
    close(fds[0]);
    hangups_free(hangups);
    cr_expect_eq(atomic_load(&told.halves), 1);
}

Test(hangups, nothing_is_told_of_what_was_removed)
{
    enum { PAIRS = 100 };
    struct told told = {0};
    struct told gone = {0};
    struct hangups *hangups = hangups_new(tell);
    for (int i = 0; i < PAIRS; i++) {
        int kept[2];
        int removed[2];
        open_pair(kept);
        open_pair(removed);
        cr_assert(hangups_add(hangups, kept[0], &told));
        cr_assert(hangups_add(hangups, removed[0], &gone));
        hangups_remove(hangups, removed[0]);
        close(removed[1]);
        close(kept[1]);
        expect_told(&told.wholes, i + 1);
        hangups_remove(hangups, kept[0]);
        close(removed[0]);
        close(kept[0]);
    }
    cr_expect_eq(atomic_load(&gone.wholes) + atomic_load(&gone.halves), 0);
    hangups_free(hangups);
}
