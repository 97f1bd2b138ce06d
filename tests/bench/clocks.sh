#!/bin/sh
# Usage: clocks.sh BUILD_DIR FOLDER. Ten thousand games on a 30 s clock in which nobody moves: what
# they cost while they wait, and how late the last of 5000 deadlines a second is noticed, which the
# stored moves tell. Prints rows for the table of run.sh.
set -eu
build=$1 db=$2/clocks.db log=$2/clocks.log
games=10000 seconds=15

serve() {
    "$build/banzuke" serve --db "$db" --listen 127.0.0.1:0 --log off 2>"$log" &
    pid=$!
    for _ in $(seq 500); do grep -q '"ready"' "$log" && return; sleep 0.01; done
    cat "$log" >&2
    exit 1
}
ticks() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; }
ask() { sqlite3 -readonly "$db" "$1"; }

serve
kill "$pid" && wait "$pid" || true
"$build/bench/clocks" "$db" "$games"
serve
trap 'kill "$pid" 2>/dev/null || true' EXIT
sleep 2
before=$(ticks)
sleep "$seconds"
after=$(ticks)
share=$(awk -v t="$((after - before))" -v s="$seconds" -v hz="$(getconf CLK_TCK)" \
    'BEGIN { printf "%.2f", 100 * t / hz / s }')
awk -v s="$share" -v n="$games" 'BEGIN {
    printf "%d games on a 30 s clock, %% of a core|%s|-|-|< 5|%s\n", n, s, s < 5 ? "met" : "MISSED" }'
for _ in $(seq 60); do
    [ "$(ask 'SELECT count(*) FROM move WHERE ply = 1')" = "$games" ] && break
    sleep 1
done
late=$(ask 'SELECT max(deadline_at_ms - at_ms) - 30000 FROM move WHERE ply = 1')
once=$(ask 'SELECT count(*) FROM move WHERE ply = 1')
awk -v l="$late" -v o="$once" -v n="$games" 'BEGIN {
    printf "5000 deadlines a second, ms late at most|%s|-|-|<= 2000|%s\n", l,
        l <= 2000 && o == n ? "met" : "MISSED" }'
