#!/bin/sh
# Runs every fuzzer of a folder for SECONDS_EACH seconds, each with a corpus that stays beside it.
# Fails at the first crash and leaves the input that caused it. Usage: run.sh FOLDER
set -eu

folder=$1
seconds=${SECONDS_EACH:-20}
found=0

for fuzzer in "$folder"/*; do
    if [ ! -f "$fuzzer" ] || [ ! -x "$fuzzer" ]; then
        continue
    fi
    name=$(basename "$fuzzer")
    corpus=$folder/corpus/$name
    mkdir -p "$corpus"
    if [ "$name" = position ]; then
        printf 'ppppppppp/9/9/9/9/9/9/9/PPPPPPPPP b - 1' > "$corpus/start"
        printf '9/9/4P4/4p4/1Ppp1pP2/9/9/4P4/ppp5P w - 77' > "$corpus/middle"
        seeds=0
        sed -n 's/^{"position":"\([^"]*\)".*/\1/p' tests/data/yonin.legal.jsonl |
            while IFS= read -r text; do
                seeds=$((seeds + 1))
                printf '%s' "$text" > "$corpus/yonin-$seeds"
            done
    fi
    echo "fuzzing $name for $seconds s"
    if ! "$fuzzer" -max_total_time="$seconds" -max_len=4096 -print_final_stats=1 \
        -artifact_prefix="$folder/crash-$name-" "$corpus" > "$folder/$name.log" 2>&1; then
        tail -n 40 "$folder/$name.log"
        exit 1
    fi
    grep number_of_executed_units "$folder/$name.log"
    found=$((found + 1))
done

if [ "$found" -eq 0 ]; then
    echo "no fuzzer in $folder" >&2
    exit 1
fi
