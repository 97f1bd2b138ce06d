#include "clocks.h"

#include "cpu.h"
#include "credit.h"
#include "db/clocks.h"

#include <assert.h>
#include <stdlib.h>

enum { AT_ONCE = 64, MADE_AT_START = 16 };

struct clock_turn clock_turn_of(struct match *match, const struct game_state *state)
{
    const struct match_options *options = &match->options;
    const struct game_line *line = state->line;
    int seat_no = line->rules->turn(&line->position);
    assert(seat_no != RULES_SEAT_NONE);
    const struct db_seat *seat = &state->seats[seat_no];
    struct clock_turn turn = {
        .opened_at_ms = line->at_ms,
        .deadline_at_ms = state->game.deadline_at_ms,
        .cpu = seat->cpu,
        .delay_ms = options->cpu_delay_ms,
        .absence_ms = options->absence_ms,
    };
    if (!turn.cpu && turn.deadline_at_ms == 0) {
        turn.seen_ms = player_seen_ms(match, seat->player_no, match_now_ms(match));
    }
    return turn;
}

/* Without memory for it the next start has to find the game. */
void clock_arm_at(struct match *match, const struct due_game *game)
{
    if (game->at_ms != INT64_MAX) {
        (void)due_set(match->due, game);
    }
}

void clock_arm_again(struct match *match, const struct due_game *game, int64_t at_ms)
{
    (void)due_set_again(match->due, &(struct due_game){at_ms, game->game_no, game->id});
}

void clock_arm(struct match *match, const struct game_state *now)
{
    struct due_game game = {.game_no = now->game.game_no, .id = now->game.id};
    struct clock_turn turn = clock_turn_of(match, now);
    (void)clock_due(&turn, &game.at_ms);
    if (game.at_ms > match_now_ms(match) || !cpu_offer(match->cpu, &game)) {
        clock_arm_at(match, &game);
    }
}

void clock_look(struct match *match, int64_t game_no, const struct game_id *id)
{
    clock_arm_at(match, &(struct due_game){match_now_ms(match), game_no, *id});
}

void clock_stop(struct match *match, int64_t game_no)
{
    due_drop(match->due, game_no);
}

/* --- games that a job makes ----------------------------------------------------------------------
 */

enum db_status clock_made(struct match *match, const struct db_game *game, bool cpu_starts)
{
    if (match->made_count == match->made_room) {
        size_t room = match->made_room == 0 ? MADE_AT_START : match->made_room * 2;
        struct due_game *made = realloc(match->made, room * sizeof *made);
        if (made == NULL) {
            return DB_ERROR;
        }
        match->made = made;
        match->made_room = room;
    }
    bool waits = !cpu_starts && game->deadline_at_ms != 0;
    match->made[match->made_count++] = (struct due_game){
        .at_ms = waits ? game->deadline_at_ms : game->created_at_ms,
        .game_no = game->game_no,
        .id = game->id,
    };
    return DB_OK;
}

void clock_arm_made(struct match *match)
{
    for (size_t i = 0; i < match->made_count; i++) {
        clock_arm_at(match, &match->made[i]);
    }
    match->made_count = 0;
}

/* --- the start -----------------------------------------------------------------------------------
 */

static enum db_status arm_all(struct match *match, struct db *db)
{
    struct db_clock clocks[AT_ONCE];
    int64_t after = 0;
    size_t count = AT_ONCE;
    while (count == AT_ONCE) {
        enum db_status status = db_clocks(db, after, clocks, AT_ONCE, &count);
        if (status != DB_OK) {
            return status;
        }
        for (size_t i = 0; i < count; i++) {
            const struct db_clock *clock = &clocks[i];
            bool waits = !clock->cpu && clock->deadline_at_ms != 0;
            struct due_game game = {
                .at_ms = waits ? clock->deadline_at_ms : match->started_at_ms,
                .game_no = clock->game_no,
                .id = clock->id,
            };
            after = clock->game_no;
            if (!due_set(match->due, &game)) {
                return DB_ERROR;
            }
        }
    }
    return DB_OK;
}

enum db_status clocks_start(struct match *match, int64_t last_stamp_ms)
{
    bool run = false;
    struct db *db = reader_take(match);
    enum db_status status = db_clocks_run(db, &run);
    reader_give(match, db);
    if (status == DB_OK && run) {
        status = credit_restart(match, last_stamp_ms);
    }
    if (status == DB_OK) {
        db = reader_take(match);
        status = arm_all(match, db);
        reader_give(match, db);
    }
    return status;
}

/* --- the ticker ----------------------------------------------------------------------------------
 */

void clocks_tick(struct match *match)
{
    struct due_game game;
    int64_t now_ms = match_now_ms(match);
    bool room = true;
    while (room && due_take(match->due, now_ms, &game)) {
        room = cpu_offer(match->cpu, &game);
        if (!room) {
            clock_arm_again(match, &game, game.at_ms); /* later, but not lost */
        }
    }
}
