#pragma once
// Clusters of particles with weights, stored both ways: from a cluster to its members and from a
// particle to its clusters (memberships.h).
//
// The particles of a body are ordered so that blocks of eight, one per SIMD lane, share most of their clusters. For
// every block and cluster that have particles in common there is a *slot*, with eight shares, zero for a lane that is
// not a member. Slots are in order of blocks; a cluster lists its parts, each a block and its slot. No pass over
// members needs to gather or scatter.

#include "pliant/math/lanes.h"
#include "pliant/math/types.h"
#include "pliant/shape/memberships.h"

#include <span>
#include <vector>

namespace pliant {

struct Clusters {
    struct Part {  // of a cluster: up to eight members
        int block;
        int slot;
    };

    int particles = 0;  // of the body

    // per cluster
    std::vector<Vec3> rest_center;         // t0 [m]
    std::vector<Real> mass;                // M = sum mu [kg]
    std::vector<Real> radius;              // w_c = max |r - t0| [m]
    std::vector<Real> mean_square_radius;  // sum (mu/M) |r - t0|^2 [m^2]
    std::vector<int> central;              // the member nearest to t0
    std::vector<int> first_part;           // per cluster, and one past the end

    // per part, in order of clusters
    std::vector<Part> part;
    std::vector<Lanes> weight;  // mu = lambda m [kg]; 0 for a lane that is not a member

    // per block; the last one may have padding lanes
    std::vector<Vector3<Lanes>> rest;  // r [m]
    std::vector<Lanes> inverse_mass;   // 1/m, also of pinned particles; 0 for padding [1/kg]
    std::vector<int> first_slot;       // per block, and one past the end

    // per slot, in order of blocks
    std::vector<int> cluster_of_slot;
    std::vector<Lanes> share;  // lambda; 0 for a lane that is not a member

    int size() const { return static_cast<int>(mass.size()); }
    int blocks() const { return static_cast<int>(rest.size()); }
};

/// Builds the storage from shares, rest positions [m] and masses [kg] of the particles. Every particle must be in a
/// cluster; they should be in the order of order_by_eight, since otherwise few lanes are in use.
Clusters make_clusters(const Memberships& memberships, std::span<const Vec3d> rest, std::span<const double> mass);

}  // namespace pliant
