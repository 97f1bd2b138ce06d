#include "feed_parts.h"
#include "json_frames.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A game's events, for those who watch it and for the people in it. */

static const char *tag_of(const struct following *game)
{
    return game->tagged ? game->id.id.text : NULL;
}

static unsigned present_in(const struct game_view *view)
{
    unsigned present = 0;
    for (size_t i = 0; i < view->seat_count; i++) {
        present |= (unsigned)view->seats[i].present << i;
    }
    return present;
}

static void add_snapshot(const struct game_view *view, struct following *game,
                         struct frame_list *out)
{
    size_t length = 0;
    char *text = json_frame_game(view, &length);
    feed_add(out, "snapshot", view->game.seq, tag_of(game), text, length);
    game->begun = true;
    game->resync = false;
    game->seq = view->game.seq;
    game->goal = view->game.seq;
    game->known = game->people;
    game->present = present_in(view);
}

static enum match_status tell_snapshot(struct feed *feed, struct following *game,
                                       struct frame_list *out)
{
    struct game_view *view = malloc(sizeof *view);
    if (view == NULL) {
        return MATCH_INTERNAL;
    }
    enum match_status status =
        match_game(feed->match, &game->id, feed->bearer.player_no, view, NULL);
    if (status == MATCH_OK) {
        if (game->resync) {
            feed_add_control(feed, "resync", tag_of(game), out);
        }
        add_snapshot(view, game, out);
    }
    free(view);
    return status;
}

/* --- events --------------------------------------------------------------------------------------
 */

static struct frame_text *write_text(const struct following *game, const struct frame *frame)
{
    size_t length = 0;
    char *json = json_frame(frame, &length);
    struct frame_text *text = json == NULL ? NULL : frame_text_new(length);
    if (text != NULL) {
        text->game_no = game->game_no;
        text->seq = frame->seq;
        text->type = frame_word(frame->kind);
        memcpy(text->text, json, length);
    }
    free(json);
    return text;
}

/* Reads the events over `after`, for everybody who comes next; the first of them is returned. */
static enum match_status read_texts(struct feed *feed, const struct following *game, uint32_t after,
                                    struct frame_text **first)
{
    struct frames *frames = NULL;
    enum match_status status = match_frames(feed->match, &game->id, after, &frames);
    if (status != MATCH_OK) {
        return status;
    }
    *first = NULL;
    for (size_t i = 0; i < frames->count; i++) {
        struct frame_text *text = write_text(game, &frames->at[i]);
        if (text != NULL) {
            frame_cache_put(feed->cache, text);
        }
        if (i == 0) {
            *first = text;
        } else {
            frame_text_unref(text);
        }
    }
    free(frames);
    return *first == NULL ? MATCH_INTERNAL : MATCH_OK;
}

static enum match_status tell_event(struct feed *feed, struct following *game,
                                    struct frame_list *out)
{
    enum match_status status = MATCH_OK;
    struct frame_text *text = frame_cache_get(feed->cache, game->game_no, game->seq + 1);
    if (text == NULL) {
        status = read_texts(feed, game, game->seq, &text);
    }
    if (status != MATCH_OK) {
        return status;
    }
    struct frame_item item = {
        .has_id = !game->tagged,
        .id = text->seq,
        .type = text->type,
        .game_id = tag_of(game),
        .text = text->text,
        .length = text->length,
    };
    assert(text->seq == game->seq + 1);
    frame_list_add(out, &item);
    game->seq = text->seq;
    frame_text_unref(text);
    return MATCH_OK;
}

static enum match_status tell_events(struct feed *feed, struct following *game, uint32_t newest,
                                     struct frame_list *out)
{
    enum match_status status = MATCH_OK;
    for (size_t i = 0; i < FEED_AT_ONCE && game->seq < newest && status == MATCH_OK; i++) {
        status = tell_event(feed, game, out);
    }
    return status;
}

/* `now`: a snapshot stands right before it, or a request that the board does not show yet. */
static void tell_presence(struct feed *feed, struct following *game, bool now,
                          struct frame_list *out)
{
    if (game->board == NULL) {
        return;
    }
    unsigned present =
        now ? presence_look_now(feed->match, game->board) : presence_look(game->board);
    unsigned changed = (~game->known | (present ^ game->present)) & game->people;
    for (unsigned i = 0; i < DB_SEATS_MAX; i++) {
        if ((changed & 1U << i) != 0) {
            size_t length = 0;
            char *text = json_frame_presence(game->seats[i], (present & 1U << i) != 0,
                                             match_now_ms(feed->match), &length);
            feed_add(out, "presence", -1, tag_of(game), text, length);
        }
    }
    game->known = game->people;
    game->present = present;
}

/* Further behind than a reader may be that takes what it is given. */
static bool is_behind(const struct following *game, uint32_t newest)
{
    uint32_t from = game->seq > game->goal ? game->seq : game->goal;
    return newest > from && newest - from > LIMIT_STREAM_LAG;
}

enum match_status following_pull(struct feed *feed, struct following *game, uint32_t newest,
                                 struct frame_list *out, bool *more)
{
    if (game->begun && is_behind(game, newest)) {
        game->begun = false;
        game->resync = true;
    }
    bool begins = !game->begun || game->known != game->people;
    enum match_status status =
        game->begun ? tell_events(feed, game, newest, out) : tell_snapshot(feed, game, out);
    *more = game->seq != newest;
    if (status == MATCH_OK) {
        tell_presence(feed, game, begins, out);
    }
    return status;
}

/* --- the feed of one game ------------------------------------------------------------------------
 */

struct feed_game {
    struct feed feed;
    struct following game;
    int64_t table_no;   /* whose members may see it; 0: everybody may */
    struct watch table; /* whether they are still the same */
};

static struct feed_game *game_of(struct feed *feed)
{
    static_assert(offsetof(struct feed_game, feed) == 0, "a feed of a game is a feed");
    return (struct feed_game *)feed;
}

/* Over for who has left the table. */
static enum match_status look_at_table(struct feed_game *game)
{
    struct feed *feed = &game->feed;
    watch_arm(feed, &game->table, EVENT_TABLE, game->table_no, INT64_MAX);
    if (!game->table.fresh) {
        return MATCH_OK;
    }
    game->table.fresh = false;
    enum match_status status = match_game_seen(feed->match, &game->game.id, feed->bearer.player_no);
    feed->over = status == MATCH_NOT_FOUND;
    return feed->over ? MATCH_OK : status;
}

static enum match_status game_pull(struct feed *feed, struct frame_list *out)
{
    struct feed_game *game = game_of(feed);
    uint32_t newest = 0;
    bool more = false;
    enum match_status status = game->table_no == 0 ? MATCH_OK : look_at_table(game);
    if (status != MATCH_OK || feed->over) {
        return status;
    }
    status = match_seq(feed->match, &game->game.id, &newest);
    return status == MATCH_OK ? following_pull(feed, &game->game, newest, out, &more) : status;
}

static void game_free(struct feed *feed)
{
    watch_disarm(&game_of(feed)->table);
    presence_unwatch(feed->match, game_of(feed)->game.board);
    free(feed);
}

static void follow(struct following *game, const struct game_view *view,
                   const struct feed_options *options)
{
    uint32_t newest = view->game.seq;
    game->game_no = view->game.game_no;
    game->id = view->game.id;
    assert(!options->resumes || (options->after >= 0 && options->after <= newest));
    game->seq = options->resumes ? (uint32_t)options->after : newest;
    game->goal = newest;
    game->resync = newest - game->seq > LIMIT_STREAM_RESUME;
    game->begun = options->resumes && !game->resync;
    for (size_t i = 0; i < view->seat_count; i++) {
        game->seats[i] = view->seats[i].row.seat[0];
        game->people |= (unsigned)(view->seats[i].row.player_no != 0) << i;
    }
}

struct feed *feed_game_new(const struct feed_options *options, const struct game_view *view)
{
    static const struct feed_kind kind = {.pull = game_pull, .free = game_free};
    int64_t players[DB_SEATS_MAX] = {0};
    struct feed_game *feed = calloc(1, sizeof *feed);
    if (feed == NULL) {
        return NULL;
    }
    feed_begin(&feed->feed, &kind, options, false);
    feed->feed.topic = EVENT_GAME;
    feed->feed.number = view->game.game_no;
    feed->table_no = view->game.is_private ? view->game.table_no : 0;
    follow(&feed->game, view, options);
    for (size_t i = 0; i < view->seat_count; i++) {
        players[i] = view->seats[i].row.player_no;
    }
    if (options->live) {
        feed->game.board = presence_watch(options->match, view->game.game_no, players);
    }
    return &feed->feed;
}
