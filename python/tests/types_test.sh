#!/usr/bin/env bash
# pyright, strict, over the examples with the stubs of the built package.
#
#   python/tests/types_test.sh PYTHON FOLDER_WITH_THE_PACKAGE
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
if [[ ! -e $here/node_modules/.bin/pyright ]]; then
    echo "pyright is not installed: run npm ci in python/" >&2
    exit 1
fi
config=$(mktemp -d)
trap 'rm -rf "$config"' EXIT
cp "$here"/../examples/python/*.py "$config"
cat >"$config/pyrightconfig.json" <<END
{"typeCheckingMode": "strict", "extraPaths": ["$2"]}
END
"$here/node_modules/.bin/pyright" --project "$config" --pythonpath "$1"
