#include "problem.h"

#include "json_problem.h"
#include "url.h"

#include <assert.h>
#include <stdio.h>

struct problem_row {
    unsigned status;
    const char *code;
    const char *title;
    const char *detail;
};

/* clang-format off */
static const struct problem_row rows[PROBLEM_ROWS] = {
    [PROBLEM_MALFORMED_JSON] = {400, "malformed-json", "Malformed JSON",
        "The body is not exactly one well-formed JSON object."},
    [PROBLEM_MALFORMED_REQUEST] = {400, "malformed-request", "Malformed request",
        "The request line or a header is not as it must be."},
    [PROBLEM_INVALID_PARAMETER] = {400, "invalid-parameter", "Invalid query parameter",
        "A query parameter is unknown, repeated, malformed or out of range."},
    [PROBLEM_INVALID_CURSOR] = {400, "invalid-cursor", "Invalid cursor",
        "The cursor is damaged or belongs to another list."},
    [PROBLEM_UNKNOWN_FIELD] = {422, "unknown-field", "Unknown field",
        "The body has a field that this operation does not know."},
    [PROBLEM_INVALID_FIELD] = {422, "invalid-field", "Invalid field",
        "A field is missing, of the wrong type or out of range."},
    [PROBLEM_INVALID_NAME] = {422, "invalid-name", "Invalid name",
        "The name is not one that players may have."},
    [PROBLEM_UNAUTHENTICATED] = {401, "unauthenticated", "Authentication needed",
        "This operation needs a bearer token."},
    [PROBLEM_INVALID_TOKEN] = {401, "invalid-token", "Invalid token",
        "The bearer token is not valid."},
    [PROBLEM_NOT_FOUND] = {404, "not-found", "Not found",
        "There is nothing here, or nothing for you."},
    [PROBLEM_METHOD_NOT_ALLOWED] = {405, "method-not-allowed", "Method not allowed",
        "The resource does not know this method; Allow lists those that it knows."},
    [PROBLEM_NOT_IMPLEMENTED] = {501, "not-implemented", "Not implemented",
        "This server does not know the method."},
    [PROBLEM_NOT_ACCEPTABLE] = {406, "not-acceptable", "Not acceptable",
        "The Accept header excludes every media type that the answer could have."},
    [PROBLEM_UNSUPPORTED_MEDIA_TYPE] = {415, "unsupported-media-type", "Unsupported media type",
        "The body must be application/json in UTF-8 without a content encoding."},
    [PROBLEM_PAYLOAD_TOO_LARGE] = {413, "payload-too-large", "Body too large",
        "The body is larger than this operation reads."},
    [PROBLEM_NOT_YOUR_SEAT] = {403, "not-your-seat", "Not your seat",
        "You have no seat in this game."},
    [PROBLEM_SEAT_GIVEN_UP] = {403, "not-your-seat", "Not your seat",
        "You had this seat, but it was taken from you for good in the middle of the game."},
    [PROBLEM_ILLEGAL_MOVE] = {422, "illegal-move", "Illegal move",
        "The rules do not allow this move."},
    [PROBLEM_NOT_YOUR_TURN] = {409, "not-your-turn", "Not your turn",
        "Another seat is on turn."},
    [PROBLEM_STALE_PLY] = {409, "stale-ply", "Stale ply",
        "The move names another ply than the next one."},
    [PROBLEM_TURN_EXPIRED] = {409, "turn-expired", "Turn expired",
        "The deadline had passed when the move was here; the CPU makes this one."},
    [PROBLEM_GAME_OVER] = {409, "game-over", "Game over",
        "The game has ended."},
    [PROBLEM_RESIGN_NOT_ALLOWED] = {422, "resign-not-allowed", "No resignation",
        "This game knows no resignation."},
    [PROBLEM_LINK_CODE_GONE] = {410, "link-code-gone", "Link code gone",
        "There is no such code, or no longer: it is wrong, used or over."},
    [PROBLEM_GAME_RUNNING] = {409, "game-running", "Game running",
        "Not while a game is running."},
    [PROBLEM_ALREADY_QUEUED] = {409, "already-queued", "Already queued",
        "You already have a waiting ticket."},
    [PROBLEM_ALREADY_MATCHED] = {409, "already-matched", "Already matched",
        "The ticket has already led to a game."},
    [PROBLEM_TOO_MANY_GAMES] = {409, "too-many-games", "Too many games or tables",
        "You have as many running games as a player may have."},
    [PROBLEM_NOT_THE_HOST] = {403, "not-the-host", "Not the host",
        "Only the host of the table may do this."},
    [PROBLEM_LEGAL_MOVES_HIDDEN] = {403, "legal-moves-hidden", "Legal moves hidden",
        "The table has turned off that legal moves are shown."},
    [PROBLEM_WRONG_CODE] = {404, "wrong-code", "Wrong code",
        "There is no table with this code, or no longer."},
    [PROBLEM_TABLE_FULL] = {409, "table-full", "Table full",
        "The table has as many members as a table may have."},
    [PROBLEM_SEAT_TAKEN] = {409, "seat-taken", "Seat taken",
        "The seat is taken; it has to be freed first."},
    [PROBLEM_SEAT_EMPTY] = {409, "seat-empty", "Seat empty",
        "A game starts when every seat is taken, one of them at least by a person."},
    [PROBLEM_RATED_NEEDS_CLOCK] = {422, "rated-needs-clock", "Rated games need a clock",
        "A rated table needs a turn time."},
    [PROBLEM_NO_SHOW] = {429, "no-show", "Games missed",
        "You did not come to three games within an hour; Retry-After says when to queue again."},
    [PROBLEM_IDEMPOTENCY_MISMATCH] = {422, "idempotency-mismatch", "Idempotency key mismatch",
        "This key came before with another body, or the token of what it made is in use."},
    [PROBLEM_RATE_LIMITED] = {429, "rate-limited", "Too many requests",
        "A budget is used up; Retry-After says when to come again."},
    [PROBLEM_STREAM_LIMIT] = {429, "stream-limit", "Too many streams",
        "This device, or this address without a token, has as many streams open as it may have."},
    [PROBLEM_STREAM_LIMIT_IN_ALL] = {503, "stream-limit", "Too many streams",
        "There are as many streams and long polls as this server has room for."},
    [PROBLEM_STORAGE_BUSY] = {503, "storage-busy", "Storage busy",
        "The storage is busy; the same request will do later."},
    [PROBLEM_STORAGE_FULL] = {503, "storage-full", "Storage full",
        "There is no space left to store this; reading goes on."},
    [PROBLEM_STORAGE_READONLY] = {503, "storage-readonly", "Storage read-only",
        "The storage cannot be written now; reading goes on."},
    [PROBLEM_QUERY_TIMEOUT] = {503, "query-timeout", "Query timeout",
        "The answer took longer to find than a request may take."},
    [PROBLEM_INTEGRITY] = {503, "integrity", "Storage damaged",
        "The stored data is damaged."},
    [PROBLEM_SHUTTING_DOWN] = {503, "shutting-down", "Shutting down",
        "The service is about to stop; nothing was changed."},
    [PROBLEM_IN_DOUBT] = {503, "shutting-down", "Shutting down",
        "The storage failed while it stored this, which may be done or not. The same request again,"
        " with its Idempotency-Key where it takes one, is safe."},
    [PROBLEM_INTERNAL] = {500, "internal", "Internal error",
        "The server could not answer for a reason of its own."},
};
/* clang-format on */

static const char content_type[] = "application/problem+json";

const char *problem_code(enum problem problem)
{
    assert(problem < PROBLEM_ROWS);
    return rows[problem].code;
}

unsigned problem_http_status(enum problem problem)
{
    assert(problem < PROBLEM_ROWS);
    return rows[problem].status;
}

/* For when there is no memory even for saying so. */
static void reply_without_memory(struct reply *reply)
{
    static const char body[] =
        "{\"type\":\"/problems/internal\",\"title\":\"Internal error\",\"status\":500,"
        "\"detail\":\"There is no memory left.\",\"instance\":\"\",\"code\":\"internal\"}";
    reply_fixed(reply, 500, content_type, body, sizeof body - 1);
    reply->problem_code = rows[PROBLEM_INTERNAL].code;
}

static const char *detail_of(enum problem problem, const struct problem_details *details)
{
    if (details->detail != NULL) {
        return details->detail;
    }
    if (details->illegal != NULL && details->illegal->reason != ILLEGAL_NONE) {
        return illegal_reason_detail(details->illegal->reason);
    }
    return rows[problem].detail;
}

/* Headers that go with some problems wherever they come from. */
static void add_headers(struct reply *reply, enum problem problem, unsigned retry_after_seconds)
{
    if (problem == PROBLEM_UNAUTHENTICATED) {
        reply_header(reply, "WWW-Authenticate", "Bearer");
    } else if (problem == PROBLEM_INVALID_TOKEN) {
        reply_header(reply, "WWW-Authenticate", "Bearer error=\"invalid_token\"");
    }
    bool passes = problem == PROBLEM_RATE_LIMITED || problem == PROBLEM_STREAM_LIMIT ||
                  problem == PROBLEM_STREAM_LIMIT_IN_ALL || problem == PROBLEM_STORAGE_BUSY ||
                  problem == PROBLEM_QUERY_TIMEOUT || problem == PROBLEM_SHUTTING_DOWN ||
                  problem == PROBLEM_IN_DOUBT;
    if (retry_after_seconds == 0 && passes) {
        retry_after_seconds = 1;
    }
    if (retry_after_seconds > 0) {
        char seconds[16];
        (void)snprintf(seconds, sizeof seconds, "%u", retry_after_seconds);
        reply_header(reply, "Retry-After", seconds);
    }
}

enum handled reply_problem(const struct request *request, struct reply *reply, enum problem problem,
                           const struct problem_details *details)
{
    static const struct problem_details nothing = {0};
    enum { PATH_MAX_SHOWN = 256 };
    assert(request != NULL && reply != NULL && problem < PROBLEM_ROWS);
    details = details == NULL ? &nothing : details;
    char instance[PATH_MAX_SHOWN + REQUEST_ID_TEXT + 1];
    char path[PATH_MAX_SHOWN];
    url_encode(request->path == NULL ? "" : request->path, path, sizeof path);
    (void)snprintf(instance, sizeof instance, "%s#%s", path, request->id);

    const struct problem_row *row = &rows[problem];
    struct problem_document document = {
        .code = row->code,
        .title = row->title,
        .status = row->status,
        .detail = detail_of(problem, details),
        .instance = instance,
        .details = details,
    };
    size_t length = 0;
    char *body = json_problem(&document, &length);
    reply_clear(reply);
    if (body == NULL) {
        reply_without_memory(reply);
        return HANDLED;
    }
    reply->status = row->status;
    reply->content_type = content_type;
    reply->body = body;
    reply->length = length;
    reply->problem_code = row->code;
    add_headers(reply, problem, details->retry_after_seconds);
    return HANDLED;
}

enum problem problem_of(enum match_status status)
{
    switch (status) {
    case MATCH_NOT_FOUND: return PROBLEM_NOT_FOUND;
    case MATCH_INVALID_TOKEN: return PROBLEM_INVALID_TOKEN;
    case MATCH_INVALID_NAME: return PROBLEM_INVALID_NAME;
    case MATCH_NOT_YOUR_SEAT: return PROBLEM_NOT_YOUR_SEAT;
    case MATCH_SEAT_GIVEN_UP: return PROBLEM_SEAT_GIVEN_UP;
    case MATCH_NOT_YOUR_TURN: return PROBLEM_NOT_YOUR_TURN;
    case MATCH_STALE_PLY: return PROBLEM_STALE_PLY;
    case MATCH_TURN_EXPIRED: return PROBLEM_TURN_EXPIRED;
    case MATCH_ILLEGAL_MOVE: return PROBLEM_ILLEGAL_MOVE;
    case MATCH_GAME_OVER: return PROBLEM_GAME_OVER;
    case MATCH_RESIGN_NOT_ALLOWED: return PROBLEM_RESIGN_NOT_ALLOWED;
    case MATCH_CODE_GONE:
    case MATCH_TOO_MANY_DEVICES: return PROBLEM_LINK_CODE_GONE;
    case MATCH_GAME_RUNNING: return PROBLEM_GAME_RUNNING;
    case MATCH_NO_SUCH_PARTNER: return PROBLEM_INVALID_FIELD;
    case MATCH_NOT_THE_HOST: return PROBLEM_NOT_THE_HOST;
    case MATCH_LEGAL_MOVES_HIDDEN: return PROBLEM_LEGAL_MOVES_HIDDEN;
    case MATCH_WRONG_CODE: return PROBLEM_WRONG_CODE;
    case MATCH_TABLE_FULL: return PROBLEM_TABLE_FULL;
    case MATCH_SEAT_TAKEN: return PROBLEM_SEAT_TAKEN;
    case MATCH_SEAT_EMPTY: return PROBLEM_SEAT_EMPTY;
    case MATCH_UNKNOWN_FIELD: return PROBLEM_UNKNOWN_FIELD;
    case MATCH_INVALID_FIELD: return PROBLEM_INVALID_FIELD;
    case MATCH_RATED_NEEDS_CLOCK: return PROBLEM_RATED_NEEDS_CLOCK;
    case MATCH_ALREADY_QUEUED: return PROBLEM_ALREADY_QUEUED;
    case MATCH_ALREADY_MATCHED: return PROBLEM_ALREADY_MATCHED;
    case MATCH_TOO_MANY_TABLES:
    case MATCH_TOO_MANY_GAMES: return PROBLEM_TOO_MANY_GAMES;
    case MATCH_NO_SHOW: return PROBLEM_NO_SHOW;
    case MATCH_IDEMPOTENCY_MISMATCH: return PROBLEM_IDEMPOTENCY_MISMATCH;
    case MATCH_STORAGE_BUSY: return PROBLEM_STORAGE_BUSY;
    case MATCH_STORAGE_FULL: return PROBLEM_STORAGE_FULL;
    case MATCH_STORAGE_READONLY: return PROBLEM_STORAGE_READONLY;
    case MATCH_QUERY_TIMEOUT: return PROBLEM_QUERY_TIMEOUT;
    case MATCH_INTEGRITY: return PROBLEM_INTEGRITY;
    case MATCH_SHUTTING_DOWN: return PROBLEM_SHUTTING_DOWN;
    case MATCH_IN_DOUBT: return PROBLEM_IN_DOUBT;
    case MATCH_OK:
    case MATCH_REPEATED:
    case MATCH_WAIT:
    case MATCH_INTERNAL: return PROBLEM_INTERNAL;
    }
    return PROBLEM_INTERNAL;
}
