#ifndef MATCH_ROUNDS_H
#define MATCH_ROUNDS_H

/*
 * The matchmaker: one thread that copies the queue, asks the pairing who plays whom, and submits
 * what it says as ordinary write jobs. A round over a kind of tickets runs when one has come, and
 * over all once a second, since windows open. While games of a round are made, the next one waits.
 *
 * Threads: any. Ownership: rounds_start/rounds_stop/rounds_free.
 */

#include <stdbool.h>
#include <stdint.h>

struct match;
struct rounds;

/* Fills match->queue from the file, and begins: match->rounds. False: the file could not be read,
 * or no thread or memory. */
bool rounds_start(struct match *match);
/* A ticket has come. */
void rounds_call(struct rounds *rounds);
/* Called by the ticker, several times a second. */
void rounds_tick(struct rounds *rounds, int64_t now_ms);
/* Whether all tickets that came were looked at, and nothing is on its way. */
bool rounds_settled(struct rounds *rounds);
/* Joins the thread; jobs that it began may still end. Accepts NULL. */
void rounds_stop(struct rounds *rounds);
/* Once they have. Accepts NULL. */
void rounds_free(struct rounds *rounds);

#endif
