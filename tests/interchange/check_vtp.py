"""VTK over .vtp files: points are those of the .pc2 of the same run, and there are velocities, normals and bodies.

    /usr/bin/python3 check_vtp.py STEM FRAMES BODY...
"""

import struct
import sys

from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

stem, frames, bodies = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
for frame in range(frames):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(f"{stem}.{frame:04}.vtp")
    reader.Update()
    data = reader.GetOutput()
    at = 0
    for number, body in enumerate(bodies):
        with open(f"{stem}.{body}.pc2", "rb") as file:
            count = struct.unpack("<i", file.read(32)[16:20])[0]
            file.seek(32 + 12 * count * frame)
            expected = struct.unpack(f"<{3 * count}f", file.read(12 * count))
        for i in range(count):
            assert data.GetPoint(at + i) == expected[3 * i:3 * i + 3], (body, frame, i)
            assert data.GetPointData().GetArray("body").GetValue(at + i) == number
        at += count
    assert data.GetNumberOfPoints() == at and data.GetNumberOfPolys() > 0
    for name in ("Normals", "velocity"):
        assert data.GetPointData().GetArray(name).GetNumberOfTuples() == at, name
print(f"{stem}: {frames} frames, {at} points as written")
