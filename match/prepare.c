#include "prepare.h"

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
    (void)snprintf(answer->status, sizeof answer->status, "%s", ended ? "finished" : "playing");
    answer->result = ended ? *result : (struct result_view){0};
    answer->seq = move->seq;
}

/* --- refusals, in their order --------------------------------------------------------------------
 */

static void note_standing(struct match_move *command, const struct db_game *game)
{
    struct game_standing *standing = &command->standing;
    memcpy(standing->status, game->status, sizeof standing->status);
    memcpy(standing->turn, game->turn, sizeof standing->turn);
    standing->ply = game->ply;
}

/* The same answer again, from the stored move and the game replayed up to it. */
static enum match_status repeat_answer(struct db *db, const struct move_ground *ground,
                                       const struct db_move *move, struct move_answer *answer)
{
    const struct db_game *game = &ground->game;
    struct game_line *line = NULL;
    struct ply_effects effects;
    struct result_view result = {0};
    enum db_status status = line_rebuild(db, game, move->ply, &line, &effects);
    if (status != DB_OK) {
        return match_status_of(status);
    }
    struct outcome outcome;
    line_outcome(line, &outcome);
    if (outcome.reason != END_NONE) {
        status = result_view_load(db, game, ground->seats, ground->seat_count, &result);
    }
    if (status == DB_OK) {
        move_answer_fill(line, game, move, &effects, &result, answer);
    }
    line_unref(line);
    return status == DB_OK ? MATCH_REPEATED : match_status_of(status);
}

/* A ply that has been made: by this seat with this text, or not. */
static enum match_status examine_made(struct db *db, const struct move_ground *ground,
                                      struct match_move *command)
{
    struct db_move move;
    enum db_status status = db_move_load(db, ground->game.game_no, command->ply, &move);
    if (status != DB_OK) {
        return status == DB_NONE ? MATCH_INTEGRITY : match_status_of(status);
    }
    bool repeat = !move.by_cpu && move.seat[0] == ground->seats[ground->seat].seat[0] &&
                  strcmp(move.move, command->text) == 0;
    return repeat ? repeat_answer(db, ground, &move, &command->answer) : MATCH_STALE_PLY;
}

/* The rules' part: parse, legality with history, what the move does and whether it decides. */
static enum match_status apply_rules(const struct game_line *line, struct match_move *command)
{
    const struct game_rules *rules = line->rules;
    struct history history = line_history(line);
    struct move move;
    command->illegal = (struct illegal){0};
    command->illegal.reason = rules->parse_move(command->text, strlen(command->text), &move);
    if (command->illegal.reason != ILLEGAL_NONE) {
        return MATCH_ILLEGAL_MOVE;
    }
    if (!rules->is_legal(&line->position, &line->options, &history, move, &command->illegal)) {
        return MATCH_ILLEGAL_MOVE;
    }
    /* Clocks never run backwards inside a game, whatever thread read them. */
    int64_t at_ms = command->at_ms < line->at_ms ? line->at_ms : command->at_ms;
    command->think_ms = at_ms - line->at_ms;
    command->line = line_after(line, move, at_ms, &command->effects);
    if (command->line == NULL) {
        return MATCH_INTERNAL;
    }
    line_outcome(command->line, &command->outcome);
    return MATCH_OK;
}

enum match_status move_prepare(struct match *match, struct db *db, struct match_move *command,
                               struct move_ground *ground)
{
    enum db_status status = db_game_find(db, &command->game_id, &ground->game);
    if (status == DB_OK) {
        status = db_seats(db, ground->game.game_no, ground->seats, &ground->seat_count);
    }
    if (status != DB_OK) {
        return match_status_of(status);
    }
    ground->seat = seat_of_player(ground->seats, ground->seat_count, command->player_no);
    if (ground->seat == RULES_SEAT_NONE) {
        return MATCH_NOT_YOUR_SEAT;
    }
    const struct db_game *game = &ground->game;
    note_standing(command, game);
    enum match_status made = MATCH_STALE_PLY;
    if (command->ply <= game->ply) {
        made = examine_made(db, ground, command);
    }
    if (made != MATCH_STALE_PLY) {
        return made;
    }
    if (strcmp(game->status, "playing") != 0) {
        return MATCH_GAME_OVER;
    }
    if (command->ply != game->ply + 1) {
        return MATCH_STALE_PLY;
    }
    if (game->turn[0] != ground->seats[ground->seat].seat[0]) {
        return MATCH_NOT_YOUR_TURN;
    }
    struct game_line *line = NULL;
    status = line_at(match, db, game, &line);
    if (status != DB_OK) {
        return match_status_of(status);
    }
    enum match_status verdict = apply_rules(line, command);
    line_unref(line);
    return verdict;
}
