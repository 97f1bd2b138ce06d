#include "api/gzip.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Unpacks and compares. */
static void expect_same(const char *packed, size_t packed_length, const char *bytes, size_t length)
{
    z_stream stream = {.zalloc = Z_NULL};
    unsigned char *copy = malloc(packed_length);
    unsigned char *out = malloc(length + 1);
    cr_assert(copy != NULL && out != NULL);
    memcpy(copy, packed, packed_length);
    cr_assert_eq(inflateInit2(&stream, 16 + MAX_WBITS), Z_OK);
    stream.next_in = copy;
    stream.avail_in = (uInt)packed_length;
    stream.next_out = out;
    stream.avail_out = (uInt)length + 1;
    cr_expect_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
    cr_expect_eq(stream.total_out, length);
    cr_expect_eq(stream.avail_in, 0);
    cr_expect(memcmp(out, bytes, length) == 0);
    (void)inflateEnd(&stream);
    free(copy);
    free(out);
}

Test(gzip, what_is_packed_unpacks_to_the_same)
{
    enum { LONGEST = 200000 };
    static const size_t lengths[] = {200, 1024, 1025, 8192, 8193, 40000, LONGEST};
    char *text = malloc(LONGEST);
    cr_assert_not_null(text);
    for (size_t i = 0; i < LONGEST; i++) {
        text[i] = "{\"ply\":1,\"move\":\"5i5e\"}"[(i + i / 37) % 22];
    }
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        size_t packed_length = 0;
        char *packed = gzip_pack(text, lengths[i], &packed_length);
        cr_assert_not_null(packed, "%zu", lengths[i]);
        cr_expect_lt(packed_length, lengths[i]);
        expect_same(packed, packed_length, text, lengths[i]);
        free(packed);
    }
    free(text);
}

Test(gzip, what_would_not_get_shorter_is_left_alone)
{
    enum { LENGTH = 3000 };
    char noise[LENGTH];
    uint32_t state = 1;
    size_t packed_length = 0;
    for (size_t i = 0; i < LENGTH; i++) {
        state = state * 1664525 + 1013904223;
        noise[i] = (char)(state >> 24);
    }
    cr_expect_null(gzip_pack(noise, LENGTH, &packed_length));
    cr_expect_null(gzip_pack("a", 1, &packed_length));
    cr_expect_null(gzip_pack("aaaa", 4, &packed_length));
}
