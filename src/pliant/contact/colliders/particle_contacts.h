#pragma once
// Contact of particles with colliders. Detection and response are per particle: each one is a small
// sphere, and the colliders do not give way.
//
//   begin_contacts     before forces act: where the colliders are in this substep, and how fast things come
//   project_contacts   moves particles out, with Coulomb friction against the moving surface; iterated
//   apply_restitution  after the velocities are known: what hit hard enough bounces

#include "pliant/contact/colliders/colliders.h"
#include "pliant/state/particles.h"

#include <span>
#include <vector>

namespace pliant {

struct Contact {
    int collider = -1;  // the last one that pushed the particle in this substep; -1 none
    Vec3 normal;        // of its surface
    Real approach = 0;  // normal velocity against it before the substep [m/s], negative = into it
};

struct Contacts {
    std::vector<ColliderPose> poses;  // per collider
    std::vector<Contact> of;          // per particle; empty without colliders
    std::vector<Vec3> v_before;       // per particle: velocity before the substep's forces [m/s]
};

/// Poses the colliders for the substep from `time` to `time` + h, forgets the last one's contacts and remembers
/// the velocities: only what was already moving bounces, not what is pressed against a collider.
void begin_contacts(std::span<const Collider> colliders, double time, Real h, const Particles& particles,
                    Contacts& contacts);

/// Pushes each particle that is closer than its radius out along the normal and takes away as much of its
/// sliding in this substep as the push times the coefficient of friction allows. A particle that was inside
/// before the substep comes out without gaining speed: `predicted` moves along.
void project_contacts(std::span<const Collider> colliders, Real h, Contacts& contacts, Particles& particles,
                      std::vector<Vec3>& predicted);

/// The same for the one collider that has pushed a particle before in this substep.
void project_contact_again(std::span<const Collider> colliders, Real h, int particle, Contacts& contacts,
                           Particles& particles, std::vector<Vec3>& predicted);

/// Reverses the normal velocity of particles that came faster than `slow` [m/s], times the restitution.
void apply_restitution(std::span<const Collider> colliders, Real h, Real slow, const Contacts& contacts,
                       Particles& particles);

int count_contacts(const Contacts& contacts);

}  // namespace pliant
