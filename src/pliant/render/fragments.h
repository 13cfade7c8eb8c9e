#pragma once
// Fragments: the parts of pixels that one smooth surface covers, each shaded once however many samples it has
// (multisampling). Silhouettes and creases are antialiased, and the inside of a surface costs one shading per pixel.

#include "pliant/render/drawing.h"
#include "pliant/render/raster.h"
#include "pliant/render/view.h"

#include <vector>

namespace pliant {

constexpr int kPixelSide = 3;  // samples along one side of a pixel

struct Fragment {
    int pixel;
    int id;       // as in the DepthBuffer
    float share;  // of the pixel's area
    float x, y;   // the mean of its samples, on the grid
};

/// In the order of pixels.
std::vector<Fragment> make_fragments(const DepthBuffer& samples, const Drawing& drawing);

struct VisiblePoint {
    Vec3d point, normal;            // the normal has unit length and faces the eye: cloth is visible from both sides
    std::array<double, 2> place{};  // on a material with a pattern [m]
};

/// Position and normal of a fragment. Not for kNothing.
VisiblePoint locate(const Fragment& fragment, const View& view, const Drawing& drawing);

}  // namespace pliant
