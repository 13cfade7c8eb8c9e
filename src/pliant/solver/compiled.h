#pragma once
// What a Solver makes of a World: bodies in groups of eight for the SIMD lanes, joints, the surface that touches, and the
// scratch of all passes. Parts are made anew when the revision of what they were made from has changed.

#include "pliant/base/profile.h"
#include "pliant/base/revision.h"
#include "pliant/cloth/cloth_system.h"
#include "pliant/contact/colliders/particle_contacts.h"
#include "pliant/contact/pairs/feature_contacts.h"
#include "pliant/contact/rigid/islands.h"
#include "pliant/contact/rigid/rigid_contacts.h"
#include "pliant/glue/joint.h"
#include "pliant/rods/glued_nets.h"
#include "pliant/rods/rod_system.h"
#include "pliant/solids/solid_system.h"
#include "pliant/solver/effort.h"
#include "pliant/solver/glue_momenta.h"
#include "pliant/solver/point_touches.h"
#include "pliant/solver/sleeping.h"
#include "pliant/solver/touch_collector.h"
#include "pliant/state/integrate.h"
#include "pliant/world/world.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

namespace pliant {

/// The systems of the bodies of one kind, in their order.
template <class System>
struct SystemList {
    std::vector<System> systems;
    std::vector<Revision> made_from;  // per system
};

/// One of the equal parts of a frame.
struct Substep {
    Real h;       // its length [s]
    double time;  // at its start [s]
    double end;   // at its end [s]
    int index;
    int iterations;
    Real resting_speed;  // what gravity adds in two substeps: slower contacts do not bounce [m/s]
};

struct Compiled {
    Profile* profile = nullptr;  // of the Solver
    /// Of every kind that make_system knows.
    std::tuple<SystemList<SolidSystem>, SystemList<ClothSystem>, SystemList<RodSystem>> systems;
    Joints joints;
    struct JointsFrom {
        std::optional<Revision> glues;
        std::vector<Revision> rods;
        std::vector<char> rubs;  // per rod

        bool made_from(const World& world) const
        {
            return glues == world.revisions->glues && std::ranges::equal(world.rods, rods, {}, &Rod::revision) &&
                   std::ranges::equal(world.rods, rubs, {}, &Rod::rubs, [](char c) { return c != 0; });
        }
    };
    JointsFrom joints_from;
    std::vector<GluedNet> glued_nets;              // rods that are solved with the joints
    std::vector<std::vector<int>> nets_of_system;  // per system of the joints: of glued_nets
    std::vector<char> in_glued_net;                // per particle: of a strand that glue holds
    std::vector<char> left_to_joints;              // per particle: colliders push it in the solve of its system
    std::vector<PointTouches> point_touches;       // per system of the joints
    std::vector<char> pushed;                      // per particle, in the substep; scratch of mark_touched_strands
    Assemblies assemblies;                         // of bodies and joints
    std::vector<char> bound;                       // per particle: glue binds it hard; empty for none
    std::vector<std::vector<char>> glued_edges;    // per rod: see leave_to_glue
    ContactSurface surface;
    ColliderFeatures collider_features;  // of the surface
    std::optional<World::Revisions> surface_from;

    // scratch
    std::vector<Substep> frame;             // its substeps
    Effort effort;                          // of the frame
    std::vector<MovingBox> moving;          // what may run into a body
    Predicted predicted;                    // per particle: x before any constraint [m]
    std::vector<Pose> predicted_poses;      // per rigid body: likewise
    std::vector<PlacedCollider> colliders;  // per collider: in this substep
    ParticleContacts particle_contacts;     // particles with colliders
    RigidContacts rigid_contacts;           // rigid bodies that joints hold, with colliders
    Islands islands;                        // other rigid bodies, with colliders and with each other
    Sleeping sleeping;                      // which rigid bodies rest
    FeatureContacts feature_contacts;       // bodies with each other and themselves
    std::vector<GlueEvent> events;          // of the frame
    TouchCollector touches;                 // the same
    std::vector<Real> finite;               // per 4096 particles: zero if all of them are somewhere

    /// The systems of one kind, in the order of its bodies.
    template <class System>
    std::vector<System>& all()
    {
        return std::get<SystemList<System>>(systems).systems;
    }
    template <class System>
    const std::vector<System>& all() const
    {
        return std::get<SystemList<System>>(systems).systems;
    }
};

/// Brings all parts up to date with a world.
void compile(const World& world, Compiled& compiled);

/// Brings the contact surface up to date alone.
void compile_surface(const World& world, Compiled& compiled);

}  // namespace pliant
