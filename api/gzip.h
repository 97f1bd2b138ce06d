#ifndef API_GZIP_H
#define API_GZIP_H

/*
 * The content coding gzip, for whole bodies.
 *
 * Threads: pure, any. Ownership: what comes back is malloc'd and the caller's.
 */

#include <stddef.h>

enum { GZIP_WORTH_BYTES = 1024 }; /* up to this a body is sent as it is */

/* NULL: no memory, or it would not be shorter. */
char *gzip_pack(const char *bytes, size_t length, size_t *packed_length);

#endif
