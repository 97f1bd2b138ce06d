#include "clock.h"
#include "db/clocks.h"
#include "game_make.h"
#include "handover.h"
#include "verify_parts.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/*
 * Who played for a seat when, which turns were missed, and what the clock said: all of it follows
 * from moves and events. Games that began before there were clocks have deadlines from the first
 * one on.
 */

static void row_of_event(const struct retrace *retrace, const struct db_event *event,
                         char row[VERIFY_ROW_TEXT + 24])
{
    (void)snprintf(row, VERIFY_ROW_TEXT + 24, "%s, event %" PRIu32, retrace->row, event->seq);
}

static int seat_on_turn(const struct retrace *retrace)
{
    return retrace->outcome.reason == END_NONE ? retrace->rules->turn(&retrace->position)
                                               : RULES_SEAT_NONE;
}

static bool owner_is_on_turn(const struct retrace *retrace)
{
    int seat = seat_on_turn(retrace);
    return seat != RULES_SEAT_NONE && !retrace->hands[seat].cpu;
}

/* --- the beginning -------------------------------------------------------------------------------
 */

/* A replay begins as the drawn game has ended, one seat on where seats move on. */
static enum db_status take_over(struct retrace *retrace)
{
    struct db_seat drawn[DB_SEATS_MAX] = {0};
    size_t count = 0;
    enum db_status status = db_seats(retrace->verify->db, retrace->game->replay_of, drawn, &count);
    for (size_t i = 0; status == DB_OK && i < count; i++) {
        const struct db_seat *from = &drawn[seat_before(retrace->game->keeps_seats, i, count)];
        retrace->hands[i].cpu = from->cpu;
        retrace->hands[i].level = from->cpu_level;
    }
    return status;
}

enum db_status verify_hands_start(struct retrace *retrace)
{
    const struct db_game *game = retrace->game;
    retrace->deadline_ms = clock_deadline(game->turn_seconds, game->created_at_ms);
    for (size_t i = 0; i < retrace->seat_count; i++) {
        bool own = retrace->seats[i].player_no == 0;
        retrace->hands[i] = (struct hands){
            .cpu = own,
            .level = own ? retrace->seats[i].cpu_level : 0,
        };
    }
    return game->replay_of == 0 ? DB_OK : take_over(retrace);
}

/* --- events --------------------------------------------------------------------------------------
 */

static void check_announced(struct retrace *retrace, const char *row, const struct db_event *event)
{
    bool shown = owner_is_on_turn(retrace);
    bool known = retrace->clocked || event->deadline_at_ms != 0;
    if (shown && retrace->hidden) {
        /* After a late move nothing else says when its turn was opened. */
        retrace->hidden = false;
        if (event->deadline_at_ms > retrace->deadline_ms) {
            retrace->deadline_ms = event->deadline_at_ms;
        }
    }
    if (known) {
        verify_number(retrace->verify, row, "deadline_at_ms", shown ? retrace->deadline_ms : 0,
                      event->deadline_at_ms);
    }
}

static void miss_turn(struct retrace *retrace, const char *row, int seat)
{
    struct hands *hands = &retrace->hands[seat];
    hands->missed++;
    if (seat != seat_on_turn(retrace) || hands->missed < LIMIT_MISSED_TURNS) {
        verify_differs(retrace->verify,
                       "%s: expected a second missed turn of the seat on turn, found %" PRIu32, row,
                       hands->missed);
    }
}

static void check_change(struct retrace *retrace, const char *row, const struct db_event *event,
                         int seat, enum seat_reason reason)
{
    struct hands *hands = &retrace->hands[seat];
    bool for_good = reason == SEAT_ERASED || reason == SEAT_BANNED;
    bool returns = reason == SEAT_RETURNED;
    if ((hands->cpu != returns && !for_good) || (returns && hands->for_good) ||
        (reason == SEAT_ABSENT && retrace->game->turn_seconds != 0)) {
        verify_differs(retrace->verify, "%s: expected no such change of hands, found %s", row,
                       event->reason);
    }
    if (reason == SEAT_MISSED_TURNS) {
        miss_turn(retrace, row, seat);
    }
    if (returns != (event->cpu_level == 0)) {
        verify_number(retrace->verify, row, "cpu_level", returns ? 0 : 1, event->cpu_level);
    }
    hands->cpu = !returns;
    hands->level = event->cpu_level;
    hands->for_good = hands->for_good || for_good;
    hands->erased = hands->erased || reason == SEAT_ERASED;
    hands->left = hands->left || for_good || reason == SEAT_LEFT;
    check_announced(retrace, row, event);
}

static void take_seat_event(struct retrace *retrace, const struct db_event *event)
{
    char row[VERIFY_ROW_TEXT + 24];
    int seat = rules_seat(retrace->rules, event->seat[0]);
    enum seat_reason reason = seat_reason_find(event->reason);
    row_of_event(retrace, event, row);
    if (seat == RULES_SEAT_NONE || (size_t)seat >= retrace->seat_count || reason == SEAT_REASONS) {
        verify_differs(retrace->verify, "%s: expected a seat and a known reason, found '%s' '%s'",
                       row, event->seat, event->reason);
        return;
    }
    check_change(retrace, row, event, seat, reason);
}

static void take_clock_event(struct retrace *retrace, const struct db_event *event)
{
    char row[VERIFY_ROW_TEXT + 24];
    row_of_event(retrace, event, row);
    bool known = strcmp(event->reason, "pause") == 0 || strcmp(event->reason, "restart") == 0;
    if (!known || retrace->game->turn_seconds == 0 || !owner_is_on_turn(retrace)) {
        verify_differs(retrace->verify, "%s: expected no clock to be put on, found reason '%s'",
                       row, event->reason);
    } else if (event->deadline_at_ms == 0 ||
               (retrace->clocked && event->deadline_at_ms <= retrace->deadline_ms)) {
        verify_differs(retrace->verify,
                       "%s: expected a deadline_at_ms after %" PRId64 ", found %" PRId64, row,
                       retrace->deadline_ms, event->deadline_at_ms);
    }
    retrace->deadline_ms = event->deadline_at_ms;
    retrace->clocked = true;
}

void verify_hands_event(struct retrace *retrace, const struct db_event *event)
{
    if (strcmp(event->type, "seat") == 0) {
        take_seat_event(retrace, event);
    } else if (strcmp(event->type, "clock") == 0) {
        take_clock_event(retrace, event);
    }
}

/* --- moves ---------------------------------------------------------------------------------------
 */

/* Who was to make it, and whether in time. */
void verify_hands_before(struct retrace *retrace, const char *row, const struct db_move *found)
{
    struct hands *hands = &retrace->hands[seat_on_turn(retrace)];
    bool late = clock_is_late(retrace->deadline_ms, found->at_ms);
    bool known = retrace->clocked || found->deadline_at_ms != 0;
    bool by_cpu = hands->cpu || (late && known) || (late && found->by_cpu);
    if (by_cpu != found->by_cpu) {
        verify_text(retrace->verify, row, "made_by", by_cpu ? "cpu" : "player",
                    found->by_cpu ? "cpu" : "player");
    }
    hands->plies++;
    hands->cpu_plies += found->by_cpu;
    if (!found->by_cpu) {
        hands->missed = 0;
    } else if (!hands->cpu) {
        hands->missed++;
    }
}

/* The turn that it opened. A late move opens it when it was made, whatever its own time is. */
void verify_hands_after(struct retrace *retrace, const char *row, const struct db_move *found)
{
    int64_t least_ms = clock_deadline(retrace->game->turn_seconds, found->at_ms);
    bool shown = least_ms != 0 && owner_is_on_turn(retrace);
    bool none = found->deadline_at_ms == 0;
    bool earlier = none && !retrace->clocked; /* than clocks */
    bool fits =
        found->by_cpu ? found->deadline_at_ms >= least_ms : found->deadline_at_ms == least_ms;
    if (shown ? !fits && !earlier : !none) {
        verify_number(retrace->verify, row, "deadline_at_ms", shown ? least_ms : 0,
                      found->deadline_at_ms);
    }
    retrace->clocked = retrace->clocked || !none;
    retrace->deadline_ms = none ? least_ms : found->deadline_at_ms;
    retrace->hidden = none && found->by_cpu;
}

/* --- the end -------------------------------------------------------------------------------------
 */

enum db_status verify_no_show(struct retrace *retrace, int *seat)
{
    int next = seat_on_turn(retrace);
    bool made = false;
    *seat = RULES_SEAT_NONE;
    if (next == RULES_SEAT_NONE) {
        return DB_OK;
    }
    const struct hands *hands = &retrace->hands[next];
    if (hands->cpu || hands->left || hands->plies != 1 || hands->cpu_plies != 1) {
        return DB_OK;
    }
    enum db_status status = db_game_of_tickets(retrace->verify->db, retrace->game->game_no, &made);
    if (status == DB_OK && made) {
        *seat = next;
    }
    return status;
}

void verify_hands_end(struct retrace *retrace)
{
    const struct db_game *game = retrace->game;
    bool playing = strcmp(game->status, "playing") == 0;
    for (size_t i = 0; i < retrace->seat_count; i++) {
        const struct db_seat *seat = &retrace->seats[i];
        const struct hands *hands = &retrace->hands[i];
        char row[VERIFY_ROW_TEXT + 24];
        (void)snprintf(row, sizeof row, "%s, seat %s", retrace->row, seat->seat);
        verify_text(retrace->verify, row, "control", hands->cpu ? "cpu" : "player",
                    seat->cpu ? "cpu" : "player");
        verify_number(retrace->verify, row, "cpu_level", hands->level, seat->cpu_level);
        verify_number(retrace->verify, row, "missed_turns", hands->missed, seat->missed_turns);
    }
    if (!playing) {
        verify_number(retrace->verify, retrace->row, "deadline_at_ms", 0, game->deadline_at_ms);
    } else if (owner_is_on_turn(retrace) && (retrace->clocked || game->deadline_at_ms != 0)) {
        verify_number(retrace->verify, retrace->row, "deadline_at_ms", retrace->deadline_ms,
                      game->deadline_at_ms);
    }
}
