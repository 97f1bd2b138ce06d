#include "engine/rules.h"
#include "tests/support/board.h"
#include "tests/support/each_game.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every reason for which a move is refused, in games as they are served: why, and where. */

/* Three men of b on rank e, before two of w. */
#define ADVANCED "5i5e 1a1b 4i4e 1b1a 9i9e 1a1b"
/* A silver of s guards a square beside the king of w. */
#define GUARDED "7i8h 9f8g 3a3b 1f2g 8h8g"
/* w has a pawn in hand. */
#define IN_HAND "6h6g 8f7f 3a2b 1d2c 6g6f 7f6f 6b6c 1c2b 7i6h"
/* e is mated, and s has its pieces; so it is again below, and n has a pawn in hand. */
#define MATED "5g5f 9g8h 3a2b 1f2g 5h5g 8f7f 2b1c 2g3f 5g1g"
#define PURSUED                                                                                    \
    "7i7h 9c8c 7a8b 1g2g 5g5f 8c7b 8b7a 2g3f 3i2h 7b6b 5b6b 1d2c 5h5g P*5b 6b6h 1f1g 5g1g 5i6h "   \
    "5b4b"
/* A pawn of s on the second rank. */
#define RISEN "7i7h 8d7d 7a7b 1g2g 7h8g 9g8h 3a3b 2g3f 8g8f 9f8f 7b7c 1c2c P*1b S*8b 3b2a 3e4e"
/* The king of s cannot move, and no piece of its own could take what stands beside it. */
#define STIFLED                                                                                    \
    "6h6g 7e6e 7a8b 2d3d 6i7h 9c8b 6b6c 1d2d 6g6f S*6b 5b6b 2f3f 6f6e 8e6e S*2f 1g2f 3i2h"
/* The gold of w after the king of s, again and again. */
#define LAP     "8g7h 6h7g 7h8g 7g6h "
#define CHASED  "6h6g 9g8g 7a7b 1c2c 5i6h " LAP LAP LAP
#define ALLIED  "5g5f 9g8h 5c5d 1f2g 5f5e 8h7i"
#define ABREAST "7i8h 9g8h 4a3b 2d3d 6h6g"

/* clang-format off */
static const struct row {
    const char *pool;
    const char *moves; /* from the start on */
    const char *move;  /* that is refused then */
    const char *reason;
    const char *squares; /* NULL: none explains it */
} rows[] = {
    {"hasami", ADVANCED, "zz", "syntax", NULL},
    {"hasami", ADVANCED, "", "syntax", NULL},
    {"hasami", ADVANCED, "5i5h+", "syntax", NULL},
    {"hasami", ADVANCED, "0i5h", "off-board", NULL},
    {"hasami", ADVANCED, "5i5j", "off-board", NULL},
    {"hasami", ADVANCED, "5d5c", "no-piece", "[\"5d\"]"},
    {"hasami", ADVANCED, "5d5d", "no-piece", "[\"5d\"]"},
    {"hasami", ADVANCED, "5a5b", "not-your-piece", "[\"5a\"]"},
    {"hasami", ADVANCED, "6i6i", "no-move", NULL},
    {"hasami", ADVANCED, "6i5h", "bad-geometry", NULL},
    {"hasami", ADVANCED, "6i7i", "own-piece", "[\"7i\"]"},
    {"hasami", ADVANCED, "6i2i", "own-piece", "[\"2i\"]"},
    {"hasami", ADVANCED, "6i6a", "occupied", "[\"6a\"]"},
    {"hasami", ADVANCED, "5e5a", "occupied", "[\"5a\"]"},
    {"hasami", ADVANCED, "9e1e", "blocked", "[\"5e\",\"4e\"]"},

    {"yonin", "", "zz", "syntax", NULL},
    {"yonin", "", "", "syntax", NULL},
    {"yonin", "", "5g5f++", "syntax", NULL},
    {"yonin", "", "K*5e", "syntax", NULL},
    {"yonin", "", "P*5e+", "syntax", NULL},
    {"yonin", "", "0g5f", "off-board", NULL},
    {"yonin", "", "P*5j", "off-board", NULL},
    {"yonin", "", "5e5d", "no-piece", "[\"5e\"]"},
    {"yonin", "", "5c5d", "not-your-piece", "[\"5c\"]"},
    {"yonin", "", "5g5g", "no-move", NULL},
    {"yonin", "", "5g5e", "bad-geometry", NULL},
    {"yonin", "", "5h5g", "own-piece", "[\"5g\"]"},
    {"yonin", "", "R*5i", "own-piece", "[\"5i\"]"},
    {"yonin", "", "P*5c", "occupied", "[\"5c\"]"},
    {"yonin", "", "5h5a", "blocked", "[\"5b\",\"5c\",\"5g\"]"},
    {"yonin_pairs", ALLIED, "5d5e", "partner-piece", "[\"5e\"]"},
    {"yonin", MATED, "1e2d", "not-your-piece", "[\"1e\"]"},
    {"yonin", MATED, "1d1e", "king-not-capturable", "[\"1e\"]"},
    {"yonin", "", "R*5e", "not-in-hand", NULL},
    {"yonin", RISEN, "1b1a", "must-promote", NULL},
    {"yonin", "", "5g5f+", "cannot-promote", NULL},
    {"yonin", IN_HAND, "P*1a", "dead-pawn", NULL},
    {"yonin", IN_HAND, "P*7d", "nifu", "[\"8d\"]"},
    {"yonin", PURSUED, "P*1d", "pawn-before-inverted-king", "[\"1e\"]"},
    {"yonin", GUARDED, "9e9f", "leaves-king-in-check", "[\"8g\"]"},
    {"yonin_pairs", ABREAST, "S*2d", "checks-partner", "[\"1e\"]"},
    {"yonin", STIFLED, "P*6i", "pawn-drop-mate", "[\"5i\"]"},
    {"yonin", CHASED, "8g7h", "perpetual-check", NULL},
};
/* clang-format on */
enum { ROWS = sizeof rows / sizeof rows[0] };

static void play(struct board *board, const char *moves)
{
    char text[256];
    char *rest = NULL;
    cr_assert_lt(strlen(moves), sizeof text);
    (void)snprintf(text, sizeof text, "%s", moves);
    for (char *move = strtok_r(text, " ", &rest); move != NULL; move = strtok_r(NULL, " ", &rest)) {
        struct answer answer = board_move(board, move);
        answer_free(&answer);
    }
}

static void expect_illegal(const struct board *board, const struct row *row)
{
    struct answer answer =
        expect(422, device_move(board->seats[board->turn], board->id, board->ply + 1, row->move));
    char *squares = json_dumps(answer_at(&answer, "squares"), JSON_COMPACT);
    const char turn[] = {board->game->seats[board->turn], '\0'};
    cr_expect_str_eq(answer_text(&answer, "code"), "illegal-move");
    cr_expect_str_eq(answer_text(&answer, "reason"), row->reason, "%s", row->move);
    cr_expect_eq(answer_integer(&answer, "current.ply"), board->ply);
    cr_expect_str_eq(answer_text(&answer, "current.turn"), turn);
    cr_expect_eq(squares == NULL, row->squares == NULL, "%s", row->move);
    if (squares != NULL && row->squares != NULL) {
        cr_expect_str_eq(squares, row->squares, "%s", row->move);
    }
    free(squares);
    answer_free(&answer);
}

TestEachGame(scenario_illegal, an_illegal_move_says_why_and_where)
{
    const char *moves = NULL;
    struct board board = board_new(game);
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(rows[i].pool, game->pool) != 0) {
            continue;
        }
        if (moves == NULL || strcmp(moves, rows[i].moves) != 0) {
            moves = rows[i].moves;
            board_seat(&board);
            play(&board, moves);
        }
        expect_illegal(&board, &rows[i]);
    }
    cr_assert_not_null(moves, "no illegal move of %s", game->pool);
    board_free(&board);
}

static bool has_row(const char *key, const char *reason)
{
    for (size_t i = 0; i < ROWS; i++) {
        if (strcmp(games_find(rows[i].pool)->key, key) == 0 &&
            strcmp(rows[i].reason, reason) == 0) {
            return true;
        }
    }
    return false;
}

TestEachGame(scenario_illegal, no_reason_that_the_rules_can_give_is_left_out)
{
    const enum illegal_reason *reasons = rules_find(game->key)->illegal_reasons;
    for (; *reasons != ILLEGAL_NONE; reasons++) {
        const char *reason = illegal_reason_text(*reasons);
        cr_expect(has_row(game->key, reason), "no move of %s is refused for %s", game->key, reason);
    }
}

/* The stateless twin sees the same as the served game. */
TestEachGame(scenario_illegal, a_refusal_is_the_same_without_a_game)
{
    struct board board = board_begun(game);
    const char *move = game->illegal.move;
    char body[256];
    (void)snprintf(body, sizeof body,
                   "{\"op\":\"play\",\"game\":\"%s\",\"options\":%s,\"moves\":[\"%s\"]}", game->key,
                   game->options, move);
    struct answer served = expect(422, device_move(board.seats[0], board.id, 1, move));
    struct answer played =
        expect(200, client_post(board.devices[0]->client, "/v1/validate", NULL, body));
    cr_assert_str_eq(answer_text(&served, "reason"), game->illegal.reason);
    cr_assert_str_eq(answer_text(&played, "error.reason"), game->illegal.reason);
    cr_assert(json_equal(answer_at(&served, "squares"), answer_at(&played, "error.squares")));
    answer_free(&served);
    answer_free(&played);
    board_free(&board);
}
