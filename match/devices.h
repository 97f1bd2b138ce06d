#ifndef MATCH_DEVICES_H
#define MATCH_DEVICES_H

/*
 * What people do with their identity: tokens and devices, names, the end of it. Commands as in
 * match.h; none of them may be begun for somebody else than the caller who was identified.
 *
 * Threads: any. Ownership: commands belong to the caller and must live until woken.
 */

#include "codes.h"
#include "match.h"
#include "table_news.h"

/* The first use of a token, or the device's first request of a day (UTC): noted before the request
 * itself is handled. The first use of a token ends all other tokens of its device. */
struct match_use {
    struct match_op op;
    struct identity identity;
    int64_t at_ms;
};
enum match_status match_use_begin(struct match *match, struct match_use *command);

/* Another token for the same device. The one it was asked with works until the new one is used, and
 * LIMIT_TOKEN_GRACE_MS at most; a new one that was never used is void by the next. */
struct match_rotate {
    struct match_op op;
    struct identity identity;
    int64_t at_ms;
    char token[SECRETS_TOKEN_TEXT]; /* out */
};
enum match_status match_rotate_begin(struct match *match, struct match_rotate *command);

/* A code by which another device joins the player; the player's earlier one is void. */
struct match_link {
    struct match_op op;
    int64_t player_no;
    int64_t at_ms;
    char code[CODE_TEXT]; /* out */
    int64_t expires_at_ms;
};
enum match_status match_link_begin(struct match *match, struct match_link *command);

/* Uses a code up: the player's new device and its token. MATCH_CODE_GONE: no live code.
 * MATCH_TOO_MANY_DEVICES: the player has LIMIT_DEVICES in use; the code is as good as before.
 * MATCH_REPEATED: as in match_register. */
struct match_redeem {
    struct match_op op;
    int64_t at_ms;
    char code[CODE_TEXT];           /* in: as code_normalise writes it */
    struct db_player player;        /* out */
    struct db_device device;        /* out */
    char token[SECRETS_TOKEN_TEXT]; /* out */
};
enum match_status match_redeem_begin(struct match *match, struct match_redeem *command);

/* Devices in use, oldest first, device numbers over `after`. */
MATCH_NODISCARD enum match_status match_devices(struct match *match, int64_t player_no,
                                                int64_t after, struct db_device *devices,
                                                size_t max, size_t *count);

/* Ends a device of the player's with all its tokens; repeatable. MATCH_NOT_FOUND: none of theirs.
 */
struct match_revoke {
    struct match_op op;
    int64_t player_no;
    struct device_id device_id;
    int64_t at_ms;
};
enum match_status match_revoke_begin(struct match *match, struct match_revoke *command);

struct match_rename {
    struct match_op op;
    int64_t player_no;
    char name[DB_NAME_TEXT]; /* in, already normalised by name_normalise */
    struct me_view view;     /* out */
    struct own_games games;  /* between */
};
enum match_status match_rename_begin(struct match *match, struct match_rename *command);

/* The end of an identity, in one transaction: tokens, devices, codes, name and waiting ticket go;
 * games, results and the chain keep the id; out of the rankings. In running games the CPU has the
 * seat from then on. */
struct match_erase {
    struct match_op op;
    int64_t player_no;
    int64_t at_ms;
    int64_t ticket_no;         /* between: the ticket that went, or 0 */
    struct tables_news tables; /* between: those that were left */
    struct own_games games;    /* between: those that go on without the player */
};
enum match_status match_erase_begin(struct match *match, struct match_erase *command);

#endif
