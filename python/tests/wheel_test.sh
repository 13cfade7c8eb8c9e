#!/usr/bin/env bash
# Installs the wheel into a fresh virtual environment, which takes NumPy from the system, and uses it from there.
#
#   python/tests/wheel_test.sh PYTHON FOLDER_OF_THE_WHEEL
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
unset PYTHONPATH # or pip takes the package beside the build for installed already
"$1" -m venv --system-site-packages "$folder/venv"
"$folder/venv/bin/pip" install --quiet --no-index --no-deps "$2"/pliant-*.whl
cd "$folder"
"$folder/venv/bin/python" - <<'END'
import os
import pliant
assert "venv" in pliant.__file__, pliant.__file__
for name in ("py.typed", "__init__.pyi"):
    assert os.path.exists(os.path.join(os.path.dirname(pliant.__file__), name)), name
world = pliant.World("cube_drop")
world.step(3)
print(pliant.__version__, world)
END
