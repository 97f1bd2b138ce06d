#!/bin/sh
# The release build as an operator meets it: starts in an empty folder, answers, keeps its memory to
# itself, stops, verifies.
set -eu
unset MAKEFLAGS # of the make that runs this: what it makes has its own processes
make -s -j"$(nproc)" MODE=release all
here=$(pwd)
folder=$(mktemp -d)
trap 'kill "$pid" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
# Also where root runs this, whoever looks on may not do so by privilege.
plain='setpriv --bounding-set=-sys_ptrace --inh-caps=-sys_ptrace'
: >log # there before anybody looks into it
$plain "$here/build/release/banzuke" serve --listen 127.0.0.1:0 2>log &
pid=$!
for _ in $(seq 600); do grep -q '"ready"' log && break; sleep 0.05; done
origin=http://$(sed -n 's/.*"event":"ready".*"listen":"\([^"]*\)".*/\1/p' log)
curl -fsS "$origin/readyz" | grep -q '"ok"'
curl -fsS -X POST "$origin/v1/devices" | jq -e .token >/dev/null
test ! -e banzuke.db.ctl
test "$(stat -c %a banzuke.db.key)" = 600

# The key is in its memory: nobody may look into it, and no core file is written.
$plain sleep 60 &
sleep 0.3
$plain readlink "/proc/$!/cwd" >/dev/null
kill "$!"
if $plain readlink "/proc/$pid/cwd" >/dev/null; then
    echo 'others may look into the process' >&2
    exit 1
fi

kill -TERM "$pid" && wait "$pid"
"$here/build/release/banzuke" verify

# What the benchmarks fill files with keeps up with the schema.
make -s -C "$here" -j"$(nproc)" MODE=release build/release/bench/fill
: >fill.log
"$here/build/release/banzuke" serve --db filled.db --listen 127.0.0.1:0 2>fill.log &
pid=$!
for _ in $(seq 600); do grep -q '"ready"' fill.log && break; sleep 0.05; done
kill -TERM "$pid" && wait "$pid"
"$here/build/release/bench/fill" filled.db 1000 1000
