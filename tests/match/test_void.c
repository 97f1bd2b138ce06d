#include "match/void.h"
#include "ratings/elo.h"

#include <criterion/criterion.h>

/* What a void makes of a standing, in numbers. */

static const uint8_t places[DB_SEATS_MAX] = {1, 2};

static bool take_back(uint8_t seat_no, int64_t delta_milli, struct db_rating *standing,
                      struct db_rating_event *event)
{
    struct game_options options;
    const struct game_rules *rules = rules_find("hasami");
    const struct db_rating_event result = {
        .event_no = 5,
        .seat_no = seat_no,
        .place = places[seat_no],
        .k = 24,
        .games_before = 3,
        .before_milli = 1400000,
        .delta_milli = delta_milli,
        .after_milli = 1400000 + delta_milli,
        .cpu_plies = 2,
        .capped = true,
        .floor_applied = true,
    };
    options_default(rules, &options);
    return void_event(rules, &options, &result, places, standing, event);
}

Test(void_event, a_win_is_taken_back_from_what_the_rating_is_now)
{
    struct db_rating standing = {
        .rating_milli = 1700000, .games = 9, .wins = 5, .losses = 4, .places = {5, 4}
    };
    struct db_rating_event event;
    cr_assert(take_back(0, 12000, &standing, &event));
    cr_expect(event.is_void);
    cr_expect_eq(event.before_milli, 1700000);
    cr_expect_eq(event.delta_milli, -12000);
    cr_expect_eq(event.after_milli, 1688000);
    cr_expect_eq(event.games_before, 9);
    cr_expect_eq(event.k, 24);
    cr_expect_eq(event.cpu_plies, 2);
    cr_expect(!event.capped && !event.floor_applied);
    cr_expect_eq(standing.rating_milli, 1688000);
    cr_expect_eq(standing.games, 8);
    cr_expect_eq(standing.wins, 4);
    cr_expect_eq(standing.losses, 4);
    cr_expect_eq(standing.places[0], 4);
    cr_expect_eq(standing.places[1], 4);
}

Test(void_event, a_loss_is_given_back)
{
    struct db_rating standing = {
        .rating_milli = 1500000, .games = 1, .losses = 1, .places = {0, 1}
    };
    struct db_rating_event event;
    cr_assert(take_back(1, -20000, &standing, &event));
    cr_expect_eq(event.delta_milli, 20000);
    cr_expect_eq(standing.games, 0);
    cr_expect_eq(standing.losses, 0);
    cr_expect_eq(standing.places[1], 0);
}

Test(void_event, nobody_falls_through_the_floor)
{
    struct db_rating standing = {
        .rating_milli = 105000, .games = 9, .wins = 5, .losses = 4, .places = {5, 4}
    };
    struct db_rating_event event;
    cr_assert(take_back(0, 12000, &standing, &event));
    cr_expect_eq(event.after_milli, ELO_FLOOR_MILLI);
    cr_expect_eq(event.delta_milli, -5000, "what was applied");
    cr_expect(event.floor_applied);
    standing = (struct db_rating){.rating_milli = 112000, .games = 1, .wins = 1, .places = {1}};
    cr_assert(take_back(0, 12000, &standing, &event));
    cr_expect_eq(event.after_milli, ELO_FLOOR_MILLI);
    cr_expect(!event.floor_applied, "exactly on it");
}

Test(void_event, a_standing_without_the_game_has_nothing_to_take_back)
{
    struct db_rating standing = {
        .rating_milli = 1500000, .games = 1, .losses = 1, .places = {0, 1}
    };
    struct db_rating_event event;
    cr_expect(!take_back(0, 12000, &standing, &event));
    cr_expect_eq(standing.games, 1);
}
