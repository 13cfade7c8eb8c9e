#!/usr/bin/env bash
# Checks that the state after the same scene is the same to the last bit, whatever the number of
# threads, the compiler and the instruction set.
#
#   scripts/compare_hashes.sh [--quick]
#
# Runs each scene with the release build at 1, 2 and 7 threads and with the clang build at 2, also
# with the baseline build at 2 if there is one, and compares the hash of the last frame. Hair, which is long to
# compute, is shortened and run for few frames: swept as it is, and stiff by the direct solve with damping. Scenes
# with much glue or contact are run for few frames too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

hair="hair_10k --set rods.hair.shape.count=2000 --frames 8"
scenes=(bunny_drop solids_100 cloth_hang_5k flag rod_pendulum rod_helix tree_wind "$hair"
    "$hair --set rods.hair.solver=sweep --set rods.hair.bend_damping=5" rigid_drop
    "puppet --frames 40" "shirt --frames 12" "cloth_twist --frames 40" "mixed_pile --frames 30" "rigid_pile --frames 90"
    "flag_gusts --frames 40")
frames=120
case "${1:-}" in
    "") ;;
    --quick) frames=20 ;;
    *)
        echo "usage: scripts/compare_hashes.sh [--quick]" >&2
        exit 2
        ;;
esac

runs=("release 1" "release 2" "release 7" "clang 2") # build, threads
if [[ -x build/baseline/bin/pliant ]]; then runs+=("baseline 2"); fi
for build in release clang; do
    if [[ ! -x build/$build/bin/pliant ]]; then
        echo "compare_hashes: build/$build/bin/pliant is missing; build it with" >&2
        echo "  cmake --preset $build -DPLIANT_BENCH=OFF && cmake --build --preset $build" >&2
        exit 1
    fi
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the hash of a statistics file's last frame. A run of several frames whose first and last
# state have the same hash has not moved, or its hash does not see it: that proves nothing, so it fails.
read_hash() {
    python3 - "$1" <<'END'
import json, re, sys
with open(sys.argv[1], encoding="utf-8") as file:
    frames = json.load(file)["frames"]
if not frames:
    sys.exit("compare_hashes: the statistics have no frame")
last = frames[-1]["hash"]
if not re.fullmatch("[0-9a-f]{16}", last):
    sys.exit(f"compare_hashes: {last!r} is not a hash of 16 hexadecimal digits")
if len(frames) > 1 and frames[0]["hash"] == last:
    sys.exit("compare_hashes: the first and the last frame have the same hash")
print(last)
END
}

status=0
for scene in "${scenes[@]}"; do
    hashes=()
    for run in "${runs[@]}"; do
        read -r build threads <<<"$run"
        read -ra arguments <<<"$scene"
        if [[ $scene != *--frames* ]]; then arguments+=(--frames "$frames"); fi
        if ! "build/$build/bin/pliant" run "${arguments[@]}" --threads "$threads" --quiet \
            --stats "$work/stats.json"; then
            echo "compare_hashes: $scene failed with the $build build at $threads threads" >&2
            exit 1
        fi
        hashes+=("$(read_hash "$work/stats.json")")
        rm -f "$work/stats.json"
    done

    if (($(printf '%s\n' "${hashes[@]}" | sort -u | wc -l) == 1)); then
        printf '%-13s %s  the same in %d runs\n' "$scene" "${hashes[0]}" "${#runs[@]}"
        continue
    fi
    status=1
    echo "$scene: the state after the last frame differs" >&2
    printf '  %-10s %7s  %s\n' build threads hash >&2
    for i in "${!runs[@]}"; do
        read -r build threads <<<"${runs[i]}"
        printf '  %-10s %7s  %s%s\n' "$build" "$threads" "${hashes[i]}" \
            "$([[ ${hashes[i]} == "${hashes[0]}" ]] || echo '  <- differs')" >&2
    done
done
exit "$status"
