#include "crowd.h"

#include <criterion/criterion.h>

/* A crowd that comes and goes, for every pool: what must hold from one round to the next. The same
 * with ten thousand tickets, and its figures, is in tests/bench/queue.c. */

static void expect_fair(const struct crowd_options *options)
{
    struct crowd_report report;
    cr_assert(crowd_run(options, &report));
    cr_expect_geq(report.tickets, options->tickets);
    cr_expect_eq(report.matched + report.left + report.starved, report.tickets);
    cr_expect_eq(report.matched, report.games * options->seats);
    cr_expect_eq(report.twice, 0);
    cr_expect_eq(report.outside, 0);
    cr_expect_eq(report.passed_over, 0);
    cr_expect_eq(report.met_too_soon, 0);
    cr_expect_eq(report.apart, 0);
    cr_expect_eq(report.starved, 0, "%zu starved", report.starved);
    cr_expect_lt(report.left, options->seats);
    cr_expect_lt(report.wait_ms.median, 120000);
    cr_expect_lt(report.gap_milli.median, 500000);
}

Test(crowd, two_by_two)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        expect_fair(&(struct crowd_options){
            .seats = 2, .tickets = 600, .players = 100, .between_ms = 8000, .seed = seed});
    }
}

Test(crowd, four_by_four)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        expect_fair(&(struct crowd_options){
            .seats = 4, .tickets = 600, .players = 150, .between_ms = 8000, .seed = seed});
    }
}

Test(crowd, in_pairs)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        expect_fair(&(struct crowd_options){.seats = 4,
                                            .pairs = true,
                                            .tickets = 600,
                                            .players = 150,
                                            .between_ms = 8000,
                                            .seed = seed});
    }
}

Test(crowd, a_few_who_all_know_each_other_play_all_the_same)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct crowd_report report;
        struct crowd_options options = {
            .seats = 2, .tickets = 300, .players = 6, .between_ms = 30000, .seed = seed};
        cr_assert(crowd_run(&options, &report));
        cr_expect_eq(report.starved + report.met_too_soon + report.passed_over, 0);
        cr_expect_gt(report.again, 0);
    }
}
