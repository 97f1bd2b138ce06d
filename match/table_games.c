#include "game_make.h"
#include "table_parts.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* Where tables and games meet: a game starts with the seats as they are, and at its end the seats
 * move on. */

/* --- the start -----------------------------------------------------------------------------------
 */

static void plan_seats(const struct table_group *group, struct game_plan *plan)
{
    for (size_t i = 0; i < group->rules->seat_count; i++) {
        const struct db_table_seat *seat = &group->seats[i];
        assert(group->taken[i]);
        plan->players[i] = seat->player_no;
        plan->cpu_levels[i] = seat->cpu_level;
    }
}

static enum db_status note_running(struct db *db, struct table_group *group,
                                   const struct db_game *game, int64_t at_ms)
{
    (void)snprintf(group->row.status, sizeof group->row.status, "playing");
    group->row.game_no = game->game_no;
    group->row.games++;
    return table_touch(db, group, at_ms);
}

enum db_status table_game_start(struct match *match, struct db *db, struct table_group *group,
                                int64_t at_ms, struct db_game *game)
{
    const struct pool_rules *pool = options_pool(group->rules, &group->options);
    struct game_plan plan = {
        .rules = group->rules,
        .options = group->options,
        .pool = pool == NULL ? NULL : pool->key,
        .turn_seconds = group->row.turn_seconds,
        .at_ms = at_ms,
        .casual = !group->row.rated,
        .table = &group->row,
    };
    assert(table_is_open(&group->row));
    plan_seats(group, &plan);
    enum db_status status = game_make(match, db, &plan, game);
    return status == DB_OK ? note_running(db, group, game, at_ms) : status;
}

/* --- the end -------------------------------------------------------------------------------------
 */

static void move_on(struct table_group *group)
{
    struct table_group before = *group;
    for (size_t i = 0; i < group->rules->seat_count; i++) {
        size_t from = seat_before(!group->row.rotate_first, i, group->rules->seat_count);
        group->taken[i] = before.taken[from];
        group->seats[i] = before.seats[from];
    }
}

enum db_status table_game_over(struct db *db, const struct db_game *game,
                               const struct db_game *replay, struct table_news *news)
{
    struct db_table row;
    struct table_group group;
    *news = (struct table_news){.table_no = game->table_no};
    if (game->table_no == 0) {
        return DB_OK;
    }
    enum db_status status = db_table_load(db, game->table_no, &row);
    if (status == DB_OK && row.game_no != game->game_no) {
        /* They have all left, and the table is closed; the replay was begun here all the same. */
        row.games += replay != NULL;
        return replay == NULL ? DB_OK : db_table_store(db, &row);
    }
    if (status != DB_OK) {
        return status;
    }
    status = table_group_load(db, &row, &group);
    if (status == DB_OK && group.row.rotate_first) {
        move_on(&group);
        status = table_seats_store(db, &group);
    }
    if (status != DB_OK) {
        return status;
    }
    if (replay != NULL) {
        status = note_running(db, &group, replay, replay->created_at_ms);
    } else {
        (void)snprintf(group.row.status, sizeof group.row.status, "open");
        group.row.game_no = 0;
        status = table_touch(db, &group, game->finished_at_ms);
    }
    *news = group.news;
    return status;
}
