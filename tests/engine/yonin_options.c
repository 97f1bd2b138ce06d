/* The entry of four-player shogi in the array of games: options, pools, seats. */

#include "yonin_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

#define DEFAULTS "format=individual ending=two_mates orphaned_pieces=to_mater move_limit=0"

static void expect_pool(const char *options, const char *pool);

Test(yonin_options, every_value_is_written_as_it_is_read)
{
    static const char *const texts[] = {
        DEFAULTS,
        "format=pairs ending=two_mates orphaned_pieces=to_mater move_limit=2000",
        "format=individual ending=last_survivor orphaned_pieces=ownerless move_limit=1",
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct game_options options = options_of(yonin(), texts[i]);
        char text[RULES_OPTIONS_TEXT_MAX];

        options_format(yonin(), &options, text);
        cr_expect_str_eq(text, texts[i]);
    }
}

Test(yonin_options, what_is_left_out_has_its_default)
{
    const struct game_options options = options_of(yonin(), "");
    char text[RULES_OPTIONS_TEXT_MAX];

    options_format(yonin(), &options, text);
    cr_expect_str_eq(text, DEFAULTS);
}

Test(yonin_options, an_unknown_key_or_value_is_refused)
{
    static const struct {
        const char *key, *value, *complaint;
    } cases[] = {
        {"win_condition",   "lead_3",   "yonin has no option \"win_condition\""        },
        {"format",          "teams",    "format has no value \"teams\""                },
        {"ending",          "one_mate", "ending has no value \"one_mate\""             },
        {"orphaned_pieces", "removed",  "orphaned_pieces has no value \"removed\""     },
        {"move_limit",      "2001",     "move_limit must be at most 2000"              },
        {"move_limit",      "-1",       "move_limit must be a whole number, not \"-1\""},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct game_options options = options_of(yonin(), "");
        struct text_error error = {""};

        cr_expect_not(options_set(yonin(), &options, cases[i].key, cases[i].value, &error));
        cr_expect_str_eq(error.text, cases[i].complaint);
    }
}

Test(yonin_options, there_is_a_pool_for_each_format)
{
    const struct pool_rules *pool = NULL;

    expect_pool("", "yonin");
    expect_pool("move_limit=2000", "yonin");
    expect_pool("format=pairs", "yonin_pairs");
    expect_pool("ending=last_survivor", NULL);
    expect_pool("orphaned_pieces=ownerless", NULL);
    expect_pool("move_limit=300", NULL);
    cr_expect_eq(rules_find_pool("yonin_pairs", &pool), yonin());
    cr_assert_not_null(pool);
    cr_expect_str_eq(pool->key, "yonin_pairs");
}

Test(yonin_options, seats_go_clockwise_from_south)
{
    cr_expect_eq(yonin()->seat_count, 4);
    cr_expect_str_eq(yonin()->seat_letters, "swne");
    cr_expect_eq(rules_seat(yonin(), 's'), 0);
    cr_expect_eq(rules_seat(yonin(), 'e'), 3);
    cr_expect_eq(rules_seat(yonin(), 'b'), RULES_SEAT_NONE);
    cr_expect_str_eq(yonin()->hand_letters, "RGSP");
}

Test(yonin_options, a_position_is_small)
{
    cr_expect_leq(sizeof(struct yonin_position), 512);
}

static void expect_pool(const char *options, const char *pool)
{
    const struct game_options chosen = options_of(yonin(), options);
    const struct pool_rules *found = options_pool(yonin(), &chosen);

    cr_assert_eq(found == NULL, pool == NULL, "%s", options);
    if (pool != NULL) {
        cr_expect_str_eq(found->key, pool);
    }
}
