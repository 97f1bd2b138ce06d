#include "line.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOVES_AT_ONCE = 64 };

/* Room for the start and `plies` more; nothing filled in but the count. */
static struct game_line *line_new(size_t plies)
{
    size_t size = sizeof(struct game_line) + (plies + 1) * sizeof(struct history_entry);
    struct game_line *line = calloc(1, size);
    if (line != NULL) {
        atomic_init(&line->references, 1);
    }
    return line;
}

static struct game_line *start_with_room(const struct db_game *game, const struct game_rules *rules,
                                         const struct game_options *options, size_t plies)
{
    struct game_line *line = line_new(plies);
    if (line == NULL) {
        return NULL;
    }
    line->game_no = game->game_no;
    line->rules = rules;
    line->options = *options;
    line->at_ms = game->created_at_ms;
    rules->start(&line->position);
    line->history[0] = (struct history_entry){rules->hash(&line->position), RULES_SEAT_NONE, false};
    return line;
}

static void note_eliminations(struct game_line *line, const struct ply_effects *effects)
{
    for (size_t i = 0; i < effects->elimination_count; i++) {
        assert(line->elimination_count < RULES_ELIMINATIONS_MAX);
        line->eliminations[line->elimination_count++] =
            (struct line_elimination){line->ply, effects->eliminations[i]};
    }
}

/* Plays on a line that has room for one more entry. */
static void line_push(struct game_line *line, struct move move, int64_t at_ms,
                      struct ply_effects *effects)
{
    const struct game_rules *rules = line->rules;
    int mover = rules->turn(&line->position);
    rules->play(&line->position, &line->options, move, &line->position, effects);
    line->ply++;
    line->at_ms = at_ms;
    line->history[line->ply] = (struct history_entry){rules->hash(&line->position), (int8_t)mover,
                                                      effects->gave_new_check};
    note_eliminations(line, effects);
}

struct game_line *line_after(const struct game_line *line, struct move move, int64_t at_ms,
                             struct ply_effects *effects)
{
    struct game_line *next = line_new((size_t)line->ply + 1);
    if (next == NULL) {
        return NULL;
    }
    /* All but the count, which others change meanwhile. */
    size_t from = offsetof(struct game_line, game_no);
    size_t entries = (size_t)line->ply + 1;
    memcpy((char *)next + from, (const char *)line + from,
           sizeof *line - from + entries * sizeof line->history[0]);
    line_push(next, move, at_ms, effects);
    return next;
}

struct history line_history(const struct game_line *line)
{
    return (struct history){line->history, (size_t)line->ply + 1};
}

void line_outcome(const struct game_line *line, struct outcome *outcome)
{
    struct history history = line_history(line);
    line->rules->outcome(&line->position, &line->options, &history, outcome);
}

struct game_line *line_ref(struct game_line *line)
{
    atomic_fetch_add_explicit(&line->references, 1, memory_order_relaxed);
    return line;
}

void line_unref(struct game_line *line)
{
    if (line == NULL) {
        return;
    }
    if (atomic_fetch_sub_explicit(&line->references, 1, memory_order_acq_rel) == 1) {
        free(line);
    }
}

bool line_rules(const struct db_game *game, const struct game_rules **rules,
                struct game_options *options)
{
    struct text_error error;
    *rules = rules_find(game->game);
    return *rules != NULL && options_parse(*rules, game->options, options, &error);
}

/* A stored move replayed as if it came in today. */
static bool replay_one(struct game_line *line, const struct db_move *row,
                       struct ply_effects *effects)
{
    const struct game_rules *rules = line->rules;
    struct history history = line_history(line);
    struct illegal why;
    struct move move;
    int turn = rules->turn(&line->position);
    bool playable = row->ply == line->ply + 1 && turn != RULES_SEAT_NONE &&
                    rules_seat(rules, row->seat[0]) == turn &&
                    rules->parse_move(row->move, strlen(row->move), &move) == ILLEGAL_NONE &&
                    rules->is_legal(&line->position, &line->options, &history, move, &why);
    if (playable) {
        line_push(line, move, row->at_ms, effects);
    }
    return playable;
}

static enum db_status replay_all(struct db *db, struct game_line *line, uint32_t plies,
                                 struct ply_effects *effects)
{
    struct db_move rows[MOVES_AT_ONCE];
    while (line->ply < plies) {
        size_t count = 0;
        enum db_status status = db_moves(db, line->game_no, line->ply, rows, MOVES_AT_ONCE, &count);
        if (status != DB_OK) {
            return status;
        }
        if (count == 0) {
            return DB_CORRUPT; /* the game row knows more plies than there are moves */
        }
        for (size_t i = 0; i < count && line->ply < plies; i++) {
            if (!replay_one(line, &rows[i], effects)) {
                return DB_CORRUPT;
            }
        }
    }
    return DB_OK;
}

enum db_status line_rebuild(struct db *db, const struct db_game *game, uint32_t ply,
                            struct game_line **line, struct ply_effects *effects)
{
    const struct game_rules *rules = NULL;
    struct game_options options;
    if (!line_rules(game, &rules, &options)) {
        return DB_CORRUPT;
    }
    struct game_line *rebuilt = start_with_room(game, rules, &options, ply);
    if (rebuilt == NULL) {
        return DB_ERROR;
    }
    *effects = (struct ply_effects){0};
    enum db_status status = replay_all(db, rebuilt, ply, effects);
    if (status != DB_OK) {
        line_unref(rebuilt);
        return status;
    }
    *line = rebuilt;
    return DB_OK;
}

static bool anybody_fallen(const struct game_rules *rules, const struct position *position)
{
    for (int seat = 0; seat < rules->seat_count; seat++) {
        struct seat_facts facts;
        rules->seat_facts(position, seat, &facts);
        if (!facts.alive) {
            return true;
        }
    }
    return false;
}

enum db_status line_eliminations(struct db *db, const struct db_game *game,
                                 const struct position *position,
                                 struct line_elimination eliminations[RULES_ELIMINATIONS_MAX],
                                 size_t *count)
{
    const struct game_rules *rules = rules_find(game->game);
    struct game_line *line = NULL;
    struct ply_effects effects;
    assert(rules != NULL);
    *count = 0;
    if (!anybody_fallen(rules, position)) {
        return DB_OK;
    }
    enum db_status status = line_rebuild(db, game, game->ply, &line, &effects);
    if (status == DB_OK) {
        *count = line->elimination_count;
        memcpy(eliminations, line->eliminations, sizeof line->eliminations);
        line_unref(line);
    }
    return status;
}

void line_captured_text(const struct ply_effects *effects, char text[DB_SQUARES_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < effects->captured_count; i++) {
        char square[3];
        square_format(effects->captured[i], square);
        int wrote =
            snprintf(text + used, DB_SQUARES_TEXT - used, "%s%s", i == 0 ? "" : " ", square);
        assert(wrote > 0 && used + (size_t)wrote < DB_SQUARES_TEXT);
        used += (size_t)wrote;
    }
}
