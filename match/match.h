#ifndef MATCH_MATCH_H
#define MATCH_MATCH_H

/*
 * The service itself: identities, tickets, games and rankings, without HTTP, JSON or SQL.
 *
 * Reads answer at once on the caller's thread. Writes are commands: the caller fills the input
 * fields of a caller-owned struct and begins it; the answer is either there at once, or
 * MATCH_WAIT, and then `op.wake` is called exactly once, from another thread, when op.status and
 * the output fields are final. What a command acknowledges is committed.
 *
 * Threads: every function may be called from any thread.
 * Ownership: commands belong to the caller and must live until woken; views are values.
 */

#include "db/db.h"
#include "db/standings.h"
#include "db/writer.h"
#include "engine/rules.h"
#include "env.h"
#include "events.h"
#include "limits.h"
#include "ply.h"
#include "secrets.h"
#include "state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MATCH_NODISCARD __attribute__((warn_unused_result))

enum match_status {
    MATCH_OK,
    MATCH_REPEATED, /* done before: the same answer again */
    MATCH_WAIT,     /* begun; op.wake follows */
    MATCH_NOT_FOUND,
    MATCH_INVALID_TOKEN,
    MATCH_INVALID_NAME,
    MATCH_NOT_YOUR_SEAT,
    MATCH_SEAT_GIVEN_UP, /* for good: banned in the middle of the game */
    MATCH_NOT_THE_HOST,
    MATCH_NOT_YOUR_TURN,
    MATCH_STALE_PLY,
    MATCH_TURN_EXPIRED,
    MATCH_ILLEGAL_MOVE,
    MATCH_GAME_OVER,
    MATCH_RESIGN_NOT_ALLOWED,
    MATCH_CODE_GONE,
    MATCH_TOO_MANY_DEVICES,
    MATCH_GAME_RUNNING,
    MATCH_LEGAL_MOVES_HIDDEN,
    MATCH_WRONG_CODE,
    MATCH_TABLE_FULL,
    MATCH_TOO_MANY_TABLES,
    MATCH_SEAT_TAKEN,
    MATCH_SEAT_EMPTY,
    MATCH_UNKNOWN_FIELD,
    MATCH_INVALID_FIELD,
    MATCH_RATED_NEEDS_CLOCK,
    MATCH_NO_SUCH_PARTNER,
    MATCH_ALREADY_QUEUED,
    MATCH_ALREADY_MATCHED,
    MATCH_TOO_MANY_GAMES,
    MATCH_NO_SHOW,
    MATCH_IDEMPOTENCY_MISMATCH, /* the key stands for something else, or can no longer be used */
    MATCH_STORAGE_BUSY,
    MATCH_STORAGE_FULL,
    MATCH_STORAGE_READONLY,
    MATCH_QUERY_TIMEOUT,
    MATCH_INTEGRITY, /* the file is damaged */
    MATCH_SHUTTING_DOWN,
    MATCH_IN_DOUBT, /* the storage failed in storing it, and ends; it may be stored or not */
    MATCH_INTERNAL,
};

struct match;
struct match_receipt;
struct identity;

struct match_options {
    const char *db_path;
    size_t readers;           /* read-only connections: as many as threads that read */
    uint16_t turn_seconds[4]; /* the values tickets may ask for; 0 ends the list */
    uint32_t repeat_limit;
    int64_t cpu_delay_ms;  /* a CPU move comes no sooner after the ply before it */
    size_t cpu_workers;    /* threads that choose them; 0: none, and no turn ends by itself */
    int64_t absence_ms;    /* nothing heard of for so long where there is no turn time; 0: never */
    uint8_t absence_level; /* that plays for those who are not there, 1 to 8; 0: 1 */
    /* Nobody is served: for operators' commands alone. Tickets wait and turns stand as they were
     * left, and for the next start it is time without a service. */
    bool offline;
    /* Storage failed for good, in writing or in reading; called once, from any thread. Commands are
     * refused after it. */
    void (*on_fatal)(void *context, enum db_status status);
    void *context;
};

/* Opens the (prepared, migrated) file, makes or checks its server row (DB_DENIED: it belongs to
 * another key), starts writer, matchmaker and ticker.
 * `env` and `secrets` are borrowed and must outlive the match. */
MATCH_NODISCARD enum db_status match_open(const struct match_options *options,
                                          const struct match_env *env,
                                          const struct secrets *secrets, struct match **match);

/* From here on commands are refused with MATCH_SHUTTING_DOWN and long polls are woken. */
void match_stop(struct match *match);
/* Runs what was begun, closes everything, frees. Anything but DB_OK: what on_fatal was told, or
 * else why the storage could not be closed in order. Accepts NULL. */
MATCH_NODISCARD enum db_status match_close(struct match *match);

int64_t match_now_ms(const struct match *match);

/* A request that may make a move: taken down when it is complete, until what it asks is begun or
 * refused. No turn is judged late meanwhile whose deadline came after it. */
struct match_arrival {
    int64_t at_ms;   /* out: its time */
    bool taken_down; /* out */
    /* the module's */
    struct match_arrival *next;
    struct match_arrival *previous;
};
void match_arrive(struct match *match, struct match_arrival *arrival);
void match_arrived(struct match *match, struct match_arrival *arrival);

const struct secrets *match_secrets(const struct match *match);
/* The last link of the chain, for the log; MATCH_NOT_FOUND: it is empty. */
MATCH_NODISCARD enum match_status match_chain_head(struct match *match, struct db_link *link);

/* --- commands ------------------------------------------------------------------------------ */

struct match_op {
    struct db_job job;
    struct match *match;
    enum match_status status;
    void (*wake)(void *context);
    void *context;
    struct match_receipt *receipt; /* in: so that a repeat is answered alike (receipt.h); or NULL */
    /* in: by whose token it acts; NULL: nobody's. It lives as long as the command, whose job looks
     * at the token again: one that was ended meanwhile is MATCH_INVALID_TOKEN. */
    const struct identity *bearer;
    /* between */
    enum db_status (*run)(struct db_job *job, struct db *db);
    /* what it keeps out of the caches (service.h) */
    const struct game_id *held; /* games it writes to, in the command; or NULL */
    size_t held_count;
    bool held_seats;  /* their seats only */
    bool holds_games; /* all */
    const uint8_t *held_token;
    bool holds_tokens; /* all */
    int64_t tokens_of; /* the player whose it ends */
};

/* --- identity ------------------------------------------------------------------------------ */

struct identity {
    int64_t player_no;
    struct player_id player_id;
    int64_t device_no;
    struct device_id device_id;
    uint8_t token_id[DB_TOKEN_ID_BYTES];
    bool unnoted; /* the token's first use or the device's first request today: devices.h */
};

/* Who a bearer token stands for: MATCH_OK, MATCH_INVALID_TOKEN or a storage status. Counts as a
 * request by that player (presence). *ended: it is refused because it was rotated out: somebody
 * still has it. */
MATCH_NODISCARD enum match_status match_identify(struct match *match, const char *token,
                                                 size_t length, struct identity *identity,
                                                 bool *ended);

enum { MATCH_NETWORK_BYTES = 8 };

/* A new player with its first device. MATCH_REPEATED: made before with the same key; the token is a
 * fresh one, and the one before it void. */
struct match_register {
    struct match_op op;
    const char *wanted_name; /* in: NULL = a generated one; read by match_register_begin only */
    bool has_network;        /* in: where the request came from is known */
    uint8_t network[MATCH_NETWORK_BYTES];
    struct text_error name_error;   /* with MATCH_INVALID_NAME: why */
    struct db_player player;        /* out */
    struct db_device device;        /* out */
    char token[SECRETS_TOKEN_TEXT]; /* out; shown once, never stored */
};
enum match_status match_register_begin(struct match *match, struct match_register *command);

struct pool_view {
    char pool[DB_WORD_TEXT];
    struct db_rating rating; /* never rated: the start rating and zeros */
    bool provisional;
    int64_t rank; /* 0: not in the ranking */
};

/* --- games --------------------------------------------------------------------------------- */

struct rating_view {
    char seat[2];
    struct player_id player_id;
    int64_t before_milli;
    int64_t after_milli;
    int64_t delta_milli;
};

struct result_view {
    bool ended;
    char reason[DB_WORD_TEXT];
    bool draw;
    bool has_ranks; /* false: aborted */
    uint8_t ranks[DB_SEATS_MAX];
    char rating_status[DB_WORD_TEXT]; /* applied, unrated, void */
    size_t rating_count;
    struct rating_view ratings[DB_SEATS_MAX];
};

struct seat_view {
    struct db_seat row;
    bool present;
    struct seat_facts facts;
};

/* A game as it stands. Whoever asks for one says who it is, by `viewer_no` (0: nobody knows): to
 * others than its own people a private game is MATCH_NOT_FOUND. */
struct game_view {
    const struct game_rules *rules;
    struct game_options options;
    struct db_game game;
    bool check;             /* the seat on turn is in check */
    int64_t deadline_at_ms; /* as it is shown; 0: none */
    size_t seat_count;
    struct seat_view seats[DB_SEATS_MAX];
    size_t elimination_count;
    struct line_elimination eliminations[RULES_ELIMINATIONS_MAX];
    struct result_view result;
    bool has_replay_of;
    struct game_id replay_of;
    bool has_replayed_by;
    struct game_id replayed_by;
    bool has_rematch_of;
    struct game_id rematch_of;
    bool has_rematched_by;
    struct game_id rematched_by;
    int64_t now_ms;
};

/* Legal moves of a running game in byte order of their texts; none where nobody is to move. */
struct legal_view {
    bool is_private; /* the game */
    uint32_t ply;
    char turn[2];
    size_t count;
    char moves[RULES_MOVES_MAX][RULES_MOVE_TEXT_MAX];
};
/* `from` limits to moves whose text begins with it ("5i"); NULL: all. MATCH_LEGAL_MOVES_HIDDEN: the
 * table has turned them off. */
MATCH_NODISCARD enum match_status match_legal_moves(struct match *match, const struct game_id *id,
                                                    int64_t viewer_no, const char *from,
                                                    struct legal_view *view);

/* `legal` NULL: not asked for; else of the same state as the view. */
MATCH_NODISCARD enum match_status match_game(struct match *match, const struct game_id *id,
                                             int64_t viewer_no, struct game_view *view,
                                             struct legal_view *legal);

/* Stored moves over `after_ply`, oldest first. */
struct match_moves_query {
    int64_t viewer_no;
    uint32_t after_ply;
    bool is_private; /* out: the game is */
};
MATCH_NODISCARD enum match_status match_moves(struct match *match, const struct game_id *id,
                                              struct match_moves_query *query,
                                              struct db_move *moves, size_t max, size_t *count);

/* Private games are in the list of a player only, and only for those who may see them. */
struct match_game_filter {
    int64_t viewer_no;
    bool by_player;
    struct player_id player;
    bool by_opponent; /* needs by_player */
    struct player_id opponent;
    const char *game;
    const char *pool;
    const char *status;
    int64_t before_game_no; /* 0: from the newest */
};
/* A page of a list of games. It may be short, or empty, although the list goes on. */
struct game_page {
    size_t count;
    int64_t next_before; /* the before_game_no of the next page; 0: there is none */
    struct game_view views[LIMIT_PAGE];
};
/* At most `limit` games. An unknown player has none. */
MATCH_NODISCARD enum match_status match_games(struct match *match,
                                              const struct match_game_filter *filter, size_t limit,
                                              struct game_page *page);
/* The same of one player, who must be known and not erased: else MATCH_NOT_FOUND. */
MATCH_NODISCARD enum match_status match_player_games(struct match *match,
                                                     const struct match_game_filter *filter,
                                                     size_t limit, struct game_page *page);

/* The answer to a move: a function of the stored move and the state right after it. */
struct move_answer {
    const struct game_rules *rules;
    struct db_move move;
    size_t elimination_count;
    struct elimination eliminations[RULES_ELIMINATIONS_MAX];
    uint32_t seq;
    uint16_t turn_seconds;
    int64_t deadline_at_ms;    /* of the turn after it; 0: none */
    char status[DB_WORD_TEXT]; /* of the game, right after the move */
    char position[DB_POSITION_TEXT];
    char turn[2]; /* "": nobody */
    bool check;
    size_t seat_count;
    struct seat_facts facts[DB_SEATS_MAX];
    struct result_view result;
};

/* Where the game stands, for refusals. */
struct game_standing {
    char status[DB_WORD_TEXT];
    uint32_t ply;
    char turn[2];
};

struct match_move {
    struct match_op op;
    /* in */
    struct game_id game_id;
    int64_t player_no;
    uint32_t ply;
    char text[DB_MOVE_TEXT * 2 + 1]; /* at most 16 bytes + NUL */
    int64_t at_ms;                   /* when the request was complete */
    /* out */
    struct move_answer answer;     /* MATCH_OK, MATCH_REPEATED */
    struct game_standing standing; /* every refusal but not found and not your seat */
    struct illegal illegal;        /* MATCH_ILLEGAL_MOVE */
    /* between */
    struct ply made;
    int seat;     /* of the player */
    bool returns; /* the CPU has it: whatever comes of the move, it is the player's again */
    bool changed; /* the job wrote something */
};
enum match_status match_move_begin(struct match *match, struct match_move *command);

/* --- tickets ------------------------------------------------------------------------------- */

/* Partners sit opposite each other there, and a ticket may name one. */
bool pool_has_pairs(const struct game_rules *rules, const struct pool_rules *pool);

struct ticket_view {
    struct db_ticket row;
    int64_t expires_at_ms;
    bool has_window; /* it waits, and does not accept everybody yet */
    int64_t window_milli;
    bool has_estimate; /* it waits, and there is something to go by */
    int64_t estimate_ms;
};

/* Whom it meets is decided right after it is stored, or later. */
struct match_enqueue {
    struct match_op op;
    int64_t player_no;
    char pool[DB_WORD_TEXT];
    uint16_t turn_seconds;
    struct player_id partner; /* "": anybody; only in a pool with pairs */
    int64_t at_ms;
    struct ticket_view ticket; /* out: as it was taken, waiting */
    int64_t retry_at_ms;       /* out: with MATCH_NO_SHOW */
    /* between */
    struct ticket_id id;
    int64_t partner_no;
};
enum match_status match_enqueue_begin(struct match *match, struct match_enqueue *command);

struct match_cancel {
    struct match_op op;
    struct ticket_id ticket_id;
    int64_t player_no;
    int64_t at_ms;
    int64_t ticket_no; /* between */
};
enum match_status match_cancel_begin(struct match *match, struct match_cancel *command);

/* The owner's ticket (anybody else's is MATCH_NOT_FOUND); counts as its heartbeat. */
MATCH_NODISCARD enum match_status match_ticket(struct match *match, const struct ticket_id *id,
                                               int64_t player_no, struct ticket_view *view);

/* For a long poll of a ticket that was read: watch, then read again, then sleep, so that nothing is
 * missed. The caller fills deadline_ms, wake and context; it wakes once: when the ticket ends, at
 * the deadline, or when the service stops. */
void match_ticket_watch(struct match *match, const struct ticket_view *view,
                        struct event_waiter *waiter);
/* After this the waiter will not be woken. False: it was woken before. */
bool match_unwatch(struct match *match, struct event_waiter *waiter);

/* --- the caller's own ---------------------------------------------------------------------- */

enum { MATCH_POOLS_MAX = 4 };

/* Running games of a player. */
struct own_games {
    size_t count;
    int64_t numbers[LIMIT_GAMES_AT_ONCE];
    struct game_id ids[LIMIT_GAMES_AT_ONCE];
};

struct me_view {
    struct db_player player;
    size_t pool_count;
    struct pool_view pools[MATCH_POOLS_MAX]; /* every pool there is */
    bool has_ticket;
    struct ticket_view ticket;
    size_t game_count;
    struct game_view games[LIMIT_GAMES_AT_ONCE]; /* running, newest first */
};
MATCH_NODISCARD enum match_status match_me(struct match *match, int64_t player_no,
                                           struct me_view *view);

/* --- rankings ------------------------------------------------------------------------------ */

/* What rankings of a pool show changes only with this. */
struct pool_version {
    int64_t revision; /* counts the changes in this file */
    int64_t since_ms; /* of this run: a file may have been put back to an earlier state before it */
};
MATCH_NODISCARD enum match_status match_pool_version(struct match *match, const char *pool,
                                                     struct pool_version *version);

/* Which rows of a list a page shows. */
struct ranking_query {
    const char *pool;
    bool provisional;
    bool has_after;
    struct db_rank_key after;
    int64_t start_rank; /* without `after`: begins with the first row of this rank or a later one */
    int64_t active_days; /* over 0: leaves out who has not played today or these many days before */
};
/* Ranks and total are those of the whole list, whoever is left out. A page may be short, or empty,
 * although the list goes on. */
struct ranking_page {
    struct pool_version version;
    int64_t total; /* players in the list */
    int64_t as_of_ms;
    size_t count;
    bool goes_on;
    struct db_rank_key next;                    /* the `after` of the next page */
    struct db_ranking_row rows[LIMIT_PAGE + 1]; /* one more than is shown: whether it goes on */
};
/* At most `limit` rows; MATCH_NOT_FOUND: no such pool. */
MATCH_NODISCARD enum match_status match_ranking(struct match *match,
                                                const struct ranking_query *wanted, size_t limit,
                                                struct ranking_page *page);

struct standing_view {
    struct pool_version version;
    bool has_rank;
    int64_t rank;
    double percentile; /* share of listed players strictly below, 0..100 */
    struct db_player player;
    struct pool_view pool;
    size_t around_count;
    struct db_ranking_row around[2 * LIMIT_RADIUS + 1];
};
/* An erased player has none: MATCH_NOT_FOUND. */
MATCH_NODISCARD enum match_status match_standing(struct match *match, const char *pool,
                                                 const struct player_id *player, bool provisional,
                                                 size_t radius, struct standing_view *view);

#endif
