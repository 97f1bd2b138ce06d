#ifndef TESTS_SUPPORT_PARTY_H
#define TESTS_SUPPORT_PARTY_H

/*
 * Tables as a client author would use them.
 * Threads: a device belongs to one thread; a party is only read once it has been opened.
 */

#include "device.h"

struct party {
    char id[32];
    char code[16];
};

/* The device opens a table by this body, and is its host. */
struct party party_open(struct device *host, const char *body);
/* Becomes a member by the code; must succeed. */
void party_join(struct device *device, const struct party *party);

/* `tail` is what follows the table in the path, such as "/seats/b" or "?wait=5". */
struct answer party_get(struct device *device, const struct party *party, const char *tail);
struct answer party_post(struct device *device, const struct party *party, const char *tail,
                         const char *body);
struct answer party_delete(struct device *device, const struct party *party, const char *tail);
struct answer party_change(struct device *device, const struct party *party, const char *body);

/* Sits down; must succeed. */
void party_sit(struct device *device, const struct party *party, char seat);
/* The host seats the CPU; must succeed. */
void party_sit_cpu(struct device *host, const struct party *party, char seat, int level);
/* The host starts a game; its id. Must succeed. */
void party_start(struct device *host, const struct party *party, char game[32]);
/* A host alone with the CPU at a public table: so many games were begun and resigned, and one more
 * is running, whose id is told. */
void party_alone(struct device *host, unsigned resigned, char game[32]);
/* Fails unless the seats are these: a letter and, for a person, the place in `people`, for the CPU
 * its level after "c", or "-": "b0 w-". */
void party_expect_seats(struct device *device, const struct party *party,
                        struct device *const *people, const char *seats);

#endif
