#ifndef DB_MIGRATIONS_H
#define DB_MIGRATIONS_H

/* The numbered migrations, embedded at build time. Constant data, any thread. */

#include <stddef.h>

struct migration {
    int version;
    const char *name;   /* file name without its ending */
    const char *sha256; /* of the file, 64 hex digits */
    const char *sql;
};

extern const struct migration migrations[];
extern const size_t migration_count;

#endif
