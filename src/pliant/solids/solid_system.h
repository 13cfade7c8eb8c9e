#pragma once
// What the solver compiles from a solid, and the scratch of the passes over it.

#include "pliant/shape/fit.h"
#include "pliant/solids/solid.h"
#include "pliant/state/damping.h"
#include "pliant/state/effort.h"

namespace pliant {

/// A small rigid motion of a cluster: x moves by base + spin cross x.
struct RigidField {
    Vec3 base;  // at the origin of the blocks
    Vec3 spin;
};

/// A weighted sum of rigid fields, at eight points with their own weights.
struct RigidBlend {
    Vector3<Lanes> base{}, spin{};

    PLIANT_INLINE void add(const Lanes& weight, const RigidField& field)
    {
        base += weight * spread(field.base);
        spin += weight * spread(field.spin);
    }
    PLIANT_INLINE Vector3<Lanes> at(const Vector3<Lanes>& x) const { return base + spin.cross(x); }
};

/// The strain limit of one cluster.
struct LimitFit {
    bool active = false;  // some member is beyond the limit
    Real limit = 0;       // gamma w_c [m]
    Real factor = 0;      // of the `cluster` limiter: limited goal - x = factor (x - g)
    RigidField undo;      // of the `corrected` limiter: rigid motion of the cluster by the pulls, to be undone [m]
    Real stop = 1;        // of the `corrected` limiter: fraction of the pulls that stops the members
};

struct SolidScratch {
    Blocks x;                       // per block, relative to a point of the body [m]
    std::vector<ClusterFit> fits;   // per cluster
    std::vector<LimitFit> limits;   // per cluster
    std::vector<MotionSum> motion;  // for damping and for restoring momenta
    Blocks move;                    // per block: change by the goals [m/s] or by the limit [m]
    Blocks impulse;                 // per slot: mu (limited goal - x), of the `corrected` limiter [kg m]
    Blocks travel;                  // per block: x - x_prev, 0 where pinned [m]

    void resize(const Clusters& clusters);
};

struct SolidSystem {
    Clusters clusters;
    std::vector<Real>
        stiffness;        // per cluster: k, acceleration towards the goal per distance [1/s^2]; empty with alpha
    double stiffest = 0;  // max_i sum_c lambda_ic k_c, a bound on the highest squared frequency [1/s^2]; 0 with alpha
    double reach = 0;     // mean radius of the clusters [m]
    SolidScratch scratch;
};

SolidSystem make_system(const Solid& solid);

/// Substeps that a frame of dt needs so that the explicit spring is stable: h^2 max_i sum_c lambda_ic k_c < 4.
/// 1 with alpha, which is stable over its whole range.
int stable_substeps(const SolidSystem& system, Real dt);

/// Enough substeps that the explicit spring also conserves energy, and that an impact penetrates only a fraction of a
/// cluster's radius in one of them. v are the velocities of its particles.
WantedSubsteps wanted_substeps(const SolidSystem& system, const Outlook& outlook, std::span<const Vec3> v);

}  // namespace pliant
