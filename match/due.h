#ifndef MATCH_DUE_H
#define MATCH_DUE_H

/*
 * When to look at which game next: a heap by time, one entry a game. An entry is a hint, never a
 * verdict: whoever takes it looks at the game as it is stored, and says when to look again.
 *
 * Threads: any; one lock, held for a few steps. Ownership: due_new/due_free.
 */

#include "db/db.h"

struct due;
struct due_game {
    int64_t at_ms;
    int64_t game_no;
    struct game_id id;
};

struct due *due_new(void);      /* NULL: no memory */
void due_free(struct due *due); /* accepts NULL */

/* Looks at the game at this time, or earlier where that was wanted before. Another game with its
 * number was never stored: the number of a row that was taken back is given again. False: no
 * memory. */
bool due_set(struct due *due, const struct due_game *game);
/* The same for one that was taken out, and that may be the one that was never stored: nothing where
 * its number has been set since. */
bool due_set_again(struct due *due, const struct due_game *game);
/* Nothing more will happen in it. */
void due_drop(struct due *due, int64_t game_no);

/* Takes the earliest out, if its time has come. */
bool due_take(struct due *due, int64_t now_ms, struct due_game *game);
/* When that of the earliest comes; INT64_MAX: never. */
int64_t due_next(struct due *due);
size_t due_count(struct due *due);

#endif
