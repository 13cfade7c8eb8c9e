#pragma once
// The inertia of a cluster at its current positions, for removing rotations from its motion.

#include "pliant/shape/fit.h"

#include <limits>

namespace pliant {

/// sum mu (|rho|^2 1 - rho rho^T), eight members at a time.
struct InertiaSum {
    Vector3<Lanes> diagonal{};  // sum mu rho_k^2
    Vector3<Lanes> mixed{};     // sum mu rho_i rho_j for yz, zx, xy

    PLIANT_INLINE void add(const Lanes& mu, const Vector3<Lanes>& rho)
    {
        const Vector3<Lanes> m = mu * rho;
        diagonal += Vector3<Lanes>{m.x * rho.x, m.y * rho.y, m.z * rho.z};
        mixed += Vector3<Lanes>{m.y * rho.z, m.z * rho.x, m.x * rho.y};
    }
};

/// The inertia tensor from the sums of InertiaSum.
template <class S>
Matrix3<S> inertia_of(const Vector3<S>& diagonal, const Vector3<S>& mixed)
{
    return {{{diagonal.y + diagonal.z, -mixed.z, -mixed.y},
             {-mixed.z, diagonal.x + diagonal.z, -mixed.x},
             {-mixed.y, -mixed.x, diagonal.x + diagonal.y}}};
}

/// I^-1 L, or zero if the inertia is singular because the cluster is collinear.
template <class S>
Vector3<S> spin_of(const Matrix3<S>& inertia, const Vector3<S>& angular_momentum)
{
    constexpr Lane<S> kFlat = 64 * std::numeric_limits<Lane<S>>::epsilon();
    const S scale = safe_inverse(inertia.trace() * S(Lane<S>(1) / 3));
    const Matrix3<S> scaled = scale * inertia;
    const Matrix3<S> adjoint = scaled.cofactor();  // symmetric, as the inertia is
    const S determinant = scaled.c[0].dot(adjoint.c[0]);
    const S inverse = select(determinant > S(kFlat), S(1) / determinant, S(0));
    return (inverse * scale) * (adjoint * angular_momentum);
}

}  // namespace pliant
