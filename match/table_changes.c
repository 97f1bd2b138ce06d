#include "personal.h"
#include "table_parts.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* What changes in a table's rows, whoever is the reason. */

static enum db_status tell(struct db *db, struct table_group *group, int64_t player_no,
                           int64_t at_ms)
{
    table_news_note(&group->news, player_no);
    return personal_add(db, player_no, "table", 0, group->row.table_no, at_ms);
}

enum db_status table_touch(struct db *db, struct table_group *group, int64_t at_ms)
{
    if (at_ms > group->row.changed_at_ms) { /* whatever thread has read the clock */
        group->row.changed_at_ms = at_ms;
    }
    enum db_status status = db_table_store(db, &group->row);
    group->news.table_no = group->row.table_no;
    for (size_t i = 0; status == DB_OK && i < group->member_count; i++) {
        status = tell(db, group, group->members[i].player_no, at_ms);
    }
    return status;
}

enum db_status table_seats_store(struct db *db, const struct table_group *group)
{
    enum db_status status = db_table_seats_drop(db, group->row.table_no);
    for (uint8_t i = 0; status == DB_OK && i < group->rules->seat_count; i++) {
        struct db_table_seat seat = group->seats[i];
        seat.table_no = group->row.table_no;
        seat.seat_no = i;
        if (group->taken[i]) {
            status = db_table_seat_insert(db, &seat);
        }
    }
    return status;
}

/* --- leaving -------------------------------------------------------------------------------------
 */

static void forget_member(struct table_group *group, int64_t player_no)
{
    size_t kept = 0;
    int seat = table_seat_of(group, player_no);
    if (seat != RULES_SEAT_NONE) {
        group->taken[seat] = false;
    }
    for (size_t i = 0; i < group->member_count; i++) {
        if (group->members[i].player_no != player_no) {
            group->members[kept++] = group->members[i];
        }
    }
    group->member_count = kept;
}

/* Nobody is left; what the CPU was asked to sit down for goes with them. */
static enum db_status close_table(struct db *db, struct table_group *group)
{
    (void)snprintf(group->row.status, sizeof group->row.status, "closed");
    group->row.host_no = 0;
    group->row.game_no = 0;
    memset(group->taken, 0, sizeof group->taken);
    return db_table_seats_drop(db, group->row.table_no);
}

enum db_status table_member_leaves(struct db *db, struct table_group *group, int64_t player_no,
                                   int64_t at_ms)
{
    assert(table_member_find(group, player_no) != NULL);
    enum db_status status = db_table_member_drop(db, group->row.table_no, player_no);
    if (status == DB_OK) {
        status = tell(db, group, player_no, at_ms); /* the player's other devices do not know */
    }
    forget_member(group, player_no);
    if (status == DB_OK && group->member_count == 0) {
        status = close_table(db, group);
    } else if (group->row.host_no == player_no) {
        group->row.host_no = group->members[0].player_no;
    }
    return status == DB_OK ? table_touch(db, group, at_ms) : status;
}

enum db_status tables_leave_all(struct db *db, int64_t player_no, int64_t at_ms,
                                struct tables_news *news)
{
    struct db_table rows[LIMIT_TABLES_JOINED];
    size_t count = 0;
    news->count = 0;
    enum db_status status = db_tables(db, player_no, 0, rows, LIMIT_TABLES_JOINED, &count);
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        struct table_group group;
        status = table_group_load(db, &rows[i], &group);
        if (status == DB_OK) {
            status = table_member_leaves(db, &group, player_no, at_ms);
            tables_news_add(news, &group.news);
        }
    }
    return status;
}

/* --- making room ---------------------------------------------------------------------------------
 */

static enum db_status leave_to_nobody(struct db *db, int64_t table_no, int64_t at_ms,
                                      struct tables_news *news)
{
    struct db_table row;
    struct table_group group;
    enum db_status status = db_table_load(db, table_no, &row);
    if (status == DB_OK) {
        status = table_group_load(db, &row, &group);
    }
    while (status == DB_OK && group.member_count > 0) {
        status = table_member_leaves(db, &group, group.members[0].player_no, at_ms);
    }
    if (status == DB_OK) {
        tables_news_add(news, &group.news);
    }
    return status;
}

enum db_status tables_sweep(struct db *db, int64_t at_ms, struct tables_news *news)
{
    int64_t numbers[LIMIT_TABLES_CLOSED];
    size_t count = 0;
    enum db_status status =
        db_tables_idle(db, at_ms - LIMIT_TABLE_IDLE_MS, numbers, LIMIT_TABLES_CLOSED, &count);
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        status = leave_to_nobody(db, numbers[i], at_ms, news);
    }
    return status == DB_OK ? db_tables_sweep(db, at_ms - LIMIT_TABLE_READ_MS) : status;
}
