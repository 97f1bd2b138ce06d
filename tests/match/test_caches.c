#include "match/state.h"
#include "match/token_cache.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A running game of Hasami Shogi before its first move, with a sequence number to tell states
 * apart. */
static struct game_state *state_at(int id, uint32_t seq)
{
    struct db_game game = {.game_no = 7, .seq = seq};
    (void)snprintf(game.id.id.text, sizeof game.id.id.text, "g_%026d", id);
    struct game_line *line = calloc(1, sizeof *line + sizeof line->history[0]);
    cr_assert_not_null(line);
    line->references = 1;
    struct game_state *state = state_new(&game, &(struct db_seat){0}, 1, line);
    line_unref(line);
    cr_assert_not_null(state);
    return state;
}

/* What the cache shows of a game: its seq, or 0. */
static uint32_t shown(struct state_cache *cache, const struct game_id *id)
{
    struct state_stamp stamp;
    struct game_state *state = state_cache_get(cache, id, &stamp);
    uint32_t seq = state == NULL ? 0 : state->game.seq;
    state_unref(state);
    return seq;
}

static struct state_stamp stamp_of(struct state_cache *cache, const struct game_id *id)
{
    struct state_stamp stamp;
    state_unref(state_cache_get(cache, id, &stamp));
    return stamp;
}

Test(state_cache, shows_what_was_offered_and_only_of_that_game)
{
    struct state_cache *cache = state_cache_new();
    struct game_state *state = state_at(1, 3);
    struct game_state *other = state_at(2, 9);
    cr_expect_eq(shown(cache, &state->game.id), 0);
    state_cache_offer(cache, state, stamp_of(cache, &state->game.id));
    cr_expect_eq(shown(cache, &state->game.id), 3);
    cr_expect_eq(shown(cache, &other->game.id), 0);
    state_unref(other);
    state_unref(state);
    state_cache_free(cache);
}

Test(state_cache, counts_its_looks)
{
    struct state_cache *cache = state_cache_new();
    struct game_state *state = state_at(1, 3);
    uint64_t hits = 0;
    uint64_t misses = 0;
    state_cache_offer(cache, state, stamp_of(cache, &state->game.id));
    cr_expect_eq(shown(cache, &state->game.id), 3);
    cr_expect_eq(shown(cache, &state->game.id), 3);
    state_cache_counts(cache, &hits, &misses);
    cr_expect_eq(hits, 2);
    cr_expect_eq(misses, 1);
    state_unref(state);
    state_cache_free(cache);
}

Test(state_cache, knows_nothing_of_a_game_that_is_being_written)
{
    struct state_cache *cache = state_cache_new();
    struct game_state *state = state_at(1, 3);
    const struct game_id *id = &state->game.id;
    state_cache_offer(cache, state, stamp_of(cache, id));
    state_cache_hold(cache, id);
    cr_expect_eq(shown(cache, id), 0);
    state_cache_offer(cache, state, stamp_of(cache, id));
    cr_expect_eq(shown(cache, id), 0, "not even what is offered meanwhile");
    state_cache_release(cache, id, NULL);
    cr_expect_eq(shown(cache, id), 0);
    state_unref(state);
    state_cache_free(cache);
}

Test(state_cache, refuses_what_was_read_before_a_write_that_is_over)
{
    struct state_cache *cache = state_cache_new();
    struct game_state *old = state_at(1, 3);
    struct game_state *now = state_at(1, 4);
    now->epoch = 1;
    const struct game_id *id = &old->game.id;
    struct state_stamp stamp = stamp_of(cache, id);
    state_cache_hold(cache, id);
    state_cache_release(cache, id, now);
    state_cache_offer(cache, old, stamp);
    cr_expect_eq(shown(cache, id), 4);
    state_unref(now);
    state_unref(old);
    state_cache_free(cache);
}

Test(state_cache, refuses_what_was_read_while_a_write_was_under_way)
{
    struct state_cache *cache = state_cache_new();
    struct game_state *old = state_at(1, 3);
    struct game_state *now = state_at(1, 4);
    now->epoch = 1;
    const struct game_id *id = &old->game.id;
    state_cache_hold(cache, id);
    struct state_stamp stamp = stamp_of(cache, id);
    state_cache_release(cache, id, now);
    state_cache_offer(cache, old, stamp);
    cr_expect_eq(shown(cache, id), 4);
    state_unref(now);
    state_unref(old);
    state_cache_free(cache);
}

Test(state_cache, waits_for_the_last_of_two_jobs_on_a_game)
{
    struct state_cache *cache = state_cache_new();
    struct game_state *first = state_at(1, 4);
    struct game_state *second = state_at(1, 5);
    second->epoch = 1;
    const struct game_id *id = &first->game.id;
    state_cache_hold(cache, id);
    state_cache_hold(cache, id);
    state_cache_release(cache, id, first);
    cr_expect_eq(shown(cache, id), 0, "the second is stored, but not acknowledged");
    state_cache_release(cache, id, second);
    cr_expect_eq(shown(cache, id), 5);
    state_unref(second);
    state_unref(first);
    state_cache_free(cache);
}

Test(state_cache, keeps_no_game_that_is_over)
{
    struct state_cache *cache = state_cache_new();
    struct db_game game = {.game_no = 7, .seq = 8};
    (void)snprintf(game.id.id.text, sizeof game.id.id.text, "g_%026d", 1);
    struct game_state *over = state_new(&game, &(struct db_seat){0}, 1, NULL);
    state_cache_offer(cache, over, stamp_of(cache, &game.id));
    cr_expect_eq(shown(cache, &game.id), 0);
    state_cache_hold(cache, &game.id);
    state_cache_release(cache, &game.id, over);
    cr_expect_eq(shown(cache, &game.id), 0);
    state_unref(over);
    state_cache_free(cache);
}

Test(state_cache, keeps_no_successor_of_what_was_read_before_the_seats_were_held)
{
    struct state_cache *cache = state_cache_new();
    struct game_state *now = state_at(1, 4);
    now->epoch = 1;
    state_cache_hold_seats(cache, &now->game.id);
    state_cache_release_seats(cache, &now->game.id);
    state_cache_hold(cache, &now->game.id);
    state_cache_release(cache, &now->game.id, now);
    cr_expect_eq(shown(cache, &now->game.id), 0, "its seats may have other names by now");
    state_unref(now);
    state_cache_free(cache);
}

/* A name and a move in one transaction: the move was made of seats with the name before. */
Test(state_cache, keeps_no_successor_that_was_written_while_the_seats_were_held)
{
    struct state_cache *cache = state_cache_new();
    struct game_state *now = state_at(1, 4);
    now->epoch = 1;
    const struct game_id *id = &now->game.id;
    state_cache_hold_seats(cache, id);
    state_cache_hold(cache, id);
    state_cache_release_seats(cache, id);
    state_cache_release(cache, id, now);
    cr_expect_eq(shown(cache, id), 0);
    state_unref(now);
    state_cache_free(cache);
}

Test(state_cache, forgets_a_game_whose_seats_are_held_and_no_other)
{
    struct state_cache *cache = state_cache_new();
    struct game_state *state = state_at(1, 3);
    struct game_state *other = state_at(2, 9);
    state_cache_offer(cache, other, stamp_of(cache, &other->game.id));
    const struct game_id *id = &state->game.id;
    struct state_stamp before = stamp_of(cache, id);
    state_cache_offer(cache, state, before);
    state_cache_hold_seats(cache, id);
    cr_expect_eq(shown(cache, id), 0);
    struct state_stamp during = stamp_of(cache, id);
    state_cache_release_seats(cache, id);
    cr_expect_eq(shown(cache, id), 0);
    state_cache_offer(cache, state, before);
    cr_expect_eq(shown(cache, id), 0, "read before");
    state_cache_offer(cache, state, during);
    cr_expect_eq(shown(cache, id), 0, "read during");
    state_cache_offer(cache, state, stamp_of(cache, id));
    cr_expect_eq(shown(cache, id), 3);
    cr_expect_eq(shown(cache, &other->game.id), 9);
    state_unref(other);
    state_unref(state);
    state_cache_free(cache);
}

/* --- several threads ------------------------------------------------------------------------ */

enum { WRITES = 20000, LOOKERS = 3 };

/* A game whose seq is stored here instead of in a database. */
struct shared {
    struct state_cache *cache;
    struct game_id id;
    _Atomic uint32_t stored;
    _Atomic uint32_t acknowledged;
    atomic_bool over;
    _Atomic uint32_t backwards;
    _Atomic uint32_t hits;
};

static void *write_on(void *context)
{
    struct shared *shared = context;
    for (uint32_t seq = 1; seq <= WRITES; seq++) {
        struct game_state *now = state_at(1, seq);
        now->epoch = 1;
        state_cache_hold(shared->cache, &shared->id);
        atomic_store(&shared->stored, seq); /* the commit */
        state_cache_release(shared->cache, &shared->id, now);
        atomic_store(&shared->acknowledged, seq);
        state_unref(now);
    }
    atomic_store(&shared->over, true);
    return NULL;
}

/* As state_find: from the cache, or stored and then offered. */
static uint32_t look(struct shared *shared)
{
    struct state_stamp stamp;
    struct game_state *state = state_cache_get(shared->cache, &shared->id, &stamp);
    if (state == NULL) {
        state = state_at(1, atomic_load(&shared->stored));
        state_cache_offer(shared->cache, state, stamp);
    } else {
        atomic_fetch_add(&shared->hits, 1);
    }
    uint32_t seq = state->game.seq;
    state_unref(state);
    return seq;
}

static void *look_on(void *context)
{
    struct shared *shared = context;
    uint32_t last = 0;
    while (!atomic_load(&shared->over)) {
        uint32_t known = atomic_load(&shared->acknowledged);
        uint32_t seen = look(shared);
        if (seen < last || seen < known) {
            atomic_fetch_add(&shared->backwards, 1);
        }
        last = seen;
    }
    return NULL;
}

Test(state_cache, nobody_sees_a_game_go_backwards_or_misses_what_was_acknowledged)
{
    struct shared shared = {.cache = state_cache_new()};
    pthread_t threads[LOOKERS + 1];
    struct game_state *start = state_at(1, 0);
    shared.id = start->game.id;
    state_unref(start);
    for (size_t i = 0; i < LOOKERS; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, look_on, &shared), 0);
    }
    cr_assert_eq(pthread_create(&threads[LOOKERS], NULL, write_on, &shared), 0);
    for (size_t i = 0; i <= LOOKERS; i++) {
        pthread_join(threads[i], NULL);
    }
    cr_expect_eq(atomic_load(&shared.backwards), 0);
    cr_expect_gt(atomic_load(&shared.hits), 0);
    state_cache_free(shared.cache);
}

/* --- tokens --------------------------------------------------------------------------------- */

static struct db_identity identity_of(uint8_t first_byte)
{
    struct db_identity identity = {.player_no = first_byte};
    identity.token.token_id[0] = first_byte;
    return identity;
}

static bool knows(struct token_cache *cache, uint8_t first_byte, struct token_stamp *stamp)
{
    struct db_identity wanted = identity_of(first_byte);
    struct db_identity found = {0};
    bool known = token_cache_get(cache, wanted.token.token_id, &found, stamp);
    cr_expect(!known || found.player_no == first_byte);
    return known;
}

Test(token_cache, knows_what_was_offered_until_tokens_change)
{
    struct token_cache *cache = token_cache_new();
    struct db_identity identity = identity_of(5);
    struct token_stamp stamp;
    cr_expect_not(knows(cache, 5, &stamp));
    token_cache_offer(cache, &identity, stamp);
    cr_expect(knows(cache, 5, &stamp));
    cr_expect_not(knows(cache, 6, &stamp));
    token_cache_hold_all(cache);
    cr_expect_not(knows(cache, 5, &stamp));
    token_cache_release_all(cache);
    cr_expect_not(knows(cache, 5, &stamp));
    token_cache_free(cache);
}

Test(token_cache, counts_its_looks)
{
    struct token_cache *cache = token_cache_new();
    struct db_identity identity = identity_of(5);
    struct token_stamp stamp;
    uint64_t hits = 0;
    uint64_t misses = 0;
    (void)knows(cache, 5, &stamp);
    token_cache_offer(cache, &identity, stamp);
    (void)knows(cache, 5, &stamp);
    (void)knows(cache, 5, &stamp);
    (void)knows(cache, 6, &stamp);
    token_cache_counts(cache, &hits, &misses);
    cr_expect_eq(hits, 2);
    cr_expect_eq(misses, 2);
    token_cache_free(cache);
}

Test(token_cache, keeps_nothing_that_was_read_before_or_during_a_change)
{
    struct token_cache *cache = token_cache_new();
    struct db_identity identity = identity_of(5);
    struct token_stamp before;
    struct token_stamp during;
    struct token_stamp after;
    cr_expect_not(knows(cache, 5, &before));
    token_cache_hold_all(cache);
    cr_expect_not(knows(cache, 5, &during));
    token_cache_release_all(cache);
    token_cache_offer(cache, &identity, before);
    cr_expect_not(knows(cache, 5, &after));
    token_cache_offer(cache, &identity, during);
    cr_expect_not(knows(cache, 5, &after));
    token_cache_offer(cache, &identity, after);
    cr_expect(knows(cache, 5, &after));
    token_cache_free(cache);
}

Test(token_cache, forgets_a_token_that_is_held_and_no_other)
{
    struct token_cache *cache = token_cache_new();
    struct db_identity identity = identity_of(5);
    struct db_identity other = identity_of(6);
    const uint8_t *id = identity.token.token_id;
    struct token_stamp before;
    struct token_stamp during;
    struct token_stamp stamp;
    cr_expect_not(knows(cache, 6, &stamp));
    token_cache_offer(cache, &other, stamp);
    cr_expect_not(knows(cache, 5, &before));
    token_cache_offer(cache, &identity, before);
    token_cache_hold(cache, id);
    cr_expect_not(knows(cache, 5, &during));
    cr_expect(knows(cache, 6, &stamp));
    token_cache_offer(cache, &identity, during);
    cr_expect_not(knows(cache, 5, &stamp), "offered meanwhile");
    token_cache_release(cache, id);
    token_cache_offer(cache, &identity, before);
    cr_expect_not(knows(cache, 5, &stamp), "read before");
    token_cache_offer(cache, &identity, during);
    cr_expect_not(knows(cache, 5, &stamp), "read during");
    token_cache_offer(cache, &identity, stamp);
    cr_expect(knows(cache, 5, &stamp));
    token_cache_free(cache);
}
