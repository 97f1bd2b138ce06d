#include "api/metrics.h"
#include "api/problem.h"
#include "api/routes.h"
#include "engine/rules.h"
#include "tests/support/exposition.h"
#include "tests/support/process.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct metrics_sources nothing = {.version = "1"};

static char *text_of(const struct metrics *metrics, const struct metrics_sources *sources)
{
    size_t length = 0;
    char complaint[512] = "";
    char *text = metrics_text(metrics, sources, &length);
    cr_assert_not_null(text);
    cr_assert_eq(strlen(text), length);
    cr_expect(exposition_check(text, complaint, sizeof complaint), "%s", complaint);
    return text;
}

static struct metrics *new (void)
{
    struct metrics *metrics = metrics_new();
    cr_assert_not_null(metrics);
    return metrics;
}

static const struct route *route(const char *operation)
{
    for (size_t i = 0; i < routes_count(); i++) {
        if (strcmp(routes_at(i)->operation_id, operation) == 0) {
            return routes_at(i);
        }
    }
    test_fail("no route %s", operation);
}

static void expect_value(const char *text, const char *series, double value)
{
    cr_expect_eq(exposition_value(text, series), value, "%s", series);
}

Test(metrics, a_fresh_service_has_every_family_and_no_answers)
{
    struct metrics *metrics = new ();
    char *text = text_of(metrics, &nothing);
    expect_value(text, "banzuke_build_info{version=\"1\"}", 1);
    expect_value(text, "banzuke_http_request_duration_seconds_count{operation=\"createMove\"}", 0);
    expect_value(text, "banzuke_rate_limited_total{budget=\"wrong-codes-in-all\"}", 0);
    expect_value(text, "banzuke_games_finished_total{reason=\"no_show\"}", 0);
    expect_value(text, "banzuke_seat_changes_total{reason=\"banned\"}", 0);
    expect_value(text, "banzuke_late_turn_seconds_count", 0);
    expect_value(text, "banzuke_tables{status=\"open\"}", 0);
    cr_expect_not(exposition_has(text, "process_resident_memory_bytes"));
    free(text);
    metrics_free(metrics);
}

Test(metrics, an_answer_is_counted_by_operation_and_status)
{
    struct metrics *metrics = new ();
    metrics_answered(metrics, route("createMove"), 201, 700);
    metrics_answered(metrics, route("createMove"), 201, 700);
    metrics_answered(metrics, route("createMove"), 409, 100);
    metrics_answered(metrics, NULL, 404, 10);
    metrics_answered(metrics, NULL, 418, 10);
    char *text = text_of(metrics, &nothing);
    expect_value(text, "banzuke_http_requests_total{operation=\"createMove\",status=\"201\"}", 2);
    expect_value(text, "banzuke_http_requests_total{operation=\"createMove\",status=\"409\"}", 1);
    expect_value(text, "banzuke_http_requests_total{operation=\"none\",status=\"404\"}", 1);
    expect_value(text, "banzuke_http_requests_total{operation=\"none\",status=\"other\"}", 1);
    free(text);
    metrics_free(metrics);
}

Test(metrics, every_status_of_a_problem_has_a_series_of_its_own)
{
    struct metrics *metrics = new ();
    for (size_t i = 0; i < PROBLEMS; i++) {
        metrics_answered(metrics, route("getMe"), problem_http_status((enum problem)i), 1);
    }
    static const unsigned good[] = {200, 201, 204, 304};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        metrics_answered(metrics, route("getMe"), good[i], 1);
    }
    char *text = text_of(metrics, &nothing);
    cr_expect_not(
        exposition_has(text, "banzuke_http_requests_total{operation=\"getMe\",status=\"other\"}"));
    free(text);
    metrics_free(metrics);
}

Test(metrics, a_latency_is_in_the_first_bucket_that_holds_it_and_all_above)
{
    static const int64_t took_us[] = {-5, 0, 250, 251, 1000, 30000000, 30000001};
    struct metrics *metrics = new ();
    for (size_t i = 0; i < sizeof took_us / sizeof took_us[0]; i++) {
        metrics_answered(metrics, route("getGame"), 200, took_us[i]);
    }
    char *text = text_of(metrics, &nothing);
    static const struct {
        const char *series;
        double value;
    } cases[] = {
        {"banzuke_http_request_duration_seconds_bucket{operation=\"getGame\",le=\"0.00025\"}", 3        },
        {"banzuke_http_request_duration_seconds_bucket{operation=\"getGame\",le=\"0.0005\"}",  4        },
        {"banzuke_http_request_duration_seconds_bucket{operation=\"getGame\",le=\"0.001\"}",   5        },
        {"banzuke_http_request_duration_seconds_bucket{operation=\"getGame\",le=\"10\"}",      5        },
        {"banzuke_http_request_duration_seconds_bucket{operation=\"getGame\",le=\"30\"}",      6        },
        {"banzuke_http_request_duration_seconds_bucket{operation=\"getGame\",le=\"+Inf\"}",    7        },
        {"banzuke_http_request_duration_seconds_count{operation=\"getGame\"}",                 7        },
        {"banzuke_http_request_duration_seconds_sum{operation=\"getGame\"}",                   60.001502},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_value(text, cases[i].series, cases[i].value);
    }
    free(text);
    metrics_free(metrics);
}

Test(metrics, gauges_go_up_and_down)
{
    struct metrics *metrics = new ();
    metrics_in_flight(metrics, 1);
    metrics_in_flight(metrics, 1);
    metrics_in_flight(metrics, -1);
    metrics_connections(metrics, 1);
    metrics_unanswered(metrics);
    char *text = text_of(metrics, &nothing);
    expect_value(text, "banzuke_http_requests_in_flight", 1);
    expect_value(text, "banzuke_http_connections", 1);
    expect_value(text, "banzuke_http_requests_unanswered_total", 1);
    free(text);
    metrics_free(metrics);
}

Test(metrics, what_others_count_stands_there_as_they_say_it)
{
    struct metrics_sources sources = {
        .match = {.writer = {.batches = 3,
                             .jobs = 40,
                             .queued = 5,
                             .last_batch = 6,
                             .wal_bytes = 7000000000,
                             .done = {.games_started = 8,
                                      .games_ended = {[2] = 9},
                                      .cpu_moves = 20,
                                      .seats_changed = {[1] = 21},
                                      .clocks_credited = {[1] = 22},
                                      .credited_ms = {[0] = 23001},
                                      .tickets_ended = {[2] = 24}},
                             .live = {.games_playing = 10,
                                      .tickets_waiting = 11,
                                      .tables_open = 25,
                                      .tables_playing = 26}},
                  .clocks = {.armed = 27, .overdue_ms = 28029, .late_turns = {30, 31032}},
                  .cpu = {.workers = 33, .busy = 34, .queued = 35, .full = 36},
                  .choices = {37, 38039},
                  .rounds = 40,
                  .games_paired = 41,
                  .pool_count = 2,
                  .pools = {{"yonin", {42, 43}}, {"hasami", {44, 45046}}},
                  .games = {12, 13},
                  .tokens = {14, 15}},
        .refused = {[BUDGET_WRONG_CODES] = 16},
        .started_at_ms = 1796029564121,
        .resident_bytes = 17,
        .cpu_us = 18000019,
        .version = "2",
    };
    static const struct {
        const char *series;
        double value;
    } cases[] = {
        {"banzuke_writer_batches_total",                         3             },
        {"banzuke_writer_jobs_total",                            40            },
        {"banzuke_writer_queued_jobs",                           5             },
        {"banzuke_writer_last_batch_jobs",                       6             },
        {"banzuke_wal_bytes",                                    7000000000    },
        {"banzuke_games_started_total",                          8             },
        {"banzuke_games_finished_total{reason=\"resign\"}",      9             },
        {"banzuke_games_playing",                                10            },
        {"banzuke_tickets_waiting",                              11            },
        {"banzuke_cpu_moves_total",                              20            },
        {"banzuke_seat_changes_total{reason=\"absent\"}",        21            },
        {"banzuke_clocks_credited_total{reason=\"restart\"}",    22            },
        {"banzuke_clock_credit_seconds_total{reason=\"pause\"}", 23.001        },
        {"banzuke_tickets_ended_total{status=\"expired\"}",      24            },
        {"banzuke_tables{status=\"open\"}",                      25            },
        {"banzuke_tables{status=\"playing\"}",                   26            },
        {"banzuke_clocks_armed",                                 27            },
        {"banzuke_clock_overdue_seconds",                        28.029        },
        {"banzuke_late_turn_seconds_count",                      30            },
        {"banzuke_late_turn_seconds_sum",                        31.032        },
        {"banzuke_cpu_workers",                                  33            },
        {"banzuke_cpu_workers_busy",                             34            },
        {"banzuke_cpu_queued_jobs",                              35            },
        {"banzuke_cpu_queue_full_total",                         36            },
        {"banzuke_cpu_choice_seconds_count",                     37            },
        {"banzuke_cpu_choice_seconds_sum",                       38.039        },
        {"banzuke_pairing_rounds_total",                         40            },
        {"banzuke_pairing_games_total",                          41            },
        {"banzuke_pairing_wait_seconds_count{pool=\"yonin\"}",   42            },
        {"banzuke_pairing_wait_seconds_sum{pool=\"yonin\"}",     0.043         },
        {"banzuke_pairing_wait_seconds_count{pool=\"hasami\"}",  44            },
        {"banzuke_pairing_wait_seconds_sum{pool=\"hasami\"}",    45.046        },
        {"banzuke_cache_hits_total{cache=\"games\"}",            12            },
        {"banzuke_cache_misses_total{cache=\"games\"}",          13            },
        {"banzuke_cache_hits_total{cache=\"tokens\"}",           14            },
        {"banzuke_cache_misses_total{cache=\"tokens\"}",         15            },
        {"banzuke_rate_limited_total{budget=\"wrong-codes\"}",   16            },
        {"process_start_time_seconds",                           1796029564.121},
        {"process_resident_memory_bytes",                        17            },
        {"process_cpu_seconds_total",                            18.000019     },
    };
    struct metrics *metrics = new ();
    char *text = text_of(metrics, &sources);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        expect_value(text, cases[i].series, cases[i].value);
    }
    free(text);
    metrics_free(metrics);
}

/* Storage and engine have a list each; a game that ends must be in both. */
Test(metrics, every_end_of_a_game_that_the_engine_knows_is_counted)
{
    for (int i = END_NONE + 1; i < END_REASONS; i++) {
        bool found = false;
        for (size_t j = 0; j < DB_ENDS; j++) {
            found = found || strcmp(db_end_text(j), end_reason_text((enum end_reason)i)) == 0;
        }
        cr_expect(found, "%s", end_reason_text((enum end_reason)i));
    }
}

enum { THREADS = 4, ANSWERS = 20000 };

static void *count_answers(void *context)
{
    for (unsigned i = 0; i < ANSWERS; i++) {
        metrics_answered(context, routes_at(0), 200, (int64_t)i);
    }
    return NULL;
}

/* The lint in text_of sees every text that is written meanwhile. */
Test(metrics, no_answer_is_lost_and_no_text_contradicts_itself_while_threads_count)
{
    struct metrics *metrics = new ();
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        cr_assert_eq(pthread_create(&threads[i], NULL, count_answers, metrics), 0);
    }
    for (unsigned i = 0; i < 50; i++) {
        free(text_of(metrics, &nothing));
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    char *text = text_of(metrics, &nothing);
    expect_value(text, "banzuke_http_requests_total{operation=\"getHealth\",status=\"200\"}",
                 THREADS * ANSWERS);
    free(text);
    metrics_free(metrics);
}

/* --- controls: the reader of these tests sees what is wrong ----------------------------------- */

#define HEAD      "# HELP a Words.\n# TYPE a gauge\n"
#define SUMMARY   "# HELP s Words.\n# TYPE s summary\n"
#define HISTOGRAM "# HELP h Words.\n# TYPE h histogram\n"

Test(exposition, a_good_text_is_good)
{
    char complaint[256] = "";
    cr_expect(exposition_check(HEAD "a 1\n", complaint, sizeof complaint), "%s", complaint);
    cr_expect(exposition_check(HEAD "a{x=\"1\"} 1\na{x=\"2\",y=\"\\\"\"} -1.5e3\n", complaint,
                               sizeof complaint),
              "%s", complaint);
    cr_expect(exposition_check(HISTOGRAM "h_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 2\n"
                                         "h_sum 3\nh_count 2\n",
                               complaint, sizeof complaint),
              "%s", complaint);
    cr_expect(exposition_check(SUMMARY "s_sum{x=\"1\"} 1.5\ns_count{x=\"1\"} 2\n", complaint,
                               sizeof complaint),
              "%s", complaint);
}

Test(exposition, a_bad_text_is_seen)
{
    static const char *const texts[] = {
        "a 1\n",                                                    /* no head */
        "# TYPE a gauge\na 1\n",                                    /* no help */
        "# HELP a\n# TYPE a gauge\na 1\n",                          /* no words */
        "# HELP a Words.\na 1\n",                                   /* no type */
        "# HELP a Words.\n# TYPE a meter\na 1\n",                   /* no such type */
        "# HELP a Words.\n# TYPE a counter\na 1\n",                 /* counters end in _total */
        "# HELP a_total Words.\n# TYPE a_total gauge\na_total 1\n", /* and gauges do not */
        "# HELP a_total Words.\n# TYPE a_total counter\na_total -1\n",
        HEAD "a 1",                                                  /* no line end */
        HEAD "a\n",                                                  /* no value */
        HEAD "a one\n",                                              /* no number */
        HEAD "a  1 2\n",                                             /* a time, which we have not */
        HEAD "b 1\n",                                                /* another family */
        HEAD "a 1\n\n",                                              /* an empty line */
        HEAD "a 1\na 2\n",                                           /* twice */
        HEAD "a{x=\"1\"} 1\na{x=\"1\"} 1\n",                         /* twice */
        HEAD "a{x=1} 1\n",                                           /* no quotes */
        HEAD "a{x=\"1} 1\n",                                         /* one quote */
        HEAD "a{} 1\n",                                              /* no label */
        HEAD "a{1x=\"1\"} 1\n",                                      /* no name */
        HEAD "a 1\n" HEAD "a{x=\"1\"} 1\n",                          /* the family twice */
        HEAD "# TYPE a gauge\na 1\n",                                /* the type twice */
        HISTOGRAM "h_bucket{le=\"1\"} 1\nh_sum 3\nh_count 1\n",      /* no +Inf */
        HISTOGRAM "h_bucket{le=\"1\"} 2\nh_bucket{le=\"+Inf\"} 1\n", /* falls */
        HISTOGRAM "h_bucket{le=\"2\"} 1\nh_bucket{le=\"1\"} 1\nh_bucket{le=\"+Inf\"} 1\n",
        HISTOGRAM "h_bucket{le=\"+Inf\"} 1\nh_sum 3\nh_count 2\n", /* another count */
        HISTOGRAM "h_bucket 1\n",                                  /* no bound */
        HISTOGRAM "h 1\n",
        SUMMARY "s 1\n",
        SUMMARY "s_total 1\n",
        SUMMARY "s_sum 1\ns_sum 2\n",
        SUMMARY "s_count -1\n",
        HISTOGRAM "h_bucket{x=\"1\",le=\"1\"} 1\nh_bucket{x=\"2\",le=\"+Inf\"} 1\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char complaint[256] = "";
        cr_expect_not(exposition_check(texts[i], complaint, sizeof complaint), "%s", texts[i]);
        cr_expect_str_neq(complaint, "");
    }
}
