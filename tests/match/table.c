#include "table.h"

#include "key_folder.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A test is a process of its own. */
static struct table the_table;

static int64_t table_now_ms(void *context)
{
    return ((const struct table *)context)->now_ms;
}

static void table_random(void *context, void *bytes, size_t count)
{
    mixed_random(&((struct table *)context)->chance, bytes, count);
}

void table_enter(void)
{
    static const char *const names[TABLE_PLAYERS] = {"akiko", "boris", "chen", "dora"};
    struct table *table = &the_table;
    key_folder_enter();
    store_enter();
    table->now_ms = STORE_NOW_MS;
    table->chance = 1;
    table->env =
        (struct match_env){.now_ms = table_now_ms, .random = table_random, .context = table};
    table->secrets = key_load(ONE_SLOT);
    table->db = store_open();
    table->match.options.repeat_limit = 2;
    table->match.options.absence_level = 5;
    table->match.env = &table->env;
    table->match.secrets = table->secrets;
    for (size_t i = 0; i < TABLE_PLAYERS; i++) {
        table->players[i] = store_player(table->db, names[i]);
    }
}

void table_leave(void)
{
    struct table *table = &the_table;
    free(table->match.made);
    store_close(table->db);
    store_leave();
    secrets_free(table->secrets);
    key_folder_leave();
}

struct table *table(void)
{
    return &the_table;
}

struct game_plan table_plan(size_t first, size_t second)
{
    struct game_plan plan = {
        .rules = rules_find("hasami"),
        .pool = "hasami",
        .turn_seconds = 30,
        .players = {the_table.players[first], the_table.players[second]},
        .at_ms = the_table.now_ms,
    };
    options_default(plan.rules, &plan.options);
    options_bound(plan.rules, &plan.options);
    return plan;
}

struct db_game table_game(const struct game_plan *plan)
{
    struct db_game game;
    cr_assert_eq(game_make(&the_table.match, the_table.db, plan, &game), DB_OK);
    return game;
}

struct game_line *table_line(const struct db_game *game)
{
    struct game_line *line = NULL;
    struct ply_effects effects;
    cr_assert_eq(line_rebuild(the_table.db, game, 0, &line, &effects), DB_OK);
    return line;
}

void table_store(struct db_game *game, const char *move, const struct game_line *after)
{
    struct table *table = &the_table;
    struct db_move row = {
        .game_no = game->game_no,
        .ply = game->ply + 1,
        .seq = game->seq + 1,
        .seat = {"bw"[game->ply % 2], '\0'},
        .think_ms = 1000,
    };
    (void)snprintf(row.move, sizeof row.move, "%s", move);
    table->now_ms += 1000;
    row.at_ms = table->now_ms;
    cr_assert_eq(db_move_insert(table->db, &row), DB_OK);
    game->ply++;
    game->seq++;
    game->turn[0] = "bw"[game->ply % 2];
    if (after != NULL) {
        after->rules->format_position(&after->position, game->position);
    }
    cr_assert_eq(db_game_advance(table->db, game, game->ply - 1), DB_OK);
}

void table_play(struct db_game *game, struct game_line **line, const char *const *moves)
{
    for (; *moves != NULL; moves++) {
        struct move move;
        struct illegal why;
        struct ply_effects effects;
        struct history history = line_history(*line);
        const struct game_rules *rules = (*line)->rules;
        cr_assert_eq(rules->parse_move(*moves, strlen(*moves), &move), ILLEGAL_NONE);
        cr_assert(rules->is_legal(&(*line)->position, &(*line)->options, &history, move, &why),
                  "%s", *moves);
        struct game_line *next = line_after(*line, move, the_table.now_ms + 1000, &effects);
        cr_assert_not_null(next);
        line_unref(*line);
        *line = next;
        table_store(game, *moves, next);
    }
}

void table_resign(struct db_game *game, int seat)
{
    struct game_line *line = table_line(game);
    struct table_news news;
    struct ending ending = {
        .rules = line->rules,
        .options = &line->options,
        .at_ms = the_table.now_ms,
        .resigned_seat = seat,
        .game = game,
        .news = &news,
    };
    line->rules->resign(&line->position, seat, &ending.outcome);
    cr_assert_eq(ending_apply(&the_table.match, the_table.db, &ending), DB_OK);
    line_unref(line);
}
