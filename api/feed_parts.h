#ifndef API_FEED_PARTS_H
#define API_FEED_PARTS_H

/* What the files feed*.c share. Threads and ownership as in feed.h. */

#include "feed.h"

#include <stdatomic.h>

enum { FEED_AT_ONCE = 8 }; /* frames of a pull, about: what a slow reader costs in memory */

/* One thing that wakes a feed. */
struct watch {
    struct event_waiter waiter;
    atomic_bool armed;
    bool fresh; /* it has woken, or was never looked behind */
    struct feed *feed;
};
void watch_arm(struct feed *feed, struct watch *watch, enum event_topic topic, int64_t number,
               int64_t deadline_ms);
void watch_disarm(struct watch *watch);

struct feed_kind {
    enum match_status (*pull)(struct feed *feed, struct frame_list *out);
    enum match_status (*finish)(struct feed *feed, struct frame_list *out);
    void (*told)(struct feed *feed);
    void (*free)(struct feed *feed); /* its own parts, and the memory of the whole */
};

struct feed {
    const struct feed_kind *kind;
    struct match *match;
    struct frame_cache *cache;
    void (*wake)(void *context);
    void *context;
    bool live;
    enum match_status failure;
    bool news; /* a long poll has a reason to end that is no frame */
    bool over; /* there is nothing more for the bearer */
    bool has_bearer;
    struct identity bearer; /* without one all zero: player 0 is nobody */
    struct presence_hold hold;
    struct watch tokens; /* of the bearer's player */
    struct watch own;    /* what it is about */
    enum event_topic topic;
    int64_t number;
};
/* Fills in all but what the kind has besides. `personal` as in presence.h. */
void feed_begin(struct feed *feed, const struct feed_kind *kind, const struct feed_options *options,
                bool personal);

/* Adds a frame from malloc'd text, which it takes; NULL fails the list. `seq` below 0: not counted.
 * `game_id` (or NULL): the frame is one of a game's in a player's own stream. */
void feed_add(struct frame_list *out, const char *type, int64_t seq, const char *game_id,
              char *take_text, size_t length);
void feed_add_control(const struct feed *feed, const char *type, const char *game_id,
                      struct frame_list *out);

/* A game that is followed from a number on. */
struct following {
    int64_t game_no;
    struct game_id id;
    bool tagged; /* in a player's own stream */
    bool begun;  /* else a snapshot comes first */
    bool resync; /* and before that, why */
    uint32_t seq;
    uint32_t goal; /* what it may take its time to come to */
    char seats[DB_SEATS_MAX + 1];
    struct presence_board *board; /* NULL: presence is not told */
    unsigned people;              /* seats that have somebody who can be present: a bit each */
    unsigned known;               /* those whose presence was told */
    unsigned present;             /* and how */
};
/* Adds what is new of it up to its event `newest`, FEED_AT_ONCE events at most. *more: it stands
 * elsewhere now, for there are others, or a snapshot has passed it. */
enum match_status following_pull(struct feed *feed, struct following *game, uint32_t newest,
                                 struct frame_list *out, bool *more);

#endif
