#include "rules.h"

#include <assert.h>
#include <string.h>

/* The words that people and programs read for what the engine says with numbers. */

struct reason_name {
    const char *text;
    const char *detail;
};

static const struct reason_name illegal_names[] = {
    [ILLEGAL_NONE] = {"",                          "The move is legal."                                       },
    [ILLEGAL_SYNTAX] = {"syntax",                    "The text is not a move in this game's notation."          },
    [ILLEGAL_OFF_BOARD] = {"off-board",                 "A square of the move is not on the board."                },
    [ILLEGAL_NO_PIECE] = {"no-piece",                  "The square that the move starts from is empty."           },
    [ILLEGAL_NOT_YOUR_PIECE] = {"not-your-piece",            "The piece on that square is not yours to move."           },
    [ILLEGAL_NO_MOVE] = {"no-move",                   "The move ends where it starts; nobody may pass."          },
    [ILLEGAL_BAD_GEOMETRY] = {"bad-geometry",              "The piece does not move in that way."                     },
    [ILLEGAL_OWN_PIECE] = {"own-piece",                 "A piece of your own stands on the target."                },
    [ILLEGAL_OCCUPIED] = {"occupied",                  "Another's piece stands on the target and cannot be taken."},
    [ILLEGAL_BLOCKED] = {"blocked",                   "A piece stands in the way; nothing may be jumped over."   },
    [ILLEGAL_PARTNER_PIECE] = {"partner-piece",             "Your partner's pieces cannot be captured."                },
    [ILLEGAL_KING_NOT_CAPTURABLE] = {"king-not-capturable",       "A king is never captured."                                },
    [ILLEGAL_NOT_IN_HAND] = {"not-in-hand",               "You hold no such piece."                                  },
    [ILLEGAL_MUST_PROMOTE] = {"must-promote",              "The piece could never move again unpromoted."             },
    [ILLEGAL_CANNOT_PROMOTE] = {"cannot-promote",            "The piece may not promote with this move."                },
    [ILLEGAL_DEAD_PAWN] = {"dead-pawn",                 "A pawn dropped there could never move."                   },
    [ILLEGAL_NIFU] = {"nifu",                      "You already have an unpromoted pawn in that column."      },
    [ILLEGAL_PAWN_BEFORE_INVERTED_KING] =
        {"pawn-before-inverted-king", "A pawn may not be dropped in front of an inverted king."  },
    [ILLEGAL_LEAVES_KING_IN_CHECK] = {"leaves-king-in-check",      "Your king would be in check."                             },
    [ILLEGAL_CHECKS_PARTNER] = {"checks-partner",            "The move would give your partner a new check."            },
    [ILLEGAL_PAWN_DROP_MATE] = {"pawn-drop-mate",            "A dropped pawn may not give mate."                        },
    [ILLEGAL_PERPETUAL_CHECK] = {"perpetual-check",
                      "Whoever checks all the time must not repeat the position again."                       },
};
_Static_assert(sizeof illegal_names / sizeof illegal_names[0] == ILLEGAL_REASONS, "one line each");

static const char *const end_names[] = {
    [END_NONE] = "",
    [END_CAPTURE] = "capture",
    [END_IMMOBILE] = "immobile",
    [END_RESIGN] = "resign",
    [END_REPETITION] = "repetition",
    [END_MOVE_LIMIT] = "move_limit",
    [END_MATES] = "mates",
    [END_LAST_SURVIVOR] = "last_survivor",
    [END_TEAM_MATE] = "team_mate",
};
_Static_assert(sizeof end_names / sizeof end_names[0] == END_REASONS, "one line each");

void square_format(uint8_t square, char text[3])
{
    assert(square < RULES_SQUARES);
    text[0] = (char)('9' - square % 9);
    text[1] = (char)('a' + square / 9);
    text[2] = '\0';
}

const char *illegal_reason_text(enum illegal_reason reason)
{
    assert(reason < ILLEGAL_REASONS);
    return illegal_names[reason].text;
}

const char *illegal_reason_detail(enum illegal_reason reason)
{
    assert(reason < ILLEGAL_REASONS);
    return illegal_names[reason].detail;
}

const char *end_reason_text(enum end_reason reason)
{
    assert(reason < END_REASONS);
    return end_names[reason];
}

enum end_reason end_reason_find(const char *text)
{
    assert(text != NULL);
    for (int i = END_NONE + 1; i < END_REASONS; i++) {
        if (strcmp(end_names[i], text) == 0) {
            return (enum end_reason)i;
        }
    }
    return END_NONE;
}
