#pragma once
// Pieces of `.usda` text.

#include "pliant/files/frame_meshes.h"

#include <set>
#include <string>
#include <vector>

namespace pliant {

/// A name of a prim that none of its siblings has, and that is `taken` from now on: letters, digits and underscores, not a
/// digit first.
std::string usd_name(const std::string& name, std::set<std::string>& taken);

std::string usd_list(const std::vector<Float3>& list);
std::string usd_list(const std::vector<int>& list);

/// The corners of a box around points, each of which is that thick.
std::vector<Float3> usd_extent(const std::vector<Float3>& points, float radius);

/// A colour of a screen, 0xRRGGBB, as light.
Float3 usd_colour(std::uint32_t srgb);

}  // namespace pliant
