#include "db/clocks.h"
#include "table.h"

#include <criterion/criterion.h>

/* The end of a game whose seats the CPU plays: who gains by it, and who plays on. */

TestSuite(result, .init = table_enter, .fini = table_leave);

/* From now on the seat is the CPU's. */
static void hand_over(const struct db_game *game, uint8_t seat_no)
{
    const struct db_seat seat = {
        .game_no = game->game_no, .seat_no = seat_no, .cpu = true, .cpu_level = 5};
    cr_assert_eq(db_seat_control(table()->db, &seat), DB_OK);
}

/* --- ratings -------------------------------------------------------------------------------------
 */

/* Both have moved, a seat (or RULES_SEAT_NONE) has gone to the CPU, and the second one resigns. */
static void rate(const struct game_plan *plan, int cpu_seat,
                 struct db_rating_event events[DB_SEATS_MAX])
{
    static const char *const moves[] = {"5i5h", "5a5b", NULL};
    size_t count = 0;
    struct db_game game = table_game(plan);
    struct game_line *line = table_line(&game);
    table_play(&game, &line, moves);
    line_unref(line);
    if (cpu_seat != RULES_SEAT_NONE) {
        hand_over(&game, (uint8_t)cpu_seat);
    }
    table_resign(&game, 1);
    cr_assert_eq(db_rating_events_of_game(table()->db, game.game_no, false, events, &count), DB_OK);
    cr_assert_eq(count, 2);
}

Test(result, a_seat_that_the_cpu_holds_at_the_end_wins_nothing_and_its_opponent_pays_in_full)
{
    struct db_rating_event people[DB_SEATS_MAX];
    struct db_rating_event left[DB_SEATS_MAX];
    struct game_plan of_people = table_plan(0, 1);
    struct game_plan of_one_who_left = table_plan(2, 3);
    rate(&of_people, RULES_SEAT_NONE, people);
    rate(&of_one_who_left, 0, left);
    cr_expect(!people[0].cpu_at_end && !people[0].capped);
    cr_expect_eq(people[0].delta_milli, 20000);
    cr_expect(left[0].cpu_at_end && left[0].capped);
    cr_expect_eq(left[0].place, 1);
    cr_expect_eq(left[0].delta_milli, 0);
    cr_expect_eq(left[0].after_milli, 1500000);
    cr_expect(!left[1].cpu_at_end && !left[1].capped);
    cr_expect_eq(left[1].delta_milli, -20000);
    cr_expect_eq(people[1].delta_milli, -20000);
}

Test(result, a_seat_that_the_cpu_holds_at_the_end_loses_in_full)
{
    struct db_rating_event events[DB_SEATS_MAX];
    struct game_plan plan = table_plan(0, 1);
    rate(&plan, 1, events);
    cr_expect(events[1].cpu_at_end && !events[1].capped);
    cr_expect_eq(events[1].delta_milli, -20000);
    cr_expect_eq(events[0].delta_milli, 20000);
}

/* --- replays -------------------------------------------------------------------------------------
 */

/* A draw by repetition after which the CPU holds so many seats; whether it is played again. */
static bool is_replayed(uint8_t cpu_seats)
{
    static const char *const moves[] = {"5i5h", "5a5b", "5h5i", "5b5a", "5i5h", "5a5b", "5h5i",
                                        "5b5a", "5i5h", "5a5b", "5h5i", "5b5a", NULL};
    struct game_plan plan = table_plan(0, 1);
    struct db_game game = table_game(&plan);
    struct game_line *line = table_line(&game);
    table_play(&game, &line, moves);
    for (uint8_t i = 0; i < cpu_seats; i++) {
        hand_over(&game, i);
    }
    struct table_news news;
    struct ending ending = {
        .rules = line->rules,
        .options = &line->options,
        .at_ms = table()->now_ms,
        .resigned_seat = RULES_SEAT_NONE,
        .game = &game,
        .news = &news,
    };
    line_outcome(line, &ending.outcome);
    cr_assert_eq(ending.outcome.reason, END_REPETITION);
    cr_assert_eq(ending_apply(&table()->match, table()->db, &ending), DB_OK);
    line_unref(line);
    return ending.is_replayed;
}

Test(result, a_draw_is_played_again_as_long_as_there_is_a_person_to_play)
{
    cr_expect(is_replayed(0));
    cr_expect(is_replayed(1));
    cr_expect_not(is_replayed(2));
}
