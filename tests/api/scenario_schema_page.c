#include "tests/support/board.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* migrations/README.md beside the schema itself: what is on the page is there, what is there is on
 * the page, and its queries answer what it shows. */

enum { LINE_SIZE = 1024, LIST_SIZE = 16384, QUERIES = 10 };

/* --- the page ------------------------------------------------------------------------------------
 */

struct page {
    FILE *file;
    char line[LINE_SIZE];
};

static struct page page_open(void)
{
    struct page page = {.file = fopen("migrations/README.md", "re")};
    cr_assert_not_null(page.file);
    return page;
}

/* The next line without its end; false: no more. */
static bool page_next(struct page *page)
{
    if (fgets(page->line, sizeof page->line, page->file) == NULL) {
        (void)fclose(page->file);
        return false;
    }
    page->line[strcspn(page->line, "\n")] = '\0';
    return true;
}

/* What stands in backquotes after `before` at the beginning of the line. */
static bool quoted(const char *line, const char *before, char name[64])
{
    size_t length = strlen(before);
    if (strncmp(line, before, length) != 0 || line[length] != '`') {
        return false;
    }
    (void)snprintf(name, 64, "%.*s", (int)strcspn(line + length + 1, "`"), line + length + 1);
    return true;
}

static void add(char list[LIST_SIZE], const char *text)
{
    size_t length = strlen(list);
    size_t more = strlen(text) + 1;
    cr_assert_leq(length + more, LIST_SIZE);
    memcpy(list + length, text, more);
}

/* "view ranking: pool rank ...", one a line, as they come on the page. */
static void list_page(char list[LIST_SIZE])
{
    const char *type = NULL;
    char name[64];
    struct page page = page_open();
    list[0] = '\0';
    while (page_next(&page)) {
        if (strncmp(page.line, "## ", 3) == 0) {
            type = strcmp(page.line, "## Views") == 0    ? "view "
                   : strcmp(page.line, "## Tables") == 0 ? "table "
                                                         : NULL;
        } else if (type != NULL && quoted(page.line, "### ", name)) {
            add(list, "\n");
            add(list, type);
            add(list, name);
            add(list, ":");
        } else if (type != NULL && quoted(page.line, "| ", name)) {
            add(list, " ");
            add(list, name);
        }
    }
    add(list, "\n");
}

/* --- the schema ----------------------------------------------------------------------------------
 */

static int add_row(void *context, int count, char **values, char **names)
{
    (void)count;
    (void)names;
    add(context, "\n");
    add(context, values[0]);
    return 0;
}

static void list_schema(const struct process *server, char list[LIST_SIZE])
{
    static const char sql[] =
        "SELECT m.type || ' ' || m.name || ': ' || (SELECT group_concat(name, ' ')"
        " FROM (SELECT name FROM pragma_table_info(m.name) ORDER BY cid))"
        " FROM sqlite_schema m WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite_%'";
    sqlite3 *db = NULL;
    char *message = NULL;
    list[0] = '\0';
    cr_assert_eq(sqlite3_open_v2(server->db, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, sql, add_row, list, &message), SQLITE_OK, "%s", message);
    cr_assert_eq(sqlite3_close(db), SQLITE_OK);
    add(list, "\n");
}

/* Every line of `list` is in `other`. */
static void expect_all_in(const char *list, const char *other, const char *missing)
{
    for (const char *line = list; line[1] != '\0'; line = strchr(line + 1, '\n')) {
        char wanted[LINE_SIZE];
        size_t length = strcspn(line + 1, "\n") + 2;
        cr_assert_lt(length, sizeof wanted);
        (void)snprintf(wanted, sizeof wanted, "%.*s", (int)length, line);
        cr_expect_not_null(strstr(other, wanted), "%s:%s", missing, wanted);
    }
}

Test(scenario_schema_page, has_every_table_view_and_column_in_the_schemas_order_and_no_other)
{
    static char page[LIST_SIZE];
    static char schema[LIST_SIZE];
    struct process *server = process_new(NULL);
    list_page(page);
    list_schema(server, schema);
    cr_assert_not_null(strstr(page, "\nview ranking: pool rank "), "%s", page);
    cr_assert_not_null(strstr(schema, "\ntable player: player_no "), "%s", schema);
    expect_all_in(schema, page, "not on the page");
    expect_all_in(page, schema, "not in the schema");
    process_free(server);
}

/* --- queries -------------------------------------------------------------------------------------
 */

static struct device *named(const struct process *server, const char *name)
{
    char body[64];
    struct device *device = device_new(server);
    (void)snprintf(body, sizeof body, "{\"name\":\"%s\"}", name);
    struct call call = {.method = "PATCH", .path = "/v1/me", .token = device->token, .body = body};
    struct answer answer = expect(200, client_send(device->client, &call));
    answer_free(&answer);
    return device;
}

static void resign(struct device *a, struct device *b, struct device *loser, char game[32])
{
    struct pairing pairing = device_pair(a, b);
    struct answer answer = expect(200, device_resign(loser, pairing.game));
    answer_free(&answer);
    (void)snprintf(game, 32, "%s", pairing.game);
}

/* Plays a move every few seconds of the server's clock. */
static void play_slowly(struct process *server, const struct pairing *pairing,
                        const char *const *moves)
{
    for (unsigned i = 0; moves[i] != NULL; i++) {
        char line[32];
        (void)snprintf(line, sizeof line, "advance %u", 1500 + i * 700);
        process_control(server, line);
        struct answer answer =
            expect(201, device_move(pairing->seats[i % 2], pairing->game, i + 1, moves[i]));
        answer_free(&answer);
    }
}

static void operate(struct process *server, const char *format, const char *id)
{
    char line[160];
    char output[512];
    (void)snprintf(line, sizeof line, "%s %s", format, id);
    int code = process_run(server, line, output, sizeof output);
    cr_assert_eq(code, 0, "%s: %s", line, output);
}

/* A game of everybody alone, and one in pairs. */
static void play_four(struct process *server, struct device *const devices[GAME_SEATS_MAX])
{
    static const char *const pools[] = {"yonin", "yonin_pairs"};
    for (size_t i = 0; i < 2; i++) {
        struct board board = {.game = games_find(pools[i]), .server = server};
        memcpy(board.devices, devices, sizeof board.devices);
        board_play_whole(&board);
    }
}

/* A small club over two days. */
static struct process *demo(void)
{
    static const char *const opening[] = {"5i5e", "4a4b", "5e5d", NULL};
    static const char *const arguments[] = {"--repeat-limit", "100", NULL};
    char game[32];
    struct process *server = process_folder();
    process_start(server, arguments, NULL);
    struct device *akiko = named(server, "Akiko");
    struct device *boris = named(server, "Boris");
    struct device *chen = named(server, "Chen");
    struct device *dalia = named(server, "Dalia");
    struct pairing pairing = device_pair(akiko, boris);
    play_slowly(server, &pairing, games_find("hasami")->line);
    for (int i = 0; i < 19; i++) {
        resign(akiko, boris, i % 3 == 0 ? akiko : boris, game);
    }
    process_control(server, "advance 86400000");
    for (int i = 0; i < 4; i++) {
        resign(boris, chen, chen, game);
    }
    operate(server, "void-game --reason 'both seats were one person'", game);
    pairing = device_pair(chen, akiko);
    play_slowly(server, &pairing, opening);
    play_four(server, (struct device *[]){akiko, boris, chen, dalia});
    operate(server, "ban --reason 'sells ratings'", chen->player);
    device_free(akiko);
    device_free(boris);
    device_free(chen);
    device_free(dalia);
    return server;
}

/* The next fenced block with this language; false: no more. */
static bool next_block(struct page *page, const char *fence, char text[LIST_SIZE])
{
    bool inside = false;
    text[0] = '\0';
    while (page_next(page)) {
        if (inside && strcmp(page->line, "```") == 0) {
            return true;
        }
        if (inside) {
            add(text, page->line);
            add(text, "\n");
        }
        inside = inside || strcmp(page->line, fence) == 0;
    }
    return false;
}

/* The names of the columns as sqlite3 -box writes them: the cells of the second line. */
static void columns_of_box(const char *box, char columns[LINE_SIZE])
{
    const char *line = strchr(box, '\n');
    columns[0] = '\0';
    cr_assert_not_null(line, "no table: %s", box);
    for (const char *at = line + 1; *at != '\n' && *at != '\0'; at++) {
        size_t length = strlen(columns);
        if ((*at >= 'a' && *at <= 'z') || (*at >= '0' && *at <= '9') || *at == '_') {
            columns[length++] = *at;
        } else if (length > 0 && columns[length - 1] != ' ') {
            columns[length++] = ' ';
        }
        columns[length] = '\0';
    }
}

static void write_query(const struct process *server, const char *sql, char path[128])
{
    (void)snprintf(path, 128, "%s/query.sql", server->folder);
    FILE *file = fopen(path, "we");
    cr_assert_not_null(file);
    cr_assert_geq(fputs(sql, file), 0);
    cr_assert_eq(fclose(file), 0);
}

static void run_query(const struct process *server, const char *sql, char output[LIST_SIZE])
{
    char path[128];
    char command[320];
    write_query(server, sql, path);
    (void)snprintf(command, sizeof command, "sqlite3 -readonly -box '%s' < '%s' 2>&1", server->db,
                   path);
    FILE *pipe = popen(command, "re");
    cr_assert_not_null(pipe);
    size_t got = fread(output, 1, LIST_SIZE - 1, pipe);
    output[got] = '\0';
    cr_assert_eq(pclose(pipe), 0, "%s: %s", sql, output);
}

Test(scenario_schema_page, every_query_runs_and_answers_in_the_shape_that_is_shown)
{
    static char output[LIST_SIZE];
    static char sql[LIST_SIZE];
    static char shown[LIST_SIZE];
    char expected[LINE_SIZE];
    char found[LINE_SIZE];
    int queries = 0;
    struct process *server = demo();
    struct page page = page_open();
    while (next_block(&page, "```sql", sql)) {
        queries++;
        shown[0] = '\0';
        cr_assert(page_next(&page) && strcmp(page.line, "```") == 0, "%s has no output", sql);
        while (page_next(&page) && strcmp(page.line, "```") != 0) {
            add(shown, page.line);
            add(shown, "\n");
        }
        run_query(server, sql, output);
        columns_of_box(shown, expected);
        columns_of_box(output, found);
        cr_expect_str_not_empty(found, "%s: no rows", sql);
        cr_expect_str_eq(found, expected, "%s:\n%s", sql, output);
    }
    cr_expect_eq(queries, QUERIES);
    process_free(server);
}
