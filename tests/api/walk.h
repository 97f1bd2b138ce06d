#ifndef TESTS_API_WALK_H
#define TESTS_API_WALK_H

/*
 * A server with something behind every path of the route table, so that what holds for all
 * operations can be tried on all of them.
 *
 * Threads: one. Ownership: walk_new/walk_free.
 */

#include "api/routes.h"
#include "tests/support/board.h"

enum { WALK_PATH = 256 };

struct walk {
    struct board board;     /* a running game; before it, where one can resign, a finished one */
    struct device *waiting; /* whose ticket `ticket` is, device `device`, table `table` */
    char ticket[32];
    char device[32];
    char table[32]; /* private; `waiting` is host and sits at b, the CPU at w */
};

struct walk *walk_new(const struct listed_game *game);
/* With hasami, on a server that the walk then owns. */
struct walk *walk_on(struct process *take_server);
void walk_free(struct walk *walk);
/* Another table of the same kind in the place of `table`. */
void walk_new_table(struct walk *walk);

/* The route's path with identifiers of things that are there, without a query. */
void walk_path(const struct walk *walk, const struct route *route, char path[WALK_PATH]);

/* The same with the query that makes a read of it answer 200, by whose token (NULL: none needed).
 * Fails where no known query does: then it has to be taught here. */
void walk_read_path(const struct walk *walk, const struct route *route, char path[WALK_PATH]);
const char *walk_token(const struct walk *walk, const struct route *route);

/* The method as a request has it. */
const char *walk_verb(const struct route *route);

/* What the table says of a path, as Allow has it. */
void walk_allow(const char *template, char allow[64]);

#endif
