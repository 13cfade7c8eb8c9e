#pragma once
// Corrections of a body's own constraints cannot change its momenta.
//
// A constraint that is invariant under rotations pushes without a torque at the positions where it is projected, the
// predicted ones. The momentum that a push dx gives is m dx / h, and it acts from where the particle was at the start
// of the substep: dL = (1/h) sum m x_prev x dx. For a spin w that is L' = -h w^2 L. So the rigid motion with the momenta
//
//   P = sum m dx,   L = sum m x_prev x dx
//
// is taken out of every pass's own corrections, whatever else touches the body. The shape does not notice: what is taken
// out is rigid.

#include "pliant/shape/fit.h"
#include "pliant/state/damping.h"

#include <span>

namespace pliant {

/// The momenta of corrections and what a rigid motion needs, eight particles at a time.
struct CorrectionSum {
    Lanes mass = 0;
    Vector3<Lanes> moment{};             // sum m r
    Vector3<Lanes> momentum{};           // sum m dx
    Vector3<Lanes> angular{};            // sum m r x dx
    Vector3<Lanes> diagonal{}, mixed{};  // sum m r_k^2, and m r_i r_j for yz, zx, xy

    PLIANT_INLINE void add(const Lanes& m, const Vector3<Lanes>& r, const Vector3<Lanes>& dx)
    {
        const Vector3<Lanes> mr = m * r;
        mass += m;
        moment += mr;
        momentum += m * dx;
        angular += mr.cross(dx);
        diagonal += Vector3<Lanes>{mr.x * r.x, mr.y * r.y, mr.z * r.z};
        mixed += Vector3<Lanes>{mr.y * r.z, mr.z * r.x, mr.x * r.y};
    }
    MotionSum total() const;
};

/// The rigid motion of a body with the momenta of its corrections: base + spin x r, r from the origin of the sums. In a
/// direction in which the body is a line to the digits of the sums nothing is found.
struct RigidCorrection {
    Vec3 base;  // [m]
    Vec3 spin;  // [rad]
};
RigidCorrection rigid_correction(std::span<const MotionSum> parts);

/// Takes the rigid motion out of the changes of a body's particles, in blocks, with arms x and masses of these particles.
/// `motion` is scratch, by resize_motion.
void balance_blocks(const Clusters& clusters, std::span<const Vec3> x, std::span<const Real> mass,
                    std::span<MotionSum> motion, Blocks& changes);

/// Whether a driver moves some of these particles: then they may take momentum from elsewhere.
bool any_pinned(Range part, const Particles& particles);

inline constexpr int kBalanceChunk = 4096;  // particles a part covers: fixed, so that sums do not depend on threads

}  // namespace pliant
