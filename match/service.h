#ifndef MATCH_SERVICE_H
#define MATCH_SERVICE_H

/*
 * What the files of this folder share: the service object, its read connections, the frame of
 * every command. Not for the layers above; match.h is.
 *
 * Threads: the object is shared by all; what changes in it is atomic or has its own lock.
 */

#include "counts.h"
#include "due.h"
#include "match.h"
#include "presence.h"
#include "recency.h"
#include "ticker.h"
#include "token_cache.h"

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
    struct state_cache *states;
    struct token_cache *tokens;
    struct events *events;
    struct recency *players; /* last request of a player */
    struct presence *presence;
    struct queue *queue;
    struct rounds *rounds;
    struct ticker *ticker;
    struct due *due; /* which games to look at when */
    struct arrivals *arrivals;
    struct credit *credit;
    struct cpu *cpu;
    struct counts counts;
    struct due_game *made; /* the writer's: games of this batch, to be armed once it is over */
    size_t made_count;
    size_t made_room;
    _Atomic bool folding;  /* a batch of names is on its way to be folded */
    int64_t started_at_ms; /* counts as a request by everybody */
    _Atomic bool stopping;
    _Atomic(enum db_status) failure; /* what on_fatal was told; DB_OK: nothing */
};

/* A read connection for a moment; waits where all are in use. Never on the writer's thread: nobody
 * would write meanwhile, and readers are closed before its last jobs are done. */
struct db *reader_take(struct match *match);
void reader_give(struct match *match, struct db *db); /* on_fatal hears of a broken file */

/* Storage failures in the domain's words. DB_OK is MATCH_OK, DB_NONE is MATCH_NOT_FOUND. */
enum match_status match_status_of(enum db_status status);

/* Queues a command whose `op` is already its own in every other respect. */
enum match_status op_submit(struct match *match, struct match_op *op,
                            enum db_status (*run)(struct db_job *, struct db *),
                            void (*done)(struct db_job *, enum db_status));
/* Around what a job writes to a game (state.h): the hold is released by op_release with the state
 * that was committed, or at the latest by op_finish. `id` lives in the command. */
void op_hold(struct match_op *op, const struct game_id *id);
/* Around what it writes about a player whom running games show; `games` lives in the command. */
enum db_status op_hold_seats(struct match_op *op, struct db *db, int64_t player_no,
                             struct own_games *games);
/* Around what it writes about one token, or who may do what; `id` lives in the command. */
void op_hold_token(struct match_op *op, const uint8_t id[DB_TOKEN_ID_BYTES]);
/* All, for some of this player's are about to end; their streams hear of it. */
void op_hold_tokens(struct match_op *op, int64_t player_no);
/* Around what it writes to running games as it finds them. */
void op_hold_games(struct match_op *op);
void op_release(struct match_op *op, struct game_state *now);

/* The end of every `done`: storage failures into op.status, then the wake. */
void op_finish(struct match_op *op, enum db_status status);

/* The command that embeds an op as its first member. */
struct match_op *op_of_job(struct db_job *job);

/* A token's row with whom it stands for, from the cache or stored. DB_NONE: no such token. */
enum db_status identity_find(struct match *match, const uint8_t id[DB_TOKEN_ID_BYTES],
                             struct db_identity *identity);
/* Inside the job: whether the token it acts by is still one. */
enum db_status bearer_look(struct match_op *op, struct db *db, bool *live);

/* The job of a command whose answer is kept (receipt.h). */
enum db_status receipt_run(struct db_job *job, struct db *db);
/* For commands that answer a token: the device that the same request made before. DB_NONE: it is
 * new, or has no key. DB_OK: op.status is MATCH_OK, or the refusal. */
enum db_status receipt_find_device(struct match_op *op, struct db *db, int64_t *device_no);
/* The device that it made; nothing where there is no key. */
enum db_status receipt_keep_device(struct match_op *op, struct db *db, int64_t device_no);

/* A player's new device with its token; with a key, kept as what the request has done. */
enum db_status device_add(struct match_op *op, struct db *db, struct db_device *device,
                          char token[SECRETS_TOKEN_TEXT]);
/* What the same request made before, with a fresh token in the place of one that was never used.
 * DB_NONE: nothing. DB_OK: op.status is MATCH_REPEATED, or the refusal. */
enum db_status device_again(struct match_op *op, struct db *db, struct db_player *player,
                            struct db_device *device, char token[SECRETS_TOKEN_TEXT]);

/* A player's standing in a pool, or the start rating. */
enum db_status rating_or_start(struct db *db, int64_t player_no, const char *pool,
                               struct db_rating *rating);

/* The same as people see it; the rank is the caller's to find. */
enum db_status pool_view_fill(struct db *db, int64_t player_no, const char *pool,
                              struct pool_view *view);

/* That of every pool there is. */
enum db_status pools_fill(struct db *db, int64_t player_no, struct pool_view pools[MATCH_POOLS_MAX],
                          size_t *count);

/* Where a game stands, for a refusal. */
void standing_note(const struct db_game *game, struct game_standing *standing);

/* A view of a stored game on this connection. */
enum db_status view_fill(struct match *match, struct db *db, const struct db_game *game,
                         struct game_view *view);

/* Whether a player (0: nobody that is known) may see a game: DB_OK or DB_NONE. `db` NULL: on a read
 * connection, if it takes one. */
enum db_status game_seen_by(struct match *match, struct db *db, const struct db_game *game,
                            int64_t player_no);
/* What a player without a seat is told who wants to do something in a game. */
enum match_status game_refuses(struct match *match, struct db *db, const struct db_game *game,
                               int64_t player_no);

/* A player's seat among a game's rows, or RULES_SEAT_NONE. */
int seat_of_player(const struct db_seat *seats, size_t count, int64_t player_no);
/* Erased, or banned now. The CPU's own seats have no owner who could be. */
bool owner_is_gone(const struct db_seat *seat);

/* The committed state of a game, from the cache or stored rows; a running one is then cached.
 * DB_NONE: no such game. */
enum db_status state_find(struct match *match, const struct game_id *id, struct game_state **state);

/* Whether a player (0: the CPU) may have one more running game: else op.status is
 * MATCH_TOO_MANY_GAMES, which is left as it is where there is room. */
enum db_status one_more_game(struct match_op *op, struct db *db, int64_t player_no);
/* All running games that a player has a seat in, newest first. */
enum db_status running_games(struct db *db, int64_t player_no,
                             struct db_game games[LIMIT_GAMES_AT_ONCE], size_t *count);
/* Views of them. */
enum db_status games_of_player(struct match *match, struct db *db, int64_t player_no,
                               struct game_view views[LIMIT_GAMES_AT_ONCE], size_t *count);

/* Takes a player's ratings out of the rankings. */
enum db_status player_hide(struct db *db, int64_t player_no);
/* Cancels a player's waiting ticket; *ticket_no 0: there was none. */
enum db_status player_leave_queue(struct db *db, int64_t player_no, int64_t at_ms,
                                  int64_t *ticket_no);

/* How an ended game ended, from its rows. */
enum db_status result_view_load(struct db *db, const struct db_game *game,
                                const struct db_seat *seats, size_t count,
                                struct result_view *view);

/* What an operator has taken back since: in the view, and in the row as it is shown. */
enum db_status result_view_void(struct db *db, struct db_game *game, struct result_view *view);

/* The UTC day of a time, as device.last_used_on has it. */
void device_day(int64_t at_ms, char day[DB_DAY_TEXT]);

/* What match_me answers, on this connection. */
enum db_status me_load(struct match *match, struct db *db, int64_t player_no, struct me_view *view);
/* After the commit of an end or a void: wakes who waits for results. */
void result_publish(struct match *match);
/* After every commit that raised a game's seq: wakes who watches it. */
void game_publish(struct match *match, int64_t game_no);
/* After the commit of an end, which the job held: everybody learns of it. */
void game_over_publish(struct match_op *op, const struct game_rows *rows,
                       const struct table_news *news);

/* What the rankings of a pool show now, on this connection. */
enum db_status pool_version_load(const struct match *match, struct db *db, const char *pool,
                                 struct pool_version *version);

/* When a waiting ticket will be given up if nobody asks for it any more; `heard_ms`: when somebody
 * last did (queue.h). */
int64_t ticket_expires_at(struct match *match, const struct db_ticket *ticket, int64_t heard_ms);

/* What is true of a ticket's row at this time: fills the rest of the view. */
void ticket_look(struct match *match, int64_t now_ms, struct ticket_view *view);
/* After the commit of its end, whatever that is: out of the queue, and whoever waits for it wakes.
 */
void ticket_ended(struct match *match, int64_t ticket_no);

/* Ends waiting tickets whose time has come; called by the ticker. */
void tickets_expire(struct match *match);

/* Folds some of the names that were not folded when they were stored; called by the ticker. False:
 * there seem to be no more of them now. */
bool names_fold(struct match *match);

#endif
