#include "key_folder.h"
#include "match/devices.h"
#include "match/match.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Which registrations are known to belong together, and for how long. */

enum { HOUR_MS = 60 * 60 * 1000 };

struct service {
    struct match *match;
    struct secrets *secrets;
    struct match_env env;
    _Atomic int64_t now_ms;
    uint64_t chance;
    sem_t woken;
};
static struct service service;

static int64_t service_now_ms(void *context)
{
    (void)context;
    return atomic_load(&service.now_ms);
}

static void service_random(void *context, void *bytes, size_t count)
{
    (void)context;
    mixed_random(&service.chance, bytes, count);
}

static void service_fatal(void *context, enum db_status status)
{
    (void)context;
    (void)fprintf(stderr, "storage failed: %s\n", db_status_text(status));
    abort();
}

static void service_wake(void *context)
{
    (void)sem_post(context);
}

static void enter(void)
{
    struct db_report report;
    key_folder_enter();
    store_enter();
    store_prepare(DB_OK, &report);
    (void)sem_init(&service.woken, 0, 0);
    atomic_store(&service.now_ms, 1000 * (int64_t)HOUR_MS);
    service.chance = 1;
    service.env = (struct match_env){service_now_ms, service_random, NULL};
    service.secrets = key_load(ONE_SLOT);
    struct match_options options = {
        .db_path = store_path(),
        .readers = 1,
        .repeat_limit = 1000,
        .on_fatal = service_fatal,
    };
    cr_assert_eq(match_open(&options, &service.env, service.secrets, &service.match), DB_OK);
}

static void leave(void)
{
    match_stop(service.match);
    cr_expect_eq(match_close(service.match), DB_OK);
    secrets_free(service.secrets);
    (void)sem_destroy(&service.woken);
    store_leave();
    key_folder_leave();
}

TestSuite(origin, .init = enter, .fini = leave);

/* Registers from a network; the player's number. NULL: not known from where. */
static int64_t come_from(const char *network)
{
    struct match_register command = {
        .op = {.wake = service_wake, .context = &service.woken}
    };
    command.has_network = network != NULL;
    if (network != NULL) {
        (void)snprintf((char *)command.network, sizeof command.network, "%s", network);
    }
    cr_assert_eq(match_register_begin(service.match, &command), MATCH_WAIT);
    (void)sem_wait(&service.woken);
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
    atomic_fetch_add(&service.now_ms, HOUR_MS);
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
    atomic_fetch_add(&service.now_ms, 48 * (int64_t)HOUR_MS);
    (void)come_from("home");
    atomic_fetch_add(&service.now_ms, HOUR_MS);
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
        .op = {.wake = service_wake, .context = &service.woken},
        .player_no = player_no,
        .at_ms = atomic_load(&service.now_ms)
    };
    cr_assert_eq(match_erase_begin(service.match, &command), MATCH_WAIT);
    (void)sem_wait(&service.woken);
    cr_assert_eq(command.op.status, MATCH_OK);
    cr_expect_eq(batch_of(player_no), 0);
}
