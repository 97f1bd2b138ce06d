/*
 * What the HTTP library alone can do here: the server's own settings, no routes, no database. Reads
 * a request's body and answers a constant text, as long as the answer to a move for a POST and as
 * long as a ranking entry with its neighbours for a GET. Serves 127.0.0.1 at any free port, says
 * which in the form of the server's ready line, and ends with its standard input.
 *
 * Threads: the library's. Ownership: nothing outlives main.
 */

#include <arpa/inet.h>
#include <assert.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    IDLE_SECONDS = 10,
    POOL_BYTES = 16 * 1024,
    CONNECTIONS_MAX = 1024,
    THREADS_MIN = 2,
    POST_BYTES = 590,
    GET_BYTES = 2048,
};

struct bare {
    char post[POST_BYTES + 1];
    char get[GET_BYTES + 1];
};

static struct MHD_Daemon *start(struct bare *bare, int fd, unsigned threads);
static int listen_anywhere(unsigned *port);
static unsigned thread_count(const char *text);
static void fill(char *text, size_t size);

int main(int count, char **arguments)
{
    struct bare bare;
    unsigned port = 0;
    char byte;
    const int fd = listen_anywhere(&port);
    struct MHD_Daemon *daemon = NULL;

    fill(bare.post, POST_BYTES);
    fill(bare.get, GET_BYTES);
    if (fd >= 0) {
        daemon = start(&bare, fd, thread_count(count > 1 ? arguments[1] : NULL));
    }
    if (daemon == NULL) {
        (void)fputs("bare: cannot serve\n", stderr);
        return EXIT_FAILURE;
    }
    (void)fprintf(stderr, "{\"event\":\"ready\",\"listen\":\"127.0.0.1:%u\"}\n", port);
    while (read(STDIN_FILENO, &byte, 1) > 0) {
        /* Whatever it says. */
    }
    MHD_stop_daemon(daemon);
    return EXIT_SUCCESS;
}

/* A JSON object of exactly this size. */
static void fill(char *text, size_t size)
{
    const int head = snprintf(text, size, "{\"text\":\"");
    assert(head > 0 && (size_t)head + 2 < size);
    memset(text + head, 'x', size - (size_t)head - 2);
    memcpy(text + size - 2, "\"}", sizeof "\"}");
}

static unsigned thread_count(const char *text)
{
    const long wanted = text == NULL ? sysconf(_SC_NPROCESSORS_ONLN) : strtol(text, NULL, 10);
    return wanted < THREADS_MIN ? THREADS_MIN : (unsigned)wanted;
}

static int listen_anywhere(unsigned *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 &&
        (bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, SOMAXCONN) != 0 ||
         getsockname(fd, (struct sockaddr *)&address, &size) != 0)) {
        close(fd);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return fd;
}

static enum MHD_Result answer(struct MHD_Connection *connection, struct bare *bare, bool post)
{
    char *text = post ? bare->post : bare->get;
    struct MHD_Response *response =
        MHD_create_response_from_buffer(strlen(text), text, MHD_RESPMEM_PERSISTENT);
    if (response == NULL) {
        return MHD_NO;
    }
    enum MHD_Result result = MHD_add_response_header(response, "Content-Type", "application/json");
    if (result == MHD_YES) {
        result = MHD_queue_response(connection, post ? MHD_HTTP_CREATED : MHD_HTTP_OK, response);
    }
    MHD_destroy_response(response);
    return result;
}

/* The library's signature. NOLINTNEXTLINE(readability-function-size) */
static enum MHD_Result on_access(void *context, struct MHD_Connection *connection, const char *path,
                                 const char *method, const char *version, const char *upload,
                                 size_t *upload_size, void **request_context)
{
    (void)path;
    (void)version;
    (void)upload;
    if (*request_context == NULL) {
        *request_context = context;
        return MHD_YES;
    }
    if (*upload_size > 0) {
        *upload_size = 0;
        return MHD_YES;
    }
    return answer(connection, context, strcmp(method, MHD_HTTP_METHOD_POST) == 0);
}

static struct MHD_Daemon *start(struct bare *bare, int fd, unsigned threads)
{
    const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
                           MHD_USE_ERROR_LOG | MHD_USE_TURBO;
    assert(bare != NULL && threads >= THREADS_MIN);
    return MHD_start_daemon(flags, 0, NULL, NULL, on_access, bare, MHD_OPTION_LISTEN_SOCKET, fd,
                            MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_CONNECTION_TIMEOUT,
                            (unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
                            (size_t)POOL_BYTES, MHD_OPTION_CONNECTION_LIMIT,
                            (unsigned)CONNECTIONS_MAX, MHD_OPTION_END);
}
