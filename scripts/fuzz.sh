#!/usr/bin/env bash
# Runs the fuzzers of build/fuzz one after the other, from tests/fuzz/corpus and what earlier runs have added to it.
#
#   scripts/fuzz.sh SECONDS [TARGET]...      without targets all of them
#
# An input that breaks something is kept in build/fuzz/findings; mend the reader and copy the input into tests/fuzz/corpus.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=$1
shift
targets=("$@")
if [[ $# == 0 ]]; then
    for program in build/fuzz/bin/fuzz_*; do targets+=("${program##*/fuzz_}"); done
fi
mkdir -p build/fuzz/findings
failed=()
for target in "${targets[@]}"; do
    mkdir -p "build/fuzz/corpus/$target"
    echo "fuzz_$target, $seconds s"
    "build/fuzz/bin/fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3000 -max_len=65536 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/findings/$target-" "build/fuzz/corpus/$target" "tests/fuzz/corpus/$target" || failed+=("$target")
done
if [[ ${#failed[@]} != 0 ]]; then
    echo "fuzz: findings in ${failed[*]}: see build/fuzz/findings" >&2
    exit 1
fi
