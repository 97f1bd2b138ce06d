#ifndef API_OPERATORS_H
#define API_OPERATORS_H

/*
 * The operators' socket `<db>.sock` (0600) of a serving process: one command a line
 * (operator_line.h), one answer a line, which is an exit code, a blank and a text. So there is no
 * route on the public port that could do such things.
 *
 * Threads: main starts and stops it; commands are run one after the other on a thread of its own.
 * Ownership: operators_start/operators_stop; match and logger are borrowed.
 */

#include "log.h"
#include "operator_line.h"

struct operators;

/* Only under the lock of the file, as a socket that is there is taken for a dead server's. NULL: it
 * cannot be made; *why says why, static or until the next call. */
struct operators *operators_start(const char *db_path, struct match *match,
                                  const struct logger *logger, const char **why);
/* Takes the socket away. Accepts NULL. */
void operators_stop(struct operators *operators);

/* Asks the server of this file. An exit code with its answer, or -1: nobody listens there. */
int operators_ask(const char *db_path, const char *line, char answer[OPERATOR_ANSWER_SIZE]);

#endif
