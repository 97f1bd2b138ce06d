#include "db/personal.h"

#include "store.h"

#include <assert.h>
#include <criterion/criterion.h>
#include <stdio.h>

/* What personal streams tell. */

static struct db *db;
static int64_t aki;
static int64_t ben;
static int64_t game_no;

static void enter(void)
{
    store_enter();
    db = store_open();
    aki = store_player(db, "aki");
    ben = store_player(db, "ben");
    game_no = store_game(db, aki, ben);
}

static void leave(void)
{
    store_close(db);
    store_leave();
}

enum { KEPT = 12 };

TestSuite(personal, .init = enter, .fini = leave);

static int64_t tell(int64_t player_no, const char *type, int64_t at_ms)
{
    struct db_personal event = {.player_no = player_no, .at_ms = at_ms, .game_no = game_no};
    (void)snprintf(event.type, sizeof event.type, "%s", type);
    cr_assert_eq(db_personal_insert(db, &event, KEPT), DB_OK);
    return event.seq;
}

static size_t read_all(int64_t player_no, int64_t after, struct db_personal events[16])
{
    size_t count = 0;
    cr_assert_eq(db_personal_events(db, player_no, after, events, 16, &count), DB_OK);
    return count;
}

Test(personal, every_player_counts_from_one)
{
    cr_expect_eq(tell(aki, "matched", 1), 1);
    cr_expect_eq(tell(aki, "game_started", 1), 2);
    cr_expect_eq(tell(ben, "matched", 1), 1);
    int64_t seq = 0;
    cr_assert_eq(db_personal_seq(db, aki, &seq), DB_OK);
    cr_expect_eq(seq, 2);
    cr_expect_eq(db_personal_seq(db, ben + 1, &seq), DB_NONE);
}

Test(personal, events_come_back_in_order_with_their_game)
{
    struct db_personal events[16];
    (void)tell(aki, "matched", 5);
    (void)tell(ben, "matched", 5);
    (void)tell(aki, "game_finished", 7);
    cr_assert_eq(read_all(aki, 0, events), 2);
    cr_expect_str_eq(events[0].type, "matched");
    cr_expect_str_eq(events[1].type, "game_finished");
    cr_expect_eq(events[1].seq, 2);
    cr_expect_eq(events[1].at_ms, 7);
    cr_expect_eq(events[1].game_no, game_no);
    cr_expect_eq(events[1].game_id.id.text[0], 'g');
    cr_assert_eq(read_all(aki, 1, events), 1);
    cr_expect_str_eq(events[0].type, "game_finished");
    cr_expect_eq(read_all(aki, 2, events), 0);
}

Test(personal, only_so_many_are_kept_however_many_come)
{
    struct db_personal events[16];
    (void)tell(ben, "matched", 5);
    for (int i = 0; i < 3 * KEPT; i++) {
        (void)tell(aki, "matched", 5);
    }
    cr_assert_eq(read_all(aki, 0, events), KEPT);
    cr_expect_eq(events[0].seq, 2 * KEPT + 1);
    cr_expect_eq(read_all(ben, 0, events), 1);
}

Test(personal, a_sweep_takes_some_of_the_oldest_and_the_numbers_go_on)
{
    struct db_personal events[16];
    static_assert(DB_PERSONAL_SWEPT == 8, "the test counts on it");
    for (int64_t i = 1; i <= 12; i++) {
        (void)tell(aki, "replay", i);
    }
    cr_assert_eq(db_personal_sweep(db, 10), DB_OK);
    cr_assert_eq(read_all(aki, 0, events), 4);
    cr_expect_eq(events[0].seq, 9);
    cr_assert_eq(db_personal_sweep(db, 10), DB_OK);
    cr_assert_eq(read_all(aki, 0, events), 2);
    cr_assert_eq(db_personal_sweep(db, 12), DB_OK);
    cr_assert_eq(read_all(aki, 0, events), 0);
    cr_expect_eq(tell(aki, "replay", 13), 13);
}
