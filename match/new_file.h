#ifndef MATCH_NEW_FILE_H
#define MATCH_NEW_FILE_H

/*
 * A file whose name appears only when all of its content is safe on disk: it is written as a draft,
 * `PATH.new`, 0600, and then named. Who is killed meanwhile leaves that one draft, which the next
 * to begin removes, also where it is a second name of the file by then.
 *
 * Threads: one call, one thread. Between begin and end no other process that asks here makes a file
 * in the same folder. Ownership: caller-owned; begin (where true) to end.
 */

#include "db/db.h"

#include <stdbool.h>
#include <stddef.h>

struct new_file {
    const char *path; /* the caller's */
    char draft[DB_PATH_MAX];
    int folder;
};

/* False: the path is too long, or its folder cannot be read or stays claimed by another. */
bool new_file_begin(const char *path, struct new_file *file);
/* False: it cannot be made, or there is something of that name; that stays as it is. */
bool new_file_write(const struct new_file *file, const char *text, size_t length);
void new_file_end(struct new_file *file);

#endif
