#pragma once
// Lighting by many distant lamps, each with a shadow map: a cluster of them is the key light, whose shadows are
// sharp near contact and soften with distance; others all over the sky give ambient light that darkens in corners and
// under bodies. One mechanism for direct light, soft shadow and ambient occlusion.

#include "pliant/render/drawing.h"

#include <span>
#include <vector>

namespace pliant {

struct Lamp {
    Vec3d direction;  // towards the lamp, unit length
    Color strength;   // irradiance of a surface that faces it
    bool key;         // of the key light rather than the sky
    int map_width;    // samples along one side of its map
};

std::vector<Lamp> make_lamps();

/// The middle of the key light.
Vec3d key_direction();

/// A bounding ball of all shadow casters: not the ground, and nothing farther than `reach` from `center`.
struct Casters {
    Vec3d center;
    double radius = 0;  // 0 if there is nothing
};
Casters find_casters(const Drawing& drawing, const Vec3d& center, double reach);

struct LitPoint {
    Vector3<float> offset;  // from the center of the casters [m]
    Vector3<float> normal;
};

struct Illumination {
    Color irradiance;
    float key;  // fraction of the key light that arrives, for highlights
};

/// The light that reaches each point from all lamps.
std::vector<Illumination> illuminate(const Drawing& drawing, const Casters& casters, std::span<const LitPoint> points);

/// The light that reaches unshaded ground.
Color open_ground();

}  // namespace pliant
