#ifndef MATCH_CODES_H
#define MATCH_CODES_H

/*
 * Codes that people read to each other: eight Crockford base32 digits (40 random bits), written
 * "ABCD-EFGH". Only a keyed hash of one is ever stored. Pure, any thread.
 */

#include "secrets.h"

enum { CODE_TEXT = 10, CODE_DIGITS = 8 };

void code_mint(const struct match_env *env, char text[CODE_TEXT]);

/* The one code of a thing for its purpose, which nobody can tell without the key, and which need
 * not be stored to be shown again. */
void code_derive(const struct secrets *secrets, const char *purpose, const char *of,
                 char text[CODE_TEXT]);

/* As people type it: any case, with or without the hyphen, O for 0, I or L for 1. `text` gets the
 * written form. False: no code. */
bool code_normalise(const char *typed, char text[CODE_TEXT]);

/* `purpose` keeps codes of different kinds apart. */
void code_hash(const struct secrets *secrets, const char *purpose, const char text[CODE_TEXT],
               uint8_t hash[DB_CODE_HASH_BYTES]);

#endif
