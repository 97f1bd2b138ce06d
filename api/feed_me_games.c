#include "feed_me_games.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void drop(struct me_games *games, size_t index)
{
    struct seat_at *seat = games->at[index];
    watch_disarm(&seat->watch);
    presence_unwatch(games->feed->match, seat->game.board);
    free(seat);
    games->count--;
    for (size_t i = index; i < games->count; i++) {
        games->at[i] = games->at[i + 1];
    }
}

void me_games_drop_all(struct me_games *games)
{
    while (games->count > 0) {
        drop(games, games->count - 1);
    }
}

/* Drops the one that ended first, where more than so many have ended. */
static bool drop_ended(struct me_games *games, size_t kept)
{
    size_t ended = 0;
    size_t first = 0;
    for (size_t i = 0; i < games->count; i++) {
        uint32_t number = games->at[i]->ended;
        if (number != 0) {
            first = ended == 0 || number < games->at[first]->ended ? i : first;
            ended++;
        }
    }
    if (ended > kept) {
        drop(games, first);
    }
    return ended > kept;
}

void me_games_trim(struct me_games *games)
{
    size_t kept = games->all && games->feed->live ? ENDED_GAMES : 0;
    while (drop_ended(games, kept)) {
    }
}

bool me_games_make_room(struct me_games *games)
{
    return games->count < ME_GAMES_MAX || drop_ended(games, 0);
}

void me_games_end(struct me_games *games, struct seat_at *seat)
{
    if (seat->ended == 0) {
        seat->ended = ++games->endings;
        presence_unwatch(games->feed->match, seat->game.board);
        seat->game.board = NULL;
    }
}

/* --- following -----------------------------------------------------------------------------------
 */

static bool is_followed(const struct me_games *games, int64_t game_no)
{
    for (size_t i = 0; i < games->count; i++) {
        if (games->at[i]->own.game_no == game_no) {
            return true;
        }
    }
    return false;
}

static void follow_all(const struct me_games *games, struct following *game,
                       const struct own_game *own)
{
    *game = (struct following){.game_no = own->game_no, .id = own->id, .tagged = true};
    memcpy(game->seats, own->seats, sizeof game->seats);
    for (unsigned i = 0; i < DB_SEATS_MAX; i++) {
        game->people |= (unsigned)(own->players[i] != 0) << i;
    }
    if (games->feed->live) {
        game->board = presence_watch(games->feed->match, own->game_no, own->players);
    }
}

static enum match_status follow(struct me_games *games, const struct own_game *own)
{
    assert(games->count < ME_GAMES_MAX && !is_followed(games, own->game_no));
    struct seat_at *seat = calloc(1, sizeof *seat);
    if (seat == NULL) {
        return MATCH_INTERNAL;
    }
    seat->own = *own;
    if (games->all) {
        follow_all(games, &seat->game, own);
    }
    games->at[games->count++] = seat;
    return MATCH_OK;
}

enum match_status me_games_add(struct me_games *games, const struct db_personal *event)
{
    struct own_game own;
    struct feed *feed = games->feed;
    if (is_followed(games, event->game_no)) {
        return MATCH_OK;
    }
    enum match_status status =
        match_own_game(feed->match, feed->bearer.player_no, &event->game_id, &own);
    return status == MATCH_OK ? follow(games, &own) : status;
}

enum match_status me_games_list(struct me_games *games)
{
    struct own_game running[LIMIT_GAMES_AT_ONCE];
    struct feed *feed = games->feed;
    size_t count = 0;
    enum match_status status =
        match_own_games(feed->match, feed->bearer.player_no, running, &count);
    bool room = true;
    for (size_t i = 0; status == MATCH_OK && i < count && room; i++) {
        if (!is_followed(games, running[i].game_no)) {
            room = me_games_make_room(games);
            status = room ? follow(games, &running[i]) : MATCH_OK;
        }
    }
    games->stale = status != MATCH_OK || !room;
    return status;
}
