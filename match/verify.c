#include "secrets.h"
#include "verify_parts.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void verify_differs(struct verify *verify, const char *format, ...)
{
    char line[sizeof verify->report->first];
    va_list arguments;
    if (verify_is_over(verify)) {
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (verify->report->differences++ == 0) {
        memcpy(verify->report->first, line, sizeof line);
    }
    if (verify->difference != NULL) {
        verify->difference(verify->context, line);
    }
}

bool verify_is_over(const struct verify *verify)
{
    return verify->report->differences > 0 && !verify->options->all;
}

void verify_number(struct verify *verify, const char *row, const char *column, int64_t expected,
                   int64_t found)
{
    if (expected != found) {
        verify_differs(verify, "%s: expected %s %" PRId64 ", found %" PRId64, row, column, expected,
                       found);
    }
}

void verify_text(struct verify *verify, const char *row, const char *column, const char *expected,
                 const char *found)
{
    if (strcmp(expected, found) != 0) {
        verify_differs(verify, "%s: expected %s '%s', found '%s'", row, column, expected, found);
    }
}

/* A text or number that does not fit is a changed row, and the file need not be damaged for it. */
enum db_status verify_readable(struct verify *verify, const char *row, enum db_status status)
{
    if (status != DB_CORRUPT) {
        return status;
    }
    verify_differs(verify, "%s: expected rows that can be read, found one that cannot", row);
    return DB_OK;
}

enum db_status verify_each_game(struct verify *verify,
                                enum db_status (*check)(struct verify *verify, void *context,
                                                        const struct db_game *game),
                                void *context)
{
    int64_t numbers[VERIFY_AT_ONCE];
    int64_t after = 0;
    size_t count = 0;
    struct db_game game;
    char row[VERIFY_ROW_TEXT];
    do {
        enum db_status status = db_game_numbers(verify->db, after, numbers, VERIFY_AT_ONCE, &count);
        for (size_t i = 0; status == DB_OK && i < count && !verify_is_over(verify); i++) {
            after = numbers[i];
            (void)snprintf(row, sizeof row, "game_no %" PRId64, after);
            status = db_game_load(verify->db, after, &game);
            if (status == DB_OK) {
                (void)snprintf(row, sizeof row, "game %s", game.id.id.text);
                status = check(verify, context, &game);
            }
            status = verify_readable(verify, row, status);
        }
        if (status != DB_OK) {
            return status;
        }
    } while (count == VERIFY_AT_ONCE && !verify_is_over(verify));
    return DB_OK;
}

/* The key must be the one that this file was made with. */
static enum db_status load_key(struct verify *verify, struct secrets **secrets)
{
    struct db_server server;
    char key_id[DB_KEY_ID_TEXT];
    char *why = verify->report->first;
    size_t room = sizeof verify->report->first;
    enum secrets_status loaded = secrets_load(verify->options->key_path, false, NULL, secrets);
    if (loaded != SECRETS_OK) {
        (void)snprintf(why, room, "%s: %s", verify->options->key_path, secrets_status_text(loaded));
        verify->report->key_refused = true;
        return DB_DENIED;
    }
    enum db_status status = db_server_load(verify->db, &server);
    secrets_key_id(*secrets, key_id);
    if (status == DB_NONE) {
        (void)snprintf(why, room, "server: expected one row, found none");
        status = DB_CORRUPT;
    }
    if (status == DB_OK && strcmp(key_id, server.key_id) != 0) {
        (void)snprintf(why, room, "%s: key %s, but the database belongs to key %s",
                       verify->options->key_path, key_id, server.key_id);
        verify->report->key_refused = true;
        status = DB_DENIED;
    }
    return status;
}

/* --- the run -------------------------------------------------------------------------------------
 */

static enum db_status verify_one(struct verify *verify)
{
    struct game_id id;
    struct db_game game;
    if (!secrets_id_parse(verify->options->game_id, strlen(verify->options->game_id), 'g',
                          &id.id)) {
        return DB_NONE;
    }
    enum db_status status = db_game_find(verify->db, &id, &game);
    return status == DB_OK ? verify_game(verify, &game) : status;
}

static enum db_status check_game(struct verify *verify, void *context, const struct db_game *game)
{
    (void)context;
    return verify_game(verify, game);
}

static enum db_status verify_everything(struct verify *verify)
{
    struct secrets *secrets = NULL;
    enum db_status status = DB_OK;
    if (!verify->options->no_key) {
        status = load_key(verify, &secrets);
    }
    if (status == DB_OK) {
        status = verify_each_game(verify, check_game, NULL);
    }
    if (status == DB_OK && !verify_is_over(verify)) {
        status = verify_tables(verify, secrets);
    }
    if (status == DB_OK && !verify_is_over(verify)) {
        status = verify_bans(verify);
    }
    if (status == DB_OK && !verify_is_over(verify)) {
        status = verify_ratings(verify);
    }
    if (status == DB_OK && !verify_is_over(verify)) {
        status = verify_seat_ratings(verify);
    }
    if (status == DB_OK && !verify_is_over(verify) && secrets != NULL) {
        status = verify_chain(verify, secrets);
    }
    secrets_free(secrets);
    return status;
}

enum db_status verify_run(const struct verify_options *options,
                          void (*difference)(void *context, const char *line), void *context,
                          struct verify_report *report)
{
    struct verify verify = {
        .options = options,
        .report = report,
        .difference = difference,
        .context = context,
    };
    *report = (struct verify_report){0};
    struct db_report opening;
    enum db_status status = db_open_inspector(options->db_path, &verify.db, &opening);
    if (status != DB_OK) {
        (void)snprintf(report->first, sizeof report->first, "%s", opening.text);
        return status;
    }
    status = db_read_begin(verify.db);
    if (status == DB_OK) {
        status = options->game_id != NULL ? verify_one(&verify) : verify_everything(&verify);
        db_read_end(verify.db);
    }
    db_close_inspector(verify.db, options->db_path);
    return status;
}
