#include "origin.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { HOUR_MS = 60 * 60 * 1000 };

int64_t origin_hour(int64_t at_ms)
{
    return at_ms / HOUR_MS;
}

/* The hour is in the hash as well: what two hours have in common is not to be seen. */
struct db_origin origin_hash(const struct match *match, const uint8_t *network, int64_t at_ms)
{
    struct db_origin origin = {.hour = origin_hour(at_ms)};
    uint8_t bytes[MATCH_NETWORK_BYTES + sizeof origin.hour];
    static_assert(sizeof origin.hash == SECRETS_MAC_BYTES, "the hash is a MAC");
    memcpy(bytes, network, MATCH_NETWORK_BYTES);
    memcpy(bytes + MATCH_NETWORK_BYTES, &origin.hour, sizeof origin.hour);
    secrets_mac(match->secrets, "registration-origin", bytes, sizeof bytes, origin.hash);
    return origin;
}

/* --- forgetting ----------------------------------------------------------------------------------
 */

static enum db_status forget_run(struct db_job *job, struct db *db)
{
    struct match_op *op = op_of_job(job);
    op->status = MATCH_OK;
    return db_origins_forget(db, origin_hour(match_now_ms(op->match)) - LIMIT_ORIGIN_HOURS);
}

static void forget_done(struct db_job *job, enum db_status status)
{
    op_finish(op_of_job(job), status);
}

void origins_forget(struct match *match)
{
    struct match_op *op = calloc(1, sizeof *op);
    if (op == NULL) {
        return; /* the next hour tries again */
    }
    op->wake = free;
    op->context = op;
    if (op_submit(match, op, forget_run, forget_done) != MATCH_WAIT) {
        free(op);
    }
}
