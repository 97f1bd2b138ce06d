#include "fault.h"

#ifdef BANZUKE_TESTING

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Atomic long passages;

void fault_point(const char *name)
{
    const char *armed = getenv("BANZUKE_FAULT");
    size_t length = strlen(name);
    if (armed == NULL || strncmp(armed, "kill:", 5) != 0 || strncmp(armed + 5, name, length) != 0 ||
        armed[5 + length] != ':') {
        return;
    }
    if (atomic_fetch_add(&passages, 1) + 1 == strtol(armed + 5 + length + 1, NULL, 10)) {
        (void)raise(SIGKILL);
    }
}

bool fault_is(const char *name)
{
    const char *armed = getenv("BANZUKE_FAULT");
    return armed != NULL && strcmp(armed, name) == 0;
}

/* The PATH of while:NAME:PATH; NULL: not armed. */
static const char *switch_of(const char *name)
{
    static const char prefix[] = "while:";
    const char *armed = getenv("BANZUKE_FAULT");
    size_t length = strlen(name);
    if (armed == NULL || strncmp(armed, prefix, sizeof prefix - 1) != 0) {
        return NULL;
    }
    armed += sizeof prefix - 1;
    return strncmp(armed, name, length) == 0 && armed[length] == ':' ? armed + length + 1 : NULL;
}

bool fault_is_prepared(const char *name)
{
    return switch_of(name) != NULL;
}

bool fault_is_on(const char *name)
{
    const char *path = switch_of(name);
    return path != NULL && access(path, F_OK) == 0;
}

#else

/* A translation unit may not be empty. */
extern const char fault_is_for_tests_only;

#endif
