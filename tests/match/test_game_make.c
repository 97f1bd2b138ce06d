#include "ratings/policy.h"
#include "table.h"

#include <criterion/criterion.h>
#include <string.h>

TestSuite(game_make, .init = table_enter, .fini = table_leave);

/* --- the set of players --------------------------------------------------------------------------
 */

static void expect_set(size_t count, const int64_t *players, const char *expected)
{
    char set[DB_SET_TEXT];
    player_set_format(players, count, set);
    cr_expect_str_eq(set, expected);
}

Test(game_make, a_set_names_its_players_in_order_whatever_their_seats)
{
    expect_set(1, (const int64_t[]){5}, "5");
    expect_set(2, (const int64_t[]){17, 3}, "3,17");
    expect_set(2, (const int64_t[]){3, 17}, "3,17");
    expect_set(2, (const int64_t[]){100, 20}, "20,100");
    expect_set(4, (const int64_t[]){4, 3, 2, 1}, "1,2,3,4");
    expect_set(4, (const int64_t[]){2, 9, 1, 9}, "1,2,9,9");
}

Test(game_make, a_set_of_the_largest_numbers_has_room)
{
    expect_set(4, (const int64_t[]){INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX},
               "9223372036854775807,9223372036854775807,9223372036854775807,9223372036854775807");
}

/* --- who sat where
 * --------------------------------------------------------------------------------
 */

Test(game_make, whoever_sat_after_a_seat_has_it_next_unless_all_keep_theirs)
{
    for (size_t seat = 0; seat < 4; seat++) {
        static const size_t moved[] = {1, 2, 3, 0};
        cr_expect_eq(seat_before(false, seat, 4), moved[seat]);
        cr_expect_eq(seat_before(true, seat, 4), seat);
    }
    cr_expect_eq(seat_before(false, 0, 2), 1);
    cr_expect_eq(seat_before(false, 1, 2), 0);
}

/* --- a new game ----------------------------------------------------------------------------------
 */

Test(game_make, a_new_game_is_stored_as_it_was_planned)
{
    struct game_plan plan = table_plan(1, 0);
    struct db_game game = table_game(&plan);
    struct db_game found;
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    cr_assert_eq(db_game_load(table()->db, game.game_no, &found), DB_OK);
    cr_expect(secrets_id_parse(found.id.id.text, strlen(found.id.id.text), 'g', &game.id.id));
    cr_expect_str_eq(found.game, "hasami");
    cr_expect_str_eq(found.pool, "hasami");
    cr_expect_str_eq(found.options, "win_condition=capture_5 move_limit=2000");
    cr_expect_str_eq(found.position, "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b - 1");
    cr_expect_str_eq(found.player_set, "1,2");
    cr_expect_str_eq(found.status, "playing");
    cr_expect_str_eq(found.turn, "b");
    cr_expect(found.rated && found.ply == 0 && found.seq == 0 && found.replay_of == 0);
    cr_expect_eq(found.created_at_ms, STORE_NOW_MS);
    cr_assert_eq(db_seats(table()->db, game.game_no, seats, &count), DB_OK);
    cr_assert_eq(count, 2);
    cr_expect_eq(seats[0].player_no, table()->players[1]);
    cr_expect_eq(seats[1].player_no, table()->players[0]);
    cr_expect_str_eq(seats[1].seat, "w");
    cr_expect(!seats[0].cpu && seats[0].place == 0);
}

Test(game_make, seats_show_the_rating_that_the_player_has_when_it_starts)
{
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    store_rating(table()->db, table()->players[0], DB_PROVISIONAL, 1612345);
    struct game_plan plan = table_plan(0, 1);
    struct db_game game = table_game(&plan);
    cr_assert_eq(db_seats(table()->db, game.game_no, seats, &count), DB_OK);
    cr_expect(seats[0].has_rating && seats[0].rating_milli == 1612345);
    cr_expect(seats[1].has_rating && seats[1].rating_milli == 1500000, "the start rating");
}

Test(game_make, local_rules_have_no_rating_anywhere)
{
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    struct game_plan plan = table_plan(0, 1);
    plan.pool = NULL;
    struct db_game game = table_game(&plan);
    cr_expect(!game.rated);
    cr_expect_str_eq(game.unrated_reason, "local_rules");
    cr_expect_str_eq(game.pool, "");
    cr_assert_eq(db_seats(table()->db, game.game_no, seats, &count), DB_OK);
    cr_expect(!seats[0].has_rating && !seats[1].has_rating);
}

Test(game_make, a_game_without_turn_time_is_not_rated)
{
    struct game_plan plan = table_plan(0, 1);
    plan.turn_seconds = 0;
    struct db_game game = table_game(&plan);
    cr_expect(!game.rated);
    cr_expect_str_eq(game.unrated_reason, "no_clock");
}

/* --- how often the same set is rated -------------------------------------------------------------
 */

static bool next_is_rated(size_t first, size_t second)
{
    struct game_plan plan = table_plan(first, second);
    struct db_game game = table_game(&plan);
    cr_expect_str_eq(game.unrated_reason, game.rated ? "" : "repeat_limit");
    return game.rated;
}

Test(game_make, the_same_set_is_rated_up_to_the_limit_of_a_day_whoever_sits_where)
{
    cr_assert_eq(table()->match.options.repeat_limit, 2);
    cr_expect(next_is_rated(0, 1));
    cr_expect(next_is_rated(1, 0));
    cr_expect_not(next_is_rated(0, 1));
    cr_expect(next_is_rated(0, 2), "another set");
    table()->now_ms += POLICY_REPEAT_WINDOW_MS - 1;
    cr_expect_not(next_is_rated(1, 0), "still within the day");
    table()->now_ms += 1;
    cr_expect(next_is_rated(0, 1));
}

Test(game_make, replays_do_not_count_against_the_limit)
{
    struct game_plan plan = table_plan(0, 1);
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    struct db_game drawn = table_game(&plan);
    struct db_game replay;
    cr_assert_eq(db_seats(table()->db, drawn.game_no, seats, &count), DB_OK);
    cr_assert_eq(game_make_replay(&table()->match, table()->db, &drawn, seats, 5, &replay), DB_OK);
    cr_expect(replay.rated);
    cr_expect(next_is_rated(0, 1));
    cr_expect_not(next_is_rated(0, 1));
}

/* --- replays -------------------------------------------------------------------------------------
 */

Test(game_make, a_replay_has_the_same_people_one_seat_on_and_the_same_terms)
{
    struct game_plan plan = table_plan(0, 1);
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    struct db_game replay;
    plan.cpu_levels[1] = 5;
    plan.turn_seconds = 60;
    struct db_game drawn = table_game(&plan);
    cr_assert_eq(db_seats(table()->db, drawn.game_no, seats, &count), DB_OK);
    cr_assert_eq(game_make_replay(&table()->match, table()->db, &drawn, seats, 777, &replay),
                 DB_OK);
    cr_expect_eq(replay.replay_of, drawn.game_no);
    cr_expect_eq(replay.created_at_ms, 777);
    cr_expect_eq(replay.turn_seconds, 60);
    cr_expect_str_eq(replay.options, drawn.options);
    cr_expect_str_eq(replay.pool, drawn.pool);
    cr_expect_str_eq(replay.player_set, drawn.player_set);
    cr_expect_str_neq(replay.id.id.text, drawn.id.id.text);
    cr_expect_str_eq(replay.turn, "b");
    cr_assert_eq(db_seats(table()->db, replay.game_no, seats, &count), DB_OK);
    cr_expect_eq(seats[0].player_no, table()->players[1]);
    cr_expect_eq(seats[1].player_no, table()->players[0]);
    cr_expect(seats[0].cpu && !seats[1].cpu, "the CPU stays with its player");
}

Test(game_make, the_replay_of_an_unrated_game_is_unrated_for_the_same_reason)
{
    struct game_plan plan = table_plan(0, 1);
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    struct db_game replay;
    plan.pool = NULL;
    struct db_game drawn = table_game(&plan);
    cr_assert_eq(db_seats(table()->db, drawn.game_no, seats, &count), DB_OK);
    cr_assert_eq(game_make_replay(&table()->match, table()->db, &drawn, seats, 5, &replay), DB_OK);
    cr_expect(!replay.rated);
    cr_expect_str_eq(replay.unrated_reason, "local_rules");
    cr_assert_eq(db_seats(table()->db, replay.game_no, seats, &count), DB_OK);
    cr_expect_not(seats[0].has_rating);
}

Test(game_make, a_game_of_unknown_rules_has_no_replay)
{
    struct game_plan plan = table_plan(0, 1);
    struct db_seat seats[DB_SEATS_MAX] = {0};
    struct db_game drawn = table_game(&plan);
    struct db_game replay;
    memcpy(drawn.options, "komi=6", sizeof "komi=6");
    cr_expect_eq(game_make_replay(&table()->match, table()->db, &drawn, seats, 5, &replay),
                 DB_CORRUPT);
}

/* --- rematches and tables ------------------------------------------------------------------------
 */

static struct game_plan plan_of_four(void)
{
    struct game_plan plan = {.pool = "yonin", .turn_seconds = 60, .at_ms = STORE_NOW_MS};
    const struct pool_rules *pool = NULL;
    plan.rules = rules_find_pool("yonin", &pool);
    plan.options = pool->options;
    options_bound(plan.rules, &plan.options);
    memcpy(plan.players, table()->players, sizeof plan.players);
    return plan;
}

Test(game_make, in_a_rematch_of_four_everybody_has_moved_one_seat_against_the_clock)
{
    struct game_plan plan = plan_of_four();
    struct db_game first = table_game(&plan);
    struct db_game rematch;
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    cr_assert_eq(db_seats(table()->db, first.game_no, seats, &count), DB_OK);
    cr_assert_eq(
        game_make_rematch(&table()->match, table()->db, &first, seats, STORE_NOW_MS + 9, &rematch),
        DB_OK);
    cr_expect_eq(rematch.rematch_of, first.game_no);
    cr_expect_str_eq(rematch.pool, "yonin");
    cr_expect(rematch.rated);
    cr_assert_eq(db_seats(table()->db, rematch.game_no, seats, &count), DB_OK);
    for (size_t i = 0; i < 4; i++) {
        cr_expect_eq(seats[i].player_no, table()->players[(i + 1) % 4], "seat %zu", i);
    }
    cr_assert_eq(db_game_rematch(table()->db, first.game_no, &rematch), DB_OK);
    cr_expect_eq(rematch.rematch_of, first.game_no);
}

Test(game_make, the_cpus_own_seat_has_no_player_no_rating_and_makes_the_game_unrated)
{
    struct game_plan plan = plan_of_four();
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    plan.players[2] = 0;
    plan.cpu_levels[2] = 5;
    struct db_game game = table_game(&plan);
    cr_expect(!game.rated);
    cr_expect_str_eq(game.unrated_reason, "cpu_seat");
    cr_assert_eq(db_seats(table()->db, game.game_no, seats, &count), DB_OK);
    cr_expect(seats[2].player_no == 0 && seats[2].cpu && !seats[2].has_rating);
    cr_expect_eq(seats[2].cpu_level, 5);
    cr_expect(seats[1].player_no != 0 && !seats[1].cpu && seats[1].has_rating);
}
