#include "revision.h"

#include "driver.h"

#include <assert.h>

enum { POOL_REVISION, REVISION_TEXTS };
static const char *const revision_texts[REVISION_TEXTS] = {
    [POOL_REVISION] = "SELECT revision FROM pool WHERE pool = $1",
};
const struct sql_set sql_revision = {"revision", SLOTS_REVISION, REVISION_TEXTS, revision_texts};

enum db_status db_pool_revision(struct db *db, const char *pool, int64_t *revision)
{
    struct query query;
    assert(pool != NULL && revision != NULL);
    query_begin(&query, db, &sql_revision, POOL_REVISION);
    query_text(&query, 1, pool);
    bool found = query_step(&query);
    if (found) {
        *revision = column_int(&query, 0);
    }
    return query_end_one(&query, found);
}
