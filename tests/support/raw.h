#ifndef TESTS_SUPPORT_RAW_H
#define TESTS_SUPPORT_RAW_H

/*
 * Bytes to a port and bytes back, for requests that no HTTP library would send.
 *
 * Threads: a connection belongs to one thread. Ownership: raw_open/raw_close.
 */

#include <stdbool.h>
#include <stddef.h>

enum { RAW_ANSWER_MAX = 64 * 1024 };

struct raw_answer {
    size_t length;
    bool closed; /* by the server, within the time */
    long long took_ms;
    char text[RAW_ANSWER_MAX + 1]; /* NUL-terminated; what came after RAW_ANSWER_MAX is dropped */
};

/* A connected socket to 127.0.0.1. */
int raw_open(int port);
/* The same with so little room for what is received; 0: as it is. */
int raw_open_with(int port, int receive_bytes);
void raw_close(int fd);
/* False: the server took no more of it. */
bool raw_send(int fd, const char *bytes, size_t length);
/* Says that no more bytes follow. */
void raw_end(int fd);
/* Reads until the server closes or the time is over. */
void raw_read(int fd, long long patience_ms, struct raw_answer *answer);
/* Reads until this has come, the server closes or it is too long in coming. */
void raw_read_until(int fd, const char *text, struct raw_answer *answer);
/* Reads until so many answers are whole, the server closes or they are too long in coming. None of
 * the answers is to a HEAD or in chunks. */
void raw_read_answers(int fd, unsigned count, struct raw_answer *answer);

/* The status of the first answer; 0: there is none, or it is no HTTP. */
long raw_status(const struct raw_answer *answer);
/* How many answers there are: status lines at the start or after a body. */
unsigned raw_answers(const struct raw_answer *answer);
/* Reads a file of at most `size` bytes; its length. */
size_t raw_file(const char *path, char *bytes, size_t size);

#endif
