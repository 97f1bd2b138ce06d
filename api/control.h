#ifndef API_CONTROL_H
#define API_CONTROL_H

/*
 * The control socket of test builds, `<db>.ctl`: lines of text, an answer line each.
 *   advance MS   moves the clock forward: `ok`
 *   now          the time in milliseconds
 * A release build has neither the socket nor the code.
 *
 * Threads: main starts and stops it. Ownership: control_start/control_stop; the clock is borrowed.
 */

struct control;

#ifdef BANZUKE_TESTING

#include "match/env.h"

/* NULL: no socket could be made there. */
struct control *control_start(const char *db_path, struct env_real *clock);
/* Accepts NULL. */
void control_stop(struct control *control);

#endif

#endif
