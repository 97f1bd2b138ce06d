#ifndef MATCH_SERVICE_H
#define MATCH_SERVICE_H

/*
 * What the files of this folder share: the service object, its read connections, the frame of
 * every command. Not for the layers above; match.h is.
 *
 * Threads: the object is shared by all; what changes in it is atomic or has its own lock.
 */

#include "match.h"
#include "recency.h"
#include "ticker.h"

#include <pthread.h>

enum { READERS_MAX = 64 };

struct readers {
    pthread_mutex_t lock;
    pthread_cond_t returned;
    size_t count;
    size_t idle;
    struct db *stack[READERS_MAX]; /* [0, idle) are free */
};

struct match {
    struct match_options options;
    const struct match_env *env;
    const struct secrets *secrets;
    struct readers readers;
    struct db_writer *writer;
    struct line_cache *lines;
    struct events *events;
    struct recency *players; /* last request of a player */
    struct recency *tickets; /* last heartbeat of a ticket */
    struct ticker *ticker;
    int64_t started_at_ms; /* counts as a request by everybody */
    _Atomic bool stopping;
};

/* A read connection for a moment; waits where all are in use. */
struct db *reader_take(struct match *match);
void reader_give(struct match *match, struct db *db);

/* Storage failures in the domain's words. DB_OK is MATCH_OK, DB_NONE is MATCH_NOT_FOUND. */
enum match_status match_status_of(enum db_status status);

/* Queues a command whose `op` is already its own in every other respect. */
enum match_status op_submit(struct match *match, struct match_op *op,
                            enum db_status (*run)(struct db_job *, struct db *),
                            void (*done)(struct db_job *, enum db_status));
/* The end of every `done`: storage failures into op.status, then the wake. */
void op_finish(struct match_op *op, enum db_status status);

/* The command that embeds an op as its first member. */
struct match_op *op_of_job(struct db_job *job);

bool player_is_present(struct match *match, int64_t player_no, int64_t now_ms);

/* A player's standing in a pool, or the start rating. */
enum db_status rating_or_start(struct db *db, int64_t player_no, const char *pool,
                               struct db_rating *rating);

/* The same as people see it; the rank is the caller's to find. */
enum db_status pool_view_fill(struct db *db, int64_t player_no, const char *pool,
                              struct pool_view *view);

/* A view of a stored game on this connection. */
enum db_status view_fill(struct match *match, struct db *db, const struct db_game *game,
                         struct game_view *view);

/* A player's seat among a game's rows, or RULES_SEAT_NONE. */
int seat_of_player(const struct db_seat *seats, size_t count, int64_t player_no);

/* The line of a stored game at its stored ply, from the cache or replayed. Does not fill the
 * cache: on the writer's connection the game may be ahead of what is committed. */
enum db_status line_at(struct match *match, struct db *db, const struct db_game *game,
                       struct game_line **line);

/* Views of a player's running games, newest first. */
enum db_status games_of_player(struct match *match, struct db *db, int64_t player_no,
                               struct game_view *views, size_t max, size_t *count);

/* How an ended game ended, from its rows. */
enum db_status result_view_load(struct db *db, const struct db_game *game,
                                const struct db_seat *seats, size_t count,
                                struct result_view *view);

/* When a waiting ticket will be given up if nobody asks for it. */
int64_t ticket_expires_at(struct match *match, const struct db_ticket *ticket);

/* Ends waiting tickets whose time has come; called by the ticker. */
void tickets_expire(struct match *match);

#endif
