#ifndef MATCH_TICKER_H
#define MATCH_TICKER_H

/*
 * The one timer thread: it turns due things into ordinary work (hands games whose time has come to
 * the workers, wakes long polls, submits write jobs for expired tickets) and decides nothing
 * itself.
 *
 * Ownership: ticker_start/ticker_stop.
 */

struct match;
struct ticker;

/* NULL: no thread or memory. */
struct ticker *ticker_start(struct match *match);
/* Joins and frees; accepts NULL. */
void ticker_stop(struct ticker *ticker);

#endif
