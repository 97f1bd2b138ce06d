/* Prometheus' text format, version 0.0.4. Nothing here is in a hurry: it is asked for a few times a
 * minute. */

#include "metrics.h"
#include "metrics_parts.h"
#include "routes.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

void put_family(FILE *out, const char *name, const char *type, const char *help)
{
    (void)fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

void put_single(FILE *out, const char *name, const char *type, const char *help, int64_t value)
{
    put_family(out, name, type, help);
    (void)fprintf(out, "%s %" PRId64 "\n", name, value);
}

void put_seconds(FILE *out, int64_t us)
{
    (void)fprintf(out, " %" PRId64 ".%06" PRId64 "\n", us / 1000000, us % 1000000);
}

void put_single_seconds(FILE *out, const char *name, const char *type, const char *help, int64_t us)
{
    put_family(out, name, type, help);
    (void)fputs(name, out);
    put_seconds(out, us);
}

static uint64_t load(const atomic_uint_fast64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* --- requests -----------------------------------------------------------------------------------
 */

static const char *operation_name(const struct metrics *metrics, size_t number)
{
    return number + 1 == metrics->count ? "none" : routes_at(number)->operation_id;
}

static void put_requests(FILE *out, const struct metrics *metrics)
{
    static const char name[] = "banzuke_http_requests_total";
    put_family(out, name, "counter",
               "Answers by operation and status; operation none: no path or method of ours.");
    for (size_t i = 0; i < metrics->count; i++) {
        for (size_t j = 0; j < METRICS_STATUSES; j++) {
            uint64_t answers = load(&metrics->operations[i].statuses[j]);
            char status[8] = "other";
            if (metrics_statuses[j] != 0) {
                (void)snprintf(status, sizeof status, "%u", (unsigned)metrics_statuses[j]);
            }
            if (answers > 0) {
                (void)fprintf(out, "%s{operation=\"%s\",status=\"%s\"} %" PRIu64 "\n", name,
                              operation_name(metrics, i), status, answers);
            }
        }
    }
}

/* `count` and the last bucket are one sum, so that they agree whatever is counted meanwhile. */
static void put_latency(FILE *out, const char *name, const char *operation,
                        const struct metrics_operation *counts)
{
    uint64_t sum = 0;
    for (size_t i = 0; i <= METRICS_BOUNDS; i++) {
        const char *bound = i < METRICS_BOUNDS ? metrics_bounds[i].seconds : "+Inf";
        sum += load(&counts->buckets[i]);
        (void)fprintf(out, "%s_bucket{operation=\"%s\",le=\"%s\"} %" PRIu64 "\n", name, operation,
                      bound, sum);
    }
    (void)fprintf(out, "%s_sum{operation=\"%s\"}", name, operation);
    put_seconds(out, (int64_t)load(&counts->took_us));
    (void)fprintf(out, "%s_count{operation=\"%s\"} %" PRIu64 "\n", name, operation, sum);
}

static void put_http(FILE *out, const struct metrics *metrics,
                     const struct metrics_sources *sources)
{
    static const char latency[] = "banzuke_http_request_duration_seconds";
    put_requests(out, metrics);
    put_family(
        out, latency, "histogram",
        "From the request line to the answer, by operation; a long poll counts while it waits.");
    for (size_t i = 0; i < metrics->count; i++) {
        put_latency(out, latency, operation_name(metrics, i), &metrics->operations[i]);
    }
    put_single(out, "banzuke_http_requests_unanswered_total", "counter",
               "Requests whose client left, or took too long, before there was an answer.",
               (int64_t)load(&metrics->unanswered));
    put_single(out, "banzuke_http_requests_in_flight", "gauge",
               "Requests whose headers are there and whose answer is not yet delivered, streams not"
               " counted.",
               atomic_load_explicit(&metrics->in_flight, memory_order_relaxed));
    put_single(out, "banzuke_streams_open", "gauge", "Open streams.", sources->streams);
    put_single(out, "banzuke_http_connections", "gauge", "Open connections.",
               atomic_load_explicit(&metrics->connections, memory_order_relaxed));
}

static void put_budgets(FILE *out, const struct metrics_sources *sources)
{
    static const char name[] = "banzuke_rate_limited_total";
    put_family(out, name, "counter", "Requests that a used up budget refused, by budget.");
    for (size_t i = 0; i < BUDGETS; i++) {
        (void)fprintf(out, "%s{budget=\"%s\"} %" PRIu64 "\n", name, budget_name((enum budget)i),
                      sources->refused[i]);
    }
}

/* --- the process --------------------------------------------------------------------------------
 */

static void put_process(FILE *out, const struct metrics_sources *sources)
{
    put_family(out, "banzuke_build_info", "gauge", "Always 1; the build is in the label.");
    (void)fprintf(out, "banzuke_build_info{version=\"%s\"} 1\n", sources->version);
    put_single_seconds(out, "process_start_time_seconds", "gauge",
                       "Start of the process, in seconds since the epoch.",
                       sources->started_at_ms * 1000);
    put_single_seconds(out, "process_cpu_seconds_total", "counter",
                       "Processor time, user and system.", sources->cpu_us);
    if (sources->resident_bytes > 0) {
        put_single(out, "process_resident_memory_bytes", "gauge", "Resident memory.",
                   sources->resident_bytes);
    }
}

char *metrics_text(const struct metrics *metrics, const struct metrics_sources *sources,
                   size_t *length)
{
    assert(metrics != NULL && sources != NULL && sources->version != NULL && length != NULL);
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (out == NULL) {
        return NULL;
    }
    put_process(out, sources);
    put_http(out, metrics, sources);
    put_budgets(out, sources);
    put_service(out, &sources->match);
    bool good = ferror(out) == 0;
    if (fclose(out) != 0 || !good) {
        free(text);
        return NULL;
    }
    return text;
}
