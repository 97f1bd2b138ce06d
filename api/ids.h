#ifndef API_IDS_H
#define API_IDS_H

/* Public identifiers in paths and queries. Pure but for the reply. */

#include "request.h"

/* The path's variable segment `index` as an identifier with this prefix; false: it is none. */
bool path_id(const struct request *request, size_t index, char prefix, struct public_id *id);

/* An identifier as a query parameter; *present: there is one. False: 400 is in the reply. */
bool request_query_id(struct request *request, struct reply *reply, const char *name, char prefix,
                      struct public_id *id, bool *present);

/* A query parameter that must be one of a list of words (NULL-terminated); NULL where absent.
 * False: 400 is in the reply. */
bool request_query_word(struct request *request, struct reply *reply, const char *name,
                        const char *const *words, const char **word);

/* The same for what the rules name: the key of a game, of a rating pool. */
bool request_query_game(struct request *request, struct reply *reply, const char **game);
bool request_query_pool(struct request *request, struct reply *reply, const char **pool);

#endif
