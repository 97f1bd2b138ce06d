#ifndef API_OPERATOR_LINE_H
#define API_OPERATOR_LINE_H

/*
 * Operators' commands as lines of text, the same through the socket and without it:
 *   void-game GAME [REASON]   ban PLAYER [REASON]   unban PLAYER [REASON]   rename PLAYER [REASON]
 *
 * Threads: any, one call at a time is waited for.
 */

#include "match/match.h"

#include <stddef.h>

enum {
    OPERATOR_LINE_SIZE = 1024, /* with its NUL */
    OPERATOR_ANSWER_SIZE = 512,
};

/* Puts a line together. False: the reason is longer than 200 characters or no plain text. */
bool operator_line_format(const char *command, const char *id, const char *reason,
                          char line[OPERATOR_LINE_SIZE]);

/* Does what the line says and waits for it. An exit code, and one line for people. */
int operator_line_run(struct match *match, const char *line, char answer[OPERATOR_ANSWER_SIZE]);

#endif
