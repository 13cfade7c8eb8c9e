#pragma once
// What the steps of feature contacts (feature_contacts.h) share: the points, their references and budgets, and the pairs
// around them, brought up to date in every substep.

#include "pliant/base/parallel.h"
#include "pliant/contact/pairs/feature_contacts.h"

namespace pliant {

inline bool takes_part(const ContactSurface& surface)
{
    return surface.touching && !surface.vertices.empty() && !surface.only_islands;
}

/// Calls body(point) for all points that take part.
template <class Body>
void for_each_vertex(const ContactSurface& surface, const Body& body)
{
    constexpr int kPointGrain = 2048;
    parallel_for(static_cast<int>(surface.vertices.size()), kPointGrain, [&](int begin, int end) {
        for (int v = begin; v < end; ++v) body(surface.vertices[v].point);
    });
}

/// What may touch something in this substep (FeatureContacts::awake). Pairs that have been found serve as long as it stays the
/// same.
void find_awake(Real h, const ContactSurface& surface, const MovingBodies& bodies, FeatureContacts& contact);
/// Whether what is not awake has been proven to touch nothing, for the places now.
bool keeps_calm(Real h, const ContactSurface& surface, const MovingBodies& bodies, FeatureContacts& contact);

/// Once in a substep: start positions and pairs of what is awake. Start positions follow the common motion: relative to it,
/// bodies in free fall have not moved at all.
void begin_pairs(const ContactSurface& all, const MovingBodies& bodies, FeatureContacts& contact);
/// Finds pairs for the first time in a frame, or again for points that have used up more than a share of their budgets;
/// measures those that count.
void update_pairs(const ContactSurface& all, Real share, FeatureContacts& contact);
/// How far a point is from its reference at the start of the substep or now, whichever is more, in its budget.
void find_share_used(int p, PairPoints& points);

/// Once in a substep: what a collider pushes out of itself has its pose_prev moved along.
void keep_start(const RigidBodies& rigids, Guard& guard);
/// Current positions, from the bodies.
void load_now(const ContactSurface& surface, const MovingBodies& bodies, PairPoints& points);
/// Start and current positions of what is not awake: colliders look at all points.
void load_rest(const ContactSurface& all, const MovingBodies& bodies, FeatureContacts& contact);
/// Start and current positions without pairs: contact between bodies is off, or none is near another.
void load_alone(const ContactSurface& surface, const MovingBodies& bodies, FeatureContacts& contact);
/// Current positions, to particles only: rigid bodies are moved in place.
void store_points(const ContactSurface& surface, const PairPoints& points, Particles& particles);

void find_near(const ContactSurface& surface, const MovingBodies& bodies, const ColliderContacts& with,
               GuardedColliders& colliders);

}  // namespace pliant
