#ifndef MATCH_HANDOVER_H
#define MATCH_HANDOVER_H

/*
 * Who plays for a seat: its owner or the CPU, and the event that says when and why it changed.
 * What the hands are is in the seat; who owns it never changes.
 *
 * Threads: the writer's, inside a job; the small questions are pure. Ownership: caller-owned rows.
 */

#include "service.h"

/* Why a seat changed hands. All but SEAT_RETURNED give it to the CPU. */
enum seat_reason {
    SEAT_MISSED_TURNS,
    SEAT_ABSENT,
    SEAT_LEFT,
    SEAT_RETURNED,
    SEAT_ERASED,
    SEAT_BANNED,
    SEAT_REASONS, /* how many */
};
const char *seat_reason_text(enum seat_reason reason);
/* SEAT_REASONS: the text is none of them. */
enum seat_reason seat_reason_find(const char *text);

/* One change of hands: control, event and seq, in the rows and in the file. The seat's missed_turns
 * are stored as they are in the rows. DB_NONE: the game is no longer what the rows say. */
enum db_status seat_change(struct match *match, struct db *db, struct game_rows *rows, int seat,
                           enum seat_reason reason, int64_t at_ms);

/* The owner of a seat goes, out of a running game that the job has held: left, or for good. Who has
 * left already leaves once. */
enum db_status seat_forsake(struct match *match, struct db *db, const struct db_game *game,
                            int64_t player_no, enum seat_reason reason, int64_t at_ms);

/* The same in all running games of a player, which op_hold_seats has held. */
enum db_status seats_forsake(struct match_op *op, struct db *db, const struct own_games *games,
                             int64_t player_no, enum seat_reason reason, int64_t at_ms);

/* After the commit of a change of hands, which the job held: the game is looked at again. */
void seat_changed(struct match_op *op, int64_t game_no, const struct game_id *id);
/* The same in all games that seats_forsake went through. */
void seats_forsaken(struct match_op *op, const struct own_games *games);

/* Whether the owner may take a seat back that the CPU has. */
enum db_status seat_may_return(struct db *db, const struct game_rows *rows, int seat, bool *may);

#endif
