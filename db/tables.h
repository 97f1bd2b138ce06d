#ifndef DB_TABLES_H
#define DB_TABLES_H

/*
 * Tables: groups with the rules of their next game, their members and their seats. Threads,
 * ownership and failure as in db.h.
 */

#include "db.h"

struct db_table {
    int64_t table_no;
    struct table_id id;
    uint8_t code_hash[DB_CODE_HASH_BYTES];
    char game[DB_WORD_TEXT];
    char options[DB_OPTIONS_TEXT];
    uint16_t turn_seconds;
    bool is_public;
    bool show_legal_moves;
    bool rotate_first;
    bool rated;
    char status[DB_WORD_TEXT];
    int64_t host_no;   /* 0: closed */
    int64_t game_no;   /* the running one; 0: none */
    uint32_t games;    /* that began here */
    uint32_t revision; /* counts changes, from 1 */
    int64_t created_at_ms;
    int64_t changed_at_ms;
    /* Joined; read only. */
    struct player_id host_id;
    struct game_id game_id;
};
/* Sets table->table_no and table->revision. */
DB_NODISCARD enum db_status db_table_insert(struct db *db, struct db_table *table);
/* All that is not its identity, and one more to the revision, here and there. */
DB_NODISCARD enum db_status db_table_store(struct db *db, struct db_table *table);
DB_NODISCARD enum db_status db_table_find(struct db *db, const struct table_id *id,
                                          struct db_table *table);
DB_NODISCARD enum db_status db_table_load(struct db *db, int64_t table_no, struct db_table *table);
DB_NODISCARD enum db_status db_table_id(struct db *db, int64_t table_no, struct table_id *id);
/* One that is not closed. */
DB_NODISCARD enum db_status db_table_of_code(struct db *db, const uint8_t hash[DB_CODE_HASH_BYTES],
                                             struct db_table *table);

/* Newest first, table numbers below `before` (0: from the top). `player_no` 0: public open ones;
 * else those that the player is a member of. */
DB_NODISCARD enum db_status db_tables(struct db *db, int64_t player_no, int64_t before,
                                      struct db_table *tables, size_t max, size_t *count);
/* How many a player is a member of, and how many of those the player hosts. */
DB_NODISCARD enum db_status db_tables_of(struct db *db, int64_t player_no, size_t *joined,
                                         size_t *hosted);
/* For verify: table numbers over `after`, ascending. */
DB_NODISCARD enum db_status db_table_numbers(struct db *db, int64_t after, int64_t *numbers,
                                             size_t max, size_t *count);
/* Open ones that nobody has changed since `until_ms`, the longest untouched first. */
DB_NODISCARD enum db_status db_tables_idle(struct db *db, int64_t until_ms, int64_t *numbers,
                                           size_t max, size_t *count);
enum { DB_TABLES_SWEPT = 8 }; /* by one sweep: more than one request adds */
/* Drops some closed ones at which no game was played and which closed up to `until_ms`. */
DB_NODISCARD enum db_status db_tables_sweep(struct db *db, int64_t until_ms);

/* --- members and seats --------------------------------------------------------------------- */

struct db_table_member {
    int64_t table_no;
    int64_t player_no;
    uint32_t member_no; /* the lowest is the longest member */
    int64_t joined_at_ms;
    /* Joined; read only. */
    struct player_id player_id;
    bool has_name;
    char name[DB_NAME_TEXT];
};
/* After all who are there: sets member->member_no. */
DB_NODISCARD enum db_status db_table_member_insert(struct db *db, struct db_table_member *member);
/* With the seat; DB_NONE: no such member. */
DB_NODISCARD enum db_status db_table_member_drop(struct db *db, int64_t table_no,
                                                 int64_t player_no);
/* The longest member first. */
DB_NODISCARD enum db_status db_table_members(struct db *db, int64_t table_no,
                                             struct db_table_member *members, size_t max,
                                             size_t *count);

struct db_table_seat {
    int64_t table_no;
    uint8_t seat_no;
    int64_t player_no; /* 0: the CPU */
    uint8_t cpu_level; /* 0: a person */
};
DB_NODISCARD enum db_status db_table_seat_insert(struct db *db, const struct db_table_seat *seat);
DB_NODISCARD enum db_status db_table_seats_drop(struct db *db, int64_t table_no);
/* Those that are taken, in order of seat_no. */
DB_NODISCARD enum db_status db_table_seats(struct db *db, int64_t table_no,
                                           struct db_table_seat seats[DB_SEATS_MAX], size_t *count);

/* --- their games --------------------------------------------------------------------------- */

/* Newest first; `all`: also the private ones. */
DB_NODISCARD enum db_status db_games_of_table(struct db *db, int64_t table_no, bool all,
                                              struct game_id *ids, size_t max, size_t *count);
DB_NODISCARD enum db_status db_games_of_table_count(struct db *db, int64_t table_no,
                                                    uint32_t *games);
/* Whether a player belongs to those who may see a private game: its owners and its table's
 * members. */
DB_NODISCARD enum db_status db_game_is_seen_by(struct db *db, const struct db_game *game,
                                               int64_t player_no, bool *seen);

#endif
