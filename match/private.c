#include "db/tables.h"
#include "service.h"
#include "streams.h"

/* Who may see a game of a private table. Public games cost no look. */

enum db_status game_seen_by(struct match *match, struct db *db, const struct db_game *game,
                            int64_t player_no)
{
    bool seen = false;
    if (!game->is_private) {
        return DB_OK;
    }
    if (player_no == 0) {
        return DB_NONE;
    }
    struct db *reader = db == NULL ? reader_take(match) : db;
    enum db_status status = db_game_is_seen_by(reader, game, player_no, &seen);
    if (db == NULL) {
        reader_give(match, reader);
    }
    return status == DB_OK && !seen ? DB_NONE : status;
}

enum match_status game_refuses(struct match *match, struct db *db, const struct db_game *game,
                               int64_t player_no)
{
    enum db_status status = game_seen_by(match, db, game, player_no);
    return status == DB_OK ? MATCH_NOT_YOUR_SEAT : match_status_of(status);
}

enum match_status match_game_seen(struct match *match, const struct game_id *id, int64_t player_no)
{
    struct db_game game;
    struct db *db = reader_take(match);
    enum db_status status = db_game_find(db, id, &game);
    if (status == DB_OK) {
        status = game_seen_by(match, db, &game, player_no);
    }
    reader_give(match, db);
    return match_status_of(status);
}
