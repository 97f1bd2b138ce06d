#ifndef MATCH_NAME_WORDS_H
#define MATCH_NAME_WORDS_H

/* The words of generated names. Any adjective goes with any noun and the number 999 into
 * LIMIT_NAME_CHARACTERS: ten letters and eight. Constant, any thread. */

enum { NAME_ADJECTIVES = 96, NAME_NOUNS = 112, NAME_NUMBER_MAX = 999 };

extern const char *const name_adjectives[NAME_ADJECTIVES];
extern const char *const name_nouns[NAME_NOUNS];

#endif
