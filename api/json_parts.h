#ifndef API_JSON_PARTS_H
#define API_JSON_PARTS_H

/*
 * What the files json_*.c that write answers share: values made of the domain's views. `key` as in
 * json_out.h.
 *
 * Threads: pure but for the document, which is the caller's.
 */

#include "json_out.h"
#include "json_write.h"
#include "match/rematch.h"

/* Takes the document as the reply's body; without memory the reply is the problem `internal`. */
enum handled reply_json(const struct request *request, struct reply *reply, unsigned status,
                        struct json_out *take_out);

/* The same with 200 and the document's tag: 304 without a body where the client has it. */
enum handled reply_json_tagged(const struct request *request, struct reply *reply,
                               struct json_out *take_out);

/* {id, name}; `name` NULL: the player has none any more. */
void json_player(struct json_out *out, const char *key, const struct player_id *id,
                 const char *name);

/* The frame of a list: what is written between the two are its items. */
void json_list_begin(struct json_out *out);
void json_list_end(struct json_out *out, const char *next);

/* A snapshot, left open for more members. */
void json_game_open(struct json_out *out, const char *key, const struct game_view *view);
/* A whole game without what is live: what a copy of it keeps. */
void json_settled_game(struct json_out *out, const char *key, const struct game_view *view);
void json_ticket(struct json_out *out, const char *key, const struct ticket_view *view);

/* The options by their names. */
void json_options(struct json_out *out, const char *key, const struct game_rules *rules,
                  const struct game_options *options);
/* The members of a stored move, into the object that is open. */
void json_move_members(struct json_out *out, const struct db_move *move);

/* The answer to a move. */
void json_move_answer(struct json_out *out, const char *key, const struct move_answer *answer);
/* `clock`, as it stood at a time, and `result` as members of the object that is open. */
void json_clock(struct json_out *out, uint16_t turn_seconds, int64_t deadline_ms, int64_t at_ms);
void json_result(struct json_out *out, const struct result_view *result, size_t seats);
/* The caller's own, as GET /v1/me answers it. */
void json_me(struct json_out *out, const char *key, const struct me_view *view);

/* `asked` and `expires_at`, as members of the object that is open. */
void json_rematch_asked(struct json_out *out, const struct rematch_view *view);

/* {ply, seat, credited} */
void json_elimination(struct json_out *out, const struct game_rules *rules, uint32_t ply,
                      const struct elimination *elimination);

#endif
