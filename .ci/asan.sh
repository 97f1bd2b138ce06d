#!/bin/sh
# All tests under AddressSanitizer and UBSan. Criterion does not see a leak, so every report goes to
# a file, and a file is a failure.
set -eu
logs=$(pwd)/build/asan/log
mkdir -p "$logs" && rm -f "$logs"/*
export ASAN_OPTIONS="log_path=$logs/report:detect_leaks=1"
export UBSAN_OPTIONS="print_stacktrace=1:log_path=$logs/report"
export BANZUKE_KILLS="${BANZUKE_KILLS:-8}"
make -s -j"$(nproc)" MODE=asan check
if [ -n "$(ls "$logs")" ]; then
    cat "$logs"/*
    echo 'asan: reports above' >&2
    exit 1
fi
echo 'asan: clean'
