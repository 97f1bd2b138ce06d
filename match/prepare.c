#include "prepare.h"

#include "clock.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* --- the answer ----------------------------------------------------------------------------------
 */

void move_answer_fill(const struct game_line *line, const struct db_game *game,
                      const struct db_move *move, const struct ply_effects *effects,
                      const struct result_view *result, struct move_answer *answer)
{
    const struct game_rules *rules = line->rules;
    assert(line->ply == move->ply);
    answer->rules = rules;
    answer->move = *move;
    answer->elimination_count = effects->elimination_count;
    memcpy(answer->eliminations, effects->eliminations, sizeof answer->eliminations);
    answer->turn_seconds = game->turn_seconds;
    answer->deadline_at_ms = 0;
    answer->seat_count = rules->seat_count;
    for (int i = 0; i < rules->seat_count; i++) {
        rules->seat_facts(&line->position, i, &answer->facts[i]);
    }
    rules->format_position(&line->position, answer->position);
    bool ended = result != NULL && result->ended;
    int turn = ended ? RULES_SEAT_NONE : rules->turn(&line->position);
    answer->turn[0] = '\0';
    answer->turn[1] = '\0';
    if (turn != RULES_SEAT_NONE) {
        answer->turn[0] = rules->seat_letters[turn];
    }
    answer->check = turn != RULES_SEAT_NONE && answer->facts[turn].in_check;
    if (!ended) {
        answer->deadline_at_ms = move->deadline_at_ms;
    }
    (void)snprintf(answer->status, sizeof answer->status, "%s", ended ? game->status : "playing");
    answer->result = ended ? *result : (struct result_view){0};
    answer->seq = move->seq;
}

/* --- refusals, in their order --------------------------------------------------------------------
 */

bool ply_ended(const struct game_line *line, const struct db_game *game)
{
    struct outcome outcome;
    line_outcome(line, &outcome);
    return outcome.reason != END_NONE ||
           (strcmp(game->status, "aborted") == 0 && line->ply == game->ply);
}

/* The same answer again, from the stored move and the game replayed up to it. */
static enum match_status repeat_answer(struct db *db, const struct game_state *state,
                                       const struct db_move *move, struct move_answer *answer)
{
    const struct db_game *game = &state->game;
    struct game_line *line = NULL;
    struct ply_effects effects;
    struct result_view result = {0};
    enum db_status status = line_rebuild(db, game, move->ply, &line, &effects);
    if (status != DB_OK) {
        return match_status_of(status);
    }
    if (ply_ended(line, game)) {
        status = result_view_load(db, game, state->seats, state->seat_count, &result);
    }
    if (status == DB_OK) {
        move_answer_fill(line, game, move, &effects, &result, answer);
    }
    line_unref(line);
    return status == DB_OK ? MATCH_REPEATED : match_status_of(status);
}

/* A ply that has been made: by this seat with this text, or not. */
static enum match_status examine_stored(struct db *db, struct match_move *command, char seat)
{
    struct db_move move;
    enum db_status status =
        db_move_load(db, command->made.state->game.game_no, command->ply, &move);
    if (status != DB_OK) {
        return status == DB_NONE ? MATCH_INTEGRITY : match_status_of(status);
    }
    bool repeat = !move.by_cpu && move.seat[0] == seat && strcmp(move.move, command->text) == 0;
    return repeat ? repeat_answer(db, command->made.state, &move, &command->answer)
                  : MATCH_STALE_PLY;
}

static enum match_status examine_made(struct match *match, struct db *db,
                                      struct match_move *command, char seat)
{
    if (db != NULL) {
        return examine_stored(db, command, seat);
    }
    struct db *reader = reader_take(match);
    enum match_status status = examine_stored(reader, command, seat);
    reader_give(match, reader);
    return status;
}

/* The rules' part: parse, legality with history, what the move does and whether it decides. */
static enum match_status apply_rules(const struct game_line *line, struct match_move *command)
{
    const struct game_rules *rules = line->rules;
    struct history history = line_history(line);
    struct ply *ply = &command->made;
    struct move move;
    command->illegal = (struct illegal){0};
    command->illegal.reason = rules->parse_move(command->text, strlen(command->text), &move);
    if (command->illegal.reason != ILLEGAL_NONE) {
        return MATCH_ILLEGAL_MOVE;
    }
    if (!rules->is_legal(&line->position, &line->options, &history, move, &command->illegal)) {
        return MATCH_ILLEGAL_MOVE;
    }
    (void)snprintf(ply->text, sizeof ply->text, "%.*s", DB_MOVE_TEXT - 1, command->text);
    ply->by_cpu = false;
    return ply_prepare(ply, move, command->at_ms) ? MATCH_OK : MATCH_INTERNAL;
}

/* While another's turn is the CPU's, the deadline that waits for its owner is nobody's business. */
static bool is_too_late(const struct game_state *state, char seat, int64_t at_ms)
{
    const struct db_game *game = &state->game;
    int64_t deadline_ms = game->turn[0] == seat
                              ? game->deadline_at_ms
                              : deadline_shown(game, state->seats, state->seat_count);
    return clock_is_late(deadline_ms, at_ms);
}

enum match_status move_prepare(struct match *match, struct db *db, struct match_move *command)
{
    const struct game_state *state = command->made.state;
    const struct db_game *game = &state->game;
    assert(command->made.line == NULL);
    command->returns = false;
    command->seat = seat_of_player(state->seats, state->seat_count, command->player_no);
    if (command->seat == RULES_SEAT_NONE) {
        return game_refuses(match, db, game, command->player_no);
    }
    char seat = state->seats[command->seat].seat[0];
    standing_note(game, &command->standing);
    if (command->ply <= game->ply) {
        enum match_status made = examine_made(match, db, command, seat);
        if (made != MATCH_STALE_PLY) {
            return made;
        }
    }
    if (strcmp(game->status, "playing") != 0) {
        return MATCH_GAME_OVER;
    }
    command->returns = state->seats[command->seat].cpu;
    if (command->ply != game->ply + 1) {
        return MATCH_STALE_PLY;
    }
    if (is_too_late(state, seat, command->at_ms)) {
        return MATCH_TURN_EXPIRED;
    }
    if (game->turn[0] != seat) {
        return MATCH_NOT_YOUR_TURN;
    }
    return apply_rules(state->line, command);
}
