#!/bin/sh
# All tests under AddressSanitizer and UBSan. Criterion does not see a leak, so every report goes to
# a file, and a file is a failure (but for Criterion's own leaks: see report.awk).
set -eu
unset MAKEFLAGS # of the make that runs this: what it makes has its own processes
logs=$(pwd)/build/asan/log
mkdir -p "$logs" && rm -f "$logs"/*
export ASAN_OPTIONS="log_path=$logs/report:detect_leaks=1"
export LSAN_OPTIONS="exitcode=0" # judged by the reports, below
export UBSAN_OPTIONS="print_stacktrace=1:log_path=$logs/report"
export BANZUKE_KILLS="${BANZUKE_KILLS:-8}"
make -s -j"$(nproc)" MODE=asan check
for report in "$logs"/*; do
    [ -e "$report" ] || continue
    awk -f .ci/report.awk "$report" && continue
    cat "$report"
    echo 'asan: the report above' >&2
    exit 1
done
echo 'asan: clean'
