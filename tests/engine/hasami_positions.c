/* Notation of positions: what is read is written again, and each fault has its own complaint. */

#include "fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_round_trip(const char *text, const char *written);
static void expect_refused(const char *text, size_t length, const char *complaint);

#define REFUSED(text, complaint) expect_refused(text, sizeof(text) - 1, complaint)
#define EMPTY                    "9/9/9/9/9/9/9/9/9"
#define NINE                     "ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP"

Test(hasami_positions, the_start_is_nine_men_a_side_and_black_to_move)
{
    struct position position;
    char text[RULES_POSITION_TEXT_MAX];

    hasami()->start(&position);
    cr_expect_eq(hasami()->format_position(&position, text), strlen(NINE " b - 1"));
    cr_expect_str_eq(text, NINE " b - 1");
    cr_expect_eq(hasami()->turn(&position), 0);
    cr_expect_eq(hasami()->ply(&position), 0);
}

Test(hasami_positions, the_long_form_is_kept_as_it_is)
{
    expect_round_trip(NINE " b - 1", NINE " b - 1");
    expect_round_trip("p7p/1P7/9/4pP3/9/9/9/9/8P w - 1000000",
                      "p7p/1P7/9/4pP3/9/9/9/9/8P w - 1000000");
    expect_round_trip(EMPTY " w - 17", EMPTY " w - 17");
}

Test(hasami_positions, the_short_form_means_move_number_one)
{
    expect_round_trip(NINE " w", NINE " w - 1");
}

Test(hasami_positions, the_text_needs_no_terminator)
{
    const struct game_options options = options_of(hasami(), "");
    const char text[] = NINE " w - 123456";
    struct position position;
    struct text_error error;

    cr_assert(hasami()->parse_position(text, strlen(NINE " w - 12"), &options, &position, &error));
    cr_expect_eq(hasami()->ply(&position), 11);
    cr_expect_eq(hasami()->turn(&position), 1);
}

Test(hasami_positions, an_empty_text_is_refused)
{
    REFUSED("", "the position is empty");
}

Test(hasami_positions, a_text_that_is_too_long_is_refused)
{
    char text[600];

    memset(text, '1', sizeof text);
    expect_refused(text, sizeof text, "the position is 600 bytes long, at most 511 are allowed");
}

Test(hasami_positions, a_wrong_number_of_fields_is_refused)
{
    REFUSED(NINE, "the position has 1 space-separated fields, not 2 (board, side) or 4 (board, "
                  "side, -, move number)");
    REFUSED(NINE " b -", "the position has 3 space-separated fields, not 2 (board, side) or 4 "
                         "(board, side, -, move number)");
    REFUSED(NINE " b - 1 ", "the position has 5 space-separated fields, not 2 (board, side) or 4 "
                            "(board, side, -, move number)");
}

Test(hasami_positions, a_wrong_number_of_ranks_is_refused)
{
    REFUSED("9/9/9/9/9/9/9/9 b", "the board has 8 ranks, not 9");
    REFUSED("9/9/9/9/9/9/9/9/9/ b", "the board has 10 ranks, not 9");
    REFUSED(" b", "the board has 1 ranks, not 9");
}

Test(hasami_positions, a_rank_of_another_length_is_refused)
{
    REFUSED("9/9/p7/9/9/9/9/9/9 b", "rank c has 8 squares, not 9");
    REFUSED("9/9/9/9/9/9/9/9/PPPPPPPPPP b", "rank i has 10 squares, not 9");
    REFUSED("9/9p/9/9/9/9/9/9/9 b", "rank b has 10 squares, not 9");
    REFUSED("//////// b", "rank a has 0 squares, not 9");
}

Test(hasami_positions, two_digits_in_a_row_are_refused)
{
    REFUSED("9/9/9/45/9/9/9/9/9 b", "rank d has two digits in a row, write their sum");
}

Test(hasami_positions, a_character_that_is_no_square_is_refused)
{
    REFUSED("9/9/9/9/9/9/9/9/8K b", "rank i: 'K' is neither P, p nor a digit 1 to 9");
    REFUSED("9/0p8/9/9/9/9/9/9/9 b", "rank b: '0' is neither P, p nor a digit 1 to 9");
    REFUSED("8\0/9/9/9/9/9/9/9/9 b", "rank a: byte 0x00 is neither P, p nor a digit 1 to 9");
    REFUSED("8\xc3/9/9/9/9/9/9/9/9 b", "rank a: byte 0xc3 is neither P, p nor a digit 1 to 9");
}

Test(hasami_positions, more_than_nine_men_of_a_side_are_refused)
{
    REFUSED("PPPPPPPPP/8P/9/9/9/9/9/9/9 b", "there are 10 men P, at most 9 are possible");
    REFUSED("ppppppppp/ppppppppp/9/9/9/9/9/9/9 b", "there are 18 men p, at most 9 are possible");
}

Test(hasami_positions, an_unknown_side_is_refused)
{
    REFUSED(NINE " s", "the side to move must be b or w");
    REFUSED(NINE " B - 1", "the side to move must be b or w");
    REFUSED(NINE "  b", "the position has 3 space-separated fields, not 2 (board, side) or 4 "
                        "(board, side, -, move number)");
    REFUSED(NINE "  - 1", "the side to move must be b or w");
}

Test(hasami_positions, anything_in_hand_is_refused)
{
    REFUSED(NINE " b P 1", "the third field must be -: captured men never return");
    REFUSED(NINE " b  1", "the third field must be -: captured men never return");
}

Test(hasami_positions, a_move_number_that_is_no_number_is_refused)
{
    REFUSED(NINE " b - ", "the move number is missing");
    REFUSED(NINE " b - 1x", "the move number has 'x' in it, not only digits");
    REFUSED(NINE " b - -1", "the move number has '-' in it, not only digits");
    REFUSED(NINE " b - 1\n", "the move number has byte 0x0a in it, not only digits");
}

Test(hasami_positions, a_move_number_must_not_begin_with_zero)
{
    REFUSED(NINE " b - 0", "the move number must not begin with 0");
    REFUSED(NINE " b - 01", "the move number must not begin with 0");
}

Test(hasami_positions, a_move_number_beyond_a_million_is_refused)
{
    REFUSED(NINE " b - 1000001", "the move number is larger than 1000000");
    REFUSED(NINE " b - 99999999999999999999", "the move number is larger than 1000000");
}

Test(hasami_positions, a_refused_text_leaves_the_position_as_it_was)
{
    const struct game_options options = options_of(hasami(), "");
    struct position position = position_of(hasami(), NINE " w - 5");
    const uint64_t before = hasami()->hash(&position);
    struct text_error error;

    cr_assert_not(hasami()->parse_position("9/9 b", 5, &options, &position, &error));
    cr_expect_eq(hasami()->hash(&position), before);
    cr_expect_eq(hasami()->ply(&position), 4);
}

Test(hasami_positions, every_piece_is_where_the_text_has_it)
{
    const struct position at = position_of(hasami(), "p7P/9/2Pp5/9/9/9/9/9/P7p w - 1");
    char board[RULES_SQUARES + 1] = "";

    for (size_t square = 0; square < RULES_SQUARES; square++) {
        char piece[RULES_PIECE_TEXT_MAX];

        hasami()->piece_text(&at, (uint8_t)square, piece);
        cr_assert_leq(strlen(piece), 1);
        board[square] = piece[0];
        if (piece[0] == '\0') {
            board[square] = '.';
        }
    }
    cr_expect_str_eq(board, "p.......P"
                            "........."
                            "..Pp....."
                            "........."
                            "........."
                            "........."
                            "........."
                            "........."
                            "P.......p");
}

Test(hasami_positions, counting_stops_at_the_largest_number_that_can_be_read)
{
    const struct game_options options = options_of(hasami(), "");
    const struct position before = position_of(hasami(), NINE " b - 1000000");
    struct position after;
    struct ply_effects effects;
    char text[RULES_POSITION_TEXT_MAX];

    hasami()->play(&before, &options, move_of(hasami(), "5i5h"), &after, &effects);
    hasami()->format_position(&after, text);
    cr_expect_str_eq(text, "ppppppppp/9/9/9/9/9/9/4P4/PPPP1PPPP w - 1000000");
}

static void expect_round_trip(const char *text, const char *written)
{
    const struct position position = position_of(hasami(), text);
    char again[RULES_POSITION_TEXT_MAX];

    cr_expect_eq(hasami()->format_position(&position, again), strlen(written));
    cr_expect_str_eq(again, written);
}

static void expect_refused(const char *text, size_t length, const char *complaint)
{
    const struct game_options options = options_of(hasami(), "");
    struct position position;
    struct text_error error = {""};

    cr_expect_not(hasami()->parse_position(text, length, &options, &position, &error), "%s", text);
    cr_expect_str_eq(error.text, complaint, "\"%s\" gives \"%s\"", text, error.text);
}
