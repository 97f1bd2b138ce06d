#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE_MS = 60000, ARGUMENTS_MAX = 24, CANNOT_START = 127 };

void test_fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    /* The checker forgets va_start. NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
    abort();
}

long long test_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void test_pause_ms(long long ms)
{
    struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    (void)nanosleep(&pause, NULL);
}

/* As an absolute path: some commands run in another folder. */
static void find_binary(char path[PATH_MAX])
{
    const char *name = getenv("BANZUKE");
    if (name == NULL || realpath(name, path) == NULL) {
        test_fail("BANZUKE does not name the binary: %s", name == NULL ? "unset" : name);
    }
}

struct process *process_folder(void)
{
    struct process *server = calloc(1, sizeof *server);
    if (server == NULL) {
        test_fail("no memory");
    }
    const char *parent = getenv("TMPDIR");
    int length = snprintf(server->folder, sizeof server->folder, "%s/banzuke-test-XXXXXX",
                          parent == NULL ? "/tmp" : parent);
    if (length < 0 || (size_t)length >= sizeof server->folder) {
        test_fail("TMPDIR is too long for the path of a socket: %s", parent);
    }
    if (mkdtemp(server->folder) == NULL) {
        test_fail("no folder: %s", strerror(errno));
    }
    (void)snprintf(server->db, sizeof server->db, "%s/banzuke.db", server->folder);
    (void)snprintf(server->log, sizeof server->log, "%s/log", server->folder);
    return server;
}

/* --- starting ------------------------------------------------------------------------------------
 */

struct command_line {
    char binary[PATH_MAX];
    const char *argv[ARGUMENTS_MAX + 1];
};

static void build_command(const struct process *server, const char *const *arguments,
                          struct command_line *command)
{
    find_binary(command->binary);
    const char *const head[] = {command->binary, "serve",    "--db",
                                server->db,      "--listen", "127.0.0.1:0"};
    size_t count = sizeof head / sizeof head[0];
    memcpy(command->argv, head, sizeof head);
    for (; arguments != NULL && *arguments != NULL; arguments++) {
        if (count == ARGUMENTS_MAX) {
            test_fail("more than %d arguments", ARGUMENTS_MAX);
        }
        command->argv[count++] = *arguments;
    }
    command->argv[count] = NULL;
}

/* Where root runs the tests, permissions bind all the same what this thread starts. */
static void be_bound_by_permissions(void)
{
    (void)prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE);
    (void)prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH);
}

/* In the child. Its parent may have other threads, so only what is safe after fork is called but
 * for setenv, which no other thread of ours calls. */
static void become_server(const struct command_line *command, int log, const char *fault)
{
    be_bound_by_permissions();
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || dup2(log, STDOUT_FILENO) < 0 ||
        dup2(log, STDERR_FILENO) < 0 || (fault != NULL && setenv("BANZUKE_FAULT", fault, 1) != 0)) {
        _exit(CANNOT_START);
    }
    char *argv[ARGUMENTS_MAX + 1];
    memcpy(argv, command->argv, sizeof argv);
    (void)execv(command->binary, argv);
    _exit(CANNOT_START);
}

static void spawn(struct process *server, const char *const *arguments, const char *fault)
{
    struct command_line command;
    build_command(server, arguments, &command);
    int log = open(server->log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0) {
        test_fail("%s: %s", server->log, strerror(errno));
    }
    server->pid = fork();
    if (server->pid < 0) {
        test_fail("fork: %s", strerror(errno));
    }
    if (server->pid == 0) {
        become_server(&command, log, fault);
    }
    (void)close(log);
}

/* The port of the ready line, or 0. */
static int port_in_log(const struct process *server)
{
    char line[4096];
    int port = 0;
    FILE *log = fopen(server->log, "re");
    while (log != NULL && fgets(line, sizeof line, log) != NULL) {
        const char *at = strstr(line, "\"listen\":\"127.0.0.1:");
        if (strstr(line, "\"event\":\"ready\"") != NULL && at != NULL) {
            port = (int)strtol(at + strlen("\"listen\":\"127.0.0.1:"), NULL, 10);
        }
    }
    if (log != NULL) {
        (void)fclose(log);
    }
    return port;
}

static void print_log(const struct process *server)
{
    char line[4096];
    FILE *log = fopen(server->log, "re");
    while (log != NULL && fgets(line, sizeof line, log) != NULL) {
        (void)fputs(line, stderr);
    }
    if (log != NULL) {
        (void)fclose(log);
    }
}

void process_start(struct process *server, const char *const *arguments, const char *fault)
{
    long long until = test_now_ms() + PATIENCE_MS;
    spawn(server, arguments, fault);
    while ((server->port = port_in_log(server)) == 0) {
        int status = 0;
        if (waitpid(server->pid, &status, WNOHANG) != 0 || test_now_ms() > until) {
            print_log(server);
            test_fail("the server did not get ready");
        }
        test_pause_ms(2);
    }
    (void)snprintf(server->origin, sizeof server->origin, "http://127.0.0.1:%d", server->port);
}

struct process *process_new(const char *fault)
{
    struct process *server = process_folder();
    process_start(server, NULL, fault);
    return server;
}

/* --- ending --------------------------------------------------------------------------------------
 */

static int code_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int process_wait(struct process *server)
{
    long long until = test_now_ms() + PATIENCE_MS;
    int status = 0;
    while (waitpid(server->pid, &status, WNOHANG) == 0) {
        if (test_now_ms() > until) {
            process_kill(server);
            print_log(server);
            test_fail("the server did not end");
        }
        test_pause_ms(2);
    }
    server->pid = 0;
    return code_of(status);
}

int process_start_fails(struct process *server, const char *const *arguments)
{
    spawn(server, arguments, NULL);
    return process_wait(server);
}

void process_kill(struct process *server)
{
    int status = 0;
    (void)kill(server->pid, SIGKILL);
    (void)waitpid(server->pid, &status, 0);
    server->pid = 0;
}

int process_stop(struct process *server)
{
    (void)kill(server->pid, SIGTERM);
    return process_wait(server);
}

static void remove_folder(const char *folder)
{
    char command[128];
    (void)snprintf(command, sizeof command, "rm -rf -- '%s'", folder);
    if (system(command) != 0) {
        (void)fprintf(stderr, "%s stays\n", folder);
    }
}

void process_free(struct process *server)
{
    if (server == NULL) {
        return;
    }
    if (server->pid != 0) {
        int code = process_stop(server);
        if (code != 0) {
            print_log(server);
            test_fail("the server ended with %d", code);
        }
        process_verify(server);
    }
    remove_folder(server->folder);
    free(server);
}

/* --- beside it -----------------------------------------------------------------------------------
 */

static void ask_control(const struct process *server, const char *line, char answer[64])
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s.ctl", server->db);
    memset(answer, 0, 64);
    int peer = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (peer < 0 || connect(peer, (struct sockaddr *)&address, sizeof address) != 0 ||
        dprintf(peer, "%s\n", line) < 0 || read(peer, answer, 63) <= 0) {
        test_fail("control socket: %s: %s", line, strerror(errno));
    }
    (void)close(peer);
}

void process_control(const struct process *server, const char *line)
{
    char answer[64];
    ask_control(server, line, answer);
    if (strncmp(answer, "ok", 2) != 0) {
        test_fail("control socket: %s: %s", line, answer);
    }
}

long long process_now_ms(const struct process *server)
{
    char answer[64];
    ask_control(server, "now", answer);
    return strtoll(answer, NULL, 10);
}

static int read_command(const char *command, char *output, size_t size)
{
    char rest[512];
    FILE *pipe = popen(command, "re");
    if (pipe == NULL) {
        test_fail("popen: %s", strerror(errno));
    }
    size_t got = fread(output, 1, size - 1, pipe);
    output[got] = '\0';
    while (fread(rest, 1, sizeof rest, pipe) > 0) {
        /* A reader that left would end the command with SIGPIPE. */
    }
    return code_of(pclose(pipe));
}

int process_run(struct process *server, const char *arguments, char *output, size_t size)
{
    char path[PATH_MAX];
    char command[PATH_MAX + 1024];
    find_binary(path);
    be_bound_by_permissions();
    (void)snprintf(command, sizeof command, "cd '%s' && '%s' %s 2>&1", server->folder, path,
                   arguments);
    return read_command(command, output, size);
}

void process_verify(struct process *server)
{
    char output[2048];
    int code = process_run(server, "verify --db banzuke.db --all", output, sizeof output);
    if (code != 0) {
        test_fail("verify: exit %d\n%s", code, output);
    }
}

void process_sql(struct process *server, const char *sql, char *output, size_t size)
{
    char command[2048];
    (void)snprintf(command, sizeof command, "sqlite3 -readonly '%s' \"%s\"", server->db, sql);
    if (read_command(command, output, size) != 0) {
        test_fail("sqlite3: %s", output);
    }
    output[strcspn(output, "\n")] = '\0';
}
