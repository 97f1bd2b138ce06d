#include "gzip.h"

#include <assert.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <zlib.h>

/* As measured on our own answers. Level 3 is the last one that does not look for better matches: 7
 * us for a snapshot of 1 KB, 27 us for 50 rows of a ranking, and level 6 takes twice as long to
 * save a tenth. A window of 8 KiB is as good as one of 32 for bodies of this size, and its tables
 * come from the heap at hand, where the standard ones cost 45 us of fresh pages for every answer.
 */
enum {
    LEVEL = 3,
    WINDOW_BITS = 13,
    MEMORY_LEVEL = 6,
    GZIP_FRAME = 16, /* added to the window's bits: with gzip's head and checksum */
};

static bool deflate_whole(z_stream *stream, const char *bytes, size_t length, char *packed)
{
    /* zlib reads through this pointer only. */
    union {
        const char *bytes;
        Bytef *in;
    } source = {.bytes = bytes};
    stream->next_in = source.in;
    stream->avail_in = (uInt)length;
    stream->next_out = (Bytef *)packed;
    stream->avail_out = (uInt)length - 1;
    return deflate(stream, Z_FINISH) == Z_STREAM_END;
}

char *gzip_pack(const char *bytes, size_t length, size_t *packed_length)
{
    assert(bytes != NULL && length > 0 && length <= UINT_MAX && packed_length != NULL);
    z_stream stream = {.zalloc = Z_NULL};
    char *packed = malloc(length);
    if (packed == NULL) {
        return NULL;
    }
    if (deflateInit2(&stream, LEVEL, Z_DEFLATED, GZIP_FRAME + WINDOW_BITS, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        free(packed);
        return NULL;
    }
    bool whole = deflate_whole(&stream, bytes, length, packed);
    *packed_length = stream.total_out;
    (void)deflateEnd(&stream);
    if (!whole) {
        free(packed);
        return NULL;
    }
    return packed;
}
