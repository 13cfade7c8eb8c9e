#pragma once
// What a rigid body touches others with, in its own frame.

#include "pliant/math/types.h"

#include <array>
#include <vector>

namespace pliant {

enum class RigidKind { sphere, box, capsule, cylinder, mesh };
constexpr auto enum_names(RigidKind) { return std::array{"sphere", "box", "capsule", "cylinder", "mesh"}; }

struct RigidShape {
    RigidKind kind = RigidKind::sphere;
    Vec3 half;                 // box: half of its edge lengths [m]
    Real radius = 0;           // sphere, capsule, cylinder; mesh: how far it keeps its vertices away [m]
    Real half_height = 0;      // capsule: of its straight part; cylinder: of the whole; both along y [m]
    std::vector<Vec3> points;  // mesh: its vertices [m]
    Real extent = 0;           // no point is further from the centre of mass [m]
    Real friction = -1;        // against colliders; negative: theirs counts
    Real restitution = -1;     // likewise
};

}  // namespace pliant
