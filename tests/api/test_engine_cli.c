/* `banzuke engine` from line to line: its refusals, its going on, and the vectors made elsewhere.
 */

#include "api/config.h"
#include "api/engine_loop.h"
#include "api/json_engine.h"
#include "engine/rules.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_ONE   "{\"op\":\"perft\",\"game\":\"hasami\",\"depth\":1}"
#define SIXTY_THREE "{\"nodes\":63}\n"

/* What the loop writes for these bytes; to be freed. */
static char *run_bytes(const char *input, size_t length)
{
    char *output = NULL;
    size_t size = 0;
    FILE *in = tmpfile();
    FILE *out = open_memstream(&output, &size);
    cr_assert(in != NULL && out != NULL);
    cr_assert_eq(fwrite(input, 1, length, in), length);
    rewind(in);
    cr_assert_eq(engine_loop(in, out), 0);
    (void)fclose(in);
    (void)fclose(out);
    return output;
}

static void expect_output(const char *input, const char *expected)
{
    char *output = run_bytes(input, strlen(input));
    cr_expect_str_eq(output, expected, "%s", input);
    free(output);
}

/* The answer to one line; a new reference. */
static json_t *ask(const char *line, size_t length)
{
    char *text = engine_answer(line, length);
    cr_assert_not_null(text, "%s", line);
    json_t *answer = json_loads(text, 0, NULL);
    cr_assert_not_null(answer, "%s", text);
    free(text);
    return answer;
}

static void expect_error(const char *line, const char *code)
{
    json_t *answer = ask(line, strlen(line));
    json_t *error = json_object_get(answer, "error");
    const char *found = json_string_value(json_object_get(error, "code"));
    cr_assert_not_null(found, "%s", line);
    cr_expect_str_eq(found, code, "%s", line);
    cr_expect_gt(json_string_length(json_object_get(error, "detail")), 0);
    json_decref(answer);
}

/* --- the loop --------------------------------------------------------------------------------- */

Test(engine_cli, every_line_gets_its_answer_in_order)
{
    expect_output("", "");
    expect_output(COUNT_ONE "\n", SIXTY_THREE);
    expect_output(COUNT_ONE "\n{\"op\":\"perft\",\"game\":\"hasami\",\"depth\":2}\n" COUNT_ONE "\n",
                  SIXTY_THREE "{\"nodes\":3717}\n" SIXTY_THREE);
}

Test(engine_cli, the_last_line_needs_no_end_and_lines_may_end_as_on_windows)
{
    expect_output(COUNT_ONE "\r\n" COUNT_ONE, SIXTY_THREE SIXTY_THREE);
}

Test(engine_cli, a_bad_line_is_answered_and_the_next_one_is_read)
{
    static const char malformed[] = "{\"error\":{\"code\":\"malformed-json\",\"detail\":\"";
    static const char *const bad[] = {
        "",
        "{",
        "[]",
        "1",
        "{} {}",
        "\xff",
        "{\"op\":\"\xc3\"}",
        "{\"op\":\"legal\"",
        "{\"op\":\"legal\",\"op\":\"legal\",\"game\":\"hasami\"}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char input[256];
        (void)snprintf(input, sizeof input, "%s\n" COUNT_ONE "\n", bad[i]);
        char *output = run_bytes(input, strlen(input));
        cr_expect_eq(strncmp(output, malformed, sizeof malformed - 1), 0, "%s", output);
        const char *second = strchr(output, '\n');
        cr_assert_not_null(second);
        cr_expect_str_eq(second + 1, SIXTY_THREE);
        free(output);
    }
}

Test(engine_cli, nothing_hides_behind_a_zero_byte)
{
    static const char input[] = COUNT_ONE "\0garbage\n" COUNT_ONE "\n";
    char *output = run_bytes(input, sizeof input - 1);
    cr_expect_not_null(strstr(output, "malformed-json"));
    cr_expect_not_null(strstr(output, SIXTY_THREE));
    free(output);
}

/* A line of exactly `length` bytes that means COUNT_ONE. */
static char *line_of(size_t length)
{
    char *line = malloc(length + 1);
    cr_assert(line != NULL && length >= strlen(COUNT_ONE));
    memset(line, ' ', length);
    memcpy(line, COUNT_ONE, strlen(COUNT_ONE));
    line[length] = '\0';
    return line;
}

static void expect_of_length(size_t length, const char *end, const char *expected)
{
    char *line = line_of(length);
    char *input = malloc(length + 256);
    cr_assert_not_null(input);
    (void)snprintf(input, length + 256, "%s%s", line, end);
    expect_output(input, expected);
    free(input);
    free(line);
}

Test(engine_cli, a_line_may_have_512_kib_and_not_a_byte_more)
{
    static const char refused[] =
        "{\"error\":{\"code\":\"malformed-json\",\"detail\":\"a line over 512 KiB\"}}\n";
    char both[256];
    (void)snprintf(both, sizeof both, "%s" SIXTY_THREE, refused);
    expect_of_length(ENGINE_LINE_MAX, "\n" COUNT_ONE "\n", SIXTY_THREE SIXTY_THREE);
    expect_of_length(ENGINE_LINE_MAX, "", SIXTY_THREE);
    expect_of_length(ENGINE_LINE_MAX + 1, "\n" COUNT_ONE "\n", both);
    expect_of_length(ENGINE_LINE_MAX + 1, "", refused);
    expect_of_length((size_t)3 * ENGINE_LINE_MAX, "\n" COUNT_ONE "\n", both);
}

Test(engine_cli, an_output_that_takes_nothing_ends_it)
{
    FILE *in = tmpfile();
    FILE *out = fopen("/dev/full", "w");
    cr_assert(in != NULL && out != NULL);
    cr_assert(fputs(COUNT_ONE "\n", in) >= 0);
    rewind(in);
    cr_expect_eq(engine_loop(in, out), EXIT_STORAGE_IO);
    (void)fclose(in);
    (void)fclose(out);
}

/* --- requests --------------------------------------------------------------------------------- */

Test(engine_cli, unknown_fields_are_refused)
{
    expect_error("{\"op\":\"legal\",\"game\":\"hasami\",\"dept\":1}", "unknown-field");
    expect_error("{\"op\":\"legal\",\"game\":\"hasami\",\"depth\":1}", "unknown-field");
    expect_error("{\"op\":\"play\",\"game\":\"hasami\",\"depth\":1}", "unknown-field");
    expect_error("{\"op\":\"perft\",\"game\":\"hasami\",\"depth\":1,\"moves\":[]}",
                 "unknown-field");
}

/* Cut in the middle of a character, such a name once ended the loop. */
Test(engine_cli, a_long_name_in_another_script_is_refused_like_any_other)
{
    char line[1024];
    for (int letters = 0; letters < 6; letters++) {
        char name[300] = "abcdef";
        name[letters] = '\0';
        for (int i = 0; i < 80; i++) {
            memcpy(name + letters + (ptrdiff_t)i * 3, "番", sizeof "番");
        }
        (void)snprintf(line, sizeof line, "{\"op\":\"legal\",\"game\":\"hasami\",\"%s\":1}", name);
        expect_error(line, "unknown-field");
        (void)snprintf(line, sizeof line,
                       "{\"op\":\"legal\",\"game\":\"hasami\",\"options\":{\"%s\":1}}", name);
        expect_error(line, "invalid-field");
        (void)snprintf(
            line, sizeof line,
            "{\"op\":\"legal\",\"game\":\"hasami\",\"options\":{\"win_condition\":\"%s\"}}", name);
        expect_error(line, "invalid-field");
        (void)snprintf(line, sizeof line,
                       "{\"op\":\"legal\",\"game\":\"hasami\",\"position\":\"%s\"}", name);
        expect_error(line, "invalid-field");
    }
}

Test(engine_cli, wrong_types_and_unknown_words_are_refused)
{
    static const char *const fields[] = {
        "\"game\":\"hasami\"",
        "\"op\":7,\"game\":\"hasami\"",
        "\"op\":\"search\",\"game\":\"hasami\"",
        "\"op\":\"legal\"",
        "\"op\":\"legal\",\"game\":null",
        "\"op\":\"legal\",\"game\":\"chess\"",
        "\"op\":\"legal\\u0000\",\"game\":\"hasami\"",
        "\"op\":\"legal\",\"game\":\"hasami\\u0000\"",
        "\"op\":\"legal\",\"game\":\"hasami\",\"position\":1",
        "\"op\":\"legal\",\"game\":\"hasami\",\"position\":null",
        "\"op\":\"legal\",\"game\":\"hasami\",\"position\":\"9/9\"",
        "\"op\":\"legal\",\"game\":\"hasami\",\"options\":[]",
        "\"op\":\"legal\",\"game\":\"hasami\",\"options\":{\"move_limit\":\"10\"}",
        "\"op\":\"legal\",\"game\":\"hasami\",\"options\":{\"move_limit\":10.0}",
        "\"op\":\"legal\",\"game\":\"hasami\",\"options\":{\"move_limit\":-1}",
        "\"op\":\"legal\",\"game\":\"hasami\",\"options\":{\"move_limit\":2001}",
        "\"op\":\"legal\",\"game\":\"hasami\",\"options\":{\"win_condition\":0}",
        "\"op\":\"legal\",\"game\":\"hasami\",\"options\":{\"win_condition\":\"lead_3\\u0000\"}",
        "\"op\":\"legal\",\"game\":\"hasami\",\"options\":{\"format\":\"pairs\"}",
        "\"op\":\"legal\",\"game\":\"hasami\",\"moves\":\"5i5e\"",
        "\"op\":\"legal\",\"game\":\"hasami\",\"moves\":[5]",
        "\"op\":\"play\",\"game\":\"hasami\",\"moves\":[null]",
        "\"op\":\"play\",\"game\":\"hasami\",\"moves\":[\"12345678901234567\"]",
        "\"op\":\"perft\",\"game\":\"hasami\"",
        "\"op\":\"perft\",\"game\":\"hasami\",\"depth\":\"1\"",
        "\"op\":\"perft\",\"game\":\"hasami\",\"depth\":1.0",
        "\"op\":\"perft\",\"game\":\"hasami\",\"depth\":-1",
        "\"op\":\"perft\",\"game\":\"hasami\",\"depth\":65",
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        char line[256];
        (void)snprintf(line, sizeof line, "{%s}", fields[i]);
        expect_error(line, "invalid-field");
    }
}

Test(engine_cli, play_tells_what_every_ply_did)
{
    expect_output("{\"op\":\"play\",\"game\":\"hasami\"}\n",
                  "{\"positions\":[],\"captured\":[],\"eliminations\":[],\"end\":null}\n");
    expect_output("{\"op\":\"play\",\"game\":\"hasami\",\"position\":"
                  "\"p8/9/9/9/3Pp4/9/9/5P3/pp7 b\",\"options\":{\"win_condition\":\"capture_all\"},"
                  "\"moves\":[\"4h4e\",\"9a9b\"]}\n",
                  "{\"positions\":[\"p8/9/9/9/3P1P3/9/9/9/pp7 w - 2\","
                  "\"9/p8/9/9/3P1P3/9/9/9/pp7 b - 3\"],\"captured\":[[\"5e\"],[]],"
                  "\"eliminations\":[],\"end\":null}\n");
    expect_output("{\"op\":\"play\",\"game\":\"hasami\",\"position\":"
                  "\"p8/9/9/9/9/9/9/9/P8 b - 41\",\"options\":{\"win_condition\":\"capture_all\","
                  "\"move_limit\":41},\"moves\":[\"9i8i\"]}\n",
                  "{\"positions\":[\"p8/9/9/9/9/9/9/9/1P7 w - 42\"],\"captured\":[[]],"
                  "\"eliminations\":[],\"end\":{\"reason\":\"move_limit\",\"ranks\":[1,1]}}\n");
}

Test(engine_cli, an_illegal_move_is_told_with_its_ply_as_the_position_counts_it)
{
    expect_output("{\"op\":\"play\",\"game\":\"hasami\",\"moves\":[\"5i5e\",\"5a5b\",\"5e4d\"]}\n",
                  "{\"error\":{\"code\":\"illegal-move\",\"ply\":3,\"reason\":\"bad-geometry\","
                  "\"detail\":\"The piece does not move in that way.\"}}\n");
}

/* A position in which every reason of hasami that squares explain can be had. */
Test(engine_cli, an_illegal_move_is_told_with_the_squares_that_explain_it)
{
    static const struct {
        const char *move;
        const char *error; /* between the code and the detail */
    } cases[] = {
        {"",     "\"ply\":7,\"reason\":\"syntax\""                             },
        {"5i5j", "\"ply\":7,\"reason\":\"off-board\""                          },
        {"5d5c", "\"ply\":7,\"reason\":\"no-piece\",\"squares\":[\"5d\"]"      },
        {"5a5b", "\"ply\":7,\"reason\":\"not-your-piece\",\"squares\":[\"5a\"]"},
        {"9e9e", "\"ply\":7,\"reason\":\"no-move\""                            },
        {"9e8f", "\"ply\":7,\"reason\":\"bad-geometry\""                       },
        {"9e5e", "\"ply\":7,\"reason\":\"own-piece\",\"squares\":[\"5e\"]"     },
        {"5e5a", "\"ply\":7,\"reason\":\"occupied\",\"squares\":[\"5a\"]"      },
        {"9e1e", "\"ply\":7,\"reason\":\"blocked\",\"squares\":[\"5e\",\"4e\"]"},
        {"5i5d", "\"ply\":7,\"reason\":\"blocked\",\"squares\":[\"5e\"]"       },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[256];
        char expected[256];
        int length = snprintf(line, sizeof line,
                              "{\"op\":\"play\",\"game\":\"hasami\",\"position\":"
                              "\"4p4/9/9/9/P3Pp3/9/9/9/4P4 b - 7\",\"options\":"
                              "{\"win_condition\":\"capture_all\"},\"moves\":[\"%s\"]}",
                              cases[i].move);
        (void)snprintf(expected, sizeof expected,
                       "{\"error\":{\"code\":\"illegal-move\",%s,\"detail\":\"", cases[i].error);
        char *answer = engine_answer(line, (size_t)length);
        cr_assert_not_null(answer);
        cr_expect_eq(strncmp(answer, expected, strlen(expected)), 0, "%s\n%s", answer, expected);
        free(answer);
    }
}

Test(engine_cli, history_counts_for_the_repetition_that_ends_a_game)
{
    static const char back_and_forth[] = "\"5i5h\",\"5a5b\",\"5h5i\",\"5b5a\"";
    char moves[512];
    char line[640];
    (void)snprintf(moves, sizeof moves, "%s,%s,%s", back_and_forth, back_and_forth, back_and_forth);
    (void)snprintf(line, sizeof line, "{\"op\":\"play\",\"game\":\"hasami\",\"moves\":[%s]}",
                   moves);
    json_t *answer = ask(line, strlen(line));
    json_t *end = json_object_get(answer, "end");
    cr_expect_str_eq(json_string_value(json_object_get(end, "reason")), "repetition");
    json_decref(answer);
    (void)snprintf(line, sizeof line, "{\"op\":\"legal\",\"game\":\"hasami\",\"moves\":[%s]}",
                   moves);
    expect_output(line, "{\"moves\":[]}\n");
    (void)snprintf(line, sizeof line,
                   "{\"op\":\"play\",\"game\":\"hasami\",\"moves\":[%s,\"5i5h\"]}", moves);
    expect_output(line, "{\"error\":{\"code\":\"game-over\",\"ply\":13,"
                        "\"detail\":\"the game has ended\"}}\n");
}

/* --- vectors ---------------------------------------------------------------------------------- */

enum { PERFT_NODES_MAX = 300000 };

/* Calls `check` with every line of one game and the engine's answer to what `request` makes of it
 * (NULL: not this one). */
static void for_each_line(const char *game, const char *kind,
                          json_t *(*request)(const char *game, json_t *line),
                          void (*check)(json_t *line, json_t *answer))
{
    char path[64];
    char *text = NULL;
    size_t room = 0;
    size_t asked = 0;
    (void)snprintf(path, sizeof path, "tests/data/%s.%s.jsonl", game, kind);
    FILE *file = fopen(path, "r");
    cr_assert_not_null(file, "%s cannot be read; run from the top of the repository", path);
    while (getline(&text, &room, file) > 0) {
        json_t *line = json_loads(text, JSON_ALLOW_NUL, NULL);
        json_t *question = request(game, line);
        if (question != NULL) {
            char *dumped = json_dumps(question, JSON_COMPACT);
            json_t *answer = ask(dumped, strlen(dumped));
            check(line, answer);
            json_decref(answer);
            free(dumped);
            asked++;
        }
        json_decref(question);
        json_decref(line);
    }
    cr_assert_gt(asked, 20);
    free(text);
    (void)fclose(file);
}

static void for_each_vector(const char *kind, json_t *(*request)(const char *game, json_t *line),
                            void (*check)(json_t *line, json_t *answer))
{
    for (size_t i = 0; i < rules_count(); i++) {
        for_each_line(rules_at(i)->key, kind, request, check);
    }
}

static json_t *question_of(const char *op, const char *game, json_t *line, const char *position)
{
    json_t *question = json_object();
    json_object_set_new(question, "op", json_string(op));
    json_object_set_new(question, "game", json_string(game));
    json_object_set(question, "options", json_object_get(line, "options"));
    if (json_object_get(line, position) != NULL) {
        json_object_set(question, "position", json_object_get(line, position));
    }
    return question;
}

static void expect_same(json_t *line, json_t *expected, json_t *found)
{
    if (!json_equal(expected, found)) {
        char *vector = json_dumps(line, 0);
        char *answer = json_dumps(found, JSON_ENCODE_ANY);
        cr_expect_fail("%s\n%s", vector, answer);
        free(vector);
        free(answer);
    }
}

static json_t *legal_request(const char *game, json_t *line)
{
    return question_of("legal", game, line, "position");
}

static void check_legal(json_t *line, json_t *answer)
{
    expect_same(line, json_object_get(line, "moves"), json_object_get(answer, "moves"));
}

Test(engine_cli, legal_gives_every_list_of_the_vectors)
{
    for_each_vector("legal", legal_request, check_legal);
}

static json_t *perft_request(const char *game, json_t *line)
{
    if (json_integer_value(json_object_get(line, "nodes")) > PERFT_NODES_MAX) {
        return NULL;
    }
    json_t *question = question_of("perft", game, line, "position");
    json_object_set(question, "depth", json_object_get(line, "depth"));
    return question;
}

static void check_perft(json_t *line, json_t *answer)
{
    expect_same(line, json_object_get(line, "nodes"), json_object_get(answer, "nodes"));
}

Test(engine_cli, perft_gives_the_small_counts_of_the_vectors)
{
    for_each_vector("perft", perft_request, check_perft);
}

static json_t *play_request(const char *game, json_t *line)
{
    json_t *question = question_of("play", game, line, "start");
    json_object_set(question, "moves", json_object_get(line, "moves"));
    return question;
}

/* A resignation is nothing that the rules' own moves could end a game with. */
static void check_game(json_t *line, json_t *answer)
{
    size_t plies = json_array_size(json_object_get(line, "moves"));
    bool resigned = json_object_get(line, "resign") != NULL;
    json_t *end = json_object_get(answer, "end");
    expect_same(line, json_object_get(line, "positions"), json_object_get(answer, "positions"));
    cr_expect_eq(json_array_size(json_object_get(answer, "captured")), plies);
    if (json_object_get(line, "eliminations") != NULL) {
        expect_same(line, json_object_get(line, "eliminations"),
                    json_object_get(answer, "eliminations"));
    } else {
        cr_expect_eq(json_array_size(json_object_get(answer, "eliminations")), 0);
    }
    if (resigned) {
        cr_expect(json_is_null(end));
    } else {
        expect_same(line, json_object_get(line, "end"), end);
    }
}

Test(engine_cli, play_goes_through_every_game_of_the_vectors)
{
    for_each_vector("games", play_request, check_game);
}

static json_t *illegal_request(const char *game, json_t *line)
{
    json_t *question = question_of("play", game, line, "position");
    json_t *moves = json_object_get(line, "after") == NULL
                        ? json_array()
                        : json_deep_copy(json_object_get(line, "after"));
    json_array_append(moves, json_object_get(line, "move"));
    json_object_set_new(question, "moves", moves);
    return question;
}

static void check_illegal(json_t *line, json_t *answer)
{
    const char *why = json_string_value(json_object_get(line, "why"));
    json_t *error = json_object_get(answer, "error");
    const char *code = json_string_value(json_object_get(error, "code"));
    bool over = strncmp(why, "the game is over", 16) == 0 || strstr(why, "move limit") != NULL;
    cr_assert_not_null(code, "%s", why);
    cr_expect_str_eq(code, over ? "game-over" : "illegal-move", "%s", why);
    cr_expect_eq(json_object_get(error, "reason") == NULL, over, "%s", why);
    cr_expect_gt(json_integer_value(json_object_get(error, "ply")), 0);
}

Test(engine_cli, every_illegal_move_of_the_vectors_is_refused)
{
    for_each_vector("illegal", illegal_request, check_illegal);
}
