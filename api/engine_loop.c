#include "engine_loop.h"

#include "config.h"
#include "json_engine.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char too_long[] =
    "{\"error\":{\"code\":\"malformed-json\",\"detail\":\"a line over 512 KiB\"}}";

/* A line with its bytes, also the zeros, so that nothing behind one goes unread. Of a longer line
 * than there is room for, `length` is all the same the true one. */
struct line {
    char *bytes;
    size_t length;
};

/* False: nothing is left. The last line may lack its end. */
static bool read_line(FILE *in, struct line *line)
{
    int byte = getc(in);
    if (byte == EOF) {
        return false;
    }
    line->length = 0;
    for (; byte != EOF && byte != '\n'; byte = getc(in)) {
        if (line->length < ENGINE_LINE_MAX) {
            line->bytes[line->length] = (char)byte;
        }
        line->length++;
    }
    return true;
}

/* 0, or the exit code. */
static int answer_line(const struct line *line, FILE *out)
{
    assert(line->bytes != NULL);
    bool fits = line->length <= ENGINE_LINE_MAX;
    char *answer = fits ? engine_answer(line->bytes, line->length) : strdup(too_long);
    if (answer == NULL) {
        return EXIT_INTERNAL;
    }
    bool written = fputs(answer, out) >= 0 && putc('\n', out) != EOF && fflush(out) == 0;
    free(answer);
    return written ? 0 : EXIT_STORAGE_IO;
}

int engine_loop(FILE *in, FILE *out)
{
    assert(in != NULL && out != NULL);
    struct line line = {malloc(ENGINE_LINE_MAX), 0};
    int code = line.bytes == NULL ? EXIT_INTERNAL : 0;
    while (code == 0 && read_line(in, &line)) {
        code = answer_line(&line, out);
    }
    free(line.bytes);
    return code == 0 && ferror(in) ? EXIT_STORAGE_IO : code;
}
