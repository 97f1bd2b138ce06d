/* What must hold in every position, tried on some hundred from random games with fixed seeds. */

#include "fixture.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <string.h>

enum { POSITIONS = 400 };

static const char *const conditions[] = {"win_condition=capture_5", "win_condition=lead_3",
                                         "win_condition=capture_all"};

static void for_each_position(void (*check)(const struct position *position,
                                            const struct game_options *options));
static void check_left_right(const struct position *position, const struct game_options *options);
static void check_colours(const struct position *position, const struct game_options *options);
static void check_men(const struct position *position, const struct game_options *options);
static void check_legality(const struct position *position, const struct game_options *options);
static void check_text(const struct position *position, const struct game_options *options);
static void check_hash(const struct position *position, const struct game_options *options);
static void check_taken(const struct position *position, const struct game_options *options);
static uint8_t mirrored(uint8_t square);
static uint8_t rotated(uint8_t square);
static struct board transformed(const struct board *board, uint8_t (*to)(uint8_t square));
static char other_side(char letter);
static struct move move_between(uint8_t from, uint8_t to);
static void squares_of(struct move move, uint8_t *from, uint8_t *to);
static void take_by_walking(struct board *board, uint8_t from, uint8_t to);
static size_t count_men(const struct board *board, char letter);

Test(hasami_properties, the_left_right_mirror_keeps_counts_and_legality)
{
    for_each_position(check_left_right);
}

Test(hasami_properties, turning_the_board_and_swapping_colours_keeps_counts_and_legality)
{
    for_each_position(check_colours);
}

Test(hasami_properties, only_enemies_are_captured_and_men_never_come_back)
{
    for_each_position(check_men);
}

Test(hasami_properties, a_move_is_legal_exactly_when_it_is_generated)
{
    for_each_position(check_legality);
}

Test(hasami_properties, a_written_position_reads_back_the_same)
{
    for_each_position(check_text);
}

Test(hasami_properties, hashes_are_equal_exactly_when_positions_are_but_for_the_ply)
{
    for_each_position(check_hash);
}

Test(hasami_properties, a_plain_walk_over_the_board_captures_the_same_men)
{
    for_each_position(check_taken);
}

Test(hasami_properties, random_games_are_played_to_an_end_that_stays)
{
    struct chance chance = {20};

    for (int game = 0; game < 30; game++) {
        const struct game_options options = options_of(hasami(), conditions[game % 3]);
        struct playout playout;
        struct position start;
        struct move_list moves;

        hasami()->start(&start);
        playout_start(&playout, hasami(), &options, start);
        while (playout.outcome.reason == END_NONE && playout.count < FIXTURE_PLIES_MAX) {
            const struct history history = {playout.history, playout.count};

            hasami()->legal_moves(&playout.position, &options, &history, &moves);
            cr_assert(moves.count > 0 && moves.count <= 144);
            playout_move(&playout, moves.at[chance_below(&chance, (uint32_t)moves.count)]);
        }
        hasami()->legal_moves(&playout.position, &options, NULL, &moves);
        cr_expect(playout.outcome.reason == END_REPETITION || playout.outcome.reason == END_NONE ||
                  moves.count == 0);
    }
}

static void for_each_position(void (*check)(const struct position *position,
                                            const struct game_options *options))
{
    struct chance chance = {1};

    for (int i = 0; i < POSITIONS; i++) {
        const struct game_options options = options_of(hasami(), conditions[i % 3]);
        const struct position position = random_position(&chance, hasami(), &options);

        check(&position, &options);
    }
}

static void check_left_right(const struct position *position, const struct game_options *options)
{
    const struct board board = board_of(position);
    const struct board mirror = transformed(&board, mirrored);
    const struct position other = board_position(&mirror);
    struct illegal why;
    struct move_list moves;

    cr_assert_eq(hasami()->perft(position, options, 2, false),
                 hasami()->perft(&other, options, 2, false));
    hasami()->legal_moves(position, options, NULL, &moves);
    for (size_t i = 0; i < moves.count; i++) {
        uint8_t from, to;

        squares_of(moves.at[i], &from, &to);
        cr_assert(hasami()->is_legal(&other, options, NULL,
                                     move_between(mirrored(from), mirrored(to)), &why));
    }
}

static void check_colours(const struct position *position, const struct game_options *options)
{
    const struct board board = board_of(position);
    struct board turned = transformed(&board, rotated);
    struct illegal why;
    struct move_list moves;

    for (size_t i = 0; i < RULES_SQUARES; i++) {
        turned.at[i] = other_side(turned.at[i]);
    }
    turned.turn = board.turn == 'b' ? 'w' : 'b';
    const struct position other = board_position(&turned);
    cr_assert_eq(hasami()->perft(position, options, 2, false),
                 hasami()->perft(&other, options, 2, false));
    hasami()->legal_moves(position, options, NULL, &moves);
    for (size_t i = 0; i < moves.count; i++) {
        uint8_t from, to;

        squares_of(moves.at[i], &from, &to);
        cr_assert(hasami()->is_legal(&other, options, NULL,
                                     move_between(rotated(from), rotated(to)), &why));
    }
}

static void check_men(const struct position *position, const struct game_options *options)
{
    const struct board before = board_of(position);
    const char own = before.turn == 'b' ? 'P' : 'p';
    const char enemy = other_side(own);
    struct move_list moves;

    hasami()->legal_moves(position, options, NULL, &moves);
    for (size_t i = 0; i < moves.count; i++) {
        struct position after;
        struct ply_effects effects;

        hasami()->play(position, options, moves.at[i], &after, &effects);
        const struct board board = board_of(&after);
        cr_assert_eq(count_men(&board, own), count_men(&before, own));
        cr_assert_eq(count_men(&board, enemy) + effects.captured_count, count_men(&before, enemy));
        for (size_t j = 0; j < effects.captured_count; j++) {
            cr_assert_eq(before.at[effects.captured[j]], enemy);
            cr_assert_eq(board.at[effects.captured[j]], '.');
        }
    }
}

static void check_legality(const struct position *position, const struct game_options *options)
{
    struct move_list moves;
    size_t legal = 0;
    size_t matched = 0;

    hasami()->legal_moves(position, options, NULL, &moves);
    for (uint8_t from = 0; from < SQUARES; from++) {
        for (uint8_t to = 0; to < SQUARES; to++) {
            const struct move move = move_between(from, to);
            struct illegal why;

            if (!hasami()->is_legal(position, options, NULL, move, &why)) {
                cr_assert_neq(why.reason, ILLEGAL_NONE);
                continue;
            }
            cr_assert_eq(why.reason, ILLEGAL_NONE);
            legal++;
            for (size_t i = 0; i < moves.count; i++) {
                matched += moves.at[i].bits == move.bits;
            }
        }
    }
    cr_assert_eq(legal, moves.count);
    cr_assert_eq(matched, moves.count);
    cr_assert_eq(hasami()->count_moves(position, options), moves.count);
}

static void check_text(const struct position *position, const struct game_options *options)
{
    char text[RULES_POSITION_TEXT_MAX];
    char again[RULES_POSITION_TEXT_MAX];
    struct position read;
    struct text_error error;
    const size_t length = hasami()->format_position(position, text);

    cr_assert_eq(length, strlen(text));
    cr_assert(hasami()->parse_position(text, length, options, &read, &error), "%s", error.text);
    (void)hasami()->format_position(&read, again);
    cr_assert_str_eq(text, again);
    cr_assert_eq(hasami()->hash(&read), hasami()->hash(position));
    cr_assert_eq(hasami()->ply(&read), hasami()->ply(position));
}

static void check_hash(const struct position *position, const struct game_options *options)
{
    struct board board = board_of(position);
    const struct position same = board_position(&board);
    struct move_list moves;

    cr_assert_eq(hasami()->hash(position), hasami()->hash(&same));
    board.turn = board.turn == 'b' ? 'w' : 'b';
    const struct position passed = board_position(&board);
    cr_assert_neq(hasami()->hash(position), hasami()->hash(&passed));
    hasami()->legal_moves(position, options, NULL, &moves);
    for (size_t i = 0; i < moves.count; i++) {
        struct position first, second;
        struct ply_effects effects;

        hasami()->play(position, options, moves.at[i], &first, &effects);
        hasami()->play(position, options, moves.at[(i + 1) % moves.count], &second, &effects);
        cr_assert_neq(hasami()->hash(&first), hasami()->hash(position));
        cr_assert_eq(hasami()->hash(&first) == hasami()->hash(&second), moves.count == 1);
    }
}

static void check_taken(const struct position *position, const struct game_options *options)
{
    struct move_list moves;

    hasami()->legal_moves(position, options, NULL, &moves);
    for (size_t i = 0; i < moves.count; i++) {
        struct board walked = board_of(position);
        struct position after;
        struct ply_effects effects;
        uint8_t from, to;

        squares_of(moves.at[i], &from, &to);
        take_by_walking(&walked, from, to);
        hasami()->play(position, options, moves.at[i], &after, &effects);
        const struct board played = board_of(&after);
        cr_assert_eq(memcmp(played.at, walked.at, sizeof played.at), 0);
        cr_assert_neq(played.turn, walked.turn);
    }
}

static uint8_t mirrored(uint8_t square)
{
    return (uint8_t)(square / 9 * 9 + 8 - square % 9);
}

static uint8_t rotated(uint8_t square)
{
    return (uint8_t)(80 - square);
}

static struct board transformed(const struct board *board, uint8_t (*to)(uint8_t square))
{
    struct board result = {.turn = board->turn};

    for (uint8_t square = 0; square < SQUARES; square++) {
        result.at[to(square)] = board->at[square];
    }
    return result;
}

static char other_side(char letter)
{
    if (letter == '.') {
        return letter;
    }
    return letter == 'P' ? 'p' : 'P';
}

static struct move move_between(uint8_t from, uint8_t to)
{
    char text[RULES_MOVE_TEXT_MAX];

    square_format(from, text);
    square_format(to, text + 2);
    return move_of(hasami(), text);
}

static void squares_of(struct move move, uint8_t *from, uint8_t *to)
{
    char text[RULES_MOVE_TEXT_MAX];

    hasami()->format_move(move, text);
    *from = (uint8_t)((text[1] - 'a') * 9 + '9' - text[0]);
    *to = (uint8_t)((text[3] - 'a') * 9 + '9' - text[2]);
}

/* The rules once more, square by square. A corner man goes with the two beside it. */
static void take_by_walking(struct board *board, uint8_t from, uint8_t to)
{
    static const int steps[4][2] = {
        {-1, 0 },
        {1,  0 },
        {0,  -1},
        {0,  1 }
    };
    static const uint8_t corners[4][3] = {
        {0,  1,  9 },
        {8,  7,  17},
        {72, 73, 63},
        {80, 79, 71}
    };
    const struct board old = *board;
    const char own = old.at[from];
    const char enemy = other_side(own);
    struct board moved = old;

    moved.at[from] = '.';
    moved.at[to] = own;
    *board = moved;
    for (size_t i = 0; i < 4; i++) {
        int row = to / 9 + steps[i][0];
        int col = to % 9 + steps[i][1];
        int run = 0;

        while (row >= 0 && row < 9 && col >= 0 && col < 9 && moved.at[row * 9 + col] == enemy) {
            row += steps[i][0];
            col += steps[i][1];
            run++;
        }
        if (row < 0 || row > 8 || col < 0 || col > 8 || moved.at[row * 9 + col] != own) {
            continue;
        }
        for (; run > 0; run--) {
            row -= steps[i][0];
            col -= steps[i][1];
            board->at[row * 9 + col] = '.';
        }
    }
    for (size_t i = 0; i < 4; i++) {
        const uint8_t *corner = corners[i];

        if (moved.at[corner[0]] == enemy && moved.at[corner[1]] == own &&
            moved.at[corner[2]] == own && (to == corner[1] || to == corner[2])) {
            board->at[corner[0]] = '.';
        }
    }
}

static size_t count_men(const struct board *board, char letter)
{
    size_t men = 0;

    for (size_t i = 0; i < RULES_SQUARES; i++) {
        men += board->at[i] == letter;
    }
    return men;
}
