#pragma once
// What the readers of tetrahedra share.

#include "pliant/files/text_reader.h"
#include "pliant/math/types.h"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

/// The content of a file, before it is checked.
struct TetContent {
    std::vector<Vec3d> vertices;
    std::vector<std::array<int, 4>> tetrahedra;
    std::vector<int> lines;              // per tetrahedron
    std::set<std::int64_t> other_types;  // of cells that are not tetrahedra
};

/// A count in a file; InputError unless it is between 0 and the largest int.
std::int64_t count_from(const TextReader& reader, std::string_view word, const char* what);
std::int64_t next_count(TextReader& reader, const char* what);

TetContent read_vtk(const std::string& path);
TetContent read_msh(const std::string& path);

}  // namespace pliant
