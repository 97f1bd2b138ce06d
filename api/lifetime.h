#ifndef API_LIFETIME_H
#define API_LIFETIME_H

/*
 * When and how the process ends: by a signal or because storage failed. No signal handlers: the
 * signals are blocked in every thread and read by the main thread.
 *
 * Threads: main makes, waits and frees, before any other thread; lifetime_end from any thread.
 * Ownership: lifetime_new/lifetime_free.
 */

struct lifetime;

/* Blocks SIGINT and SIGTERM here and in all threads to come; ignores those that would end the
 * process without need. NULL: not possible. */
struct lifetime *lifetime_new(void);

/* Waits for the first signal (0) or lifetime_end (its code): the exit code to come. */
int lifetime_wait(struct lifetime *lifetime);

/* Asks for an end with this exit code; the first one counts. */
void lifetime_end(struct lifetime *lifetime, int exit_code);

/* From now on another signal, or ten seconds, end the process at once. */
void lifetime_hurry(struct lifetime *lifetime);

/* Accepts NULL. */
void lifetime_free(struct lifetime *lifetime);

#endif
