#ifndef API_HANGUPS_H
#define API_HANGUPS_H

/*
 * Clients that hang up. Nobody reads from a connection that is suspended, so its end would be
 * noticed at the second sign of life that is sent into it, and until then it would keep its place;
 * here a thread is told by the kernel.
 *
 * Threads: any. The function that is called runs on the thread of this module, and under its lock:
 * after hangups_remove it is not called any more, and no call of it is running.
 * Ownership: hangups_new/_free; sockets are the caller's, and are removed before they are closed.
 */

#include <stdbool.h>

/* `gone`: the connection is broken. Else its client will send nothing more, and may be gone: what
 * is sent now will tell. */
typedef void hangup_fn(void *context, bool gone);

struct hangups;
/* Starts the thread. NULL: no memory, no file or no thread. */
struct hangups *hangups_new(hangup_fn *tell);
/* Ends the thread. Accepts NULL. */
void hangups_free(struct hangups *hangups);

/* False: there is no memory; then nothing is told of this one. */
bool hangups_add(struct hangups *hangups, int fd, void *context);
void hangups_remove(struct hangups *hangups, int fd);

#endif
