#include "match/due.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* The heap of deadlines. */

static struct due *due;

static void enter(void)
{
    due = due_new();
    cr_assert_not_null(due);
}

static void leave(void)
{
    due_free(due);
}

TestSuite(due, .init = enter, .fini = leave);

static void set(int64_t game_no, int64_t at_ms)
{
    struct due_game game = {.at_ms = at_ms, .game_no = game_no};
    (void)snprintf(game.id.id.text, sizeof game.id.id.text, "g_%d", (int)game_no);
    cr_assert(due_set(due, &game));
}

/* 0: nothing is due. */
static int64_t taken(int64_t now_ms)
{
    struct due_game game;
    char id[DB_ID_TEXT];
    if (!due_take(due, now_ms, &game)) {
        return 0;
    }
    (void)snprintf(id, sizeof id, "g_%d", (int)game.game_no);
    cr_expect_str_eq(game.id.id.text, id);
    cr_expect_leq(game.at_ms, now_ms);
    return game.game_no;
}

Test(due, games_come_when_their_time_has_come_and_the_earliest_first)
{
    set(1, 30);
    set(2, 10);
    set(3, 20);
    cr_expect_eq(due_next(due), 10);
    cr_expect_eq(taken(9), 0);
    cr_expect_eq(taken(10), 2);
    cr_expect_eq(taken(30), 3);
    cr_expect_eq(taken(30), 1);
    cr_expect_eq(taken(INT64_MAX), 0);
    cr_expect_eq(due_next(due), INT64_MAX);
}

Test(due, a_game_is_in_it_once_at_the_earlier_of_two_times)
{
    set(1, 30);
    set(2, 20);
    set(1, 10);
    set(1, 40);
    cr_expect_eq(due_count(due), 2);
    cr_expect_eq(taken(15), 1);
    cr_expect_eq(taken(15), 0);
    cr_expect_eq(taken(INT64_MAX), 2);
}

Test(due, what_is_over_is_not_asked_for)
{
    set(1, 10);
    set(2, 20);
    set(3, 30);
    due_drop(due, 1);
    due_drop(due, 7);
    cr_expect_eq(taken(INT64_MAX), 2);
    due_drop(due, 3);
    cr_expect_eq(due_count(due), 0);
}

/* A game of the same number as one that came to nothing. */
static const struct due_game newer = {.at_ms = 50, .game_no = 1, .id = {{"g_newer"}}};

static void expect_newer(void)
{
    struct due_game game;
    cr_expect_eq(due_count(due), 1);
    cr_assert(due_take(due, 50, &game));
    cr_expect_str_eq(game.id.id.text, "g_newer");
    cr_expect_eq(game.at_ms, 50);
}

Test(due, a_number_that_was_given_again_is_the_newer_games)
{
    static const int64_t earlier_and_later[] = {10, 90};
    for (size_t i = 0; i < 2; i++) {
        set(1, earlier_and_later[i]);
        cr_assert(due_set(due, &newer));
        expect_newer();
    }
}

Test(due, what_was_taken_comes_back_unless_its_number_was_given_again)
{
    struct due_game game;
    set(1, 10);
    cr_assert(due_take(due, 10, &game));
    cr_assert(due_set_again(due, &game));
    cr_expect_eq(taken(10), 1);
    cr_assert(due_set(due, &newer));
    cr_assert(due_set_again(due, &game));
    expect_newer();
}

/* Beside a plain array, which knows the answers. */
enum { GAMES = 700, STEPS = 200000 };
static int64_t at_of[GAMES + 1]; /* 0: not in it */

static uint32_t drawn(uint64_t *state, uint32_t below)
{
    *state = *state * 6364136223846793005U + 1442695040888963407U;
    return (uint32_t)(*state >> 33) % below;
}

static int64_t earliest(void)
{
    int64_t found = INT64_MAX;
    for (size_t i = 1; i <= GAMES; i++) {
        found = at_of[i] != 0 && at_of[i] < found ? at_of[i] : found;
    }
    return found;
}

Test(due, a_long_life_leaves_it_in_order)
{
    uint64_t state = 11;
    for (int i = 0; i < STEPS; i++) {
        int64_t game_no = 1 + drawn(&state, GAMES);
        int64_t at_ms = 1 + drawn(&state, 100000);
        uint32_t deed = drawn(&state, 8);
        if (deed < 5) {
            set(game_no, at_ms);
            at_of[game_no] = at_of[game_no] == 0 || at_ms < at_of[game_no] ? at_ms : at_of[game_no];
        } else if (deed == 5) {
            due_drop(due, game_no);
            at_of[game_no] = 0;
        } else {
            int64_t next_ms = due_next(due);
            int64_t taken_no = taken(INT64_MAX - 1);
            cr_assert_eq(taken_no == 0 ? INT64_MAX : at_of[taken_no], next_ms);
            at_of[taken_no] = 0;
        }
        if (i % 1000 == 0) {
            cr_assert_eq(due_next(due), earliest());
        }
    }
}
