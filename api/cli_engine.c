#include "cli.h"
#include "config.h"
#include "json_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES_MAX = 512 * 1024 };

static const char help[] =
    "usage: banzuke engine\n"
    "\n"
    "Answers questions about the rules: one JSON object a line on stdin, one answer object a line\n"
    "on stdout, in order. A bad line gets an error object and the next one is read.\n"
    "\n"
    "  {\"op\":\"legal\",\"game\":\"hasami\"}\n"
    "      -> {\"moves\":[...]}                     also: position, options, moves (played first)\n"
    "  {\"op\":\"play\",\"game\":\"hasami\",\"moves\":[\"5i5e\"]}\n"
    "      -> {\"positions\",\"captured\",\"eliminations\",\"end\"}   also: position, options\n"
    "  {\"op\":\"perft\",\"game\":\"hasami\",\"depth\":3}\n"
    "      -> {\"nodes\"}                           also: position, options\n"
    "\n"
    "exit: 0 at the end of the input, 64 usage, 70 no memory\n";

static void skip_line(FILE *in)
{
    int byte = 0;
    while ((byte = getc(in)) != EOF && byte != '\n') {
    }
}

/* The length of the next line, or -1 at the end. A line over the limit is cut and skipped. */
static long next_line(FILE *in, char *line, bool *too_long)
{
    *too_long = false;
    if (fgets(line, LINE_BYTES_MAX, in) == NULL) {
        return -1;
    }
    size_t length = strlen(line);
    if (length > 0 && line[length - 1] == '\n') {
        return (long)length - 1;
    }
    if (length == LINE_BYTES_MAX - 1) {
        *too_long = true;
        skip_line(in);
    }
    return (long)length;
}

static bool answer_line(const char *line, size_t length, bool too_long)
{
    if (too_long) {
        (void)puts("{\"error\":{\"code\":\"malformed-json\",\"detail\":\"a line over 512 KiB\"}}");
        return true;
    }
    char *answer = engine_answer(line, length);
    if (answer == NULL) {
        return false;
    }
    (void)puts(answer);
    free(answer);
    return true;
}

int cli_engine(int argc, char **argv)
{
    bool too_long = false;
    long length = 0;
    if (argc > 1) {
        bool helped = strcmp(argv[1], "--help") == 0 && argc == 2;
        (void)fputs(help, helped ? stdout : stderr);
        return helped ? 0 : EXIT_USAGE;
    }
    char *line = malloc(LINE_BYTES_MAX);
    bool going = line != NULL;
    while (going && (length = next_line(stdin, line, &too_long)) >= 0) {
        going = answer_line(line, (size_t)length, too_long);
        (void)fflush(stdout); /* a bot waits for it */
    }
    free(line);
    return going ? 0 : EXIT_INTERNAL;
}
