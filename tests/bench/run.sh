#!/bin/sh
# Usage: run.sh BUILD_DIR. All figures in one run, each beside its baseline, as one table. Machines
# are noisy: server and baseline take turns and medians are compared; beside rates stands the
# processor time of a request, which a busy neighbour disturbs less. A missed figure is printed as
# missed; the exit code says only whether the run could be made.
set -eu
build=$(realpath "$1")
seconds=${SECONDS_EACH:-4}
folder=$(mktemp -d)
servers=
trap 'kill $servers 2>/dev/null || true; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

port_of() { sed -n 's/.*"event":"ready".*127\.0\.0\.1:\([0-9]*\)".*/\1/p' "$1"; }
wait_ready() {
    for _ in $(seq 500); do grep -q '"ready"' "$1" && return; sleep 0.01; done
    cat "$1" >&2
    exit 1
}
median() { sed -n "s/.* $2=\([0-9.]*\).*/\1/p" "$folder/$1" | sort -n | sed -n 2p; } # FILE FIELD
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b > 0) ? a / b : 0 }'; }
met() { awk "BEGIN { print ($1) ? \"met\" : \"missed\" }"; }
row() { printf '%-42s %14s %14s %8s %10s  %s\n' "$@"; }
start() { # start NAME LOG: a server on NAME.db; sets $pid
    "$build/banzuke" serve --db "$folder/$1.db" --listen 127.0.0.1:0 --log "$2" \
        --turn-seconds 30,60,3600 2>"$folder/$1.log" &
    pid=$!
    servers="$servers $pid"
}
load() { # load FILE PORT PID WHAT...
    file=$1 port=$2 of=$3
    shift 3
    "$build/bench/load" -P "$port" -S "$of" -s "$seconds" "$@" >>"$folder/$file"
}

# --- one server without and one with a line for every request, and the bare library

for i in 1 2 3; do
    begin=$(date +%s%N)
    start "s$i" off
    while ! grep -q '"ready"' "$folder/s$i.log"; do :; done
    echo " ms=$(( ($(date +%s%N) - begin) / 1000000 ))" >>"$folder/ready"
done
quiet_pid=$pid quiet=$(port_of "$folder/s3.log")
sleep 3
idle_kib=$(sed -n 's/VmRSS:[[:space:]]*\([0-9]*\).*/\1/p' "/proc/$quiet_pid/status")
start logged requests
logged_pid=$pid
mkfifo "$folder/open"
sleep 100000 >"$folder/open" &
servers="$servers $!"
"$build/bench/bare" <"$folder/open" 2>"$folder/bare.log" &
bare_pid=$!
servers="$servers $bare_pid"
wait_ready "$folder/bare.log"
wait_ready "$folder/logged.log"
logged=$(port_of "$folder/logged.log") bare=$(port_of "$folder/bare.log")

for round in 1 2 3; do
    echo "bench: round $round of 3" >&2
    load moves "$quiet" "$quiet_pid" moves
    load post "$bare" "$bare_pid" post-constant
    load logged "$logged" "$logged_pid" moves
    load snapshot "$quiet" "$quiet_pid" snapshot
    load get "$bare" "$bare_pid" get /v1/games/x
done
kill $servers 2>/dev/null || true
wait 2>/dev/null || true
servers=
echo 'bench: a million players' >&2
BANZUKE="$build/banzuke" "$build/bench/rank" >"$folder/rank"

# --- the table

against() { # against FIGURE FILE BASELINE_FILE TARGET [RATIO_MIN]
    rate=$(median "$2" rps) base=$(median "$3" rps)
    r=$(ratio "$rate" "$base")
    row "$1, per s" "$rate" "$base" "$r" "$4" "${5:+$(met "$r >= ${5:-0}")}"
    row '  us of processor time each' "$(median "$2" cpu_us)" "$(median "$3" cpu_us)" \
        "$(ratio "$(median "$2" cpu_us)" "$(median "$3" cpu_us)")" printed ''
}
errors=$(cat "$folder/moves" "$folder/logged" "$folder/snapshot" "$folder/post" "$folder/get" |
    sed -n 's/.* errors=\([0-9]*\) dry=\([0-9]*\).*/\1 \2/p' | awk '{ n += $1 + $2 } END { print n }')
p99=$(median moves p99_ms)
row figure measured baseline ratio target ''
against 'durable moves (64 conns) : bare POST' moves post '>= 0.40' 0.4
row '  p99, ms' "$p99" "$(median post p99_ms)" - '< 25' "$(met "$p99 < 25")"
against 'the same, with a request log : bare' logged post printed
against 'GET /v1/games/{id} : bare GET' snapshot get printed
row 'wrong answers in all of these' "$errors" - - 0 "$(met "$errors == 0")"
while IFS='|' read -r figure measured base r target verdict; do
    row "$figure" "$measured" "$base" "$r" "$target" "$verdict"
done <"$folder/rank"
row 'idle server, KiB resident' "$idle_kib" - - '< 20480' "$(met "$idle_kib < 20480")"
ready=$(median ready ms)
row 'start to ready on an empty folder, ms' "$ready" - - '< 100' "$(met "$ready < 100")"
echo
"$build/bench/perft"
