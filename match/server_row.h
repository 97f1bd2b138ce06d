#ifndef MATCH_SERVER_ROW_H
#define MATCH_SERVER_ROW_H

/*
 * The server's own row in the file: written by the first start, checked by every other.
 *
 * Threads: that of the start.
 */

#include "service.h"

/* DB_DENIED: the file belongs to another key. *last_stamp_ms: until when it was served before. */
enum db_status server_check(struct match *match, int64_t *last_stamp_ms);

#endif
