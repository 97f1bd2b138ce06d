/* What the match layer says of itself. */

#include "metrics_parts.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

/* A series for each word of a closed list. */
static void put_each(FILE *out, const char *name, const char *label, const char *(*word)(size_t),
                     const int64_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (void)fprintf(out, "%s{%s=\"%s\"} %" PRId64 "\n", name, label, word(i), values[i]);
    }
}

/* `labels` with their braces, or "". */
static void put_timed(FILE *out, const char *name, const char *labels,
                      const struct timed_counts *counts)
{
    (void)fprintf(out, "%s_sum%s", name, labels);
    put_seconds(out, (int64_t)counts->ms * 1000);
    (void)fprintf(out, "%s_count%s %" PRIu64 "\n", name, labels, counts->times);
}

static void put_writer(FILE *out, const struct db_writer_stats *writer)
{
    put_single(out, "banzuke_writer_batches_total", "counter", "Transactions of the writer.",
               (int64_t)writer->batches);
    put_single(out, "banzuke_writer_jobs_total", "counter", "Write jobs that were in them.",
               (int64_t)writer->jobs);
    put_single(out, "banzuke_writer_queued_jobs", "gauge", "Write jobs that are not done yet.",
               writer->queued);
    put_single(out, "banzuke_writer_last_batch_jobs", "gauge", "Write jobs in the last one.",
               writer->last_batch);
    put_single(out, "banzuke_wal_bytes", "gauge", "Size of the write-ahead log after the last one.",
               (int64_t)writer->wal_bytes);
}

static void put_games(FILE *out, const struct db_writer_stats *writer)
{
    static const char finished[] = "banzuke_games_finished_total";
    put_single(out, "banzuke_games_started_total", "counter", "Games that began since the start.",
               writer->done.games_started);
    put_family(out, finished, "counter", "Games that ended since the start, by reason.");
    put_each(out, finished, "reason", db_end_text, writer->done.games_ended, DB_ENDS);
    put_single(out, "banzuke_games_playing", "gauge", "Running games.", writer->live.games_playing);
}

static void put_seats(FILE *out, const struct db_tally *done)
{
    static const char changes[] = "banzuke_seat_changes_total";
    put_family(out, changes, "counter",
               "Changes of hands between owners and the CPU, by reason; returned: to the owner.");
    put_each(out, changes, "reason", db_seat_reason_text, done->seats_changed, DB_SEAT_REASONS);
}

/* --- clocks and the CPU --------------------------------------------------------------------------
 */

static void put_clocks(FILE *out, const struct match_stats *match)
{
    static const char late[] = "banzuke_late_turn_seconds";
    put_single(out, "banzuke_clocks_armed", "gauge",
               "Running games that are looked at when their time comes.",
               (int64_t)match->clocks.armed);
    put_single_seconds(out, "banzuke_clock_overdue_seconds", "gauge",
                       "For how long the game whose time came first has waited for a look at it;"
                       " 0: none waits.",
                       match->clocks.overdue_ms * 1000);
    put_family(out, late, "summary",
               "Turns that the CPU ended for an owner who was late, and how long after the"
               " deadline that was stored.");
    put_timed(out, late, "", &match->clocks.late_turns);
}

static void put_credits(FILE *out, const struct db_tally *done)
{
    static const char seconds[] = "banzuke_clock_credit_seconds_total";
    static const char clocks[] = "banzuke_clocks_credited_total";
    put_family(out, seconds, "counter",
               "Time that was given back to running clocks, once for all of them, by reason.");
    for (size_t i = 0; i < DB_CREDITS; i++) {
        (void)fprintf(out, "%s{reason=\"%s\"}", seconds, db_credit_text(i));
        put_seconds(out, done->credited_ms[i] * 1000);
    }
    put_family(out, clocks, "counter", "Clocks that were moved on by it, by reason.");
    put_each(out, clocks, "reason", db_credit_text, done->clocks_credited, DB_CREDITS);
}

static void put_cpu(FILE *out, const struct match_stats *match)
{
    static const char choices[] = "banzuke_cpu_choice_seconds";
    const struct cpu_counts *cpu = &match->cpu;
    put_single(out, "banzuke_cpu_workers", "gauge",
               "Threads that look at games and move for the"
               " CPU.",
               (int64_t)cpu->workers);
    put_single(out, "banzuke_cpu_workers_busy", "gauge", "Of these, those that do it now.",
               (int64_t)cpu->busy);
    put_single(out, "banzuke_cpu_queued_jobs", "gauge", "Games that wait for one.",
               (int64_t)cpu->queued);
    put_single(out, "banzuke_cpu_queue_full_total", "counter",
               "Times that a game found no room among these and was put off.", (int64_t)cpu->full);
    put_single(out, "banzuke_cpu_moves_total", "counter",
               "Moves that the CPU made, also for owners who were late.",
               match->writer.done.cpu_moves);
    put_family(out, choices, "summary",
               "Moves that the CPU chose, and how long that took, in whole milliseconds.");
    put_timed(out, choices, "", &match->choices);
}

/* --- tables and tickets --------------------------------------------------------------------------
 */

static void put_tables(FILE *out, const struct db_live *live)
{
    static const char name[] = "banzuke_tables";
    put_family(out, name, "gauge", "Tables that are not closed, by status.");
    (void)fprintf(out, "%s{status=\"open\"} %" PRId64 "\n%s{status=\"playing\"} %" PRId64 "\n",
                  name, live->tables_open, name, live->tables_playing);
}

static void put_tickets(FILE *out, const struct db_writer_stats *writer)
{
    static const char ended[] = "banzuke_tickets_ended_total";
    put_single(out, "banzuke_tickets_waiting", "gauge", "Tickets in the queues.",
               writer->live.tickets_waiting);
    put_family(out, ended, "counter", "Tickets that wait no more, by what became of them.");
    put_each(out, ended, "status", db_ticket_end_text, writer->done.tickets_ended, DB_TICKET_ENDS);
}

static void put_rounds(FILE *out, const struct match_stats *match)
{
    static const char waits[] = "banzuke_pairing_wait_seconds";
    put_single(out, "banzuke_pairing_rounds_total", "counter", "Rounds of the matchmaker.",
               (int64_t)match->rounds);
    put_single(out, "banzuke_pairing_games_total", "counter", "Games that it made.",
               (int64_t)match->games_paired);
    put_family(out, waits, "summary",
               "How long tickets waited for the game they were matched to,"
               " by pool.");
    for (size_t i = 0; i < match->pool_count; i++) {
        char labels[64];
        int length = snprintf(labels, sizeof labels, "{pool=\"%s\"}", match->pools[i].pool);
        assert(length > 0 && (size_t)length < sizeof labels);
        put_timed(out, waits, labels, &match->pools[i].waits);
    }
}

static void put_caches(FILE *out, const struct match_stats *match)
{
    static const char hits[] = "banzuke_cache_hits_total";
    static const char misses[] = "banzuke_cache_misses_total";
    put_family(out, hits, "counter", "Looks that found what they wanted in memory, by cache.");
    (void)fprintf(out, "%s{cache=\"games\"} %" PRIu64 "\n%s{cache=\"tokens\"} %" PRIu64 "\n", hits,
                  match->games.hits, hits, match->tokens.hits);
    put_family(out, misses, "counter", "Looks that then asked the database, by cache.");
    (void)fprintf(out, "%s{cache=\"games\"} %" PRIu64 "\n%s{cache=\"tokens\"} %" PRIu64 "\n",
                  misses, match->games.misses, misses, match->tokens.misses);
}

void put_service(FILE *out, const struct match_stats *match)
{
    const struct db_writer_stats *writer = &match->writer;
    put_writer(out, writer);
    put_games(out, writer);
    put_seats(out, &writer->done);
    put_clocks(out, match);
    put_credits(out, &writer->done);
    put_cpu(out, match);
    put_tables(out, &writer->live);
    put_tickets(out, writer);
    put_rounds(out, match);
    put_caches(out, match);
}
