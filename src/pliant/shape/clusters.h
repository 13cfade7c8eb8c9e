#pragma once
// Clusters of particles with weights, stored both ways: from a cluster to its members and from a
// particle to its clusters.
//
// Particle i belongs to cluster c with a share lambda_ic > 0, and its shares add up to one. Inside the
// cluster it weighs mu_ic = lambda_ic m_i. With such a partition of unity a blend of rigid goals keeps
// both momenta; the plain mean over n_i clusters is the case lambda = 1/n_i.
//
// The particles of a body are put in an order in which blocks of eight share most of their clusters, one
// Lanes for each coordinate. Where a block and a cluster meet there is a *slot*, with eight shares, zero for a lane that is
// no member. Slots are in order of blocks; a cluster lists its parts, each a block and its slot. No pass
// over members gathers or scatters.

#include "pliant/math/lanes.h"
#include "pliant/math/types.h"

#include <span>
#include <vector>

namespace pliant {

/// Which particle belongs to which cluster, with which share: the input of make_clusters.
struct Memberships {
    std::vector<int> first{0};  // per cluster, and one past the end
    std::vector<int> member;    // per membership: particle of the body
    std::vector<double> share;  // per membership: lambda

    int clusters() const { return static_cast<int>(first.size()) - 1; }
    int count() const { return static_cast<int>(member.size()); }
    void add(std::span<const int> members);  // with share 0: see share_equally
};

/// lambda_ic = 1/n_i, the plain mean over the clusters of a particle [BJ14].
void share_equally(int particles, Memberships& memberships);

struct Clusters {
    struct Part {  // of a cluster: up to eight members
        int block;
        int slot;
    };

    std::vector<int> point_of_particle;  // per particle of the body: the point of the input that it was

    // per cluster
    std::vector<Vec3> rest_center;         // t0 [m]
    std::vector<Real> mass;                // M = sum mu [kg]
    std::vector<Real> radius;              // w_c = max |r - t0| [m]
    std::vector<Real> mean_square_radius;  // sum (mu/M) |r - t0|^2 [m^2]
    std::vector<Mat3> inverse_moment;      // (sum (mu/M) v v^T)^-1 [1/m^2], zero where the cluster is flat
    std::vector<int> central;              // the member nearest to t0
    std::vector<Mat3> rotation;            // of the last fit: the prior of a degenerate one
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
    int particles() const { return static_cast<int>(point_of_particle.size()); }
};

/// Builds the storage from shares, rest positions [m] and masses [kg] of points. Every point has a cluster.
/// Particle k of the body is point_of_particle[k] of the input.
Clusters make_clusters(const Memberships& memberships, std::span<const Vec3d> rest, std::span<const double> mass);

}  // namespace pliant
