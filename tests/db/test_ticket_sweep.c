#include "store.h"

#include <assert.h>
#include <criterion/criterion.h>

/* Tickets that led to no game, and go when they are old. */

static struct db *db;

static void enter(void)
{
    store_enter();
    db = store_open();
}

static void leave(void)
{
    store_close(db);
    store_leave();
}

TestSuite(ticket_sweep, .init = enter, .fini = leave);

static int64_t number_of_tickets(void)
{
    return foreign_int(db->handle, "SELECT count(*) FROM ticket");
}

static int64_t earliest_end(void)
{
    return foreign_int(db->handle, "SELECT min(ended_at_ms) FROM ticket WHERE game_no IS NULL");
}

/* Twelve that ended one after the other, the last ones first. */
static void queue_for_nothing(void)
{
    static_assert(DB_TICKETS_SWEPT == 8, "the test counts on it");
    foreign_run(
        db->handle,
        "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 12)"
        " INSERT INTO ticket SELECT i, printf('q_%026d', i), 1, 'hasami', 30, 1500000,"
        " iif(i % 2, 'cancelled', 'expired'), NULL, NULL, 1, 101 - i, NULL, NULL, NULL FROM n");
}

Test(ticket_sweep, takes_some_of_the_oldest_and_none_that_is_young)
{
    (void)store_player(db, "aki");
    queue_for_nothing();
    cr_assert_eq(db_tickets_sweep(db, 98), DB_OK);
    cr_expect_eq(number_of_tickets(), 4);
    cr_expect_eq(earliest_end(), 97);
    cr_assert_eq(db_tickets_sweep(db, 98), DB_OK);
    cr_expect_eq(earliest_end(), 99);
    cr_assert_eq(db_tickets_sweep(db, 98), DB_OK);
    cr_expect_eq(number_of_tickets(), 2);
}

Test(ticket_sweep, leaves_what_waits_and_what_led_to_a_game)
{
    (void)store_game(db, store_player(db, "aki"), store_player(db, "ben"));
    foreign_run(db->handle, "INSERT INTO ticket VALUES"
                            " (1, 'q_00000000000000000000000001', 1, 'hasami', 30, 1500000,"
                            " 'matched', 1, 'b', 1, 2, NULL, NULL, NULL),"
                            " (2, 'q_00000000000000000000000002', 2, 'hasami', 30, 1500000,"
                            " 'waiting', NULL, NULL, 1, NULL, NULL, NULL, NULL)");
    cr_assert_eq(db_tickets_sweep(db, INT64_MAX), DB_OK);
    cr_expect_eq(number_of_tickets(), 2);
}
