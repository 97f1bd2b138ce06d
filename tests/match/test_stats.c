#include "match/cpu.h"
#include "match/handover.h"
#include "match/rounds.h"
#include "match/stats.h"
#include "play.h"
#include "tests/db/store.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* What the service says of itself, from within. */

enum { TURN_MS = 30000, READERS = 2, WORKERS = 2 };

static struct stage stage;

static void enter(void)
{
    stage_enter(&stage, STORE_NOW_MS);
    stage_serve(&stage, (struct match_options){
                            .readers = READERS,
                            .turn_seconds = {30, 60},
                            .repeat_limit = 5,
                            .cpu_workers = WORKERS,
                            .absence_level = 4,
    });
}

static void leave(void)
{
    stage_leave(&stage);
}

TestSuite(stats, .init = enter, .fini = leave);

static struct match_stats stats(void)
{
    struct match_stats now;
    match_stats(stage.match, &now);
    return now;
}

/* What is counted after a commit may be seen a moment after what was committed. */
static struct match_stats await(bool (*good)(const struct match_stats *now))
{
    const struct timespec pause = {.tv_nsec = 1000000};
    struct match_stats now = stats();
    for (int looks = 0; !good(&now); looks++) {
        cr_assert_lt(looks, 50000);
        (void)nanosleep(&pause, NULL);
        now = stats();
    }
    return now;
}

static bool has_late_turn(const struct match_stats *now)
{
    return now->clocks.late_turns.times > 0 && now->clocks.overdue_ms == 0;
}

Test(stats, a_late_turn_is_counted_with_how_late_its_end_was)
{
    struct play play = play_new(&stage, "hasami", 30);
    cr_expect_eq(stats().clocks.armed, 1);
    cr_expect_eq(stats().clocks.late_turns.times, 0);
    play_advance(&play, TURN_MS + 5000);
    (void)play_await(&play, 1);
    struct match_stats now = await(has_late_turn);
    cr_expect_eq(now.clocks.late_turns.times, 1);
    cr_expect_eq(now.clocks.late_turns.ms, 5000);
    cr_expect_eq(now.choices.times, 1);
    cr_expect_eq(now.writer.done.cpu_moves, 1);
    cr_expect_eq(now.clocks.armed, 1, "the next turn has a deadline, too");
}

static bool is_full_of_work(const struct match_stats *now)
{
    return now->cpu.busy == WORKERS && now->cpu.queued == 0;
}

static bool is_idle(const struct match_stats *now)
{
    return now->cpu.busy == 0 && now->cpu.queued == 0;
}

/* Games that never were, one a millisecond: whoever looks for one needs a read connection. */
static bool offer(int64_t number)
{
    struct due_game game = {.at_ms = STORE_NOW_MS - 2000 + number, .game_no = number};
    (void)snprintf(game.id.id.text, sizeof game.id.id.text, "g_%026d", (int)number);
    return cpu_offer(stage.match->cpu, &game);
}

Test(stats, a_full_queue_of_the_workers_is_seen_and_so_is_for_how_long_it_has_waited)
{
    struct db *taken[READERS];
    int64_t number = 0;
    for (size_t i = 0; i < READERS; i++) {
        taken[i] = reader_take(stage.match);
    }
    while (number < WORKERS) {
        cr_assert(offer(++number));
    }
    struct match_stats now = await(is_full_of_work);
    cr_expect_eq(now.cpu.workers, WORKERS);
    cr_expect_eq(now.clocks.overdue_ms, 0, "somebody looks at them");
    for (size_t i = 0; i < LIMIT_CPU_QUEUE; i++) {
        cr_assert(offer(++number));
    }
    cr_expect_eq(stats().cpu.full, 0);
    cr_expect_not(offer(++number));
    now = stats();
    cr_expect_eq(now.cpu.queued, LIMIT_CPU_QUEUE);
    cr_expect_eq(now.cpu.full, 1);
    cr_expect_eq(now.clocks.overdue_ms, 2000 - (WORKERS + 1));
    for (size_t i = 0; i < READERS; i++) {
        reader_give(stage.match, taken[i]);
    }
    now = await(is_idle);
    cr_expect_eq(now.cpu.full, 1);
    cr_expect_eq(now.clocks.overdue_ms, 0);
}

static const struct timed_counts *waits_of(const struct match_stats *now, const char *pool)
{
    for (size_t i = 0; i < now->pool_count; i++) {
        if (strcmp(now->pools[i].pool, pool) == 0) {
            return &now->pools[i].waits;
        }
    }
    cr_assert_fail("there is no pool %s", pool);
    return NULL;
}

static void enqueue(const char *pool)
{
    struct match_enqueue command = {
        .op = stage_op(&stage),
        .player_no = stage_player(&stage),
        .turn_seconds = 30,
        .at_ms = atomic_load(&stage.now_ms),
    };
    (void)snprintf(command.pool, sizeof command.pool, "%s", pool);
    cr_assert_eq(stage_finish(&stage, &command.op, match_enqueue_begin(stage.match, &command)),
                 MATCH_OK);
    cr_assert_eq(command.op.status, MATCH_OK);
}

Test(stats, a_round_counts_its_games_and_how_long_each_ticket_waited_by_pool)
{
    uint64_t rounds = stats().rounds;
    enqueue("yonin");
    enqueue("hasami");
    atomic_fetch_add(&stage.now_ms, 700);
    enqueue("hasami");
    struct match_stats now = stats();
    cr_expect_gt(now.rounds, rounds);
    cr_expect_eq(now.games_paired, 1);
    cr_expect_eq(waits_of(&now, "hasami")->times, 2);
    cr_expect_eq(waits_of(&now, "hasami")->ms, 700);
    cr_expect_eq(waits_of(&now, "yonin")->times, 0);
    cr_expect_eq(now.writer.live.tickets_waiting, 1);
}

Test(stats, every_pool_is_there_once)
{
    struct match_stats now = stats();
    size_t pools = 0;
    for (size_t i = 0; i < rules_count(); i++) {
        for (size_t j = 0; j < rules_at(i)->pool_count; j++) {
            cr_assert_lt(pools, now.pool_count);
            cr_expect_str_eq(now.pools[pools++].pool, rules_at(i)->pools[j].key);
        }
    }
    cr_expect_eq(pools, now.pool_count);
}

/* Storage has a list of its own. */
Test(stats, every_reason_why_a_seat_changes_hands_is_counted)
{
    cr_expect_eq((int)DB_SEAT_REASONS, (int)SEAT_REASONS);
    for (unsigned i = 0; i < DB_SEAT_REASONS; i++) {
        cr_expect_neq(seat_reason_find(db_seat_reason_text(i)), SEAT_REASONS);
    }
}
