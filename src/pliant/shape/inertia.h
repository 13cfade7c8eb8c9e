#pragma once
// The inertia of a cluster where it is now, for taking rotations out of its motion.

#include "pliant/shape/fit.h"

namespace pliant {

/// sum mu (|rho|^2 1 - rho rho^T), eight members at a time.
struct InertiaSum {
    Lanes xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

    PLIANT_INLINE void add(const Lanes& mu, const Vector3<Lanes>& rho)
    {
        const Vector3<Lanes> m = mu * rho;
        xx += m.x * rho.x;
        yy += m.y * rho.y;
        zz += m.z * rho.z;
        xy += m.x * rho.y;
        xz += m.x * rho.z;
        yz += m.y * rho.z;
    }
    PLIANT_INLINE Mat3 total() const
    {
        const Real ixy = -sum(xy), ixz = -sum(xz), iyz = -sum(yz);
        return {{{sum(yy + zz), ixy, ixz}, {ixy, sum(xx + zz), iyz}, {ixz, iyz, sum(xx + yy)}}};
    }
};

/// I^-1 L, or zero where the cluster lies on a line and has no inertia about it.
Vec3 spin_of(const Mat3& inertia, const Vec3& angular_momentum);

}  // namespace pliant
