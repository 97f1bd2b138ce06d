#include "table_parts.h"
#include "verify_parts.h"

#include <stdio.h>
#include <string.h>

/* Tables are no proof of anything, but they decide who may see which game: what one row says of
 * another must be so. */

/* --- a game and its table ------------------------------------------------------------------------
 */

/* A running game is the table's, unless they have all left. */
static void check_running(struct retrace *retrace, const struct db_table *table)
{
    bool running = strcmp(retrace->game->status, "playing") == 0;
    if (running && strcmp(table->status, "closed") != 0) {
        char row[VERIFY_ROW_TEXT];
        (void)snprintf(row, sizeof row, "table %s", table->id.id.text);
        verify_number(retrace->verify, row, "game_no", retrace->game->game_no, table->game_no);
    }
}

enum db_status verify_game_table(struct retrace *retrace)
{
    const struct db_game *game = retrace->game;
    struct db_table table;
    if (game->table_no == 0) {
        verify_number(retrace->verify, retrace->row, "private", 0, game->is_private);
        verify_number(retrace->verify, retrace->row, "show_legal_moves", 1,
                      !game->hides_legal_moves);
        verify_number(retrace->verify, retrace->row, "rotate_first", 1, !game->keeps_seats);
        return DB_OK;
    }
    enum db_status status = db_table_load(retrace->verify->db, game->table_no, &table);
    if (status == DB_NONE) {
        verify_differs(retrace->verify,
                       "%s: expected a table with table_no %" PRId64 ", found none", retrace->row,
                       game->table_no);
        return DB_OK;
    }
    if (status == DB_OK) {
        verify_text(retrace->verify, retrace->row, "game", table.game, game->game);
        check_running(retrace, &table);
        if (game->rated && game->is_private) {
            verify_number(retrace->verify, retrace->row, "private", 0, game->is_private);
        }
    }
    return status;
}

/* --- a table -------------------------------------------------------------------------------------
 */

static void check_code(struct verify *verify, const struct secrets *secrets, const char *row,
                       const struct db_table *table)
{
    char code[CODE_TEXT];
    uint8_t hash[DB_CODE_HASH_BYTES];
    table_code(secrets, &table->id, code);
    table_code_hash(secrets, code, hash);
    if (memcmp(hash, table->code_hash, sizeof hash) != 0) {
        verify_differs(verify, "%s: expected another code_hash", row);
    }
}

static void check_members(struct verify *verify, const char *row, const struct table_group *group)
{
    bool closed = strcmp(group->row.status, "closed") == 0;
    if (closed != (group->member_count == 0)) {
        verify_differs(verify, "%s: expected %s, found %zu (status %s)", row,
                       closed ? "no members" : "members", group->member_count, group->row.status);
    }
    if (!closed && table_member_find(group, group->row.host_no) == NULL) {
        verify_differs(verify, "%s: expected a member as host, found player_no %" PRId64, row,
                       group->row.host_no);
    }
}

static void check_seats(struct verify *verify, const char *row, const struct table_group *group)
{
    for (size_t i = 0; i < group->rules->seat_count; i++) {
        const struct db_table_seat *seat = &group->seats[i];
        if (group->taken[i] && seat->player_no != 0 &&
            table_member_find(group, seat->player_no) == NULL) {
            verify_differs(verify, "%s, seat_no %zu: expected a member, found player_no %" PRId64,
                           row, i, seat->player_no);
        }
    }
}

/* The rules as they were merged are still what a merge of nothing makes of them. */
static void check_rules(struct verify *verify, const char *row, const struct table_group *group)
{
    static const struct table_wish nothing = {.has_public = false};
    struct table_group merged = *group;
    struct table_fault fault = {0};
    if (table_merge(&merged, &nothing, &fault) != MATCH_OK) {
        verify_differs(verify, "%s: expected rules that a table may have, found %s (%s)", row,
                       fault.reason, group->row.options);
    } else {
        verify_text(verify, row, "options", merged.row.options, group->row.options);
    }
}

static enum db_status check_games(struct verify *verify, const char *row,
                                  const struct db_table *table)
{
    struct db_game game;
    uint32_t games = 0;
    enum db_status status = db_games_of_table_count(verify->db, table->table_no, &games);
    if (status == DB_OK) {
        verify_number(verify, row, "games", games, table->games);
    }
    if (status != DB_OK || table->game_no == 0) {
        return status;
    }
    status = db_game_load(verify->db, table->game_no, &game);
    if (status == DB_OK && (game.table_no != table->table_no || game.finished_at_ms != 0)) {
        verify_differs(verify, "%s: expected a running game of its own, found %s", row,
                       game.id.id.text);
    }
    return status;
}

static enum db_status check_table(struct verify *verify, const struct secrets *secrets,
                                  const struct db_table *table)
{
    struct table_group group;
    char row[VERIFY_ROW_TEXT];
    (void)snprintf(row, sizeof row, "table %s", table->id.id.text);
    enum db_status status = table_group_load(verify->db, table, &group);
    if (status != DB_OK) {
        return status;
    }
    check_members(verify, row, &group);
    check_seats(verify, row, &group);
    check_rules(verify, row, &group);
    if (secrets != NULL) {
        check_code(verify, secrets, row, table);
    }
    return check_games(verify, row, table);
}

enum db_status verify_tables(struct verify *verify, const struct secrets *secrets)
{
    int64_t numbers[VERIFY_AT_ONCE];
    int64_t after = 0;
    size_t count = 0;
    do {
        enum db_status status =
            db_table_numbers(verify->db, after, numbers, VERIFY_AT_ONCE, &count);
        for (size_t i = 0; status == DB_OK && i < count && !verify_is_over(verify); i++) {
            struct db_table table;
            char row[VERIFY_ROW_TEXT];
            after = numbers[i];
            (void)snprintf(row, sizeof row, "table_no %" PRId64, after);
            status = db_table_load(verify->db, after, &table);
            status = verify_readable(
                verify, row, status == DB_OK ? check_table(verify, secrets, &table) : status);
        }
        if (status != DB_OK) {
            return status;
        }
    } while (count == VERIFY_AT_ONCE && !verify_is_over(verify));
    return DB_OK;
}
