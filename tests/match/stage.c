#include "stage.h"

#include "key_folder.h"
#include "match/devices.h"
#include "match/rounds.h"
#include "match/service.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <time.h>

int64_t stage_now_ms(const struct stage *stage)
{
    return atomic_load(&stage->now_ms) + atomic_load(&stage->stood_ms);
}

static int64_t now_ms(void *context)
{
    return stage_now_ms(context);
}

/* The writer and the workers draw from it too. */
static void chance(void *context, void *bytes, size_t count)
{
    struct stage *stage = context;
    pthread_mutex_lock(&stage->chance_lock);
    mixed_random(&stage->chance, bytes, count);
    pthread_mutex_unlock(&stage->chance_lock);
}

static int64_t steady_ms(void *context)
{
    const struct stage *stage = context;
    return atomic_load(&stage->stood_ms);
}

static void on_fatal(void *context, enum db_status status)
{
    struct stage *stage = context;
    atomic_fetch_add(&stage->fatal_calls, 1);
    atomic_store(&stage->fatal_status, status);
}

static void wake(void *context)
{
    (void)sem_post(context);
}

void stage_enter(struct stage *stage, int64_t at_ms)
{
    struct db_report report;
    key_folder_enter();
    store_enter();
    store_prepare(DB_OK, &report);
    (void)sem_init(&stage->woken, 0, 0);
    atomic_store(&stage->now_ms, at_ms);
    stage->chance = 1;
    pthread_mutex_init(&stage->chance_lock, NULL);
    stage->env = (struct match_env){now_ms, chance, stage, steady_ms};
    stage->secrets = key_load(ONE_SLOT);
}

void stage_serve(struct stage *stage, struct match_options options)
{
    options.db_path = store_path();
    options.on_fatal = on_fatal;
    options.context = stage;
    cr_assert_eq(match_open(&options, &stage->env, stage->secrets, &stage->match), DB_OK);
}

void stage_stop(struct stage *stage)
{
    match_stop(stage->match);
    cr_expect_eq(match_close(stage->match), atomic_load(&stage->fatal_status));
    stage->match = NULL;
}

void stage_leave(struct stage *stage)
{
    if (stage->match != NULL) {
        stage_stop(stage);
    }
    secrets_free(stage->secrets);
    (void)sem_destroy(&stage->woken);
    pthread_mutex_destroy(&stage->chance_lock);
    store_leave();
    key_folder_leave();
}

struct match_op stage_op(struct stage *stage)
{
    return (struct match_op){.wake = wake, .context = &stage->woken};
}

void stage_settle(struct stage *stage)
{
    const struct timespec pause = {.tv_nsec = 200000};
    int looks = 0;
    const struct rounds *rounds = stage->match->rounds; /* NULL: nobody is served */
    for (; rounds != NULL && looks < 50000 && !rounds_settled(stage->match->rounds); looks++) {
        (void)nanosleep(&pause, NULL);
    }
    cr_assert_lt(looks, 50000, "the rounds come to no end");
}

enum match_status stage_finish(struct stage *stage, const struct match_op *op,
                               enum match_status begun)
{
    if (begun != MATCH_WAIT) {
        return begun;
    }
    while (sem_wait(&stage->woken) != 0) {
    }
    stage_settle(stage);
    return op->status;
}

int64_t stage_player(struct stage *stage)
{
    struct match_register command = {.op = stage_op(stage)};
    cr_assert_eq(stage_finish(stage, &command.op, match_register_begin(stage->match, &command)),
                 MATCH_OK);
    return command.player.player_no;
}
