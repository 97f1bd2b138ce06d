#ifndef MATCH_CLOCKS_H
#define MATCH_CLOCKS_H

/*
 * The clocks of all running games: when each has to be looked at. The ticker takes what is due,
 * workers look at it (cpu.h), the writer decides.
 *
 * Threads: as each says.
 */

#include "clock.h"
#include "service.h"

/* The running turn of a state that has a line. */
struct clock_turn clock_turn_of(struct match *match, const struct game_state *state);

/* Any thread, of a state that is committed: looks at the game again when its turn is due. */
void clock_arm(struct match *match, const struct game_state *now);
/* At this time. */
void clock_arm_at(struct match *match, const struct due_game *game);
/* At this time, if its number is still its own: of one that was taken and not looked at. */
void clock_arm_again(struct match *match, const struct due_game *game, int64_t at_ms);
/* At once, whatever it is now. */
void clock_look(struct match *match, int64_t game_no, const struct game_id *id);
/* Not any more: it is over. */
void clock_stop(struct match *match, int64_t game_no);

/* Inside a job that makes a game: armed once the batch is over, whether the game came of it or not.
 */
enum db_status clock_made(struct match *match, const struct db_game *game, bool cpu_starts);
/* The writer's thread, in every `done`. */
void clock_arm_made(struct match *match);

/* At start, before anybody is served: credits the downtime and arms every running game. */
enum db_status clocks_start(struct match *match, int64_t last_stamp_ms);

/* The ticker: hands what is due to the workers, as far as they have room. */
void clocks_tick(struct match *match);

#endif
