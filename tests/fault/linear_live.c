#include "crowd.h"
#include "linear.h"
#include "tests/support/contract.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

/* The checker on what a real server tells some fifty clients that do not wait for each other. */

enum { LIVE_SECONDS = 4, SLICE_MS = 250, SLICES_MAX = 20 };

static long long live_ms(void)
{
    const char *text = getenv("LINEAR_SECONDS");
    return 1000 * (text == NULL ? LIVE_SECONDS : (long long)strtoul(text, NULL, 10));
}

/* The budget of a device is not made for two clients that do not wait. */
static void start(struct process *server, const char *fault)
{
    process_start(server, (const char *const[]){"--rate-limit", "off", NULL}, fault);
}

/* Without enough of every answer the test would prove nothing. */
static void expect_all_answers(const struct history *history)
{
    unsigned answers[HISTORY_VERDICTS] = {0};
    for (size_t i = 0; i < history->count; i++) {
        answers[history->ops[i].verdict]++;
    }
    for (unsigned i = 0; i < HISTORY_VERDICTS; i++) {
        cr_expect_gt(answers[i], 50, "%s: only %u", history_verdict_text(i), answers[i]);
    }
}

Test(linear, what_fifty_clients_see_of_all_games_has_an_order, .timeout = 300)
{
    struct process *server = process_folder();
    unsigned contested = 0;
    start(server, NULL);
    (void)contract();
    struct crowd *crowd = crowd_new(server);
    crowd_run(crowd, server, live_ms());
    const struct history *history = crowd_history(crowd);
    for (unsigned game = 0; game < CROWD_GAMES; game++) {
        struct linear_report report;
        char text[512];
        bool linear = linear_check(history, game, crowd_game(game)->seats, &report);
        linear_describe(&report, text, sizeof text);
        cr_expect(linear, "game %u (%s): %s", game, crowd_game(game)->pool, text);
        cr_expect_gt(history_overlaps(history, game), 1000, "game %u was no race", game);
        contested += report.contested;
    }
    cr_expect_gt(contested, 100, "only %u submissions met the one that made their ply", contested);
    cr_expect_eq(crowd_broken(crowd), 0);
    expect_all_answers(history);
    crowd_free(crowd);
    process_free(server); /* verifies */
}

static bool some_game_has_no_order(const struct history *history)
{
    struct linear_report report = {0};
    for (unsigned game = 0; game < CROWD_GAMES; game++) {
        if (!linear_check(history, game, crowd_game(game)->seats, &report)) {
            cr_expect(report.fault == LINEAR_STALE || report.fault == LINEAR_BACKWARDS, "%s",
                      linear_fault_text(report.fault));
            return true;
        }
    }
    return false;
}

Test(linear, a_server_that_acknowledges_before_commit_is_found_out, .timeout = 300)
{
    struct process *server = process_folder();
    bool found = false;
    start(server, NULL);
    (void)contract();
    struct crowd *crowd = crowd_new(server);
    cr_assert_eq(process_stop(server), 0);
    start(server, "ack_before_commit");
    for (int i = 0; i < SLICES_MAX && !found; i++) {
        crowd_run(crowd, server, SLICE_MS);
        found = some_game_has_no_order(crowd_history(crowd));
    }
    cr_expect(found, "the lie was not found out in %d ms", SLICES_MAX * SLICE_MS);
    crowd_free(crowd);
    process_free(server);
}
