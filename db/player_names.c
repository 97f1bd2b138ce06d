#include "lists.h"
#include "players.h"

#include <assert.h>

/* Players by name. Folded names are written by the server, for SQL cannot fold Unicode. */

enum {
    PLAYERS_NAMED,
    PLAYERS_NOT_FOLDED,
    PLAYER_FOLD,
    PLAYER_NAME_TEXTS,
};
static const char *const player_name_texts[PLAYER_NAME_TEXTS] = {
    [PLAYERS_NAMED] = "SELECT " PLAYER_COLUMNS ", name_folded FROM player"
                      " WHERE (name_folded, player_id) > ($1, $2) AND name_folded < $3"
                      " ORDER BY name_folded, player_id LIMIT $4",
    [PLAYERS_NOT_FOLDED] = "SELECT " PLAYER_COLUMNS ", name_folded FROM player"
                           " WHERE name_folded IS NULL AND name IS NOT NULL LIMIT $1",
    [PLAYER_FOLD] = "UPDATE player SET name_folded = $3 WHERE player_no = $1 AND name = $2",
};
const struct sql_set sql_player_names = {"player_names", SLOTS_PLAYER_NAMES, PLAYER_NAME_TEXTS,
                                         player_name_texts};

static enum db_status players_end(struct query *query, struct db_player *players, size_t max,
                                  size_t *count)
{
    size_t found = 0;
    while (query_step(query)) {
        assert(found < max);
        struct db_player *player = &players[found++];
        db_read_player(query, player);
        column_text(query, 5, player->name_folded, sizeof player->name_folded);
    }
    *count = found;
    return query_end(query);
}

enum db_status db_players_named(struct db *db, const struct db_name_range *range,
                                struct db_player *players, size_t max, size_t *count)
{
    struct query query;
    query_begin(&query, db, &sql_player_names, PLAYERS_NAMED);
    query_text(&query, 1, range->after_folded);
    query_text(&query, 2, range->after_id);
    query_text(&query, 3, range->below_folded);
    query_int(&query, 4, (int64_t)max);
    return players_end(&query, players, max, count);
}

enum db_status db_players_not_folded(struct db *db, struct db_player *players, size_t max,
                                     size_t *count)
{
    struct query query;
    query_begin(&query, db, &sql_player_names, PLAYERS_NOT_FOLDED);
    query_int(&query, 1, (int64_t)max);
    return players_end(&query, players, max, count);
}

enum db_status db_player_fold(struct db *db, const struct db_player *player)
{
    struct query query;
    assert(player->has_name && player->name_folded[0] != '\0');
    query_begin(&query, db, &sql_player_names, PLAYER_FOLD);
    query_int(&query, 1, player->player_no);
    query_text(&query, 2, player->name);
    query_text(&query, 3, player->name_folded);
    enum db_status status = query_run(&query);
    return status == DB_OK && query_changes(db) == 0 ? DB_NONE : status;
}
