#include "yonin_board.h"

#include <stdio.h>
#include <string.h>

/* Positions and moves as texts, and the number that stands for a position. */

static const char seats[] = "swne";

/* --- the hash ------------------------------------------------------------------------------------
 */

/* The finaliser of splitmix64. */
static uint64_t mix(uint64_t word)
{
    word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
    return word ^ word >> 31;
}

/* Rule 33: board, hands and turn; not the givers, not the ply, not how it came about. */
uint64_t yonin_hash(const struct position *position)
{
    const struct yonin_position *yonin = &position->as.yonin;
    uint64_t hash = (uint64_t)(yonin->turn + 1);
    for (yonin_squares set = yonin->occupied; set != 0; set &= set - 1) {
        const unsigned at = yonin_first(set);
        const uint64_t what =
            (uint64_t)at << 16 | (uint64_t)yonin->board[at] << 8 | yonin_owner(yonin, at);
        hash += mix(what + UINT64_C(0x9e3779b97f4a7c15));
    }
    for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
        uint64_t hand = seat + 1;
        for (unsigned i = 0; i < YONIN_HAND_KINDS; i++) {
            hand = hand << 8 | yonin->hands[seat][i];
        }
        hash += mix(hand << 24);
    }
    return mix(hash);
}

/* --- positions -----------------------------------------------------------------------------------
 */

/* `ways`: how each facing is written. */
static char *put_piece(const struct yonin_position *position, unsigned square, const char *ways,
                       char *end)
{
    static const char kinds[] = "-PSGRKX";
    const uint8_t piece = position->board[square];
    const unsigned kind = yonin_kind(piece);
    const unsigned facing = yonin_facing(piece);
    const unsigned owner = yonin_owner(position, square);
    if ((kind & YONIN_PROMOTED) != 0) {
        *end++ = '+';
    }
    *end++ = kinds[kind & ~(unsigned)YONIN_PROMOTED];
    *end++ = ways[facing];
    if (owner != facing && kind != YONIN_INVERTED) {
        *end++ = (char)(owner == YONIN_NOBODY ? '-' : seats[owner]);
    }
    return end;
}

void yonin_piece_text(const struct position *position, uint8_t square,
                      char text[RULES_PIECE_TEXT_MAX])
{
    assert(square < YONIN_SQUARES);
    const struct yonin_position *yonin = &position->as.yonin;
    char *end = text;
    if (yonin->board[square] != YONIN_EMPTY) {
        end = put_piece(yonin, square, "^>v<", end);
    }
    *end = '\0';
}

static char *put_board(const struct yonin_position *position, char *end)
{
    for (unsigned row = 0; row < YONIN_SIDE; row++) {
        unsigned empty = 0;
        if (row > 0) {
            *end++ = '/';
        }
        for (unsigned col = 0; col < YONIN_SIDE; col++) {
            const unsigned square = row * YONIN_SIDE + col;
            if (position->board[square] == YONIN_EMPTY) {
                empty++;
                continue;
            }
            if (empty > 0) {
                *end++ = (char)('0' + empty);
                empty = 0;
            }
            end = put_piece(position, square, seats, end);
        }
        if (empty > 0) {
            *end++ = (char)('0' + empty);
        }
    }
    return end;
}

static char *put_hands(const struct yonin_position *position, char *end)
{
    static const char held[] = "RGSP";
    for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
        const char *begin = end;
        for (unsigned i = 0; i < YONIN_HAND_KINDS; i++) {
            const unsigned count = position->hands[seat][i];
            if (count >= 10) {
                *end++ = (char)('0' + count / 10);
            }
            if (count >= 2) {
                *end++ = (char)('0' + count % 10);
            }
            if (count >= 1) {
                *end++ = held[i];
            }
        }
        if (end == begin) {
            *end++ = '-';
        }
        *end++ = seat + 1 < YONIN_SEATS ? '/' : ' ';
    }
    return end;
}

static char *put_mates(const struct yonin_position *position, char *end)
{
    for (unsigned i = 0; i < position->mate_count; i++) {
        const struct yonin_mate mate = position->mates[i];
        if (i > 0) {
            *end++ = ',';
        }
        *end++ = seats[mate.victim];
        *end++ = '>';
        *end++ = (char)(mate.credited == RULES_SEAT_NONE ? '*' : seats[mate.credited]);
    }
    if (position->mate_count == 0) {
        *end++ = '-';
    }
    *end++ = ' ';
    return end;
}

static char *put_givers(const struct yonin_position *position, char *end)
{
    const char *begin = end;
    for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
        if (position->givers[seat] == RULES_SEAT_NONE) {
            continue;
        }
        if (end != begin) {
            *end++ = ',';
        }
        *end++ = seats[seat];
        *end++ = '<';
        *end++ = seats[position->givers[seat]];
    }
    if (end == begin) {
        *end++ = '-';
    }
    return end;
}

size_t yonin_format_position(const struct position *position, char text[RULES_POSITION_TEXT_MAX])
{
    const struct yonin_position *yonin = &position->as.yonin;
    char *end = put_board(yonin, text);
    *end++ = ' ';
    end = put_hands(yonin, end);
    *end++ = (char)(yonin->turn == RULES_SEAT_NONE ? '-' : seats[yonin->turn]);
    *end++ = ' ';
    end = put_mates(yonin, end);
    end = put_givers(yonin, end);
    const size_t used = (size_t)(end - text);
    const int tail =
        snprintf(end, RULES_POSITION_TEXT_MAX - used, " %lu", (unsigned long)yonin->ply);
    assert(tail > 0 && used + (size_t)tail < RULES_POSITION_TEXT_MAX);
    return used + (size_t)tail;
}

/* --- moves ---------------------------------------------------------------------------------------
 */

static bool is_square_text(const char *text)
{
    return text[0] >= '0' && text[0] <= '9' && text[1] >= 'a' && text[1] <= 'z';
}

static bool is_on_board(const char *text)
{
    return text[0] != '0' && text[1] <= 'i';
}

static unsigned square_of(const char *text)
{
    return (unsigned)(text[1] - 'a') * YONIN_SIDE + (unsigned)('9' - text[0]);
}

static enum illegal_reason parse_drop(const char *text, size_t length, struct move *move)
{
    static const char held[] = "RGSP";
    const char *found = length == 4 ? memchr(held, text[0], sizeof held - 1) : NULL;
    if (found == NULL || !is_square_text(text + 2)) {
        return ILLEGAL_SYNTAX;
    }
    if (!is_on_board(text + 2)) {
        return ILLEGAL_OFF_BOARD;
    }
    *move = yonin_drop((unsigned)(found - held), square_of(text + 2));
    return ILLEGAL_NONE;
}

enum illegal_reason yonin_parse_move(const char *text, size_t length, struct move *move)
{
    if (length >= 2 && text[1] == '*') {
        return parse_drop(text, length, move);
    }
    const bool promotes = length == 5 && text[4] == '+';
    if ((length != 4 && !promotes) || !is_square_text(text) || !is_square_text(text + 2)) {
        return ILLEGAL_SYNTAX;
    }
    if (!is_on_board(text) || !is_on_board(text + 2)) {
        return ILLEGAL_OFF_BOARD;
    }
    *move = yonin_board_move(square_of(text), square_of(text + 2), promotes);
    return ILLEGAL_NONE;
}

void yonin_format_move(struct move move, char text[RULES_MOVE_TEXT_MAX])
{
    static const char held[] = "RGSP";
    const struct yonin_step step = yonin_step(move);
    char to[3];
    square_format((uint8_t)step.to, to);
    if (step.drops) {
        (void)snprintf(text, RULES_MOVE_TEXT_MAX, "%c*%s", held[step.from], to);
        return;
    }
    char from[3];
    square_format((uint8_t)step.from, from);
    (void)snprintf(text, RULES_MOVE_TEXT_MAX, "%s%s%s", from, to, step.promotes ? "+" : "");
}
