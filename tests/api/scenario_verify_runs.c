#include "proof.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How a run of `banzuke verify` is asked for, how it ends and what it leaves behind. */

static struct proof *proof;

static void enter(void)
{
    proof = proof_new();
}

static void leave(void)
{
    proof_free(proof);
}

TestSuite(scenario_verify_runs, .init = enter, .fini = leave);

/* Exit code and whole output of a run on a changed copy. */
static void expect_run(const char *sql, const char *arguments, int code, const char *said)
{
    char output[8192];
    int found = proof_verify(proof, sql, arguments, output, sizeof output);
    cr_expect_eq(found, code, "%s: exit %d\n%s", arguments, found, output);
    cr_expect(proof_is_like(proof, output, said), "%s: %s", arguments, output);
}

static const char *beside(const char *suffix)
{
    static char path[128];
    (void)snprintf(path, sizeof path, "%s/copy.db%s", proof->server->folder, suffix);
    return path;
}

static bool exists(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0;
}

/* The copy is what was copied, byte for byte. */
static bool is_untouched(void)
{
    FILE *file = fopen(beside(""), "rbe");
    cr_assert_not_null(file);
    size_t i = 0;
    int byte = fgetc(file);
    while (byte != EOF && i < proof->length && byte == proof->bytes[i]) {
        byte = fgetc(file);
        i++;
    }
    (void)fclose(file);
    return byte == EOF && i == proof->length;
}

#define UNTOUCHED "copy.db: 7 games, 44 moves, 8 rating events, 5 chain links: no difference\n"
/* In two steps, as no game may have two replays on the way. */
#define OWN_REPLAYS "UPDATE game SET replay_of = NULL; UPDATE game SET replay_of = game_no"
#define NEW_HASH    "UPDATE chain_link SET hash = randomblob(32) WHERE link = 5"
#define NEW_PLACE   "UPDATE seat SET place = 1 WHERE game_no = 7 AND seat_no = 0"

Test(scenario_verify_runs, a_file_that_nobody_touched_has_no_difference_and_stays_as_it_is)
{
    expect_run(NULL, "", 0, UNTOUCHED);
    expect_run(NULL, "--all", 0, UNTOUCHED);
    cr_expect(is_untouched());
    cr_expect_not(exists(beside("-wal")), "a -wal was left behind");
    cr_expect_not(exists(beside("-shm")), "a -shm was left behind");
    cr_expect_not(exists(beside(".lock")), "a lock was left behind");
    expect_run(NEW_HASH, "", 65, "chain_link 5*");
    cr_expect_not(exists(beside("-wal")), "a -wal was left behind");
    cr_expect_not(exists(beside("-shm")), "a -shm was left behind");
}

Test(scenario_verify_runs, without_the_key_everything_but_the_chain_is_looked_at)
{
    expect_run(NEW_HASH, "--no-key", 0,
               "copy.db: 7 games, 44 moves, 8 rating events, 0 chain links: no difference (the "
               "chain was not looked at)\n");
    expect_run(NEW_PLACE, "--no-key", 65,
               "game $7, seat b: expected place 2, found 1\n"
               "banzuke verify: copy.db: 1 difference\n");
}

Test(scenario_verify_runs, one_game_is_looked_at_alone)
{
    char arguments[64];
    (void)snprintf(arguments, sizeof arguments, "--game %s", proof->games[7]);
    expect_run(NEW_HASH, arguments, 0,
               "copy.db: 1 games, 0 moves, 0 rating events, 0 chain links: no difference\n");
    expect_run(NEW_PLACE, arguments, 65,
               "game $7, seat b: expected place 2, found 1\n"
               "banzuke verify: copy.db: 1 difference\n");
    expect_run("UPDATE game SET replay_of = 1 WHERE game_no = 7", arguments, 65,
               "game $7: expected replay_of a draw by repetition, found $1, which is not\n*");
    (void)snprintf(arguments, sizeof arguments, "--game %s", proof->games[6]);
    expect_run(NEW_PLACE, arguments, 0, "copy.db: 1 games, 5 moves, *");
    expect_run(NULL, "--game g_00000000000000000000000000", 65, "banzuke verify: no such game\n");
    expect_run(NULL, "--game 7", 65, "banzuke verify: no such game\n");
}

Test(scenario_verify_runs, all_differences_are_listed_in_the_order_of_proof)
{
    expect_run(NEW_HASH "; UPDATE move SET captured = '5e' WHERE game_no = 6 AND ply = 1;"
                        "UPDATE seat SET place = 3 WHERE game_no = 4 AND seat_no = 0;"
                        "UPDATE rating_event SET k = 16 WHERE event_no = 8;"
                        "UPDATE player_rating SET wins = 9 WHERE player_no = 3;"
                        "UPDATE rating_count SET players = 9 WHERE width_milli = 10;"
                        "UPDATE seat SET rating_milli = 7 WHERE game_no = 6 AND seat_no = 1",
               "--all", 65,
               "game $4, seat b: expected place 1, found 3\n"
               "game $6, ply 1: expected captured '', found '5e'\n"
               "rating_event 8 (game $7, seat_no 1): expected k 40, found 16\n"
               "player_rating of player_no 3 in hasami: expected wins 0, found 9\n"
               "rating_count hasami, provisional, width 10, *\n"
               "game $6, seat w: expected rating_milli 1500000, found 7\n"
               "chain_link 4 (game $4): expected hash *\n"
               "chain_link 5 (game $7): expected hash *\n"
               "banzuke verify: copy.db: 8 differences\n");
}

Test(scenario_verify_runs, a_file_without_one_true_row_is_told_apart_from_a_fault_of_verify)
{
    static const char *const havocs[] = {
        "UPDATE game SET game = 'go', options = 'x=1'",
        "UPDATE move SET move = '5e5d'; UPDATE seat SET place = 4; DELETE FROM game_event",
        "DELETE FROM seat",
        "DELETE FROM game",
        "DELETE FROM move; DELETE FROM rating_event; DELETE FROM chain_link",
        OWN_REPLAYS,
        "UPDATE game SET ply = 4294967295, seq = 4294967295, rated = 1, pool = NULL",
        "UPDATE rating_event SET seat_no = 3 - seat_no, event_no = 100 - event_no",
        "DELETE FROM player; DELETE FROM pool",
    };
    for (size_t i = 0; i < sizeof havocs / sizeof havocs[0]; i++) {
        char output[1 << 16];
        int code = proof_verify(proof, havocs[i], "--all", output, sizeof output);
        cr_expect_eq(code, 65, "%s: exit %d\n%s", havocs[i], code, output);
        cr_expect(proof_is_like(proof, output, "*banzuke verify: copy.db: * difference*\n"), "%s",
                  output);
    }
}

Test(scenario_verify_runs, a_key_that_does_not_fit_is_a_matter_of_configuration)
{
    char key[160];
    expect_run(NULL, "--key-file no.key", 78, "banzuke verify: no.key: *\n");
    expect_run("UPDATE server SET key_id = '0123456789abcdef'", "", 78,
               "banzuke verify: banzuke.db.key: key *, but the database belongs to key "
               "0123456789abcdef\n");
    expect_run("DELETE FROM server", "", 65,
               "banzuke verify: server: expected one row, found none\n");
    (void)snprintf(key, sizeof key, "%s.key", proof->server->db);
    cr_assert_eq(chmod(key, 0644), 0);
    expect_run(NULL, "", 78, "banzuke verify: banzuke.db.key: *\n");
    expect_run(NULL, "--no-key", 0, "copy.db: 7 games, *");
}

Test(scenario_verify_runs, a_file_that_cannot_be_opened_is_73_and_a_wrong_argument_64)
{
    char output[4096];
    char second[128];
    expect_run(NULL, "--db no.db", 73, "banzuke verify: no.db: no such file\n");
    (void)snprintf(second, sizeof second, "%s", beside(".second"));
    cr_assert_eq(link(beside(""), second), 0);
    cr_expect_eq(process_run(proof->server, "verify --db copy.db --no-key", output, sizeof output),
                 73, "%s", output);
    expect_run(NULL, "game", 64, "banzuke verify: unexpected argument game\n");
    expect_run(NULL, "--gaem 7", 64, "*");
    expect_run(NULL, "--help", 0, "usage: banzuke verify *");
}

Test(scenario_verify_runs, a_file_is_proved_while_it_is_served)
{
    char output[4096];
    process_start(proof->server, NULL, NULL);
    cr_expect_eq(process_run(proof->server, "verify", output, sizeof output), 0, "%s", output);
    cr_expect_str_eq(output, "banzuke.db: 7 games, 44 moves, 8 rating events, 5 chain links: no "
                             "difference\n");
    struct device *device = device_new(proof->server);
    device_free(device);
    cr_expect_eq(process_stop(proof->server), 0);
}
