#pragma once
// Heavy rigid bodies on light layers. Sweeps hand a load on by the masses of both sides: a ball on ten sheets, each a thousandth of
// it where it lies, is pushed up by a thousandth of what is missing, and sinks into them. So what has been swept over is put
// right from the ground upward: each layer is moved by the contacts below it as if these did not give way, the body last (shock
// propagation [GBF03]). It acts only below a body that is much heavier than what it presses on, and only where contacts lead
// down from it to something that cannot give way: a collider, or what is held.

#include "pliant/contact/colliders/particle_contacts.h"
#include "pliant/contact/pairs/project_pairs.h"

namespace pliant {

/// Scratch.
struct LoadColumn {
    struct Link {
        int block, lane, upper;  // of PairContacts::blocks; the side that lies on the other, 0 or 1
    };
    std::vector<Link> links;
    std::vector<int> height;  // per point: contacts between it and the ground, -1 for unknown
    std::vector<int> known;   // points with a height
    std::vector<int> bodies;  // those that have been looked at
};

/// Moves points.now and rigid bodies. To be called after the sweeps.
void carry_loads(const ParticleContacts& on_colliders, double edge_length, PairContacts& contacts, PairPoints& points,
                 RigidBodies& bodies, LoadColumn& column);

}  // namespace pliant
