#ifndef API_FEED_H
#define API_FEED_H

/*
 * What a stream tells, without its transport: whoever has a feed pulls, sends what came, and
 * sleeps until the feed wakes it. It watches before it reads, so nothing in between is missed, and
 * it keeps nothing for a slow reader: what was not pulled is still in the storage.
 *
 * Threads: a feed belongs to one thread at a time; its wake function is called from any, also
 * while a pull is under way, and more often than there is news.
 * Ownership: feed_*_new/feed_free. After feed_free the wake function is not called any more, and
 * no call of it is running.
 */

#include "frame_cache.h"
#include "frame_list.h"
#include "match/streams.h"
#include "poll_told.h"

struct feed_options {
    struct match *match;
    struct frame_cache *cache;
    struct poll_told *polls;       /* where the bearer's own is a long poll */
    const struct identity *bearer; /* copied; NULL: nobody's */
    bool live;                     /* a stream; else one long poll */
    bool resumes;                  /* goes on behind this number, instead of beginning */
    int64_t after;
};

struct feed;
/* Of a game that was looked at; of the bearer's own. NULL: no memory. */
struct feed *feed_game_new(const struct feed_options *options, const struct game_view *view);
/* `all`: with every frame of the games the bearer sits in. */
struct feed *feed_me_new(const struct feed_options *options, bool all);
void feed_free(struct feed *feed); /* accepts NULL */

/* Before the first pull. */
void feed_wakes(struct feed *feed, void (*wake)(void *context), void *context);

enum feed_status {
    FEED_NEWS,   /* frames were added, or a long poll has a reason to end: there may be more */
    FEED_QUIET,  /* nothing: it wakes */
    FEED_OVER,   /* the last frame was added */
    FEED_FAILED, /* the storage does not answer */
};
/* Adds some of what is new; wakes at `wake_at_ms` at the latest. */
enum feed_status feed_pull(struct feed *feed, int64_t wake_at_ms, struct frame_list *out);
/* After FEED_FAILED: why. */
enum match_status feed_failure(const struct feed *feed);
/* A long poll ends: adds what its answer has besides. */
enum feed_status feed_finish(struct feed *feed, struct frame_list *out);
/* After feed_finish: the answer is made, and its client seems to be there. What it has is no reason
 * to end the next poll. */
void feed_told(struct feed *feed);

#endif
