#ifndef MATCH_CPU_H
#define MATCH_CPU_H

/*
 * The workers that look at games whose time has come: they choose the CPU's moves and see who is
 * absent. What they find enters as an ordinary write job, which looks at the game again. A game
 * that finds no room waits in the heap of deadlines; none is lost.
 *
 * Threads: any. Ownership: cpu_start/cpu_free, cpu_stop in between.
 */

#include "service.h"

struct cpu *cpu_start(struct match *match); /* NULL: no thread or memory */
void cpu_stop(struct cpu *cpu);             /* joins the workers; accepts NULL */
void cpu_free(struct cpu *cpu);             /* accepts NULL */

/* Nobody (NULL): none of anything. */
struct cpu_counts cpu_counts(struct cpu *cpu);

/* False: there is no room now; nor is there with nobody (NULL). */
bool cpu_offer(struct cpu *cpu, const struct due_game *game);

#endif
