#include "bitboard.h"

/* The tables are written out by the preprocessor, so that they are constants of the program and
 * need neither a generator nor a moment of initialisation. */

#define EMPTY(o, i) (UINT64_C(1) ^ ((o) >> (i)&UINT64_C(1)))

/* Empty squares in a row above square i, and below it: "this one, and if so the next as well". */
#define UP8(o) UINT64_C(0)
#define UP7(o) EMPTY(o, 8)
#define UP6(o) (EMPTY(o, 7) * (1 + UP7(o)))
#define UP5(o) (EMPTY(o, 6) * (1 + UP6(o)))
#define UP4(o) (EMPTY(o, 5) * (1 + UP5(o)))
#define UP3(o) (EMPTY(o, 4) * (1 + UP4(o)))
#define UP2(o) (EMPTY(o, 3) * (1 + UP3(o)))
#define UP1(o) (EMPTY(o, 2) * (1 + UP2(o)))
#define UP0(o) (EMPTY(o, 1) * (1 + UP1(o)))

#define DOWN0(o) UINT64_C(0)
#define DOWN1(o) EMPTY(o, 0)
#define DOWN2(o) (EMPTY(o, 1) * (1 + DOWN1(o)))
#define DOWN3(o) (EMPTY(o, 2) * (1 + DOWN2(o)))
#define DOWN4(o) (EMPTY(o, 3) * (1 + DOWN3(o)))
#define DOWN5(o) (EMPTY(o, 4) * (1 + DOWN4(o)))
#define DOWN6(o) (EMPTY(o, 5) * (1 + DOWN5(o)))
#define DOWN7(o) (EMPTY(o, 6) * (1 + DOWN6(o)))
#define DOWN8(o) (EMPTY(o, 7) * (1 + DOWN7(o)))

#define FREE(o)                                                                                    \
    ((UP0(o) + DOWN0(o)) | (UP1(o) + DOWN1(o)) << 4 | (UP2(o) + DOWN2(o)) << 8 |                   \
     (UP3(o) + DOWN3(o)) << 12 | (UP4(o) + DOWN4(o)) << 16 | (UP5(o) + DOWN5(o)) << 20 |           \
     (UP6(o) + DOWN6(o)) << 24 | (UP7(o) + DOWN7(o)) << 28 | (UP8(o) + DOWN8(o)) << 32)

#define FIELD(o, i) (((o) >> (i)&UINT64_C(1)) * 15 << 4 * (i))
#define SPREAD(o)                                                                                  \
    (FIELD(o, 0) | FIELD(o, 1) | FIELD(o, 2) | FIELD(o, 3) | FIELD(o, 4) | FIELD(o, 5) |           \
     FIELD(o, 6) | FIELD(o, 7) | FIELD(o, 8))

#define TIMES_2(entry, n) entry((n)), entry((n) + 1)
#define TIMES_8(entry, n)                                                                          \
    TIMES_2(entry, n), TIMES_2(entry, (n) + 2), TIMES_2(entry, (n) + 4), TIMES_2(entry, (n) + 6)
#define TIMES_32(entry, n)                                                                         \
    TIMES_8(entry, n), TIMES_8(entry, (n) + 8), TIMES_8(entry, (n) + 16), TIMES_8(entry, (n) + 24)
#define TIMES_128(entry, n)                                                                        \
    TIMES_32(entry, n), TIMES_32(entry, (n) + 32), TIMES_32(entry, (n) + 64),                      \
        TIMES_32(entry, (n) + 96)
#define TIMES_512(entry)                                                                           \
    TIMES_128(entry, 0), TIMES_128(entry, 128), TIMES_128(entry, 256), TIMES_128(entry, 384)

const uint64_t line_free[LINE_FULL + 1] = {TIMES_512(FREE)};
const uint64_t line_spread[LINE_FULL + 1] = {TIMES_512(SPREAD)};
