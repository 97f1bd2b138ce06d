#ifndef API_ENGINE_LOOP_H
#define API_ENGINE_LOOP_H

/*
 * What `banzuke engine` does between its two ends: a request a line in, an answer a line out, in
 * order, each flushed before the next is read.
 *
 * Threads: the streams belong to the caller and nobody else uses them meanwhile.
 */

#include <stdio.h>

enum { ENGINE_LINE_MAX = 512 * 1024 }; /* bytes; twenty thousand moves fit */

/* Until the end of `in`. The exit code: 0, EXIT_INTERNAL (no memory), EXIT_STORAGE_IO (a stream
 * failed). */
int engine_loop(FILE *in, FILE *out);

#endif
