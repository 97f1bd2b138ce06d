#include "credit.h"

#include "clocks.h"
#include "db/clocks.h"
#include "waited.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

enum { STOOD_STILL_MS = 2000, STAMP_MS = 2000, AT_ONCE = 64 };

struct credit {
    struct match *match;
    pthread_mutex_t lock;
    int64_t looked_ms; /* steady */
    int64_t owed_ms;   /* since the start */
    int64_t queued_ms; /* of it: jobs are on their way with it, or have stored it */
    int64_t stamped_ms;
    uint64_t stamps; /* that there are, with the one that was queued then */
};

struct credit *credit_new(struct match *match)
{
    struct credit *credit = calloc(1, sizeof *credit);
    if (credit == NULL) {
        return NULL;
    }
    pthread_mutex_init(&credit->lock, NULL);
    credit->match = match;
    credit->looked_ms = env_steady_ms(match->env);
    return credit;
}

void credit_free(struct credit *credit)
{
    if (credit != NULL) {
        pthread_mutex_destroy(&credit->lock);
        free(credit);
    }
}

/* --- a pause -------------------------------------------------------------------------------------
 */

struct pause {
    struct match_op op;
    struct db_credit credit;
    size_t count; /* games with a clock, which it may have changed */
    size_t room;
    int64_t *games;
};

static bool pause_add(struct pause *pause, int64_t game_no)
{
    if (pause->count == pause->room) {
        size_t room = pause->room == 0 ? AT_ONCE : pause->room * 2;
        int64_t *games = realloc(pause->games, room * sizeof *games);
        if (games == NULL) {
            return false;
        }
        pause->games = games;
        pause->room = room;
    }
    pause->games[pause->count++] = game_no;
    return true;
}

/* Whoever watches one of them is told. */
static enum db_status note_games(struct db *db, struct pause *pause)
{
    struct db_clock clocks[AT_ONCE];
    int64_t after = 0;
    size_t count = AT_ONCE;
    pause->count = 0;
    while (count == AT_ONCE) {
        enum db_status status = db_clocks(db, after, clocks, AT_ONCE, &count);
        if (status != DB_OK) {
            return status;
        }
        for (size_t i = 0; i < count; i++) {
            after = clocks[i].game_no;
            bool runs = !clocks[i].cpu && clocks[i].deadline_at_ms != 0;
            if (runs && !pause_add(pause, after)) {
                return DB_ERROR;
            }
        }
    }
    return DB_OK;
}

static enum db_status pause_run(struct db_job *job, struct db *db)
{
    struct pause *pause = (struct pause *)op_of_job(job);
    op_hold_games(&pause->op);
    pause->op.status = MATCH_OK;
    enum db_status status = db_clocks_credit(db, &pause->credit);
    return status == DB_OK ? note_games(db, pause) : status;
}

static void pause_done(struct db_job *job, enum db_status status)
{
    struct pause *pause = (struct pause *)op_of_job(job);
    struct match *match = pause->op.match;
    struct credit *credit = match->credit;
    op_release(&pause->op, NULL);
    if (status == DB_OK) {
        for (size_t i = 0; i < pause->count; i++) {
            game_publish(match, pause->games[i]);
        }
    } else {
        pthread_mutex_lock(&credit->lock);
        credit->queued_ms -= pause->credit.amount_ms;
        pthread_mutex_unlock(&credit->lock);
    }
    op_finish(&pause->op, status);
}

static void pause_free(void *context)
{
    struct pause *pause = context;
    free(pause->games);
    free(pause);
}

/* False: not now; what is owed stays owed. */
static bool pause_queue(struct match *match, int64_t amount_ms)
{
    struct pause *pause = calloc(1, sizeof *pause);
    if (pause == NULL) {
        return false;
    }
    pause->credit = (struct db_credit){amount_ms, match_now_ms(match), "pause"};
    pause->op.wake = pause_free;
    pause->op.context = pause;
    if (op_submit(match, &pause->op, pause_run, pause_done) != MATCH_WAIT) {
        pause_free(pause);
        return false;
    }
    return true;
}

/* The lock is held until the job is queued, so that no verdict of another thread overtakes it. */
void credit_settle(struct credit *credit)
{
    pthread_mutex_lock(&credit->lock);
    int64_t now_ms = env_steady_ms(credit->match->env);
    int64_t gap_ms = now_ms - credit->looked_ms;
    credit->looked_ms = now_ms;
    if (gap_ms > STOOD_STILL_MS) {
        credit->owed_ms += gap_ms;
    }
    int64_t amount_ms = credit->owed_ms - credit->queued_ms;
    assert(amount_ms >= 0);
    if (amount_ms > 0 && pause_queue(credit->match, amount_ms)) {
        credit->queued_ms += amount_ms;
    }
    pthread_mutex_unlock(&credit->lock);
}

/* --- a restart -----------------------------------------------------------------------------------
 */

struct restart {
    struct waited_job waited;
    struct db_credit credit;
};

static enum db_status restart_run(struct db_job *job, struct db *db)
{
    const struct restart *restart = (const struct restart *)job;
    return db_clocks_credit(db, &restart->credit);
}

enum db_status credit_restart(struct match *match, int64_t last_stamp_ms)
{
    int64_t now_ms = match->started_at_ms;
    int64_t downtime_ms = now_ms > last_stamp_ms ? now_ms - last_stamp_ms : 0;
    struct restart restart = {
        .credit = {downtime_ms, now_ms, "restart"}
    };
    return waited_write(match, &restart.waited, restart_run);
}

/* --- the stamp -----------------------------------------------------------------------------------
 */

struct stamp {
    struct match_op op;
};

static enum db_status stamp_run(struct db_job *job, struct db *db)
{
    struct match_op *op = op_of_job(job);
    op->status = MATCH_OK;
    return db_server_stamp(db, match_now_ms(op->match));
}

static void stamp_done(struct db_job *job, enum db_status status)
{
    op_finish(op_of_job(job), status);
}

static void stamp_queue(struct match *match)
{
    struct stamp *stamp = calloc(1, sizeof *stamp);
    if (stamp == NULL) {
        return; /* the next time will do */
    }
    stamp->op.wake = free;
    stamp->op.context = stamp;
    if (op_submit(match, &stamp->op, stamp_run, stamp_done) != MATCH_WAIT) {
        free(stamp);
    }
}

void credit_stamp(struct credit *credit)
{
    struct match *match = credit->match;
    struct db_writer_stats stats;
    int64_t now_ms = env_steady_ms(match->env);
    if (now_ms - credit->stamped_ms < STAMP_MS) {
        return;
    }
    credit->stamped_ms = now_ms;
    db_writer_stats(match->writer, &stats);
    bool stale = stats.stamps <= credit->stamps;
    credit->stamps = stats.stamps;
    if (stale && due_count(match->due) > 0) {
        stamp_queue(match);
        credit->stamps++;
    }
}
