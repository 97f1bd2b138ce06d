#include "cli.h"
#include "cli_storage.h"
#include "control.h"
#include "db/db.h"
#include "json_read.h"
#include "lifetime.h"
#include "operators.h"
#include "server.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

/* All that lives as long as the service. */
struct app {
    struct config config;
    struct logger logger;
    struct health health;
    struct lifetime *lifetime;
    struct storage storage;
    struct match *match;
    struct budgets *budgets;
    struct metrics *metrics;
    struct server *server;
    struct storage_check *check;
    struct operators *operators;
    bool has_link; /* there is a last one in the chain, at the end */
    struct db_link link;
#ifdef BANZUKE_TESTING
    struct control *control;
#endif
};

static int64_t now_ms(const struct app *app)
{
    return app->storage.env.now_ms(app->storage.env.context);
}

/* Called by the writer when the storage is gone. The rest of the answers are refusals. */
static void on_fatal(void *context, enum db_status status)
{
    struct app *app = context;
    atomic_store(&app->health.storage_failed, true);
    log_event(&app->logger, "storage_failed", now_ms(app), db_status_text(status));
    lifetime_end(app->lifetime, storage_exit_code(status));
}

/* Half of the cores, so that people are served while the CPU thinks. */
static size_t cpu_workers(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores < 4) {
        return 1;
    }
    return cores / 2 < LIMIT_CPU_WORKERS ? (size_t)cores / 2 : LIMIT_CPU_WORKERS;
}

static int open_match(struct app *app)
{
    const struct config *config = &app->config;
    struct match_options options = {
        .db_path = config->db_path,
        .readers = config->threads,
        .repeat_limit = config->repeat_limit,
        .cpu_delay_ms = config->cpu_delay_ms,
        .cpu_workers = cpu_workers(),
        .absence_ms = (int64_t)config->absence_seconds * 1000,
        .absence_level = config->absence_level,
        .on_fatal = on_fatal,
        .context = app,
    };
    static_assert(sizeof options.turn_seconds == sizeof config->turn_seconds, "same list");
    for (size_t i = 0; i < CONFIG_TURN_SECONDS_MAX; i++) {
        options.turn_seconds[i] = config->turn_seconds[i];
    }
    enum db_status status =
        match_open(&options, &app->storage.env, app->storage.secrets, &app->match);
    if (status == DB_OK) {
        return 0;
    }
    (void)fprintf(stderr, "banzuke: %s: %s\n", config->db_path, db_status_text(status));
    return status == DB_DENIED ? EXIT_CONFIG : storage_exit_code(status);
}

static void log_start(const struct app *app)
{
    const struct config *config = &app->config;
    char turns[32];
    int length = 0;
    for (size_t i = 0; i < CONFIG_TURN_SECONDS_MAX && config->turn_seconds[i] != 0; i++) {
        length += snprintf(turns + length, sizeof turns - (size_t)length, i == 0 ? "%u" : ",%u",
                           (unsigned)config->turn_seconds[i]);
    }
    struct log_line line;
    log_begin(&line, "start", now_ms(app));
    log_text(&line, "version", BANZUKE_VERSION);
    log_text(&line, "db", config->db_path);
    log_text(&line, "key_file", config->key_path);
    log_text(&line, "address", config->listen_address);
    log_integer(&line, "port", config->listen_port);
    log_text(&line, "turn_seconds", turns);
    log_integer(&line, "repeat_limit", config->repeat_limit);
    log_integer(&line, "absence_seconds", config->absence_seconds);
    log_integer(&line, "absence_level", config->absence_level);
    log_integer(&line, "cpu_delay_ms", config->cpu_delay_ms);
    log_text(&line, "cors", config->cors);
    log_integer(&line, "registrations_per_hour", config->registrations_per_hour);
    log_text(&line, "rate_limit", config->rate_limit ? "on" : "off");
    log_integer(&line, "trusted_proxies", (int64_t)config->trusted_proxy_count);
    log_integer(&line, "threads", config->threads);
    if (app->storage.report.text[0] != '\0') {
        log_text(&line, "storage", app->storage.report.text);
    }
    if (app->storage.copied_at_ms != 0) {
        log_integer(&line, "backup_of_ms", app->storage.copied_at_ms);
    }
    log_write(&app->logger, &line);
}

/* Times that are stored never go back, so they are ahead of the machine's until it has caught up.
 */
static void warn_of_clock(const struct app *app)
{
    char text[160];
    int64_t behind_ms = app->storage.clock.behind_ms;
    if (behind_ms == 0) {
        return;
    }
    (void)snprintf(text, sizeof text,
                   "the clock of this machine is %" PRId64 " ms behind the last time that was "
                   "stored: the service counts on from there",
                   behind_ms);
    log_event(&app->logger, "warning", now_ms(app), text);
}

static void log_ready(const struct app *app, const struct listener *listener)
{
    char listen[96];
    (void)snprintf(listen, sizeof listen, listener->ipv6 ? "[%s]:%u" : "%s:%u",
                   app->config.listen_address, (unsigned)listener->port);
    struct log_line line;
    log_begin(&line, "ready", now_ms(app));
    log_text(&line, "listen", listen);
    log_integer(&line, "port", listener->port);
    log_integer(&line, "pid", getpid());
    log_write(&app->logger, &line);
}

static int make_meters(struct app *app)
{
    app->metrics = metrics_new();
    app->budgets = budgets_new(&(struct budgets_options){
        .on = app->config.rate_limit,
        .registrations_per_hour = app->config.registrations_per_hour,
        .env = &app->storage.env,
    });
    return app->budgets == NULL || app->metrics == NULL ? EXIT_INTERNAL : 0;
}

/* Storage and the game service over it. */
static int open_service(struct app *app)
{
    int code = storage_open(&app->config, &app->storage);
    if (code == 0) {
        log_start(app);
        warn_of_clock(app);
        code = open_match(app);
    }
    if (code == 0) {
        code = make_meters(app);
    }
#ifdef BANZUKE_TESTING
    if (code == 0) {
        app->control = control_start(app->config.db_path, &app->storage.clock);
    }
#endif
    return code;
}

/* Takes the listener over. */
static int start_server(struct app *app, const struct listener *listener)
{
    struct server_options options = {
        .match = app->match,
        .config = &app->config,
        .health = &app->health,
        .budgets = app->budgets,
        .metrics = app->metrics,
        .logger = &app->logger,
    };
    app->server = server_start(&options, listener);
    if (app->server == NULL) {
        (void)fputs("banzuke: the HTTP server cannot start\n", stderr);
        return EXIT_INTERNAL;
    }
    log_ready(app, listener);
    return 0;
}

/* The service goes on without it: operators then have to stop it for what they want done. */
static void start_operators(struct app *app)
{
    const char *why = NULL;
    app->operators = operators_start(app->config.db_path, app->match, &app->logger, &why);
    if (app->operators == NULL) {
        log_event(&app->logger, "no_operators_socket", now_ms(app), why);
    }
}

/* Everything up to the ready line. The port comes first: where it cannot be had, no file is made,
 * migrated or even looked at. Whoever connects meanwhile is answered when the service is ready. */
static int start(struct app *app)
{
    struct listener listener;
    struct listen_error error;
    if (!listen_open(app->config.listen_address, app->config.listen_port, &listener, &error)) {
        (void)fprintf(stderr, "banzuke: %s\n", error.text);
        return EXIT_CONFIG;
    }
    int code = open_service(app);
    if (code != 0) {
        close(listener.fd);
        return code;
    }
    start_operators(app);
    code = start_server(app, &listener);
    if (code == 0 && app->storage.check_later) {
        app->check =
            storage_check_start(app->config.db_path, &app->health, &app->logger, &app->storage.env);
    }
    return code;
}

/* Where the chain ends now: should its last links be gone one day, `verify --head` tells. */
static void log_chain(const struct app *app, struct log_line *line)
{
    char hash[2 * DB_HASH_BYTES + 1];
    if (!app->has_link) {
        return;
    }
    for (size_t i = 0; i < DB_HASH_BYTES; i++) {
        (void)snprintf(hash + 2 * i, 3, "%02x", app->link.hash[i]);
    }
    log_integer(line, "chain_link", app->link.link);
    log_text(line, "chain_hash", hash);
}

/* Refuse what is new, answer what was begun, and only then close. Storage that failed on the way or
 * at the very end is no orderly end: the exit code, if it was to be another. */
static int stop(struct app *app, int code)
{
    atomic_store(&app->health.stopping, true);
    if (app->match != NULL) {
        match_stop(app->match);
    }
    if (app->server != NULL) {
        server_drain(app->server);
    }
    server_free(app->server);
    operators_stop(app->operators);
    budgets_free(app->budgets);
    metrics_free(app->metrics);
#ifdef BANZUKE_TESTING
    control_stop(app->control);
#endif
    if (app->match != NULL) {
        app->has_link = match_chain_head(app->match, &app->link) == MATCH_OK;
    }
    enum db_status status = match_close(app->match);
    if (status == DB_OK) {
        return code;
    }
    if (!atomic_load(&app->health.storage_failed)) {
        on_fatal(app, status);
    }
    return code == 0 ? storage_exit_code(status) : code;
}

static int run(struct app *app)
{
    json_start();
    int code = start(app);
    bool ready = code == 0;
    if (ready) {
        code = lifetime_wait(app->lifetime);
        lifetime_hurry(app->lifetime);
        log_event(&app->logger, "stopping", now_ms(app), code == 0 ? "signal" : "storage failed");
    }
    code = stop(app, code);
    if (ready) {
        struct log_line line;
        log_begin(&line, "stop", now_ms(app));
        log_integer(&line, "exit_code", code);
        log_chain(app, &line);
        log_write(&app->logger, &line);
    }
    if (!storage_check_end(app->check)) {
        _exit(code);
    }
    storage_close(&app->storage);
    return code;
}

int cli_serve(int argc, char **argv)
{
    struct app app = {
        .logger = {.fd = STDERR_FILENO, .level = LOG_REQUESTS_ALL}
    };
    bool help = false;
    int code = config_parse(argc, argv, &app.config, &help);
    if (code != 0 || help) {
        return code;
    }
    app.logger.level = app.config.log;
    app.health.started_at_ms = env_utc_ms();
#ifndef BANZUKE_TESTING
    /* No core file, no tracing by others: the key is in this memory. */
    (void)prctl(PR_SET_DUMPABLE, 0);
#endif
    app.lifetime = lifetime_new();
    if (app.lifetime == NULL) {
        (void)fputs("banzuke: signals cannot be set up\n", stderr);
        return EXIT_INTERNAL;
    }
    code = run(&app);
    lifetime_free(app.lifetime);
    return code;
}
