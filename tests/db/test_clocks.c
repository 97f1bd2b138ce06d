#include "db/clocks.h"
#include "store.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* Time that is given back to running turns. */

static struct db *db;
static int64_t aki;
static int64_t ben;

static void enter(void)
{
    store_enter();
    db = store_open();
    aki = store_player(db, "aki");
    ben = store_player(db, "ben");
}

static void leave(void)
{
    store_close(db);
    store_leave();
}

TestSuite(credit, .init = enter, .fini = leave);

enum { TURN_MS = 30000, AMOUNT_MS = 10000 };
static const int64_t now_ms = STORE_NOW_MS + 60000;

/* A game whose turn has so much left; 0: it has no deadline yet. */
static int64_t game_with(int64_t left_ms)
{
    int64_t game_no = store_game(db, aki, ben);
    struct db_game game;
    cr_assert_eq(db_game_load(db, game_no, &game), DB_OK);
    game.position[0] = 's';
    game.ply = 1;
    game.seq = 1;
    game.turn[0] = 'w';
    game.deadline_at_ms = left_ms == 0 ? 0 : now_ms + left_ms;
    cr_assert_eq(db_game_advance(db, &game, 0), DB_OK);
    return game_no;
}

static void give_back(int64_t amount_ms)
{
    const struct db_credit credit = {amount_ms, now_ms, "pause"};
    cr_assert_eq(db_clocks_credit(db, &credit), DB_OK);
}

static void expect_left(int64_t game_no, int64_t left_ms, uint32_t events)
{
    struct db_game game;
    cr_assert_eq(db_game_load(db, game_no, &game), DB_OK);
    cr_expect_eq(game.deadline_at_ms - now_ms, left_ms);
    cr_expect_eq(game.seq, 1 + events);
}

Test(credit, nobody_has_more_than_a_full_turn_after_it)
{
    int64_t late = game_with(-5000);
    int64_t early = game_with(TURN_MS - 4000);
    int64_t just_begun = game_with(TURN_MS);
    int64_t begins_later = game_with(TURN_MS + 1);
    give_back(AMOUNT_MS);
    expect_left(late, AMOUNT_MS - 5000, 1);
    expect_left(early, TURN_MS, 1);
    expect_left(just_begun, TURN_MS, 0);
    expect_left(begins_later, TURN_MS + 1, 0);
}

Test(credit, a_turn_without_a_deadline_gets_one_whatever_is_given_back)
{
    int64_t game_no = game_with(0);
    int64_t other = game_with(5000);
    give_back(0);
    expect_left(game_no, TURN_MS, 1);
    expect_left(other, 5000, 0);
}
