#pragma once
// All that decides the next frame. Losing any of it would change the result; a snapshot is a copy of it.

#include "pliant/cloth/cloth.h"
#include "pliant/contact/colliders/colliders.h"
#include "pliant/contact/pairs/surface.h"
#include "pliant/external/drivers.h"
#include "pliant/external/forces.h"
#include "pliant/glue/bound.h"
#include "pliant/rigid/rigid.h"
#include "pliant/rods/rod.h"
#include "pliant/solids/solid.h"
#include "pliant/state/ids.h"
#include "pliant/state/particles.h"
#include "pliant/state/rigid_bodies.h"
#include "pliant/world/settings.h"

#include <vector>

namespace pliant {

using SolidId = Id<Solid>;
using ClothId = Id<Cloth>;
using RodId = Id<Rod>;
using RigidId = Id<Rigid>;
using GlueId = Id<Glue>;

struct World {
    Settings settings;
    Forces forces;
    double time = 0;  // [s]

    Particles particles;
    std::vector<Solid> solids;
    IdTable<Solid> solid_ids;  // per solid
    std::vector<Cloth> cloths;
    IdTable<Cloth> cloth_ids;  // per cloth
    std::vector<Rod> rods;
    IdTable<Rod> rod_ids;  // per rod
    RigidBodies rigid_bodies;
    std::vector<Rigid> rigids;  // per rigid body, in the same order
    IdTable<Rigid> rigid_ids;   // likewise
    std::vector<Glue> glues;
    IdTable<Glue> glue_ids;              // per glue
    Bindings bindings;                   // of the glues, for the edits
    Joints joints;                       // of the glues; a step makes them anew when they are stale
    std::vector<GlueEvent> glue_events;  // since the last step, of edits
    std::vector<Collider> colliders;
    ContactParams contact;
    ContactSurface surface;  // of all bodies; a step makes it anew when it is stale
    Drivers drivers;
};

}  // namespace pliant
