#ifndef TESTS_SUPPORT_PROCESS_H
#define TESTS_SUPPORT_PROCESS_H

/*
 * A real server process on a file of its own: started, killed, restarted, verified. The binary is
 * $BANZUKE. Every failure here fails the test (or aborts a plain driver) with a clear line.
 *
 * Threads: one thread a server, several servers at once are fine. A server dies with the thread
 * that started it, so that a failed test leaves no process behind (only its folder, to look at).
 * Ownership: process_new/process_free; the folder goes with it.
 */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct process {
    char folder[64];
    char db[96];
    char log[96];
    char origin[64]; /* http://127.0.0.1:PORT */
    int port;
    pid_t pid; /* 0: not running */
};

/* A folder, and a server in it that is ready. `fault` (or NULL) is its BANZUKE_FAULT. */
struct process *process_new(const char *fault);
/* The folder alone, in $TMPDIR (/tmp). */
struct process *process_folder(void);
/* Starts on the file that is there; extra arguments end with NULL, or `arguments` is NULL. */
void process_start(struct process *server, const char *const *arguments, const char *fault);
/* The same without waiting for it to be ready: for starts that fail. Returns the exit code, or
 * -signal, within a minute. */
int process_start_fails(struct process *server, const char *const *arguments);
void process_kill(struct process *server); /* SIGKILL, and gone */
/* SIGTERM; the exit code (or -signal) within a minute. */
int process_stop(struct process *server);
/* Waits for an end that is not asked for here. */
int process_wait(struct process *server);
/* One line through the control socket of test builds, such as "advance 30000". */
void process_control(const struct process *server, const char *line);
/* What time it is there, likewise. */
long long process_now_ms(const struct process *server);
/* `banzuke ARGUMENTS` in the folder, with its output (stderr too); the exit code. */
int process_run(struct process *server, const char *arguments, char *output, size_t size);
/* `banzuke verify` finds no difference, or the test fails. */
void process_verify(struct process *server);
/* One SQL statement by sqlite3 -readonly; the first line of its output. */
void process_sql(struct process *server, const char *sql, char *output, size_t size);
/* Stops and verifies what still runs, removes the folder. */
void process_free(struct process *server);

/* Ends the process with a message, which under Criterion fails the test. From any thread. */
__attribute__((format(printf, 1, 2), noreturn)) void test_fail(const char *format, ...);

/* How much later than it should a machine with other things to do may let something happen: what
 * must have happened by an instant is given so much more. */
enum { TEST_STALL_MS = 30000 };

/* Milliseconds of the monotonic clock. */
long long test_now_ms(void);
void test_pause_ms(long long ms);

#endif
