/* The rules on repetition once more in the plainest way (rules 34 and 35), beside the engine's in
 * games that like to repeat themselves. */

#include "yonin_plain.h"

#include <criterion/criterion.h>

/* How often each part of the rule had something to say. */
struct told {
    unsigned filtered; /* some moves were refused */
    unsigned lifted;   /* all were, so none is */
    unsigned passed;   /* a fourth appearance that did not end the game */
    unsigned ended;
};

static void play_games(const char *options, const char *start, unsigned games, struct told *told);

Test(yonin_perpetual, the_plain_rule_allows_the_same_moves_and_ends_the_same_games)
{
    struct told told = {0};

    play_games("", "4Kn4/9/9/9/Kw7Ke/9/9/7Rs1/4Ks4 -/-/-/- s - - 0", 120, &told);
    play_games("", "4Kn4/9/1Rs7/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s - - 0", 120, &told);
    play_games("", "4Kn4/9/1Rs7/9/Kw7Ke/9/9/4Re4/Ks8 -/-/-/- s - - 0", 120, &told);
    play_games("format=pairs", "4Kn4/9/1Rs7/9/Kw7Ke/9/9/9/4Ks4 -/-/-/- s - - 0", 120, &told);
    play_games("format=pairs", "Kw3Kn4/9/9/9/9/9/1Ke7/Se7Rw/Ks1RsRn5 -/-/-/- s - - 0", 120, &told);
    cr_expect_gt(told.filtered, 10);
    cr_expect_gt(told.lifted, 0);
    cr_expect_gt(told.passed, 10);
    cr_expect_gt(told.ended, 10);
}

static size_t first_of(const struct playout *playout, uint64_t key)
{
    size_t i = 0;

    while (i < playout->count && playout->history[i].key != key) {
        i++;
    }
    return i;
}

static size_t times_of(const struct playout *playout, uint64_t key)
{
    size_t times = 0;

    for (size_t i = 0; i < playout->count; i++) {
        times += playout->history[i].key == key;
    }
    return times;
}

/* Whether a seat has moved since a position was first there, and only with new checks. */
static bool has_only_checked(const struct playout *playout, int seat, uint64_t key)
{
    size_t moves = 0;

    for (size_t i = first_of(playout, key) + 1; i < playout->count; i++) {
        if (playout->history[i].mover == seat) {
            if (!playout->history[i].gave_new_check) {
                return false;
            }
            moves++;
        }
    }
    return moves > 0;
}

static uint64_t key_after(const struct playout *playout, struct move move, bool *gives_check)
{
    struct position after;
    struct ply_effects effects;

    yonin()->play(&playout->position, &playout->options, move, &after, &effects);
    *gives_check = effects.gave_new_check;
    return yonin()->hash(&after);
}

static bool is_refused(const struct playout *playout, struct move move)
{
    bool gives_check = false;
    const uint64_t key = key_after(playout, move, &gives_check);

    return gives_check && times_of(playout, key) >= 3 &&
           has_only_checked(playout, yonin()->turn(&playout->position), key);
}

/* What the rule leaves of all moves; *lifted: it would have left none. */
static void allowed_moves(const struct playout *playout, struct move_list *allowed, bool *lifted)
{
    struct move_list all;

    yonin()->legal_moves(&playout->position, &playout->options, NULL, &all);
    allowed->count = 0;
    for (size_t i = 0; i < all.count; i++) {
        if (!is_refused(playout, all.at[i])) {
            allowed->at[allowed->count++] = all.at[i];
        }
    }
    *lifted = allowed->count == 0;
    if (*lifted) {
        *allowed = all;
    }
}

static void check_moves(const struct playout *playout, struct told *told, bool *lifted)
{
    const struct history history = playout_history(playout);
    struct move_list found;
    struct move_list expected;

    yonin()->legal_moves(&playout->position, &playout->options, &history, &found);
    allowed_moves(playout, &expected, lifted);
    cr_assert_eq(found.count, expected.count);
    for (size_t i = 0; i < found.count; i++) {
        cr_assert_eq(found.at[i].bits, expected.at[i].bits);
    }
    told->filtered += found.count < yonin()->count_moves(&playout->position, &playout->options);
    told->lifted += *lifted;
}

static void check_repetition(const struct playout *playout, bool lifted, struct told *told)
{
    const uint64_t key = playout->history[playout->count - 1].key;
    const bool repeated = times_of(playout, key) >= 4;
    bool perpetual = false;

    for (int seat = 0; seat < 4; seat++) {
        struct seat_facts facts;

        yonin()->seat_facts(&playout->position, seat, &facts);
        perpetual = perpetual || (facts.alive && has_only_checked(playout, seat, key));
    }
    const bool ends = repeated && (lifted || !perpetual);
    cr_assert_eq(playout->outcome.reason == END_REPETITION, ends);
    told->ended += ends;
    told->passed += repeated && !ends;
}

/* Moves that lead to where the game has been; only those with a new check where there are any. */
static void moves_back(const struct playout *playout, const struct move_list *moves,
                       struct move_list *back)
{
    bool checks_only = false;

    back->count = 0;
    for (size_t i = 0; i < moves->count; i++) {
        bool gives_check = false;
        const uint64_t key = key_after(playout, moves->at[i], &gives_check);

        if (times_of(playout, key) == 0 || (checks_only && !gives_check)) {
            continue;
        }
        if (gives_check && !checks_only) {
            checks_only = true;
            back->count = 0;
        }
        back->at[back->count++] = moves->at[i];
    }
}

/* Nine times in ten a move that leads back. */
static struct move choose(const struct playout *playout, struct chance *chance)
{
    const struct history history = playout_history(playout);
    struct move_list moves;
    struct move_list back;

    yonin()->legal_moves(&playout->position, &playout->options, &history, &moves);
    moves_back(playout, &moves, &back);
    if (back.count > 0 && chance_below(chance, 10) > 0) {
        return back.at[chance_below(chance, (uint32_t)back.count)];
    }
    return moves.at[chance_below(chance, (uint32_t)moves.count)];
}

static void play_games(const char *options, const char *start, unsigned games, struct told *told)
{
    const struct game_options chosen = options_of(yonin(), options);
    struct chance chance = {games};
    struct playout playout;

    for (unsigned game = 0; game < games; game++) {
        bool lifted = false;

        playout_start(&playout, yonin(), &chosen, position_under(yonin(), &chosen, start));
        while (playout.outcome.reason == END_NONE && playout.count < 200) {
            check_moves(&playout, told, &lifted);
            playout_move(&playout, choose(&playout, &chance));
            check_repetition(&playout, lifted, told);
        }
    }
}
