#include "pliant/contact/pairs/shared_carriers.h"

namespace pliant {

namespace {

/// The carrier of a body among features, for one that islands have found.
int carrier_among_features(int carrier, const RigidBodies& rigids, std::span<const PlacedCollider> colliders,
                           Guard& guard)
{
    if (carrier >= rigids.size()) {
        const int c = carrier - rigids.size();
        return guard.carriers.of_collider(colliders[c], c);
    }
    const int known = guard.body_carrier[carrier];
    return known >= 0 || rigids.inv_mass[carrier] > 0 ? known : guard.carriers.of_body(rigids, carrier);
}

void tell_islands(int body, const RigidBodies& rigids, const Guard& guard, Islands& islands)
{
    const Carrier& by = guard.carriers[guard.body_carrier[body]];
    switch (by.kind) {
        case Carrier::Kind::rigid: islands.carriers[body] = by.number; break;
        case Carrier::Kind::collider: islands.carriers[body] = rigids.size() + by.number; break;
        case Carrier::Kind::pin:
            islands.carriers[body] = body;
            islands.homes[body] = by.exact(guard.start[body]);
            break;
    }
}

}  // namespace

void share_carriers(const RigidBodies& rigids, std::span<const PlacedCollider> colliders, Guard& guard,
                    Islands& islands)
{
    if (!islands.solved) return;
    guard.body_carrier.resize(rigids.pose.size(), -1);
    for (int b = 0; b < rigids.size(); ++b) {
        const int here = guard.body_carrier[b], there = islands.carriers[b];
        if (here >= 0 && there < 0) tell_islands(b, rigids, guard, islands);
        if (here < 0 && there >= 0) guard.body_carrier[b] = carrier_among_features(there, rigids, colliders, guard);
    }
}

}  // namespace pliant
