#ifndef API_RECORD_TEXT_H
#define API_RECORD_TEXT_H

/*
 * A game's record as text, for people and for programs that read line by line; the same over HTTP
 * and from `banzuke record`. Its grammar is in openapi.yaml (getGameRecord).
 *
 * Threads: pure, any.
 */

#include "match/line.h"
#include "match/record.h"

#include <stdio.h>

/* Writes it; failures of the stream are the caller's to look for. */
void record_print(FILE *out, const struct record *record);
/* The same as malloc'd text for the caller to free; NULL: no memory. */
char *record_text(const struct record *record, size_t *length);

/* Draws the position of a line of this game: files 9 to 1 from left to right, ranks a to i from top
 * to bottom, as they are in a move's text. */
void record_print_board(FILE *out, const struct record *record, const struct game_line *line);

#endif
