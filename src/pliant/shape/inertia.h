#pragma once
// The inertia of a cluster where it is now, for taking rotations out of its motion.

#include "pliant/shape/fit.h"

namespace pliant {

/// sum mu (|rho|^2 1 - rho rho^T), rho = x - center [kg m^2].
Mat3 cluster_inertia(const Clusters& clusters, int cluster, const Vec3& center, const Blocks& x);

/// I^-1 L, or zero where the cluster lies on a line and has no inertia about it.
Vec3 spin_of(const Mat3& inertia, const Vec3& angular_momentum);

}  // namespace pliant
