#ifndef API_STREAM_PLACES_H
#define API_STREAM_PLACES_H

/*
 * How many streams may be open: of a device, of an address where no token came, and in all, where
 * long polls count while they wait. The figures are in openapi.yaml too.
 *
 * Threads: any. Ownership: stream_places_new/_free; places are the caller's and stay where they are
 * from take to leave.
 */

#include "budgets.h"

enum {
    STREAMS_OF_DEVICE = 6, /* as many connections as a browser has to one server */
    STREAMS_OF_ADDRESS = 32,
};

struct stream_place {
    bool counted; /* for its owner, not only in all */
    int64_t device_no;
    struct address address;
    struct stream_place *next;
    struct stream_place *previous;
};

enum place_status { PLACE_TAKEN, PLACE_NONE_FOR_OWNER, PLACE_NONE_AT_ALL };

struct stream_places;
/* `limited` false: owners have no limit. NULL: no memory. */
struct stream_places *stream_places_new(unsigned max, bool limited);
void stream_places_free(struct stream_places *places); /* accepts NULL */

/* device_no 0: no token came, and the address counts unless it is exempt. */
enum place_status stream_place_take(struct stream_places *places, const struct budget_owner *owner,
                                    struct stream_place *place);
void stream_place_leave(struct stream_places *places, struct stream_place *place);
/* Streams. */
unsigned stream_places_taken(struct stream_places *places);

/* A long poll that begins to wait; it holds a connection, but is no stream and nobody's. False:
 * there are none in all. */
bool stream_places_wait(struct stream_places *places);
void stream_places_waited(struct stream_places *places);

#endif
