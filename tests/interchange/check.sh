#!/usr/bin/env bash
# Writes a scene in all formats and has programs of other projects read it: Khronos' validator, tinyusdz, VTK, Blender.
#
#   tests/interchange/check.sh PROGRAM
set -euo pipefail
program=$(realpath "$1")
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
for scene in cloth_hang glue_windmill rod_helix; do
    stem=$out/$scene
    "$program" run "$scene" --frames 8 --quiet -o "$stem.usda" -o "$stem.glb" -o "$stem.pvd" -o "$stem.pc2" -o "$stem.mdd" -o "$stem.obj"
    node "$here/check_gltf.cjs" "$stem.glb"
    obj=$stem.0000.obj
    if grep -q 'def BasisCurves' "$stem.usda"; then obj=-; fi
    (cd "$here" && node check_usd.mjs "$stem.usda" "$obj" && node check_openusd.mjs "$stem" "$([[ $obj == - ]] && echo - || echo 9)")
done
# Centimetres, z up, with rods and glue.
"$program" run marionette --frames 8 --quiet --up-axis z --unit cm -o "$out/cm.usda"
(cd "$here" && node check_openusd.mjs "$out/cm" - && node check_usd.mjs "$out/cm.usda" -)
node "$here/check_gltf.cjs" "$here/../../examples/animated/walker.glb"
/usr/bin/python3 "$here/check_vtp.py" "$out/cloth_hang" 9 cloth
if command -v blender >/dev/null; then
    blender --background --factory-startup --python-exit-code 1 --python "$here/check_blender.py" -- "$out/cloth_hang" 9 cloth |
        grep -a Blender
    # A skin and joints: the figure alone, as Blender shows it and as we move it.
    animated=$(realpath "$here/../../examples/animated")
    sed -e "s,\"file\": \"walker.glb\",\"file\": \"$animated/walker.glb\",;s,\"start\": 0.3,\"start\": 0," "$animated/bow.json" >"$out/bow.json"
    cp "$animated/skirt.obj" "$out"
    "$program" run "$out/bow.json" --frames 120 --quiet --up-axis z --set contact.on=false -o "$out/bow.pc2"
    blender --background --factory-startup --python-exit-code 1 --python "$here/check_skin.py" -- "$animated/walker.glb" bow "$out/bow.walker.pc2" |
        grep -a '^Blender'
    # The add-on, in a Blender of its own; its picture stays, to be looked at.
    addon=$(realpath "$here/../..")/build/blender
    mkdir -p "$out/blender/addons"
    BLENDER_USER_SCRIPTS=$out/blender BLENDER_USER_CONFIG=$out/blender blender --background --factory-startup --python-exit-code 1 \
        --python "$here/check_addon.py" -- "$addon/pliant_blender.zip" "$program" "$addon/baked.png" | grep -a '^Blender .*add-on'
    echo "look at $addon/baked.png"
else
    echo "blender is not installed: not checked with it"
fi
