#ifndef API_PROBLEM_H
#define API_PROBLEM_H

/*
 * Errors as RFC 9457 problem documents: one table from code to HTTP status and title, one place
 * that translates the domain's statuses.
 *
 * Threads: pure but for the reply, which is the caller's.
 */

#include "request.h"

enum problem {
    PROBLEM_MALFORMED_JSON,
    PROBLEM_MALFORMED_REQUEST,
    PROBLEM_INVALID_PARAMETER,
    PROBLEM_INVALID_CURSOR,
    PROBLEM_UNKNOWN_FIELD,
    PROBLEM_INVALID_FIELD,
    PROBLEM_INVALID_NAME,
    PROBLEM_UNAUTHENTICATED,
    PROBLEM_INVALID_TOKEN,
    PROBLEM_NOT_FOUND,
    PROBLEM_METHOD_NOT_ALLOWED,
    PROBLEM_NOT_IMPLEMENTED,
    PROBLEM_NOT_ACCEPTABLE,
    PROBLEM_UNSUPPORTED_MEDIA_TYPE,
    PROBLEM_PAYLOAD_TOO_LARGE,
    PROBLEM_NOT_YOUR_SEAT,
    PROBLEM_ILLEGAL_MOVE,
    PROBLEM_NOT_YOUR_TURN,
    PROBLEM_STALE_PLY,
    PROBLEM_TURN_EXPIRED,
    PROBLEM_GAME_OVER,
    PROBLEM_RESIGN_NOT_ALLOWED,
    PROBLEM_LINK_CODE_GONE,
    PROBLEM_GAME_RUNNING,
    PROBLEM_ALREADY_QUEUED,
    PROBLEM_ALREADY_MATCHED,
    PROBLEM_TOO_MANY_GAMES,
    PROBLEM_NOT_THE_HOST,
    PROBLEM_LEGAL_MOVES_HIDDEN,
    PROBLEM_WRONG_CODE,
    PROBLEM_TABLE_FULL,
    PROBLEM_SEAT_TAKEN,
    PROBLEM_SEAT_EMPTY,
    PROBLEM_RATED_NEEDS_CLOCK,
    PROBLEM_NO_SHOW,
    PROBLEM_IDEMPOTENCY_MISMATCH,
    PROBLEM_RATE_LIMITED,
    PROBLEM_STREAM_LIMIT,
    PROBLEM_STORAGE_BUSY,
    PROBLEM_STORAGE_FULL,
    PROBLEM_STORAGE_READONLY,
    PROBLEM_QUERY_TIMEOUT,
    PROBLEM_INTEGRITY,
    PROBLEM_SHUTTING_DOWN,
    PROBLEM_INTERNAL,
    PROBLEMS, /* how many codes there are */
    /* a code of those with a sentence of its own */
    PROBLEM_IN_DOUBT = PROBLEMS, /* shutting-down */
    PROBLEM_STREAM_LIMIT_IN_ALL, /* stream-limit */
    PROBLEM_SEAT_GIVEN_UP,       /* not-your-seat */
    PROBLEM_ROWS,
};

/* What may go with a problem; zero and NULL leave it out. */
struct problem_details {
    const char *detail;  /* default: the code's own sentence */
    const char *pointer; /* errors[0].pointer: a JSON pointer, or a query parameter's name */
    const char *reason;  /* errors[0].reason */
    const struct game_standing *current; /* status, ply, turn */
    const struct illegal *illegal;       /* reason, squares */
    unsigned retry_after_seconds;
};

const char *problem_code(enum problem problem);
unsigned problem_http_status(enum problem problem);

/* Fills the reply; `details` may be NULL. Always HANDLED, so that handlers can return it. */
enum handled reply_problem(const struct request *request, struct reply *reply, enum problem problem,
                           const struct problem_details *details);

/* The problem of a domain status that is none of OK, REPEATED and WAIT. */
enum problem problem_of(enum match_status status);

#endif
