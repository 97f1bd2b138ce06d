#include "yonin_fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { END_TEXT_MAX = 64, MOVES_TEXT_MAX = RULES_MOVES_MAX * RULES_MOVE_TEXT_MAX };

static void end_text(const struct outcome *outcome, char text[END_TEXT_MAX])
{
    const uint8_t *places = outcome->places;

    text[0] = '\0';
    if (outcome->reason != END_NONE) {
        (void)snprintf(text, END_TEXT_MAX, "%s %d %d %d %d", end_reason_text(outcome->reason),
                       places[0], places[1], places[2], places[3]);
    }
}

void expect_play(const char *options, const char *start, const char *moves, const char *position,
                 const char *end)
{
    struct playout playout;
    char text[RULES_POSITION_TEXT_MAX];
    char ended[END_TEXT_MAX];

    playout_line(&playout, yonin(), options, start, moves);
    (void)yonin()->format_position(&playout.position, text);
    cr_expect_str_eq(text, position, "%s, %s:\n  %s\n  %s expected", start, moves, text, position);
    end_text(&playout.outcome, ended);
    cr_expect_str_eq(ended, end, "%s, %s: \"%s\", not \"%s\"", start, moves, ended, end);
}

void expect_counts(const char *options, const char *position, const char *counts)
{
    const struct game_options chosen = options_of(yonin(), options);
    const struct position at = position_under(yonin(), &chosen, position);
    char *end = NULL;

    for (unsigned depth = 1; *counts != '\0'; depth++, counts = end) {
        const uint64_t expected = strtoull(counts, &end, 10);

        cr_assert_neq(end, counts);
        cr_expect_eq(yonin()->perft(&at, &chosen, depth, false), expected, "%s, depth %u", position,
                     depth);
        cr_expect_eq(yonin()->perft(&at, &chosen, depth, true), expected, "%s, depth %u", position,
                     depth);
    }
}

void expect_legal(const char *options, const char *start, const char *moves, const char *move)
{
    struct playout playout;
    struct illegal why;

    playout_line(&playout, yonin(), options, start, moves);
    const struct history history = playout_history(&playout);
    cr_expect(yonin()->is_legal(&playout.position, &playout.options, &history,
                                move_of(yonin(), move), &why),
              "%s, %s: %s is refused: %s", start, moves, move, illegal_reason_text(why.reason));
}

void expect_illegal(const char *options, const char *start, const char *moves, const char *move,
                    const char *reason, const char *squares)
{
    struct playout playout;
    struct illegal why;
    char text[64];

    playout_line(&playout, yonin(), options, start, moves);
    const struct history history = playout_history(&playout);
    cr_expect_not(yonin()->is_legal(&playout.position, &playout.options, &history,
                                    move_of(yonin(), move), &why),
                  "%s, %s: %s", start, moves, move);
    cr_expect_str_eq(illegal_reason_text(why.reason), reason, "%s, %s: %s is refused as %s", start,
                     moves, move, illegal_reason_text(why.reason));
    squares_text(why.squares, why.square_count, text);
    cr_expect_str_eq(text, squares, "%s, %s: %s is refused for %s", start, moves, move, text);
}

static int compare_moves(const void *a, const void *b)
{
    const char *left = a;
    const char *right = b;

    return strcmp(left, right);
}

void expect_moves(const char *options, const char *start, const char *moves, const char *prefix,
                  const char *expected)
{
    struct playout playout;
    struct move_list list;
    char texts[RULES_MOVES_MAX][RULES_MOVE_TEXT_MAX];
    char found[MOVES_TEXT_MAX] = "";

    playout_line(&playout, yonin(), options, start, moves);
    const struct history history = playout_history(&playout);
    yonin()->legal_moves(&playout.position, &playout.options, &history, &list);
    for (size_t i = 0; i < list.count; i++) {
        yonin()->format_move(list.at[i], texts[i]);
    }
    qsort(texts, list.count, sizeof texts[0], compare_moves);
    for (size_t i = 0; i < list.count; i++) {
        if (strncmp(texts[i], prefix, strlen(prefix)) == 0) {
            const size_t length = strlen(found);

            (void)snprintf(found + length, sizeof found - length, "%s%s", length > 0 ? " " : "",
                           texts[i]);
        }
    }
    cr_expect_str_eq(found, expected, "%s, %s: \"%s\", not \"%s\"", start, moves, found, expected);
}

void expect_refused(const char *options, const char *text, size_t length, const char *complaint)
{
    const struct game_options chosen = options_of(yonin(), options);
    struct position position = position_of(yonin(), YONIN_START);
    struct text_error error = {""};
    char after[RULES_POSITION_TEXT_MAX];

    cr_expect_not(yonin()->parse_position(text, length, &chosen, &position, &error), "%.*s",
                  (int)length, text);
    cr_expect_str_eq(error.text, complaint, "%.*s: %s", (int)length, text, error.text);
    (void)yonin()->format_position(&position, after);
    cr_expect_str_eq(after, YONIN_START);
}
