/* Tickets that nobody asks for: found by the ticker, ended by an ordinary write job. */

#include "queue.h"
#include "service.h"

#include <assert.h>
#include <stdlib.h>

enum { TICKETS_AT_ONCE = 64 };

struct expiry {
    struct match_op op;
    int64_t at_ms;
    size_t count;
    bool ended[TICKETS_AT_ONCE]; /* by this job */
    struct db_ticket tickets[TICKETS_AT_ONCE];
};

static struct expiry *expiry_of(struct db_job *job)
{
    static_assert(offsetof(struct expiry, op) == 0, "a command is its op");
    return (struct expiry *)op_of_job(job);
}

/* Unless it was asked for since it was looked at; matched or cancelled since: then that stands. */
static enum db_status end_one(struct db *db, struct expiry *expiry, size_t i)
{
    struct match *match = expiry->op.match;
    struct db_ticket ticket = expiry->tickets[i];
    int64_t heard_ms = queue_heard_ms(match->queue, ticket.ticket_no);
    enum db_status status = DB_NONE;
    if (ticket_expires_at(match, &ticket, heard_ms) <= expiry->at_ms) {
        ticket.ended_at_ms = expiry->at_ms;
        status = db_ticket_end(db, &ticket);
    }
    expiry->ended[i] = status == DB_OK;
    return status == DB_NONE ? DB_OK : status;
}

static enum db_status expiry_run(struct db_job *job, struct db *db)
{
    struct expiry *expiry = expiry_of(job);
    enum db_status status = DB_OK;
    expiry->op.status = MATCH_OK;
    for (size_t i = 0; status == DB_OK && i < expiry->count; i++) {
        status = end_one(db, expiry, i);
    }
    return status;
}

static void expiry_done(struct db_job *job, enum db_status status)
{
    struct expiry *expiry = expiry_of(job);
    for (size_t i = 0; status == DB_OK && i < expiry->count; i++) {
        if (expiry->ended[i]) {
            ticket_ended(expiry->op.match, expiry->tickets[i].ticket_no);
        }
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
            .player_no = ages[i].player_no,
            .created_at_ms = ages[i].created_at_ms,
            .status = "expired",
        };
        if (ticket_expires_at(match, &ticket, ages[i].heard_ms) > now_ms) {
            continue;
        }
        expiry = expiry == NULL ? calloc(1, sizeof *expiry) : expiry;
        if (expiry == NULL) {
            return; /* the next tick tries again */
        }
        expiry->at_ms = now_ms;
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
