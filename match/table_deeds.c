#include "handover.h"
#include "table_parts.h"

#include <assert.h>
#include <string.h>

/* What can be done to a table, once it is known that it may be done (tables.c). */

static void refuse(struct match_table_deed *command, enum match_status status)
{
    command->op.status = status;
}

/* Whether a seat or a rule is one that the table may not have, with what is in the way. */
static void refuse_field(struct match_table_deed *command, const char *field, const char *reason)
{
    command->fault = (struct table_fault){.field = field, .reason = reason};
    refuse(command, MATCH_INVALID_FIELD);
}

/* --- a new table, and new members ----------------------------------------------------------------
 */

static enum db_status add_member(struct db *db, struct table_group *group,
                                 const struct match_table_deed *command)
{
    struct db_player player;
    struct db_table_member member = {
        .table_no = group->row.table_no,
        .player_no = command->player_no,
        .joined_at_ms = command->at_ms,
    };
    enum db_status status = db_table_member_insert(db, &member);
    if (status == DB_OK) {
        status = db_player_load(db, command->player_no, &player);
    }
    if (status != DB_OK) {
        return status;
    }
    member.player_id = player.id;
    member.has_name = player.has_name;
    memcpy(member.name, player.name, sizeof member.name);
    assert(group->member_count < LIMIT_TABLE_MEMBERS);
    group->members[group->member_count++] = member;
    return DB_OK;
}

/* A code is one of 2^40: another id gives another one. */
static enum db_status mint(struct match *match, struct db *db, struct db_table *row)
{
    struct db_table other;
    char code[CODE_TEXT];
    enum db_status status = DB_OK;
    while (status == DB_OK) {
        secrets_id(match->env, 't', &row->id.id);
        table_code(match->secrets, &row->id, code);
        table_code_hash(match->secrets, code, row->code_hash);
        status = db_table_of_code(db, row->code_hash, &other);
    }
    return status == DB_NONE ? DB_OK : status;
}

enum db_status deed_create(struct db *db, struct match_table_deed *command,
                           struct table_group *group)
{
    size_t joined = 0;
    size_t hosted = 0;
    *group = (struct table_group){.rules = command->rules};
    table_defaults(command->rules, &group->row, &group->options);
    refuse(command, table_merge(group, &command->wish, &command->fault));
    enum db_status status = db_tables_of(db, command->player_no, &joined, &hosted);
    if (command->op.status == MATCH_OK &&
        (joined >= LIMIT_TABLES_JOINED || hosted >= LIMIT_TABLES_HOSTED)) {
        refuse(command, MATCH_TOO_MANY_TABLES);
    }
    if (status != DB_OK || command->op.status != MATCH_OK) {
        return status;
    }
    group->row.host_no = command->player_no;
    group->row.created_at_ms = command->at_ms;
    group->row.changed_at_ms = command->at_ms;
    status = mint(command->op.match, db, &group->row);
    if (status == DB_OK) {
        status = db_table_insert(db, &group->row);
    }
    if (status == DB_OK) {
        status = add_member(db, group, command);
    }
    return status == DB_OK ? tables_sweep(db, command->at_ms, &command->news) : status;
}

enum db_status deed_join(struct db *db, struct match_table_deed *command, struct table_group *group)
{
    size_t joined = 0;
    size_t hosted = 0;
    if (table_member_find(group, command->player_no) != NULL) {
        return DB_OK;
    }
    if (group->member_count == LIMIT_TABLE_MEMBERS) {
        refuse(command, MATCH_TABLE_FULL);
        return DB_OK;
    }
    enum db_status status = db_tables_of(db, command->player_no, &joined, &hosted);
    if (status == DB_OK && joined >= LIMIT_TABLES_JOINED) {
        refuse(command, MATCH_TOO_MANY_TABLES);
    }
    if (status != DB_OK || command->op.status != MATCH_OK) {
        return status;
    }
    status = add_member(db, group, command);
    return status == DB_OK ? table_touch(db, group, command->at_ms) : status;
}

/* Whoever has a seat in the running game of the table hands it to the CPU; that may also be one who
 * left before, came back, and has no seat in the next game. */
static enum db_status leave_game(struct db *db, struct match_table_deed *command, int64_t game_no)
{
    struct db_game game;
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    enum db_status status = db_game_load(db, game_no, &game);
    if (status == DB_OK) {
        status = db_seats(db, game_no, seats, &count);
    }
    if (status != DB_OK || seat_of_player(seats, count, command->player_no) == RULES_SEAT_NONE) {
        return status == DB_NONE ? DB_CORRUPT : status;
    }
    op_release(&command->op, NULL); /* of a run that did not come to its end */
    command->left = (struct own_games){1, {game_no}, {game.id}};
    op_hold(&command->op, &command->left.ids[0]);
    return seats_forsake(&command->op, db, &command->left, command->player_no, SEAT_LEFT,
                         command->at_ms);
}

enum db_status deed_leave(struct db *db, struct match_table_deed *command,
                          struct table_group *group)
{
    enum db_status status = DB_OK;
    if (table_member_find(group, command->player_no) == NULL) {
        return DB_OK;
    }
    if (group->row.game_no != 0) {
        status = leave_game(db, command, group->row.game_no);
    }
    return status == DB_OK ? table_member_leaves(db, group, command->player_no, command->at_ms)
                           : status;
}

/* --- rules and seats -----------------------------------------------------------------------------
 */

enum db_status deed_change(struct db *db, struct match_table_deed *command,
                           struct table_group *group)
{
    struct db_table before = group->row;
    refuse(command, table_merge(group, &command->wish, &command->fault));
    if (command->op.status != MATCH_OK || table_rules_equal(&before, &group->row)) {
        return DB_OK;
    }
    return table_touch(db, group, command->at_ms);
}

static enum db_status store_seats(struct db *db, struct match_table_deed *command,
                                  struct table_group *group)
{
    enum db_status status = table_seats_store(db, group);
    return status == DB_OK ? table_touch(db, group, command->at_ms) : status;
}

/* The CPU of another level is still the CPU. */
static enum db_status sit_cpu(struct db *db, struct match_table_deed *command,
                              struct table_group *group, int seat)
{
    struct db_table_seat *place = &group->seats[seat];
    if (group->row.rated) {
        refuse_field(command, "cpu_level", "rated-needs-people-only");
        return DB_OK;
    }
    if (group->taken[seat] && place->player_no != 0) {
        refuse(command, MATCH_SEAT_TAKEN);
        return DB_OK;
    }
    *place = (struct db_table_seat){.cpu_level = command->cpu_level};
    group->taken[seat] = true;
    return store_seats(db, command, group);
}

/* Whom the seat is for; 0: nobody here. */
static int64_t sitter(const struct match_table_deed *command, const struct table_group *group)
{
    if (command->person.id.text[0] == '\0') {
        return command->player_no;
    }
    for (size_t i = 0; i < group->member_count; i++) {
        if (strcmp(group->members[i].player_id.id.text, command->person.id.text) == 0) {
            return group->members[i].player_no;
        }
    }
    return 0;
}

enum db_status deed_sit(struct db *db, struct match_table_deed *command, struct table_group *group)
{
    int seat = rules_seat(group->rules, command->seat);
    assert(seat != RULES_SEAT_NONE);
    if (command->cpu_level != 0) {
        return sit_cpu(db, command, group, seat);
    }
    int64_t player_no = sitter(command, group);
    if (player_no == 0) {
        refuse_field(command, "player", "not-a-member");
        return DB_OK;
    }
    int before = table_seat_of(group, player_no);
    if (before == seat) {
        return DB_OK;
    }
    if (group->taken[seat]) {
        refuse(command, MATCH_SEAT_TAKEN);
        return DB_OK;
    }
    if (before != RULES_SEAT_NONE) {
        group->taken[before] = false;
    }
    group->seats[seat] = (struct db_table_seat){.player_no = player_no};
    group->taken[seat] = true;
    return store_seats(db, command, group);
}

enum db_status deed_stand(struct db *db, struct match_table_deed *command,
                          struct table_group *group)
{
    int seat = rules_seat(group->rules, command->seat);
    assert(seat != RULES_SEAT_NONE);
    if (!group->taken[seat]) {
        return DB_OK;
    }
    group->taken[seat] = false;
    return store_seats(db, command, group);
}

/* --- the start -----------------------------------------------------------------------------------
 */

static bool is_seated(const struct table_group *group)
{
    size_t people = 0;
    for (size_t i = 0; i < group->rules->seat_count; i++) {
        if (!group->taken[i]) {
            return false;
        }
        people += group->seats[i].player_no != 0;
    }
    return people > 0;
}

enum db_status deed_start(struct db *db, struct match_table_deed *command,
                          struct table_group *group)
{
    struct db_game game;
    if (!is_seated(group)) {
        refuse(command, MATCH_SEAT_EMPTY);
        return DB_OK;
    }
    enum db_status status = DB_OK;
    for (size_t i = 0; status == DB_OK && i < group->rules->seat_count; i++) {
        status = one_more_game(&command->op, db, group->seats[i].player_no);
    }
    if (status != DB_OK || command->op.status != MATCH_OK) {
        return status;
    }
    status = table_game_start(command->op.match, db, group, command->at_ms, &game);
    return status == DB_OK ? view_fill(command->op.match, db, &game, &command->game) : status;
}
