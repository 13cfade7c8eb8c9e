#pragma once
// `.usda`: Universal Scene Description as text. A Mesh, BasisCurves for a rod, or Points, for every body, with time samples of points, normals,
// velocities and extents, texture coordinates and subsets of faces where the body comes from a file with them. Glue is there
// as attachments: usd_glue.h.

#include "pliant/files/writer.h"

#include <memory>
#include <string>

namespace pliant {

std::unique_ptr<FrameWriter> make_usda_writer(const std::string& path, const RunInfo& run);

}  // namespace pliant
