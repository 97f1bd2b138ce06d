/* The later reasons for which a move is refused: promotion, pawns from the hand, and kings. */

#include "yonin_fixture.h"

#include <criterion/criterion.h>

/* --- promotion ------------------------------------------------------------------------------- */

Test(yonin_refusals, a_pawn_must_promote_on_its_last_line)
{
    static const char pawns[] = "4Kn4/6Ps2/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s - - 0";

    expect_illegal("", pawns, "", "3b3a", "must-promote", "");
    expect_legal("", pawns, "", "3b3a+");
    expect_illegal("", "4Kn4/9/9/7Pw1/Kw8/9/9/8Ke/4Ks4 -/-/-/- w - - 0", "", "2d1d", "must-promote",
                   "");
    expect_illegal("", "4Xn4/9/9/9/Kw7Ke/9/9/2Pns6/4Ks4 -/-/-/- s n>s - 40", "", "7h7i",
                   "must-promote", "");
}

Test(yonin_refusals, a_silver_and_a_rook_need_not_promote)
{
    static const char start[] = "8Kn/1Rs4Ss2/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s - - 0";

    expect_legal("", start, "", "3b3a");
    expect_legal("", start, "", "3b3a+");
    expect_legal("", start, "", "8b9b");
    expect_legal("", start, "", "8b9b+");
}

Test(yonin_refusals, what_never_promotes_cannot)
{
    static const char start[] = "8Kn/1Gs4+Ss2/2Ks6/4+Rs4/Kw4+Ps2Ke/9/9/9/9 -/-/-/- s - - 0";

    expect_illegal("", start, "", "8b8a+", "cannot-promote", "");
    expect_illegal("", start, "", "3b3a+", "cannot-promote", "");
    expect_illegal("", start, "", "7c7b+", "cannot-promote", "");
    expect_illegal("", start, "", "5d5c+", "cannot-promote", "");
    expect_illegal("", start, "", "4e4d+", "cannot-promote", "");
}

Test(yonin_refusals, outside_the_zone_of_its_facing_nothing_promotes)
{
    static const char start[] = "4Xn4/9/9/9/Kw7Ke/4Sns4/9/2Pns6/4Ks4 -/-/-/- s n>s - 40";

    expect_illegal("", YONIN_START, "", "5g5f+", "cannot-promote", "");
    expect_illegal("", start, "", "5f4e+", "cannot-promote", "");
    expect_legal("", start, "", "5f4g+");
}

Test(yonin_refusals, promotion_comes_before_the_king)
{
    static const char start[] = "4Kn4/6Ps2/9/4Rn4/Kw7Ke/3Ps5/9/9/4Ks4 -/-/-/- s - s<n 1";

    expect_illegal("", start, "", "3b3a", "must-promote", "");
    expect_illegal("", start, "", "6f6e+", "cannot-promote", "");
    expect_illegal("", start, "", "6f6e", "leaves-king-in-check", "5d");
}

/* --- pawns from the hand --------------------------------------------------------------------- */

#define HAND "4Kn4/9/9/2Ps6/Kw7Ke/9/9/9/4Ks4 P/-/-/- s - - 0"

Test(yonin_refusals, a_pawn_on_its_last_line_would_be_dead)
{
    expect_illegal("", HAND, "", "P*6a", "dead-pawn", "");
    expect_illegal("", HAND, "", "P*7a", "dead-pawn", ""); /* two pawns as well */
    expect_illegal("", HAND, "", "R*6a", "not-in-hand", "");
    expect_illegal("", "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/P/-/- w - - 0", "", "P*1a", "dead-pawn", "");
    expect_illegal("", "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/-/P/- n - - 0", "", "P*9i", "dead-pawn", "");
    expect_illegal("", "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/P e - - 0", "", "P*9i", "dead-pawn", "");
}

Test(yonin_refusals, the_pawn_that_is_there_already_is_named)
{
    expect_illegal("", HAND, "", "P*7h", "nifu", "7d");
    expect_illegal("", "4Kn4/9/9/9/Kw1Pw5Ke/9/9/9/4Ks4 -/P/-/- w - - 0", "", "P*4e", "nifu", "7e");
    expect_illegal("", "4Kn4/9/9/9/Kw7Ke/2Pn6/9/9/4Ks4 -/-/P/- n - - 0", "", "P*7b", "nifu", "7f");
    expect_illegal("", "4Kn4/9/9/9/Kw7Ke/2Pe6/9/9/4Ks4 -/-/-/P e - - 0", "", "P*2f", "nifu", "7f");
}

Test(yonin_refusals, two_pawns_come_before_the_inverted_king)
{
    static const char start[] = "2Xn6/9/9/9/Kw7Ke/2Ps6/9/9/4Ks4 P/-/-/- s n>s - 1";

    expect_illegal("", start, "", "P*7b", "nifu", "7f");
}

Test(yonin_refusals, the_inverted_king_ahead_is_named)
{
    static const char start[] = "2Xn6/9/9/9/Xe8/9/9/2Kw6/4Ks4 P/-/-/- s n>s,e>s - 1";

    expect_illegal("ending=last_survivor", start, "", "P*7b", "pawn-before-inverted-king", "7a");
    expect_illegal("ending=last_survivor", start, "", "P*9f", "pawn-before-inverted-king", "9e");
    expect_legal("ending=last_survivor", start, "", "P*7c");
}

/* --- kings ----------------------------------------------------------------------------------- */

Test(yonin_refusals, every_checker_is_named)
{
    static const char pinned[] = "4Kn4/4Rn4/9/4Gs4/Kw7Ke/9/9/9/4Ks4 -/-/-/- s - - 0";
    static const char twice[] = "4Kn4/9/4Rn4/9/Kw7Ke/9/9/3Gw5/4Ks4 P/-/-/- s - s<w 3";

    expect_illegal("", pinned, "", "5d4d", "leaves-king-in-check", "5b");
    expect_illegal("", twice, "", "P*5h", "leaves-king-in-check", "6h");
    expect_illegal("", twice, "", "P*4f", "leaves-king-in-check", "5c 6h");
    expect_illegal("", twice, "", "5i5h", "leaves-king-in-check", "5c 6h");
}

Test(yonin_refusals, a_pawn_before_an_inverted_king_comes_before_the_own_king)
{
    static const char start[] = "2Xn6/9/9/4Re4/Kw7Ke/9/9/9/4Ks4 P/-/-/- s n>s s<e 3";

    expect_illegal("", start, "", "P*7b", "pawn-before-inverted-king", "7a");
    expect_illegal("", start, "", "P*8b", "leaves-king-in-check", "5d");
    expect_legal("", start, "", "P*5f");
}

Test(yonin_refusals, the_own_king_comes_before_the_partners)
{
    static const char start[] = "4Kn4/9/9/4Re4/Kw7Ke/9/9/9/4Ks4 R/-/-/- s - s<e 3";

    expect_illegal("format=pairs", start, "", "R*6a", "leaves-king-in-check", "5d");
    expect_legal("format=pairs", start, "", "R*5f");
}

Test(yonin_refusals, the_partners_king_is_named)
{
    static const char start[] = "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4 RGSP/-/-/- s - - 0";

    expect_illegal("format=pairs", start, "", "R*6a", "checks-partner", "5a");
    expect_illegal("format=pairs", start, "", "G*4b", "checks-partner", "5a");
    expect_illegal("format=pairs", start, "", "S*6b", "checks-partner", "5a");
    expect_illegal("format=pairs", start, "", "P*5b", "checks-partner", "5a");
    expect_legal("format=pairs", start, "", "S*4a"); /* silvers do not go sideways */
}

Test(yonin_refusals, a_pawn_that_would_mate_the_partner_checks_the_partner)
{
    static const char start[] = "3Kn5/1Ss3Ss3/2Gs1Gs4/9/Kw7Ke/9/9/9/4Ks4 P/-/-/- s - - 0";

    expect_illegal("", start, "", "P*6b", "pawn-drop-mate", "6a");
    expect_illegal("format=pairs", start, "", "P*6b", "checks-partner", "6a");
}
