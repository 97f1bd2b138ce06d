#include "hasami_board.h"
#include "text_error.h"

#include <stdio.h>
#include <string.h>

/* A part of the text between two spaces. */
struct field {
    const char *text;
    size_t length;
};

enum { FIELD_BOARD, FIELD_SIDE, FIELD_HAND, FIELD_NUMBER, FIELDS };

static size_t split(const char *text, size_t length, struct field fields[FIELDS]);
static bool parse_board(struct field field, struct hasami_position *position,
                        struct text_error *error);
static bool parse_rank(struct field rank, unsigned row, struct hasami_position *position,
                       struct text_error *error);
static bool parse_side(struct field field, struct hasami_position *position,
                       struct text_error *error);
static bool parse_number(struct field field, struct hasami_position *position,
                         struct text_error *error);
static char *format_rank(const struct hasami_position *position, unsigned row, char *end);
static uint64_t pack_rows(const uint16_t *rows, unsigned count);
static uint64_t mix(uint64_t word);

void hasami_put(struct hasami_position *position, unsigned seat, unsigned row, unsigned col)
{
    assert(seat < HASAMI_SEATS && row < HASAMI_SIDE && col < HASAMI_SIDE);
    assert((hasami_occupied_row(position, row) >> col & 1u) == 0);
    position->rows[seat][row] |= (uint16_t)(1u << col);
    position->cols[seat][col] |= (uint16_t)(1u << row);
    position->men[seat]++;
}

/* 163 bits in three words: seven rows of each side, then what is left of both with the turn. */
uint64_t hasami_hash(const struct position *position)
{
    const struct hasami_position *hasami = &position->as.hasami;
    const uint64_t rest = pack_rows(hasami->rows[0] + 7, 2) |
                          pack_rows(hasami->rows[1] + 7, 2) << 18 | (uint64_t)hasami->turn << 36;

    assert(hasami->turn < HASAMI_SEATS);
    return mix(mix(mix(pack_rows(hasami->rows[0], 7)) + pack_rows(hasami->rows[1], 7)) + rest);
}

bool hasami_parse_position(const char *text, size_t length, const struct game_options *options,
                           struct position *position, struct text_error *error)
{
    struct hasami_position parsed = {0};
    struct field fields[FIELDS];

    assert(options != NULL);
    if (length == 0) {
        return text_error_set(error, "the position is empty");
    }
    if (length >= RULES_POSITION_TEXT_MAX) {
        return text_error_set(error, "the position is %zu bytes long, at most %d are allowed",
                              length, RULES_POSITION_TEXT_MAX - 1);
    }
    const size_t count = split(text, length, fields);
    if (count != 2 && count != FIELDS) {
        return text_error_set(error,
                              "the position has %zu space-separated fields, not 2 (board, side) or "
                              "4 (board, side, -, move number)",
                              count);
    }
    if (!parse_board(fields[FIELD_BOARD], &parsed, error) ||
        !parse_side(fields[FIELD_SIDE], &parsed, error)) {
        return false;
    }
    if (count == FIELDS) {
        if (fields[FIELD_HAND].length != 1 || fields[FIELD_HAND].text[0] != '-') {
            return text_error_set(error, "the third field must be -: captured men never return");
        }
        if (!parse_number(fields[FIELD_NUMBER], &parsed, error)) {
            return false;
        }
    }
    position->as.hasami = parsed;
    return true;
}

size_t hasami_format_position(const struct position *position, char text[RULES_POSITION_TEXT_MAX])
{
    const struct hasami_position *hasami = &position->as.hasami;
    char *end = text;

    for (unsigned row = 0; row < HASAMI_SIDE; row++) {
        if (row > 0) {
            *end++ = '/';
        }
        end = format_rank(hasami, row, end);
    }
    const size_t board = (size_t)(end - text);
    const int tail = snprintf(end, RULES_POSITION_TEXT_MAX - board, " %c - %lu",
                              hasami->turn == 0 ? 'b' : 'w', (unsigned long)hasami->ply + 1);

    assert(tail > 0 && board + (size_t)tail < RULES_POSITION_TEXT_MAX);
    return board + (size_t)tail;
}

/* Returns how many fields there are, which may be more than are stored. */
static size_t split(const char *text, size_t length, struct field fields[FIELDS])
{
    size_t count = 0;
    size_t start = 0;

    for (size_t i = 0; i <= length; i++) {
        if (i < length && text[i] != ' ') {
            continue;
        }
        if (count < FIELDS) {
            fields[count] = (struct field){text + start, i - start};
        }
        count++;
        start = i + 1;
    }
    assert(count > 0);
    return count;
}

static bool parse_board(struct field field, struct hasami_position *position,
                        struct text_error *error)
{
    const char *const end = field.text + field.length;
    const char *start = field.text;
    unsigned ranks = 1;

    for (const char *c = field.text; c < end; c++) {
        ranks += *c == '/';
    }
    if (ranks != HASAMI_SIDE) {
        return text_error_set(error, "the board has %u ranks, not %d", ranks, HASAMI_SIDE);
    }
    for (unsigned row = 0; row < HASAMI_SIDE; row++) {
        const char *slash = memchr(start, '/', (size_t)(end - start));
        const char *stop = slash != NULL ? slash : end;

        if (!parse_rank((struct field){start, (size_t)(stop - start)}, row, position, error)) {
            return false;
        }
        start = stop + 1;
    }
    for (unsigned seat = 0; seat < HASAMI_SEATS; seat++) {
        if (position->men[seat] > HASAMI_MEN) {
            return text_error_set(error, "there are %u men %c, at most %d are possible",
                                  position->men[seat], "Pp"[seat], HASAMI_MEN);
        }
    }
    return true;
}

static bool parse_rank(struct field rank, unsigned row, struct hasami_position *position,
                       struct text_error *error)
{
    const char name = (char)('a' + (int)row);
    bool after_digit = false;
    unsigned col = 0;

    assert(row < HASAMI_SIDE);
    for (size_t i = 0; i < rank.length; i++) {
        const char c = rank.text[i];
        const bool digit = c >= '1' && c <= '9';

        if (!digit && c != 'P' && c != 'p') {
            return text_error_set(error, "rank %c: %s is neither P, p nor a digit 1 to 9", name,
                                  text_error_byte(c).text);
        }
        if (digit && after_digit) {
            return text_error_set(error, "rank %c has two digits in a row, write their sum", name);
        }
        if (!digit && col < HASAMI_SIDE) {
            hasami_put(position, c == 'P' ? 0 : 1, row, col);
        }
        col += digit ? (unsigned)(c - '0') : 1;
        after_digit = digit;
    }
    if (col != HASAMI_SIDE) {
        return text_error_set(error, "rank %c has %u squares, not %d", name, col, HASAMI_SIDE);
    }
    return true;
}

static bool parse_side(struct field field, struct hasami_position *position,
                       struct text_error *error)
{
    assert(position->turn == 0);
    if (field.length != 1 || (field.text[0] != 'b' && field.text[0] != 'w')) {
        return text_error_set(error, "the side to move must be b or w");
    }
    position->turn = field.text[0] == 'w';
    return true;
}

static bool parse_number(struct field field, struct hasami_position *position,
                         struct text_error *error)
{
    uint32_t number = 0;

    if (field.length == 0) {
        return text_error_set(error, "the move number is missing");
    }
    for (size_t i = 0; i < field.length; i++) {
        const char c = field.text[i];

        if (c < '0' || c > '9') {
            return text_error_set(error, "the move number has %s in it, not only digits",
                                  text_error_byte(c).text);
        }
        if (i == 0 && c == '0') {
            return text_error_set(error, "the move number must not begin with 0");
        }
        number = number * 10 + (uint32_t)(c - '0');
        if (number > HASAMI_PLY_MAX) {
            return text_error_set(error, "the move number is larger than %d", HASAMI_PLY_MAX);
        }
    }
    assert(number > 0);
    position->ply = number - 1;
    return true;
}

static char *format_rank(const struct hasami_position *position, unsigned row, char *end)
{
    const unsigned black = position->rows[0][row];
    const unsigned white = position->rows[1][row];
    int empty = 0;

    assert((black & white) == 0);
    for (unsigned col = 0; col < HASAMI_SIDE; col++) {
        const bool man = ((black | white) >> col & 1u) != 0;

        if (man && empty > 0) {
            *end++ = (char)('0' + empty);
            empty = 0;
        }
        if (man) {
            *end++ = (black >> col & 1u) != 0 ? 'P' : 'p';
        } else {
            empty++;
        }
    }
    if (empty > 0) {
        *end++ = (char)('0' + empty);
    }
    return end;
}

static uint64_t pack_rows(const uint16_t *rows, unsigned count)
{
    uint64_t packed = 0;

    assert(count <= 7);
    for (unsigned i = 0; i < count; i++) {
        packed |= (uint64_t)rows[i] << LINE_SQUARES * i;
    }
    return packed;
}

/* Each step can be undone, so two words never meet in one; every bit reaches every other. */
static uint64_t mix(uint64_t word)
{
    word += UINT64_C(0x9E3779B97F4A7C15);
    word = (word ^ word >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    word = (word ^ word >> 29) * UINT64_C(0xA0761D6478BD642F);
    return word ^ word >> 32;
}
