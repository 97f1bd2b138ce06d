#include "chain.h"
#include "secrets.h"
#include "verify_parts.h"

#include <stdio.h>
#include <string.h>

static void check_hash(struct verify *verify, const char *row, const uint8_t *expected,
                       const uint8_t *found)
{
    if (memcmp(expected, found, DB_HASH_BYTES) != 0) {
        verify_differs(verify,
                       "%s: expected hash %02x%02x%02x%02x..., found %02x%02x%02x%02x...: a row "
                       "of this game or an earlier link was changed",
                       row, expected[0], expected[1], expected[2], expected[3], found[0], found[1],
                       found[2], found[3]);
    }
}

enum { LINK_ENDED, LINK_VOIDED, LINK_RESTORED, LINK_KINDS };
static const char *const link_kinds[LINK_KINDS] = {
    [LINK_ENDED] = "ended",
    [LINK_VOIDED] = "voided",
    [LINK_RESTORED] = "restored",
};

struct links {
    struct verify *verify;
    const struct secrets *secrets;
    uint64_t count[LINK_KINDS];
    bool head_is_there;
};

static int kind_of(const struct db_link *link)
{
    int kind = LINK_ENDED;
    while (kind < LINK_KINDS && strcmp(link_kinds[kind], link->kind) != 0) {
        kind++;
    }
    return kind;
}

/* When the game of a link ended, or was voided. DB_NONE: it was not. */
static enum db_status find_time(struct verify *verify, const struct db_game *game, int kind,
                                int64_t *at_ms)
{
    struct db_event event = {.at_ms = 0};
    *at_ms = game->finished_at_ms;
    if (kind != LINK_VOIDED) {
        return DB_OK;
    }
    enum db_status status = db_event_after_end(verify->db, game, "voided", &event);
    *at_ms = event.at_ms;
    return status;
}

/* The game that a link is about. DB_NONE: there is none, and it is reported. */
static enum db_status check_game(struct verify *verify, const struct db_link *link, int kind,
                                 char row[VERIFY_ROW_TEXT])
{
    struct db_game game;
    int64_t at_ms = 0;
    enum db_status status = db_game_load(verify->db, link->game_no, &game);
    if (status == DB_NONE) {
        verify_differs(verify, "%s: expected an ended game, found none with game_no %" PRId64, row,
                       link->game_no);
        return DB_NONE;
    }
    if (status == DB_OK) {
        status = find_time(verify, &game, kind, &at_ms);
        if (status == DB_NONE) {
            verify_text(verify, row, "kind", link_kinds[LINK_ENDED], link->kind);
        }
    }
    if (status == DB_OK) {
        (void)snprintf(row, VERIFY_ROW_TEXT, "chain_link %" PRId64 " (game %s)", link->link,
                       game.id.id.text);
        verify_number(verify, row, "at_ms", at_ms, link->at_ms);
    }
    return status;
}

static enum db_status verify_link(struct links *links, const struct db_link *link,
                                  const struct db_link *previous)
{
    struct verify *verify = links->verify;
    uint8_t hash[DB_HASH_BYTES];
    char row[VERIFY_ROW_TEXT];
    int kind = kind_of(link);
    (void)snprintf(row, sizeof row, "chain_link %" PRId64, link->link);
    verify_number(verify, row, "link", previous->link + 1, link->link);
    if (kind == LINK_KINDS) {
        verify_text(verify, row, "kind", link_kinds[LINK_ENDED], link->kind);
        return DB_OK;
    }
    links->count[kind]++;
    enum db_status status = DB_OK;
    if (kind != LINK_RESTORED) {
        status = check_game(verify, link, kind, row);
    }
    if (status != DB_OK) {
        return status == DB_NONE ? DB_OK : status;
    }
    status = chain_link_hash(verify->db, links->secrets, previous->hash, link, hash);
    if (status == DB_NONE) {
        verify_differs(verify, "%s: expected the games that its rows name, found none", row);
        return DB_OK;
    }
    if (status == DB_OK) {
        check_hash(verify, row, hash, link->hash);
    }
    return status;
}

/* What was once the last link, by a log or a backup: an end that was cut off leaves no other trace.
 */
static void check_head(struct links *links, const struct db_link *link)
{
    const struct verify_options *options = links->verify->options;
    char row[VERIFY_ROW_TEXT];
    if (options->head_link == 0 || link->link != options->head_link) {
        return;
    }
    links->head_is_there = true;
    (void)snprintf(row, sizeof row, "chain_link %" PRId64 " (--head)", link->link);
    check_hash(links->verify, row, options->head_hash, link->hash);
}

enum db_status verify_chain(struct verify *verify, const struct secrets *secrets)
{
    struct links links = {.verify = verify, .secrets = secrets};
    struct db_link page[VERIFY_AT_ONCE];
    struct db_link previous = {.link = 0}; /* the first link follows a hash of zeros */
    size_t count = 0;
    do {
        enum db_status status = db_chain(verify->db, previous.link, page, VERIFY_AT_ONCE, &count);
        for (size_t i = 0; status == DB_OK && i < count && !verify_is_over(verify); i++) {
            status = verify_link(&links, &page[i], &previous);
            check_head(&links, &page[i]);
            previous = page[i];
            verify->report->links++;
        }
        if (status != DB_OK) {
            return status;
        }
    } while (count == VERIFY_AT_ONCE && !verify_is_over(verify));
    if (verify->options->head_link != 0 && !links.head_is_there && !verify_is_over(verify)) {
        verify_differs(verify, "chain_link: expected link %" PRId64 " (--head), found %" PRIu64,
                       verify->options->head_link, verify->report->links);
    }
    verify_number(verify, "chain_link", "number of links (one an ended game)",
                  (int64_t)verify->games_ended, (int64_t)links.count[LINK_ENDED]);
    verify_number(verify, "chain_link", "number of links voided (one a voided game)",
                  (int64_t)verify->games_voided, (int64_t)links.count[LINK_VOIDED]);
    return DB_OK;
}
