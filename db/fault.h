#ifndef DB_FAULT_H
#define DB_FAULT_H

/*
 * Failpoints for the fault tests. They exist only in builds with BANZUKE_TESTING; elsewhere they
 * compile to nothing. Armed by the environment variable BANZUKE_FAULT:
 *
 *   kill:POINT:N        SIGKILL at the N-th passage of POINT
 *   ack_before_commit   the writer acknowledges before COMMIT: what the kill harness must catch
 *   check_later         no file is small enough to be checked before it is served
 *   while:NAME:PATH     NAME as long as there is a file PATH, so that a test begins and ends it:
 *                       readonly (the writer's connection refuses to write), no_budget (a served
 *                       read has no time at all), no_fsync (a COMMIT is told to have failed)
 *
 * Threads: any. The counter is the one mutable global of the program, and only of test builds.
 */

#include <stdbool.h>

#ifdef BANZUKE_TESTING
void fault_point(const char *name);
bool fault_is(const char *name);
bool fault_is_prepared(const char *name);
bool fault_is_on(const char *name);
#define FAULT_POINT(name)       fault_point(name)
#define FAULT_IS(name)          fault_is(name)
#define FAULT_IS_PREPARED(name) fault_is_prepared(name)
#define FAULT_IS_ON(name)       fault_is_on(name)
#else
#define FAULT_POINT(name)       ((void)0)
#define FAULT_IS(name)          false
#define FAULT_IS_PREPARED(name) false
#define FAULT_IS_ON(name)       false
#endif

#endif
