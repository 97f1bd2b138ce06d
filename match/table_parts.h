#ifndef MATCH_TABLE_PARTS_H
#define MATCH_TABLE_PARTS_H

/*
 * What the files of tables share, and what the rest of this folder calls where games, players and
 * tables meet. All but the pure functions run inside a write job, on the writer's thread.
 */

#include "service.h"
#include "tables.h"

/* A table with all its rows, as a job works on it. */
struct table_group {
    struct db_table row;
    const struct game_rules *rules;
    struct game_options options;
    size_t member_count;
    struct db_table_member members[LIMIT_TABLE_MEMBERS];
    bool taken[DB_SEATS_MAX];
    struct db_table_seat seats[DB_SEATS_MAX]; /* by seat_no */
    struct table_news news;                   /* what table_touch has told since it was loaded */
};
/* DB_CORRUPT: rows that no table has. */
enum db_status table_group_load(struct db *db, const struct db_table *row,
                                struct table_group *group);
/* NULL: no such member. */
const struct db_table_member *table_member_find(const struct table_group *group, int64_t player_no);
/* The seat that a player has in the next game, or RULES_SEAT_NONE. */
int table_seat_of(const struct table_group *group, int64_t player_no);

/* The view for a player, of rows that were just read or written on this connection. */
enum db_status table_view_fill(struct match *match, struct db *db, const struct table_group *group,
                               int64_t viewer_no, struct table_view *view);

bool table_is_open(const struct db_table *table);
/* Whether a player may look at it. */
bool table_is_seen_by(const struct table_group *group, int64_t player_no);

/* The invite code of a table, and what is stored of it. */
void table_code(const struct secrets *secrets, const struct table_id *id, char code[CODE_TEXT]);
void table_code_hash(const struct secrets *secrets, const char code[CODE_TEXT],
                     uint8_t hash[DB_CODE_HASH_BYTES]);

/* --- pure: its rules (table_rules.c) ------------------------------------------------------- */

/* The defaults of a new table. */
void table_defaults(const struct game_rules *rules, struct db_table *row,
                    struct game_options *options);
/* Merges a wish, key by key. MATCH_OK, or what is in its way in *fault, and the group is no use any
 * more. */
enum match_status table_merge(struct table_group *group, const struct table_wish *wish,
                              struct table_fault *fault);

/* Whether two rows have the same rules. */
bool table_rules_equal(const struct db_table *a, const struct db_table *b);

/* --- changes (table_changes.c) ------------------------------------------------------------- */

/* Stores the row as changed now, and tells the members; the group's news say whom. */
enum db_status table_touch(struct db *db, struct table_group *group, int64_t at_ms);
/* Stores the seats as they are in the group. */
enum db_status table_seats_store(struct db *db, const struct table_group *group);
/* A member and its seat go; the longest member inherits the table, and the last one closes it. */
enum db_status table_member_leaves(struct db *db, struct table_group *group, int64_t player_no,
                                   int64_t at_ms);
/* A player leaves every table: erased, or banned. */
enum db_status tables_leave_all(struct db *db, int64_t player_no, int64_t at_ms,
                                struct tables_news *news);
/* Makes room: closes some that nobody has touched for long, and forgets some that have closed. */
enum db_status tables_sweep(struct db *db, int64_t at_ms, struct tables_news *news);

/* --- the deeds (table_deeds.c) ------------------------------------------------------------- */

/* Each works on the group (a new one makes it); what is changed is in its news, and that of other
 * tables in the command's. op.status: MATCH_OK, or the refusal. */
enum db_status deed_create(struct db *db, struct match_table_deed *command,
                           struct table_group *group);
enum db_status deed_change(struct db *db, struct match_table_deed *command,
                           struct table_group *group);
enum db_status deed_join(struct db *db, struct match_table_deed *command,
                         struct table_group *group);
enum db_status deed_leave(struct db *db, struct match_table_deed *command,
                          struct table_group *group);
enum db_status deed_sit(struct db *db, struct match_table_deed *command, struct table_group *group);
enum db_status deed_stand(struct db *db, struct match_table_deed *command,
                          struct table_group *group);
enum db_status deed_start(struct db *db, struct match_table_deed *command,
                          struct table_group *group);

/* --- its games (table_games.c) ------------------------------------------------------------- */

/* Starts the next game with the seats as they are: all taken, one of them at least by a person. */
enum db_status table_game_start(struct match *match, struct db *db, struct table_group *group,
                                int64_t at_ms, struct db_game *game);
/* The end of a game that was made at a table (if it was), and perhaps its replay (NULL: none): the
 * seats move on, and the table is open again, or plays the replay. */
enum db_status table_game_over(struct db *db, const struct db_game *game,
                               const struct db_game *replay, struct table_news *news);

#endif
