#include "match/events.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- one thread ----------------------------------------------------------------------------- */

/* A waiter that counts how often it was woken. */
struct counted {
    struct event_waiter waiter;
    struct events *events;
    int wakes;
    int order;
    int *clock;
};

static void count_wake(void *context)
{
    struct counted *counted = context;
    counted->wakes++;
    if (counted->clock != NULL) {
        counted->order = ++*counted->clock;
    }
}

static void remove_itself(void *context)
{
    struct counted *counted = context;
    counted->wakes++;
    events_remove(counted->events, &counted->waiter);
}

static struct counted counted_for(struct events *events, enum event_topic topic, int64_t number)
{
    return (struct counted){
        .waiter = {.topic = topic, .number = number, .deadline_ms = INT64_MAX, .wake = count_wake},
        .events = events,
    };
}

static void add(struct counted *counted)
{
    counted->waiter.context = counted;
    events_add(counted->events, &counted->waiter);
}

Test(events, a_published_event_wakes_its_waiter_once)
{
    struct events *events = events_new();
    struct counted one = counted_for(events, EVENT_RESULT, 7);
    add(&one);
    cr_expect_eq(one.wakes, 0);
    events_publish(events, EVENT_RESULT, 7);
    events_publish(events, EVENT_RESULT, 7);
    cr_expect_eq(one.wakes, 1);
    events_free(events);
}

Test(events, another_topic_or_number_wakes_nobody)
{
    struct events *events = events_new();
    struct counted one = counted_for(events, EVENT_RESULT, 7);
    add(&one);
    events_publish(events, EVENT_TICKET, 7);
    for (int64_t number = -3000; number < 3000; number++) {
        if (number != 7) {
            events_publish(events, EVENT_RESULT, number);
        }
    }
    cr_expect_eq(one.wakes, 0);
    events_remove(events, &one.waiter);
    events_free(events);
}

Test(events, all_waiters_of_an_event_are_woken_oldest_first)
{
    enum { WAITERS = 50 };
    struct events *events = events_new();
    struct counted waiting[WAITERS];
    int clock = 0;
    for (int i = 0; i < WAITERS; i++) {
        waiting[i] = counted_for(events, EVENT_TICKET, i % 2);
        waiting[i].clock = &clock;
        add(&waiting[i]);
    }
    events_publish(events, EVENT_TICKET, 1);
    for (int i = 0; i < WAITERS; i++) {
        cr_expect_eq(waiting[i].wakes, i % 2);
        cr_expect_eq(waiting[i].order, i % 2 == 1 ? (i + 1) / 2 : 0);
        events_remove(events, &waiting[i].waiter);
    }
    events_free(events);
}

Test(events, a_removed_waiter_is_not_woken)
{
    struct events *events = events_new();
    struct counted one = counted_for(events, EVENT_RESULT, 7);
    struct counted two = counted_for(events, EVENT_RESULT, 7);
    add(&one);
    add(&two);
    events_remove(events, &one.waiter);
    events_publish(events, EVENT_RESULT, 7);
    cr_expect(one.wakes == 0 && two.wakes == 1);
    events_free(events);
}

Test(events, removing_what_was_woken_removed_or_never_added_is_harmless)
{
    struct events *events = events_new();
    struct counted one = counted_for(events, EVENT_RESULT, 7);
    events_remove(events, &one.waiter);
    add(&one);
    events_publish(events, EVENT_RESULT, 7);
    events_remove(events, &one.waiter);
    events_remove(events, &one.waiter);
    cr_expect_eq(one.wakes, 1);
    events_free(events);
}

Test(events, a_woken_waiter_can_wait_again)
{
    struct events *events = events_new();
    struct counted one = counted_for(events, EVENT_RESULT, 7);
    for (int i = 1; i <= 3; i++) {
        add(&one);
        events_publish(events, EVENT_RESULT, 7);
        cr_expect_eq(one.wakes, i);
    }
    events_free(events);
}

Test(events, a_wake_function_may_remove_its_own_waiter)
{
    struct events *events = events_new();
    struct counted one = counted_for(events, EVENT_RESULT, 7);
    one.waiter.wake = remove_itself;
    add(&one);
    events_publish(events, EVENT_RESULT, 7);
    cr_expect_eq(one.wakes, 1);
    events_free(events);
}

Test(events, a_deadline_wakes_at_its_millisecond_and_not_before)
{
    struct events *events = events_new();
    struct counted early = counted_for(events, EVENT_RESULT, 7);
    struct counted late = counted_for(events, EVENT_TICKET, 8);
    early.waiter.deadline_ms = 1000;
    late.waiter.deadline_ms = 2000;
    add(&late);
    add(&early);
    events_expire(events, 999);
    cr_expect(early.wakes == 0 && late.wakes == 0);
    events_expire(events, 1000);
    cr_expect(early.wakes == 1 && late.wakes == 0);
    events_expire(events, 1999);
    cr_expect(early.wakes == 1 && late.wakes == 0);
    events_expire(events, 5000);
    cr_expect(early.wakes == 1 && late.wakes == 1);
    events_free(events);
}

Test(events, an_earlier_deadline_added_later_is_kept)
{
    struct events *events = events_new();
    struct counted late = counted_for(events, EVENT_RESULT, 7);
    struct counted early = counted_for(events, EVENT_RESULT, 7);
    late.waiter.deadline_ms = 2000;
    early.waiter.deadline_ms = 500;
    add(&late);
    events_expire(events, 100);
    add(&early);
    events_expire(events, 500);
    cr_expect(early.wakes == 1 && late.wakes == 0);
    events_remove(events, &late.waiter);
    events_expire(events, 3000);
    cr_expect_eq(late.wakes, 0);
    events_free(events);
}

Test(events, stopping_wakes_all_and_whoever_comes_after)
{
    struct events *events = events_new();
    struct counted before[3];
    for (int i = 0; i < 3; i++) {
        before[i] = counted_for(events, (enum event_topic)i, i);
        add(&before[i]);
    }
    events_stop(events);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(before[i].wakes, 1);
    }
    struct counted after = counted_for(events, EVENT_RESULT, 7);
    add(&after);
    cr_expect_eq(after.wakes, 1);
    events_stop(events);
    events_publish(events, EVENT_RESULT, 7);
    events_expire(events, INT64_MAX);
    cr_expect_eq(after.wakes, 1);
    events_free(events);
}

struct owned {
    struct event_waiter waiter;
    int *wakes;
};

static void free_itself(void *context)
{
    struct owned *owned = context;
    ++*owned->wakes;
    memset(owned, 0x5a, sizeof *owned);
    free(owned);
}

Test(events, a_waiter_may_be_freed_as_soon_as_it_is_woken)
{
    int wakes = 0;
    struct events *events = events_new();
    for (int i = 0; i < 20; i++) {
        struct owned *owned = calloc(1, sizeof *owned);
        cr_assert_not_null(owned);
        owned->waiter = (struct event_waiter){
            .topic = EVENT_RESULT, .number = 7, .wake = free_itself, .context = owned};
        owned->wakes = &wakes;
        events_add(events, &owned->waiter);
    }
    events_publish(events, EVENT_RESULT, 7);
    cr_expect_eq(wakes, 20);
    events_free(events);
    events_free(NULL);
}

/* --- several threads ------------------------------------------------------------------------ */

struct slow {
    struct event_waiter waiter;
    struct events *events;
    atomic_bool is_inside;
    atomic_bool is_over;
};

static void wake_slowly(void *context)
{
    struct slow *slow = context;
    atomic_store(&slow->is_inside, true);
    (void)usleep(50 * 1000);
    atomic_store(&slow->is_over, true);
}

static void *publish_once(void *context)
{
    struct slow *slow = context;
    events_publish(slow->events, EVENT_RESULT, 7);
    return NULL;
}

static void wait_until_inside(struct slow *slow)
{
    while (!atomic_load(&slow->is_inside)) {
        (void)usleep(100);
    }
}

Test(events, remove_returns_only_when_a_running_wake_function_has)
{
    struct slow slow = {.events = events_new()};
    slow.waiter = (struct event_waiter){
        .topic = EVENT_RESULT, .number = 7, .wake = wake_slowly, .context = &slow};
    events_add(slow.events, &slow.waiter);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, publish_once, &slow), 0);
    wait_until_inside(&slow);
    events_remove(slow.events, &slow.waiter);
    cr_expect(atomic_load(&slow.is_over));
    pthread_join(thread, NULL);
    events_free(slow.events);
}

Test(events, a_waiter_still_in_line_behind_a_running_wake_can_be_removed)
{
    struct slow slow = {.events = events_new()};
    slow.waiter = (struct event_waiter){
        .topic = EVENT_RESULT, .number = 7, .wake = wake_slowly, .context = &slow};
    struct counted behind = counted_for(slow.events, EVENT_RESULT, 7);
    struct counted last = counted_for(slow.events, EVENT_RESULT, 7);
    events_add(slow.events, &slow.waiter);
    add(&behind);
    add(&last);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, publish_once, &slow), 0);
    wait_until_inside(&slow);
    events_remove(slow.events, &behind.waiter);
    cr_expect_not(atomic_load(&slow.is_over), "it waits for its own wake only");
    pthread_join(thread, NULL);
    cr_expect(behind.wakes == 0 && last.wakes == 1);
    events_free(slow.events);
}

Test(events, others_can_use_the_module_while_a_wake_function_runs)
{
    struct slow slow = {.events = events_new()};
    slow.waiter = (struct event_waiter){
        .topic = EVENT_RESULT, .number = 7, .wake = wake_slowly, .context = &slow};
    struct counted other = counted_for(slow.events, EVENT_RESULT, 7);
    events_add(slow.events, &slow.waiter);
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, publish_once, &slow), 0);
    wait_until_inside(&slow);
    add(&other);
    events_publish(slow.events, EVENT_RESULT, 7);
    cr_expect(other.wakes == 1 && !atomic_load(&slow.is_over));
    pthread_join(thread, NULL);
    events_free(slow.events);
}

/* Owners add a waiter on the heap, and free it either woken or removed, while others publish and
 * expire. A wake after a remove, or a second one, writes into freed or poisoned memory. */
enum { OWNERS = 4, PUBLISHERS = 2, ROUNDS = 4000, NUMBERS = 3 };

struct stress {
    struct events *events;
    atomic_int owners_left;
    atomic_long woken;
    atomic_long bad;
};

struct guest {
    struct event_waiter waiter;
    struct stress *stress;
    atomic_int wakes;
    atomic_bool is_gone; /* its owner's remove has returned */
};

static void guest_wake(void *context)
{
    struct guest *guest = context;
    if (atomic_load(&guest->is_gone) || atomic_fetch_add(&guest->wakes, 1) != 0) {
        atomic_fetch_add(&guest->stress->bad, 1);
    }
    if (atomic_load(&guest->is_gone)) { /* still inside when the remove returned */
        atomic_fetch_add(&guest->stress->bad, 1);
    }
    atomic_fetch_add(&guest->stress->woken, 1);
}

static void *own_waiters(void *context)
{
    struct stress *stress = context;
    for (int round = 0; round < ROUNDS; round++) {
        struct guest *guest = calloc(1, sizeof *guest);
        if (guest == NULL) {
            abort();
        }
        guest->stress = stress;
        guest->waiter = (struct event_waiter){
            .topic = EVENT_RESULT,
            .number = round % NUMBERS,
            .deadline_ms = round % 5 == 0 ? 1 : INT64_MAX,
            .wake = guest_wake,
            .context = guest,
        };
        events_add(stress->events, &guest->waiter);
        for (int spin = 0; spin < round % 64 && atomic_load(&guest->wakes) == 0; spin++) {
            (void)sched_yield();
        }
        events_remove(stress->events, &guest->waiter);
        atomic_store(&guest->is_gone, true);
        free(guest);
    }
    atomic_fetch_sub(&stress->owners_left, 1);
    return NULL;
}

static void *publish_events(void *context)
{
    struct stress *stress = context;
    for (int64_t i = 0; atomic_load(&stress->owners_left) > 0; i++) {
        events_publish(stress->events, EVENT_RESULT, i % NUMBERS);
        if (i % 7 == 0) {
            events_expire(stress->events, 1);
        }
    }
    return NULL;
}

static void run_stress(struct stress *stress, bool stop_midway)
{
    pthread_t threads[OWNERS + PUBLISHERS];
    atomic_store(&stress->owners_left, OWNERS);
    for (size_t i = 0; i < OWNERS + PUBLISHERS; i++) {
        cr_assert_eq(
            pthread_create(&threads[i], NULL, i < OWNERS ? own_waiters : publish_events, stress),
            0);
    }
    if (stop_midway) {
        while (atomic_load(&stress->woken) < 100) {
            (void)sched_yield();
        }
        events_stop(stress->events);
    }
    for (size_t i = 0; i < OWNERS + PUBLISHERS; i++) {
        pthread_join(threads[i], NULL);
    }
}

Test(events, no_wake_comes_after_a_remove_or_twice_under_stress)
{
    struct stress stress = {.events = events_new()};
    run_stress(&stress, false);
    cr_expect_eq(atomic_load(&stress.bad), 0);
    cr_expect_gt(atomic_load(&stress.woken), 0);
    events_free(stress.events);
}

Test(events, every_waiter_after_a_stop_is_woken_under_stress)
{
    struct stress stress = {.events = events_new()};
    run_stress(&stress, true);
    long before = atomic_load(&stress.woken);
    cr_expect_eq(atomic_load(&stress.bad), 0);
    struct counted after = counted_for(stress.events, EVENT_RESULT, 0);
    add(&after);
    cr_expect_eq(after.wakes, 1);
    cr_expect(before >= 100 && before <= (long)OWNERS * ROUNDS);
    events_free(stress.events);
}
