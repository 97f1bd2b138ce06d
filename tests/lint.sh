#!/bin/sh
# Everything that can be said about the sources without running them. Prints what is wrong and exits
# non-zero at the end, so that one run shows all of it.
set -u
unset MAKEFLAGS # of the make that runs this: what it makes has its own processes
failed=0
fail() { printf '%s\n' "$*" >&2; failed=1; }
sources() {
    find api match engine ratings db tests -name node_modules -prune -o -name "$1" -print | sort
}

# --- layers: api -> match -> { engine, ratings, db }; db sees nothing above or beside it
layer() { # layer FOLDER FORBIDDEN-REGEX
    grep -nE "#include \"($2)/" "$1"/*.c "$1"/*.h && fail "lint: $1/ includes what it must not"
}
layer engine 'api|match|ratings|db|tests'
layer ratings 'api|match|engine|db|tests'
layer db 'api|match|engine|ratings|tests'
layer match 'api|tests'
grep -nE '#include "db/' api/*.c api/*.h | grep -vE '^api/(main|cli_[a-z]+)\.c:' &&
    fail 'lint: in api/ only main.c and cli_*.c include db/'

# --- fences: one library, few files
fence() { # fence HEADER ALLOWED-REGEX
    grep -rnE "#include <$1>" api match engine ratings db | grep -vE "^($2):" &&
        fail "lint: <$1> outside its fence"
}
fence 'microhttpd\.h' 'api/(server[a-z_]*|framing|deadlines|stream)\.[ch]'
fence 'jansson\.h' 'api/json_[a-z_]+\.[ch]'
fence 'sqlite3\.h' 'db/[a-z_]+\.[ch]'
fence 'zlib\.h' 'api/gzip\.[ch]|match/secrets\.c'
fence 'sodium\.h' 'match/(secrets|ids|env)[a-z_]*\.[ch]'

# --- the rules of our own that no tool knows
grep -nE 'sqlite3_exec|sqlite3_mprintf' db/*.c | grep -vE '^db/(migrate|sqlite)[a-z_]*\.c:' &&
    fail 'lint: SQL is prepared, never put together'
grep -rnE 'CURRENT_TIMESTAMP|unixepoch\(\)|datetime\(.now' migrations/*.sql db && fail 'lint: db never reads the clock'
grep -rnE '(^|[^_a-z])(clock_gettime|gettimeofday|time)\(' match engine ratings |
    grep -vE '^match/(env|ticker)\.c:' && fail 'lint: time is injected'
for f in $(find api match engine ratings db -name '*.[ch]'); do
    n=$(wc -l <"$f")
    [ "$n" -le 500 ] || fail "lint: $f has $n lines (500 at most)"
done
if nm "${BUILD:-build/debug}/banzuke" 2>/dev/null | grep -q MHD_create_post_processor; then
    fail 'lint: the form parser of libmicrohttpd must not be linked in'
fi

# --- headers stand alone
for h in $(sources '*.h'); do
    echo "#include \"$h\"" | ${CC:-gcc} -std=c17 -D_DEFAULT_SOURCE -I. -Wall -Wextra -Werror -x c \
        -fsyntax-only - || fail "lint: $h does not compile alone"
done

# --- both compilers, warnings are errors
for cc in gcc clang; do
    make -s -j"$(nproc)" MODE=debug CC=$cc WERROR=-Werror B=build/lint-$cc lint-objects || fail "lint: $cc"
done
# Optimized, a compiler sees more; the contract and the smoke test take what this builds.
make -s -j"$(nproc)" MODE=release WERROR=-Werror all || fail 'lint: gcc, optimized'

clang-format --dry-run --Werror $(sources '*.[ch]') || fail 'lint: clang-format'

printf '%s\n' $(sources '*.c') | xargs -P "$(nproc)" -n 4 sh -c '
    clang-tidy --quiet "$@" -- -std=c17 -D_DEFAULT_SOURCE -DBANZUKE_TESTING -I. 2>/dev/null' sh ||
    fail 'lint: clang-tidy'

cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,portability --inline-suppr \
    --suppress=missingIncludeSystem -I. -j "$(nproc)" api match engine ratings db ||
    fail 'lint: cppcheck'

mandoc -T lint -W warning api/banzuke.1 || fail 'lint: mandoc'

[ "$failed" = 0 ] && echo 'lint: clean'
exit "$failed"
