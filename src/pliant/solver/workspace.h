#pragma once

#include "pliant/cloth/pass.h"
#include "pliant/contact/colliders/particle_contacts.h"
#include "pliant/contact/pairs/body_contact.h"
#include "pliant/contact/rigid/rigid_contact.h"
#include "pliant/glue/joint.h"
#include "pliant/rods/pass.h"
#include "pliant/solids/goals.h"

#include <vector>

namespace pliant {

/// Scratch of the solver: sized by the first step, reused by the others.
struct Workspace {
    std::vector<SolidScratch> solids;   // per solid
    std::vector<ClothScratch> cloths;   // per cloth
    std::vector<RodScratch> rods;       // per rod
    std::vector<Vec3> predicted;        // per particle: x before any constraint [m]
    std::vector<Pose> predicted_poses;  // per rigid body: likewise
    GlueScratch glue;
    Contacts contacts;
    RigidContacts rigid_contacts;
    BodyContact body_contact;
    std::vector<Real> finite;  // per 4096 particles: zero if all of them are somewhere
};

}  // namespace pliant
