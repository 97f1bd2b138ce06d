/* Options as text and as numbers, pools, and the array of games. */

#include "fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_refused(const char *key, const char *value, const char *complaint);
static void expect_unparsed(const char *text, const char *complaint);

Test(options, the_defaults_are_the_first_word_and_no_limit)
{
    char text[RULES_OPTIONS_TEXT_MAX];
    struct game_options options;

    options_default(hasami(), &options);
    options_format(hasami(), &options, text);
    cr_expect_str_eq(text, "win_condition=capture_5 move_limit=0");
}

Test(options, every_value_is_written_as_it_is_read)
{
    static const char *const texts[] = {"win_condition=capture_5 move_limit=2000",
                                        "win_condition=lead_3 move_limit=1",
                                        "win_condition=capture_all move_limit=0"};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const struct game_options options = options_of(hasami(), texts[i]);
        char text[RULES_OPTIONS_TEXT_MAX];

        options_format(hasami(), &options, text);
        cr_expect_str_eq(text, texts[i]);
    }
}

Test(options, keys_may_be_left_out_or_come_in_another_order)
{
    char text[RULES_OPTIONS_TEXT_MAX];
    struct game_options options = options_of(hasami(), "move_limit=40 win_condition=lead_3");

    options_format(hasami(), &options, text);
    cr_expect_str_eq(text, "win_condition=lead_3 move_limit=40");
    options = options_of(hasami(), "move_limit=40");
    options_format(hasami(), &options, text);
    cr_expect_str_eq(text, "win_condition=capture_5 move_limit=40");
}

Test(options, an_unknown_key_or_value_is_refused)
{
    expect_refused("format", "pairs", "hasami has no option \"format\"");
    expect_refused("win_condition", "lead_4", "win_condition has no value \"lead_4\"");
    expect_refused("win_condition", "", "win_condition has no value \"\"");
    expect_refused("win_condition", "0", "win_condition has no value \"0\"");
}

Test(options, a_number_has_one_spelling_and_a_maximum)
{
    expect_refused("move_limit", "2001", "move_limit must be at most 2000");
    expect_refused("move_limit", "99999999999999999999", "move_limit must be at most 2000");
    expect_refused("move_limit", "", "move_limit must be a whole number, not \"\"");
    expect_refused("move_limit", "-1", "move_limit must be a whole number, not \"-1\"");
    expect_refused("move_limit", "07", "move_limit must be a whole number, not \"07\"");
    expect_refused("move_limit", "7 ", "move_limit must be a whole number, not \"7 \"");
}

Test(options, a_refused_value_changes_nothing)
{
    struct game_options options = options_of(hasami(), "win_condition=lead_3");
    const struct game_options before = options;
    struct text_error error;

    cr_expect_not(options_set(hasami(), &options, "move_limit", "x", &error));
    cr_expect_eq(memcmp(&options, &before, sizeof options), 0);
}

Test(options, a_text_of_another_form_is_refused)
{
    expect_unparsed("move_limit", "\"move_limit\" is not of the form key=value");
    expect_unparsed("move_limit=1 ", "the options end in a space");
    expect_unparsed(" move_limit=1", "\"\" is not of the form key=value");
    expect_unparsed("move_limit=1  win_condition=lead_3", "\"\" is not of the form key=value");
}

Test(options, a_pair_that_is_too_long_is_refused)
{
    char text[400];

    memset(text, 'x', sizeof text);
    text[sizeof text - 1] = '\0';
    expect_unparsed(text, "an option is longer than 159 bytes");
}

Test(options, no_limit_becomes_the_largest_when_a_game_is_served)
{
    struct game_options options = options_of(hasami(), "");
    char text[RULES_OPTIONS_TEXT_MAX];

    options_bound(hasami(), &options);
    options_format(hasami(), &options, text);
    cr_expect_str_eq(text, "win_condition=capture_5 move_limit=2000");
    options = options_of(hasami(), "move_limit=12");
    options_bound(hasami(), &options);
    options_format(hasami(), &options, text);
    cr_expect_str_eq(text, "win_condition=capture_5 move_limit=12");
}

Test(options, the_default_rules_are_the_pool_with_and_without_the_bound)
{
    static const char *const outside[] = {"move_limit=1999", "win_condition=lead_3"};
    struct game_options options = options_of(hasami(), "");

    cr_assert_not_null(options_pool(hasami(), &options));
    cr_expect_str_eq(options_pool(hasami(), &options)->key, "hasami");
    options_bound(hasami(), &options);
    cr_assert_not_null(options_pool(hasami(), &options));
    cr_expect_str_eq(options_pool(hasami(), &options)->key, "hasami");
    for (size_t i = 0; i < 2; i++) {
        options = options_of(hasami(), outside[i]);
        cr_expect_null(options_pool(hasami(), &options));
    }
}

Test(options, pools_and_games_are_found_by_their_keys)
{
    const struct pool_rules *pool = NULL;

    cr_expect_eq(rules_find_pool("hasami", &pool), hasami());
    cr_assert_not_null(pool);
    cr_expect_str_eq(pool->key, "hasami");
    cr_expect_null(rules_find_pool("chess", &pool));
    cr_expect_null(rules_find("chess"));
    cr_expect_null(rules_find(""));
    cr_assert_geq(rules_count(), 1);
    cr_expect_eq(rules_at(0), hasami());
}

Test(options, seats_have_letters)
{
    const struct game_options options = options_of(hasami(), "");

    cr_expect_eq(rules_seat(hasami(), 'b'), 0);
    cr_expect_eq(rules_seat(hasami(), 'w'), 1);
    cr_expect_eq(rules_seat(hasami(), 's'), RULES_SEAT_NONE);
    cr_expect_eq(rules_seat(hasami(), '\0'), RULES_SEAT_NONE);
    cr_expect_neq(hasami()->team(&options, 0), hasami()->team(&options, 1));
    cr_expect(hasami()->replays_repetition(&options));
}

Test(options, every_reason_has_a_word_and_a_sentence)
{
    for (int i = ILLEGAL_NONE + 1; i < ILLEGAL_REASONS; i++) {
        cr_expect_gt(strlen(illegal_reason_text((enum illegal_reason)i)), 0);
        cr_expect_gt(strlen(illegal_reason_detail((enum illegal_reason)i)), 10);
    }
    cr_expect_str_eq(illegal_reason_text(ILLEGAL_NONE), "");
    cr_expect_str_eq(illegal_reason_text(ILLEGAL_PAWN_BEFORE_INVERTED_KING),
                     "pawn-before-inverted-king");
    for (int i = END_NONE + 1; i < END_REASONS; i++) {
        cr_expect_eq(end_reason_find(end_reason_text((enum end_reason)i)), (enum end_reason)i);
    }
    cr_expect_str_eq(end_reason_text(END_NONE), "");
    cr_expect_eq(end_reason_find("boredom"), END_NONE);
    cr_expect_eq(end_reason_find(""), END_NONE);
}

Test(options, reasons_stand_in_the_order_in_which_they_are_looked_for)
{
    static const char *const texts[] = {
        "syntax",
        "off-board",
        "no-piece",
        "not-your-piece",
        "no-move",
        "bad-geometry",
        "own-piece",
        "occupied",
        "blocked",
        "partner-piece",
        "king-not-capturable",
        "not-in-hand",
        "must-promote",
        "cannot-promote",
        "dead-pawn",
        "nifu",
        "pawn-before-inverted-king",
        "leaves-king-in-check",
        "checks-partner",
        "pawn-drop-mate",
        "perpetual-check",
    };

    cr_assert_eq(sizeof texts / sizeof texts[0], ILLEGAL_REASONS - 1);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        cr_expect_str_eq(illegal_reason_text((enum illegal_reason)(i + 1)), texts[i]);
    }
}

Test(options, squares_are_named_from_9a_to_1i)
{
    char text[3];

    square_format(0, text);
    cr_expect_str_eq(text, "9a");
    square_format(8, text);
    cr_expect_str_eq(text, "1a");
    square_format(40, text);
    cr_expect_str_eq(text, "5e");
    square_format(80, text);
    cr_expect_str_eq(text, "1i");
}

static void expect_refused(const char *key, const char *value, const char *complaint)
{
    struct game_options options = options_of(hasami(), "");
    struct text_error error = {""};

    cr_expect_not(options_set(hasami(), &options, key, value, &error), "%s=%s", key, value);
    cr_expect_str_eq(error.text, complaint);
}

static void expect_unparsed(const char *text, const char *complaint)
{
    struct game_options options;
    struct text_error error = {""};

    cr_expect_not(options_parse(hasami(), text, &options, &error), "%s", text);
    cr_expect_str_eq(error.text, complaint);
}
