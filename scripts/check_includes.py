#!/usr/bin/env python3
"""Checks the direction of includes between the rooms of the source tree.

A folder includes only folders to its left; folders in one brace never include each other:

    base < math < geometry < state < shape < {solids cloth rods rigid glue contact external} < world
         < solver < snapshot < json < render < files < report < scene < session < {apps python web}

Inside src, a header of the project is written "pliant/room/name.h": with its full path, in quotes.
What a build for the browser has to replace, <filesystem>, is included in one file of src; <fstream> is missing there.
Tests, benchmarks and examples may include anything, and so may the umbrellas src/pliant/pliant.h and pliant_scene.h.

    scripts/check_includes.py [ROOT]       prints file:line and a reason for each violation; exits 1
    scripts/check_includes.py --self-test  plants violations and shows that each of them is caught
"""

import re
import sys
import tempfile
from pathlib import Path

ORDER = [
    ["base"],
    ["math"],
    ["geometry"],
    ["state"],
    ["shape"],
    ["solids", "cloth", "rods", "rigid", "glue", "contact", "external"],
    ["world"],
    ["solver"],
    ["snapshot"],
    ["json"],
    ["render"],
    ["files"],
    ["report"],
    ["scene"],
    ["session"],
    ["apps", "python", "web"],
]
LEVEL = {room: level for level, rooms in enumerate(ORDER) for room in rooms}
TOP_ROOMS = ORDER[-1]  # folders of the repository; all others are folders of src/pliant
UMBRELLAS = ("pliant.h", "pliant_scene.h")
ONLY_IN = {"filesystem": "src/pliant/files/paths.cpp", "fstream": "no file of src"}
SUFFIXES = {".h", ".hpp", ".inl", ".inc", ".cpp", ".cc"}
SKIPPED_FOLDERS = {"node_modules", "build", "dist"}

# Comments and raw strings may contain text that looks like an include; ordinary strings are matched
# so that a // inside one does not start a comment.
NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^()\\\s]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"', re.DOTALL)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)


def find_includes(text):
    """Yields (line number, '"' or '<', path) for each include directive."""

    def blank(match):
        keep = match.group(0).startswith('"')
        return match.group(0) if keep else "\n" * match.group(0).count("\n")

    code = NOT_CODE.sub(blank, text)
    for match in INCLUDE.finditer(code):
        yield code.count("\n", 0, match.start()) + 1, match.group(1), match.group(2)


def room_of(path):
    """The room of a path relative to the root, the umbrella's name, or None for what is not checked."""
    parts = path.parts
    if parts[0] in TOP_ROOMS:
        return parts[0]
    if parts[:2] == ("src", "pliant"):
        return parts[2]  # a room's folder, or a file beside the rooms
    return None


def explain_direction(room, target):
    """Why `room` must not include `target`; None if it may."""
    if target not in LEVEL:
        return f'"pliant/{target}" is in no room of this project (see ORDER in scripts/check_includes.py)'
    if room == target or LEVEL[target] < LEVEL[room]:
        return None
    if LEVEL[target] == LEVEL[room]:
        return f"{room} and {target} stand side by side and never include each other"
    return f"{room} comes before {target} and must not include it"


def check_include(root, path, room, opening, target):
    """The reason why this include is wrong, or None."""
    inside_src = path.parts[0] == "src"
    if target.startswith("pliant/"):
        name = target.split("/", 2)[1]
        if inside_src and opening == "<":
            return f'a header of the project is included with quotes: "{target}"'
        if name in UMBRELLAS:
            return "the umbrella header is for users; include the header that is needed" if inside_src else None
        return explain_direction(room, name)
    if opening == "<":
        only = ONLY_IN.get(target) if inside_src else None
        return f"<{target}> is for {only} only; use what that offers" if only and path.as_posix() != only else None

    # In quotes but not from "pliant/": fine for another project's header and, outside src, for a neighbour.
    here = (root / path).parent
    for folder in (here, root / "src", root / "src/pliant", root):
        found = (folder / target).resolve()
        if not found.is_file() or not found.is_relative_to(root):
            continue
        relative = found.relative_to(root)
        if relative.parts[:2] == ("src", "pliant"):
            return f'write the full path: "{relative.relative_to("src").as_posix()}"'
        if inside_src or relative.parts[0] != path.parts[0]:
            return f"{room} must not include {relative.as_posix()}"
        return None
    return None


def find_violations(root):
    """Lists 'file:line: reason' for the whole tree below root; also returns how many files were read."""
    root = root.resolve()
    violations, files = [], 0
    for top in ("src", *TOP_ROOMS):
        for file in sorted((root / top).rglob("*")):
            path = file.relative_to(root)
            if file.suffix not in SUFFIXES or not file.is_file() or SKIPPED_FOLDERS & set(path.parts):
                continue
            files += 1
            room = room_of(path)
            if room in UMBRELLAS:
                continue
            if room not in LEVEL:
                violations.append(f"{path}:1: this file is in no room; rooms are the folders of src/pliant "
                                  "that scripts/check_includes.py lists")
                continue
            text = file.read_text(encoding="utf-8", errors="replace")
            for line, opening, target in find_includes(text):
                reason = check_include(root, path, room, opening, target)
                if reason:
                    violations.append(f"{path}:{line}: {reason}")
    return violations, files


# path -> text; a line that ends in BAD is a planted violation, and there is no other.
BAD = "// BAD"
SELF_TEST = {
    "src/pliant/pliant.h": '#include "pliant/base/check.h"\n#include "pliant/scene/scene.h"\n',
    "src/pliant/base/check.h": "#include <vector>\n",
    "src/pliant/base/early.h": f'#pragma once\n\n#include "pliant/math/types.h"  {BAD}\n',
    "src/pliant/math/types.h": '#include "pliant/base/check.h"\n#include <cmath>\n',
    "src/pliant/geometry/mesh.h": f'#  include   "pliant/world/world.h"  {BAD}\n',
    "src/pliant/cloth/cloth.h": f'#include "pliant/shape/clusters.h"\n#include "pliant/solids/solid.h"  {BAD}\n',
    "src/pliant/shape/clusters.h": f'#include "types.h"\n#include <pliant/math/types.h>  {BAD}\n',
    "src/pliant/solids/solid.h": f'#include "fit.h"  {BAD}\n#include "pliant/solids/fit.h"\n',
    "src/pliant/solids/fit.h": f'#include "pliant/pliant.h"  {BAD}\n',
    "src/pliant/glue/glue.cpp": f'#include "../state/particles.h"  {BAD}\n',
    "src/pliant/state/particles.h": f'#include "pliant/nowhere/x.h"  {BAD}\n',
    "src/pliant/world/world.h": '/*\n#include "pliant/scene/scene.h"\n*/\n// #include "pliant/scene/scene.h"\n'
                                'const char* a = "/*";\nconst char* b = R"(\n#include "pliant/scene/scene.h"\n)";\n'
                                f'#include "pliant/scene/scene.h"  {BAD}\n',
    "src/pliant/solver/solver.cpp": f'#include "pliant/world/world.h"\n#include "pliant/scene/scene.h"  {BAD}\n',
    "src/pliant/scene/scene.h": '#include "pliant/solver/solver.h"\n#include "stb_image_write.h"\n',
    "src/pliant/files/ply.cpp": f'#include "pliant/scene/scene.h"  {BAD}\n#include "pliant/geometry/mesh.h"\n'
                                     f'#include "apps/pliant/bar.h"  {BAD}\n',
    "src/pliant/files/paths.cpp": "#include <filesystem>\n",
    "src/pliant/files/text_reader.cpp": f"#include <fstream>  {BAD}\n#include <filesystem>  {BAD}\n",
    "src/pliant/report/stats.h": f"#include <fstream>  {BAD}\n",
    "src/pliant/helpers/x.h": f"{BAD}\n",
    "src/pliant/stray.h": f"{BAD}\n",
    "apps/pliant/main.cpp": f'#include "bar.h"\n#include "pliant/pliant.h"\n#include "pliant/solver/solver.h"\n'
                            f'#include "../../python/module.h"  {BAD}\n',
    "apps/pliant/bar.h": "",
    "python/module.h": "#include <pliant/pliant.h>\n",
    "tests/test_any.cpp": '#include <fstream>\n#include "pliant/scene/scene.h"\n#include "../apps/pliant/bar.h"\n',
}


def run_self_test():
    expected = set()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SELF_TEST.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            expected |= {f"{name}:{i}" for i, line in enumerate(text.splitlines(), 1) if line.endswith(BAD)}
        violations, _ = find_violations(Path(folder))
    found = {":".join(violation.split(":")[:2]) for violation in violations}
    for place in sorted(expected - found):
        print(f"check_includes: self-test: the violation planted in {place} was not caught")
    for place in sorted(found - expected):
        print(f"check_includes: self-test: {place} is right, but was reported")
    if found != expected:
        return 1
    print(f"check_includes: self-test: {len(expected)} planted violations caught")
    return 0


def main(arguments):
    if arguments == ["--self-test"]:
        return run_self_test()
    if len(arguments) > 1 or any(argument.startswith("-") for argument in arguments):
        print(__doc__)
        return 0 if arguments in (["-h"], ["--help"]) else 2
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    violations, files = find_violations(root)
    for violation in violations:
        print(violation)
    if violations:
        print(f"check_includes: {len(violations)} violations")
        return 1
    print(f"check_includes: {files} files include in the right direction")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
