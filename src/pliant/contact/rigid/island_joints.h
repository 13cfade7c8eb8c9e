#pragma once
// Joints in islands. Glue has been solved before contact acts, so the velocities that lead to where bodies are now satisfy the
// joints. What contact adds to them must not open a joint again: with J of the joint's rows
//
//   J u = J u*      l = l0 - rho_j J (u - u*)
//
// beside the contacts in the same factor. Contact thus sees all that hangs on a body. Only rows that hold without bounds take
// part: a motor, a limit or a spring gives way to contact, and is solved again in the next substep.

#include "pliant/math/types.h"
#include "pliant/shape/constraint_system.h"

#include <span>
#include <vector>

namespace pliant {

struct IslandJoint {
    int system = 0;
    struct End {
        int body = -1;     // rigid body; -1: nothing that moves
        Mat3d move, turn;  // J; zero in rows that do not hold
    };
    End end[2];
    // in the solution of its island:
    Vec3d held;  // J u* [m/s]
    Vec3d push;  // multiplier l0 [kg m/s]
    Vec3d load;  // l of the current iteration
    Mat3d mass;  // in sweeps: inverse of its mobility [kg]
};

/// The rows that hold of all systems without particles.
void find_island_joints(std::span<const ConstraintSystem> systems, std::vector<IslandJoint>& joints);

}  // namespace pliant
