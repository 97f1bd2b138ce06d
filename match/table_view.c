#include "table_parts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Reading tables, for jobs and for those who ask. */

static const char code_purpose[] = "table";

void table_code(const struct secrets *secrets, const struct table_id *id, char code[CODE_TEXT])
{
    code_derive(secrets, code_purpose, id->id.text, code);
}

void table_code_hash(const struct secrets *secrets, const char code[CODE_TEXT],
                     uint8_t hash[DB_CODE_HASH_BYTES])
{
    code_hash(secrets, code_purpose, code, hash);
}

/* --- a group and its rows ------------------------------------------------------------------------
 */

static enum db_status load_seats(struct db *db, struct table_group *group)
{
    struct db_table_seat rows[DB_SEATS_MAX];
    size_t count = 0;
    enum db_status status = db_table_seats(db, group->row.table_no, rows, &count);
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        if (rows[i].seat_no >= group->rules->seat_count) {
            return DB_CORRUPT;
        }
        group->seats[rows[i].seat_no] = rows[i];
        group->taken[rows[i].seat_no] = true;
    }
    return status;
}

enum db_status table_group_load(struct db *db, const struct db_table *row,
                                struct table_group *group)
{
    struct text_error error;
    *group = (struct table_group){.row = *row, .rules = rules_find(row->game)};
    if (group->rules == NULL ||
        !options_parse(group->rules, row->options, &group->options, &error)) {
        return DB_CORRUPT;
    }
    enum db_status status = db_table_members(db, row->table_no, group->members, LIMIT_TABLE_MEMBERS,
                                             &group->member_count);
    return status == DB_OK ? load_seats(db, group) : status;
}

const struct db_table_member *table_member_find(const struct table_group *group, int64_t player_no)
{
    for (size_t i = 0; i < group->member_count; i++) {
        if (group->members[i].player_no == player_no) {
            return &group->members[i];
        }
    }
    return NULL;
}

int table_seat_of(const struct table_group *group, int64_t player_no)
{
    for (size_t i = 0; i < group->rules->seat_count; i++) {
        if (group->taken[i] && group->seats[i].player_no == player_no) {
            return (int)i;
        }
    }
    return RULES_SEAT_NONE;
}

bool table_is_open(const struct db_table *table)
{
    return strcmp(table->status, "open") == 0;
}

bool table_is_seen_by(const struct table_group *group, int64_t player_no)
{
    return group->row.is_public || table_member_find(group, player_no) != NULL;
}

/* --- views ---------------------------------------------------------------------------------------
 */

static void fill_person(struct match *match, const struct db_table_member *member, int64_t now_ms,
                        struct table_person *person)
{
    *person = (struct table_person){
        .id = member->player_id,
        .has_name = member->has_name,
        .present = player_is_present(match, member->player_no, now_ms),
    };
    memcpy(person->name, member->name, sizeof person->name);
}

/* The seats' people are members. */
static void fill_seat(const struct table_group *group, size_t seat_no, struct table_view *view)
{
    struct table_seat_view *seat = &view->seats[seat_no];
    seat->seat[0] = group->rules->seat_letters[seat_no];
    seat->taken = group->taken[seat_no];
    if (!seat->taken) {
        return;
    }
    seat->cpu_level = group->seats[seat_no].cpu_level;
    for (size_t i = 0; i < group->member_count; i++) {
        if (group->members[i].player_no == group->seats[seat_no].player_no) {
            seat->person = view->members[i];
        }
    }
}

enum db_status table_view_fill(struct match *match, struct db *db, const struct table_group *group,
                               int64_t viewer_no, struct table_view *view)
{
    int64_t now_ms = match_now_ms(match);
    *view = (struct table_view){
        .rules = group->rules,
        .options = group->options,
        .row = group->row,
        .is_member = table_member_find(group, viewer_no) != NULL,
        .member_count = group->member_count,
        .seat_count = group->rules->seat_count,
    };
    if (view->is_member) {
        table_code(match->secrets, &group->row.id, view->code);
    }
    for (size_t i = 0; i < group->member_count; i++) {
        fill_person(match, &group->members[i], now_ms, &view->members[i]);
        if (group->members[i].player_no == group->row.host_no) {
            view->row.host_id = group->members[i].player_id;
        }
    }
    for (size_t i = 0; i < view->seat_count; i++) {
        fill_seat(group, i, view);
    }
    return db_games_of_table(db, group->row.table_no, view->is_member, view->games,
                             LIMIT_TABLE_GAMES, &view->game_count);
}

static enum db_status view_load(struct match *match, struct db *db, const struct db_table *row,
                                int64_t player_no, struct table_view *view)
{
    struct table_group group;
    enum db_status status = table_group_load(db, row, &group);
    if (status == DB_OK && !table_is_seen_by(&group, player_no)) {
        status = DB_NONE;
    }
    return status == DB_OK ? table_view_fill(match, db, &group, player_no, view) : status;
}

enum match_status match_table(struct match *match, const struct table_id *id, int64_t player_no,
                              struct table_view *view)
{
    struct db *db = reader_take(match);
    struct db_table row;
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = db_table_find(db, id, &row);
        if (status == DB_OK) {
            status = view_load(match, db, &row, player_no, view);
        }
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status);
}

void match_table_watch(struct match *match, const struct table_view *view,
                       struct event_waiter *waiter)
{
    waiter->topic = EVENT_TABLE;
    waiter->number = view->row.table_no;
    events_add(match->events, waiter);
}

/* --- lists ---------------------------------------------------------------------------------------
 */

/* One more than the page shows is asked for: whether the list goes on. */
static enum db_status page_fill(struct match *match, struct db *db,
                                const struct match_tables_query *query, size_t limit,
                                struct tables_page *page)
{
    struct db_table *rows = calloc(limit + 1, sizeof *rows);
    if (rows == NULL) {
        return DB_ERROR;
    }
    enum db_status status = db_tables(db, query->mine ? query->player_no : 0, query->before, rows,
                                      limit + 1, &page->count);
    if (status == DB_OK && page->count > limit) {
        page->count = limit;
        page->next_before = rows[limit - 1].table_no;
    }
    for (size_t i = 0; status == DB_OK && i < page->count; i++) {
        status = view_load(match, db, &rows[i], query->player_no, &page->views[i]);
    }
    free(rows);
    return status;
}

enum match_status match_tables(struct match *match, const struct match_tables_query *query,
                               size_t limit, struct tables_page *page)
{
    assert(limit >= 1 && limit <= LIMIT_PAGE);
    struct db *db = reader_take(match);
    page->count = 0;
    page->next_before = 0;
    enum db_status status = db_read_begin(db);
    if (status == DB_OK) {
        status = page_fill(match, db, query, limit, page);
        db_read_end(db);
    }
    reader_give(match, db);
    return match_status_of(status == DB_NONE ? DB_CORRUPT : status);
}
