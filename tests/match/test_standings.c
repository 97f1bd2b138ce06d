#include "match/verify_parts.h"

#include <criterion/criterion.h>

/* The table in which verify adds up what the rating events make of every player. */

enum { PLAYERS = 5000 };

Test(standings, a_player_begins_at_the_start_rating_without_a_game)
{
    struct standings *standings = standings_new();
    const struct db_rating *rating = standing_of(standings, 7, "hasami");
    cr_assert_not_null(rating);
    cr_expect_eq(rating->player_no, 7);
    cr_expect_str_eq(rating->pool, "hasami");
    cr_expect_eq(rating->rating_milli, 1500000);
    cr_expect_eq(rating->games, 0);
    standings_free(standings);
    standings_free(NULL);
}

Test(standings, everybody_is_remembered_in_every_pool_however_many_they_are)
{
    static const char *const pools[] = {"hasami", "yonin"};
    struct standings *standings = standings_new();
    for (int64_t player_no = 1; player_no <= PLAYERS; player_no++) {
        for (size_t i = 0; i < 2; i++) {
            struct db_rating *rating = standing_of(standings, player_no << 20, pools[i]);
            cr_assert_not_null(rating);
            cr_assert_eq(rating->games, 0, "somebody else's");
            rating->games = (uint32_t)(2 * player_no) + (uint32_t)i;
        }
    }
    for (int64_t player_no = 1; player_no <= PLAYERS; player_no++) {
        for (size_t i = 0; i < 2; i++) {
            const struct db_rating *rating = standing_of(standings, player_no << 20, pools[i]);
            cr_assert_eq(rating->games, (uint32_t)(2 * player_no) + (uint32_t)i);
        }
    }
    standings_free(standings);
}
