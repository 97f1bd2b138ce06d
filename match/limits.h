#ifndef MATCH_LIMITS_H
#define MATCH_LIMITS_H

/* Every bound of the service, with its reason. At a bound the answer is a refusal, never growth. */

#include <stdint.h>

enum {
    LIMIT_GAMES_PLAYING = 32, /* running games of a player: more is a bot farm */
    /* That many at once, for whose ticket was taken before the last of them began. */
    LIMIT_GAMES_AT_ONCE = LIMIT_GAMES_PLAYING + 1,
    LIMIT_DEVICES = 16, /* in use by one player: more is a token mill */
    LIMIT_PAGE = 100,   /* rows of one list answer */
    LIMIT_PAGE_DEFAULT = 50,
    LIMIT_RADIUS = 25, /* neighbours each way around a player's rank */
    LIMIT_RADIUS_DEFAULT = 5,
    LIMIT_START_RANK = 1000000000, /* more players than there are people */
    LIMIT_ACTIVE_DAYS = 3650,
    LIMIT_WAIT_SECONDS = 25,               /* long poll: under the half minute that proxies allow */
    LIMIT_MOVE_BYTES = 16,                 /* longest move text that is looked at */
    LIMIT_NAME_CHARACTERS = 24,            /* fits a ranking row */
    LIMIT_PLIES = 2000,                    /* a served game ends as a draw here */
    LIMIT_GAMES_CACHED = 4096,             /* running games whose state is kept at hand */
    LIMIT_TOKENS_CACHED = 8192,            /* late callers known without a query */
    LIMIT_TOKEN_GRACE_MS = 10 * 60 * 1000, /* a rotated token, until its successor is used */
    LIMIT_LINK_CODE_MS = 5 * 60 * 1000,    /* long enough to type eight characters elsewhere */
    LIMIT_TICKET_QUIET_MS = 30 * 1000,     /* a ticket nobody asks for is given up */
    LIMIT_TICKET_LIFE_MS = 10 * 60 * 1000, /* nobody came: the client should say so */
    LIMIT_TICKET_READ_MS = 24 * 60 * 60 * 1000, /* an ended ticket can be read this long */
    LIMIT_TABLE_MEMBERS = 16, /* seats included: more is an audience, for which there are streams */
    LIMIT_TABLES_JOINED = 32, /* of one player: as many as games */
    LIMIT_TABLES_HOSTED = 8,  /* opened by one player: nobody waits at more */
    LIMIT_TABLE_GAMES = 32,   /* of a table that are shown with it, the newest ones */
    LIMIT_TABLES_CLOSED = 4,  /* idle ones, at once: more than one new table adds */
    LIMIT_TABLE_IDLE_MS = 7 * 24 * 60 * 60 * 1000, /* an untouched one is closed after it */
    LIMIT_TABLE_READ_MS =
        24 * 60 * 60 * 1000,      /* a closed one without games can be read this long */
    LIMIT_REMATCH_MS = 60 * 1000, /* everybody agrees while the game is fresh, or nobody waits */
    LIMIT_REMATCH_TOLD = 4, /* askings of one seat for one game, in LIMIT_PERSONAL_MS: the others
                               may be away, and must not lose their own news among them */
    LIMIT_PERSONAL_MS = 24 * 60 * 60 * 1000, /* a client that was away for a day misses nothing */
    LIMIT_STREAM_RESUME = 512, /* events a client may be behind when it resumes: then a snapshot is
                                  less work for both */
    LIMIT_STREAM_LAG = 64,     /* events an open stream may be behind */
    LIMIT_RECEIPT_MS = 24 * 60 * 60 * 1000, /* a repeat is known for this long */
    LIMIT_PRESENT_MS = 30 * 1000,           /* a request this young makes a player present */
    LIMIT_MISSED_TURNS = 2,                 /* own turns in a row: then the CPU has the seat */
    LIMIT_CPU_WORKERS = 16,
    LIMIT_CPU_LEVEL = 8, /* the strongest */
    LIMIT_CPU_LEVEL_DEFAULT = 5,
    LIMIT_CPU_QUEUE = 1024, /* games that wait for a worker; the rest waits in the heap */
    LIMIT_CPU_NODES = 2048, /* positions that one CPU move may look at, */
    LIMIT_CPU_MS = 100,     /* and for how long */
};

/* Registrations from one network are known as such for this long. */
enum { LIMIT_ORIGIN_HOURS = 48 };

/* A late use of an ended token is recognised for this long (30 days). */
#define LIMIT_TOKEN_REMEMBERED_MS (INT64_C(30) * 24 * 60 * 60 * 1000)

#endif
