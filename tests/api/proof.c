#include "proof.h"

#include "tests/support/board.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- playing -------------------------------------------------------------------------------------
 */

static const char *const beginning[] = {"1i1b", "9a9b", "9i9h", "8a9a", "8i9i", NULL};
static const char *const two_plies[] = {"5i5e", "4a4b", NULL};
static const char *const three_plies[] = {"5i5e", "4a4b", "5e5d", NULL};

static void resign(struct device *device, const char *game)
{
    struct answer answer = expect(200, device_resign(device, game));
    answer_free(&answer);
}

/* The replay of a drawn game: the same two with seats swapped. */
static struct pairing replay_of(const struct pairing *drawn)
{
    struct pairing replay = {
        .seats = {drawn->seats[1], drawn->seats[0]}
    };
    struct answer answer = device_game(drawn->seats[0], drawn->game);
    (void)snprintf(replay.game, sizeof replay.game, "%s", answer_text(&answer, "replayed_by"));
    answer_free(&answer);
    return replay;
}

static void play_games(struct process *server)
{
    struct device *a = device_new(server);
    struct device *b = device_new(server);
    struct device *c = device_new(server);
    struct pairing pairing = device_pair(a, b);
    device_play(&pairing, 1, games_find("hasami")->line);
    pairing = device_pair(a, b);
    device_play(&pairing, 1, games_find("hasami")->repetition);
    pairing = replay_of(&pairing);
    device_play(&pairing, 1, two_plies);
    resign(pairing.seats[1], pairing.game);
    process_control(server, "advance 3600000");
    pairing = device_pair(a, b);
    device_play(&pairing, 1, games_find("hasami")->repetition);
    pairing = replay_of(&pairing);
    device_play(&pairing, 1, three_plies);
    pairing = device_pair(a, c);
    device_play(&pairing, 1, beginning);
    pairing = device_pair(c, b);
    resign(c, pairing.game);
    device_free(a);
    device_free(b);
    device_free(c);
}

static void play_whole(struct process *server, const char *pool)
{
    struct board board = board_on(games_find(pool), server);
    board_play_whole(&board);
    board_leave(&board);
}

static void play_four(struct process *server)
{
    play_whole(server, "yonin_pairs");
    play_whole(server, "yonin");
}

/* --- the file ------------------------------------------------------------------------------------
 */

static void read_file(struct proof *proof)
{
    FILE *file = fopen(proof->server->db, "rbe");
    cr_assert_not_null(file);
    cr_assert_eq(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    cr_assert_gt(length, 0);
    rewind(file);
    proof->length = (size_t)length;
    proof->bytes = malloc(proof->length);
    cr_assert_not_null(proof->bytes);
    cr_assert_eq(fread(proof->bytes, 1, proof->length, file), proof->length);
    (void)fclose(file);
}

struct proof *proof_of(void (*play)(struct process *server), int games)
{
    static const char *const arguments[] = {"--repeat-limit", "2", NULL};
    struct proof *proof = calloc(1, sizeof *proof);
    cr_assert(proof != NULL && games <= PROOF_GAMES);
    proof->server = process_folder();
    process_start(proof->server, arguments, NULL);
    play(proof->server);
    int status = process_stop(proof->server);
    cr_assert_eq(status, 0, "the server ended with %d", status);
    for (int i = 1; i <= games; i++) {
        char sql[64];
        (void)snprintf(sql, sizeof sql, "SELECT game_id FROM game WHERE game_no = %d", i);
        process_sql(proof->server, sql, proof->games[i], sizeof proof->games[i]);
    }
    read_file(proof);
    return proof;
}

struct proof *proof_new(void)
{
    return proof_of(play_games, PROOF_GAMES);
}

struct proof *proof_four(void)
{
    return proof_of(play_four, 2);
}

static void operate(struct proof *proof, const char *command, const char *id_sql)
{
    char id[64];
    char line[128];
    char output[512];
    process_sql(proof->server, id_sql, id, sizeof id);
    (void)snprintf(line, sizeof line, "%s %s", command, id);
    int code = process_run(proof->server, line, output, sizeof output);
    cr_assert_eq(code, 0, "%s: %s", line, output);
}

struct proof *proof_operated(void)
{
    static const char *const players[] = {
        NULL,
        "SELECT player_id FROM player WHERE player_no = 1",
        "SELECT player_id FROM player WHERE player_no = 2",
        "SELECT player_id FROM player WHERE player_no = 3",
    };
    struct proof *proof = proof_new();
    operate(proof, "void-game", "SELECT game_id FROM game WHERE game_no = 1");
    operate(proof, "ban", players[3]);
    operate(proof, "ban", players[1]);
    operate(proof, "unban", players[1]);
    operate(proof, "rename", players[2]);
    free(proof->bytes);
    read_file(proof);
    return proof;
}

void proof_free(struct proof *proof)
{
    if (proof != NULL) {
        process_free(proof->server);
        free(proof->bytes);
        free(proof);
    }
}

/* --- changes behind the server's back ------------------------------------------------------------
 */

static int drop_trigger(void *context, int count, char **values, char **names)
{
    char sql[128];
    (void)names;
    cr_assert_eq(count, 1);
    (void)snprintf(sql, sizeof sql, "DROP TRIGGER %s", values[0]);
    return sqlite3_exec(context, sql, NULL, NULL, NULL);
}

static void change_file(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    char *message = NULL;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, "PRAGMA ignore_check_constraints = 1", NULL, NULL, NULL), 0);
    cr_assert_eq(sqlite3_exec(db, "SELECT name FROM sqlite_schema WHERE type = 'trigger'",
                              drop_trigger, db, &message),
                 SQLITE_OK, "%s", message);
    int before = sqlite3_total_changes(db);
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, &message), SQLITE_OK, "%s: %s", sql, message);
    cr_assert_gt(sqlite3_total_changes(db), before, "nothing was changed: %s", sql);
    cr_assert_eq(sqlite3_close(db), SQLITE_OK);
}

int proof_verify(const struct proof *proof, const char *sql, const char *arguments, char *output,
                 size_t size)
{
    char path[96];
    char command[256];
    (void)snprintf(path, sizeof path, "%s/copy.db", proof->server->folder);
    FILE *file = fopen(path, "wbe");
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(proof->bytes, 1, proof->length, file), proof->length);
    cr_assert_eq(fclose(file), 0);
    if (sql != NULL) {
        change_file(path, sql);
    }
    (void)snprintf(command, sizeof command, "verify --db copy.db --key-file banzuke.db.key %s",
                   arguments);
    return process_run(proof->server, command, output, size);
}

/* --- what verify says ----------------------------------------------------------------------------
 */

/* Puts the ids of games where "$1" and so on stand for them. */
static void name_games(const struct proof *proof, const char *text, char *named, size_t size)
{
    size_t used = 0;
    for (; *text != '\0' && used + sizeof proof->games[0] < size; text++) {
        if (text[0] == '$' && text[1] >= '1' && text[1] <= '0' + PROOF_GAMES) {
            used += (size_t)snprintf(named + used, size - used, "%s", proof->games[text[1] - '0']);
            text++;
        } else {
            named[used++] = *text;
        }
    }
    named[used] = '\0';
}

/* Whether `line` is `pattern`, in which each "*" stands for any text. */
static bool is_like(const char *line, const char *pattern)
{
    const char *star = strchr(pattern, '*');
    if (star == NULL) {
        return strcmp(line, pattern) == 0;
    }
    size_t before = (size_t)(star - pattern);
    if (strncmp(line, pattern, before) != 0) {
        return false;
    }
    bool found = false;
    for (line += before; !found && *line != '\0'; line++) {
        found = is_like(line, star + 1);
    }
    return found || is_like(line, star + 1);
}

bool proof_is_like(const struct proof *proof, const char *line, const char *pattern)
{
    char named[1024];
    name_games(proof, pattern, named, sizeof named);
    return is_like(line, named);
}

static void expect_one(const struct proof *proof, const struct tampering *tampering)
{
    char output[4096];
    int code = proof_verify(proof, tampering->sql, "", output, sizeof output);
    cr_expect_eq(code, 65, "%s: exit %d", tampering->sql, code);
    char *rest = strchr(output, '\n');
    cr_assert_not_null(rest, "%s: nothing was said", tampering->sql);
    *rest++ = '\0';
    cr_expect(proof_is_like(proof, output, tampering->found), "%s:\n  expected %s\n  found    %s",
              tampering->sql, tampering->found, output);
    cr_expect_str_eq(rest, "banzuke verify: copy.db: 1 difference\n", "%s", tampering->sql);
}

void proof_expect(const struct tampering *tamperings, size_t count)
{
    proof_expect_of(proof_new(), tamperings, count);
}

void proof_expect_of(struct proof *proof, const struct tampering *tamperings, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        expect_one(proof, &tamperings[i]);
    }
    proof_free(proof);
}
