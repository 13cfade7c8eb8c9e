#pragma once
// Particles that are bound hard: a point glue without stiffness one side of which is a single particle. Such a particle has
// no motion of its own. In the iterations its joint hands on what other constraints do to it, shared out by the exact
// effective masses, so that the parents carry its mass; after the last one it is placed where its parents say, and its
// velocity is what theirs make of it.
//
//   x_b = phi(x)                     place_bound
//   v_b = sum J_i v_i                match_velocities: by impulses, so that momentum stays
//
// What a bound particle is bound to may be bound itself: parents are placed before their children. A circle has no such
// order and is refused. A particle with several bindings can follow none of them: they are solved together (block.h).

#include "pliant/glue/joint.h"

#include <unordered_map>

namespace pliant {

/// The particle that a glue binds, or -1. Of two single particles the first follows the second.
int bound_particle(const Glue& glue);
/// What it follows.
const Anchor& bound_to(const Glue& glue);

/// Which glues bind which particles. Kept with the glues by the edits; what it has that no longer holds is passed over.
class Bindings {
  public:
    Bindings() = default;
    explicit Bindings(std::span<const Glue> glues);
    void add(int number, const Glue& glue);

    /// The glues that bind a particle, in order.
    std::span<const int> of(int particle) const;

    /// Numbers of glues that would make a circle with one more: each binds a particle that the one before it follows, and
    /// the last follows the new one's. Empty if there is none. `without` is left out.
    std::vector<int> find_circle(std::span<const Glue> glues, const Glue& fresh, int without = -1) const;

    /// Per glue: 0 if it binds nothing, 1 if its parents are free, 2 if some are bound by glues of rank 1, ...
    std::vector<int> ranks(std::span<const Glue> glues) const;

  private:
    std::unordered_map<int, std::vector<int>> glues_of_;
};

/// Finds who follows in this substep: glue that is on, of a free particle that no other binds.
void update_bound(std::span<const Glue> glues, const GlueScratch& scratch, Joints& joints);

/// Hands what is left between bound particles and their parents on once more, then places the particles. `predicted` goes
/// along with the latter: it is no motion.
void place_bound(Joints& joints, Particles& particles, RigidBodies& bodies, GlueScratch& scratch,
                 std::span<Vec3> predicted);

/// Comes after the velocities are known.
void match_bound_velocities(Real h, Joints& joints, Particles& particles, RigidBodies& bodies, GlueScratch& scratch);

}  // namespace pliant
