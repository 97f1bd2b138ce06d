/* Positions that are well written but that no game leads to: each is refused with the rule it
 * breaks. */

#include "yonin_fixture.h"

#include <criterion/criterion.h>
#include <string.h>

static void expect_agreement(const char *text, size_t length);

#define REFUSED(text, complaint) expect_refused("", text, sizeof(text) - 1, complaint)
#define REFUSED_UNDER(options, text, complaint)                                                    \
    expect_refused(options, text, sizeof(text) - 1, complaint)
#define KINGS        "4Kn4/9/9/9/Kw7Ke/9/9/9/4Ks4"
#define REST         " -/-/-/- s - - 0"
#define HANDS(hands) KINGS " " hands " s - - 0"
#define N_MATED      "4Xn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- "
#define TWO_MATED    "4Xn4/9/9/9/Xw7Ke/9/9/9/4Ks4 -/-/-/- "
#define THREE_MATED  "4Xn4/9/9/9/Xw7Xe/9/9/9/4Ks4 -/-/-/- "

/* --- the board ------------------------------------------------------------------------------- */

Test(yonin_impossible, a_seat_has_one_king_live_or_inverted)
{
    REFUSED("4Kn4/9/9/9/Kw6KeKe/9/9/9/4Ks4" REST, "seat e has two kings");
    REFUSED("4Kn4/9/9/9/Kw6XeKe/9/9/9/4Ks4" REST, "seat e has two kings");
    REFUSED("4Kn4/9/9/9/Kw8/9/9/9/4Ks4" REST, "seat e has no king");
    REFUSED("9/9/9/9/9/9/9/9/9" REST, "seat s has no king");
}

Test(yonin_impossible, a_pawn_does_not_stand_on_its_last_line)
{
#define LAST_LINE(seat, square)                                                                    \
    "an unpromoted pawn facing " seat " stands on its last line, on " square
    REFUSED("4KnPs3/9/9/9/Kw7Ke/9/9/9/4Ks4" REST, LAST_LINE("s", "4a"));
    REFUSED("4Kn4/9/9/9/Kw7Ke/8Pw/9/9/4Ks4" REST, LAST_LINE("w", "1f"));
    REFUSED("4Kn4/9/9/9/Kw7Ke/9/9/9/4KsPn3" REST, LAST_LINE("n", "4i"));
    REFUSED("4Kn4/9/9/9/Kw7Ke/9/9/Pe8/4Ks4" REST, LAST_LINE("e", "9h"));
    REFUSED("4Xn4/9/9/9/Kw7Ke/9/9/9/4KsPns3 -/-/-/- s n>s - 0", LAST_LINE("n", "4i"));
}

Test(yonin_impossible, there_are_never_more_pieces_of_a_kind_than_at_the_start)
{
#define TOO_MANY(found, most)                                                                      \
    "there are " found ", promoted ones and hands included; a game has " most
    REFUSED(HANDS("5R/-/-/-"), TOO_MANY("5 rooks", "4"));
    REFUSED(HANDS("2R/R/R/R"), TOO_MANY("5 rooks", "4"));
    REFUSED("4Kn4/9/9/9/Kw7Ke/9/9/RsRs+RwRw5/4Ks4 -/-/-/R s - - 0", TOO_MANY("5 rooks", "4"));
    REFUSED(HANDS("4G/5G/-/-"), TOO_MANY("9 golds", "8"));
    REFUSED("4Kn4/9/9/9/Kw7Ke/9/9/1+Ss1+Sn5/4Ks4 7S/-/-/- s - - 0", TOO_MANY("9 silvers", "8"));
    REFUSED("4Kn4/9/9/9/Kw7Ke/9/9/1+Ps1Pn5/4Ks4 11P/-/-/- s - - 0", TOO_MANY("13 pawns", "12"));
}

/* --- owners ---------------------------------------------------------------------------------- */

#define WITH_GOLD(gold) "4Xn4/9/9/9/Kw2" gold "4Ke/9/9/9/4Ks4 -/-/-/- "

Test(yonin_impossible, what_faces_like_a_living_seat_is_its_own)
{
    REFUSED("4Kn4/9/9/9/Kw2Gsn4Ke/9/9/9/4Ks4" REST,
            "the piece on 6e faces like s, who is alive and owns all such pieces");
    REFUSED("4Kn4/9/9/9/Kw2Gs-4Ke/9/9/9/4Ks4" REST,
            "the piece on 6e faces like s, who is alive and owns all such pieces");
}

Test(yonin_impossible, a_mated_seat_owns_nothing)
{
    REFUSED(WITH_GOLD("Gn") "s n>s - 0", "the piece on 6e belongs to n, who was mated");
    REFUSED(WITH_GOLD("Gsn") "s n>s - 0", "the piece on 6e belongs to n, who was mated");
    REFUSED("4Xn4/9/9/9/Kw7Ke/9/9/9/4Ks4 -/-/P/- s n>s - 0",
            "seat n was mated but has pieces in hand");
}

Test(yonin_impossible, the_pieces_of_a_mated_seat_are_where_the_mates_left_them)
{
    REFUSED(WITH_GOLD("Gnw") "s n>s - 0", "the piece on 6e faces like n, whose pieces went to s");
    REFUSED(WITH_GOLD("Gn-") "s n>s - 0", "the piece on 6e faces like n, whose pieces went to s");
    REFUSED(WITH_GOLD("Gns") "s n>* - 0",
            "the piece on 6e faces like n, whose pieces have no owner");
    REFUSED_UNDER("orphaned_pieces=ownerless", WITH_GOLD("Gns") "s n>s - 0",
                  "the piece on 6e faces like n, whose pieces have no owner");
}

Test(yonin_impossible, what_an_heir_inherited_goes_to_the_heirs_own_heir)
{
    static const char options[] = "ending=last_survivor";

    REFUSED_UNDER(options, "4Xn4/9/9/9/Xw2Gns4Ke/9/9/9/4Ks4 -/-/-/- s n>w,w>e - 0",
                  "the piece on 6e faces like n, whose pieces went to e");
    REFUSED_UNDER(options, "4Xn4/9/9/9/Xw2Gns4Ke/9/9/9/4Ks4 -/-/-/- s n>w,w>* - 0",
                  "the piece on 6e faces like n, whose pieces have no owner");
    (void)position_of(yonin(), "4Xn4/9/9/9/Xw2Gne4Ke/9/9/9/4Ks4 -/-/-/- - n>w,w>e - 0");
    (void)position_of(yonin(), "4Xn4/9/9/9/Xw2Gn-4Ke/9/9/9/4Ks4 -/-/-/- - n>w,w>* - 0");
}

/* --- mates ----------------------------------------------------------------------------------- */

Test(yonin_impossible, mates_and_inverted_kings_agree)
{
    REFUSED(N_MATED "s - - 0", "seat n has an inverted king but is in no mate");
    REFUSED(KINGS " -/-/-/- s n>s - 0", "seat n was mated but has a live king");
    REFUSED(N_MATED "s n>s,n>s - 0", "seat n is mated twice");
}

Test(yonin_impossible, nobody_is_credited_who_was_mated_before)
{
    REFUSED(N_MATED "s n>n - 0", "the mate of n is credited to n, who was mated then");
    REFUSED(TWO_MATED "- n>w,w>n - 0", "the mate of w is credited to n, who was mated then");
    REFUSED_UNDER("ending=last_survivor", THREE_MATED "- n>w,w>e,e>n - 0",
                  "the mate of e is credited to n, who was mated then");
}

Test(yonin_impossible, no_mate_comes_after_the_one_that_ended_the_game)
{
    REFUSED(THREE_MATED "- n>s,w>s,e>s - 0", "there are 3 mates, but number 2 ended the game");
    REFUSED_UNDER("format=pairs", TWO_MATED "- n>s,w>s - 0",
                  "there are 2 mates, but number 1 ended the game");
}

/* --- the turn -------------------------------------------------------------------------------- */

Test(yonin_impossible, nobody_is_on_turn_exactly_after_the_end)
{
    static const char running[] = "somebody is on turn until mates end the game";
    static const char over[] = "the mates have ended the game, so nobody is on turn";

    REFUSED(KINGS " -/-/-/- - - - 0", running);
    REFUSED(N_MATED "- n>s - 0", running);
    REFUSED(TWO_MATED "s n>s,w>s - 0", over);
    REFUSED_UNDER("format=pairs", N_MATED "s n>s - 0", over);
    REFUSED_UNDER("ending=last_survivor", TWO_MATED "- n>s,w>s - 0", running);
    REFUSED_UNDER("ending=last_survivor", THREE_MATED "s n>s,w>s,e>s - 0", over);
}

Test(yonin_impossible, a_mated_seat_is_not_on_turn)
{
    REFUSED(N_MATED "n n>s - 0", "seat n is on turn but was mated");
}

Test(yonin_impossible, whoever_is_on_turn_has_a_legal_move)
{
    REFUSED("4Kn4/9/9/9/8Ke/9/9/2Rs1Ks4/Kw1Gs6 -/-/-/- w - - 1",
            "seat w is on turn without a legal move: that is mate");
    REFUSED("KsKw7/9/9/9/4KnKe3/9/9/9/9" REST,
            "seat s is on turn without a legal move: that is mate");
}

/* --- checks ---------------------------------------------------------------------------------- */

#define CHECKED "4Xn4/9/9/9/Kw3Rs3Ke/9/9/9/4Ks4 -/-/-/- "

Test(yonin_impossible, only_a_check_has_a_giver)
{
    REFUSED(KINGS " -/-/-/- s - n<s 0", "seat n has a giver of check but is in no check");
    REFUSED(CHECKED "w n>s n<s 0", "seat n has a giver of check but is in no check");
    REFUSED("4Xn4/4Rn-4/9/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s n>* s<w 0",
            "seat s has a giver of check but is in no check"); /* ownerless pieces give none */
}

Test(yonin_impossible, whoever_gave_a_check_that_stands_is_alive)
{
    REFUSED(CHECKED "w n>s w<n,e<s 0", "seat n gave check but was mated");
    (void)position_of(yonin(), CHECKED "w n>s w<e,e<s 0");
}

/* --- never a crash --------------------------------------------------------------------------- */

static const char *const samples[] = {
    YONIN_START,
    "2Kn6/9/9/9/Kw1Rw1Rs3Ke/9/9/9/4Ks4 -/2P/G10P/RS n - n<w,e<s 2",
    "Xn5Sns2/2Gs6/9/1Ss7/8Ke/9/3Kw5/Re8/4Ks4 -/-/-/- e n>s - 1",
    "Gs1Xn6/1Pns2Gs4/Xw1+Rs6/9/1Ss7/9/9/9/4Ks3Ke -/-/-/- - w>s,n>s - 1",
};

Test(yonin_impossible, every_beginning_of_a_text_is_read_or_refused)
{
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        for (size_t length = 0; length <= strlen(samples[i]); length++) {
            expect_agreement(samples[i], length);
        }
    }
}

Test(yonin_impossible, a_text_with_any_byte_changed_is_read_or_refused)
{
    static const char bytes[] = "swne-PSGRKX+/ 0123456789<>,*a\n\x80";

    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const size_t length = strlen(samples[i]);

        for (size_t at = 0; at < length; at++) {
            for (size_t j = 0; j < sizeof bytes; j++) {
                char text[RULES_POSITION_TEXT_MAX];

                memcpy(text, samples[i], length);
                text[at] = bytes[j];
                expect_agreement(text, length);
            }
        }
    }
}

/* Read, it is written in the same way; refused, it is told why. */
static void expect_agreement(const char *text, size_t length)
{
    const struct game_options options = options_of(yonin(), "");
    struct position position;
    struct text_error error = {""};
    char again[RULES_POSITION_TEXT_MAX];

    if (!yonin()->parse_position(text, length, &options, &position, &error)) {
        cr_assert_gt(strlen(error.text), 10, "%.*s", (int)length, text);
        return;
    }
    cr_assert_eq(yonin()->format_position(&position, again), length);
    cr_assert_eq(memcmp(again, text, length), 0, "%s, not %.*s", again, (int)length, text);
    cr_assert_eq(yonin()->turn(&position) == RULES_SEAT_NONE,
                 yonin()->count_moves(&position, &options) == 0);
}
