#ifndef MATCH_TABLES_H
#define MATCH_TABLES_H

/*
 * Tables: a group with a host, an invite code and rules of its own plays game after game. A private
 * table is not there for anybody but its members, and neither are its games; a public one may be
 * looked at and joined by everybody.
 *
 *     open --start--> playing --the game ends--> open      (the seats have moved on)
 *                     playing --a draw is replayed--> playing
 *     open, playing --the last member leaves--> closed     (a game that is running goes on)
 *
 * Rules and seats change while it is open; members come and go at any time but after the end. Who
 * goes in the middle of a game leaves the seat there to the CPU (handover.h), and may return to it.
 *
 * The invite code is no secret among members, who read it to others, so it must be known again; but
 * whoever holds the file, or a copy, shall not be able to join. So it is made with the key from the
 * table's id, and only a keyed hash of it is stored, to find the table by.
 *
 * Threads, commands and ownership as in match.h.
 */

#include "codes.h"
#include "db/tables.h"
#include "match.h"
#include "table_news.h"

/* --- what a table looks like --------------------------------------------------------------- */

struct table_person {
    struct player_id id;
    bool has_name;
    char name[DB_NAME_TEXT];
    bool present;
};
struct table_seat_view {
    char seat[2];
    bool taken;
    uint8_t cpu_level; /* 0: by a person, if anybody */
    struct table_person person;
};
struct table_view {
    const struct game_rules *rules;
    struct game_options options;
    struct db_table row;
    bool is_member;       /* whoever asked: only members are told the code */
    char code[CODE_TEXT]; /* "" for others */
    size_t member_count;
    struct table_person members[LIMIT_TABLE_MEMBERS]; /* the longest member first */
    size_t seat_count;
    struct table_seat_view seats[DB_SEATS_MAX]; /* of the running game, or of the next one */
    size_t game_count;
    struct game_id games[LIMIT_TABLE_GAMES]; /* newest first, those that the asker may see */
};

/* MATCH_NOT_FOUND: it is not there for this player. */
MATCH_NODISCARD enum match_status match_table(struct match *match, const struct table_id *id,
                                              int64_t player_no, struct table_view *view);

/* Newest first: the public open ones, or those that the player is a member of. */
struct match_tables_query {
    int64_t player_no;
    bool mine;
    int64_t before; /* table_no; 0: from the newest */
};
struct tables_page {
    size_t count;
    int64_t next_before; /* the `before` of the next page; 0: there is none */
    struct table_view views[LIMIT_PAGE];
};
MATCH_NODISCARD enum match_status match_tables(struct match *match,
                                               const struct match_tables_query *query, size_t limit,
                                               struct tables_page *page);

/* For a long poll of a table that was read: as match_ticket_watch. It wakes when the table has
 * changed, at the deadline, or when the service stops. */
void match_table_watch(struct match *match, const struct table_view *view,
                       struct event_waiter *waiter);

/* --- what is done to it -------------------------------------------------------------------- */

/* Rules as somebody wants them; what is not there stays as it is, or is the default. */
enum { TABLE_OPTIONS_ASKED = 8, TABLE_WORD_TEXT = 32 };
struct table_option {
    char key[TABLE_WORD_TEXT];
    char value[TABLE_WORD_TEXT];
    bool is_number; /* decimal digits, perhaps after a sign */
};
struct table_options {
    size_t count;
    struct table_option at[TABLE_OPTIONS_ASKED];
};
struct table_wish {
    struct table_options options;
    bool has_turn_seconds;
    int64_t turn_seconds; /* one of those that are offered: the caller knows which */
    bool has_public;
    bool is_public;
    bool has_show_legal_moves;
    bool show_legal_moves;
    bool has_rotate_first;
    bool rotate_first;
    bool has_rated;
    bool rated;
};
/* Which member of a wish, or of what was asked for a seat, is in the way. */
struct table_fault {
    const char *field;            /* as the interface spells it */
    char option[TABLE_WORD_TEXT]; /* which one of `options`; "": none */
    const char *reason;
};

enum table_deed {
    TABLE_CREATE,
    TABLE_CHANGE,
    TABLE_JOIN,
    TABLE_SIT,
    TABLE_STAND,
    TABLE_START,
    TABLE_LEAVE,
    TABLE_DEEDS, /* how many */
};

struct match_table_deed {
    struct match_op op;
    /* in */
    enum table_deed deed;
    int64_t player_no; /* who does it */
    int64_t at_ms;
    struct table_id id;             /* of all but a new one, and "" to join by code */
    char code[CODE_TEXT];           /* TABLE_JOIN; "": the table is public */
    const struct game_rules *rules; /* TABLE_CREATE */
    struct table_wish wish;         /* TABLE_CREATE, TABLE_CHANGE */
    char seat;                      /* TABLE_SIT, TABLE_STAND; its letter */
    uint8_t cpu_level;              /* TABLE_SIT; 0: a person */
    struct player_id person;        /* TABLE_SIT; "": the player itself */
    /* out */
    struct table_view view;   /* MATCH_OK, of all but TABLE_START and TABLE_LEAVE */
    struct game_view game;    /* MATCH_OK of TABLE_START */
    struct table_fault fault; /* MATCH_UNKNOWN_FIELD, MATCH_INVALID_FIELD, ..._NEEDS_CLOCK */
    struct tables_news news;  /* between */
    struct own_games left;    /* between: a running game that goes on without the player */
};
/* Refusals, in this order: MATCH_NOT_FOUND (also a letter that is no seat) or MATCH_WRONG_CODE,
 * MATCH_NOT_THE_HOST and MATCH_NOT_YOUR_SEAT, MATCH_GAME_RUNNING, then what the deed itself needs.
 */
enum match_status match_table_begin(struct match *match, struct match_table_deed *command);

#endif
