#pragma once
// Restores the momenta of a body after corrections by its own, internal constraints, which must not change them.
//
// A constraint that is invariant under rotations exerts no torque about the positions where it is projected, the
// predicted ones. But a correction dx gives the momentum m dx / h to a particle that was elsewhere at the start of the
// substep: dL = (1/h) sum m x_prev x dx. For an angular velocity w that is dL/dt = -h w^2 L. So the rigid motion with
// the momenta
//
//   P = sum m dx,   L = sum m x_prev x dx
//
// is subtracted from the corrections of every pass, whatever else acts on the body. That does not change the shape,
// since a rigid motion is subtracted.

#include "pliant/shape/fit.h"
#include "pliant/state/damping.h"

#include <span>

namespace pliant {

/// Sums for the rigid motion that has the momenta of the corrections, eight particles at a time.
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

/// The rigid motion of a body that has the momenta of its corrections: base + spin x r, r from the origin of the sums.
/// No spin about an axis on which all of the body lies, to the precision of the sums.
struct RigidCorrection {
    Vec3 base;  // [m]
    Vec3 spin;  // [rad]
};
RigidCorrection rigid_correction(std::span<const MotionSum> parts);

/// Subtracts the rigid motion from the changes of a body's particles, in blocks; x and mass are those of the particles.
/// `motion` is scratch, sized by resize_motion.
void balance_blocks(const Clusters& clusters, std::span<const Vec3> x, std::span<const Real> mass,
                    std::span<MotionSum> motion, Blocks& changes);

/// Whether some of these particles are pinned: then the others exchange momentum with the pins.
bool any_pinned(Range part, const Particles& particles);

inline constexpr int kBalanceChunk = 4096;  // particles per partial sum: fixed, so that sums do not depend on threads

}  // namespace pliant
