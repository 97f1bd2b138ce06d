#ifndef MATCH_EVENTS_H
#define MATCH_EVENTS_H

/*
 * Wake-ups: whoever waits for something registers first, then reads the state, then sleeps; an
 * event is a hint to read again, never data.
 *
 * Threads: any. Wake functions are called with no lock of this module held, on the thread that
 * publishes, expires, stops or adds. A wake function may remove its own waiter and adds none.
 * Ownership: waiters are caller-owned, all zero before they are first added, and stay where they
 * are until they were removed or their wake function was entered; the module looks at none after
 * that.
 */

#include <stdbool.h>
#include <stdint.h>

/* Each has somebody who waits for it: what nobody waits for is not published. */
enum event_topic {
    EVENT_TICKET, /* of a ticket: it ended */
    EVENT_RESULT, /* any game ended or was voided */
    EVENT_TABLE,  /* of a table: it has changed */
    EVENT_GAME,   /* of a game: its seq is higher now, or who is present has changed */
    EVENT_PLAYER, /* of a player: there is a personal event */
    EVENT_TOKENS, /* of a player: some token of theirs may have ended */
    EVENT_TOPICS,
};

struct event_waiter {
    /* filled by the caller */
    enum event_topic topic;
    int64_t number;      /* ticket_no, table_no, game_no or player_no; 0: any result */
    int64_t deadline_ms; /* woken then at the latest */
    void (*wake)(void *context);
    void *context;
    /* the module's */
    struct event_waiter *next;
    struct event_waiter *previous;
    bool queued;
};

struct events;
struct events *events_new(void);         /* NULL: no memory */
void events_free(struct events *events); /* nobody waits or wakes any more */

/* A stopped module wakes the waiter at once, before this returns. */
void events_add(struct events *events, struct event_waiter *waiter);
/* After this the waiter will not be woken any more, and no wake function of it is running: where
 * another thread is inside it, this waits for its return, so the caller holds no lock that a wake
 * function takes. Any number of times, also for a waiter that was never added. False: there was
 * nothing to remove; it was woken before. */
bool events_remove(struct events *events, struct event_waiter *waiter);
/* Wakes all that wait for it, oldest first. */
void events_publish(struct events *events, enum event_topic topic, int64_t number);
/* Wakes those whose deadline has come. */
void events_expire(struct events *events, int64_t now_ms);
/* Wakes all, now and from now on. */
void events_stop(struct events *events);

#endif
