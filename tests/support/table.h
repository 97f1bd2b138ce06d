#ifndef TESTS_SUPPORT_TABLE_H
#define TESTS_SUPPORT_TABLE_H

/*
 * A server of its own with two devices and a game of theirs, for those who listen to it.
 * Threads: as device.h. Ownership: table_new/table_free, which verifies and ends the server too.
 */

#include "device.h"
#include "listener.h"

struct table {
    struct process *server;
    struct device *devices[2];
    struct pairing pairing;
    char path[96]; /* of the game's events */
};

struct table table_new(void);
/* On a server that was started with these arguments, or with whatever else. */
struct table table_with(const char *const *arguments);
struct table table_on(struct process *take_server);
void table_free(struct table *table);

/* A stream of the game without a token; must be let in. `accept` as in listener.h. */
struct listener *listen_to(const struct table *table, const char *accept);
/* The same behind an event, counted as in counted.h. */
struct listener *resume(const struct table *table, const char *accept, long long after);
/* One with this token and header line (each may be NULL); must be let in, and has begun. */
struct listener *enter(const struct table *table, const char *token, const char *header);

/* The next event, but for those of a machine that stalls, has this type and number, or they have
 * these numbers one after the other: of the game, counted as in counted.h. */
void expect_event(const struct table *table, struct listener *listener, const char *type,
                  long long seq);
void expect_events(const struct table *table, struct listener *listener, const char *type,
                   long long from, long long to);

#endif
