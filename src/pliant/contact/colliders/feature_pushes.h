#pragma once
// Contacts of edges and triangles with convex colliders, where the nearest point is not a corner: a coarse cloth lies on a
// ball or a rail with its faces outside. Corners are pushed out by themselves (particle_contacts.h), to their whole
// radius; between them features keep three quarters of it, so that a fine mesh needs no contact of this kind at all.
//
//   C = n . sum w_i x_i - offset - target >= 0      friction inside the cone of the push, against the moving surface

#include "pliant/contact/colliders/collider_features.h"

#include <algorithm>

namespace pliant {

struct FeaturePush {
    int collider;
    int point[3];
    Real w[3];
    Vec3 n;        // at the end of the substep
    Real offset;   // of the plane that touches the collider, in the world [m]
    Real target;   // beyond it [m]
    Real inverse;  // 1 / sum w_i^2 / m_i [kg]
    Real most;     // no more than this in a substep: the approach of the substep before, and a little [m]
    Real pushed;   // along n in this substep so far: taken back where others have pushed the feature too far [m]
};

/// Finds the planes of features that touched, at the start of a substep of length h [s].
void begin_feature_pushes(std::span<const ColliderHold> touching, std::span<const PlacedCollider> colliders, Real h,
                          const Particles& particles, std::span<const Real> radius, std::vector<FeaturePush>& pushes);

/// One sweep over them: place(i) is where a particle is, and move(i, by) moves it.
template <class Place, class Move>
void project_feature_pushes(std::span<FeaturePush> pushes, std::span<const PlacedCollider> colliders,
                            const Particles& particles, const Place& place, const Move& move)
{
    for (FeaturePush& push : pushes) {
        Vec3 x{}, start{};
        for (int k = 0; k < 3; ++k) {
            x += push.w[k] * place(push.point[k]);
            start += push.w[k] * particles.x_prev[push.point[k]];
        }
        const Real depth = std::clamp(push.offset + push.target - push.n.dot(x), -push.pushed, push.most - push.pushed);
        if (depth == 0) continue;
        push.pushed += depth;
        const PlacedCollider& collider = colliders[push.collider];
        Vec3 slip = x - start - surface_motion(collider.pose, x);
        slip -= push.n.dot(slip) * push.n;
        const Real length = slip.norm(), most = collider.friction * std::max(depth, Real(0));
        if (length > most) slip = (most / length) * slip;
        const Vec3 all = push.inverse * (depth * push.n - slip);
        for (int k = 0; k < 3; ++k)
            if (const Real part = push.w[k] * particles.inv_mass[push.point[k]]; part > 0)
                move(push.point[k], part * all);
    }
}

}  // namespace pliant
