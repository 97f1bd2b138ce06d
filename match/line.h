#ifndef MATCH_LINE_H
#define MATCH_LINE_H

/*
 * A game line: the position after some ply with everything that led there and that the rules can
 * look back at. Lines are immutable and reference counted, so that an HTTP thread can work on one
 * while the writer moves on.
 *
 * Threads: any; counts are atomic.
 * Ownership: whoever got a line from line_* owns one reference and gives it back.
 */

#include "db/db.h"
#include "engine/rules.h"

#include <stdint.h>

struct line_elimination {
    uint32_t ply;
    struct elimination elimination;
};

struct game_line {
    _Atomic uint32_t references;
    int64_t game_no;
    const struct game_rules *rules;
    struct game_options options;
    uint32_t ply;
    int64_t at_ms; /* of the last ply; before the first: of the game's creation */
    struct position position;
    size_t elimination_count;
    struct line_elimination eliminations[RULES_ELIMINATIONS_MAX];
    struct history_entry history[]; /* ply + 1 entries */
};

/* `line` and one legal move more, made at `at_ms`; says what the ply did. NULL: no memory. */
struct game_line *line_after(const struct game_line *line, struct move move, int64_t at_ms,
                             struct ply_effects *effects);
struct history line_history(const struct game_line *line);
void line_outcome(const struct game_line *line, struct outcome *outcome);
struct game_line *line_ref(struct game_line *line);
void line_unref(struct game_line *line); /* accepts NULL */

/* The rules a stored game is played by; false: the row makes no sense. */
bool line_rules(const struct db_game *game, const struct game_rules **rules,
                struct game_options *options);

/* Replays stored moves of a game up to `ply`. DB_CORRUPT: a stored move
 * is not legal. *effects is of the last ply replayed. */
enum db_status line_rebuild(struct db *db, const struct db_game *game, uint32_t ply,
                            struct game_line **line, struct ply_effects *effects);

/* Who fell when, in a game whose stored position is `position`. That is history, so the game is
 * replayed, but only where somebody has fallen. */
enum db_status line_eliminations(struct db *db, const struct db_game *game,
                                 const struct position *position,
                                 struct line_elimination eliminations[RULES_ELIMINATIONS_MAX],
                                 size_t *count);

/* "5e 6e 7e": the captured squares of a ply as they are stored; "" for none. */
void line_captured_text(const struct ply_effects *effects, char text[DB_SQUARES_TEXT]);

#endif
