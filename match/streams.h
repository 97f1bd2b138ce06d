#ifndef MATCH_STREAMS_H
#define MATCH_STREAMS_H

/*
 * What streams tell, read back from what is stored: the events of a game over a number, and those
 * of a player. Being woken is a hint to read again from one's own last number, never data.
 *
 * Threads: every function may be called from any thread.
 * Ownership: pages of frames are malloc'd for the caller; all else is values; waiters as in
 * events.h.
 */

#include "db/personal.h"
#include "match.h"
#include "presence.h"

/* In the words of frame_word. */
enum frame_kind {
    FRAME_MOVE,
    FRAME_SEAT,
    FRAME_FINISHED,
    FRAME_REPLAY,
    FRAME_REMATCH,
    FRAME_CLOCK,
    FRAME_VOIDED,
    FRAME_KINDS,
};
const char *frame_word(enum frame_kind kind);

/* How a game has ended, as it was told when it ended, or was voided. */
struct ending_view {
    char status[DB_WORD_TEXT];
    char unrated_reason[DB_WORD_TEXT]; /* "": none */
    size_t seat_count;
    struct result_view result;
};

struct frame {
    uint32_t seq;
    enum frame_kind kind;
    int64_t at_ms;
    uint16_t turn_seconds; /* of the game */
    struct db_event event; /* all but moves */
    struct game_id linked; /* replay, rematch: the other game; "": none */
    union {
        struct move_answer move;   /* move: the answer to it */
        struct ending_view ending; /* finished, voided */
    };
};
struct frames {
    size_t count;
    struct frame at[];
};

/* MATCH_NOT_FOUND: for this player (0: nobody that is known) there is no such game, or no longer.
 */
MATCH_NODISCARD enum match_status match_game_seen(struct match *match, const struct game_id *id,
                                                  int64_t player_no);
/* The number of a game's newest event, also after its end; MATCH_NOT_FOUND: no such game. */
MATCH_NODISCARD enum match_status match_seq(struct match *match, const struct game_id *id,
                                            uint32_t *seq);
enum { FRAMES_AT_ONCE = 32 };
/* The events over `after`, oldest first, FRAMES_AT_ONCE at most; to be freed. */
MATCH_NODISCARD enum match_status match_frames(struct match *match, const struct game_id *id,
                                               uint32_t after, struct frames **frames);

/* A player's own: MATCH_OK, and MATCH_NOT_FOUND where some over `after` are no longer kept. */
MATCH_NODISCARD enum match_status match_personal(struct match *match, int64_t player_no,
                                                 int64_t after, struct db_personal *events,
                                                 size_t max, size_t *count);
/* The number of the newest. */
MATCH_NODISCARD enum match_status match_personal_seq(struct match *match, int64_t player_no,
                                                     int64_t *seq);
/* Both as of one moment: what the numbers over `seq` tell is not in the view yet. */
MATCH_NODISCARD enum match_status match_me_at(struct match *match, int64_t player_no,
                                              struct me_view *view, int64_t *seq);

/* A game that a player sits in, for a stream that follows it. */
struct own_game {
    int64_t game_no;
    struct game_id id;
    char seat[2];
    char seats[DB_SEATS_MAX + 1];  /* all of them, in order */
    int64_t players[DB_SEATS_MAX]; /* in them; 0: the CPU's own */
};
/* Those that are running. */
MATCH_NODISCARD enum match_status match_own_games(struct match *match, int64_t player_no,
                                                  struct own_game games[LIMIT_GAMES_AT_ONCE],
                                                  size_t *count);
/* One that may have ended. */
MATCH_NODISCARD enum match_status match_own_game(struct match *match, int64_t player_no,
                                                 const struct game_id *id, struct own_game *game);
/* Whose turn it is: the one thing that a player wants to know of every game. */
struct turn_view {
    uint32_t seq; /* of the newest event, as match_seq */
    uint32_t ply;
    bool own; /* it is this seat's, and its owner plays it */
    bool check;
    bool playing;
    int64_t at_ms; /* of the ply that gave the turn, or of the game's creation */
    uint16_t turn_seconds;
    int64_t deadline_at_ms; /* 0: none */
    int64_t now_ms;
};
MATCH_NODISCARD enum match_status match_turn(struct match *match, const struct own_game *game,
                                             struct turn_view *view);

/* Whether the token that this identity came by still stands for it. *ends_at_ms: when it will not
 * any more, whatever happens; 0: no end is known. */
MATCH_NODISCARD enum match_status match_bearer(struct match *match, const struct identity *identity,
                                               int64_t *ends_at_ms);

/* As match_ticket_watch, for the topics of games, tables, players and tokens. */
void match_watch(struct match *match, enum event_topic topic, int64_t number,
                 struct event_waiter *waiter);
/* Commands are refused, and whoever waits is told to go. */
bool match_is_stopping(const struct match *match);

#endif
