#pragma once
// Strands from files, with the errors of mesh_files.h.

#include "pliant/rods/rod.h"

#include <string>
#include <vector>

namespace pliant {

/// The polylines of a file: the `l` elements of an .obj, or of a .txt, .xyz or .csv with one point per line (three
/// numbers separated by blanks, commas or semicolons; # starts a comment) and empty lines between strands. One that
/// ends where it starts is a ring.
std::vector<Strand> read_strands(const std::string& path);

/// A ring if the polyline ends exactly where it starts; the repeated point is dropped.
Strand strand_of(std::vector<Vec3d> course);

}  // namespace pliant
