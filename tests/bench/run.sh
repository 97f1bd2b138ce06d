#!/bin/sh
# Usage: run.sh BUILD_DIR. All figures in one run, each beside its baseline, as one table. Machines
# are noisy: server and baseline take turns and medians are compared; beside rates stands the
# processor time of a request, which a busy neighbour disturbs less. A missed figure is printed as
# MISSED; the exit code says only whether the run could be made.
set -eu
build=$(realpath "$1")
here=$(dirname "$0")
seconds=${SECONDS_EACH:-4}
many=1000000 few=10000
folder=$(mktemp -d)
servers=
trap 'kill $servers 2>/dev/null || true; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

port_of() { sed -n 's/.*"event":"ready".*127\.0\.0\.1:\([0-9]*\)".*/\1/p' "$1"; }
wait_ready() {
    for _ in $(seq 1000); do grep -qs '"ready"' "$1" && return; sleep 0.01; done
    cat "$1" >&2
    exit 1
}
median() { sed -n "s/.* $2=\([0-9.]*\).*/\1/p" "$folder/$1" | sort -n | sed -n 2p; } # FILE FIELD
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b > 0) ? a / b : 0 }'; }
met() { awk "BEGIN { print ($1) ? \"met\" : \"MISSED\" }"; }
row() { printf '%-46s %10s %10s %8s %10s  %s\n' "$@"; }
start() { # start NAME DB OPTION...: a server on DB that logs to NAME.log; sets $pid
    name=$1 db=$2
    shift 2
    "$build/banzuke" serve --db "$db" --listen 127.0.0.1:0 --turn-seconds 30,60,3600 "$@" \
        2>"$folder/$name.log" &
    pid=$!
    servers="$servers $pid"
}
load() { # load FILE PORT PID WHAT...
    file=$1 port=$2 of=$3
    shift 3
    "$build/bench/load" -P "$port" -S "$of" -s "$seconds" "$@" >>"$folder/$file"
}
watch() { # watch FILE OPTION...: streams and moves in the games that they watch
    file=$1
    shift
    "$build/bench/streams" -P "$streams_port" -S "$streams_pid" "$@" >>"$folder/$file"
}
# On a server of its own, for what it has in memory from before would count. Players are made one after
# the other: what runs beside something else has made its own before.
streams_round() { # streams_round NUMBER
    start "streams$1" "$folder/streams$1.db"
    streams_pid=$pid
    wait_ready "$folder/streams$1.log"
    streams_port=$(port_of "$folder/streams$1.log")
    opponents="-n 2 -w 2 -o -r 50"
    watch streams -s "$seconds"
    watch opponent $opponents -s "$seconds"
    load moves_alone "$streams_port" "$streams_pid" moves
    watch streams_beside -s $((seconds + 6)) &
    beside=$!
    sleep 5
    load moves_beside "$streams_port" "$streams_pid" moves
    wait "$beside"
    watch opponent_beside $opponents -s "$seconds" -d 4 &
    beside=$!
    sleep 1
    load moves_opponent "$streams_port" "$streams_pid" -s $((seconds + 4)) moves
    wait "$beside"
    kill "$streams_pid" && wait "$streams_pid"
}
fill() { # fill DB COUNT: a new file of so many players and games
    start fill "$1" --log off
    wait_ready "$folder/fill.log"
    kill "$pid" && wait "$pid"
    servers=
    "$build/bench/fill" "$1" "$2" "$2"
}

# --- two files full of players and games; the larger one is kept for the next run

stamp=$(cat "$here"/../../migrations/*.sql "$here"/support/*.c | cksum | cut -d ' ' -f 1)
kept=$build/bench/million-$stamp
fill "$folder/few.db" "$few"
if [ ! -d "$kept" ]; then
    echo "bench: making $kept, about 1.2 GB, once" >&2
    rm -rf "$build"/bench/million-*
    mkdir -p "$build/bench/million-new"
    fill "$build/bench/million-new/million.db" "$many"
    mv "$build/bench/million-new" "$kept"
fi

# --- servers with everything on, one with everything off that can be, and the bare library

for i in 1 2 3; do
    begin=$(date +%s%N)
    start "s$i" "$folder/s$i.db"
    while ! grep -q '"ready"' "$folder/s$i.log"; do :; done
    echo " ms=$(( ($(date +%s%N) - begin) / 1000000 ))" >>"$folder/ready"
done
full_pid=$pid full=$(port_of "$folder/s3.log")
sleep 3
idle_kib=$(sed -n 's/VmRSS:[[:space:]]*\([0-9]*\).*/\1/p' "/proc/$full_pid/status")
start plain "$folder/plain.db" --log off --rate-limit off
plain_pid=$pid
start few "$folder/few.db"
few_pid=$pid
start many "$kept/million.db"
many_pid=$pid
mkfifo "$folder/open"
sleep 100000 >"$folder/open" &
servers="$servers $!"
"$build/bench/bare" <"$folder/open" 2>"$folder/bare.log" &
bare_pid=$!
servers="$servers $bare_pid"
for name in plain few many bare; do
    wait_ready "$folder/$name.log"
done
plain=$(port_of "$folder/plain.log") bare=$(port_of "$folder/bare.log")
few_port=$(port_of "$folder/few.log") many_port=$(port_of "$folder/many.log")

rank='/v1/rankings/hasami/players/p_##'
page='/v1/rankings/hasami?start_rank=#&limit=50'
game='/v1/games/g_##'
for round in 1 2 3; do
    echo "bench: round $round of 3" >&2
    load moves "$full" "$full_pid" moves
    load post "$bare" "$bare_pid" post-constant
    load plain "$plain" "$plain_pid" moves
    load yonin "$full" "$full_pid" -G yonin moves
    load snapshot "$full" "$full_pid" snapshot
    load rank "$few_port" "$few_pid" -n "$few" get "$rank"
    load page "$few_port" "$few_pid" -n "$((few - 50))" get "$page"
    load get "$bare" "$bare_pid" get /v1/games/x
    load many_game "$many_port" "$many_pid" -n "$many" get "$game"
    load many_rank "$many_port" "$many_pid" -n "$many" get "$rank"
    load many_page "$many_port" "$many_pid" -n "$((many - 50))" get "$page"
    streams_round "$round"
done
echo 'bench: to the end of a million games' >&2
"$build/bench/pages" "$many_port" "$many" >"$folder/rows"
kill $servers 2>/dev/null || true
wait 2>/dev/null || true
servers=
echo 'bench: ten thousand clocks' >&2
sh "$here/clocks.sh" "$build" "$folder" >>"$folder/rows"
echo 'bench: a million players' >&2
BANZUKE="$build/banzuke" "$build/bench/rank" >>"$folder/rows"
"$build/bench/queue" >>"$folder/rows"

# --- the table

against() { # against FIGURE FILE BASELINE_FILE TARGET [RATIO_MIN]
    rate=$(median "$2" rps) base=$(median "$3" rps)
    r=$(ratio "$rate" "$base")
    row "$1, per s" "$rate" "$base" "$r" "$4" "${5:+$(met "$r >= ${5:-0}")}"
    row '  us of processor time each' "$(median "$2" cpu_us)" "$(median "$3" cpu_us)" \
        "$(ratio "$(median "$2" cpu_us)" "$(median "$3" cpu_us)")" printed ''
}
errors=$(cd "$folder" && cat moves plain yonin post snapshot rank page get many_game many_rank many_page \
    moves_alone moves_beside moves_opponent |
    sed -n 's/.* errors=\([0-9]*\) dry=\([0-9]*\).*/\1 \2/p' | awk '{ n += $1 + $2 } END { print n }')
p99=$(median moves p99_ms)
yonin_p99=$(ratio "$(median yonin p99_ms)" "$p99")
cost=$(ratio "$(median moves rps)" "$(median yonin rps)")
row figure measured baseline ratio target ''
against 'durable moves (64 conns) : bare POST' moves post '>= 0.40' 0.4
row '  p99, ms' "$p99" "$(median post p99_ms)" - '< 25' "$(met "$p99 < 25")"
against 'the same : without log and limits' moves plain '>= 0.95' 0.95
row 'a four-player move : a hasami move, per s' "$(median yonin rps)" "$(median moves rps)" "$cost" \
    '<= 1.50' "$(met "$cost <= 1.5")"
row '  us of processor time each' "$(median yonin cpu_us)" "$(median moves cpu_us)" \
    "$(ratio "$(median yonin cpu_us)" "$(median moves cpu_us)")" printed ''
row '  p99, ms' "$(median yonin p99_ms)" "$p99" "$yonin_p99" '<= 1.50' "$(met "$yonin_p99 <= 1.5")"
against 'GET of a running game : bare GET' snapshot get '>= 0.60' 0.6
against 'GET of a rank : bare GET' rank get '>= 0.60' 0.6
against 'GET of a ranking page of 50 : bare GET' page get '>= 0.60' 0.6
against 'GET of a game, 1 million : bare GET' many_game get '>= 0.50' 0.5
against 'GET of a rank, 1 million : bare GET' many_rank get '>= 0.50' 0.5
against 'GET of a ranking page, 1 million : bare GET' many_page get '>= 0.50' 0.5
p99=$(median streams p99_ms) kib=$(median streams rss_kib)
row '100 moves/s, each to 40 of 4,000 streams: p99, ms' "$p99" - - '< 100' "$(met "$p99 < 100")"
row '  KiB resident with them' "$kib" - - '< 122880' "$(met "$kib < 122880")"
against 'durable moves beside all that : alone' moves_beside moves_alone '>= 0.70' 0.7
p50=$(median opponent after_p50_ms) p99=$(median opponent_beside after_p99_ms)
row 'answer to opponent'"'"'s stream, median, ms' "$p50" - - '< 5' "$(met "$p50 < 5")"
row '  beside 64 connections that move, p99, ms' "$p99" - - '< 30' "$(met "$p99 < 30")"
lost=$(cd "$folder" && cat streams opponent streams_beside opponent_beside |
    sed -n 's/.* missed=\([-0-9]*\) gaps=\([0-9]*\).*/\1 \2/p' |
    awk '{ n += ($1 < 0 ? -$1 : $1) + $2 } END { print n }')
row 'moves that a stream missed or had twice' "$lost" - - 0 "$(met "$lost == 0")"
row 'wrong answers in all of these' "$errors" - - 0 "$(met "$errors == 0")"
while IFS='|' read -r figure measured base r target verdict; do
    row "$figure" "$measured" "$base" "$r" "$target" "$verdict"
done <"$folder/rows"
row 'idle server, KiB resident' "$idle_kib" - - '< 20480' "$(met "$idle_kib < 20480")"
ready=$(median ready ms)
row 'start to ready on an empty folder, ms' "$ready" - - '< 100' "$(met "$ready < 100")"
echo
"$build/bench/queue" crowd
echo
"$build/bench/perft"
