#include "key_folder.h"
#include "match/service.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <semaphore.h>
#include <stdatomic.h>

/* The service object from within, on a real file and a clock that is moved by hand. */

struct stage {
    struct match *match;
    struct secrets *secrets;
    struct match_env env;
    _Atomic int64_t now_ms;
    uint64_t chance;
    sem_t woken;
};
static struct stage stage;

static int64_t stage_now_ms(void *context)
{
    (void)context;
    return atomic_load(&stage.now_ms);
}

static void stage_random(void *context, void *bytes, size_t count)
{
    (void)context;
    mixed_random(&stage.chance, bytes, count);
}

static void stage_fatal(void *context, enum db_status status)
{
    (void)context;
    cr_assert_fail("storage failed: %s", db_status_text(status));
}

static void stage_wake(void *context)
{
    (void)sem_post(context);
}

static void enter(void)
{
    struct db_report report;
    key_folder_enter();
    store_enter();
    store_prepare(DB_OK, &report);
    (void)sem_init(&stage.woken, 0, 0);
    atomic_store(&stage.now_ms, STORE_NOW_MS);
    stage.chance = 1;
    stage.env = (struct match_env){stage_now_ms, stage_random, NULL};
    stage.secrets = key_load(ONE_SLOT);
    struct match_options options = {
        .db_path = store_path(),
        .readers = 2,
        .turn_seconds = {30, 60},
        .repeat_limit = 5,
        .on_fatal = stage_fatal,
    };
    cr_assert_eq(match_open(&options, &stage.env, stage.secrets, &stage.match), DB_OK);
}

static void leave(void)
{
    match_stop(stage.match);
    cr_expect_eq(match_close(stage.match), DB_OK);
    secrets_free(stage.secrets);
    (void)sem_destroy(&stage.woken);
    store_leave();
    key_folder_leave();
}

TestSuite(service, .init = enter, .fini = leave);

/* Waits for a command that was begun; its status when it is over. */
static enum match_status finish(const struct match_op *op, enum match_status begun)
{
    if (begun != MATCH_WAIT) {
        return begun;
    }
    while (sem_wait(&stage.woken) != 0) {
    }
    return op->status;
}

static struct match_op new_op(void)
{
    return (struct match_op){.wake = stage_wake, .context = &stage.woken};
}

static int64_t new_player(void)
{
    struct match_register command = {.op = new_op()};
    cr_assert_eq(finish(&command.op, match_register_begin(stage.match, &command)), MATCH_OK);
    return command.player.player_no;
}

/* --- heartbeats ----------------------------------------------------------------------------------
 */

/* At a time of its own. */
static struct ticket_view enqueue(int64_t player_no)
{
    struct match_enqueue command = {
        .op = new_op(),
        .player_no = player_no,
        .pool = "hasami",
        .turn_seconds = 30,
        .at_ms = atomic_fetch_add(&stage.now_ms, 1000) + 1000,
    };
    cr_assert_eq(finish(&command.op, match_enqueue_begin(stage.match, &command)), MATCH_OK);
    return command.ticket;
}

/* A second later; when the ticket was last heard of then. */
static int64_t heard_after_poll(const struct ticket_view *ticket, const char *status)
{
    struct ticket_view view;
    atomic_fetch_add(&stage.now_ms, 1000);
    cr_assert_eq(match_ticket(stage.match, &ticket->row.id, ticket->row.player_no, &view),
                 MATCH_OK);
    cr_assert_str_eq(view.row.status, status);
    return recency_last(stage.match->tickets, ticket->row.ticket_no);
}

Test(service, only_a_waiting_ticket_has_heartbeats)
{
    struct ticket_view first = enqueue(new_player());
    int64_t heard = heard_after_poll(&first, "waiting");
    cr_expect_eq(heard, atomic_load(&stage.now_ms));
    struct ticket_view second = enqueue(new_player());
    cr_expect_eq(heard_after_poll(&second, "matched"), 0, "it never waited");
    cr_expect_eq(heard_after_poll(&first, "matched"), heard, "it waits no more");
}
