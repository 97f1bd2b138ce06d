/* Tickets that nobody asks for: found by the ticker, ended by an ordinary write job. */

#include "queue.h"
#include "service.h"

#include <assert.h>
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
        ticket_ended(expiry->op.match, expiry->tickets[i].ticket_no);
    }
    op_finish(&expiry->op, status);
}

static void expiry_free(void *context)
{
    free(context);
}

/* Submits the end of those of `ages` that are due. */
static void expire_due(struct match *match, const struct queue_age *ages, size_t count)
{
    struct expiry *expiry = NULL;
    int64_t now_ms = match_now_ms(match);
    for (size_t i = 0; i < count; i++) {
        struct db_ticket ticket = {
            .ticket_no = ages[i].ticket_no,
            .created_at_ms = ages[i].created_at_ms,
            .status = "expired",
        };
        if (ticket_expires_at(match, &ticket) > now_ms) {
            continue;
        }
        expiry = expiry == NULL ? calloc(1, sizeof *expiry) : expiry;
        if (expiry == NULL) {
            return; /* the next tick tries again */
        }
        ticket.ended_at_ms = now_ms;
        expiry->tickets[expiry->count++] = ticket;
    }
    if (expiry == NULL) {
        return;
    }
    expiry->op.wake = expiry_free;
    expiry->op.context = expiry;
    if (op_submit(match, &expiry->op, expiry_run, expiry_done) != MATCH_WAIT) {
        free(expiry);
    }
}

void tickets_expire(struct match *match)
{
    struct queue_age ages[TICKETS_AT_ONCE];
    size_t kinds = queue_kinds(match->queue);
    for (size_t kind = 0; kind < kinds; kind++) {
        int64_t after = 0;
        size_t count = 0;
        do {
            count = queue_ages(match->queue, kind, after, ages, TICKETS_AT_ONCE);
            expire_due(match, ages, count);
            after = count == 0 ? 0 : ages[count - 1].ticket_no;
        } while (count == TICKETS_AT_ONCE);
    }
}
