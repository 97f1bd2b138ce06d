#include "tables.h"

#include "driver.h"

#include <assert.h>
#include <string.h>

enum {
    TABLE_INSERT,
    TABLE_STORE,
    TABLE_FIND,
    TABLE_LOAD,
    TABLE_ID,
    TABLE_STATUS,
    TABLE_OF_CODE,
    TABLES_LISTED,
    TABLES_OF_MEMBER,
    TABLES_OF_COUNT,
    TABLE_NUMBERS,
    TABLES_IDLE,
    TABLES_SWEEP,
    GAMES_OF_TABLE,
    GAMES_OF_TABLE_COUNT,
    GAME_IS_SEEN_BY,
    TABLE_TEXTS,
};
#define TABLE_COLUMNS                                                                              \
    "SELECT t.table_no, t.table_id, t.code_hash, t.game, t.options, t.turn_seconds, t.public,"     \
    " t.show_legal_moves, t.rotate_first, t.rated, t.status, t.host_no, t.game_no, t.games,"       \
    " t.revision, t.created_at_ms, t.changed_at_ms, p.player_id, g.game_id"
#define TABLE_JOINS                                                                                \
    " LEFT JOIN player p ON p.player_no = t.host_no LEFT JOIN game g ON g.game_no = t.game_no"
#define SELECT_TABLE TABLE_COLUMNS " FROM game_table t" TABLE_JOINS
static const char *const table_texts[TABLE_TEXTS] = {
    [TABLE_INSERT] = "INSERT INTO game_table (table_id, code_hash, game, options, turn_seconds,"
                     " public, show_legal_moves, rotate_first, rated, status, host_no, game_no,"
                     " games, revision, created_at_ms, changed_at_ms)"
                     " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 1, $14,"
                     " $15)",
    [TABLE_STORE] = "UPDATE game_table SET options = $2, turn_seconds = $3, public = $4,"
                    " show_legal_moves = $5, rotate_first = $6, rated = $7, status = $8,"
                    " host_no = $9, game_no = $10, games = $11, revision = revision + 1,"
                    " changed_at_ms = $12 WHERE table_no = $1",
    [TABLE_FIND] = SELECT_TABLE " WHERE t.table_id = $1",
    [TABLE_LOAD] = SELECT_TABLE " WHERE t.table_no = $1",
    [TABLE_ID] = "SELECT table_id FROM game_table WHERE table_no = $1",
    [TABLE_STATUS] = "SELECT status FROM game_table WHERE table_no = $1",
    [TABLE_OF_CODE] = SELECT_TABLE " WHERE t.code_hash = $1 AND t.status <> 'closed'",
    [TABLES_LISTED] = SELECT_TABLE " WHERE t.public = 1 AND t.status = 'open' AND t.table_no < $1"
                                   " ORDER BY t.table_no DESC LIMIT $2",
    [TABLES_OF_MEMBER] = TABLE_COLUMNS " FROM table_member m CROSS JOIN game_table t"
                                       " ON t.table_no = m.table_no" TABLE_JOINS
                                       " WHERE m.player_no = $3 AND m.table_no < $1"
                                       " ORDER BY m.table_no DESC LIMIT $2",
    [TABLES_OF_COUNT] = "SELECT count(*), count(*) FILTER (WHERE t.host_no = m.player_no)"
                        " FROM table_member m CROSS JOIN game_table t ON t.table_no = m.table_no"
                        " WHERE m.player_no = $1",
    [TABLE_NUMBERS] = "SELECT table_no FROM game_table WHERE table_no > $1"
                      " ORDER BY table_no LIMIT $2",
    [TABLES_IDLE] = "SELECT table_no FROM game_table WHERE status = 'open' AND changed_at_ms <= $1"
                    " ORDER BY changed_at_ms LIMIT $2",
    [TABLES_SWEEP] = "DELETE FROM game_table WHERE table_no IN (SELECT table_no FROM game_table"
                     " WHERE status = 'closed' AND games = 0 AND changed_at_ms <= $1"
                     " ORDER BY changed_at_ms LIMIT $2)",
    [GAMES_OF_TABLE] = "SELECT game_id FROM game WHERE table_no = $1 AND private <= $2"
                       " ORDER BY game_no DESC LIMIT $3",
    [GAMES_OF_TABLE_COUNT] = "SELECT count(*) FROM game WHERE table_no = $1",
    [GAME_IS_SEEN_BY] = "SELECT EXISTS (SELECT 1 FROM seat WHERE game_no = $1 AND player_no = $3)"
                        " OR EXISTS (SELECT 1 FROM table_member"
                        " WHERE table_no = $2 AND player_no = $3)",
};
const struct sql_set sql_tables = {"tables", SLOTS_TABLES, TABLE_TEXTS, table_texts};

static void read_table(struct query *query, struct db_table *table)
{
    table->table_no = column_int(query, 0);
    column_text(query, 1, table->id.id.text, sizeof table->id.id.text);
    column_blob(query, 2, table->code_hash, sizeof table->code_hash);
    column_text(query, 3, table->game, sizeof table->game);
    column_text(query, 4, table->options, sizeof table->options);
    table->turn_seconds = (uint16_t)column_count(query, 5, UINT16_MAX);
    table->is_public = column_int(query, 6) != 0;
    table->show_legal_moves = column_int(query, 7) != 0;
    table->rotate_first = column_int(query, 8) != 0;
    table->rated = column_int(query, 9) != 0;
    column_text(query, 10, table->status, sizeof table->status);
    table->host_no = column_int(query, 11);
    table->game_no = column_int(query, 12);
    table->games = (uint32_t)column_count(query, 13, UINT32_MAX);
    table->revision = (uint32_t)column_count(query, 14, UINT32_MAX);
    table->created_at_ms = column_int(query, 15);
    table->changed_at_ms = column_int(query, 16);
    column_text(query, 17, table->host_id.id.text, sizeof table->host_id.id.text);
    column_text(query, 18, table->game_id.id.text, sizeof table->game_id.id.text);
}

static enum db_status table_end(struct query *query, struct db_table *table)
{
    bool found = query_step(query);
    if (found) {
        read_table(query, table);
    }
    return query_end_one(query, found);
}

enum db_status db_table_insert(struct db *db, struct db_table *table)
{
    struct query query;
    query_begin(&query, db, &sql_tables, TABLE_INSERT);
    query_text(&query, 1, table->id.id.text);
    query_blob(&query, 2, table->code_hash, sizeof table->code_hash);
    query_text(&query, 3, table->game);
    query_text(&query, 4, table->options);
    query_int(&query, 5, table->turn_seconds);
    query_int(&query, 6, table->is_public);
    query_int(&query, 7, table->show_legal_moves);
    query_int(&query, 8, table->rotate_first);
    query_int(&query, 9, table->rated);
    query_text(&query, 10, table->status);
    query_int_or_null(&query, 11, table->host_no);
    query_int_or_null(&query, 12, table->game_no);
    query_int(&query, 13, table->games);
    query_int(&query, 14, table->created_at_ms);
    query_int(&query, 15, table->changed_at_ms);
    enum db_status status = query_run(&query);
    if (status == DB_OK) {
        table->table_no = query_last_row(db);
        table->revision = 1;
        db_tally_table(db, table->status, 1);
    }
    return status;
}

static enum db_status stored_status(struct db *db, int64_t table_no, char text[DB_WORD_TEXT])
{
    struct query query;
    query_begin(&query, db, &sql_tables, TABLE_STATUS);
    query_int(&query, 1, table_no);
    bool found = query_step(&query);
    if (found) {
        column_text(&query, 0, text, DB_WORD_TEXT);
    }
    return query_end_one(&query, found);
}

enum db_status db_table_store(struct db *db, struct db_table *table)
{
    struct query query;
    char before[DB_WORD_TEXT];
    enum db_status status = stored_status(db, table->table_no, before);
    if (status != DB_OK) {
        return status;
    }
    query_begin(&query, db, &sql_tables, TABLE_STORE);
    query_int(&query, 1, table->table_no);
    query_text(&query, 2, table->options);
    query_int(&query, 3, table->turn_seconds);
    query_int(&query, 4, table->is_public);
    query_int(&query, 5, table->show_legal_moves);
    query_int(&query, 6, table->rotate_first);
    query_int(&query, 7, table->rated);
    query_text(&query, 8, table->status);
    query_int_or_null(&query, 9, table->host_no);
    query_int_or_null(&query, 10, table->game_no);
    query_int(&query, 11, table->games);
    query_int(&query, 12, table->changed_at_ms);
    status = query_run(&query);
    if (status == DB_OK) {
        table->revision++;
        db_tally_table(db, before, -1);
        db_tally_table(db, table->status, 1);
    }
    return status;
}

enum db_status db_table_find(struct db *db, const struct table_id *id, struct db_table *table)
{
    struct query query;
    query_begin(&query, db, &sql_tables, TABLE_FIND);
    query_text(&query, 1, id->id.text);
    return table_end(&query, table);
}

enum db_status db_table_load(struct db *db, int64_t table_no, struct db_table *table)
{
    struct query query;
    query_begin(&query, db, &sql_tables, TABLE_LOAD);
    query_int(&query, 1, table_no);
    return table_end(&query, table);
}

enum db_status db_table_id(struct db *db, int64_t table_no, struct table_id *id)
{
    struct query query;
    query_begin(&query, db, &sql_tables, TABLE_ID);
    query_int(&query, 1, table_no);
    bool found = query_step(&query);
    if (found) {
        column_text(&query, 0, id->id.text, sizeof id->id.text);
    }
    return query_end_one(&query, found);
}

enum db_status db_table_of_code(struct db *db, const uint8_t hash[DB_CODE_HASH_BYTES],
                                struct db_table *table)
{
    struct query query;
    query_begin(&query, db, &sql_tables, TABLE_OF_CODE);
    query_blob(&query, 1, hash, DB_CODE_HASH_BYTES);
    return table_end(&query, table);
}

/* --- lists ---------------------------------------------------------------------------------------
 */

enum db_status db_tables(struct db *db, int64_t player_no, int64_t before, struct db_table *tables,
                         size_t max, size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_tables, player_no == 0 ? TABLES_LISTED : TABLES_OF_MEMBER);
    query_int(&query, 1, before == 0 ? INT64_MAX : before);
    query_int(&query, 2, (int64_t)max);
    if (player_no != 0) {
        query_int(&query, 3, player_no);
    }
    while (query_step(&query)) {
        assert(found < max);
        read_table(&query, &tables[found++]);
    }
    *count = found;
    return query_end(&query);
}

enum db_status db_tables_of(struct db *db, int64_t player_no, size_t *joined, size_t *hosted)
{
    struct query query;
    query_begin(&query, db, &sql_tables, TABLES_OF_COUNT);
    query_int(&query, 1, player_no);
    bool found = query_step(&query);
    if (found) {
        *joined = (size_t)column_count(&query, 0, INT32_MAX);
        *hosted = (size_t)column_count(&query, 1, INT32_MAX);
    }
    return query_end_one(&query, found);
}

static enum db_status numbers_end(struct query *query, int64_t *numbers, size_t max, size_t *count)
{
    size_t found = 0;
    query_int(query, 2, (int64_t)max);
    while (query_step(query)) {
        assert(found < max);
        numbers[found++] = column_int(query, 0);
    }
    *count = found;
    return query_end(query);
}

enum db_status db_table_numbers(struct db *db, int64_t after, int64_t *numbers, size_t max,
                                size_t *count)
{
    struct query query;
    query_begin(&query, db, &sql_tables, TABLE_NUMBERS);
    query_int(&query, 1, after);
    return numbers_end(&query, numbers, max, count);
}

enum db_status db_tables_idle(struct db *db, int64_t until_ms, int64_t *numbers, size_t max,
                              size_t *count)
{
    struct query query;
    query_begin(&query, db, &sql_tables, TABLES_IDLE);
    query_int(&query, 1, until_ms);
    return numbers_end(&query, numbers, max, count);
}

enum db_status db_tables_sweep(struct db *db, int64_t until_ms)
{
    struct query query;
    query_begin(&query, db, &sql_tables, TABLES_SWEEP);
    query_int(&query, 1, until_ms);
    query_int(&query, 2, DB_TABLES_SWEPT);
    return query_run(&query);
}

/* --- their games ---------------------------------------------------------------------------------
 */

enum db_status db_games_of_table(struct db *db, int64_t table_no, bool all, struct game_id *ids,
                                 size_t max, size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_tables, GAMES_OF_TABLE);
    query_int(&query, 1, table_no);
    query_int(&query, 2, all);
    query_int(&query, 3, (int64_t)max);
    while (query_step(&query)) {
        assert(found < max);
        column_text(&query, 0, ids[found].id.text, sizeof ids[found].id.text);
        found++;
    }
    *count = found;
    return query_end(&query);
}

enum db_status db_games_of_table_count(struct db *db, int64_t table_no, uint32_t *games)
{
    struct query query;
    query_begin(&query, db, &sql_tables, GAMES_OF_TABLE_COUNT);
    query_int(&query, 1, table_no);
    bool found = query_step(&query);
    if (found) {
        *games = (uint32_t)column_count(&query, 0, UINT32_MAX);
    }
    return query_end_one(&query, found);
}

enum db_status db_game_is_seen_by(struct db *db, const struct db_game *game, int64_t player_no,
                                  bool *seen)
{
    struct query query;
    query_begin(&query, db, &sql_tables, GAME_IS_SEEN_BY);
    query_int(&query, 1, game->game_no);
    query_int_or_null(&query, 2, game->table_no);
    query_int(&query, 3, player_no);
    bool found = query_step(&query);
    *seen = found && column_int(&query, 0) != 0;
    return query_end_one(&query, found);
}
