#include "game_make.h"
#include "ratings/policy.h"
#include "verify_parts.h"

#include <stdio.h>
#include <string.h>

/* A pool fixes its game's rules. */
static void check_pool(struct retrace *retrace)
{
    const struct db_game *game = retrace->game;
    const struct pool_rules *pool = options_pool(retrace->rules, &retrace->options);
    if (game->pool[0] != '\0' && (pool == NULL || strcmp(pool->key, game->pool) != 0)) {
        verify_differs(retrace->verify, "%s: expected the rules of pool %s, found %s [%s]",
                       retrace->row, game->pool, game->game, game->options);
    }
}

/* What keeps a game from being rated can be seen in its rows, but for the two reasons that hang on
 * what else was going on when it was made. */
static void check_terms(struct retrace *retrace)
{
    const struct db_game *game = retrace->game;
    struct policy_start start = {
        .wants_rating = true,
        .pool_rules = game->pool[0] != '\0',
        .turn_seconds = game->turn_seconds,
        .repeat_limit = POLICY_REPEAT_LIMIT,
    };
    for (size_t i = 0; i < retrace->seat_count; i++) {
        start.has_cpu_seat = start.has_cpu_seat || retrace->seats[i].player_no == 0;
    }
    enum unrated_reason reason = policy_at_start(&start);
    enum unrated_reason found = unrated_reason_find(game->unrated_reason);
    bool may_be_casual = game->table_no != 0 || game->rematch_of != 0;
    if (reason != POLICY_RATED) {
        verify_number(retrace->verify, retrace->row, "rated", 0, game->rated);
        verify_text(retrace->verify, retrace->row, "unrated_reason", unrated_reason_text(reason),
                    game->unrated_reason);
    } else if (!game->rated && found != POLICY_REPEAT_LIMIT_REACHED &&
               (found != POLICY_CASUAL || !may_be_casual)) {
        verify_differs(retrace->verify, "%s: expected unrated_reason 'repeat_limit'%s, found '%s'",
                       retrace->row, may_be_casual ? " or 'casual'" : "", game->unrated_reason);
    }
}

/* The CPU has seats of its own at tables only, and nobody takes them over. */
static void check_own_seat(struct retrace *retrace, const char *row, const struct db_seat *seat)
{
    if (retrace->game->table_no == 0) {
        verify_differs(retrace->verify, "%s: expected a player_no, found none", row);
    }
    verify_text(retrace->verify, row, "control", "cpu", seat->cpu ? "cpu" : "player");
}

static void check_seats(struct retrace *retrace, size_t count)
{
    int64_t players[DB_SEATS_MAX] = {0};
    char set[DB_SET_TEXT];
    verify_number(retrace->verify, retrace->row, "number of seats", retrace->rules->seat_count,
                  (int64_t)count);
    for (size_t i = 0; i < retrace->seat_count; i++) {
        const struct db_seat *seat = &retrace->seats[i];
        char letter[2] = {retrace->rules->seat_letters[i], '\0'};
        char row[VERIFY_ROW_TEXT + 24];
        (void)snprintf(row, sizeof row, "%s, seat_no %d", retrace->row, seat->seat_no);
        verify_number(retrace->verify, row, "seat_no", (int64_t)i, seat->seat_no);
        verify_text(retrace->verify, row, "seat", letter, seat->seat);
        if (seat->player_no == 0) {
            check_own_seat(retrace, row, seat);
        }
        players[i] = seat->player_no;
    }
    if (count == retrace->rules->seat_count) {
        player_set_format(players, count, set);
        verify_text(retrace->verify, retrace->row, "player_set", set, retrace->game->player_set);
    }
}

enum db_status verify_start(struct retrace *retrace)
{
    size_t count = 0;
    enum db_status status =
        db_seats(retrace->verify->db, retrace->game->game_no, retrace->seats, &count);
    if (status == DB_OK) {
        size_t known = retrace->rules->seat_count;
        retrace->seat_count = count < known ? count : known;
        check_pool(retrace);
        check_seats(retrace, count);
        check_terms(retrace);
        status = verify_game_table(retrace);
    }
    return status;
}
