#include "attend.h"

#include "arrivals.h"
#include "choice.h"
#include "clocks.h"
#include "credit.h"
#include "handover.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    SOON_MS = 5,               /* somebody is on the way */
    AGAIN_MS = 250,            /* the writer was busy, or there was no memory */
    MUCH_LATER_MS = 60 * 1000, /* rows that make no sense will not make more in a moment */
};

/* --- the job -------------------------------------------------------------------------------------
 */

/* A turn that the service ends, or a seat that it takes over. */
struct attendance {
    struct match_op op;
    struct game_id game_id;
    enum clock_duty duty;
    int64_t now_ms; /* when the game was looked at */
    bool needless;
    struct ply ply;
};

static struct attendance *attendance_of(struct db_job *job)
{
    static_assert(offsetof(struct attendance, op) == 0, "a command is its op");
    return (struct attendance *)op_of_job(job);
}

static int seat_on_turn(const struct ply *ply)
{
    const struct game_line *line = ply->state->line;
    return line->rules->turn(&line->position);
}

/* The second own turn in a row that went by: the seat goes before the move comes. */
static enum db_status note_missed_turn(struct db *db, struct attendance *attendance)
{
    struct ply *ply = &attendance->ply;
    int seat = seat_on_turn(ply);
    struct db_seat *row = &ply->rows.seats[seat];
    if (attendance->duty != CLOCK_LATE_TURN || row->missed_turns + 1 < LIMIT_MISSED_TURNS) {
        return DB_OK;
    }
    row->missed_turns++;
    return seat_change(attendance->op.match, db, &ply->rows, seat, SEAT_MISSED_TURNS,
                       ply->line->at_ms);
}

static enum db_status end_turn(struct db *db, struct attendance *attendance)
{
    struct result_view result;
    enum db_status status = note_missed_turn(db, attendance);
    return status == DB_OK ? ply_store(attendance->op.match, db, &attendance->ply, &result)
                           : status;
}

/* Unless the owner was heard of in the meantime. */
static enum db_status take_over(struct db *db, struct attendance *attendance)
{
    struct match *match = attendance->op.match;
    struct clock_turn turn = clock_turn_of(match, attendance->ply.state);
    int64_t at_ms = 0;
    (void)clock_due(&turn, &at_ms);
    attendance->needless = at_ms > attendance->now_ms;
    return attendance->needless
               ? DB_OK
               : seat_change(match, db, &attendance->ply.rows, seat_on_turn(&attendance->ply),
                             SEAT_ABSENT, attendance->now_ms);
}

/* DB_NONE: the game is no longer what was looked at. */
static enum db_status attendance_run(struct db_job *job, struct db *db)
{
    struct attendance *attendance = attendance_of(job);
    attendance->op.status = MATCH_OK;
    op_hold(&attendance->op, &attendance->game_id);
    ply_open(&attendance->ply);
    return attendance->duty == CLOCK_ABSENCE ? take_over(db, attendance) : end_turn(db, attendance);
}

static void again(struct match *match, const struct db_game *game, int64_t in_ms)
{
    clock_arm_at(match, &(struct due_game){match_now_ms(match) + in_ms, game->game_no, game->id});
}

/* Not of the ply, which has the time of the deadline, but of its being there to be seen. */
static void note_lateness(const struct attendance *attendance)
{
    struct match *match = attendance->op.match;
    if (attendance->duty == CLOCK_LATE_TURN) {
        timed_add(&match->counts.late_turns,
                  match_now_ms(match) - attendance->ply.state->game.deadline_at_ms);
    }
}

static void attendance_done(struct db_job *job, enum db_status status)
{
    struct attendance *attendance = attendance_of(job);
    const struct db_game *game = &attendance->ply.state->game;
    if (status == DB_OK && !attendance->needless) {
        note_lateness(attendance);
        ply_acknowledge(&attendance->op, &attendance->ply);
    } else {
        again(attendance->op.match, game, status == DB_OK || status == DB_NONE ? 0 : AGAIN_MS);
    }
    op_finish(&attendance->op, status);
}

static void attendance_free(void *context)
{
    struct attendance *attendance = context;
    ply_forget(&attendance->ply);
    free(attendance);
}

/* --- the look ------------------------------------------------------------------------------------
 */

static enum choice choose(struct match *match, struct ply *ply, int64_t at_ms)
{
    static const struct choice_budget budget = {LIMIT_CPU_NODES, LIMIT_CPU_MS};
    struct move move;
    const struct game_line *line = ply->state->line;
    int64_t began_ms = env_steady_ms(match->env);
    enum choice choice = choice_make(match->env, &budget, line, &move);
    timed_add(&match->counts.choices, env_steady_ms(match->env) - began_ms);
    if (choice != CHOICE_MADE) {
        return choice;
    }
    char text[RULES_MOVE_TEXT_MAX];
    static_assert(sizeof text <= sizeof ply->text, "a move has room");
    line->rules->format_move(move, text);
    memcpy(ply->text, text, sizeof text);
    ply->by_cpu = true;
    return ply_prepare(ply, move, at_ms) ? CHOICE_MADE : CHOICE_NO_MEMORY;
}

/* What it takes to do the duty; in how many milliseconds to try again, 0: it is there. */
static int64_t make_ready(struct match *match, struct attendance *attendance,
                          const struct clock_turn *turn)
{
    struct ply *ply = &attendance->ply;
    if (attendance->duty == CLOCK_ABSENCE) {
        return 0;
    }
    int64_t at_ms = clock_cpu_time(turn, attendance->duty, attendance->now_ms);
    enum choice choice = choose(match, ply, at_ms);
    /* Nobody is charged for the service's being late. */
    ply->opens_at_ms = at_ms > attendance->now_ms ? at_ms : attendance->now_ms;
    return choice == CHOICE_MADE ? 0 : choice == CHOICE_NONE ? MUCH_LATER_MS : AGAIN_MS;
}

static void submit(struct match *match, struct game_state *state, const struct clock_turn *turn,
                   enum clock_duty duty)
{
    struct attendance *attendance = calloc(1, sizeof *attendance);
    struct db_game game = state->game;
    if (attendance == NULL) {
        state_unref(state);
        again(match, &game, AGAIN_MS);
        return;
    }
    attendance->op.wake = attendance_free;
    attendance->op.context = attendance;
    attendance->game_id = game.id;
    attendance->duty = duty;
    attendance->now_ms = match_now_ms(match);
    attendance->ply.state = state;
    int64_t again_ms = make_ready(match, attendance, turn);
    if (again_ms == 0 &&
        op_submit(match, &attendance->op, attendance_run, attendance_done) != MATCH_WAIT) {
        again_ms = AGAIN_MS;
    }
    if (again_ms != 0) {
        attendance_free(attendance);
        again(match, &game, again_ms);
    }
}

/* Whether there is a job for it now; else it is armed, and the state given back. */
static void look(struct match *match, struct game_state *state)
{
    struct clock_turn turn = clock_turn_of(match, state);
    struct due_game due = {.game_no = state->game.game_no, .id = state->game.id};
    enum clock_duty duty = clock_due(&turn, &due.at_ms);
    int64_t now_ms = match_now_ms(match);
    if (due.at_ms <= now_ms && duty == CLOCK_LATE_TURN &&
        arrivals_before(match->arrivals, turn.deadline_at_ms)) {
        due.at_ms = now_ms + SOON_MS;
    }
    if (due.at_ms > now_ms) {
        clock_arm_at(match, &due);
        state_unref(state);
        return;
    }
    if (duty == CLOCK_LATE_TURN) {
        credit_settle(match->credit);
    }
    submit(match, state, &turn, duty);
}

void attend(struct match *match, const struct due_game *due)
{
    struct game_state *state = NULL;
    enum db_status status = state_find(match, &due->id, &state);
    if (status == DB_NONE) {
        return; /* its making was taken back */
    }
    if (status != DB_OK) {
        int64_t in_ms = status == DB_CORRUPT ? MUCH_LATER_MS : AGAIN_MS;
        clock_arm_again(match, due, match_now_ms(match) + in_ms);
    } else if (state->line == NULL) {
        state_unref(state);
    } else {
        look(match, state);
    }
}
