#pragma once
// Glue is internal to what it holds together: it gives no momentum to bodies that nothing else holds. One linear solve keeps
// both momenta; not so the clouds that are pushed at their own points, since the middle of a wide gap would wrench them
// round, nor pushes along J of now, nor added mass, which hides momentum. What all solves of a substep have given is known,
//
//   P = sum m dx / h,   L = sum (m x_start x dx + I_start dtheta) / h        dx, dtheta: by glue alone
//
// and is taken back by a rigid motion of the whole assembly: it changes no shape and opens no joint.

#include "pliant/glue/joint.h"
#include "pliant/state/range.h"
#include "pliant/world/world.h"

#include <array>
#include <vector>

namespace pliant {

struct Compiled;

/// Bodies that hang together by glue, which may change with every substep. Bodies are counted with those of particles first.
struct Assemblies {
    std::vector<Range> particles;           // per body of particles
    std::vector<std::array<int, 2>> ends;   // per joint: bodies, -1 for what is keyed
    std::vector<std::vector<int>> body_of;  // per system: of every node

    struct Given {
        Vec3d origin, push, spin;       // momenta, spin about the origin [m, kg m/s, kg m^2/s]
        double pushed = 0, turned = 0;  // sums of the sizes that they are made of
        bool acts = false, held = false;
    };
    // scratch
    std::vector<int> root;     // per body: one of its assembly
    std::vector<Given> given;  // per body that is a root
};

Assemblies find_assemblies(const World& world, const Joints& joints);

/// Comes after the velocities are known.
void keep_glue_momenta(Real h, World& world, Compiled& compiled);

}  // namespace pliant
