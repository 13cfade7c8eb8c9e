#!/usr/bin/env python3
"""Packs the add-on into one zip, with the schema that its parameters are made from.

    blender/pack.py OUT.zip [--program build/release/bin/pliant]

With --program the zip brings the program along; its schema is then asked from it, otherwise it is docs/scene.schema.json.
"""

import argparse
import pathlib
import subprocess
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = "pliant_blender"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--program", type=pathlib.Path)
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(options.out, "w", zipfile.ZIP_DEFLATED) as pack:
        for path in sorted((HERE / PACKAGE).iterdir()):
            if path.suffix in (".py", ".toml"):
                pack.write(path, f"{PACKAGE}/{path.name}")
        pack.write(HERE.parent / "LICENSE", f"{PACKAGE}/LICENSE")
        if options.program:
            pack.write(options.program, f"{PACKAGE}/bin/{options.program.name}")
            schema = subprocess.run([options.program, "schema"], check=True, capture_output=True).stdout
        else:
            schema = (HERE.parent / "docs" / "scene.schema.json").read_bytes()
        pack.writestr(f"{PACKAGE}/scene.schema.json", schema)
    print(f"{options.out}: {options.out.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
