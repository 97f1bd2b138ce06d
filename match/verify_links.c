#include "ratings/policy.h"
#include "verify_parts.h"

#include <string.h>

/* Same people one seat on, same options, same terms. */
static enum db_status check_replay(struct verify *verify, const struct db_game *drawn,
                                   const struct db_seat *seats, size_t seat_count,
                                   const struct db_game *replay)
{
    struct db_seat rows[DB_SEATS_MAX] = {0};
    size_t count = 0;
    if (strcmp(drawn->options, replay->options) != 0 || drawn->rated != replay->rated ||
        drawn->turn_seconds != replay->turn_seconds || strcmp(drawn->pool, replay->pool) != 0) {
        verify_differs(verify, "game %s: expected the terms of %s, whose replay it is",
                       replay->id.id.text, drawn->id.id.text);
    }
    enum db_status status = db_seats(verify->db, replay->game_no, rows, &count);
    for (size_t i = 0; status == DB_OK && i < seat_count; i++) {
        const struct db_seat *from = &seats[(i + 1) % seat_count];
        if (rows[i].player_no != from->player_no) {
            verify_differs(verify,
                           "game %s, seat %s: expected player %s (a replay rotates), found "
                           "%s",
                           replay->id.id.text, rows[i].seat, from->player_id.id.text,
                           rows[i].player_id.id.text);
        }
    }
    return status;
}

static enum db_status check_replay_of(struct verify *verify, const struct db_game *game)
{
    struct db_game drawn;
    enum db_status status = db_game_load(verify->db, game->replay_of, &drawn);
    if (status == DB_NONE || (status == DB_OK && strcmp(drawn.end_reason, "repetition") != 0)) {
        verify_differs(verify, "game %s: expected replay_of a draw by repetition, found %s",
                       game->id.id.text, status == DB_OK ? drawn.id.id.text : "no game");
        return DB_OK;
    }
    return status;
}

static bool replay_expected(const struct db_game *game, const struct game_rules *rules,
                            const struct game_options *options, const struct db_seat *seats,
                            uint32_t draws_before)
{
    struct policy_replay facts = {
        .game_replays =
            strcmp(game->end_reason, "repetition") == 0 && rules->replays_repetition(options),
        .draws_before = draws_before,
    };
    for (size_t i = 0; i < rules->seat_count; i++) {
        facts.person_left = facts.person_left || !seats[i].cpu;
    }
    return policy_replay_follows(&facts);
}

enum db_status verify_links(struct verify *verify, const struct db_game *game,
                            const struct game_rules *rules, const struct game_options *options,
                            const struct db_seat *seats)
{
    struct db_game replay;
    uint32_t draws_before = 0;
    enum db_status status = DB_OK;
    if (game->replay_of != 0) {
        status = check_replay_of(verify, game);
    }
    if (status == DB_OK) {
        status = db_chain_draws(verify->db, game->game_no, &draws_before);
    }
    if (status != DB_OK) {
        return status;
    }
    bool expected = replay_expected(game, rules, options, seats, draws_before);
    status = db_game_replay(verify->db, game->game_no, &replay);
    if (status != DB_OK && status != DB_NONE) {
        return status;
    }
    if ((status == DB_OK) != expected) {
        verify_differs(verify, "game %s: expected %s replay, found %s", game->id.id.text,
                       expected ? "a" : "no", status == DB_OK ? replay.id.id.text : "none");
    }
    return status == DB_OK ? check_replay(verify, game, seats, rules->seat_count, &replay) : DB_OK;
}
