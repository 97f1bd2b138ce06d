#ifndef API_TEXTS_H
#define API_TEXTS_H

/*
 * The words that clients show to people, in every language, in one table. What they are about has
 * its name in the tables of the rules and of the rating policy; a test goes through both.
 *
 * Threads: constant data, any.
 */

#include "language.h"

#include <stddef.h>
#include <stdint.h>

enum text_kind {
    TEXT_GAME,
    TEXT_SEAT,
    TEXT_OPTION,
    TEXT_VALUE, /* key: option=value */
    TEXT_POOL,
    TEXT_END,
    TEXT_ILLEGAL,
    TEXT_UNRATED,
    TEXT_RATING, /* the rules of rating */
    TEXT_TABLE,  /* what a table chooses beside the options of its game */
};

/* A name of a few words and a sentence, per language. One of them may be missing (NULL) where
 * nothing needs it. */
struct text {
    enum text_kind kind;
    const char *game; /* whose it is; NULL: of all games */
    const char *key;
    const char *title[LANGUAGES];
    const char *sentence[LANGUAGES];
};

/* What is said of a game's own word, or else of the word in all games. The word must be one that
 * the tables know. */
const struct text *texts_find(enum text_kind kind, const char *game, const char *key);

/* All of them, for the test. */
size_t texts_count(void);
const struct text *texts_at(size_t index);

/* A sentence with its numbers: each # stands for the next one. */
enum { TEXTS_FILLED = 512 };
void texts_fill(const char *sentence, const int64_t *numbers, size_t count,
                char filled[TEXTS_FILLED]);

#endif
