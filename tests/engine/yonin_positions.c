/* Notation of positions: what is read is written again, and each fault in a text has its own
 * complaint. What no game can lead to is in yonin_impossible.c. */

#include "yonin_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_round_trip(const char *options, const char *text);

#define REFUSED(text, complaint) expect_refused("", text, sizeof(text) - 1, complaint)
#define KINGS                    "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4"
#define REST                     " -/-/-/- s - - 0"
#define HANDS(hands)             KINGS " " hands " s - - 0"
#define RANK_B(rank)             "4Kn4/" rank "/9/9/Kw7Ke/9/9/9/4Ks4" REST

Test(yonin_positions, the_start_is_nine_pieces_a_seat_and_south_to_move)
{
    struct position position;
    char text[RULES_POSITION_TEXT_MAX];

    yonin()->start(&position);
    cr_expect_eq(yonin()->format_position(&position, text), strlen(YONIN_START));
    cr_expect_str_eq(text, YONIN_START);
    cr_expect_eq(yonin()->turn(&position), 0);
    cr_expect_eq(yonin()->ply(&position), 0);
}

Test(yonin_positions, what_is_read_is_written_again)
{
    static const char ended[] = "Gs1Xn6/1Pns2Gs4/Xw1Rs6/9/1Ss7/9/9/9/4Ks3Ke -/-/-/- - w>s,n>s - 1";

    expect_round_trip("", YONIN_START);
    expect_round_trip("", ended);
    expect_round_trip("", KINGS " R2G3S2P/2R/10P/- s - - 1000000");
    expect_round_trip("", "4Xn4/9/4PnsSns3/9/Kw1+Pw5Ke/9/5+Ss3/9/3+RsKs4 P/9P/-/- s n>s - 40");
    expect_round_trip("", "4Xn4/9/4Pn-4/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s n>* - 7");
    expect_round_trip("", "2Kn6/9/9/9/Kw3Rs3Ke/9/9/9/4Ks4 -/R/-/- w - w<s,e<n 1");
    expect_round_trip("orphaned_pieces=ownerless",
                      "Xn5Sn-2/2Gs6/9/1Ss7/8Ke/9/3Kw5/Re8/4Ks4 -/-/-/- e n>s - 1");
    expect_round_trip("ending=last_survivor",
                      "Gs1Xn6/1Pns2Gs4/Xw1Rs6/9/1Ss7/9/9/9/4Ks3Ke -/-/-/- e w>s,n>s - 1");
    expect_round_trip("format=pairs", "4Kn4/9/9/9/Xw7Ke/9/9/9/4Ks4 -/-/-/- - w>* - 9");
}

/* All forty pieces, none beside another, each with as long a name as it can have. */
Test(yonin_positions, counting_stops_at_the_largest_ply_that_can_be_read)
{
    expect_play("", KINGS " -/-/-/- s - - 1000000", "5i5h",
                "4Kn4/9/9/9/Kw7Ke/9/9/4Ks4/9 -/-/-/- w - - 1000000", "");
}

Test(yonin_positions, the_longest_position_fits)
{
    static const char text[] =
        "Xn1+Rns1+Rns1+Rns1Ke/1Gns1Gns1Gns1Gns1/Gns1Gns1Gns1Gns1+Sns/1+Sns1+Sns1+Sns1+Sns1/+Sn"
        "s1+Sns1+Sns1+Pns1+Pns/1+Pns1+Pns1+Pns1+Pns1/+Pns1+Pns1+Pns1+Pns1+Pns/1+Pns5+Rns1/Kw7K"
        "s -/-/-/- s n>s - 1000000";

    cr_assert_lt(strlen(text), RULES_POSITION_TEXT_MAX / 2);
    expect_round_trip("", text);
}

Test(yonin_positions, the_text_needs_no_terminator)
{
    const struct game_options options = options_of(yonin(), "");
    static const char text[] = KINGS " -/-/-/- s - - 1234";
    struct position position;
    struct text_error error;

    cr_assert(yonin()->parse_position(text, strlen(text) - 2, &options, &position, &error));
    cr_expect_eq(yonin()->ply(&position), 12);
}

/* --- fields and ranks ------------------------------------------------------------------------ */

Test(yonin_positions, an_empty_or_overlong_text_is_refused)
{
    char text[600];

    REFUSED("", "the position is empty");
    memset(text, '1', sizeof text);
    expect_refused("", text, sizeof text,
                   "the position is 600 bytes long, at most 511 are allowed");
    expect_refused("", text, 512, "the position is 512 bytes long, at most 511 are allowed");
}

#define FIELDS " space-separated fields, not 6 (board, hands, turn, mates, givers, ply)"

Test(yonin_positions, a_wrong_number_of_fields_is_refused)
{
    REFUSED(KINGS, "the position has 1" FIELDS);
    REFUSED(KINGS " -/-/-/- s", "the position has 3" FIELDS);
    REFUSED(KINGS " -/-/-/- s - -", "the position has 5" FIELDS);
    REFUSED(KINGS REST " ", "the position has 7" FIELDS);
    REFUSED(KINGS " " REST, "the position has 7" FIELDS);
    REFUSED("     ", "the board has 1 ranks, not nine");
}

Test(yonin_positions, a_wrong_number_of_ranks_is_refused)
{
    REFUSED("4Kn4/9/9/9/Kw7Ke/9/9/4Ks4" REST, "the board has 8 ranks, not nine");
    REFUSED(KINGS "/" REST, "the board has 10 ranks, not nine");
}

Test(yonin_positions, a_rank_of_another_length_is_refused)
{
    REFUSED(RANK_B("8"), "rank b has 8 squares, not nine");
    REFUSED(RANK_B(""), "rank b has 0 squares, not nine");
    REFUSED(RANK_B("9Ps"), "rank b has more than nine squares");
    REFUSED(RANK_B("8Ps1"), "rank b has more than nine squares");
    REFUSED(RANK_B("Ps9"), "rank b has more than nine squares");
}

Test(yonin_positions, empty_squares_are_one_digit)
{
    REFUSED(RANK_B("45"), "rank b: empty squares are one digit, 1 to 9");
    REFUSED(RANK_B("0Ps8"), "rank b: empty squares are one digit, 1 to 9");
    REFUSED(RANK_B("91"), "rank b: empty squares are one digit, 1 to 9");
}

/* --- pieces ---------------------------------------------------------------------------------- */

Test(yonin_positions, an_unknown_piece_is_refused)
{
    REFUSED(RANK_B("8Ls"), "rank b: 'L' is no piece (P S G R K X)");
    REFUSED(RANK_B("8ps"), "rank b: 'p' is no piece (P S G R K X)");
    REFUSED(RANK_B("8-"), "rank b: '-' is no piece (P S G R K X)");
    REFUSED(RANK_B("8Gsew"), "rank b: 'w' is no piece (P S G R K X)");
    REFUSED(RANK_B("8\0"), "rank b: byte 0x00 is no piece (P S G R K X)");
    REFUSED(RANK_B("8\xc3\xa9"), "rank b: byte 0xc3 is no piece (P S G R K X)");
}

Test(yonin_positions, a_piece_without_a_facing_is_refused)
{
    REFUSED(RANK_B("8P"), "rank b: P has no facing (s w n e)");
    REFUSED(RANK_B("8Pb"), "rank b: P has no facing (s w n e)");
    REFUSED(RANK_B("8P-"), "rank b: P has no facing (s w n e)");
    REFUSED(RANK_B("7RSs"), "rank b: R has no facing (s w n e)");
}

Test(yonin_positions, what_never_promotes_is_refused_promoted)
{
    REFUSED(RANK_B("8+Gs"), "rank b: G is never promoted");
    REFUSED("4+Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4" REST, "rank a: K is never promoted");
    REFUSED("4+Xn4/9/9/9/Kw7Ke/9/9/9/4Ks4" REST, "rank a: X is never promoted");
    REFUSED(RANK_B("8++Rs"), "rank b: '+' is no piece (P S G R K X)");
    REFUSED(RANK_B("8+"), "rank b: the end of the rank is no piece (P S G R K X)");
}

Test(yonin_positions, an_owner_is_written_only_where_it_is_another)
{
    REFUSED(RANK_B("8Gss"), "rank b: the owner s is written though it is the facing");
    REFUSED("4Knn4/9/9/9/Kw7Ke/9/9/9/4Ks4" REST,
            "rank a: the owner n is written though it is the facing");
    REFUSED("4Kns4/9/9/9/Kw7Ke/9/9/9/4Ks4" REST, "the king of seat n has an owner written");
    REFUSED("4Xn-4/9/9/9/Kw7Ke/9/9/9/4Ks4" REST, "the king of seat n has an owner written");
}

/* --- hands ----------------------------------------------------------------------------------- */

#define COUNT "hand of s: a count is 2 to 36, without zeros before it"
#define ORDER "hand of w: pieces stand in the order R G S P, each once"

Test(yonin_positions, a_wrong_number_of_hands_is_refused)
{
    REFUSED(HANDS("-"), "there are 1 hands, not four");
    REFUSED(HANDS("-/-/-"), "there are 3 hands, not four");
    REFUSED(HANDS("-/-/-/-/-"), "there are 5 hands, not four");
    REFUSED(HANDS("-/-//-"), "the hand of n is missing (- for none)");
}

Test(yonin_positions, an_unknown_letter_in_a_hand_is_refused)
{
    REFUSED(HANDS("K/-/-/-"), "hand of s: 'K' is no piece in hand (R G S P)");
    REFUSED(HANDS("-/p/-/-"), "hand of w: 'p' is no piece in hand (R G S P)");
    REFUSED(HANDS("-/-/+R/-"), "hand of n: '+' is no piece in hand (R G S P)");
    REFUSED(HANDS("-/-/-/--"), "hand of e: '-' is no piece in hand (R G S P)");
    REFUSED(HANDS("-/-/-/2"), "hand of e: the end is no piece in hand (R G S P)");
}

Test(yonin_positions, a_count_is_written_in_one_way)
{
    REFUSED(HANDS("1P/-/-/-"), COUNT);
    REFUSED(HANDS("0P/-/-/-"), COUNT);
    REFUSED(HANDS("01P/-/-/-"), COUNT);
    REFUSED(HANDS("02P/-/-/-"), COUNT);
    REFUSED(HANDS("37P/-/-/-"), COUNT);
    REFUSED(HANDS("100P/-/-/-"), COUNT);
    REFUSED(HANDS("4294967298P/-/-/-"), COUNT);
}

Test(yonin_positions, a_hand_has_one_order)
{
    REFUSED(HANDS("-/PR/-/-"), ORDER);
    REFUSED(HANDS("-/PP/-/-"), ORDER);
    REFUSED(HANDS("-/R2R/-/-"), ORDER);
    REFUSED(HANDS("-/SG/-/-"), ORDER);
}

/* --- the other fields ------------------------------------------------------------------------ */

#define TURN  "the turn is one of s w n e, or - after the end"
#define MATE  "a mate is victim>credited, such as n>s or n>*"
#define GIVER "a giver is checked<giver, such as e<s"
#define ROW   "givers stand in the order s w n e, each seat once"
#define PLY   "the ply is a number from 0 to 1000000"

Test(yonin_positions, an_unknown_turn_is_refused)
{
    REFUSED(KINGS " -/-/-/- b - - 0", TURN);
    REFUSED(KINGS " -/-/-/- S - - 0", TURN);
    REFUSED(KINGS " -/-/-/- sw - - 0", TURN);
    REFUSED(KINGS " -/-/-/-  - - 0", TURN);
}

Test(yonin_positions, mates_of_another_form_are_refused)
{
    REFUSED(KINGS " -/-/-/- s n - 0", MATE);
    REFUSED(KINGS " -/-/-/- s n<s - 0", MATE);
    REFUSED(KINGS " -/-/-/- s x>s - 0", MATE);
    REFUSED(KINGS " -/-/-/- s n>x - 0", MATE);
    REFUSED(KINGS " -/-/-/- s *>n - 0", MATE);
    REFUSED(KINGS " -/-/-/- s n>s, - 0", MATE);
    REFUSED(KINGS " -/-/-/- s  - 0", MATE);
    REFUSED(KINGS " -/-/-/- s n>s,w>s,e>s,s>* - 0", "at most three seats can be mated");
}

Test(yonin_positions, givers_of_another_form_are_refused)
{
    REFUSED(KINGS " -/-/-/- s - n 0", GIVER);
    REFUSED(KINGS " -/-/-/- s - n>s 0", GIVER);
    REFUSED(KINGS " -/-/-/- s - n<n 0", GIVER);
    REFUSED(KINGS " -/-/-/- s - n<* 0", GIVER);
    REFUSED(KINGS " -/-/-/- s - n<s, 0", GIVER);
    REFUSED(KINGS " -/-/-/- s -  0", GIVER);
    REFUSED(KINGS " -/-/-/- s - n<s,w<s 0", ROW);
    REFUSED(KINGS " -/-/-/- s - n<s,n<e 0", ROW);
    REFUSED(KINGS " -/-/-/- s - s<n,w<n,n<s,e<s,e<n 0", ROW);
}

Test(yonin_positions, a_ply_that_is_no_number_is_refused)
{
    REFUSED(KINGS " -/-/-/- s - - x", PLY);
    REFUSED(KINGS " -/-/-/- s - - ", PLY);
    REFUSED(KINGS " -/-/-/- s - - -1", PLY);
    REFUSED(KINGS " -/-/-/- s - - 01", PLY);
    REFUSED(KINGS " -/-/-/- s - - 1000001", PLY);
    REFUSED(KINGS " -/-/-/- s - - 99999999999999999999", PLY);
    REFUSED(KINGS " -/-/-/- s - - 0\n", PLY);
}

static void expect_round_trip(const char *options, const char *text)
{
    const struct game_options chosen = options_of(yonin(), options);
    const struct position position = position_under(yonin(), &chosen, text);
    char again[RULES_POSITION_TEXT_MAX];

    cr_expect_eq(yonin()->format_position(&position, again), strlen(text));
    cr_expect_str_eq(again, text);
}
