#include "key_folder.h"
#include "match/devices.h"
#include "match/match.h"
#include "stage.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Which registrations are known to belong together, and for how long. */

enum { HOUR_MS = 60 * 60 * 1000 };

static struct stage stage;

static void enter(void)
{
    stage_enter(&stage, 1000 * (int64_t)HOUR_MS);
    stage_serve(&stage, (struct match_options){.readers = 1, .repeat_limit = 1000});
}

static void leave(void)
{
    stage_leave(&stage);
    cr_expect_eq(atomic_load(&stage.fatal_calls), 0, "storage failed");
}

TestSuite(origin, .init = enter, .fini = leave);

/* Registers from a network; the player's number. NULL: not known from where. */
static int64_t come_from(const char *network)
{
    struct match_register command = {.op = stage_op(&stage)};
    command.has_network = network != NULL;
    if (network != NULL) {
        (void)snprintf((char *)command.network, sizeof command.network, "%s", network);
    }
    cr_assert_eq(match_register_begin(stage.match, &command), MATCH_WAIT);
    (void)sem_wait(&stage.woken);
    cr_assert_eq(command.op.status, MATCH_OK);
    return command.player.player_no;
}

static int64_t ask(const char *sql)
{
    sqlite3 *foreign = foreign_open(store_path());
    int64_t number = foreign_int(foreign, sql);
    cr_assert_eq(sqlite3_close(foreign), SQLITE_OK);
    return number;
}

static int64_t batch_of(int64_t player_no)
{
    char sql[128];
    (void)snprintf(sql, sizeof sql,
                   "SELECT total(batch_no) FROM registration_batch WHERE player_no = %lld",
                   (long long)player_no);
    return ask(sql);
}

Test(origin, players_of_one_network_and_hour_have_the_first_ones_number)
{
    int64_t first = come_from("home");
    int64_t other = come_from("school");
    int64_t second = come_from("home");
    cr_expect_eq(batch_of(first), first);
    cr_expect_eq(batch_of(second), first);
    cr_expect_eq(batch_of(other), other);
    cr_expect_eq(batch_of(come_from(NULL)), 0, "not known");
}

Test(origin, another_hour_is_another_batch)
{
    int64_t first = come_from("home");
    atomic_fetch_add(&stage.now_ms, HOUR_MS);
    int64_t second = come_from("home");
    cr_expect_eq(batch_of(second), second);
    cr_expect_eq(batch_of(first), first);
}

Test(origin, no_network_is_kept_and_no_hash_after_two_days)
{
    struct timespec pause = {.tv_nsec = 20000000};
    (void)come_from("home");
    cr_expect_eq(ask("SELECT count(*) FROM registration_origin"
                     " WHERE instr(origin_hash, CAST('home' AS BLOB)) > 0"),
                 0);
    atomic_fetch_add(&stage.now_ms, 48 * (int64_t)HOUR_MS);
    (void)come_from("home");
    atomic_fetch_add(&stage.now_ms, HOUR_MS);
    for (int i = 0; i < 500 && ask("SELECT count(*) FROM registration_origin") != 1; i++) {
        (void)nanosleep(&pause, NULL);
    }
    cr_expect_eq(ask("SELECT count(*) FROM registration_origin"), 1);
    cr_expect_eq(ask("SELECT count(*) FROM registration_batch"), 2, "the number stays");
}

Test(origin, who_is_erased_belongs_to_no_batch)
{
    int64_t player_no = come_from("home");
    struct match_erase command = {
        .op = stage_op(&stage), .player_no = player_no, .at_ms = atomic_load(&stage.now_ms)};
    cr_assert_eq(match_erase_begin(stage.match, &command), MATCH_WAIT);
    (void)sem_wait(&stage.woken);
    cr_assert_eq(command.op.status, MATCH_OK);
    cr_expect_eq(batch_of(player_no), 0);
}
