#pragma once
// A point bound to the frame that is fitted to a cloud of particles: its position, derivative, velocity, the forces that
// it passes on and its effective mass. Plain functions on plain numbers: any other engine may use them as they are.
//
//   phi = t + R v_b        arm_b = R v_b     arm_i = R v_i: the fitted offsets, not the actual ones
//   J_i = d phi / d x_i = w_i (1 - [arm_b]x K^-1 [arm_i]x)                jacobian
//   omega = K^-1 sum w_i arm_i x vel_i    vel_b = sum J_i vel_i           angular_velocity, bound_velocity
//   f_i = J_i^T f = w_i (f + eta x arm_i)    eta = K^-1 (arm_b x f)       passed_on, pass_on
//   sum im_i J_i J_i^T                                                    mobility, largest_inverse_mass, stable_step
//
// examples/glue_springs.cpp is a simulation of its own that uses nothing else.
//
// The weights are those of the fit (math/procrustes.h), positive and of sum one. Everything holds exactly in every
// deformed, planar or reflected state; only with a prior a torque is lost, which the prior takes.

#include "pliant/math/procrustes.h"

#include <cmath>
#include <span>

namespace pliant {

/// The fitted frame with the bound point in it, at one instant.
template <class S>
struct BoundFrame {
    Vector3<S> center;     // t [m]
    Matrix3<S> rotation;   // R
    Matrix3<S> k_inverse;  // K^-1 [1/m^2]
    Vector3<S> arm;        // arm_b [m]

    Vector3<S> point() const { return center + arm; }
};

template <class S>
PLIANT_INLINE BoundFrame<S> bound_frame(const Vector3<S>& center, const RotationFit<S>& fit, const Vector3<S>& bound)
{
    return {center, fit.rotation, inverse_k(fit), fit.rotation * bound};
}

/// J_i of a parent of weight w at v_i.
template <class S>
Matrix3<S> jacobian(const BoundFrame<S>& frame, const S& weight, const Vector3<S>& rest)
{
    const Matrix3<S> turned = frame.k_inverse * Matrix3<S>::skew(frame.rotation * rest);
    return weight * (Matrix3<S>::identity() - Matrix3<S>::skew(frame.arm) * turned);
}

/// eta of a force on the bound point; passed_on(...) is then what a parent feels of it.
template <class S>
PLIANT_INLINE Vector3<S> turning(const BoundFrame<S>& frame, const Vector3<S>& force)
{
    return frame.k_inverse * frame.arm.cross(force);
}
template <class S>
PLIANT_INLINE Vector3<S> passed_on(const BoundFrame<S>& frame, const Vector3<S>& force, const Vector3<S>& eta,
                                   const S& weight, const Vector3<S>& rest)
{
    return weight * (force + eta.cross(frame.rotation * rest));
}

/// The angular velocity of the frame of moving parents.
template <class T>
Vector3<T> angular_velocity(const BoundFrame<T>& frame, std::span<const T> weights, std::span<const Vector3<T>> rest,
                            std::span<const Vector3<T>> velocities)
{
    Vector3<T> sum{};
    for (std::size_t i = 0; i < rest.size(); ++i) sum += weights[i] * (frame.rotation * rest[i]).cross(velocities[i]);
    return frame.k_inverse * sum;
}

/// The velocity of the bound point: sum J_i vel_i.
template <class T>
Vector3<T> bound_velocity(const BoundFrame<T>& frame, std::span<const T> weights, std::span<const Vector3<T>> rest,
                          std::span<const Vector3<T>> velocities)
{
    Vector3<T> velocity = angular_velocity(frame, weights, rest, velocities).cross(frame.arm);
    for (std::size_t i = 0; i < rest.size(); ++i) velocity += weights[i] * velocities[i];
    return velocity;
}

/// Adds a force on the bound point to those on its parents.
template <class T>
void pass_on(const BoundFrame<T>& frame, const Vector3<T>& force, std::span<const T> weights,
             std::span<const Vector3<T>> rest, std::span<Vector3<T>> forces)
{
    const Vector3<T> eta = turning(frame, force);
    for (std::size_t i = 0; i < rest.size(); ++i) forces[i] += passed_on(frame, force, eta, weights[i], rest[i]);
}

/// What of the parents decides how the bound point gives way: sums of im w^2 times 1, v and v v^T. They change with the
/// masses only, so that the mobility costs the same for any number of parents.
template <class S>
struct CloudInertia {
    S mass{};             // [1/kg]
    Vector3<S> first{};   // [m/kg]
    Matrix3<S> second{};  // [m^2/kg]

    PLIANT_INLINE void add(const S& inverse_mass, const S& weight, const Vector3<S>& rest)
    {
        const S share = inverse_mass * weight * weight;
        mass += share;
        first += share * rest;
        second += Matrix3<S>::outer(share * rest, rest);
    }
};

/// sum im_i J_i J_i^T, as that of all mass in the middle c = m1 / m0 and of what is spread around it: both parts are
/// positive, so that nothing cancels. In the frame's own words,
///
///   m0 (1 - G [c]x) (1 - G [c]x)^T + G (tr(M) 1 - M) G^T     G = [arm_b]x K^-1    M = m2 - m0 c c^T
template <class S>
PLIANT_INLINE Matrix3<S> mobility(const BoundFrame<S>& frame, const CloudInertia<S>& cloud)
{
    const Matrix3<S>& r = frame.rotation;
    const Matrix3<S> g = Matrix3<S>::skew(frame.arm) * frame.k_inverse;
    const Vector3<S> middle = cloud.first / select(cloud.mass > S(0), cloud.mass, S(1));
    const Matrix3<S> spread = r * (cloud.second - Matrix3<S>::outer(cloud.first, middle)) * r.transposed();
    const Matrix3<S> inertia = Matrix3<S>::diagonal({spread.trace(), spread.trace(), spread.trace()}) - spread;
    const Matrix3<S> together = Matrix3<S>::identity() - g * Matrix3<S>::skew(r * middle);
    return cloud.mass * (together * together.transposed()) + g * inertia * g.transposed();
}

/// The same summed over the parents: slower, and exact even where the fit is hardly determined.
template <class T>
Matrix3<T> mobility(const BoundFrame<T>& frame, std::span<const T> inverse_masses, std::span<const T> weights,
                    std::span<const Vector3<T>> rest)
{
    Matrix3<T> sum{};
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const Matrix3<T> j = jacobian(frame, weights[i], rest[i]);
        sum += inverse_masses[i] * (j * j.transposed());
    }
    return sum;
}

/// The largest eigenvalue of a mobility: 1/m_e.
template <class T>
T largest_inverse_mass(const Matrix3<T>& mobility)
{
    return signed_svd(mobility).s.x;
}

/// The longest step of an explicit integrator with which a point that is pulled by a spring of stiffness k [N/m] is stable:
/// 2 sqrt(m_e / k).
template <class T>
T stable_step(const Matrix3<T>& mobility, T stiffness)
{
    return 2 / std::sqrt(largest_inverse_mass(mobility) * stiffness);
}

/// The published bound of the same, looser: sum im_i smax(J_i)^2.
template <class T>
T inverse_mass_bound(const BoundFrame<T>& frame, std::span<const T> inverse_masses, std::span<const T> weights,
                     std::span<const Vector3<T>> rest)
{
    T sum = 0;
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const T largest = signed_svd(jacobian(frame, weights[i], rest[i])).s.x;
        sum += inverse_masses[i] * largest * largest;
    }
    return sum;
}

}  // namespace pliant
