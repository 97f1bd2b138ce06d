#ifndef API_CLI_STORAGE_H
#define API_CLI_STORAGE_H

/*
 * The parts of `banzuke serve` that open what lies under the service. They say what is wrong in one
 * line on stderr and return the exit code, or 0.
 * Threads: main. Ownership: `struct storage` is caller-owned, closed by storage_close.
 */

#include "config.h"
#include "health.h"
#include "log.h"
#include "match/match.h"

#include <stdbool.h>

struct storage {
    struct db_lock *lock;
    struct secrets *secrets;
    struct env_real clock;
    struct match_env env;
    bool check_later; /* the file is too large to be checked before serving */
    struct db_report report;
    int64_t copied_at_ms; /* the file is a backup of then, put in the place of another; or 0 */
};

/* Lock, checks, migrations; the clock; the key. */
int storage_open(const struct config *config, struct storage *storage);
/* The same for a file that has been served and is up to date, without making or migrating one. -1:
 * somebody serves it; nothing was said. */
int storage_open_existing(const struct config *config, struct storage *storage);
void storage_close(struct storage *storage);

/* The exit code for a storage status that ends a sub-command. */
int storage_exit_code(enum db_status status);

/* Checks the whole file on a thread of its own; a finding sets health->damaged. NULL: no thread. */
struct storage_check;
struct storage_check *storage_check_start(const char *db_path, struct health *health,
                                          const struct logger *logger, const struct match_env *env);
/* False: it still runs, and only the end of the process can end it. Accepts NULL. */
bool storage_check_end(struct storage_check *check);

#endif
