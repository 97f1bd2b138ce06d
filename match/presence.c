#include "presence.h"

#include "service.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024 }; /* a power of two, about the streams of a busy machine */

struct presence_board {
    int64_t game_no;
    int64_t players[DB_SEATS_MAX];
    unsigned watchers;
    _Atomic unsigned present;
    struct presence_board *next;
};

struct presence {
    pthread_mutex_t streams_lock;
    struct presence_hold *streams[BUCKETS]; /* by player */
    struct recency listened;                /* end of a player's last personal stream */
    pthread_mutex_t boards_lock;
    struct presence_board *boards[BUCKETS]; /* by game */
};

struct presence *presence_new(void)
{
    struct presence *presence = calloc(1, sizeof *presence);
    if (presence != NULL) {
        pthread_mutex_init(&presence->streams_lock, NULL);
        pthread_mutex_init(&presence->boards_lock, NULL);
    }
    return presence;
}

void presence_free(struct presence *presence)
{
    if (presence == NULL) {
        return;
    }
    for (size_t i = 0; i < BUCKETS; i++) {
        assert(presence->streams[i] == NULL && presence->boards[i] == NULL);
    }
    pthread_mutex_destroy(&presence->streams_lock);
    pthread_mutex_destroy(&presence->boards_lock);
    free(presence);
}

/* --- open streams --------------------------------------------------------------------------------
 */

static size_t bucket_of(int64_t number)
{
    return (uint64_t)number % BUCKETS;
}

void presence_open(struct match *match, struct presence_hold *hold, int64_t player_no,
                   bool personal)
{
    struct presence *presence = match->presence;
    assert(player_no > 0);
    hold->player_no = player_no;
    hold->personal = personal;
    hold->previous = NULL;
    pthread_mutex_lock(&presence->streams_lock);
    struct presence_hold **head = &presence->streams[bucket_of(player_no)];
    hold->next = *head;
    if (hold->next != NULL) {
        hold->next->previous = hold;
    }
    *head = hold;
    pthread_mutex_unlock(&presence->streams_lock);
}

void presence_close(struct match *match, struct presence_hold *hold)
{
    struct presence *presence = match->presence;
    int64_t now_ms = match_now_ms(match);
    /* Before it is gone: nobody may find the player neither here nor there. */
    recency_touch(match->players, hold->player_no, now_ms);
    if (hold->personal) {
        recency_touch(&presence->listened, hold->player_no, now_ms);
    }
    pthread_mutex_lock(&presence->streams_lock);
    if (hold->next != NULL) {
        hold->next->previous = hold->previous;
    }
    if (hold->previous != NULL) {
        hold->previous->next = hold->next;
    } else {
        presence->streams[bucket_of(hold->player_no)] = hold->next;
    }
    pthread_mutex_unlock(&presence->streams_lock);
}

static bool has_stream(struct presence *presence, int64_t player_no, bool personal)
{
    pthread_mutex_lock(&presence->streams_lock);
    const struct presence_hold *hold = presence->streams[bucket_of(player_no)];
    while (hold != NULL && (hold->player_no != player_no || (personal && !hold->personal))) {
        hold = hold->next;
    }
    pthread_mutex_unlock(&presence->streams_lock);
    return hold != NULL;
}

int64_t player_seen_ms(struct match *match, int64_t player_no, int64_t now_ms)
{
    if (has_stream(match->presence, player_no, false)) {
        return now_ms;
    }
    int64_t last = recency_last(match->players, player_no);
    return last < match->started_at_ms ? match->started_at_ms : last;
}

bool player_is_present(struct match *match, int64_t player_no, int64_t now_ms)
{
    if (player_no == 0) {
        return false;
    }
    /* The cheaper question first. */
    return now_ms - recency_last(match->players, player_no) < LIMIT_PRESENT_MS ||
           now_ms - player_seen_ms(match, player_no, now_ms) < LIMIT_PRESENT_MS;
}

int64_t player_listened_ms(struct match *match, int64_t player_no, int64_t now_ms)
{
    return has_stream(match->presence, player_no, true)
               ? now_ms
               : recency_last(&match->presence->listened, player_no);
}

/* --- boards --------------------------------------------------------------------------------------
 */

static unsigned count_present(struct match *match, const struct presence_board *board)
{
    unsigned present = 0;
    int64_t now_ms = match_now_ms(match);
    for (unsigned i = 0; i < DB_SEATS_MAX; i++) {
        present |= (unsigned)player_is_present(match, board->players[i], now_ms) << i;
    }
    return present;
}

static struct presence_board **find_board(struct presence *presence, int64_t game_no)
{
    struct presence_board **link = &presence->boards[bucket_of(game_no)];
    while (*link != NULL && (*link)->game_no != game_no) {
        link = &(*link)->next;
    }
    return link;
}

struct presence_board *presence_watch(struct match *match, int64_t game_no,
                                      const int64_t players[DB_SEATS_MAX])
{
    struct presence *presence = match->presence;
    pthread_mutex_lock(&presence->boards_lock);
    struct presence_board **link = find_board(presence, game_no);
    struct presence_board *board = *link;
    if (board == NULL) {
        board = calloc(1, sizeof *board);
        if (board != NULL) {
            board->game_no = game_no;
            memcpy(board->players, players, sizeof board->players);
            atomic_init(&board->present, count_present(match, board));
            *link = board;
        }
    }
    if (board != NULL) {
        board->watchers++;
    }
    pthread_mutex_unlock(&presence->boards_lock);
    return board;
}

void presence_unwatch(struct match *match, struct presence_board *board)
{
    struct presence *presence = match->presence;
    if (board == NULL) {
        return;
    }
    pthread_mutex_lock(&presence->boards_lock);
    if (--board->watchers == 0) {
        struct presence_board **link = find_board(presence, board->game_no);
        assert(*link == board);
        *link = board->next;
        free(board);
    }
    pthread_mutex_unlock(&presence->boards_lock);
}

unsigned presence_look(const struct presence_board *board)
{
    return atomic_load_explicit(&board->present, memory_order_relaxed);
}

unsigned presence_look_now(struct match *match, struct presence_board *board)
{
    pthread_mutex_lock(&match->presence->boards_lock);
    unsigned present = count_present(match, board);
    bool changed = atomic_exchange(&board->present, present) != present;
    pthread_mutex_unlock(&match->presence->boards_lock);
    if (changed) {
        game_publish(match, board->game_no);
    }
    return present;
}

/* Looks at the boards of some buckets; which games have changed, at most `max`. Goes on from where
 * *bucket says. */
static size_t look_again(struct match *match, size_t *bucket, int64_t *changed, size_t max)
{
    struct presence *presence = match->presence;
    size_t count = 0;
    pthread_mutex_lock(&presence->boards_lock);
    for (; *bucket < BUCKETS && count < max; ++*bucket) {
        struct presence_board *board = presence->boards[*bucket];
        for (; board != NULL && count < max; board = board->next) {
            unsigned present = count_present(match, board);
            if (atomic_exchange(&board->present, present) != present) {
                changed[count++] = board->game_no;
            }
        }
        if (board != NULL) {
            break; /* the rest of this bucket comes with the next look */
        }
    }
    pthread_mutex_unlock(&presence->boards_lock);
    return count;
}

void presence_tick(struct match *match)
{
    enum { AT_ONCE = 64 };
    int64_t changed[AT_ONCE];
    size_t bucket = 0;
    while (bucket < BUCKETS) {
        size_t count = look_again(match, &bucket, changed, AT_ONCE);
        for (size_t i = 0; i < count; i++) {
            game_publish(match, changed[i]);
        }
    }
}
