#include "fault.h"

#ifdef BANZUKE_TESTING

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

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

#else

/* A translation unit may not be empty. */
extern const char fault_is_for_tests_only;

#endif
