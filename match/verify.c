#include "chain.h"
#include "secrets.h"
#include "verify_parts.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { AT_ONCE = 64 };

void verify_differs(struct verify *verify, const char *format, ...)
{
    char line[sizeof verify->report->first];
    va_list arguments;
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

static enum db_status verify_games(struct verify *verify)
{
    int64_t numbers[AT_ONCE];
    int64_t after = 0;
    size_t count = 0;
    do {
        enum db_status status = db_game_numbers(verify->db, after, numbers, AT_ONCE, &count);
        for (size_t i = 0; status == DB_OK && i < count && !verify_is_over(verify); i++) {
            struct db_game game;
            after = numbers[i];
            status = db_game_load(verify->db, numbers[i], &game);
            if (status == DB_OK) {
                status = verify_game(verify, &game);
            }
        }
        if (status != DB_OK) {
            return status;
        }
    } while (count == AT_ONCE && !verify_is_over(verify));
    return DB_OK;
}

/* --- the chain -----------------------------------------------------------------------------------
 */

static enum db_status verify_link(struct verify *verify, const struct secrets *secrets,
                                  const struct db_link *link, const uint8_t *previous)
{
    uint8_t hash[DB_HASH_BYTES];
    if (link->link != (int64_t)verify->report->links + 1) {
        verify_differs(verify,
                       "chain_link %" PRId64 ": expected link %" PRIu64 ": a link is missing",
                       link->link, verify->report->links + 1);
    }
    if (strcmp(link->kind, "ended") != 0 || link->game_no == 0) {
        verify_differs(verify, "chain_link %" PRId64 ": expected kind ended with a game, found %s",
                       link->link, link->kind);
        return DB_OK;
    }
    enum db_status status = chain_hash(verify->db, secrets, previous, link->game_no, hash);
    if (status == DB_OK && memcmp(hash, link->hash, sizeof hash) != 0) {
        struct db_game game;
        status = db_game_load(verify->db, link->game_no, &game);
        verify_differs(verify,
                       "chain_link %" PRId64 " (game %s): expected hash %02x%02x%02x%02x..., found "
                       "%02x%02x%02x%02x...: a row of this game or an earlier link was changed",
                       link->link, game.id.id.text, hash[0], hash[1], hash[2], hash[3],
                       link->hash[0], link->hash[1], link->hash[2], link->hash[3]);
    }
    return status;
}

static enum db_status verify_chain(struct verify *verify, const struct secrets *secrets)
{
    struct db_link links[AT_ONCE];
    uint8_t previous[DB_HASH_BYTES];
    int64_t after = 0;
    size_t count = 0;
    do {
        enum db_status status = db_chain(verify->db, after, links, AT_ONCE, &count);
        for (size_t i = 0; status == DB_OK && i < count && !verify_is_over(verify); i++) {
            status = verify_link(verify, secrets, &links[i],
                                 verify->report->links == 0 ? NULL : previous);
            memcpy(previous, links[i].hash, sizeof previous);
            after = links[i].link;
            verify->report->links++;
        }
        if (status != DB_OK) {
            return status;
        }
    } while (count == AT_ONCE && !verify_is_over(verify));
    if (!verify_is_over(verify) && verify->report->links != verify->games_ended) {
        verify_differs(verify,
                       "chain_link: expected %" PRIu64 " links (one an ended game), found "
                       "%" PRIu64,
                       verify->games_ended, verify->report->links);
    }
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

static enum db_status verify_everything(struct verify *verify)
{
    struct secrets *secrets = NULL;
    enum db_status status = DB_OK;
    if (!verify->options->no_key) {
        status = load_key(verify, &secrets);
    }
    if (status == DB_OK) {
        status = verify_games(verify);
    }
    if (status == DB_OK && !verify_is_over(verify)) {
        status = verify_ratings(verify);
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
    db_close(verify.db);
    return status;
}
