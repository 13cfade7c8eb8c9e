#pragma once
// Damping of bend and of twist, each at its own rate; rigid motion stays.
//
// With omega_e the angular velocity of the frame of edge e, the share s = h d / (1 + h d) of omega_{e+1} - omega_e is
// taken away: with the rate of twist along the rod, with that of bend across it. Summed up along a strand, these parts
// give the turn of every edge, and edge by edge the velocity field that is to go:
//
//   find_spins      omega_e, of points and ghosts
//   sum_turns       turn_{e+1} = turn_e + S (omega_{e+1} - omega_e)
//   sum_velocities  u_{i+1} = u_i + turn_e x (x_{i+1} - x_i), each ghost with its edge
//   free_momentum   u less the rigid motion that has its momenta, so that none is taken from a free strand
//   anchor          u = 0 where a strand is pinned
//   remove          v -= u
//
// The rate is the same for all waves and any number of edges. To damp joint by joint instead, moving the points of each
// joint only, would leave slow swaying alone: what that takes of a wave over n edges falls with the fourth power of n.

#include "pliant/rods/rod.h"
#include "pliant/state/particles.h"

#include <vector>

namespace pliant {

/// Scratch of one rod; empty where nothing is damped.
struct RodDamping {
    std::vector<Vec3d> spin;              // per edge: omega [rad/s]
    std::vector<Vec3d> turn;              // per edge: the part of it to remove
    std::vector<Vec3d> velocity;          // per particle: to remove [m/s]
    std::vector<int> start_tip, end_tip;  // per strand: into the rod's tips; -1 for none

    void resize(const Rod& rod);
};

/// At the rates of the rod's parameters, from `time` on for h.
void damp_bend_and_twist(Real h, double time, const Rod& rod, Particles& particles, RodDamping& scratch);

}  // namespace pliant
