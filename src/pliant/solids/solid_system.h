#pragma once
// What the solver compiles from a solid, and the scratch of the passes over it.

#include "pliant/shape/fit.h"
#include "pliant/solids/solid.h"
#include "pliant/state/damping.h"
#include "pliant/state/effort.h"

namespace pliant {

/// A rigid motion of small size, x -> base + spin x x, of a cluster.
struct RigidField {
    Vec3 base;  // at the origin of the blocks
    Vec3 spin;
};

/// The sum of rigid fields, each with eight weights, at eight points.
struct RigidBlend {
    Vector3<Lanes> base{}, spin{};

    PLIANT_INLINE void add(const Lanes& weight, const RigidField& field)
    {
        base += weight * spread(field.base);
        spin += weight * spread(field.spin);
    }
    PLIANT_INLINE Vector3<Lanes> at(const Vector3<Lanes>& x) const { return base + spin.cross(x); }
};

/// What the limit does to the members of one cluster besides pulling them in.
struct LimitFit {
    bool active = false;  // some member is beyond the limit
    Real limit = 0;       // gamma w_c [m]
    Real factor = 0;      // of the `cluster` limiter: limited goal - x = factor (x - g)
    RigidField undo;      // of the `corrected` limiter: what the pull does to the cluster as a whole [m]
};

struct SolidScratch {
    Blocks x;                       // per block, relative to a point of the body [m]
    std::vector<ClusterFit> fits;   // per cluster
    std::vector<LimitFit> limits;   // per cluster
    std::vector<MotionSum> motion;  // of the damping
    Blocks move;                    // per block: what goals or the limit change [m/s] or [m]
    Blocks impulse;                 // per slot: mu (limited goal - x), of the `corrected` limiter [kg m]

    void resize(const Clusters& clusters);
};

struct SolidSystem {
    Clusters clusters;
    std::vector<Real>
        stiffness;        // per cluster: k, acceleration towards the goal per distance [1/s^2]; empty with alpha
    double stiffest = 0;  // max_i sum_c lambda_ic k_c, a bound of the highest squared frequency [1/s^2]; 0 with alpha
    double reach = 0;     // mean radius of the clusters [m]
    SolidScratch scratch;
};

SolidSystem make_system(const Solid& solid);

/// Substeps that a frame of dt needs so that the explicit spring is stable: h^2 max_i sum_c lambda_ic k_c < 4.
/// One with alpha, which is stable by its range.
int stable_substeps(const SolidSystem& system, Real dt);

/// So many that the explicit spring also keeps its energy, and that a blow goes no deeper in one of them than the clusters
/// can follow. v are the velocities of its particles.
WantedSubsteps wanted_substeps(const SolidSystem& system, const Outlook& outlook, std::span<const Vec3> v);

}  // namespace pliant
