#ifndef MATCH_PLY_H
#define MATCH_PLY_H

/*
 * One ply, whoever makes it: made ready outside the writer on a state of the game, stored by a job
 * as long as the game is still what it was made ready on.
 *
 * Threads: one at a time. Ownership: a ply owns a reference to its state and one to its line.
 */

#include "state.h"
#include "table_news.h"

struct match;
struct match_op;
struct result_view;

struct ply {
    struct game_state *state; /* what it is prepared on */
    /* prepared */
    struct game_line *line; /* the game after it; NULL: not prepared */
    char text[DB_MOVE_TEXT];
    bool by_cpu;
    int64_t think_ms;
    int64_t opens_at_ms; /* from when on the next turn counts */
    struct ply_effects effects;
    struct outcome outcome;
    /* stored */
    struct game_rows rows; /* as the job leaves them */
    struct db_move move;
    struct table_news news; /* where it ends the game */
};

/* Plays a legal move on the line of ply->state. False: no memory. */
bool ply_prepare(struct ply *ply, struct move move, int64_t at_ms);
/* Gives back what it owns; it can be prepared afresh. */
void ply_forget(struct ply *ply);

/* --- inside a job, once the game is held --------------------------------------------------------
 */

/* The rows that the job begins with: those of the state. */
void ply_open(struct ply *ply);
/* Stores a prepared ply after whatever else the job did to ply->rows: move, turn, missed turns, and
 * the end where it decides, or where it opens the second turn of somebody who has not come.
 * DB_NONE: the game is no longer what it was. */
enum db_status ply_store(struct match *match, struct db *db, struct ply *ply,
                         struct result_view *result);
/* The state that a job has left, with the line as it is now; NULL: the game is over, or there is no
 * memory. */
struct game_state *ply_state(const struct ply *ply);

/* After its commit: everybody learns of it. */
void ply_acknowledge(struct match_op *op, const struct ply *ply);

#endif
