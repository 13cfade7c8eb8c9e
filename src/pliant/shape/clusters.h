#pragma once
// Clusters of particles with weights, stored both ways: from a cluster to its members and from a
// particle to its clusters (memberships.h).
//
// The particles of a body are in an order in which blocks of eight share most of their clusters, one
// Lanes for each coordinate. Where a block and a cluster meet there is a *slot*, with eight shares, zero for a lane that is
// no member. Slots are in order of blocks; a cluster lists its parts, each a block and its slot. No pass
// over members gathers or scatters.

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
    std::vector<Lanes> weight;  // mu = lambda m, 0 for no member [kg]

    // per block; the last one may be padded with particles of no weight
    std::vector<Vector3<Lanes>> rest;  // r [m]
    std::vector<Lanes> inverse_mass;   // 1/m, also of pinned particles; 0 for padding [1/kg]
    std::vector<int> first_slot;       // per block, and one past the end

    // per slot, in order of blocks
    std::vector<int> cluster_of_slot;
    std::vector<Lanes> share;  // lambda, 0 for no member

    int size() const { return static_cast<int>(mass.size()); }
    int blocks() const { return static_cast<int>(rest.size()); }
};

/// Builds the storage from shares, rest positions [m] and masses [kg] of the particles. Every particle has a cluster, and
/// they are in the order of order_by_eight, or few lanes are in use.
Clusters make_clusters(const Memberships& memberships, std::span<const Vec3d> rest, std::span<const double> mass);

}  // namespace pliant
