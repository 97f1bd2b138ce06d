#include "raced.h"

#include "match/devices.h"
#include "match/game_make.h"

#include <stdlib.h>
#include <string.h>

enum {
    TURN_SECONDS = 30,
    SPACING_MS = 10,    /* between the deadlines of two games */
    GOES_EVERY_NTH = 8, /* game */
};

/* --- many at once --------------------------------------------------------------------------------
 */

struct making {
    struct match_op op;
    int64_t now_ms;
    struct raced *games;
    size_t count;
};

static enum db_status making_run(struct db_job *job, struct db *db)
{
    struct making *making = (struct making *)op_of_job(job);
    making->op.status = MATCH_OK;
    for (size_t i = 0; i < making->count; i++) {
        struct db_game game;
        struct raced *raced = &making->games[i];
        struct game_plan plan = {
            .rules = rules_find("hasami"),
            .pool = "hasami",
            .turn_seconds = TURN_SECONDS,
            .players = {raced->players[0], raced->players[1]},
            .at_ms = making->now_ms + (int64_t)(i + 1) * SPACING_MS,
        };
        options_default(plan.rules, &plan.options);
        options_bound(plan.rules, &plan.options);
        enum db_status status = game_make(making->op.match, db, &plan, &game);
        if (status != DB_OK) {
            return status;
        }
        raced->due = (struct due_game){game.deadline_at_ms, game.game_no, game.id};
    }
    return DB_OK;
}

static void making_done(struct db_job *job, enum db_status status)
{
    op_finish(op_of_job(job), status);
}

void raced_make(struct world *world, int64_t b, int64_t w, struct raced *games, size_t count)
{
    sem_t woken;
    struct making making = {.games = games, .count = count};
    for (size_t i = 0; i < count; i++) {
        bool may_go = i % GOES_EVERY_NTH == 0;
        games[i] = (struct raced){
            .players = {may_go ? world_player(world) : b, w},
              .may_go = may_go
        };
    }
    making.op = world_op(&woken);
    making.now_ms = atomic_load(&world->now_ms);
    if (world_finish(&making.op, op_submit(world->match, &making.op, making_run, making_done),
                     &woken) != MATCH_OK) {
        world_die(world, "no games");
    }
}

/* --- at a table ----------------------------------------------------------------------------------
 */

static enum match_status do_deed(struct world *world, struct match_table_deed *command)
{
    sem_t woken;
    command->op = world_op(&woken);
    command->at_ms = atomic_load(&world->now_ms);
    return world_finish(&command->op, match_table_begin(world->match, command), &woken);
}

static void must_do(struct world *world, struct match_table_deed *command, enum table_deed deed,
                    int64_t player_no)
{
    command->deed = deed;
    command->player_no = player_no;
    enum match_status status = do_deed(world, command);
    if (status != MATCH_OK) {
        world_die(world, "deed %d at a table: %d", (int)deed, (int)status);
    }
}

/* A command has room for all that is ever asked of a table. */
static struct match_table_deed *deed_new(struct world *world)
{
    struct match_table_deed *command = calloc(1, sizeof *command);
    if (command == NULL) {
        world_die(world, "no memory");
    }
    return command;
}

struct raced raced_at_table(struct world *world, int64_t b, int64_t w)
{
    struct match_table_deed *command = deed_new(world);
    command->rules = rules_find("hasami");
    command->wish = (struct table_wish){.has_turn_seconds = true, .turn_seconds = TURN_SECONDS};
    must_do(world, command, TABLE_CREATE, w);
    memcpy(command->code, command->view.code, sizeof command->code);
    must_do(world, command, TABLE_JOIN, b);
    command->id = command->view.row.id;
    command->seat = 'w';
    must_do(world, command, TABLE_SIT, w);
    command->seat = 'b';
    must_do(world, command, TABLE_SIT, b);
    must_do(world, command, TABLE_START, w);
    const struct db_game *game = &command->game.game;
    struct raced raced = {
        .due = {game->deadline_at_ms, game->game_no, game->id},
        .players = {b,                    w                                },
        .table = command->id,
    };
    free(command);
    return raced;
}

enum match_status raced_leave(struct world *world, const struct raced *game, int seat)
{
    struct match_table_deed *command = deed_new(world);
    command->deed = TABLE_LEAVE;
    command->player_no = game->players[seat];
    command->id = game->table;
    enum match_status status = do_deed(world, command);
    free(command);
    return status;
}

enum match_status raced_erase(struct world *world, const struct raced *game, int seat)
{
    sem_t woken;
    struct match_erase command = {
        .op = world_op(&woken),
        .player_no = game->players[seat],
        .at_ms = atomic_load(&world->now_ms),
    };
    return world_finish(&command.op, match_erase_begin(world->match, &command), &woken);
}
