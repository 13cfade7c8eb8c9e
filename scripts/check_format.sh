#!/usr/bin/env bash
# Checks that the C++ sources are formatted as .clang-format says; with --fix, formats them.
# Looks at all files that git tracks or would track, and without git at all files there are.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

clang_format=${CLANG_FORMAT:-clang-format-19}
folders=(src apps tests bench examples python)

case "${1:-}" in
    "") mode=(--dry-run --Werror) ;;
    --fix) mode=(-i) ;;
    *)
        echo "usage: scripts/check_format.sh [--fix]" >&2
        exit 2
        ;;
esac

list_sources() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git ls-files -z --cached --others --exclude-standard --deduplicate -- "${folders[@]}"
    else
        find "${folders[@]}" -type f -print0 2>/dev/null || true
    fi
}

files=()
while IFS= read -r -d '' file; do
    # A file that is deleted but still in git's index is listed too: leave it out.
    if [[ $file == *.h || $file == *.cpp ]] && [[ -f $file ]]; then files+=("$file"); fi
done < <(list_sources)

if ((${#files[@]} == 0)); then
    echo "check_format: no sources"
    exit 0
fi
if ! command -v "$clang_format" >/dev/null; then
    echo "check_format: $clang_format not found; scripts/setup.sh lint installs it" >&2
    exit 1
fi
if ! "$clang_format" "${mode[@]}" -- "${files[@]}"; then
    echo "check_format: some files are not formatted; 'make format' formats them" >&2
    exit 1
fi
echo "check_format: ${#files[@]} files are formatted"
