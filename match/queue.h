#ifndef MATCH_QUEUE_H
#define MATCH_QUEUE_H

/*
 * The waiting tickets, in memory: what rounds look through, so that nobody reads the file once a
 * second. Built from the file at the start and kept by jobs that were committed; the file is right
 * where they differ, so who acts on a ticket looks at its row again. With it, how long the latest
 * players waited, for estimates, and when each ticket was last asked for, which no file knows.
 *
 * Threads: any; one lock, held for a copy at the longest. Ownership: queue_new/queue_free.
 */

#include "db/db.h"
#include "engine/rules.h"
#include "pairing.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What tickets that can meet have in common. */
struct queue_kind {
    const struct game_rules *rules;
    const struct pool_rules *pool;
    uint16_t turn_seconds;
};

struct queue;
struct queue *queue_new(void); /* NULL: no memory */
void queue_free(struct queue *queue);

/* Inside the job that stores a ticket: room for it and all others of a batch. False: no memory. */
bool queue_reserve(struct queue *queue, const struct queue_kind *kind);
/* After its commit; a waiting one, in the order of their numbers. */
void queue_enter(struct queue *queue, const struct db_ticket *ticket);
/* After the commit of its end; nothing where it is not in the queue. */
void queue_leave(struct queue *queue, int64_t ticket_no);

/* Its owner asked for it; nothing where it is not in the queue. */
void queue_hear(struct queue *queue, int64_t ticket_no, int64_t at_ms);
/* When last; 0: never, or it is not in the queue. */
int64_t queue_heard_ms(struct queue *queue, int64_t ticket_no);

/* The kind a ticket is of; false: no game has its pool any more. */
bool queue_kind_of(const struct db_ticket *ticket, struct queue_kind *kind);

/* Kinds are numbered from 0 on, and stay. */
size_t queue_kinds(struct queue *queue);
struct queue_view {
    struct queue_kind kind;
    struct pairing_ticket *tickets; /* in order of age; the caller's to free */
    bool *known;                    /* queue_learn has told about it */
    size_t count;
};
/* A copy of all tickets of a kind. With `changed_only`, of a kind that nobody came to since the
 * last copy: none. False: no memory. */
bool queue_copy(struct queue *queue, size_t kind, bool changed_only, struct queue_view *view);
void queue_view_free(struct queue_view *view);

/* Whom the ticket's player has played: its last and over. */
void queue_learn(struct queue *queue, size_t kind, const struct pairing_ticket *ticket);
/* When its board will fit (pairing.h). */
void queue_foretell(struct queue *queue, size_t kind, int64_t ticket_no, int64_t opens_at_ms);

/* A ticket of this kind was matched after so long. */
void queue_waited(struct queue *queue, const struct queue_kind *kind, int64_t waited_ms,
                  int64_t at_ms);

/* How long a ticket has still to wait, by what is known: until the windows of a board with its
 * neighbours are open; without neighbours, what is left of the median of the latest waits. False:
 * nothing is known. */
bool queue_estimate(struct queue *queue, const struct db_ticket *ticket, int64_t now_ms,
                    int64_t *left_ms);

/* Ticket numbers of a kind over `after`, ascending, with whose they are, when they were taken and
 * when they were last asked for (0: never): how many. */
struct queue_age {
    int64_t ticket_no;
    int64_t player_no;
    int64_t created_at_ms;
    int64_t heard_ms;
};
size_t queue_ages(struct queue *queue, size_t kind, int64_t after, struct queue_age *ages,
                  size_t max);

#endif
