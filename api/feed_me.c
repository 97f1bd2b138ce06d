#include "feed_me_games.h"
#include "json_frames.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A player's own events, and whose turn it is in the games that the player sits in. */

struct feed_me {
    struct feed feed;
    bool begun;
    bool resumes;
    int64_t seq;
    struct poll_told *polls;
    struct told told; /* by the long poll before this one */
    bool told_known;
    struct me_games games;
};

static struct feed_me *me_of(struct feed *feed)
{
    static_assert(offsetof(struct feed_me, feed) == 0, "a player's feed is a feed");
    return (struct feed_me *)feed;
}

/* --- the player's own events ---------------------------------------------------------------------
 */

static enum match_status tell_snapshot(struct feed_me *me, struct frame_list *out)
{
    struct feed *feed = &me->feed;
    size_t length = 0;
    struct me_view *view = malloc(sizeof *view);
    if (view == NULL) {
        return MATCH_INTERNAL;
    }
    enum match_status status = match_me_at(feed->match, feed->bearer.player_no, view, &me->seq);
    if (status == MATCH_OK) {
        char *text = json_frame_me(view, me->seq, match_now_ms(feed->match), &length);
        feed_add(out, "snapshot", me->seq, NULL, text, length);
        me->begun = true;
        me->games.stale = true;
    }
    free(view);
    return status;
}

static enum match_status tell_again(struct feed_me *me, struct frame_list *out)
{
    feed_add_control(&me->feed, "resync", NULL, out);
    return tell_snapshot(me, out);
}

/* What a rematch has come to is told as it stands, not as it stood: an asking that was taken back,
 * or has expired, is none any more. */
static enum match_status tell_event(struct feed_me *me, const struct db_personal *event,
                                    struct frame_list *out)
{
    size_t length = 0;
    char *text = NULL;
    struct rematch_view rematch;
    if (strcmp(event->type, "rematch") == 0) {
        enum match_status status = match_rematch_read(me->feed.match, event->game_no, &rematch);
        if (status != MATCH_OK) {
            return status;
        }
        text = json_frame_rematch(event, &rematch, &length);
    } else {
        text = json_frame_personal(event, &length);
    }
    feed_add(out, event->type, event->seq, NULL, text, length);
    me->seq = event->seq;
    me->games.stale = true;
    bool ends = me->games.all && strcmp(event->type, "game_finished") == 0;
    return ends ? me_games_add(&me->games, event) : MATCH_OK;
}

/* Those over what was told, as far as there is room for the games that they end; what is no longer
 * kept is made good by a snapshot. */
static enum match_status tell_events(struct feed_me *me, struct frame_list *out)
{
    struct db_personal events[FEED_AT_ONCE];
    size_t count = 0;
    enum match_status status = match_personal(me->feed.match, me->feed.bearer.player_no, me->seq,
                                              events, FEED_AT_ONCE, &count);
    if (status != MATCH_OK) {
        return status == MATCH_NOT_FOUND ? tell_again(me, out) : status;
    }
    size_t told = 0;
    while (told < count && status == MATCH_OK && me_games_make_room(&me->games)) {
        status = tell_event(me, &events[told++], out);
    }
    me->feed.own.fresh = told < count || count == FEED_AT_ONCE;
    return status;
}

static enum match_status begin(struct feed_me *me, struct frame_list *out)
{
    int64_t newest = 0;
    if (!me->resumes) {
        return tell_snapshot(me, out);
    }
    enum match_status status =
        match_personal_seq(me->feed.match, me->feed.bearer.player_no, &newest);
    if (status == MATCH_OK && newest - me->seq > LIMIT_STREAM_RESUME) {
        return tell_again(me, out);
    }
    me->begun = status == MATCH_OK;
    me->games.stale = true;
    return status;
}

/* --- the games -----------------------------------------------------------------------------------
 */

static void tell_turn(struct seat_at *seat, const struct turn_view *turn, struct frame_list *out)
{
    size_t length = 0;
    if (!turn->own) {
        seat->told_ply = 0; /* who comes back on the same turn is told again */
    } else if (seat->told_ply != turn->ply + 1) {
        char *text = json_frame_turn(&seat->own, turn, &length);
        feed_add(out, "your_turn", turn->seq, seat->own.id.id.text, text, length);
        seat->told_ply = turn->ply + 1;
    }
}

/* The turn is looked at first, and told when the events up to it are. */
static enum match_status tell_game(struct feed_me *me, struct seat_at *seat, struct frame_list *out)
{
    struct turn_view turn;
    bool more = false;
    enum match_status status = match_turn(me->feed.match, &seat->own, &turn);
    if (status == MATCH_OK && me->games.all) {
        status = following_pull(&me->feed, &seat->game, turn.seq, out, &more);
    }
    if (status == MATCH_OK && !more) {
        tell_turn(seat, &turn, out);
    }
    seat->watch.fresh = more;
    if (status == MATCH_OK && !more && !turn.playing) {
        me_games_end(&me->games, seat);
    }
    return status;
}

/* Whether the poll before has told it as it stands, or may have: who is told twice asks twice. */
static bool was_told(const struct feed_me *me, const struct seat_at *seat,
                     const struct turn_view *turn)
{
    uint32_t number = me->games.all ? turn->seq : turn->ply + 1;
    return !turn->playing || !me->told_known || told_has(&me->told, seat->own.game_no, number);
}

/* A long poll tells of its games when it ends; what happens in them may be the reason to, or has
 * happened since the one before. */
static enum match_status watch_game(struct feed_me *me, struct seat_at *seat)
{
    struct turn_view turn;
    enum match_status status = match_turn(me->feed.match, &seat->own, &turn);
    if (status == MATCH_OK) {
        bool changed = seat->looked ? turn.seq != seat->seen_seq : !was_told(me, seat, &turn);
        me->feed.news = me->feed.news || (changed && (me->games.all || turn.own));
        seat->looked = true;
        seat->seen_seq = turn.seq;
        seat->watch.fresh = false;
    }
    return status;
}

static enum match_status look_at_games(struct feed_me *me, struct frame_list *out)
{
    enum match_status status = MATCH_OK;
    for (size_t i = 0; i < me->games.count && status == MATCH_OK && out->count < FEED_AT_ONCE;
         i++) {
        struct seat_at *seat = me->games.at[i];
        watch_arm(&me->feed, &seat->watch, EVENT_GAME, seat->own.game_no, INT64_MAX);
        if (seat->watch.fresh) {
            status = me->feed.live ? tell_game(me, seat, out) : watch_game(me, seat);
        }
    }
    me_games_trim(&me->games);
    return status;
}

/* --- the interface -------------------------------------------------------------------------------
 */

static enum match_status me_pull(struct feed *feed, struct frame_list *out)
{
    struct feed_me *me = me_of(feed);
    enum match_status status = me->begun ? MATCH_OK : begin(me, out);
    if (status == MATCH_OK && feed->own.fresh) {
        status = tell_events(me, out);
    }
    if (status == MATCH_OK && me->games.stale && !feed->own.fresh) {
        status = me_games_list(&me->games);
    }
    return status == MATCH_OK ? look_at_games(me, out) : status;
}

static void me_told(struct feed *feed)
{
    struct feed_me *me = me_of(feed);
    struct told told = {.count = 0};
    for (size_t i = 0; i < me->games.count; i++) {
        const struct seat_at *seat = me->games.at[i];
        if (seat->ended == 0 && (me->games.all || seat->told_ply != 0)) {
            told_add(&told, seat->own.game_no, me->games.all ? seat->game.seq : seat->told_ply);
        }
    }
    poll_told_put(me->polls, me->feed.bearer.device_no, me->games.all, &told);
}

/* All of the games that are followed; those that have ended make room. */
static enum match_status tell_games(struct feed_me *me, struct frame_list *out)
{
    enum match_status status = MATCH_OK;
    for (size_t i = 0; i < me->games.count && status == MATCH_OK; i++) {
        do {
            status = tell_game(me, me->games.at[i], out);
        } while (status == MATCH_OK && me->games.at[i]->watch.fresh);
    }
    me_games_trim(&me->games);
    return status;
}

/* The running ones are in every answer, also where it has no room for all the events before. */
static enum match_status me_finish(struct feed *feed, struct frame_list *out)
{
    struct feed_me *me = me_of(feed);
    enum match_status status = tell_games(me, out);
    if (status == MATCH_OK && me->games.stale) {
        status = me_games_list(&me->games);
        status = status == MATCH_OK ? tell_games(me, out) : status;
    }
    return status;
}

static void me_free(struct feed *feed)
{
    struct feed_me *me = me_of(feed);
    me_games_drop_all(&me->games);
    free(me);
}

struct feed *feed_me_new(const struct feed_options *options, bool all)
{
    static const struct feed_kind kind = {
        .pull = me_pull, .finish = me_finish, .told = me_told, .free = me_free};
    assert(options->bearer != NULL);
    struct feed_me *me = calloc(1, sizeof *me);
    if (me == NULL) {
        return NULL;
    }
    feed_begin(&me->feed, &kind, options, true);
    me->feed.topic = EVENT_PLAYER;
    me->feed.number = options->bearer->player_no;
    me->games = (struct me_games){.feed = &me->feed, .all = all};
    me->resumes = options->resumes;
    me->seq = options->resumes ? options->after : 0;
    me->polls = options->polls;
    if (!options->live) {
        me->told_known = poll_told_get(me->polls, options->bearer->device_no, all, &me->told);
    }
    return &me->feed;
}
