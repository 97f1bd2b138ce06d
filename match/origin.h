#ifndef MATCH_ORIGIN_H
#define MATCH_ORIGIN_H

/*
 * Registrations from one network in one hour get one batch number, for people who look into who
 * plays whom. Of the network only a keyed hash is kept, LIMIT_ORIGIN_HOURS long.
 *
 * Threads: origin_hash any; origins_forget the ticker's.
 */

#include "db/origins.h"
#include "service.h"

/* `network`: MATCH_NETWORK_BYTES bytes that stand for it. */
struct db_origin origin_hash(const struct match *match, const uint8_t *network, int64_t at_ms);

/* Submits a job that forgets those whose time is over. */
void origins_forget(struct match *match);

int64_t origin_hour(int64_t at_ms);

#endif
