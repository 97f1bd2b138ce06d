#ifndef API_LANGUAGE_H
#define API_LANGUAGE_H

/* The languages that texts come in, and which of them a client wants. Pure, any thread. */

#include <stdbool.h>

enum language { LANGUAGE_EN, LANGUAGE_ES, LANGUAGES };

/* As in Content-Language. */
const char *language_tag(enum language language);

/* What the Accept-Language headers seen so far say; all zero: nothing yet. */
struct languages {
    int any; /* quality of "*" in thousandths */
    bool named[LANGUAGES];
    int quality[LANGUAGES]; /* where it is named */
};

void languages_add(struct languages *languages, const char *value);

/* English where the client likes none better: nobody is refused for a language. */
enum language languages_best(const struct languages *languages);

#endif
