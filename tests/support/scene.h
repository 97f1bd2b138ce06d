#ifndef TESTS_SUPPORT_SCENE_H
#define TESTS_SUPPORT_SCENE_H

/*
 * A server of its own, and people at a table of theirs.
 * Threads: as device.h. Ownership: scene_new or scene_on, and scene_free, which ends the server
 * too.
 */

#include "party.h"

enum { SCENE_PEOPLE_MAX = 4 };

struct scene {
    struct process *server;
    struct device *people[SCENE_PEOPLE_MAX + 1]; /* the host first; then NULL */
    struct party party;
    char game[32]; /* for whoever looks at one game alone */
};

/* So many people at a table that is opened by this body. */
struct scene scene_new(size_t people, const char *body);
/* The same on a server that the scene then owns. */
struct scene scene_on(struct process *take_server, size_t people, const char *body);
void scene_free(struct scene *scene);

/* As party_expect_seats, by places in `people`. */
void scene_expect_seats(const struct scene *scene, const char *seats);

#endif
