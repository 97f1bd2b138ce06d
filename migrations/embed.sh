#!/bin/sh
# Turns files into C on stdout: numbered migrations with their SHA-256, or (--text NAME FILE) one
# document as `const unsigned char NAME[]` with its length.
set -eu

bytes() { od -An -v -tx1 "$1" | sed 's/ \([0-9a-f][0-9a-f]\)/0x\1,/g'; }

if [ "${1-}" = --text ]; then
    printf '#include <stddef.h>\n'
    printf 'extern const unsigned char %s[];\nextern const size_t %s_length;\n' "$2" "$2"
    printf 'const unsigned char %s[] = {\n' "$2"
    bytes "$3"
    printf '0};\nconst size_t %s_length = sizeof %s - 1;\n' "$2" "$2"
    exit 0
fi

printf '#include "db/migrations.h"\n'
for f in "$@"; do
    n=$(basename "$f" .sql | sed 's/_.*//')
    printf 'static const char sql_%s[] = {\n' "$n"
    bytes "$f"
    printf '0};\n'
done
printf 'const struct migration migrations[] = {\n'
for f in "$@"; do
    name=$(basename "$f" .sql)
    n=${name%%_*}
    sum=$(sha256sum "$f" | cut -c1-64)
    printf '    {%d, "%s", "%s", sql_%s},\n' "$(echo "$n" | sed 's/^0*//')" "$name" "$sum" "$n"
done
printf '};\nconst size_t migration_count = sizeof migrations / sizeof migrations[0];\n'
