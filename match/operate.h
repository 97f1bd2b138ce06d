#ifndef MATCH_OPERATE_H
#define MATCH_OPERATE_H

/*
 * What operators do: taking a rated result back, shutting somebody out, giving another name. Each
 * is one write job like any other, and leaves an operator event.
 *
 * Threads: any. Ownership: commands belong to the caller and must live until woken.
 */

#include "db/operators.h"
#include "match.h"
#include "table_news.h"

enum operate_deed { OPERATE_VOID_GAME, OPERATE_BAN, OPERATE_UNBAN, OPERATE_RENAME };

/* Why nothing was done. */
enum operate_refusal {
    OPERATE_DONE,
    OPERATE_NO_GAME,
    OPERATE_GAME_RUNNING,
    OPERATE_NOT_RATED, /* nothing was applied that could be taken back */
    OPERATE_ALREADY_VOID,
    OPERATE_NO_PLAYER,
    OPERATE_ERASED,
    OPERATE_ALREADY_BANNED,
    OPERATE_NOT_BANNED,
};

/* void-game: how a seat's rating changed. */
struct operate_change {
    struct player_id player_id;
    int64_t before_milli;
    int64_t after_milli;
};

struct match_operate {
    struct match_op op;
    /* in */
    enum operate_deed deed;
    struct public_id id; /* of the game or player, well-formed */
    char note[DB_NOTE_TEXT];
    /* out: with MATCH_OK */
    enum operate_refusal refusal;
    size_t change_count;
    struct operate_change changes[DB_SEATS_MAX];
    char name[DB_NAME_TEXT]; /* rename: the new one */
    size_t playing;          /* ban: running games, which go on */
    /* between */
    int64_t at_ms;
    int64_t game_no;
    int64_t player_no;
    int64_t ticket_no;         /* ban: the ticket that went, or 0 */
    struct tables_news tables; /* ban: those that were left */
    struct own_games games;    /* rename: that show the name; ban: that go on without the player */
};
enum match_status match_operate_begin(struct match *match, struct match_operate *command);

/* The same, waited for: for a thread that has nothing else to do. */
enum match_status match_operate(struct match *match, struct match_operate *command);

#endif
