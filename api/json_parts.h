#ifndef API_JSON_PARTS_H
#define API_JSON_PARTS_H

/*
 * What the files json_write_*.c share. Values returned are new references that the caller owns, or
 * NULL without memory.
 *
 * Threads: pure.
 */

#include "json_write.h"

#include <jansson.h>

/* An object under construction: the first failure is remembered, so that nobody sees half of one.
 */
struct json_out {
    json_t *object;
    bool failed;
};
struct json_out json_out_begin(void);
/* `key` is ASCII; `take_value` NULL is a failure. */
void json_out_set(struct json_out *out, const char *key, json_t *take_value);
/* The object, or NULL. */
json_t *json_out_end(struct json_out *out);
/* The same for arrays: NULL in, NULL out. */
json_t *json_append(json_t *take_array, json_t *take_value);

/* Serialises and releases `take_body`; NULL is answered as `internal`. */
enum handled reply_json(const struct request *request, struct reply *reply, unsigned status,
                        json_t *take_body);

json_t *json_time(int64_t at_ms);            /* RFC 3339 UTC with milliseconds; 0: null */
json_t *json_points(int64_t milli);          /* rating points, at most three decimals */
json_t *json_text_or_null(const char *text); /* "": null */
json_t *json_integer_or_null(bool present, int64_t value);

/* {id, name} */
json_t *json_player(const struct player_id *id, bool has_name, const char *name);

/* {items, next_cursor} */
json_t *json_list(json_t *take_items, const char *next);

/* A snapshot. */
json_t *json_game(const struct game_view *view);
json_t *json_ticket(const struct ticket_view *view);

/* What snapshots and answers to moves have in common. */
json_t *json_hand(const struct game_rules *rules, const struct seat_facts *facts);
json_t *json_clock(uint16_t turn_seconds);
json_t *json_result(const struct result_view *result, size_t seats);
json_t *json_turn_reason(const char *turn, bool check);
json_t *json_elimination(const struct game_rules *rules, uint32_t ply,
                         const struct elimination *elimination);

#endif
