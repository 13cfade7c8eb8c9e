#pragma once
// The rest shape of clusters, in double, for building them, for display and for measurements.

#include "pliant/math/types.h"
#include "pliant/shape/memberships.h"

#include <span>
#include <vector>

namespace pliant {

struct ClusterRest {
    Vec3d center;       // t0 [m]
    double mass = 0;    // M = sum mu [kg]
    double radius = 0;  // w_c = max |r - t0| [m]
    double spread = 0;  // sum (mu/M) |r - t0|^2 [m^2]
    Mat3d moment;       // sum (mu/M) v v^T, v = r - t0 [m^2]

    bool is_flat() const;
};

/// One per cluster, from rest positions [m] and masses [kg] of the particles.
std::vector<ClusterRest> measure_clusters(const Memberships& memberships, std::span<const Vec3d> rest,
                                          std::span<const double> mass);

}  // namespace pliant
