#ifndef API_JSON_FRAMES_H
#define API_JSON_FRAMES_H

/*
 * Frames of streams as JSON: {seq, type, at, data} in one line, malloc'd, without an end of line.
 * NULL: no memory. Threads: pure.
 */

#include "match/rematch.h"
#include "match/streams.h"

char *json_frame(const struct frame *frame, size_t *length);
/* A game as it stands, and what its stream goes on from. */
char *json_frame_game(const struct game_view *view, size_t *length);
/* The same of a player's own. */
char *json_frame_me(const struct me_view *view, int64_t seq, int64_t at_ms, size_t *length);
char *json_frame_personal(const struct db_personal *event, size_t *length);
/* One about a rematch, and how that stands. */
char *json_frame_rematch(const struct db_personal *event, const struct rematch_view *view,
                         size_t *length);
/* It is this seat's turn. */
char *json_frame_turn(const struct own_game *game, const struct turn_view *turn, size_t *length);

/* What is not counted: seq is null. */
char *json_frame_presence(char seat, bool present, int64_t at_ms, size_t *length);
/* Nothing but its type. */
char *json_frame_control(const char *type, int64_t at_ms, size_t *length);

#endif
