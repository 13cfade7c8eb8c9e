#pragma once
// Patterns: a second colour on a body that is fixed to its material and moves along with it. The page draws the same
// (web/page/src/draw/finish_shader.ts).

#include "pliant/math/types.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace pliant {

enum class Pattern { none, stripes, checks, dots };
constexpr auto enum_names(Pattern) { return std::array{"none", "stripes", "checks", "dots"}; }

struct Paint {
    Pattern pattern = Pattern::none;
    std::uint32_t accent = 0xffffff;          // the second colour, 0xRRGGBB
    double repeat = 0.1;                      // length of the pattern [m]
    std::vector<std::array<float, 2>> place;  // per point: on the material at rest [m]
};

/// Where points are along the longest and the middle axis of their cloud, from its middle.
std::vector<std::array<float, 2>> places_along_axes(std::span<const Vec3> points);

/// How much of the second colour is at a place, averaged over about `width` around it; all in lengths of the pattern.
float accent_at(Pattern pattern, double x, double y, double width);

}  // namespace pliant
