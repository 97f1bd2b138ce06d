#include "feed_parts.h"

#include "json_frames.h"

#include <assert.h>
#include <stdlib.h>

/* --- watching ------------------------------------------------------------------------------------
 */

static void watch_wake(void *context)
{
    struct watch *watch = context;
    struct feed *feed = watch->feed;
    /* Before the feed is told: its next pull arms it again. */
    atomic_store(&watch->armed, false);
    feed->wake(feed->context);
}

void watch_arm(struct feed *feed, struct watch *watch, enum event_topic topic, int64_t number,
               int64_t deadline_ms)
{
    if (atomic_load(&watch->armed)) {
        if (watch->waiter.deadline_ms <= deadline_ms) {
            return;
        }
        (void)match_unwatch(feed->match, &watch->waiter);
    }
    watch->feed = feed;
    watch->fresh = true;
    watch->waiter = (struct event_waiter){
        .deadline_ms = deadline_ms,
        .wake = watch_wake,
        .context = watch,
    };
    atomic_store(&watch->armed, true);
    match_watch(feed->match, topic, number, &watch->waiter);
}

void watch_disarm(struct watch *watch)
{
    if (watch->feed != NULL) {
        (void)match_unwatch(watch->feed->match, &watch->waiter);
    }
}

/* --- frames --------------------------------------------------------------------------------------
 */

void feed_add(struct frame_list *out, const char *type, int64_t seq, const char *game_id,
              char *take_text, size_t length)
{
    if (take_text == NULL) {
        out->failed = true;
        return;
    }
    /* In a player's own stream a game's number is none to resume from. */
    struct frame_item item = {
        .has_id = seq >= 0 && game_id == NULL,
        .id = seq,
        .type = type,
        .game_id = game_id,
        .text = take_text,
        .length = length,
    };
    frame_list_add(out, &item);
    free(take_text);
}

void feed_add_control(const struct feed *feed, const char *type, const char *game_id,
                      struct frame_list *out)
{
    size_t length = 0;
    char *text = json_frame_control(type, match_now_ms(feed->match), &length);
    feed_add(out, type, -1, game_id, text, length);
}

/* --- the interface -------------------------------------------------------------------------------
 */

void feed_begin(struct feed *feed, const struct feed_kind *kind, const struct feed_options *options,
                bool personal)
{
    feed->kind = kind;
    feed->match = options->match;
    feed->cache = options->cache;
    feed->live = options->live;
    feed->has_bearer = options->bearer != NULL;
    if (feed->has_bearer) {
        feed->bearer = *options->bearer;
        presence_open(feed->match, &feed->hold, feed->bearer.player_no, personal);
    }
}

void feed_wakes(struct feed *feed, void (*wake)(void *context), void *context)
{
    assert(feed != NULL && wake != NULL);
    feed->wake = wake;
    feed->context = context;
}

void feed_free(struct feed *feed)
{
    if (feed == NULL) {
        return;
    }
    watch_disarm(&feed->tokens);
    watch_disarm(&feed->own);
    if (feed->has_bearer) {
        presence_close(feed->match, &feed->hold);
    }
    feed->kind->free(feed);
}

/* Whether the token that it was asked for with is still one; *wake_at_ms at the latest when it is
 * not. A storage that does not answer is no reason to end what runs. */
static bool is_revoked(struct feed *feed, int64_t *wake_at_ms)
{
    int64_t ends_at_ms = 0;
    if (!feed->has_bearer) {
        return false;
    }
    watch_arm(feed, &feed->tokens, EVENT_TOKENS, feed->bearer.player_no, INT64_MAX);
    enum match_status status = match_bearer(feed->match, &feed->bearer, &ends_at_ms);
    if (status == MATCH_OK && ends_at_ms != 0 && ends_at_ms < *wake_at_ms) {
        *wake_at_ms = ends_at_ms;
    }
    return status == MATCH_INVALID_TOKEN;
}

static enum feed_status judge(struct feed *feed, enum match_status status, size_t before,
                              const struct frame_list *out)
{
    if (status != MATCH_OK || out->failed) {
        feed->failure = status == MATCH_OK ? MATCH_INTERNAL : status;
        return FEED_FAILED;
    }
    return feed->over ? FEED_OVER : out->count > before || feed->news ? FEED_NEWS : FEED_QUIET;
}

enum feed_status feed_pull(struct feed *feed, int64_t wake_at_ms, struct frame_list *out)
{
    assert(feed != NULL && feed->wake != NULL && out != NULL);
    bool revoked = is_revoked(feed, &wake_at_ms);
    watch_arm(feed, &feed->own, feed->topic, feed->number, wake_at_ms);
    /* After it is armed: a stop wakes whoever it does not find stopped. */
    bool stopping = match_is_stopping(feed->match);
    if (revoked || stopping) {
        feed_add_control(feed, revoked ? "revoked" : "shutdown", NULL, out);
        return out->failed ? judge(feed, MATCH_INTERNAL, 0, out) : FEED_OVER;
    }
    size_t before = out->count;
    feed->news = false;
    return judge(feed, feed->kind->pull(feed, out), before, out);
}

enum match_status feed_failure(const struct feed *feed)
{
    return feed->failure;
}

void feed_told(struct feed *feed)
{
    if (feed->kind->told != NULL) {
        feed->kind->told(feed);
    }
}

enum feed_status feed_finish(struct feed *feed, struct frame_list *out)
{
    assert(feed != NULL && !feed->live);
    size_t before = out->count;
    return feed->kind->finish == NULL ? FEED_QUIET
                                      : judge(feed, feed->kind->finish(feed, out), before, out);
}
