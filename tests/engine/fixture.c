#include "fixture.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

const struct game_rules *hasami(void)
{
    const struct game_rules *rules = rules_find("hasami");

    cr_assert_not_null(rules);
    return rules;
}

const struct game_rules *yonin(void)
{
    const struct game_rules *rules = rules_find("yonin");

    cr_assert_not_null(rules);
    return rules;
}

struct game_options options_of(const struct game_rules *rules, const char *text)
{
    struct game_options options;
    struct text_error error;

    cr_assert(options_parse(rules, text, &options, &error), "%s: %s", text, error.text);
    return options;
}

struct game_options options_from_json(const struct game_rules *rules, json_t *object)
{
    struct game_options options = options_of(rules, "");
    struct text_error error;
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
    {
        char number[32];

        (void)snprintf(number, sizeof number, "%lld", (long long)json_integer_value(value));
        cr_assert(options_set(rules, &options, key,
                              json_is_string(value) ? json_string_value(value) : number, &error),
                  "%s", error.text);
    }
    return options;
}

struct position position_of(const struct game_rules *rules, const char *text)
{
    const struct game_options options = options_of(rules, "");

    return position_under(rules, &options, text);
}

struct position position_under(const struct game_rules *rules, const struct game_options *options,
                               const char *text)
{
    struct position position;
    struct text_error error;

    cr_assert(rules->parse_position(text, strlen(text), options, &position, &error), "%s: %s", text,
              error.text);
    return position;
}

struct move move_of(const struct game_rules *rules, const char *text)
{
    struct move move;

    cr_assert_eq(rules->parse_move(text, strlen(text), &move), ILLEGAL_NONE, "%s", text);
    return move;
}

void squares_text(const uint8_t *squares, size_t count, char text[64])
{
    text[0] = '\0';
    cr_assert(count <= RULES_CAPTURED_MAX);
    for (size_t i = 0; i < count; i++) {
        char square[3];

        square_format(squares[i], square);
        (void)snprintf(text + strlen(text), 64 - strlen(text), "%s%s", i > 0 ? " " : "", square);
    }
}

void playout_start(struct playout *playout, const struct game_rules *rules,
                   const struct game_options *options, struct position position)
{
    playout->rules = rules;
    playout->options = *options;
    playout->position = position;
    playout->count = 1;
    playout->history[0] = (struct history_entry){rules->hash(&position), RULES_SEAT_NONE, false};
    playout->effects = (struct ply_effects){0};
    const struct history history = playout_history(playout);
    rules->outcome(&playout->position, options, &history, &playout->outcome);
}

struct history playout_history(const struct playout *playout)
{
    return (struct history){playout->history, playout->count};
}

void playout_move(struct playout *playout, struct move move)
{
    const struct game_rules *rules = playout->rules;
    const struct game_options *options = &playout->options;
    const int mover = rules->turn(&playout->position);
    const struct history before = playout_history(playout);
    struct illegal why;
    char text[RULES_MOVE_TEXT_MAX];

    rules->format_move(move, text);
    cr_assert_eq(playout->outcome.reason, END_NONE, "%s is played after the end", text);
    cr_assert(rules->is_legal(&playout->position, options, &before, move, &why), "%s: %s", text,
              illegal_reason_text(why.reason));
    rules->play(&playout->position, options, move, &playout->position, &playout->effects);
    cr_assert(playout->count <= FIXTURE_PLIES_MAX);
    playout->history[playout->count++] = (struct history_entry){
        rules->hash(&playout->position), (int8_t)mover, playout->effects.gave_new_check};
    const struct history after = playout_history(playout);
    rules->outcome(&playout->position, options, &after, &playout->outcome);
}

void playout_moves(struct playout *playout, const char *moves)
{
    while (*moves != '\0') {
        char text[RULES_MOVE_TEXT_MAX] = "";
        const size_t length = strcspn(moves, " ");

        cr_assert(length < sizeof text);
        memcpy(text, moves, length);
        playout_move(playout, move_of(playout->rules, text));
        moves += length;
        moves += strspn(moves, " ");
    }
}

void playout_line(struct playout *playout, const struct game_rules *rules, const char *options,
                  const char *position, const char *moves)
{
    const struct game_options chosen = options_of(rules, options);

    playout_start(playout, rules, &chosen, position_under(rules, &chosen, position));
    playout_moves(playout, moves);
}

struct board board_of(const struct position *position)
{
    struct board board;
    char text[RULES_POSITION_TEXT_MAX];
    const char *c = text;

    (void)hasami()->format_position(position, text);
    memset(board.at, '.', sizeof board.at);
    for (size_t square = 0; *c != ' '; c++) {
        if (*c >= '1' && *c <= '9') {
            square += (size_t)(*c - '0');
        } else if (*c != '/') {
            cr_assert(square < RULES_SQUARES);
            board.at[square++] = *c;
        }
    }
    board.turn = c[1];
    return board;
}

struct position board_position(const struct board *board)
{
    char text[RULES_POSITION_TEXT_MAX];
    size_t length = 0;

    for (size_t square = 0; square < RULES_SQUARES; square++) {
        if (square > 0 && square % 9 == 0) {
            text[length++] = '/';
        }
        if (board->at[square] != '.') {
            text[length++] = board->at[square];
        } else if (square % 9 > 0 && text[length - 1] >= '1' && text[length - 1] <= '8') {
            text[length - 1]++;
        } else {
            text[length++] = '1';
        }
    }
    text[length++] = ' ';
    text[length++] = board->turn;
    text[length] = '\0';
    return position_of(hasami(), text);
}

uint32_t chance_below(struct chance *chance, uint32_t bound)
{
    cr_assert(bound > 0);
    chance->state = chance->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((chance->state >> 33) % bound);
}

struct position random_position(struct chance *chance, const struct game_rules *rules,
                                const struct game_options *options)
{
    uint32_t plies = chance_below(chance, 300);
    struct position position;
    struct ply_effects effects;
    struct move_list moves;

    rules->start(&position);
    for (;;) {
        struct position next;
        struct outcome outcome;

        rules->legal_moves(&position, options, NULL, &moves);
        cr_assert(moves.count > 0);
        rules->play(&position, options, moves.at[chance_below(chance, (uint32_t)moves.count)],
                    &next, &effects);
        rules->outcome(&next, options, NULL, &outcome);
        if (outcome.reason != END_NONE || plies-- == 0) {
            return position;
        }
        position = next;
    }
}

static void read_vectors(const struct game_rules *rules, const char *kind, vector_check *check)
{
    static const char folder[] = "tests/data/";
    char path[64];
    char *text = NULL;
    size_t room = 0;
    size_t lines = 0;

    (void)snprintf(path, sizeof path, "%s%s.%s.jsonl", folder, rules->key, kind);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s cannot be read; run from the top of the repository", path);
    while (getline(&text, &room, file) > 0) {
        json_error_t error;
        json_t *line = json_loads(text, JSON_ALLOW_NUL, &error);

        cr_assert_not_null(line, "%s: %s", path, error.text);
        check(rules, line);
        json_decref(line);
        lines++;
    }
    cr_assert(lines > 0);
    free(text);
    cr_assert_eq(fclose(file), 0);
}

void for_each_vector(const char *kind, vector_check *check)
{
    for (size_t i = 0; i < rules_count(); i++) {
        read_vectors(rules_at(i), kind, check);
    }
}

const char *vector_text(const json_t *line, const char *key)
{
    const char *text = json_string_value(json_object_get(line, key));

    cr_assert_not_null(text, "%s is missing", key);
    return text;
}
