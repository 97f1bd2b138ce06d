#include "ply.h"

#include "clocks.h"
#include "db/clocks.h"
#include "no_show.h"
#include "result.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

bool ply_prepare(struct ply *ply, struct move move, int64_t at_ms)
{
    const struct game_line *line = ply->state->line;
    assert(ply->line == NULL);
    /* Clocks never run backwards inside a game, whatever thread read them. */
    at_ms = at_ms < line->at_ms ? line->at_ms : at_ms;
    ply->think_ms = at_ms - line->at_ms;
    ply->opens_at_ms = at_ms;
    ply->line = line_after(line, move, at_ms, &ply->effects);
    if (ply->line == NULL) {
        return false;
    }
    line_outcome(ply->line, &ply->outcome);
    return true;
}

void ply_forget(struct ply *ply)
{
    line_unref(ply->line);
    state_unref(ply->state);
    ply->line = NULL;
    ply->state = NULL;
}

void ply_open(struct ply *ply)
{
    ply->rows = state_rows(ply->state);
    ply->news = (struct table_news){0};
}

/* The game's row after the ply. One that decides leaves the turn where it was: the end takes it
 * away. */
static void set_ply(struct ply *ply)
{
    const struct game_line *line = ply->line;
    struct db_game *game = &ply->rows.game;
    line->rules->format_position(&line->position, game->position);
    game->ply = line->ply;
    game->seq++;
    game->deadline_at_ms = 0;
    if (ply->outcome.reason == END_NONE) {
        game->turn[0] = line->rules->seat_letters[line->rules->turn(&line->position)];
        game->deadline_at_ms = clock_deadline(game->turn_seconds, ply->opens_at_ms);
    }
}

/* In order: the game's row tells whether all this is still true. */
static enum db_status store_rows(struct db *db, struct ply *ply)
{
    const struct game_line *line = ply->line;
    const struct game_rows *rows = &ply->rows;
    ply->move = (struct db_move){
        .game_no = rows->game.game_no,
        .ply = line->ply,
        .seq = rows->game.seq + 1,
        .by_cpu = ply->by_cpu,
        .at_ms = line->at_ms,
        .think_ms = ply->think_ms,
    };
    memcpy(ply->move.seat, rows->game.turn, sizeof ply->move.seat);
    (void)snprintf(ply->move.move, sizeof ply->move.move, "%s", ply->text);
    line_captured_text(&ply->effects, ply->move.captured);
    set_ply(ply);
    ply->move.deadline_at_ms = deadline_shown(&rows->game, rows->seats, rows->seat_count);
    enum db_status status = db_game_advance(db, &rows->game, line->ply - 1);
    return status == DB_OK ? db_move_insert(db, &ply->move) : status;
}

/* Only a move of the owner's own ends a row of missed turns; the CPU's counts where the owner was
 * to make it. */
static enum db_status count_turn(struct db *db, struct db_seat *seat, bool by_cpu)
{
    uint32_t missed = seat->missed_turns;
    if (!by_cpu) {
        missed = 0;
    } else if (!seat->cpu) {
        missed++;
    }
    if (missed == seat->missed_turns) {
        return DB_OK;
    }
    seat->missed_turns = missed;
    return db_seat_control(db, seat);
}

static enum db_status end_game(struct match *match, struct db *db, struct ply *ply)
{
    struct ending ending = {
        .rules = ply->line->rules,
        .options = &ply->line->options,
        .outcome = ply->outcome,
        .at_ms = ply->line->at_ms,
        .resigned_seat = RULES_SEAT_NONE,
        .game = &ply->rows.game,
        .news = &ply->news,
    };
    enum db_status status = ending_apply(match, db, &ending);
    memcpy(ply->rows.seats, ending.seats, sizeof ply->rows.seats);
    return status;
}

/* The turn is open; whether anybody is there to take it. */
static enum db_status open_turn(struct match *match, struct db *db, struct ply *ply)
{
    int absent = RULES_SEAT_NONE;
    enum db_status status = no_show_find(db, &ply->rows, &absent);
    if (status != DB_OK || absent == RULES_SEAT_NONE) {
        return status;
    }
    return no_show_abort(match, db, &ply->rows, absent, ply->line->at_ms);
}

enum db_status ply_store(struct match *match, struct db *db, struct ply *ply,
                         struct result_view *result)
{
    struct game_rows *rows = &ply->rows;
    int mover = rules_seat(ply->line->rules, rows->game.turn[0]);
    assert(mover != RULES_SEAT_NONE);
    enum db_status status = store_rows(db, ply);
    if (status == DB_OK) {
        status = count_turn(db, &rows->seats[mover], ply->by_cpu);
    }
    if (status == DB_OK) {
        status =
            ply->outcome.reason == END_NONE ? open_turn(match, db, ply) : end_game(match, db, ply);
    }
    return status == DB_OK
               ? result_view_load(db, &rows->game, rows->seats, rows->seat_count, result)
               : status;
}

struct game_state *ply_state(const struct ply *ply)
{
    const struct game_rows *rows = &ply->rows;
    struct game_line *line = ply->line == NULL ? ply->state->line : ply->line;
    if (strcmp(rows->game.status, "playing") != 0) {
        return NULL;
    }
    struct game_state *now = state_new(&rows->game, rows->seats, rows->seat_count, line);
    if (now != NULL) {
        now->epoch = ply->state->epoch; /* the seats' owners are as they were read */
    }
    return now;
}

void ply_acknowledge(struct match_op *op, const struct ply *ply)
{
    const struct db_game *game = &ply->rows.game;
    if (strcmp(game->status, "playing") != 0) {
        game_over_publish(op, &ply->rows, &ply->news);
        return;
    }
    struct game_state *now = ply_state(ply);
    op_release(op, now);
    if (now != NULL) {
        clock_arm(op->match, now);
    } else {
        clock_look(op->match, game->game_no, &game->id);
    }
    game_publish(op->match, game->game_no);
    state_unref(now);
}
