#include "match.h"

#include "arrivals.h"
#include "clocks.h"
#include "cpu.h"
#include "credit.h"
#include "queue.h"
#include "ratings/elo.h"
#include "receipt.h"
#include "rounds.h"
#include "server_row.h"
#include "service.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum db_status readers_open(struct readers *readers, const char *path, size_t count)
{
    pthread_mutex_init(&readers->lock, NULL);
    pthread_cond_init(&readers->returned, NULL);
    for (size_t i = 0; i < count; i++) {
        enum db_status status = db_open_reader(path, &readers->stack[i]);
        if (status != DB_OK) {
            return status;
        }
        readers->count++;
        readers->idle++;
    }
    return DB_OK;
}

static void readers_close(struct readers *readers)
{
    assert(readers->idle == readers->count);
    for (size_t i = 0; i < readers->count; i++) {
        db_close(readers->stack[i]);
    }
    pthread_cond_destroy(&readers->returned);
    pthread_mutex_destroy(&readers->lock);
}

struct db *reader_take(struct match *match)
{
    struct readers *readers = &match->readers;
    assert(!db_writer_is_here(match->writer));
    pthread_mutex_lock(&readers->lock);
    while (readers->idle == 0) {
        pthread_cond_wait(&readers->returned, &readers->lock);
    }
    struct db *db = readers->stack[--readers->idle];
    pthread_mutex_unlock(&readers->lock);
    return db;
}

/* Whoever meets it first. */
static void note_failure(struct match *match, enum db_status status)
{
    enum db_status none = DB_OK;
    if (atomic_compare_exchange_strong(&match->failure, &none, status)) {
        atomic_store(&match->stopping, true);
        match->options.on_fatal(match->options.context, status);
    }
}

void reader_give(struct match *match, struct db *db)
{
    struct readers *readers = &match->readers;
    enum db_status broken = db_broken(db);
    if (broken != DB_OK) {
        note_failure(match, broken);
    }
    pthread_mutex_lock(&readers->lock);
    readers->stack[readers->idle++] = db;
    pthread_cond_signal(&readers->returned);
    pthread_mutex_unlock(&readers->lock);
}

/* --- life ----------------------------------------------------------------------------------------
 */

static int64_t writer_now_ms(void *context)
{
    return match_now_ms(context);
}

static void writer_fatal(void *context, enum db_status status)
{
    note_failure(context, status);
}

/* Before anybody is served: no clock runs that was not there before. */
static enum db_status match_threads_open(struct match *match)
{
    int64_t last_stamp_ms = 0;
    enum db_status status = server_check(match, &last_stamp_ms);
    if (status != DB_OK || match->options.offline) {
        return status;
    }
    status = clocks_start(match, last_stamp_ms);
    if (status == DB_OK && match->options.cpu_workers > 0) {
        match->cpu = cpu_start(match);
        status = match->cpu == NULL ? DB_ERROR : DB_OK;
    }
    if (status == DB_OK) {
        match->ticker = rounds_start(match) ? ticker_start(match) : NULL;
        status = match->ticker == NULL ? DB_ERROR : DB_OK;
    }
    return status;
}

static enum db_status match_parts_open(struct match *match)
{
    match->states = state_cache_new();
    match->tokens = token_cache_new();
    match->events = events_new();
    match->players = calloc(1, sizeof *match->players);
    match->queue = queue_new();
    match->due = due_new();
    match->arrivals = arrivals_new();
    match->credit = credit_new(match);
    match->presence = presence_new();
    if (match->states == NULL || match->tokens == NULL || match->events == NULL ||
        match->players == NULL || match->queue == NULL || match->due == NULL ||
        match->arrivals == NULL || match->credit == NULL || match->presence == NULL) {
        return DB_ERROR;
    }
    struct db_writer_options writer = {
        .path = match->options.db_path,
        .now_ms = match->options.offline ? NULL : writer_now_ms,
        .on_fatal = writer_fatal,
        .context = match,
    };
    enum db_status status = db_writer_start(&writer, &match->writer);
    if (status == DB_OK) {
        status = readers_open(&match->readers, match->options.db_path, match->options.readers);
    }
    return status == DB_OK ? match_threads_open(match) : status;
}

enum db_status match_open(const struct match_options *options, const struct match_env *env,
                          const struct secrets *secrets, struct match **match)
{
    assert(options->readers >= 1 && options->readers <= READERS_MAX);
    assert(options->on_fatal != NULL);
    struct match *opened = calloc(1, sizeof *opened);
    if (opened == NULL) {
        return DB_ERROR;
    }
    opened->options = *options;
    opened->env = env;
    opened->secrets = secrets;
    opened->started_at_ms = match_now_ms(opened);
    if (opened->options.absence_level == 0) {
        opened->options.absence_level = LIMIT_CPU_LEVEL_DEFAULT;
    }
    atomic_init(&opened->stopping, false);
    atomic_init(&opened->failure, DB_OK);
    enum db_status status = match_parts_open(opened);
    if (status != DB_OK) {
        enum db_status closed = match_close(opened);
        (void)closed; /* what came first is what matters */
        return status;
    }
    *match = opened;
    return DB_OK;
}

void match_stop(struct match *match)
{
    atomic_store(&match->stopping, true);
    events_stop(match->events);
}

enum db_status match_close(struct match *match)
{
    if (match == NULL) {
        return DB_OK;
    }
    atomic_store(&match->stopping, true);
    ticker_stop(match->ticker);
    cpu_stop(match->cpu);
    rounds_stop(match->rounds);
    /* Readers first: a TRUNCATE checkpoint at the writer's end wants the file to itself. All else
     * that jobs and their `done` touch lives until they are over. */
    if (match->readers.count > 0) {
        readers_close(&match->readers);
    }
    enum db_status stopped = db_writer_stop(match->writer);
    enum db_status failure = atomic_load(&match->failure);
    presence_free(match->presence);
    cpu_free(match->cpu);
    credit_free(match->credit);
    arrivals_free(match->arrivals);
    due_free(match->due);
    free(match->made);
    rounds_free(match->rounds);
    queue_free(match->queue);
    free(match->players);
    events_free(match->events);
    token_cache_free(match->tokens);
    state_cache_free(match->states);
    free(match);
    return failure == DB_OK ? stopped : failure;
}

int64_t match_now_ms(const struct match *match)
{
    return match->env->now_ms(match->env->context);
}

void match_arrive(struct match *match, struct match_arrival *arrival)
{
    arrivals_add(match->arrivals, match->env, arrival);
}

void match_arrived(struct match *match, struct match_arrival *arrival)
{
    arrivals_remove(match->arrivals, arrival);
}

const struct secrets *match_secrets(const struct match *match)
{
    return match->secrets;
}

enum match_status match_chain_head(struct match *match, struct db_link *link)
{
    struct db *db = reader_take(match);
    enum db_status status = db_chain_last(db, link);
    reader_give(match, db);
    return match_status_of(status);
}

/* --- commands ------------------------------------------------------------------------------------
 */

enum match_status match_status_of(enum db_status status)
{
    switch (status) {
    case DB_OK: return MATCH_OK;
    case DB_NONE: return MATCH_NOT_FOUND;
    case DB_BUSY: return MATCH_STORAGE_BUSY;
    case DB_FULL: return MATCH_STORAGE_FULL;
    case DB_READONLY: return MATCH_STORAGE_READONLY;
    case DB_TIMEOUT: return MATCH_QUERY_TIMEOUT;
    case DB_CORRUPT: return MATCH_INTEGRITY;
    case DB_IN_DOUBT: return MATCH_IN_DOUBT;
    case DB_STOPPING:
    case DB_IO:
    case DB_FSYNC:
    case DB_MOVED: return MATCH_SHUTTING_DOWN;
    case DB_CONFLICT:
    case DB_FOREIGN:
    case DB_NEWER:
    case DB_OLDER:
    case DB_LOCKED:
    case DB_DENIED:
    case DB_ERROR: return MATCH_INTERNAL;
    }
    return MATCH_INTERNAL;
}

/* Jobs have run since the token was looked at. */
static enum db_status op_run(struct db_job *job, struct db *db)
{
    struct match_op *op = op_of_job(job);
    bool live = true;
    enum db_status status = op->bearer == NULL ? DB_OK : bearer_look(op, db, &live);
    if (status != DB_OK || !live) {
        op->status = MATCH_INVALID_TOKEN;
        return status;
    }
    bool kept = op->receipt != NULL && op->receipt->render != NULL;
    return kept ? receipt_run(job, db) : op->run(job, db);
}

enum match_status op_submit(struct match *match, struct match_op *op,
                            enum db_status (*run)(struct db_job *, struct db *),
                            void (*done)(struct db_job *, enum db_status))
{
    assert(op->wake != NULL);
    op->match = match;
    op->status = MATCH_WAIT;
    op->run = run;
    op->job.run = op_run;
    op->job.done = done;
    op->held = NULL;
    op->held_count = 0;
    op->held_seats = false;
    op->held_token = NULL;
    op->holds_tokens = false;
    op->tokens_of = 0;
    op->holds_games = false;
    if (atomic_load(&match->stopping)) {
        op->status = MATCH_SHUTTING_DOWN;
    } else if (!db_writer_submit(match->writer, &op->job)) {
        op->status = MATCH_STORAGE_BUSY;
    } else {
        /* The command may be over by now: it is not ours to read any more. */
        return MATCH_WAIT;
    }
    return op->status;
}

void op_hold(struct match_op *op, const struct game_id *id)
{
    if (op->held == NULL) {
        state_cache_hold(op->match->states, id);
        op->held = id;
        op->held_count = 1;
        op->held_seats = false;
    }
    assert(op->held == id);
}

enum db_status op_hold_seats(struct match_op *op, struct db *db, int64_t player_no,
                             struct own_games *games)
{
    struct db_game rows[LIMIT_GAMES_AT_ONCE];
    op_release(op, NULL); /* of a run that did not come to its end */
    enum db_status status = running_games(db, player_no, rows, &games->count);
    if (status != DB_OK) {
        return status;
    }
    for (size_t i = 0; i < games->count; i++) {
        games->ids[i] = rows[i].id;
        games->numbers[i] = rows[i].game_no;
        state_cache_hold_seats(op->match->states, &games->ids[i]);
    }
    op->held = games->ids;
    op->held_count = games->count;
    op->held_seats = true;
    return DB_OK;
}

void op_hold_games(struct match_op *op)
{
    if (!op->holds_games) {
        state_cache_hold_all(op->match->states);
        op->holds_games = true;
    }
}

void op_hold_token(struct match_op *op, const uint8_t id[DB_TOKEN_ID_BYTES])
{
    if (op->held_token == NULL) {
        token_cache_hold(op->match->tokens, id);
        op->held_token = id;
    }
    assert(op->held_token == id);
}

void op_hold_tokens(struct match_op *op, int64_t player_no)
{
    op->tokens_of = player_no;
    if (!op->holds_tokens) {
        token_cache_hold_all(op->match->tokens);
        op->holds_tokens = true;
    }
}

void op_release(struct match_op *op, struct game_state *now)
{
    struct state_cache *states = op->match->states;
    assert(now == NULL || !op->held_seats);
    for (size_t i = 0; op->held != NULL && i < op->held_count; i++) {
        if (op->held_seats) {
            state_cache_release_seats(states, &op->held[i]);
        } else {
            state_cache_release(states, &op->held[i], now);
        }
    }
    op->held = NULL;
    if (op->holds_games) {
        state_cache_release_all(states);
        op->holds_games = false;
    }
}

void op_finish(struct match_op *op, enum db_status status)
{
    op_release(op, NULL);
    clock_arm_made(op->match);
    if (op->held_token != NULL) {
        token_cache_release(op->match->tokens, op->held_token);
    }
    if (op->holds_tokens) {
        token_cache_release_all(op->match->tokens);
        events_publish(op->match->events, EVENT_TOKENS, op->tokens_of);
    }
    if (status != DB_OK) {
        op->status = match_status_of(status);
    }
    assert(op->status != MATCH_WAIT);
    op->wake(op->context);
}

struct match_op *op_of_job(struct db_job *job)
{
    static_assert(offsetof(struct match_op, job) == 0, "a job is its op");
    return (struct match_op *)job;
}

/* --- small shared things -------------------------------------------------------------------------
 */

int seat_of_player(const struct db_seat *seats, size_t count, int64_t player_no)
{
    for (size_t i = 0; i < count; i++) {
        if (seats[i].player_no == player_no) {
            return (int)i;
        }
    }
    return RULES_SEAT_NONE;
}

bool owner_is_gone(const struct db_seat *seat)
{
    return seat->player_no != 0 && (!seat->has_name || seat->banned);
}

enum db_status rating_or_start(struct db *db, int64_t player_no, const char *pool,
                               struct db_rating *rating)
{
    enum db_status status = db_rating_load(db, player_no, pool, rating);
    if (status != DB_NONE) {
        return status;
    }
    *rating = (struct db_rating){
        .player_no = player_no,
        .rating_milli = ELO_START_MILLI,
        .list = DB_PROVISIONAL,
    };
    (void)snprintf(rating->pool, sizeof rating->pool, "%s", pool);
    return DB_OK;
}
