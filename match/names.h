#ifndef MATCH_NAMES_H
#define MATCH_NAMES_H

/* Display names: what is allowed, and generated ones. Pure, any thread. */

#include "db/db.h"
#include "engine/rules.h"
#include "env.h"

#include <stdbool.h>
#include <stddef.h>

/* Brings a name to NFC and checks it: 1 to 24 characters; Latin letters, digits, kana, CJK
 * ideographs; single blank, - _ . inside; not reserved. `name` is written on true; otherwise
 * *error says which rule it breaks. */
bool name_normalise(const char *text, size_t length, char name[DB_NAME_TEXT],
                    struct text_error *error);

/* How a name, or the beginning of one, is compared with others: case folded by Unicode, in NFC.
 * False: it has not 1 to 24 characters, or is not UTF-8. */
bool name_fold(const char *text, size_t length, char folded[DB_FOLDED_TEXT]);

/* Two words and a number, such as "Quiet Heron 417"; always a valid name. */
void name_generate(const struct match_env *env, char name[DB_NAME_TEXT]);

#endif
