#pragma once
// All edits of a World, between steps. Every function checks its arguments by the limits of the
// parameter tables, and throws InputError that names the parameter, its value and what is allowed; the World is then
// unchanged. Edits take effect in the next step.

#include "pliant/glue/anchor.h"
#include "pliant/solids/solid_shape.h"
#include "pliant/world/bodies.h"

#include <span>
#include <string>

namespace pliant {

/// Adds a solid at the place of its rest shape. Its particles are in an order of the engine's own: point k of the
/// shape is particle solid.particle_of_point[k] of the solid. Throws InputError that names the parameter and the remedy.
SolidId add_solid(World& world, const SolidShape& shape, const SolidParams& params, std::string name = "solid");

/// Adds a cloth at the place of its mesh: vertex k is particle k of the cloth, without the vertices that no triangle
/// uses. What was odd about the mesh is in Cloth::notes. Throws InputError that names the offending part.
ClothId add_cloth(World& world, const SurfaceMesh& mesh, const ClothParams& params, std::string name = "cloth");

/// Adds rods as one body: their points and, behind those of each strand, their ghosts (Rod::edges names them).
/// Throws InputError that names the strand and the point.
RodId add_rod(World& world, const std::vector<Strand>& strands, const RodParams& params, std::string name = "rod");

/// Holds an end of a strand to the frame that it has now: its point is pinned, and its first or last edge keeps its
/// direction and its roll as far as the rod's stiffness asks for. Both follow the motion.
void clamp_rod(World& world, RodId id, int strand, RodEnd end, const Motion& motion = {});

/// Adds a rigid body where its form stands: rigid number i is body i of world.rigid_bodies. Throws InputError that says
/// what is wrong with the form.
RigidId add_rigid(World& world, const RigidForm& form, const RigidParams& params = {}, std::string name = "rigid");

/// Holds a rigid body where it is now, or carries it along a keyed motion; with `release` >= 0 it is let go at that
/// time [s].
void hold_rigid(World& world, RigidId id, const Motion& motion = {}, double release = -1);

/// New parameters for an existing body: its mass and thickness follow, its state stays. What the body was made from cannot be
/// changed (a solid's clustering, a rod's rest shape), and the message says so.
void set_solid(World& world, SolidId id, const SolidParams& params);
void set_cloth(World& world, ClothId id, const ClothParams& params);
void set_rod(World& world, RodId id, const RodParams& params);
void set_rigid(World& world, RigidId id, const RigidParams& params);
void set_collider(World& world, ColliderId id, const Collider& collider);
void set_contact(World& world, const ContactParams& params);
/// Switches contact between two bodies on or off, overriding the rules by name; a == b means self-contact. Filters
/// for removed bodies have no effect.
void set_contact_filter(World& world, const BodyRef& a, const BodyRef& b, bool touch);
void set_settings(World& world, const Settings& settings);
void set_forces(World& world, const Forces& forces);

/// Moves the body's particles (not its rest shape): x = map(r) and v = velocity + angular_velocity x (x - center).
struct Placement {
    Mat3d linear = Mat3d::identity();  // rotation, perhaps with a stretch
    Vec3d position;                    // where the rest origin goes [m]
    Vec3d velocity;                    // [m/s]
    Vec3d angular_velocity;            // about the centre of mass [rad/s]
};
void place_solid(World& world, SolidId id, const Placement& placement);
void place_cloth(World& world, ClothId id, const Placement& placement);
void place_rod(World& world, RodId id, const Placement& placement);
/// `linear` is a rotation here: a rigid body has no stretch. One that is held is held there from now on.
void place_rigid(World& world, RigidId id, const Placement& placement);

/// Removes the body with its particles; pins, grabs and glue on them go too.
void remove_solid(World& world, SolidId id);
void remove_cloth(World& world, ClothId id);
void remove_rod(World& world, RodId id);
void remove_rigid(World& world, RigidId id);

/// Anchors for glue: a point anywhere in space that moves with a body as it is now. Solids and cloths choose the
/// particles that carry it by themselves. A rod gives its nearest edge with its ghost, or, for a point glue at one of
/// its points, that point alone. See glue/anchor.h for particles of one's own choice, keyed motions and the still world.
Anchor anchor_on(const World& world, SolidId id, const Vec3d& at, GlueKind kind = GlueKind::point);
Anchor anchor_on(const World& world, ClothId id, const Vec3d& at);
Anchor anchor_on(const World& world, RodId id, const Vec3d& at, GlueKind kind = GlueKind::point);
Anchor anchor_on(const World& world, RigidId id, const Vec3d& at);

/// Glues two anchors. A gap between them closes in params.closing. Throws InputError that says what cannot be glued.
GlueId add_glue(World& world, Anchor a, Anchor b, const GlueParams& params = {}, std::string name = "glue");
void set_glue(World& world, GlueId id, const GlueParams& params);
void remove_glue(World& world, GlueId id);

ColliderId add_collider(World& world, const Collider& collider);
void remove_collider(World& world, ColliderId id);

/// Holds particles (indices into the world) where they are now, or carries them along a keyed motion.
/// With `release` >= 0 they are let go at that time [s].
void pin_particles(World& world, std::span<const int> particles, const Motion& motion = {}, double release = -1);

/// Particles of the world inside a box, for pinning.
std::vector<int> find_particles(const World& world, Range range, const Vec3d& low, const Vec3d& high);

/// Grabs the free particle nearest to `at` with a spring of that compliance [m/N]; 0 moves it exactly to the
/// target. Returns an invalid id if there is no free particle. Removing the body removes the grab.
GrabId add_grab(World& world, const Vec3& at, Real compliance);
/// The same of a body that was chosen: of a particle of it, counted from 0, or of a rigid body at the point `at`. An invalid
/// id if that cannot be moved: a ghost, a pinned particle, a held body, a collider.
GrabId add_grab(World& world, const BodyRef& body, int particle, const Vec3& at, Real compliance);
void move_grab(World& world, GrabId id, const Vec3& target);
void remove_grab(World& world, GrabId id);

}  // namespace pliant
