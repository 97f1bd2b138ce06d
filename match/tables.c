#include "tables.h"

#include "handover.h"
#include "table_parts.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static struct match_table_deed *deed_of(struct db_job *job)
{
    static_assert(offsetof(struct match_table_deed, op) == 0, "a command is its op");
    return (struct match_table_deed *)op_of_job(job);
}

/* --- who may do what, and when -------------------------------------------------------------------
 */

enum right { RIGHT_ANYBODY, RIGHT_MEMBER, RIGHT_HOST };

static const struct deed_rule {
    enum right right;
    bool while_playing;
    enum db_status (*run)(struct db *, struct match_table_deed *, struct table_group *);
} deed_rules[TABLE_DEEDS] = {
    [TABLE_CREATE] = {RIGHT_ANYBODY, true,  deed_create},
    [TABLE_CHANGE] = {RIGHT_HOST,    false, deed_change},
    [TABLE_JOIN] = {RIGHT_ANYBODY, true,  deed_join  },
    [TABLE_SIT] = {RIGHT_MEMBER,  false, deed_sit   },
    [TABLE_STAND] = {RIGHT_MEMBER,  false, deed_stand },
    [TABLE_START] = {RIGHT_HOST,    false, deed_start },
    [TABLE_LEAVE] = {RIGHT_ANYBODY, true,  deed_leave },
};

/* The host seats others and the CPU, and takes them away. */
static enum match_status check_seat(const struct match_table_deed *command,
                                    const struct table_group *group, bool is_host)
{
    int seat = rules_seat(group->rules, command->seat);
    if (seat == RULES_SEAT_NONE) {
        return MATCH_NOT_FOUND;
    }
    bool sits = command->deed == TABLE_SIT;
    if (sits && (command->cpu_level != 0 || command->person.id.text[0] != '\0')) {
        return is_host ? MATCH_OK : MATCH_NOT_THE_HOST;
    }
    bool others = group->taken[seat] && group->seats[seat].player_no != command->player_no;
    return !sits && others && !is_host ? MATCH_NOT_YOUR_SEAT : MATCH_OK;
}

static enum match_status check(const struct match_table_deed *command,
                               const struct table_group *group)
{
    const struct deed_rule *rule = &deed_rules[command->deed];
    bool is_host = group->row.host_no == command->player_no;
    bool is_member = table_member_find(group, command->player_no) != NULL;
    bool is_seat = command->deed == TABLE_SIT || command->deed == TABLE_STAND;
    enum match_status status = MATCH_OK;
    if (strcmp(group->row.status, "closed") == 0) {
        return MATCH_NOT_FOUND;
    }
    if (is_seat) {
        status = check_seat(command, group, is_host);
    }
    if (status == MATCH_OK && rule->right == RIGHT_MEMBER && !is_member) {
        return MATCH_NOT_YOUR_SEAT;
    }
    if (status == MATCH_OK && rule->right == RIGHT_HOST && !is_host) {
        return MATCH_NOT_THE_HOST;
    }
    bool waits = !rule->while_playing && !table_is_open(&group->row);
    return status == MATCH_OK && waits ? MATCH_GAME_RUNNING : status;
}

/* --- the command ---------------------------------------------------------------------------------
 */

static enum db_status find_by_code(struct db *db, struct match_table_deed *command,
                                   struct db_table *row)
{
    uint8_t hash[DB_CODE_HASH_BYTES];
    table_code_hash(command->op.match->secrets, command->code, hash);
    enum db_status status = db_table_of_code(db, hash, row);
    if (status == DB_NONE) {
        command->op.status = MATCH_WRONG_CODE;
        return DB_OK;
    }
    return status;
}

/* DB_NONE: there is none for this player. DB_OK: op.status says whether it may be done. */
static enum db_status find(struct db *db, struct match_table_deed *command,
                           struct table_group *group)
{
    struct db_table row;
    bool by_code = command->code[0] != '\0';
    enum db_status status =
        by_code ? find_by_code(db, command, &row) : db_table_find(db, &command->id, &row);
    if (status != DB_OK || command->op.status != MATCH_OK) {
        return status;
    }
    status = table_group_load(db, &row, group);
    if (status == DB_OK && !by_code && !table_is_seen_by(group, command->player_no)) {
        return DB_NONE;
    }
    if (status == DB_OK) {
        command->op.status = check(command, group);
    }
    return status;
}

static enum db_status deed_run(struct db_job *job, struct db *db)
{
    struct match_table_deed *command = deed_of(job);
    struct table_group group;
    enum db_status status = DB_OK;
    command->op.status = MATCH_OK;
    command->news.count = 0;
    command->left.count = 0;
    if (command->deed != TABLE_CREATE) {
        status = find(db, command, &group);
    }
    if (status == DB_OK && command->op.status == MATCH_OK) {
        status = deed_rules[command->deed].run(db, command, &group);
        tables_news_add(&command->news, &group.news);
    }
    bool shown = command->deed != TABLE_START && command->deed != TABLE_LEAVE;
    if (status == DB_OK && command->op.status == MATCH_OK && shown) {
        status = table_view_fill(command->op.match, db, &group, command->player_no, &command->view);
    }
    return status;
}

static void deed_done(struct db_job *job, enum db_status status)
{
    struct match_table_deed *command = deed_of(job);
    if (status == DB_OK && command->op.status == MATCH_OK) {
        seats_forsaken(&command->op, &command->left);
        tables_news_publish(command->op.match, &command->news);
    }
    op_finish(&command->op, status);
}

enum match_status match_table_begin(struct match *match, struct match_table_deed *command)
{
    assert(command->deed < TABLE_DEEDS && command->player_no != 0);
    return op_submit(match, &command->op, deed_run, deed_done);
}
