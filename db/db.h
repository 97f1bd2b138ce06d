#ifndef DB_DB_H
#define DB_DB_H

/*
 * Storage: rows as plain structs, one function per need. SQL stays in this folder; the functions
 * are written once over the driver of driver.h.
 *
 * Threads: a `struct db` is one connection and belongs to one thread at a time. Writing functions
 * are called on the writer's connection, inside its transaction (writer.h); reading functions on
 * any connection.
 * Ownership: rows are caller-owned values; no function keeps or returns pointers into storage.
 * Failure: out-parameters are written on DB_OK only. Lists write at most `max` rows and say how
 * many in *count; an empty list is DB_OK.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DB_NODISCARD __attribute__((warn_unused_result))

enum {
    DB_ID_TEXT = 29, /* "g_" + 26 characters + NUL */
    DB_SEATS_MAX = 4,
    DB_NAME_TEXT = 97,                 /* 24 characters of UTF-8 + NUL */
    DB_FOLDED_TEXT = 4 * DB_NAME_TEXT, /* folding makes some letters longer */
    DB_WORD_TEXT = 16,                 /* enum words, seats, pool and game keys */
    DB_OPTIONS_TEXT = 160,
    DB_POSITION_TEXT = 512,
    DB_MOVE_TEXT = 8,
    DB_SQUARES_TEXT = 32,
    DB_SET_TEXT = 88,
    DB_DAY_TEXT = 11, /* "2026-11-30" + NUL, UTC */
    DB_TOKEN_ID_BYTES = 8,
    DB_HASH_BYTES = 32,
    DB_CODE_HASH_BYTES = 16,
    DB_KEY_ID_TEXT = 17,
    DB_PATH_MAX = 4096,
    DB_APPLICATION_ID = 0x42616e7a, /* "Banz" */
};

enum db_status {
    DB_OK,
    DB_NONE,     /* no such row */
    DB_CONFLICT, /* a constraint of the schema refused it */
    DB_BUSY,     /* a foreign lock outlasted the deadline: try again later */
    DB_FULL,     /* no space */
    DB_READONLY,
    DB_TIMEOUT,  /* a read that ran over its budget */
    DB_STOPPING, /* the writer takes nothing more */
    DB_IO,       /* after this nothing may be acknowledged */
    DB_FSYNC,    /* likewise: what was written may not be on the disk */
    DB_IN_DOUBT, /* a job whose COMMIT met one of these: stored or not, the next start will tell */
    DB_CORRUPT,
    DB_MOVED,   /* the file is no longer where it was opened */
    DB_FOREIGN, /* a file that is not Banzuke's */
    DB_NEWER,   /* a schema newer than this build */
    DB_OLDER,   /* a schema that this build would migrate first */
    DB_LOCKED,  /* another process serves this file */
    DB_DENIED,  /* cannot be created or opened for writing */
    DB_ERROR,   /* our bug */
};

/* One English line for people and logs. */
const char *db_status_text(enum db_status status);

struct public_id {
    char text[DB_ID_TEXT];
};
struct player_id {
    struct public_id id;
};
struct device_id {
    struct public_id id;
};
struct game_id {
    struct public_id id;
};
struct ticket_id {
    struct public_id id;
};
struct table_id {
    struct public_id id;
};

/* --- opening ------------------------------------------------------------------------------- */

struct db;

/* What db_prepare found, did or failed on, in one line for people. */
struct db_report {
    char text[512];
    bool created; /* the file is new */
};

/* Takes the lock file `<path>.lock` (kept until db_unlock), refuses foreign, newer and corrupt
 * files without touching them, creates a missing file (unless its WAL or a hot journal is still
 * there: DB_CORRUPT), migrates an older one in one transaction a migration, after a copy
 * of it was made at `<path>.before-NNNN` (the first of them). quick_check runs here for files under
 * 256 MiB; *check_later says that the caller owes db_quick_check. */
struct db_lock;
DB_NODISCARD enum db_status db_prepare(const char *path, int64_t now_ms, struct db_lock **lock,
                                       bool *check_later, struct db_report *report);
void db_unlock(struct db_lock *lock);

/* For served reads of a file that db_prepare has let through; each has a budget of time. */
DB_NODISCARD enum db_status db_open_reader(const char *path, struct db **db);
/* For db_quick_check while the file is served: like a reader, without the budget. */
DB_NODISCARD enum db_status db_open_checker(const char *path, struct db **db);
/* For verify: refuses like db_prepare and with a report, but a missing file is DB_DENIED and an
 * older one DB_OLDER, and a file that cannot be written is good enough. No lock, no budget. Only
 * while this process has no other connection to the file. */
DB_NODISCARD enum db_status db_open_inspector(const char *path, struct db **db,
                                              struct db_report *report);
/* Leaves beside the file what was there before: no -wal and -shm where there were none, unless
 * somebody else has it open by now. */
void db_close_inspector(struct db *db, const char *path);
void db_close(struct db *db);
/* The first failure of the file itself that this connection met: DB_IO, DB_FSYNC, DB_CORRUPT or
 * DB_MOVED; DB_OK: none. */
enum db_status db_broken(const struct db *db);

/* PRAGMA quick_check on this connection: DB_OK or DB_CORRUPT with the first finding. */
DB_NODISCARD enum db_status db_quick_check(struct db *db, struct db_report *report);

/* A read transaction, so that several reads see one state. Short: it pins the WAL. */
DB_NODISCARD enum db_status db_read_begin(struct db *db);
void db_read_end(struct db *db);

/* --- server row ---------------------------------------------------------------------------- */

struct db_server {
    char key_id[DB_KEY_ID_TEXT];
    int64_t created_at_ms;
    int64_t last_stamp_ms;
};
DB_NODISCARD enum db_status db_server_load(struct db *db, struct db_server *server);
DB_NODISCARD enum db_status db_server_insert(struct db *db, const struct db_server *server);
DB_NODISCARD enum db_status db_server_stamp(struct db *db, int64_t now_ms);

/* --- players, devices, tokens -------------------------------------------------------------- */

struct db_player {
    int64_t player_no;
    struct player_id id;
    bool has_name; /* false: erased */
    char name[DB_NAME_TEXT];
    int64_t created_at_ms;
    char name_folded[DB_FOLDED_TEXT]; /* only to insert and in lists by name; "": written later */
    int64_t banned_at_ms;             /* 0: not banned */
};
struct db_device {
    int64_t device_no;
    struct device_id id;
    int64_t player_no;
    int64_t created_at_ms;
    char last_used_on[DB_DAY_TEXT]; /* "": never */
    int64_t revoked_at_ms;          /* 0: in use */
};
struct db_token {
    uint8_t token_id[DB_TOKEN_ID_BYTES];
    uint8_t token_hash[DB_HASH_BYTES];
    uint8_t key_slot;
    int64_t device_no;
    int64_t created_at_ms;
    int64_t used_at_ms; /* first use; 0: never */
    int64_t ends_at_ms; /* 0: no end */
};
/* A token with whom it stands for. */
struct db_identity {
    struct db_token token;
    struct device_id device_id;
    int64_t player_no;
    struct player_id player_id;
    char last_used_on[DB_DAY_TEXT]; /* of the device */
};
/* One a player; only a keyed hash of the code is kept. */
struct db_link_code {
    int64_t player_no;
    uint8_t code_hash[DB_CODE_HASH_BYTES];
    int64_t expires_at_ms;
};
/* Inserts set the row number in *player, *device. */
DB_NODISCARD enum db_status db_player_insert(struct db *db, struct db_player *player);
DB_NODISCARD enum db_status db_device_insert(struct db *db, struct db_device *device);
DB_NODISCARD enum db_status db_token_insert(struct db *db, const struct db_token *token);
/* DB_NONE also for a banned player's. */
DB_NODISCARD enum db_status db_identity_find(struct db *db,
                                             const uint8_t token_id[DB_TOKEN_ID_BYTES],
                                             struct db_identity *identity);
DB_NODISCARD enum db_status db_player_find(struct db *db, const struct player_id *id,
                                           struct db_player *player);
DB_NODISCARD enum db_status db_player_load(struct db *db, int64_t player_no,
                                           struct db_player *player);
/* "": the name goes. */
DB_NODISCARD enum db_status db_player_rename(struct db *db, int64_t player_no, const char *name);

DB_NODISCARD enum db_status db_device_find(struct db *db, const struct device_id *id,
                                           struct db_device *device);
DB_NODISCARD enum db_status db_device_load(struct db *db, int64_t device_no,
                                           struct db_device *device);
/* In use, oldest first, device numbers over `after`. */
DB_NODISCARD enum db_status db_devices_of(struct db *db, int64_t player_no, int64_t after,
                                          struct db_device *devices, size_t max, size_t *count);
DB_NODISCARD enum db_status db_device_used(struct db *db, int64_t device_no, const char *day);
/* With their tokens: of one device, of all of a player's. */
DB_NODISCARD enum db_status db_device_revoke(struct db *db, int64_t device_no, int64_t at_ms);
DB_NODISCARD enum db_status db_devices_revoke(struct db *db, int64_t player_no, int64_t at_ms);

/* The first use of a token; an end, where none was earlier. */
DB_NODISCARD enum db_status db_token_used(struct db *db, const uint8_t token_id[DB_TOKEN_ID_BYTES],
                                          int64_t at_ms);
DB_NODISCARD enum db_status db_token_end(struct db *db, const uint8_t token_id[DB_TOKEN_ID_BYTES],
                                         int64_t at_ms);
/* The other tokens of a device: whether some live; an end; those never used go; those that ended
 * before go; all go. */
DB_NODISCARD enum db_status db_tokens_others(struct db *db, int64_t device_no,
                                             const uint8_t token_id[DB_TOKEN_ID_BYTES],
                                             int64_t at_ms, bool *found);
DB_NODISCARD enum db_status db_tokens_end_others(struct db *db, int64_t device_no,
                                                 const uint8_t token_id[DB_TOKEN_ID_BYTES],
                                                 int64_t at_ms);
DB_NODISCARD enum db_status db_tokens_drop_unused(struct db *db, int64_t device_no,
                                                  const uint8_t token_id[DB_TOKEN_ID_BYTES]);
DB_NODISCARD enum db_status db_tokens_drop_ended(struct db *db, int64_t device_no,
                                                 int64_t before_ms);
DB_NODISCARD enum db_status db_tokens_drop(struct db *db, int64_t device_no);

/* In the place of the player's earlier one. */
DB_NODISCARD enum db_status db_link_code_store(struct db *db, const struct db_link_code *code);
DB_NODISCARD enum db_status db_link_code_find(struct db *db, const uint8_t hash[DB_CODE_HASH_BYTES],
                                              struct db_link_code *code);
DB_NODISCARD enum db_status db_link_code_drop(struct db *db, int64_t player_no);

/* --- games --------------------------------------------------------------------------------- */

struct db_game {
    int64_t game_no;
    struct game_id id;
    char game[DB_WORD_TEXT];
    char pool[DB_WORD_TEXT]; /* "": none */
    bool rated;
    char unrated_reason[DB_WORD_TEXT]; /* "": none */
    char options[DB_OPTIONS_TEXT];
    uint16_t turn_seconds;
    char player_set[DB_SET_TEXT];
    char status[DB_WORD_TEXT];
    char position[DB_POSITION_TEXT];
    uint32_t ply;
    char turn[2]; /* "": nobody */
    uint32_t seq;
    char end_reason[DB_WORD_TEXT];    /* "" while playing */
    char rating_status[DB_WORD_TEXT]; /* "" while playing */
    int64_t replay_of;                /* game_no; 0: none */
    int64_t rematch_of;               /* likewise */
    int64_t created_at_ms;
    int64_t finished_at_ms; /* 0 while playing */
    int64_t deadline_at_ms; /* of the running turn, whoever makes it; 0: none */
    /* what it has from its table (db/tables.h); the defaults are those of a game without one */
    int64_t table_no;         /* 0: none */
    bool is_private;          /* for those who db_game_is_seen_by knows */
    bool hides_legal_moves;   /* from everybody */
    bool keeps_seats;         /* the next game's start does not move on */
    struct table_id table_id; /* joined; read only; not in lists */
};
struct db_seat {
    int64_t game_no;
    uint8_t seat_no;
    char seat[2];
    int64_t player_no; /* 0: the CPU's own */
    bool has_rating;
    int64_t rating_milli;
    bool cpu;      /* control */
    uint8_t place; /* 0: none yet */
    uint32_t missed_turns;
    uint8_t cpu_level; /* 0: the owner plays */
    /* Joined from the player; read only. */
    struct player_id player_id;
    bool has_name;
    char name[DB_NAME_TEXT];
    bool banned;
};
struct db_move {
    int64_t game_no;
    uint32_t ply;
    uint32_t seq;
    char seat[2];
    char move[DB_MOVE_TEXT];
    char captured[DB_SQUARES_TEXT];
    bool by_cpu;
    int64_t at_ms;
    int64_t think_ms;
    int64_t deadline_at_ms; /* of the turn after it, as it was announced; 0: none */
};
struct db_event {
    int64_t game_no;
    uint32_t seq;
    char type[DB_WORD_TEXT];
    int64_t at_ms;
    char seat[2];              /* "": none */
    char reason[DB_WORD_TEXT]; /* "": none */
    int64_t linked_game_no;    /* 0: none */
    int64_t deadline_at_ms;    /* clock, seat: as it was announced; 0: none */
    uint8_t cpu_level;         /* seat: 0: the owner plays */
};

/* Sets game->game_no. */
DB_NODISCARD enum db_status db_game_insert(struct db *db, struct db_game *game);
DB_NODISCARD enum db_status db_seat_insert(struct db *db, const struct db_seat *seat);
DB_NODISCARD enum db_status db_game_find(struct db *db, const struct game_id *id,
                                         struct db_game *game);
DB_NODISCARD enum db_status db_game_load(struct db *db, int64_t game_no, struct db_game *game);
/* In order of seat_no. */
DB_NODISCARD enum db_status db_seats(struct db *db, int64_t game_no,
                                     struct db_seat seats[DB_SEATS_MAX], size_t *count);

/* The columns that a ply changes: position, ply, turn, seq, deadline. DB_NONE unless the game is
 * playing, its stored ply is `from_ply` and its stored seq is game->seq - 1: the caller worked on
 * old facts. */
DB_NODISCARD enum db_status db_game_advance(struct db *db, const struct db_game *game,
                                            uint32_t from_ply);
/* status, turn, seq, end_reason, rating_status, unrated_reason, finished_at_ms of a playing game.
 */
DB_NODISCARD enum db_status db_game_finish(struct db *db, const struct db_game *game);
DB_NODISCARD enum db_status db_seat_place(struct db *db, int64_t game_no, uint8_t seat_no,
                                          uint8_t place);

DB_NODISCARD enum db_status db_move_insert(struct db *db, const struct db_move *move);
DB_NODISCARD enum db_status db_move_load(struct db *db, int64_t game_no, uint32_t ply,
                                         struct db_move *move);
/* Oldest first, plies over `after_ply`. */
DB_NODISCARD enum db_status db_moves(struct db *db, int64_t game_no, uint32_t after_ply,
                                     struct db_move *moves, size_t max, size_t *count);
DB_NODISCARD enum db_status db_event_insert(struct db *db, const struct db_event *event);
/* In order, sequence numbers over `after_seq`. */
DB_NODISCARD enum db_status db_events(struct db *db, int64_t game_no, uint32_t after_seq,
                                      struct db_event *events, size_t max, size_t *count);
/* The sequence number of a game's newest event, also of one appended after its end, which the row
 * does not count; and how many that are no moves are up to a number. */
DB_NODISCARD enum db_status db_event_last(struct db *db, const struct db_game *game, uint32_t *seq);
/* Inserts what comes after the newest one: sets event->game_no and event->seq. */
DB_NODISCARD enum db_status db_event_append(struct db *db, const struct db_game *game,
                                            struct db_event *event);
DB_NODISCARD enum db_status db_events_until(struct db *db, int64_t game_no, uint32_t seq,
                                            uint32_t *count);
/* Plies of a seat, and how many of them the CPU made. */
DB_NODISCARD enum db_status db_seat_plies(struct db *db, int64_t game_no, char seat,
                                          uint32_t *plies, uint32_t *cpu_plies);

/* What was appended to a game after its end, of this type; DB_NONE: nothing. */
DB_NODISCARD enum db_status db_event_after_end(struct db *db, const struct db_game *game,
                                               const char *type, struct db_event *event);

/* The rematch of a game, or DB_NONE. */
DB_NODISCARD enum db_status db_game_rematch(struct db *db, int64_t game_no,
                                            struct db_game *rematch);
/* The replay of a game, or DB_NONE. */
DB_NODISCARD enum db_status db_game_replay(struct db *db, int64_t game_no, struct db_game *replay);
/* Draws by repetition before this game in its replay chain (0 for a first game). */
DB_NODISCARD enum db_status db_chain_draws(struct db *db, int64_t game_no, uint32_t *draws);
/* Rated games of a set of players in a pool created since `since_ms`, replays and aborted ones not
 * counted. */
DB_NODISCARD enum db_status db_recent_rated(struct db *db, const char *pool, const char *player_set,
                                            int64_t since_ms, uint32_t *games);
/* The newest game of a set of players in a pool. */
DB_NODISCARD enum db_status db_last_meeting(struct db *db, const char *pool, const char *player_set,
                                            struct db_game *game);

DB_NODISCARD enum db_status db_games_playing_of(struct db *db, int64_t player_no, size_t *count);

/* For verify: game numbers over `after`, ascending. */
DB_NODISCARD enum db_status db_game_numbers(struct db *db, int64_t after, int64_t *numbers,
                                            size_t max, size_t *count);

/* --- tickets ------------------------------------------------------------------------------- */

struct db_ticket {
    int64_t ticket_no;
    struct ticket_id id;
    int64_t player_no;
    char pool[DB_WORD_TEXT];
    uint16_t turn_seconds;
    int64_t rating_milli;
    char status[DB_WORD_TEXT];
    int64_t game_no; /* 0: none */
    char seat[2];    /* "": none */
    int64_t created_at_ms;
    int64_t ended_at_ms;    /* 0 while waiting */
    int64_t partner_no;     /* whom the player wants opposite; 0: anybody */
    int64_t window_milli;   /* when it was matched; 0: unbounded */
    int64_t spread_milli;   /* of a matched one: of the ratings that met */
    struct game_id game_id; /* joined; read only */
    struct player_id partner_id;
};
/* Sets ticket->ticket_no. DB_CONFLICT: the player has a waiting one. */
DB_NODISCARD enum db_status db_ticket_insert(struct db *db, struct db_ticket *ticket);
DB_NODISCARD enum db_status db_ticket_find(struct db *db, const struct ticket_id *id,
                                           struct db_ticket *ticket);
DB_NODISCARD enum db_status db_ticket_waiting_of(struct db *db, int64_t player_no,
                                                 struct db_ticket *ticket);
DB_NODISCARD enum db_status db_ticket_load(struct db *db, int64_t ticket_no,
                                           struct db_ticket *ticket);
/* Oldest first, ticket numbers over `after`. */
DB_NODISCARD enum db_status db_tickets_waiting(struct db *db, int64_t after,
                                               struct db_ticket *tickets, size_t max,
                                               size_t *count);
/* The latest ones, in whatever state, newest first. */
DB_NODISCARD enum db_status db_tickets_newest(struct db *db, struct db_ticket *tickets, size_t max,
                                              size_t *count);
/* status, game_no, seat, ended_at_ms, window and spread of a waiting ticket; DB_NONE when it is not
 * waiting. */
DB_NODISCARD enum db_status db_ticket_end(struct db *db, const struct db_ticket *ticket);
enum { DB_TICKETS_SWEPT = 8 }; /* by one sweep: more than one request adds */
/* Drops some of those that led to no game and ended up to `until_ms`, oldest first. */
DB_NODISCARD enum db_status db_tickets_sweep(struct db *db, int64_t until_ms);

/* --- chain --------------------------------------------------------------------------------- */

struct db_link {
    int64_t link;
    char kind[DB_WORD_TEXT];
    int64_t game_no; /* 0: none */
    int64_t at_ms;
    uint8_t hash[DB_HASH_BYTES];
};
/* DB_NONE: the chain is empty. */
DB_NODISCARD enum db_status db_chain_last(struct db *db, struct db_link *link);
/* Sets link->link. */
DB_NODISCARD enum db_status db_chain_insert(struct db *db, struct db_link *link);
DB_NODISCARD enum db_status db_chain(struct db *db, int64_t after, struct db_link *links,
                                     size_t max, size_t *count);

#endif
