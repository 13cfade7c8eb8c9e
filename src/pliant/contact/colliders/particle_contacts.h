#pragma once
// Particle contacts: of particles with colliders. Detection and response are per particle: each one is a small sphere,
// and the colliders do not give way. (Rigid bodies with colliders: contact/rigid. Bodies with bodies: contact/pairs.)
//
//   begin_particle_contacts     before forces act: stores the velocities of approach
//   project_particle_contacts   moves particles out, with Coulomb friction against the moving surface; iterated
//   apply_particle_restitution  after the velocities are known: particles that hit fast enough bounce

#include "pliant/contact/colliders/colliders.h"
#include "pliant/state/particles.h"

#include <span>
#include <vector>

namespace pliant {

struct ParticleContact {
    int collider = -1;  // the last one that pushed the particle in this substep; -1 none
    Vec3 normal;        // of its surface
    Real approach = 0;  // normal velocity against it before the substep [m/s], negative = into it
    Real push = 0;      // along the normal, in this substep so far [m]
};

struct ParticleContacts {
    std::vector<ParticleContact> of;  // per particle; empty without colliders
    std::vector<Vec3> v_before;       // per particle: velocity before the substep's forces [m/s]
};

/// Clears the contacts of the last substep and stores the velocities: only a particle that was already moving bounces, not one
/// that is pressed against a collider.
void begin_particle_contacts(std::span<const PlacedCollider> colliders, const Particles& particles,
                             ParticleContacts& contacts);

/// Pushes each particle that is closer than its radius out along the normal and takes away as much of its
/// sliding in this substep as Coulomb friction allows: the push times the coefficient. A particle that was inside
/// before the substep comes out without gaining speed: `predicted` moves along. Those marked in `left_out`, if there are any,
/// are left as they are.
void project_particle_contacts(std::span<const PlacedCollider> colliders, Real h, std::span<const char> left_out,
                               ParticleContacts& contacts, Particles& particles, std::vector<Vec3>& predicted);

/// The same for a single particle and the last collider that pushed it in this substep.
void project_particle_contact_again(std::span<const PlacedCollider> colliders, Real h, int particle,
                                    ParticleContacts& contacts, Particles& particles, std::vector<Vec3>& predicted);

/// The parts of such a push, for particles that do not move alone (solver/joined_points.h, point_touches.h).
struct ParticleTouch {
    Real depth = 0;  // in the collider [m]; below zero outside
    Vec3 normal;     // of its surface
};
ParticleTouch find_particle_touch(const PlacedCollider& collider, int particle, const Particles& particles);
/// How far it has slid on the surface since the substep began [m].
Vec3 slide_on(const PlacedCollider& collider, int particle, const Vec3& normal, const Particles& particles);
/// To be called before the particle is moved out.
void note_particle_push(std::span<const PlacedCollider> colliders, int which, Real h, int particle,
                        const ParticleTouch& touch, ParticleContacts& contacts, const Particles& particles,
                        std::vector<Vec3>& predicted);

/// Reverses the normal velocity of particles that came faster than `slow` [m/s], times the restitution.
void apply_particle_restitution(std::span<const PlacedCollider> colliders, Real h, Real slow,
                                const ParticleContacts& contacts, Particles& particles);

int count_contacts(const ParticleContacts& contacts);

}  // namespace pliant
