#include "text_error.h"
#include "yonin_board.h"

/* What every position of a game has in common, whatever its text says. */

static const char seats[] = "swne";

static bool check_mates(const struct yonin_position *position, const struct game_options *options,
                        struct text_error *error)
{
    uint8_t alive = (1u << YONIN_SEATS) - 1;
    const unsigned last = yonin_last_mate(options);
    if (position->mate_count > last) {
        return text_error_set(error, "there are %u mates, but number %u ended the game",
                              position->mate_count, last);
    }
    for (unsigned i = 0; i < position->mate_count; i++) {
        const struct yonin_mate mate = position->mates[i];
        if ((alive >> mate.victim & 1) == 0) {
            return text_error_set(error, "seat %c is mated twice", seats[mate.victim]);
        }
        alive &= (uint8_t) ~(1u << mate.victim);
        if (mate.credited != RULES_SEAT_NONE && (alive >> mate.credited & 1) == 0) {
            return text_error_set(error, "the mate of %c is credited to %c, who was mated then",
                                  seats[mate.victim], seats[mate.credited]);
        }
    }
    for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
        const bool by_mates = (alive >> seat & 1) != 0;
        if (by_mates != yonin_alive(position, seat)) {
            return text_error_set(error,
                                  by_mates ? "seat %c has an inverted king but is in no mate"
                                           : "seat %c was mated but has a live king",
                                  seats[seat]);
        }
    }
    return true;
}

/* Whose the pieces that face like a seat are by now: its own while it is alive, then its heir's,
 * then that one's heir's (rules 23, 24). */
static unsigned heir(const struct yonin_position *position, const struct game_options *options,
                     unsigned seat)
{
    for (unsigned i = 0; i < position->mate_count; i++) {
        if (position->mates[i].victim == (int)seat) {
            const int8_t credited = position->mates[i].credited;
            if (credited == RULES_SEAT_NONE ||
                options->value[YONIN_ORPHANED_PIECES] == YONIN_OWNERLESS) {
                return YONIN_NOBODY;
            }
            seat = (unsigned)credited;
        }
    }
    return seat;
}

static bool check_owner(const struct yonin_position *position, unsigned at, unsigned expected,
                        struct text_error *error)
{
    const unsigned facing = yonin_facing(position->board[at]);
    const unsigned owner = yonin_owner(position, at);
    char text[3];
    square_format((uint8_t)at, text);
    if (owner != YONIN_NOBODY && !yonin_alive(position, owner)) {
        return text_error_set(error, "the piece on %s belongs to %c, who was mated", text,
                              seats[owner]);
    }
    if (owner == expected) {
        return true;
    }
    if (yonin_alive(position, facing)) {
        return text_error_set(error,
                              "the piece on %s faces like %c, who is alive and owns all such "
                              "pieces",
                              text, seats[facing]);
    }
    return expected == YONIN_NOBODY
               ? text_error_set(error, "the piece on %s faces like %c, whose pieces have no owner",
                                text, seats[facing])
               : text_error_set(error, "the piece on %s faces like %c, whose pieces went to %c",
                                text, seats[facing], seats[expected]);
}

static bool check_owners(const struct yonin_position *position, const struct game_options *options,
                         struct text_error *error)
{
    unsigned heirs[YONIN_SEATS];
    for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
        heirs[seat] = heir(position, options, seat);
    }
    for (yonin_squares set = position->occupied; set != 0; set &= set - 1) {
        const unsigned at = yonin_first(set);
        const uint8_t piece = position->board[at];
        if (yonin_kind(piece) != YONIN_INVERTED &&
            !check_owner(position, at, heirs[yonin_facing(piece)], error)) {
            return false;
        }
    }
    for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
        for (unsigned i = 0; i < YONIN_HAND_KINDS; i++) {
            if (position->hands[seat][i] > 0 && !yonin_alive(position, seat)) {
                return text_error_set(error, "seat %c was mated but has pieces in hand",
                                      seats[seat]);
            }
        }
    }
    return true;
}

/* As many of each kind as four seats begin with: hands can lose some, nothing makes more. */
static bool check_numbers(const struct yonin_position *position, struct text_error *error)
{
    static const struct {
        enum yonin_held held;
        unsigned max;
        const char *name;
    } kinds[] = {
        {YONIN_HELD_ROOK,   4,  "rooks"  },
        {YONIN_HELD_GOLD,   8,  "golds"  },
        {YONIN_HELD_SILVER, 8,  "silvers"},
        {YONIN_HELD_PAWN,   12, "pawns"  },
    };
    unsigned counts[YONIN_HAND_KINDS] = {0};
    for (yonin_squares set = position->occupied; set != 0; set &= set - 1) {
        const unsigned kind =
            yonin_kind(position->board[yonin_first(set)]) & ~(unsigned)YONIN_PROMOTED;
        if (kind != YONIN_KING && kind != YONIN_INVERTED) {
            counts[yonin_held_places[kind]]++;
        }
    }
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        unsigned count = counts[kinds[i].held];
        for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
            count += position->hands[seat][kinds[i].held];
        }
        if (count > kinds[i].max) {
            return text_error_set(error,
                                  "there are %u %s, promoted ones and hands included; a game "
                                  "has %u",
                                  count, kinds[i].name, kinds[i].max);
        }
    }
    return true;
}

static bool check_turn(const struct yonin_position *position, const struct game_options *options,
                       struct text_error *error)
{
    const bool ended = yonin_ended(position, options);
    if (ended != (position->turn == RULES_SEAT_NONE)) {
        return text_error_set(error, ended ? "the mates have ended the game, so nobody is on turn"
                                           : "somebody is on turn until mates end the game");
    }
    if (!ended && !yonin_alive(position, (unsigned)position->turn)) {
        return text_error_set(error, "seat %c is on turn but was mated", seats[position->turn]);
    }
    if (!ended && !yonin_can_move(position, options, (unsigned)position->turn)) {
        return text_error_set(error, "seat %c is on turn without a legal move: that is mate",
                              seats[position->turn]);
    }
    return true;
}

static bool check_givers(const struct yonin_position *position, struct text_error *error)
{
    for (unsigned seat = 0; seat < YONIN_SEATS; seat++) {
        const int8_t giver = position->givers[seat];
        if (giver == RULES_SEAT_NONE) {
            continue;
        }
        if (!yonin_alive(position, seat) || yonin_checkers(position, seat) == 0) {
            return text_error_set(error, "seat %c has a giver of check but is in no check",
                                  seats[seat]);
        }
        if (!yonin_alive(position, (unsigned)giver)) {
            return text_error_set(error, "seat %c gave check but was mated", seats[giver]);
        }
    }
    return true;
}

bool yonin_check_position(const struct yonin_position *position, const struct game_options *options,
                          struct text_error *error)
{
    return check_mates(position, options, error) && check_owners(position, options, error) &&
           check_numbers(position, error) && check_turn(position, options, error) &&
           check_givers(position, error);
}
