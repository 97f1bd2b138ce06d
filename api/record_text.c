#include "record_text.h"

#include "notation.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- the record ------------------------------------------------------------------------------- */

static void print_time(FILE *out, const char *name, int64_t at_ms)
{
    char text[NOTATION_TIME];
    if (at_ms > 0 && notation_time(at_ms, text)) {
        (void)fprintf(out, "%s: %s\n", name, text);
    }
}

static void print_head(FILE *out, const struct record *record)
{
    const struct db_game *game = &record->game;
    char options[RULES_OPTIONS_TEXT_MAX];
    options_format(record->rules, &record->options, options);
    (void)fprintf(out, "banzuke-record: 1\nid: %s\ngame: %s\n", game->id.id.text, game->game);
    if (game->pool[0] != '\0') {
        (void)fprintf(out, "pool: %s\n", game->pool);
    }
    (void)fprintf(out, "options: %s\nturn_seconds: %u\n", options, game->turn_seconds);
    print_time(out, "created_at", game->created_at_ms);
    if (record->has_replay_of) {
        (void)fprintf(out, "replay_of: %s\n", record->replay_of.id.text);
    }
    for (size_t i = 0; i < record->seat_count; i++) {
        const struct db_seat *seat = &record->seats[i];
        (void)fprintf(out, "seat %s: %s\n", seat->seat,
                      seat->player_no == 0 ? "cpu" : seat->player_id.id.text);
    }
    (void)fprintf(out, "start: %s\n", record->start);
}

static void print_moves(FILE *out, const struct record *record)
{
    (void)fputs("# ply seat move  by     at                        think_ms captured\n", out);
    for (size_t i = 0; i < record->move_count; i++) {
        const struct db_move *move = &record->moves[i];
        char at[NOTATION_TIME];
        (void)fprintf(out, "%5" PRIu32 " %-4s %-5s %-6s %s %9" PRId64 "%s%s\n", move->ply,
                      move->seat, move->move, move->by_cpu ? "cpu" : "player",
                      notation_time(move->at_ms, at) ? at : "-", move->think_ms,
                      move->captured[0] == '\0' ? "" : " ", move->captured);
    }
}

/* Whom a mate is credited to; nobody where the position did not come about by play. */
static void print_credited(FILE *out, const struct game_rules *rules, int seat)
{
    if (seat == RULES_SEAT_NONE) {
        (void)fputs("nobody", out);
    } else {
        (void)fputc(rules->seat_letters[seat], out);
    }
}

static void print_eliminations(FILE *out, const struct record *record)
{
    for (size_t i = 0; i < record->elimination_count; i++) {
        const struct line_elimination *fallen = &record->eliminations[i];
        (void)fprintf(out, "eliminated %c: ply %" PRIu32 " by ",
                      record->rules->seat_letters[fallen->elimination.seat], fallen->ply);
        print_credited(out, record->rules, fallen->elimination.credited);
        (void)fputc('\n', out);
    }
}

static void print_status(FILE *out, const struct record *record)
{
    const struct db_game *game = &record->game;
    (void)fprintf(out, "status: %s\n", game->status);
    if (record->ended) {
        (void)fprintf(out, "reason: %s\n", game->end_reason);
    }
    if (record->resigned[0] != '\0') {
        (void)fprintf(out, "resigned: %s\n", record->resigned);
    }
    print_eliminations(out, record);
    if (record->has_places) {
        (void)fputs("places:", out);
        for (size_t i = 0; i < record->seat_count; i++) {
            (void)fprintf(out, " %u", record->seats[i].place);
        }
        (void)fputc('\n', out);
    }
    (void)fprintf(out, "position: %s\n", game->position);
    print_time(out, "finished_at", game->finished_at_ms);
}

void record_print(FILE *out, const struct record *record)
{
    assert(out != NULL && record != NULL);
    print_head(out, record);
    (void)fputc('\n', out);
    print_moves(out, record);
    (void)fputc('\n', out);
    print_status(out, record);
}

char *record_text(const struct record *record, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (out == NULL) {
        return NULL;
    }
    record_print(out, record);
    bool good = ferror(out) == 0;
    if (fclose(out) != 0 || !good) {
        free(text);
        return NULL;
    }
    return text;
}

/* --- the board -------------------------------------------------------------------------------- */

enum { FILES = 9, RANKS = RULES_SQUARES / FILES };

static int cell_width(const struct game_line *line)
{
    size_t width = 1;
    for (int square = 0; square < RULES_SQUARES; square++) {
        char piece[RULES_PIECE_TEXT_MAX];
        line->rules->piece_text(&line->position, (uint8_t)square, piece);
        width = strlen(piece) > width ? strlen(piece) : width;
    }
    return (int)width;
}

static void print_rank(FILE *out, const struct game_line *line, int rank, int width)
{
    for (int file = 0; file < FILES; file++) {
        char piece[RULES_PIECE_TEXT_MAX];
        line->rules->piece_text(&line->position, (uint8_t)(rank * FILES + file), piece);
        (void)fprintf(out, " %-*s", width, piece[0] == '\0' ? "." : piece);
    }
    (void)fprintf(out, "  %c\n", 'a' + rank);
}

static void print_grid(FILE *out, const struct game_line *line)
{
    int width = cell_width(line);
    for (int file = FILES; file > 0; file--) {
        (void)fprintf(out, " %-*d", file > 1 ? width : 1, file);
    }
    (void)fputc('\n', out);
    for (int rank = 0; rank < RANKS; rank++) {
        print_rank(out, line, rank, width);
    }
}

static void print_title(FILE *out, const struct record *record, const struct game_line *line)
{
    (void)fprintf(out, "%s %s\n", record->game.game, record->game.id.id.text);
    if (line->ply == 0) {
        (void)fprintf(out, "before the first of %zu plies\n\n", record->move_count);
        return;
    }
    const struct db_move *last = &record->moves[line->ply - 1];
    (void)fprintf(out, "after ply %" PRIu32 " of %zu: %s %s%s%s\n\n", line->ply, record->move_count,
                  last->seat, last->move, last->captured[0] == '\0' ? "" : ", takes ",
                  last->captured);
}

static void print_hand(FILE *out, const struct game_rules *rules, const struct seat_facts *facts)
{
    const char *before = " (";
    (void)fprintf(out, ", %u %s", facts->captured,
                  rules->hand_letters[0] == '\0' ? "captured" : "in hand");
    for (size_t i = 0; rules->hand_letters[i] != '\0'; i++) {
        if (facts->hand[i] > 0) {
            (void)fprintf(out, "%s%u %c", before, facts->hand[i], rules->hand_letters[i]);
            before = ", ";
        }
    }
    (void)fputs(before[0] == ',' ? ")" : "", out);
}

static void print_fall(FILE *out, const struct game_line *line, int seat)
{
    for (size_t i = 0; i < line->elimination_count; i++) {
        const struct line_elimination *fallen = &line->eliminations[i];
        if (fallen->elimination.seat == seat) {
            (void)fprintf(out, ", out at ply %" PRIu32 " by ", fallen->ply);
            print_credited(out, line->rules, fallen->elimination.credited);
        }
    }
}

static void print_seats(FILE *out, const struct game_line *line)
{
    const struct game_rules *rules = line->rules;
    for (int i = 0; i < rules->seat_count; i++) {
        struct seat_facts facts;
        rules->seat_facts(&line->position, i, &facts);
        (void)fprintf(out, "%c: %u piece%s", rules->seat_letters[i], facts.pieces,
                      facts.pieces == 1 ? "" : "s");
        print_hand(out, rules, &facts);
        if (facts.mates > 0) {
            (void)fprintf(out, ", mates: %u", facts.mates);
        }
        (void)fputs(facts.in_check ? ", in check" : "", out);
        print_fall(out, line, i);
        (void)fputc('\n', out);
    }
}

void record_print_board(FILE *out, const struct record *record, const struct game_line *line)
{
    char position[RULES_POSITION_TEXT_MAX];
    assert(line->rules == record->rules && line->ply <= record->move_count);
    print_title(out, record, line);
    print_grid(out, line);
    (void)fputc('\n', out);
    if (line->rules->piece_legend != NULL) {
        (void)fprintf(out, "%s\n\n", line->rules->piece_legend);
    }
    print_seats(out, line);
    line->rules->format_position(&line->position, position);
    (void)fprintf(out, "position: %s\n", position);
    int turn = line->rules->turn(&line->position);
    if (record->ended && line->ply == record->move_count) {
        (void)fprintf(out, "end: %s\n", record->game.end_reason);
    } else if (turn != RULES_SEAT_NONE) {
        (void)fprintf(out, "to move: %c\n", line->rules->seat_letters[turn]);
    }
}
