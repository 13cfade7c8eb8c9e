#pragma once
// Rigid contacts: of rigid bodies with colliders. All contacts of a body in a substep are one small problem: pushes along
// the normals that only push, and friction inside the cone of each push, found together by sweeps (projected Gauss-Seidel)
// until nothing changes. Colliders do not give way, so each body is an island and is solved by itself; contact of bodies
// with each other is in contact/pairs.
//
//   begin_rigid_contacts     before forces act: stores velocities, clears the last substep's contacts
//   project_rigid_contacts   moves bodies out, with Coulomb friction against the moving surface; iterated
//   apply_rigid_restitution  after the velocities are known: bodies that hit fast enough bounce

#include "pliant/contact/colliders/colliders.h"
#include "pliant/geometry/touch.h"
#include "pliant/state/mobility.h"

#include <span>
#include <vector>

namespace pliant {

/// A touch that bounces.
struct Bounce {
    Vec3 point;   // of the world, when it touched [m]
    Vec3 normal;  // of the collider
    Vec3 motion;  // of the collider's surface in the substep [m]
    Real speed;   // away from the collider that it is to have [m/s]
};

/// What a collider has done to a body in this substep.
struct RigidTouch {
    int collider = -1;
    Vec3 point;          // where it pushed most [m]
    Vec3 normal;         // there
    Real push = 0;       // of all points [kg m]
    Real strongest = 0;  // of that point
};

/// Scratch, sized by the first step.
struct RigidContacts {
    static constexpr int kMaxBounces = 16;
    static constexpr int kMaxColliders = 4;  // of those that push one body at the same time, which are told apart

    std::vector<Vec3> v_before, w_before;  // per body: before the substep's forces
    std::vector<int> touching;             // per body: contacts that pushed, the most of any iteration
    std::vector<int> bounces;              // per body: how many
    std::vector<Bounce> bounce;            // kMaxBounces per body
    std::vector<RigidTouch> touches;       // kMaxColliders per body
    std::vector<char> jointed;             // per body: joints hold it, and it is solved here; others are in islands
    std::vector<Real> gap;                 // per body: that it keeps from colliders [m]; empty for none
    std::vector<char> joined;              // per body: joints hold it
    std::vector<char> left_to_joints;      // per body: project_jointed_contacts pushes it
};

void begin_rigid_contacts(const RigidBodies& bodies, RigidContacts& contacts);

/// `slow` [m/s]: slower impacts do not bounce. A body that was inside before the substep comes out without
/// gaining speed: `predicted` moves along.
void project_rigid_contacts(std::span<const PlacedCollider> colliders, Real h, Real slow, RigidBodies& bodies,
                            std::vector<Pose>& predicted, RigidContacts& contacts);

/// Whether a body is in a collider where it is now, or nearer than its gap.
bool touches_collider(std::span<const PlacedCollider> colliders, int body, const RigidBodies& bodies,
                      const RigidContacts& contacts);

/// The same for one body that joints hold. It is pushed so hard that it is out once these are solved again, which has to
/// follow before the next body is looked at.
void project_jointed_contacts(std::span<const PlacedCollider> colliders, Real h, Real slow, int body,
                              const JointMobility& joints, RigidBodies& bodies, std::vector<Pose>& predicted,
                              RigidContacts& contacts);

void apply_rigid_restitution(Real h, const RigidContacts& contacts, RigidBodies& bodies);

int count_contacts(const RigidContacts& contacts);

}  // namespace pliant
