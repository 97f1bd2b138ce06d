#include "chain.h"

#include "db/standings.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LINE_MAX_BYTES = 1536, MOVES_AT_ONCE = 64, EVENTS_AT_ONCE = 64 };

__attribute__((format(printf, 2, 3))) static void add_line(struct secrets_hash *hash,
                                                           const char *format, ...)
{
    char line[LINE_MAX_BYTES];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    assert(length > 0 && (size_t)length < sizeof line);
    secrets_chain_add(hash, line, (size_t)length);
}

/* What it was played for. There were games, and links of them, before there were tables and
 * rematches: of those there is nothing to say. */
static enum db_status add_occasion(struct db *db, struct secrets_hash *hash,
                                   const struct db_game *game)
{
    struct db_game before;
    if (game->table_no != 0) {
        add_line(hash, "table %s private=%d show_legal_moves=%d rotate_first=%d\n",
                 game->table_id.id.text, game->is_private, !game->hides_legal_moves,
                 !game->keeps_seats);
    }
    if (game->rematch_of == 0) {
        return DB_OK;
    }
    enum db_status status = db_game_load(db, game->rematch_of, &before);
    if (status == DB_OK) {
        add_line(hash, "rematch_of %s\n", before.id.id.text);
    }
    return status;
}

static enum db_status add_game(struct db *db, struct secrets_hash *hash, const struct db_game *game)
{
    struct db_game drawn = {0};
    if (game->replay_of != 0) {
        enum db_status status = db_game_load(db, game->replay_of, &drawn);
        if (status != DB_OK) {
            return status;
        }
    }
    add_line(hash, "game %s %s pool=%s rated=%d unrated=%s options=[%s] turn_seconds=%d\n",
             game->id.id.text, game->game, game->pool, game->rated, game->unrated_reason,
             game->options, game->turn_seconds);
    add_line(hash, "end %s [%s] ply=%" PRIu32 " seq=%" PRIu32 " reason=%s rating=%s replay_of=%s\n",
             game->status, game->position, game->ply, game->seq, game->end_reason,
             game->rating_status, drawn.id.id.text);
    add_line(hash, "time %" PRId64 " %" PRId64 "\n", game->created_at_ms, game->finished_at_ms);
    return add_occasion(db, hash, game);
}

static enum db_status add_seats(struct db *db, struct secrets_hash *hash, int64_t game_no)
{
    struct db_seat seats[DB_SEATS_MAX];
    size_t count = 0;
    enum db_status status = db_seats(db, game_no, seats, &count);
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        add_line(hash, "seat %s %s rating=%" PRId64 " cpu=%d place=%d\n", seats[i].seat,
                 seats[i].player_id.id.text, seats[i].has_rating ? seats[i].rating_milli : -1,
                 seats[i].cpu, seats[i].place);
        /* What earlier files do not have is in the chain only where there is some of it. */
        if (seats[i].cpu_level != 0 || seats[i].missed_turns != 0) {
            add_line(hash, "hands %s level=%d missed=%" PRIu32 "\n", seats[i].seat,
                     seats[i].cpu_level, seats[i].missed_turns);
        }
    }
    return status;
}

static enum db_status add_moves(struct db *db, struct secrets_hash *hash, int64_t game_no)
{
    struct db_move moves[MOVES_AT_ONCE];
    uint32_t after = 0;
    size_t count = 0;
    do {
        enum db_status status = db_moves(db, game_no, after, moves, MOVES_AT_ONCE, &count);
        if (status != DB_OK) {
            return status;
        }
        for (size_t i = 0; i < count; i++) {
            const struct db_move *move = &moves[i];
            add_line(hash,
                     "move %" PRIu32 " %" PRIu32 " %s %s [%s] cpu=%d %" PRId64 " %" PRId64 "\n",
                     move->ply, move->seq, move->seat, move->move, move->captured, move->by_cpu,
                     move->at_ms, move->think_ms);
            if (move->deadline_at_ms != 0) {
                add_line(hash, "deadline %" PRId64 "\n", move->deadline_at_ms);
            }
            after = move->ply;
        }
    } while (count == MOVES_AT_ONCE);
    return DB_OK;
}

/* Only what came before the end: a void, appended later, has a link of its own. */
static enum db_status add_events(struct db *db, struct secrets_hash *hash,
                                 const struct db_game *game)
{
    struct db_event events[EVENTS_AT_ONCE];
    uint32_t after = 0;
    size_t count = 0;
    do {
        enum db_status status = db_events(db, game->game_no, after, events, EVENTS_AT_ONCE, &count);
        if (status != DB_OK) {
            return status;
        }
        for (size_t i = 0; i < count; i++) {
            const struct db_event *event = &events[i];
            after = event->seq;
            if (event->seq > game->seq) {
                return DB_OK;
            }
            struct db_game linked = {0};
            if (event->linked_game_no != 0) {
                status = db_game_load(db, event->linked_game_no, &linked);
                if (status != DB_OK) {
                    return status;
                }
            }
            add_line(hash, "event %" PRIu32 " %s seat=%s reason=%s game=%s %" PRId64 "\n",
                     event->seq, event->type, event->seat, event->reason, linked.id.id.text,
                     event->at_ms);
            if (event->deadline_at_ms != 0 || event->cpu_level != 0) {
                add_line(hash, "turn %" PRId64 " level=%d\n", event->deadline_at_ms,
                         event->cpu_level);
            }
        }
    } while (count == EVENTS_AT_ONCE);
    return DB_OK;
}

static enum db_status add_against(struct db *db, struct secrets_hash *hash, int64_t event_no)
{
    struct db_against against[DB_SEATS_MAX];
    size_t count = 0;
    enum db_status status = db_against_of_event(db, event_no, against, &count);
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        add_line(hash, "against %d %" PRId64 " %" PRIu32 " %d %" PRId64 "\n",
                 against[i].opponent_seat_no, against[i].rating_milli, against[i].expected_micro,
                 against[i].score_halves, against[i].points_milli);
    }
    return status;
}

static enum db_status add_ratings(struct db *db, struct secrets_hash *hash, int64_t game_no,
                                  bool is_void)
{
    struct db_rating_event events[DB_SEATS_MAX];
    size_t count = 0;
    enum db_status status = db_rating_events_of_game(db, game_no, is_void, events, &count);
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        const struct db_rating_event *event = &events[i];
        add_line(hash,
                 "rating %d %s %s place=%d games=%" PRIu32 " k=%d %" PRId64 " %" PRId64 " %" PRId64
                 " cpu=%" PRIu32 ",%d capped=%d floor=%d %" PRId64 "\n",
                 event->seat_no, event->player_id.id.text, event->pool, event->place,
                 event->games_before, event->k, event->before_milli, event->delta_milli,
                 event->after_milli, event->cpu_plies, event->cpu_at_end, event->capped,
                 event->floor_applied, event->at_ms);
        status = add_against(db, hash, event->event_no);
    }
    return status;
}

static void chain_begin(const struct secrets *secrets, const uint8_t *previous,
                        struct secrets_hash *state)
{
    static const uint8_t first[DB_HASH_BYTES] = {0};
    secrets_chain_begin(secrets, state);
    secrets_chain_add(state, previous == NULL ? first : previous, DB_HASH_BYTES);
}

enum db_status chain_hash(struct db *db, const struct secrets *secrets, const uint8_t *previous,
                          int64_t game_no, uint8_t hash[DB_HASH_BYTES])
{
    struct secrets_hash state;
    struct db_game game;
    chain_begin(secrets, previous, &state);
    enum db_status status = db_game_load(db, game_no, &game);
    if (status == DB_OK) {
        status = add_game(db, &state, &game);
    }
    if (status == DB_OK) {
        status = add_seats(db, &state, game_no);
    }
    if (status == DB_OK) {
        status = add_moves(db, &state, game_no);
    }
    if (status == DB_OK) {
        status = add_events(db, &state, &game);
    }
    if (status == DB_OK) {
        status = add_ratings(db, &state, game_no, false);
    }
    secrets_chain_end(&state, hash);
    return status;
}

/* A void: what was appended to the game after its end. */
static enum db_status add_void(struct db *db, struct secrets_hash *hash, const struct db_link *link)
{
    struct db_event event;
    struct db_game game;
    enum db_status status = db_game_load(db, link->game_no, &game);
    if (status != DB_OK) {
        return status;
    }
    add_line(hash, "voided %s %" PRId64 "\n", game.id.id.text, link->at_ms);
    status = db_event_after_end(db, &game, "voided", &event);
    if (status == DB_OK) {
        add_line(hash, "event %" PRIu32 " %s %" PRId64 "\n", event.seq, event.type, event.at_ms);
    } else if (status != DB_NONE) {
        return status;
    }
    return add_ratings(db, hash, game.game_no, true);
}

enum db_status chain_link_hash(struct db *db, const struct secrets *secrets,
                               const uint8_t *previous, const struct db_link *link,
                               uint8_t hash[DB_HASH_BYTES])
{
    struct secrets_hash state;
    enum db_status status = DB_OK;
    if (strcmp(link->kind, "ended") == 0) {
        return chain_hash(db, secrets, previous, link->game_no, hash);
    }
    chain_begin(secrets, previous, &state);
    if (strcmp(link->kind, "voided") == 0) {
        status = add_void(db, &state, link);
    } else {
        add_line(&state, "%s %" PRId64 "\n", link->kind, link->at_ms);
    }
    secrets_chain_end(&state, hash);
    return status;
}

enum db_status chain_append_link(struct db *db, const struct secrets *secrets, struct db_link *link)
{
    struct db_link last;
    enum db_status status = db_chain_last(db, &last);
    if (status != DB_OK && status != DB_NONE) {
        return status;
    }
    const uint8_t *previous = status == DB_OK ? last.hash : NULL;
    status = chain_link_hash(db, secrets, previous, link, link->hash);
    return status == DB_OK ? db_chain_insert(db, link) : status;
}

enum db_status chain_append(struct db *db, const struct secrets *secrets, int64_t game_no,
                            int64_t at_ms)
{
    struct db_link link = {.kind = "ended", .game_no = game_no, .at_ms = at_ms};
    return chain_append_link(db, secrets, &link);
}
