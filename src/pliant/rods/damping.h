#pragma once
// Damping of bend and of twist, each at its own rate; rigid motion is not damped.
//
// With omega_e the angular velocity of the frame of edge e, the fraction s = h d / (1 + h d) of omega_{e+1} - omega_e
// is removed, where d is the rate of twist along the rod and of bend across it. Summed along a strand, this gives the
// angular velocity to remove from every edge, and summed again the velocity field u to remove from the points:
//
//   find_spins      omega_e, from points and ghosts
//   sum_turns       turn_{e+1} = turn_e + S (omega_{e+1} - omega_e)
//   sum_velocities  u_{i+1} = u_i + turn_e x (x_{i+1} - x_i), each ghost with its edge
//   free_momentum   subtracts from u the rigid motion with the same momenta: a free strand keeps its own
//   anchor          u = 0 where a strand is pinned
//   remove          v -= u
//
// The rate is the same for all wavelengths and any number of edges. Damping joint by joint instead, moving only the
// points of each joint, would hardly damp slow swaying: its effect on a wave over n edges falls with the fourth power
// of n.

#include "pliant/rods/rod.h"
#include "pliant/state/particles.h"

#include <vector>

namespace pliant {

/// Scratch of one rod; empty where nothing is damped.
struct RodDamping {
    std::vector<Vec3d> spin;              // per edge: omega [rad/s]
    std::vector<Vec3d> turn;              // per edge: angular velocity to remove [rad/s]
    std::vector<Vec3d> velocity;          // per particle: velocity to remove, u [m/s]
    std::vector<int> start_tip, end_tip;  // per strand: into the rod's tips; -1 for none

    void resize(const Rod& rod);
};

/// At the rates of the rod's parameters, for a substep of h that starts at `time`.
void damp_bend_and_twist(Real h, double time, const Rod& rod, Particles& particles, RodDamping& scratch);

}  // namespace pliant
