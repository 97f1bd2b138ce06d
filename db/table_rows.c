#include "driver.h"
#include "tables.h"

#include <assert.h>

/* What belongs to a table: members and seats. */

enum {
    MEMBER_INSERT,
    MEMBER_NUMBER,
    MEMBER_SEAT_DROP,
    MEMBER_DROP,
    MEMBERS_OF_TABLE,
    SEAT_INSERT,
    SEATS_DROP,
    SEATS_OF_TABLE,
    TABLE_ROW_TEXTS,
};
static const char *const table_row_texts[TABLE_ROW_TEXTS] = {
    [MEMBER_INSERT] = "INSERT INTO table_member (table_no, player_no, member_no, joined_at_ms)"
                      " VALUES ($1, $2, $3, $4)",
    [MEMBER_NUMBER] = "SELECT coalesce(max(member_no), 0) + 1 FROM table_member"
                      " WHERE table_no = $1",
    [MEMBER_SEAT_DROP] = "DELETE FROM table_seat WHERE table_no = $1 AND player_no = $2",
    [MEMBER_DROP] = "DELETE FROM table_member WHERE table_no = $1 AND player_no = $2",
    [MEMBERS_OF_TABLE] = "SELECT m.table_no, m.player_no, m.member_no, m.joined_at_ms,"
                         " p.player_id, p.name FROM table_member m"
                         " CROSS JOIN player p ON p.player_no = m.player_no"
                         " WHERE m.table_no = $1 ORDER BY m.member_no LIMIT $2",
    [SEAT_INSERT] = "INSERT INTO table_seat (table_no, seat_no, player_no, cpu_level)"
                    " VALUES ($1, $2, $3, $4)",
    [SEATS_DROP] = "DELETE FROM table_seat WHERE table_no = $1",
    [SEATS_OF_TABLE] = "SELECT table_no, seat_no, player_no, cpu_level FROM table_seat"
                       " WHERE table_no = $1 ORDER BY seat_no",
};
const struct sql_set sql_table_rows = {"table rows", SLOTS_TABLE_ROWS, TABLE_ROW_TEXTS,
                                       table_row_texts};

/* --- members -------------------------------------------------------------------------------------
 */

static enum db_status next_number(struct db *db, struct db_table_member *member)
{
    struct query query;
    query_begin(&query, db, &sql_table_rows, MEMBER_NUMBER);
    query_int(&query, 1, member->table_no);
    bool found = query_step(&query);
    if (found) {
        member->member_no = (uint32_t)column_count(&query, 0, UINT32_MAX);
    }
    return query_end_one(&query, found);
}

enum db_status db_table_member_insert(struct db *db, struct db_table_member *member)
{
    struct query query;
    enum db_status status = next_number(db, member);
    if (status != DB_OK) {
        return status;
    }
    query_begin(&query, db, &sql_table_rows, MEMBER_INSERT);
    query_int(&query, 1, member->table_no);
    query_int(&query, 2, member->player_no);
    query_int(&query, 3, member->member_no);
    query_int(&query, 4, member->joined_at_ms);
    return query_run(&query);
}

static enum db_status run_on_two(struct db *db, size_t which, int64_t table_no, int64_t player_no)
{
    struct query query;
    query_begin(&query, db, &sql_table_rows, which);
    query_int(&query, 1, table_no);
    query_int(&query, 2, player_no);
    return query_run(&query);
}

enum db_status db_table_member_drop(struct db *db, int64_t table_no, int64_t player_no)
{
    enum db_status status = run_on_two(db, MEMBER_SEAT_DROP, table_no, player_no);
    if (status == DB_OK) {
        status = run_on_two(db, MEMBER_DROP, table_no, player_no);
    }
    return status == DB_OK && query_changes(db) == 0 ? DB_NONE : status;
}

enum db_status db_table_members(struct db *db, int64_t table_no, struct db_table_member *members,
                                size_t max, size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_table_rows, MEMBERS_OF_TABLE);
    query_int(&query, 1, table_no);
    query_int(&query, 2, (int64_t)max);
    while (query_step(&query)) {
        assert(found < max);
        struct db_table_member *member = &members[found++];
        member->table_no = column_int(&query, 0);
        member->player_no = column_int(&query, 1);
        member->member_no = (uint32_t)column_count(&query, 2, UINT32_MAX);
        member->joined_at_ms = column_int(&query, 3);
        column_text(&query, 4, member->player_id.id.text, sizeof member->player_id.id.text);
        member->has_name = !column_is_null(&query, 5);
        column_text(&query, 5, member->name, sizeof member->name);
    }
    *count = found;
    return query_end(&query);
}

/* --- seats ---------------------------------------------------------------------------------------
 */

enum db_status db_table_seat_insert(struct db *db, const struct db_table_seat *seat)
{
    struct query query;
    query_begin(&query, db, &sql_table_rows, SEAT_INSERT);
    query_int(&query, 1, seat->table_no);
    query_int(&query, 2, seat->seat_no);
    query_int_or_null(&query, 3, seat->player_no);
    query_int_or_null(&query, 4, seat->cpu_level);
    return query_run(&query);
}

enum db_status db_table_seats_drop(struct db *db, int64_t table_no)
{
    struct query query;
    query_begin(&query, db, &sql_table_rows, SEATS_DROP);
    query_int(&query, 1, table_no);
    return query_run(&query);
}

enum db_status db_table_seats(struct db *db, int64_t table_no,
                              struct db_table_seat seats[DB_SEATS_MAX], size_t *count)
{
    struct query query;
    size_t found = 0;
    query_begin(&query, db, &sql_table_rows, SEATS_OF_TABLE);
    query_int(&query, 1, table_no);
    while (query_step(&query)) {
        assert(found < DB_SEATS_MAX); /* the schema's CHECK on seat_no */
        struct db_table_seat *seat = &seats[found++];
        seat->table_no = column_int(&query, 0);
        seat->seat_no = (uint8_t)column_count(&query, 1, UINT8_MAX);
        seat->player_no = column_int(&query, 2);
        seat->cpu_level = (uint8_t)column_count(&query, 3, UINT8_MAX);
    }
    *count = found;
    return query_end(&query);
}
