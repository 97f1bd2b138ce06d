#ifndef API_JSON_ENGINE_H
#define API_JSON_ENGINE_H

/*
 * One line of `banzuke engine`: a request object in, an answer object out. Pure, any thread.
 *
 *   {"op":"legal","game","position","options","moves"} -> {"moves":[sorted]}
 *   {"op":"play", "game","position","options","moves"} ->
 * {"positions","captured","eliminations","end"}
 *   {"op":"perft","game","position","options","depth"} -> {"nodes"}
 *
 * `position` defaults to the start, `options` to the defaults, `moves` to none. What is wrong is
 * {"error":{"code","detail"}}, for a move also with `ply`, `reason` and,
 * where squares explain it, `squares`.
 */

#include <stddef.h>

/* The answer as malloc'd text without a newline, for the caller to free. NULL: no memory. */
char *engine_answer(const char *line, size_t length);

#endif
