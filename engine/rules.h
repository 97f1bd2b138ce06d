#ifndef ENGINE_RULES_H
#define ENGINE_RULES_H

/*
 * The one seam between the games and everything above them. A game is a `const struct game_rules`
 * in one array; nobody above this folder ever asks which game it is.
 *
 * Threads: everything here is pure; any function may run on any thread at any time.
 * Ownership: the caller owns every object; nothing is allocated, nothing is kept.
 */

#include "hasami.h"
#include "yonin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RULES_NODISCARD __attribute__((warn_unused_result))

enum {
    RULES_SEATS_MAX = 4,
    RULES_SQUARES = 81,         /* both games: 9 x 9, USI squares, index = rank * 9 + (9 - file) */
    RULES_MOVES_MAX = 1024,     /* legal moves of one position */
    RULES_CAPTURED_MAX = 9,     /* squares emptied by one ply */
    RULES_ELIMINATIONS_MAX = 3, /* seats mated after one ply */
    RULES_OPTIONS_MAX = 4,      /* options of one game */
    RULES_HAND_MAX = 4,         /* kinds of piece a hand can hold */
    RULES_POSITION_TEXT_MAX = 512, /* with the NUL */
    RULES_MOVE_TEXT_MAX = 8,       /* with the NUL */
    RULES_PIECE_TEXT_MAX = 5,      /* with the NUL */
    RULES_OPTIONS_TEXT_MAX = 160,  /* with the NUL */
    RULES_SEAT_NONE = -1,
    RULES_REPETITIONS = 4,      /* the appearance that ends a game (hasami R28, yonin 34) */
    RULES_PERFT_DEPTH_MAX = 64, /* deeper than any count that 64 bits or a lifetime can hold */
};

/* Caller-owned, fixed-size. Only the game's own files look inside. */
struct position {
    union {
        struct hasami_position hasami;
        struct yonin_position yonin;
    } as;
};

/* The game's own encoding; equal moves have equal bits. */
struct move {
    uint16_t bits;
};

struct move_list {
    size_t count;
    struct move at[RULES_MOVES_MAX];
};

/* A value per option of the game's table: the index of a word, or a number. */
struct game_options {
    uint16_t value[RULES_OPTIONS_MAX];
};

/* One position a game has been in: entry 0 is the start, the last one is now. */
struct history_entry {
    uint64_t key;        /* game_rules.hash of the position */
    int8_t mover;        /* seat whose ply led here; RULES_SEAT_NONE for the start */
    bool gave_new_check; /* that ply gave a new check to somebody */
};

struct history {
    const struct history_entry *at;
    size_t count;
};

/* Why a move is refused, in the order in which reasons are looked for: the first that fits. */
enum illegal_reason {
    ILLEGAL_NONE,
    ILLEGAL_SYNTAX,
    ILLEGAL_OFF_BOARD,
    ILLEGAL_NO_PIECE,
    ILLEGAL_NOT_YOUR_PIECE,
    ILLEGAL_NO_MOVE,
    ILLEGAL_BAD_GEOMETRY,
    ILLEGAL_OWN_PIECE,
    ILLEGAL_OCCUPIED,
    ILLEGAL_BLOCKED,
    ILLEGAL_PARTNER_PIECE,
    ILLEGAL_KING_NOT_CAPTURABLE,
    ILLEGAL_NOT_IN_HAND,
    ILLEGAL_MUST_PROMOTE,
    ILLEGAL_CANNOT_PROMOTE,
    ILLEGAL_DEAD_PAWN,
    ILLEGAL_NIFU,
    ILLEGAL_PAWN_BEFORE_INVERTED_KING,
    ILLEGAL_LEAVES_KING_IN_CHECK,
    ILLEGAL_CHECKS_PARTNER,
    ILLEGAL_PAWN_DROP_MATE,
    ILLEGAL_PERPETUAL_CHECK,
    ILLEGAL_REASONS, /* how many */
};

/* A refusal with the squares that explain it (a blocker, an own man on the target, ...). */
struct illegal {
    enum illegal_reason reason;
    uint8_t square_count;
    uint8_t squares[RULES_CAPTURED_MAX];
};

enum end_reason {
    END_NONE, /* the game goes on */
    END_CAPTURE,
    END_IMMOBILE,
    END_RESIGN,
    END_REPETITION,
    END_MOVE_LIMIT,
    END_MATES,
    END_LAST_SURVIVOR,
    END_TEAM_MATE,
    END_REASONS, /* how many */
};

/* Places are competition ranks in seat order (1,1,3,4; a draw is all 1); zeros while ongoing. */
struct outcome {
    enum end_reason reason;
    uint8_t places[RULES_SEATS_MAX];
};

struct elimination {
    int8_t seat;
    int8_t credited; /* RULES_SEAT_NONE: nobody */
};

/* What one ply did, besides the new position. */
struct ply_effects {
    uint8_t captured_count;
    uint8_t captured[RULES_CAPTURED_MAX]; /* ascending by square text ("1a" < "1b" < "2a") */
    uint8_t elimination_count;
    struct elimination eliminations[RULES_ELIMINATIONS_MAX];
    bool gave_new_check;
};

/* What a client is told about a seat beside its owner. */
struct seat_facts {
    bool alive;
    bool in_check;
    uint8_t pieces;
    uint8_t captured;
    uint8_t mates;
    uint8_t hand[RULES_HAND_MAX]; /* counts, by game_rules.hand_letters */
};

/* One option: words (the first is the default), or a number 0..max where 0 means "no limit". */
struct option_rules {
    const char *key;
    const char *const *words; /* NULL-terminated; NULL for a number */
    uint16_t max;             /* numbers only */
};

/* A rating pool: the game's default rules, but for the options given here. */
struct pool_rules {
    const char *key;
    struct game_options options;
};

/* A precise complaint about a text, in English, for people. */
struct text_error {
    char text[160];
};

struct game_rules {
    const char *key;          /* "hasami" */
    const char *seat_letters; /* "bw": index = seat */
    uint8_t seat_count;
    const char *hand_letters; /* "" where nothing is ever dropped */
    const struct option_rules *options;
    size_t option_count;
    const struct pool_rules *pools;
    size_t pool_count;
    const enum end_reason *end_reasons;         /* that it has, up to END_NONE */
    const enum illegal_reason *illegal_reasons; /* likewise, up to ILLEGAL_NONE */

    void (*start)(struct position *position);
    /* Seat on turn, or RULES_SEAT_NONE where nobody is to move. */
    int (*turn)(const struct position *position);
    /* Plies made so far, as the position itself states it. */
    uint32_t (*ply)(const struct position *position);
    /* Of everything that makes two positions "the same" for repetition, and of nothing else. */
    uint64_t (*hash)(const struct position *position);

    /* Without `history` (NULL) the rules that look back (repetition, perpetual check) are off. */
    void (*legal_moves)(const struct position *position, const struct game_options *options,
                        const struct history *history, struct move_list *moves);
    /* = legal_moves(without history).count, without making the list. */
    size_t (*count_moves)(const struct position *position, const struct game_options *options);
    /* Fills *why (reason ILLEGAL_NONE when legal). A finished game has no legal move: callers ask
     * `outcome` first, so that they can say so; the reason here is then the first that fits, and
     * ILLEGAL_NONE beside `false` where the end of the game is all that is wrong. That is every
     * move once nobody is on turn: all reasons are about the seat that moves. */
    bool (*is_legal)(const struct position *position, const struct game_options *options,
                     const struct history *history, struct move move, struct illegal *why);
    /* The move must be legal (asserted as far as it is cheap). `before` and `after` may alias. */
    void (*play)(const struct position *before, const struct game_options *options,
                 struct move move, struct position *after, struct ply_effects *effects);
    /* `history` ends with `position` itself. */
    void (*outcome)(const struct position *position, const struct game_options *options,
                    const struct history *history, struct outcome *outcome);
    /* NULL where the game knows no resignation. */
    void (*resign)(const struct position *position, int seat, struct outcome *outcome);
    void (*seat_facts)(const struct position *position, int seat, struct seat_facts *facts);
    /* Seats with equal numbers share places, as a team or as a seat alone. */
    uint8_t (*team)(const struct game_options *options, int seat);
    /* A draw by repetition is followed by a replay (ratings policy asks). */
    bool (*replays_repetition)(const struct game_options *options);
    /* How well a seat (with its team) stands, as far as one look tells: for choosing among moves,
     * in units that only this game knows. Of a game that goes on; sees no history. */
    int32_t (*evaluate)(const struct position *position, const struct game_options *options,
                        int seat);
    /* Move sequences of exactly `depth` plies (at most RULES_PERFT_DEPTH_MAX); finished positions
     * have none; no history. `play_every_leaf` also plays the last ply instead of counting it. */
    uint64_t (*perft)(const struct position *position, const struct game_options *options,
                      unsigned depth, bool play_every_leaf);

    /* Texts need not end in a NUL. False: *error says what is wrong with it, precisely. */
    bool (*parse_position)(const char *text, size_t length, const struct game_options *options,
                           struct position *position, struct text_error *error);
    /* Returns the length without the NUL. */
    size_t (*format_position)(const struct position *position, char text[RULES_POSITION_TEXT_MAX]);
    /* What stands on a square, as drawings show it; "" for an empty one. */
    void (*piece_text)(const struct position *position, uint8_t square,
                       char text[RULES_PIECE_TEXT_MAX]);
    const char *piece_legend; /* of these texts, for people; NULL where there is nothing to say */
    /* ILLEGAL_NONE, ILLEGAL_SYNTAX or ILLEGAL_OFF_BOARD; *move written on ILLEGAL_NONE only. */
    enum illegal_reason (*parse_move)(const char *text, size_t length, struct move *move);
    void (*format_move)(struct move move, char text[RULES_MOVE_TEXT_MAX]);
};

/* The array of games, in the order in which they are listed to people. */
size_t rules_count(void);
const struct game_rules *rules_at(size_t index);

/* NULL: no such game. */
const struct game_rules *rules_find(const char *key);

/* The game of a pool and, through *pool, its options. NULL: no such pool. */
const struct game_rules *rules_find_pool(const char *key, const struct pool_rules **pool);

/* Seat of a letter, or RULES_SEAT_NONE. */
int rules_seat(const struct game_rules *rules, char letter);

/* Option values by their JSON names. A word for a word option, decimal digits for a number. */
void options_default(const struct game_rules *rules, struct game_options *options);
RULES_NODISCARD bool options_set(const struct game_rules *rules, struct game_options *options,
                                 const char *key, const char *value, struct text_error *error);
/* "win_condition=capture_5 move_limit=2000": every option, in the table's order. */
void options_format(const struct game_rules *rules, const struct game_options *options,
                    char text[RULES_OPTIONS_TEXT_MAX]);
/* Keys in any order, one space between; one that is not there has its default. */
RULES_NODISCARD bool options_parse(const struct game_rules *rules, const char *text,
                                   struct game_options *options, struct text_error *error);
/* A served game is never unbounded: a number that says "no limit" becomes its maximum. */
void options_bound(const struct game_rules *rules, struct game_options *options);
/* Pool whose rules these are (0 and the maximum of a number are the same rules), or NULL. */
const struct pool_rules *options_pool(const struct game_rules *rules,
                                      const struct game_options *options);

/* Square names: "9a" is 0, "1i" is 80. */
void square_format(uint8_t square, char text[3]);

/* "syntax", "off-board", ... as the HTTP interface spells them; "" for ILLEGAL_NONE. */
const char *illegal_reason_text(enum illegal_reason reason);
/* One English sentence for people. */
const char *illegal_reason_detail(enum illegal_reason reason);
/* "capture", "immobile", ...; "" for END_NONE. */
const char *end_reason_text(enum end_reason reason);
/* END_NONE when the text is none of them. */
enum end_reason end_reason_find(const char *text);

#endif
