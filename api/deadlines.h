#ifndef API_DEADLINES_H
#define API_DEADLINES_H

/*
 * Total deadlines of connections. libmicrohttpd only knows inactivity, which a client that sends a
 * byte a second never shows; here a thread shuts down every socket whose deadline has passed.
 *
 * Threads: any. A socket is removed before it is closed, under the same lock that the sweep holds,
 * so that a number that was given to another file is never shut down.
 * Ownership: entries are the caller's and stay where they are between add and remove.
 */

#include <stdatomic.h>
#include <stdint.h>

struct deadline {
    atomic_int_fast64_t at_tick; /* 0: none */
    int64_t began_tick;          /* of what the deadline belongs to; its connection's thread only */
    int fd;
    struct deadline *next;
    struct deadline *previous;
};

struct deadlines;

/* Starts the thread. NULL: no memory or no thread. */
struct deadlines *deadlines_new(void);
/* Ends the thread. Accepts NULL. */
void deadlines_free(struct deadlines *deadlines);

void deadlines_add(struct deadlines *deadlines, struct deadline *deadline, int fd);
void deadlines_remove(struct deadlines *deadlines, struct deadline *deadline);

/* Something begins now that must be over in time, which is up to three quarters of a second longer.
 */
void deadline_begin(struct deadlines *deadlines, struct deadline *deadline, int64_t within_ms);
/* It has come further and gets more time, but counted from its beginning: stages do not add up. */
void deadline_extend(struct deadline *deadline, int64_t within_ms);
void deadline_clear(struct deadline *deadline);

#endif
