#include "text_error.h"
#include "yonin_board.h"

#include <string.h>

/* Reading a position text, and refusing those that no game can lead to. */

static const char seats[] = "swne";

struct field {
    const char *text;
    size_t length;
};
enum { FIELD_BOARD, FIELD_HANDS, FIELD_TURN, FIELD_MATES, FIELD_GIVERS, FIELD_PLY, FIELDS };
static const char *const field_names[FIELDS] = {"board", "hands", "turn", "mates", "givers", "ply"};

static int seat_of(char letter)
{
    const char *found = letter == '\0' ? NULL : strchr(seats, letter);
    return found == NULL ? RULES_SEAT_NONE : (int)(found - seats);
}

/* --- the board -----------------------------------------------------------------------------------
 */

struct cursor {
    const char *at;
    const char *end;
    unsigned row;
    unsigned col;
};

static bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}

/* What stands after kind and facing says who owns it. */
static bool read_owner(struct cursor *cursor, unsigned facing, unsigned *owner,
                       struct text_error *error)
{
    *owner = facing;
    if (cursor->at == cursor->end) {
        return true;
    }
    const char letter = *cursor->at;
    if (letter == '-') {
        *owner = YONIN_NOBODY;
        cursor->at++;
    } else if (seat_of(letter) != RULES_SEAT_NONE) {
        *owner = (unsigned)seat_of(letter);
        cursor->at++;
        if (*owner == facing) {
            return text_error_set(error, "rank %c: the owner %c is written though it is the facing",
                                  'a' + (int)cursor->row, letter);
        }
    }
    return true;
}

static bool put_king(struct yonin_position *position, unsigned square, unsigned kind,
                     unsigned facing, unsigned owner, struct text_error *error)
{
    if (position->kings[facing] != YONIN_SQUARES) {
        return text_error_set(error, "seat %c has two kings", seats[facing]);
    }
    if (owner != facing) {
        return text_error_set(error, "the king of seat %c has an owner written", seats[facing]);
    }
    position->kings[facing] = (uint8_t)square;
    if (kind == YONIN_KING) {
        position->alive |= (uint8_t)(1u << facing);
    }
    yonin_put(position, square, yonin_piece(kind, facing),
              kind == YONIN_KING ? facing : YONIN_NOBODY);
    return true;
}

static bool put_piece(struct yonin_position *position, unsigned square, unsigned kind,
                      unsigned facing, unsigned owner, struct text_error *error)
{
    if (kind == YONIN_KING || kind == YONIN_INVERTED) {
        return put_king(position, square, kind, facing, owner, error);
    }
    if (kind == YONIN_PAWN && yonin_has(yonin_last_lines[facing], square)) {
        char text[3];
        square_format((uint8_t)square, text);
        return text_error_set(error, "an unpromoted pawn facing %c stands on its last line, on %s",
                              seats[facing], text);
    }
    yonin_put(position, square, yonin_piece(kind, facing), owner);
    return true;
}

static bool read_piece(struct cursor *cursor, struct yonin_position *position,
                       struct text_error *error)
{
    static const char kinds[] = "PSGRKX";
    const int rank = 'a' + (int)cursor->row;
    unsigned kind = 0;
    if (*cursor->at == '+') {
        kind = YONIN_PROMOTED;
        cursor->at++;
    }
    const char *found =
        cursor->at == cursor->end ? NULL : memchr(kinds, *cursor->at, sizeof kinds - 1);
    if (found == NULL) {
        return text_error_set(error, "rank %c: %s is no piece (P S G R K X)", rank,
                              cursor->at == cursor->end ? "the end of the rank"
                                                        : text_error_byte(*cursor->at).text);
    }
    kind |= (unsigned)(found - kinds) + YONIN_PAWN;
    if ((kind & YONIN_PROMOTED) != 0 && kind != YONIN_TOKIN && kind != YONIN_PROMOTED_SILVER &&
        kind != YONIN_DRAGON) {
        return text_error_set(error, "rank %c: %c is never promoted", rank, *found);
    }
    cursor->at++;
    const int facing = cursor->at == cursor->end ? RULES_SEAT_NONE : seat_of(*cursor->at);
    if (facing == RULES_SEAT_NONE) {
        return text_error_set(error, "rank %c: %c has no facing (s w n e)", rank, *found);
    }
    cursor->at++;
    unsigned owner = 0;
    if (!read_owner(cursor, (unsigned)facing, &owner, error)) {
        return false;
    }
    if (cursor->col == YONIN_SIDE) {
        return text_error_set(error, "rank %c has more than nine squares", rank);
    }
    const unsigned square = cursor->row * YONIN_SIDE + cursor->col++;
    return put_piece(position, square, kind, (unsigned)facing, owner, error);
}

static bool read_empty(struct cursor *cursor, bool after_digit, struct text_error *error)
{
    const int rank = 'a' + (int)cursor->row;
    const unsigned count = (unsigned)(*cursor->at - '0');
    if (count == 0 || after_digit) {
        return text_error_set(error, "rank %c: empty squares are one digit, 1 to 9", rank);
    }
    if (cursor->col + count > YONIN_SIDE) {
        return text_error_set(error, "rank %c has more than nine squares", rank);
    }
    cursor->col += count;
    cursor->at++;
    return true;
}

static bool read_rank(struct field rank, unsigned row, struct yonin_position *position,
                      struct text_error *error)
{
    struct cursor cursor = {rank.text, rank.text + rank.length, row, 0};
    bool after_digit = false;
    while (cursor.at < cursor.end) {
        const bool digit = is_digit(*cursor.at);
        if (digit ? !read_empty(&cursor, after_digit, error)
                  : !read_piece(&cursor, position, error)) {
            return false;
        }
        after_digit = digit;
    }
    if (cursor.col != YONIN_SIDE) {
        return text_error_set(error, "rank %c has %u squares, not nine", 'a' + (int)row,
                              cursor.col);
    }
    return true;
}

/* Splits at a separator; returns how many parts there are, which may be more than are stored. */
static size_t split(struct field whole, char separator, struct field *parts, size_t max)
{
    size_t count = 0;
    size_t begin = 0;
    for (size_t i = 0; i <= whole.length; i++) {
        if (i == whole.length || whole.text[i] == separator) {
            if (count < max) {
                parts[count] = (struct field){whole.text + begin, i - begin};
            }
            count++;
            begin = i + 1;
        }
    }
    return count;
}

static bool parse_board(struct field field, struct yonin_position *position,
                        struct text_error *error)
{
    struct field ranks[YONIN_SIDE];
    const size_t count = split(field, '/', ranks, YONIN_SIDE);
    if (count != YONIN_SIDE) {
        return text_error_set(error, "the board has %zu ranks, not nine", count);
    }
    for (unsigned row = 0; row < YONIN_SIDE; row++) {
        if (!read_rank(ranks[row], row, position, error)) {
            return false;
        }
    }
    for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
        if (position->kings[seat] == YONIN_SQUARES) {
            return text_error_set(error, "seat %c has no king", seats[seat]);
        }
    }
    return true;
}

/* --- hands ---------------------------------------------------------------------------------------
 */

enum { PIECES_IN_GAME = 36, HAND_DIGITS = 2 };

/* A count (2 to 36, or none for one) before a letter. */
static bool read_held(struct field hand, size_t *at, unsigned seat, unsigned *place,
                      struct yonin_position *position, struct text_error *error)
{
    static const char held[] = "RGSP";
    unsigned count = 0;
    size_t digits = 0;
    for (; *at < hand.length && is_digit(hand.text[*at]) && digits <= HAND_DIGITS; ++*at) {
        count = count * 10 + (unsigned)(hand.text[*at] - '0');
        digits++;
    }
    if (digits > 0 && (count < 2 || count > PIECES_IN_GAME || hand.text[*at - digits] == '0')) {
        return text_error_set(error, "hand of %c: a count is 2 to %d, without zeros before it",
                              seats[seat], PIECES_IN_GAME);
    }
    const char *found = *at == hand.length ? NULL : memchr(held, hand.text[*at], sizeof held - 1);
    if (found == NULL) {
        return text_error_set(error, "hand of %c: %s is no piece in hand (R G S P)", seats[seat],
                              *at == hand.length ? "the end"
                                                 : text_error_byte(hand.text[*at]).text);
    }
    const unsigned which = (unsigned)(found - held);
    if (which < *place) {
        return text_error_set(error, "hand of %c: pieces stand in the order R G S P, each once",
                              seats[seat]);
    }
    position->hands[seat][which] = (uint8_t)(digits == 0 ? 1 : count);
    *place = which + 1;
    ++*at;
    return true;
}

static bool parse_hands(struct field field, struct yonin_position *position,
                        struct text_error *error)
{
    struct field hands[YONIN_SEATS];
    const size_t count = split(field, '/', hands, YONIN_SEATS);
    if (count != YONIN_SEATS) {
        return text_error_set(error, "there are %zu hands, not four", count);
    }
    for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
        unsigned place = 0;
        size_t at = 0;
        if (hands[seat].length == 1 && hands[seat].text[0] == '-') {
            continue;
        }
        if (hands[seat].length == 0) {
            return text_error_set(error, "the hand of %c is missing (- for none)", seats[seat]);
        }
        while (at < hands[seat].length) {
            if (!read_held(hands[seat], &at, seat, &place, position, error)) {
                return false;
            }
        }
    }
    return true;
}

/* --- the rest of the fields ----------------------------------------------------------------------
 */

static bool parse_turn(struct field field, struct yonin_position *position,
                       struct text_error *error)
{
    if (field.length != 1 || (field.text[0] != '-' && seat_of(field.text[0]) == RULES_SEAT_NONE)) {
        return text_error_set(error, "the turn is one of s w n e, or - after the end");
    }
    position->turn = (int8_t)seat_of(field.text[0]);
    return true;
}

static bool parse_mates(struct field field, struct yonin_position *position,
                        struct text_error *error)
{
    struct field mates[YONIN_MATES_MAX];
    if (field.length == 1 && field.text[0] == '-') {
        return true;
    }
    const size_t count = split(field, ',', mates, YONIN_MATES_MAX);
    if (count > YONIN_MATES_MAX) {
        return text_error_set(error, "at most three seats can be mated");
    }
    for (size_t i = 0; i < count; i++) {
        const char *text = mates[i].text;
        const bool shaped = mates[i].length == 3 && text[1] == '>';
        const int victim = shaped ? seat_of(text[0]) : RULES_SEAT_NONE;
        const int credited = shaped ? seat_of(text[2]) : RULES_SEAT_NONE;
        if (victim == RULES_SEAT_NONE || (credited == RULES_SEAT_NONE && text[2] != '*')) {
            return text_error_set(error, "a mate is victim>credited, such as n>s or n>*");
        }
        position->mates[i] = (struct yonin_mate){(int8_t)victim, (int8_t)credited};
    }
    position->mate_count = (uint8_t)count;
    return true;
}

static bool parse_givers(struct field field, struct yonin_position *position,
                         struct text_error *error)
{
    struct field givers[YONIN_SEATS];
    int last = RULES_SEAT_NONE;
    if (field.length == 1 && field.text[0] == '-') {
        return true;
    }
    const size_t count = split(field, ',', givers, YONIN_SEATS);
    for (size_t i = 0; i < count && i < YONIN_SEATS; i++) {
        const char *text = givers[i].text;
        const bool shaped = givers[i].length == 3 && text[1] == '<';
        const int checked = shaped ? seat_of(text[0]) : RULES_SEAT_NONE;
        const int giver = shaped ? seat_of(text[2]) : RULES_SEAT_NONE;
        if (checked == RULES_SEAT_NONE || giver == RULES_SEAT_NONE || checked == giver) {
            return text_error_set(error, "a giver is checked<giver, such as e<s");
        }
        if (checked <= last) {
            return text_error_set(error, "givers stand in the order s w n e, each seat once");
        }
        last = checked;
        position->givers[checked] = (int8_t)giver;
    }
    return count <= YONIN_SEATS ||
           text_error_set(error, "givers stand in the order s w n e, each seat once");
}

static bool parse_ply(struct field field, struct yonin_position *position, struct text_error *error)
{
    uint32_t ply = 0;
    bool good = field.length > 0 && (field.length == 1 || field.text[0] != '0');
    for (size_t i = 0; good && i < field.length; i++) {
        good = is_digit(field.text[i]);
        ply = good ? ply * 10 + (uint32_t)(field.text[i] - '0') : ply;
        good = good && ply <= YONIN_PLY_MAX;
    }
    position->ply = ply;
    return good || text_error_set(error, "the ply is a number from 0 to %d", YONIN_PLY_MAX);
}

bool yonin_parse_position(const char *text, size_t length, const struct game_options *options,
                          struct position *position, struct text_error *error)
{
    struct yonin_position parsed = {.mate_count = 0};
    struct field fields[FIELDS];
    assert(options != NULL);
    if (length == 0) {
        return text_error_set(error, "the position is empty");
    }
    if (length >= RULES_POSITION_TEXT_MAX) {
        return text_error_set(error, "the position is %zu bytes long, at most %d are allowed",
                              length, RULES_POSITION_TEXT_MAX - 1);
    }
    const size_t count = split((struct field){text, length}, ' ', fields, FIELDS);
    if (count != FIELDS) {
        return text_error_set(error,
                              "the position has %zu space-separated fields, not 6 (%s, %s, %s, %s, "
                              "%s, %s)",
                              count, field_names[FIELD_BOARD], field_names[FIELD_HANDS],
                              field_names[FIELD_TURN], field_names[FIELD_MATES],
                              field_names[FIELD_GIVERS], field_names[FIELD_PLY]);
    }
    for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
        parsed.kings[seat] = YONIN_SQUARES;
        parsed.givers[seat] = RULES_SEAT_NONE;
    }
    if (!parse_board(fields[FIELD_BOARD], &parsed, error) ||
        !parse_hands(fields[FIELD_HANDS], &parsed, error) ||
        !parse_turn(fields[FIELD_TURN], &parsed, error) ||
        !parse_mates(fields[FIELD_MATES], &parsed, error) ||
        !parse_givers(fields[FIELD_GIVERS], &parsed, error) ||
        !parse_ply(fields[FIELD_PLY], &parsed, error)) {
        return false;
    }
    parsed.checked = yonin_seats_in_check(&parsed);
    if (!yonin_check_position(&parsed, options, error)) {
        return false;
    }
    position->as.yonin = parsed;
    return true;
}
