#pragma once
// Everything that determines the next frame: the description and the state. Losing any of it would change the result.
// There are no caches here and nothing that depends on the processor: what is compiled for speed belongs to the Solver.
//
// Guarded members can be read anywhere. They are changed by the functions of world/edits.h, which check their
// arguments.

#include "pliant/base/revision.h"
#include "pliant/cloth/cloth.h"
#include "pliant/contact/colliders/collider.h"
#include "pliant/contact/contact_params.h"
#include "pliant/contact/rigid/rigid_push.h"
#include "pliant/external/drivers.h"
#include "pliant/external/forces.h"
#include "pliant/glue/glue.h"
#include "pliant/rigid/rigid.h"
#include "pliant/rods/rod.h"
#include "pliant/solids/solid.h"
#include "pliant/state/guarded.h"
#include "pliant/state/particles.h"
#include "pliant/state/rigid_bodies.h"
#include "pliant/world/settings.h"
#include "pliant/world/track.h"

#include <array>
#include <tuple>
#include <variant>

#include <vector>

namespace pliant {

using SolidId = Id<Solid>;
using ClothId = Id<Cloth>;
using RodId = Id<Rod>;
using RigidId = Id<Rigid>;
using GlueId = Id<Glue>;
using ColliderId = Id<Collider>;
using GrabId = Id<Grab>;

/// A body of any kind, or a collider.
using BodyRef = std::variant<SolidId, ClothId, RodId, RigidId, ColliderId>;

/// Whether two bodies touch; overrides the contact rules by name.
struct ContactFilter {
    BodyRef a, b;
    bool touch = true;
};

/// What overlaps of two bodies that glue connects, and does not touch therefore (world/bonds.h).
struct Bond {
    BodyRef a, b;
    std::vector<std::array<int, 2>> points;  // one of each, counted from its first particle; -1: all of a rigid body
};

struct World {
    // description
    Guarded<Settings> settings;
    Guarded<Forces> forces;
    Guarded<ContactParams> contact;
    BodyList<Solid> solids;
    BodyList<Cloth> cloths;
    BodyList<Rod> rods;
    BodyList<Rigid> rigids;
    BodyList<Glue> glues;
    BodyList<Collider> colliders;
    Guarded<Drivers> drivers;
    Guarded<std::vector<Track>> tracks;  // parameters that follow keys
    BodyList<Grab> grabs;
    Guarded<std::vector<ContactFilter>> contact_filters;
    Guarded<std::vector<AppliedForce>> applied_forces;  // for the next step only

    // state; bodies and glues have some of their own
    Guarded<double> time;                          // [s]
    Guarded<Vec3d> air_travel;                     // how far the wind has carried the air [m]
    Guarded<Particles> particles;                  // of all solids, cloths and rods
    Guarded<RigidBodies> rigid_bodies;             // per rigid, in the same order
    Guarded<std::vector<RigidPush>> rigid_pushes;  // of contacts at the end of the last frame, sorted by bodies
    Guarded<std::vector<GlueEvent>> glue_events;   // of edits, since the last step
    Guarded<int> substeps{0};                      // of the last frame; 0 before the first
    Guarded<Real> substep{0};                      // the length of each [s]; 0 before the first
    Guarded<std::vector<Bond>> bonds;              // of glue that has attached
    Guarded<bool> tangled{true};                   // surfaces may intersect; false once checked that none do

    // what the Solver has to compile again
    struct Revisions {
        Revision bodies;  // which bodies there are, and their surfaces
        Revision glues;
        Revision contact;
    };
    Guarded<Revisions> revisions;
};

/// The kinds of bodies: see world/bodies.h. Those with particles come first.
inline constexpr std::tuple kBodyKinds{&World::solids, &World::cloths, &World::rods, &World::rigids};
/// All lists that have ids.
inline constexpr std::tuple kLists =
    std::tuple_cat(kBodyKinds, std::tuple{&World::glues, &World::colliders, &World::grabs});

}  // namespace pliant
