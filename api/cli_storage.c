#include "cli_storage.h"

#include "db/maintenance.h"
#include "db/operators.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int storage_exit_code(enum db_status status)
{
    switch (status) {
    case DB_NONE:
    case DB_CORRUPT:
    case DB_FOREIGN:
    case DB_NEWER:
    case DB_OLDER: return EXIT_DATA;
    case DB_FULL:
    case DB_READONLY:
    case DB_DENIED: return EXIT_CANNOT_CREATE;
    case DB_IO:
    case DB_MOVED: return EXIT_STORAGE_IO;
    case DB_BUSY:
    case DB_LOCKED: return EXIT_OTHER_INSTANCE;
    case DB_OK:
    case DB_CONFLICT:
    case DB_TIMEOUT:
    case DB_STOPPING:
    case DB_FSYNC:
    case DB_IN_DOUBT:
    case DB_ERROR: return EXIT_INTERNAL;
    }
    return EXIT_INTERNAL;
}

static int fail(int code, const char *path, const char *text)
{
    (void)fprintf(stderr, "banzuke: %s: %s\n", path, text);
    return code;
}

/* What a new process goes on from. */
struct past {
    struct db_server server;
    int64_t copied_at_ms;
    int64_t operated_at_ms; /* later than the last stamp where nobody served the file then */
};

static enum db_status read_past(struct db *db, struct past *past)
{
    enum db_status status = db_server_load(db, &past->server);
    if (status == DB_OK) {
        status = db_server_copied_at(db, &past->copied_at_ms);
    }
    return status == DB_OK ? db_operator_last_ms(db, &past->operated_at_ms) : status;
}

/* DB_NONE in a new file. */
static enum db_status load_past(const char *path, struct past *past)
{
    struct db *db = NULL;
    enum db_status status = db_open_reader(path, &db);
    if (status == DB_OK) {
        status = read_past(db, past);
        db_close(db);
    }
    return status;
}

static int64_t last_ms(const struct past *past)
{
    return past->operated_at_ms > past->server.last_stamp_ms ? past->operated_at_ms
                                                             : past->server.last_stamp_ms;
}

/* The key belongs to the database from its first start on; a file without a server row has never
 * been served, so that nothing depends on a key yet. */
static int open_key(const struct config *config, const struct db_server *server,
                    struct storage *storage)
{
    enum secrets_status status =
        secrets_load(config->key_path, server == NULL, &storage->env, &storage->secrets);
    if (status != SECRETS_OK) {
        return fail(EXIT_CONFIG, config->key_path, secrets_status_text(status));
    }
    char key_id[DB_KEY_ID_TEXT];
    secrets_key_id(storage->secrets, key_id);
    if (server != NULL && strcmp(server->key_id, key_id) != 0) {
        return fail(EXIT_CONFIG, config->key_path, "this key belongs to another database");
    }
    return 0;
}

static int say_report(const struct config *config, const struct storage *storage,
                      enum db_status status)
{
    if (storage->report.text[0] == '\0') {
        return fail(storage_exit_code(status), config->db_path, db_status_text(status));
    }
    (void)fprintf(stderr, "banzuke: %s\n", storage->report.text);
    return storage_exit_code(status);
}

/* The clock and the key of a file that is locked and up to date. */
static int open_rest(const struct config *config, bool served_before, struct storage *storage)
{
    struct past past = {0};
    enum db_status status = load_past(config->db_path, &past);
    if (status == DB_NONE && served_before) {
        return fail(EXIT_DATA, config->db_path, "has never been served");
    }
    if (status != DB_OK && status != DB_NONE) {
        return fail(storage_exit_code(status), config->db_path, db_status_text(status));
    }
    storage->copied_at_ms = past.copied_at_ms;
    env_real_init(&storage->clock, last_ms(&past));
    storage->env = env_real_env(&storage->clock);
    return open_key(config, status == DB_OK ? &past.server : NULL, storage);
}

int storage_open(const struct config *config, struct storage *storage)
{
    assert(config != NULL && storage != NULL);
    memset(storage, 0, sizeof *storage);
    enum db_status status = db_prepare(config->db_path, env_utc_ms(), &storage->lock,
                                       &storage->check_later, &storage->report);
    return status == DB_OK ? open_rest(config, false, storage)
                           : say_report(config, storage, status);
}

int storage_open_existing(const struct config *config, struct storage *storage)
{
    assert(config != NULL && storage != NULL);
    memset(storage, 0, sizeof *storage);
    enum db_status status =
        db_prepare_existing(config->db_path, env_utc_ms(), false, &storage->lock, &storage->report);
    if (status == DB_LOCKED) {
        return -1;
    }
    return status == DB_OK ? open_rest(config, true, storage) : say_report(config, storage, status);
}

void storage_close(struct storage *storage)
{
    assert(storage != NULL);
    secrets_free(storage->secrets);
    if (storage->lock != NULL) {
        db_unlock(storage->lock);
    }
}

/* --- the late check ------------------------------------------------------------------------ */

struct storage_check {
    const char *path;
    struct health *health;
    const struct logger *logger;
    const struct match_env *env;
    atomic_bool finished;
    pthread_t thread;
};

static void *check(void *context)
{
    struct storage_check *check = context;
    struct db *db = NULL;
    struct db_report report = {.text = "nothing found"};
    enum db_status status = db_open_checker(check->path, &db);
    if (status == DB_OK) {
        status = db_quick_check(db, &report);
        db_close(db);
    }
    if (status == DB_CORRUPT) {
        atomic_store(&check->health->damaged, true);
    }
    bool said = status == DB_OK || status == DB_CORRUPT;
    log_event(check->logger, status == DB_OK ? "checked" : "check_failed",
              check->env->now_ms(check->env->context), said ? report.text : db_status_text(status));
    atomic_store(&check->finished, true);
    return NULL;
}

struct storage_check *storage_check_start(const char *db_path, struct health *health,
                                          const struct logger *logger, const struct match_env *env)
{
    assert(db_path != NULL && health != NULL && logger != NULL && env != NULL);
    struct storage_check *started = calloc(1, sizeof *started);
    if (started == NULL) {
        return NULL;
    }
    started->path = db_path;
    started->health = health;
    started->logger = logger;
    started->env = env;
    if (pthread_create(&started->thread, NULL, check, started) != 0) {
        free(started);
        return NULL;
    }
    return started;
}

bool storage_check_end(struct storage_check *check)
{
    if (check == NULL) {
        return true;
    }
    if (!atomic_load(&check->finished)) {
        return false;
    }
    pthread_join(check->thread, NULL);
    free(check);
    return true;
}
