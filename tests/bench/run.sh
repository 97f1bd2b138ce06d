#!/bin/sh
# Usage: run.sh BUILD_DIR. All figures in one run, each beside its baseline, as one table. Machines
# are noisy: server and baseline take turns and medians are compared. A missed figure is printed as
# missed; the exit code says only whether the run could be made.
set -eu
build=$(realpath "$1")
seconds=${SECONDS_EACH:-4}
folder=$(mktemp -d)
servers=
trap 'kill $servers 2>/dev/null || true; rm -rf "$folder"' EXIT

port_of() { sed -n 's/.*"event":"ready".*127\.0\.0\.1:\([0-9]*\)".*/\1/p' "$1"; }
wait_ready() { for _ in $(seq 500); do grep -q '"ready"' "$1" && return; sleep 0.01; done; cat "$1"; exit 1; }
field() { sed -n "s/.* $1=\([0-9.]*\).*/\1/p"; }
median() { sort -n | sed -n 2p; }
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b > 0) ? a / b : 0 }'; }
met() { awk "BEGIN { print ($1) ? \"met\" : \"missed\" }"; }
row() { printf '%-44s %14s %14s %8s %12s  %s\n' "$@"; }

begin=$(date +%s%N)
"$build/banzuke" serve --db "$folder/a.db" --listen 127.0.0.1:0 --log off \
    --turn-seconds 30,60,3600 2>"$folder/a.log" &
pid=$!
servers="$servers $pid"
while ! grep -q '"ready"' "$folder/a.log"; do :; done
ready_ms=$(( ($(date +%s%N) - begin) / 1000000 ))
sleep 2
rss_kib=$(sed -n 's/VmRSS:[[:space:]]*\([0-9]*\).*/\1/p' "/proc/$pid/status")
mkfifo "$folder/open" && sleep 100000 >"$folder/open" &
servers="$servers $!"
sleep 0.2
"$build/bench/bare" <"$folder/open" 2>"$folder/bare.log" &
servers="$servers $!"
wait_ready "$folder/bare.log"
a=$(port_of "$folder/a.log") bare=$(port_of "$folder/bare.log")

for round in 1 2 3; do
    "$build/bench/load" -P "$a" -s "$seconds" moves >>"$folder/moves"
    "$build/bench/load" -P "$bare" -s "$seconds" post-constant >>"$folder/post"
    "$build/bench/load" -P "$a" -s "$seconds" snapshot >>"$folder/snapshot"
    "$build/bench/load" -P "$bare" -s "$seconds" get /v1/games/x >>"$folder/get"
done
moves=$(field rps <"$folder/moves" | median) moves_p99=$(field p99_ms <"$folder/moves" | median)
post=$(field rps <"$folder/post" | median)
snapshot=$(field rps <"$folder/snapshot" | median) get=$(field rps <"$folder/get" | median)

row figure measured baseline ratio target ''
r=$(ratio "$moves" "$post")
row 'durable moves/s, 64 connections, FULL' "$moves" "$post bare" "$r" '>= 0.40' "$(met "$r >= 0.4")"
row '  p99, ms' "$moves_p99" - - '< 25' "$(met "$moves_p99 < 25")"
row 'GET /v1/games/{id} per s' "$snapshot" "$get bare" "$(ratio "$snapshot" "$get")" printed ''
row 'idle server, KiB resident' "$rss_kib" - - '< 20480' "$(met "$rss_kib < 20480")"
row 'start to ready on an empty folder, ms' "$ready_ms" - - '< 100' "$(met "$ready_ms < 100")"
echo
BANZUKE="$build/banzuke" "$build/bench/rank"
echo
"$build/bench/perft"
