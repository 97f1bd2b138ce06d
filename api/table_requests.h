#ifndef API_TABLE_REQUESTS_H
#define API_TABLE_REQUESTS_H

/* What the files of tables share. Threads: those of the request. */

#include "match/tables.h"
#include "request.h"

/* A command for the caller, with the table of the path where `by_path`. NULL: a problem is in the
 * reply. */
struct match_table_deed *table_deed_new(struct request *request, struct reply *reply,
                                        enum table_deed deed, bool by_path);

/* The refusal of a deed whose status is not MATCH_OK. */
enum handled table_refused(const struct request *request, struct reply *reply,
                           const struct match_table_deed *command);

/* Begins the command, which `then` answers: a POST with its Idempotency-Key, or another method. */
enum handled table_post(struct request *request, struct reply *reply,
                        struct match_table_deed *command, handler_fn *then);
enum handled table_write(struct request *request, struct reply *reply,
                         struct match_table_deed *command, handler_fn *then);

/* Answers: the table as it is now, or nothing. */
handler_fn table_shown, table_done;

#endif
