#ifndef API_LOG_H
#define API_LOG_H

/*
 * The log: one JSON object a line, one write a line, so that lines of several threads (and of an
 * O_APPEND file) never mix. Whatever comes from outside goes through one escaper and is cut off at
 * LOG_FIELD_MAX bytes; tokens and keys are never given to this module.
 *
 * Threads: a logger is constant and may be used from any thread; a line belongs to one.
 * Ownership: all caller-owned values; the file descriptor is borrowed.
 */

#include <stddef.h>
#include <stdint.h>

enum {
    LOG_LINE_MAX = 4096,
    LOG_FIELD_MAX = 256, /* bytes of a foreign text that are looked at */
};

enum log_level {
    LOG_REQUESTS_OFF,    /* only the life of the process: start, ready, stop, failures */
    LOG_REQUESTS_ERRORS, /* and requests that failed for a reason of ours (5xx) */
    LOG_REQUESTS_ALL,
};

struct logger {
    int fd;
    enum log_level level;
};

struct log_line {
    size_t length;
    char text[LOG_LINE_MAX];
};

/* Starts a line: {"event":...,"at":...}. Keys and events are static text of ours. */
void log_begin(struct log_line *line, const char *event, int64_t at_ms);
/* Adds a member; a member that does not fit is left out. */
void log_text(struct log_line *line, const char *key, const char *text);
void log_bytes(struct log_line *line, const char *key, const char *text, size_t length);
void log_integer(struct log_line *line, const char *key, int64_t value);
void log_null(struct log_line *line, const char *key);
/* Ends the line and writes it. */
void log_write(const struct logger *logger, struct log_line *line);

/* A line of one text. */
void log_event(const struct logger *logger, const char *event, int64_t at_ms, const char *text);

#endif
