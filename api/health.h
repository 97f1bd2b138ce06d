#ifndef API_HEALTH_H
#define API_HEALTH_H

/*
 * What the process knows of its own state; /healthz and /readyz show it.
 * Threads: any; each flag goes from false to true once. Ownership: cli_serve's, borrowed by all.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct health {
    int64_t started_at_ms;      /* set before anybody else looks */
    atomic_bool stopping;       /* an orderly end has begun */
    atomic_bool damaged;        /* the check of the file found something */
    atomic_bool storage_failed; /* nothing is acknowledged any more */
};

#endif
