#include "rounds.h"

#include "db/lists.h"
#include "ratings/policy.h"
#include "seating.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUND_MS = 1000,
    LOOKED_BACK = 32,   /* a player's latest games in a pool, for whom the player met how often */
    LEARNED_MAX = 4096, /* tickets of one round; of the others nothing is known yet */
    READ_AT_ONCE = 64,  /* tickets of one query at the start */
};

struct rounds {
    struct match *match;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t work;
    bool called;    /* a ticket has come */
    bool due;       /* time has passed */
    bool under_way; /* a round runs, or its games are being made */
    bool stopping;
    bool started;
    int64_t last_ms; /* the latest round over all */
};

/* --- the start -----------------------------------------------------------------------------------
 */

static bool enter(struct match *match, const struct db_ticket *ticket)
{
    struct queue_kind kind;
    if (!queue_kind_of(ticket, &kind)) {
        return true;
    }
    if (!queue_reserve(match->queue, &kind)) {
        return false;
    }
    queue_enter(match->queue, ticket);
    return true;
}

static bool load_waiting(struct match *match, struct db *db)
{
    struct db_ticket tickets[READ_AT_ONCE];
    int64_t after = 0;
    size_t count = 0;
    bool good = true;
    do {
        good = db_tickets_waiting(db, after, tickets, READ_AT_ONCE, &count) == DB_OK;
        for (size_t i = 0; good && i < count; i++) {
            good = enter(match, &tickets[i]);
            after = tickets[i].ticket_no;
        }
    } while (good && count == READ_AT_ONCE);
    return good;
}

static bool load_waits(struct match *match, struct db *db)
{
    struct db_ticket tickets[READ_AT_ONCE];
    struct queue_kind kind;
    size_t count = 0;
    if (db_tickets_newest(db, tickets, READ_AT_ONCE, &count) != DB_OK) {
        return false;
    }
    while (count-- > 0) {
        const struct db_ticket *ticket = &tickets[count];
        if (ticket->game_no != 0 && queue_kind_of(ticket, &kind)) {
            queue_waited(match->queue, &kind, ticket->ended_at_ms - ticket->created_at_ms,
                         ticket->ended_at_ms);
        }
    }
    return true;
}

static bool load(struct match *match)
{
    struct db *db = reader_take(match);
    bool loaded = load_waiting(match, db) && load_waits(match, db);
    reader_give(match, db);
    return loaded;
}

/* --- who met whom --------------------------------------------------------------------------------
 */

static size_t players_of(const struct db_game *game, int64_t players[DB_SEATS_MAX])
{
    const char *at = game->player_set;
    size_t count = 0;
    while (*at != '\0' && count < DB_SEATS_MAX) {
        char *end = NULL;
        players[count++] = strtoll(at, &end, 10);
        at = *end == ',' ? end + 1 : end;
    }
    return count;
}

static bool counts_for_limit(const struct db_game *game, int64_t now_ms)
{
    return game->rated && game->replay_of == 0 && strcmp(game->status, "aborted") != 0 &&
           game->created_at_ms > now_ms - POLICY_REPEAT_WINDOW_MS;
}

/* The sets that have played too often, from the sets of single games. */
static void list_over(const uint64_t *sets, size_t count, uint32_t limit,
                      uint64_t over[PAIRING_OVER_MAX])
{
    size_t found = 0;
    for (size_t i = 0; i < count && found < PAIRING_OVER_MAX; i++) {
        uint32_t games = 0;
        bool first = true;
        for (size_t j = 0; j < count; j++) {
            games += sets[j] == sets[i];
            first = first && (j >= i || sets[j] != sets[i]);
        }
        if (first && games >= limit) {
            over[found++] = sets[i];
        }
    }
}

/* What the file says of the games of a ticket's player. A game that is made meanwhile is missed:
 * all this is a preference. */
static bool learn(struct match *match, struct db *db, const struct queue_kind *kind,
                  struct pairing_ticket *ticket)
{
    struct db_game_filter filter = {.player_no = ticket->player_no, .pool = kind->pool->key};
    struct db_game games[LOOKED_BACK];
    uint64_t sets[LOOKED_BACK];
    size_t set_count = 0;
    size_t count = 0;
    int64_t look_before = 0;
    if (db_games(db, &filter, games, LOOKED_BACK, &count, &look_before) != DB_OK) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        int64_t players[DB_SEATS_MAX];
        size_t player_count = players_of(&games[i], players);
        size_t others = 0;
        for (size_t j = 0; i == 0 && j < player_count; j++) {
            if (players[j] != ticket->player_no && others < PAIRING_LAST_MAX) {
                ticket->last[others++] = players[j];
            }
        }
        if (counts_for_limit(&games[i], match_now_ms(match))) {
            sets[set_count++] = pairing_set(players, player_count);
        }
    }
    list_over(sets, set_count, match->options.repeat_limit, ticket->over);
    return true;
}

/* Those who have come since the last round. */
static void learn_all(struct match *match, size_t kind, struct queue_view *view)
{
    struct db *db = NULL;
    size_t learned = 0;
    for (size_t i = 0; i < view->count && learned < LEARNED_MAX; i++) {
        if (view->known[i]) {
            continue;
        }
        learned++;
        db = db == NULL ? reader_take(match) : db;
        if (learn(match, db, &view->kind, &view->tickets[i])) {
            queue_learn(match->queue, kind, &view->tickets[i]);
        }
    }
    if (db != NULL) {
        reader_give(match, db);
    }
}

/* --- a round -------------------------------------------------------------------------------------
 */

static bool list_groups(const struct queue_view *view, const struct pairing_round *round,
                        struct seating_list *list)
{
    struct seating_group *groups =
        realloc(list->groups, (list->count + round->group_count) * sizeof *groups);
    if (groups == NULL) {
        return false;
    }
    list->groups = groups;
    for (size_t i = 0; i < round->group_count; i++) {
        const struct pairing_group *made = &round->groups[i];
        struct seating_group *group = &groups[list->count++];
        *group = (struct seating_group){.kind = view->kind, .spread_milli = made->spread_milli};
        for (size_t j = 0; j < round->seats; j++) {
            group->tickets[j] = view->tickets[made->members[j]].ticket_no;
        }
    }
    return true;
}

static void pair_view(struct match *match, size_t kind, const struct queue_view *view,
                      struct seating_list *list)
{
    struct pairing_round round = {
        .tickets = view->tickets,
        .count = view->count,
        .seats = view->kind.rules->seat_count,
        .pairs = pool_has_pairs(view->kind.rules, view->kind.pool),
        .now_ms = match_now_ms(match),
        .groups = calloc(view->count / 2 + 1, sizeof *round.groups),
        .opens_at_ms = calloc(view->count + 1, sizeof *round.opens_at_ms),
    };
    bool done = round.groups != NULL && round.opens_at_ms != NULL && pairing_round(&round);
    for (size_t i = 0; done && i < view->count; i++) {
        queue_foretell(match->queue, kind, view->tickets[i].ticket_no, round.opens_at_ms[i]);
    }
    if (done && round.group_count > 0) {
        (void)list_groups(view, &round, list); /* without memory, the next round finds them again */
    }
    free(round.opens_at_ms);
    free(round.groups);
}

static void over(struct match *match)
{
    struct rounds *rounds = match->rounds;
    pthread_mutex_lock(&rounds->lock);
    rounds->under_way = false;
    pthread_cond_signal(&rounds->work);
    pthread_mutex_unlock(&rounds->lock);
}

/* Of the kinds that somebody came to, or of all. */
static void run_round(struct match *match, bool changed_only)
{
    struct seating_list list = {.count = 0};
    size_t kinds = queue_kinds(match->queue);
    count_one(&match->counts.rounds);
    for (size_t kind = 0; kind < kinds; kind++) {
        struct queue_view view;
        if (queue_copy(match->queue, kind, changed_only, &view)) {
            if (view.count >= view.kind.rules->seat_count) {
                learn_all(match, kind, &view);
            }
            pair_view(match, kind, &view, &list);
        }
        queue_view_free(&view);
    }
    if (list.count > 0) {
        seating_begin(match, &list, over);
    } else {
        free(list.groups);
        over(match);
    }
}

/* --- the thread ----------------------------------------------------------------------------------
 */

static void *rounds_main(void *context)
{
    struct rounds *rounds = context;
    pthread_mutex_lock(&rounds->lock);
    while (!rounds->stopping) {
        if (rounds->under_way || (!rounds->called && !rounds->due)) {
            pthread_cond_wait(&rounds->work, &rounds->lock);
            continue;
        }
        bool changed_only = !rounds->due;
        rounds->called = false;
        rounds->due = false;
        rounds->under_way = true;
        pthread_mutex_unlock(&rounds->lock);
        run_round(rounds->match, changed_only);
        pthread_mutex_lock(&rounds->lock);
    }
    pthread_mutex_unlock(&rounds->lock);
    return NULL;
}

bool rounds_start(struct match *match)
{
    struct rounds *rounds = calloc(1, sizeof *rounds);
    if (rounds == NULL) {
        return false;
    }
    rounds->match = match;
    rounds->called = true;
    match->rounds = rounds;
    pthread_mutex_init(&rounds->lock, NULL);
    pthread_cond_init(&rounds->work, NULL);
    rounds->started =
        load(match) && pthread_create(&rounds->thread, NULL, rounds_main, rounds) == 0;
    return rounds->started;
}

void rounds_call(struct rounds *rounds)
{
    pthread_mutex_lock(&rounds->lock);
    rounds->called = true;
    pthread_cond_signal(&rounds->work);
    pthread_mutex_unlock(&rounds->lock);
}

void rounds_tick(struct rounds *rounds, int64_t now_ms)
{
    pthread_mutex_lock(&rounds->lock);
    if (now_ms - rounds->last_ms >= ROUND_MS) {
        rounds->last_ms = now_ms;
        rounds->due = true;
        pthread_cond_signal(&rounds->work);
    }
    pthread_mutex_unlock(&rounds->lock);
}

bool rounds_settled(struct rounds *rounds)
{
    pthread_mutex_lock(&rounds->lock);
    bool settled = !rounds->called && !rounds->due && !rounds->under_way;
    pthread_mutex_unlock(&rounds->lock);
    return settled;
}

void rounds_stop(struct rounds *rounds)
{
    if (rounds == NULL || !rounds->started) {
        return;
    }
    pthread_mutex_lock(&rounds->lock);
    rounds->stopping = true;
    pthread_cond_signal(&rounds->work);
    pthread_mutex_unlock(&rounds->lock);
    pthread_join(rounds->thread, NULL);
}

void rounds_free(struct rounds *rounds)
{
    if (rounds == NULL) {
        return;
    }
    pthread_cond_destroy(&rounds->work);
    pthread_mutex_destroy(&rounds->lock);
    free(rounds);
}
