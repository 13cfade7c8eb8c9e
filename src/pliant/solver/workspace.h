#pragma once

#include "pliant/cloth/pass.h"
#include "pliant/contact/colliders/particle_contacts.h"
#include "pliant/contact/pairs/feature_contacts.h"
#include "pliant/contact/rigid/rigid_contacts.h"
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
    std::vector<PlacedCollider> colliders;  // per collider: in this substep
    ParticleContacts particle_contacts;     // particles with colliders
    RigidContacts rigid_contacts;           // rigid bodies with colliders
    FeatureContacts feature_contacts;       // bodies with each other and themselves
    std::vector<Real> finite;               // per 4096 particles: zero if all of them are somewhere
};

}  // namespace pliant
