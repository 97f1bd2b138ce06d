/* Tickets that nobody asks for: found by the ticker, ended by an ordinary write job. */

#include "service.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

enum { TICKETS_AT_ONCE = 64 };

struct expiry {
    struct match_op op;
    size_t count;
    struct db_ticket tickets[TICKETS_AT_ONCE];
};

static struct expiry *expiry_of(struct db_job *job)
{
    static_assert(offsetof(struct expiry, op) == 0, "a command is its op");
    return (struct expiry *)op_of_job(job);
}

static enum db_status expiry_run(struct db_job *job, struct db *db)
{
    struct expiry *expiry = expiry_of(job);
    expiry->op.status = MATCH_OK;
    for (size_t i = 0; i < expiry->count; i++) {
        enum db_status status = db_ticket_end(db, &expiry->tickets[i]);
        /* Matched or cancelled since it was looked at: then that stands. */
        if (status != DB_OK && status != DB_NONE) {
            return status;
        }
    }
    return DB_OK;
}

static void expiry_done(struct db_job *job, enum db_status status)
{
    struct expiry *expiry = expiry_of(job);
    for (size_t i = 0; status == DB_OK && i < expiry->count; i++) {
        events_publish(expiry->op.match->events, EVENT_TICKET, expiry->tickets[i].ticket_no);
    }
    op_finish(&expiry->op, status);
}

static void expiry_free(void *context)
{
    free(context);
}

/* Submits the end of those of `seen` that are due. */
static void expire_due(struct match *match, const struct db_ticket *seen, size_t count)
{
    struct expiry *expiry = calloc(1, sizeof *expiry);
    if (expiry == NULL) {
        return; /* the next tick tries again */
    }
    int64_t now_ms = match_now_ms(match);
    for (size_t i = 0; i < count; i++) {
        if (ticket_expires_at(match, &seen[i]) <= now_ms) {
            struct db_ticket *ticket = &expiry->tickets[expiry->count++];
            *ticket = seen[i];
            (void)snprintf(ticket->status, sizeof ticket->status, "expired");
            ticket->ended_at_ms = now_ms;
        }
    }
    expiry->op.wake = expiry_free;
    expiry->op.context = expiry;
    if (expiry->count == 0 ||
        op_submit(match, &expiry->op, expiry_run, expiry_done) != MATCH_WAIT) {
        free(expiry);
    }
}

void tickets_expire(struct match *match)
{
    struct db_ticket tickets[TICKETS_AT_ONCE];
    int64_t after = 0;
    size_t count = 0;
    do {
        struct db *db = reader_take(match);
        enum db_status status = db_tickets_waiting_all(db, after, tickets, TICKETS_AT_ONCE, &count);
        reader_give(match, db);
        if (status != DB_OK || count == 0) {
            return;
        }
        after = tickets[count - 1].ticket_no;
        expire_due(match, tickets, count);
    } while (count == TICKETS_AT_ONCE);
}
