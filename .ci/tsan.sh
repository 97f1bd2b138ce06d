#!/bin/sh
# The server under ThreadSanitizer, driven by the scenarios and the kill harness of the ordinary test
# build (Criterion itself cannot run under it). Any report is a failure.
set -eu
unset MAKEFLAGS # of the make that runs this: what it makes has its own processes
logs=$(pwd)/build/tsan/log
mkdir -p "$logs" && rm -f "$logs"/*
make -s -j"$(nproc)" MODE=tsan all build/tsan/races
make -s -j"$(nproc)" MODE=debug all build/debug/test_api build/debug/test_fault
export TSAN_OPTIONS="log_path=$logs/report:history_size=4"
export BANZUKE="$(pwd)/build/tsan/banzuke" BANZUKE_KILLS=5 BANZUKE_CROWD=201
build/debug/test_api --filter 'scenario_*/*'
build/debug/test_fault
build/tsan/races 10000
if [ -n "$(ls "$logs")" ]; then
    cat "$logs"/*
    echo 'tsan: reports above' >&2
    exit 1
fi
echo 'tsan: clean'
