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

static enum db_status verify_link(struct verify *verify, const struct secrets *secrets,
                                  const struct db_link *link, const struct db_link *previous)
{
    struct db_game game;
    uint8_t hash[DB_HASH_BYTES];
    char row[VERIFY_ROW_TEXT];
    (void)snprintf(row, sizeof row, "chain_link %" PRId64, link->link);
    verify_number(verify, row, "link", previous->link + 1, link->link);
    verify_text(verify, row, "kind", "ended", link->kind);
    enum db_status status = db_game_load(verify->db, link->game_no, &game);
    if (status == DB_NONE) {
        verify_differs(verify, "%s: expected an ended game, found none with game_no %" PRId64, row,
                       link->game_no);
        return DB_OK;
    }
    if (status != DB_OK) {
        return status;
    }
    (void)snprintf(row, sizeof row, "chain_link %" PRId64 " (game %s)", link->link,
                   game.id.id.text);
    verify_number(verify, row, "at_ms", game.finished_at_ms, link->at_ms);
    status = chain_hash(verify->db, secrets, previous->hash, link->game_no, hash);
    if (status == DB_NONE) {
        verify_differs(verify, "%s: expected the games that its rows name, found none", row);
        return DB_OK;
    }
    if (status == DB_OK) {
        check_hash(verify, row, hash, link->hash);
    }
    return status;
}

enum db_status verify_chain(struct verify *verify, const struct secrets *secrets)
{
    struct db_link links[VERIFY_AT_ONCE];
    struct db_link previous = {.link = 0}; /* the first link follows a hash of zeros */
    size_t count = 0;
    do {
        enum db_status status = db_chain(verify->db, previous.link, links, VERIFY_AT_ONCE, &count);
        for (size_t i = 0; status == DB_OK && i < count && !verify_is_over(verify); i++) {
            status = verify_link(verify, secrets, &links[i], &previous);
            previous = links[i];
            verify->report->links++;
        }
        if (status != DB_OK) {
            return status;
        }
    } while (count == VERIFY_AT_ONCE && !verify_is_over(verify));
    verify_number(verify, "chain_link", "number of links (one an ended game)",
                  (int64_t)verify->games_ended, (int64_t)verify->report->links);
    return DB_OK;
}
