#pragma once
// All edits of a World, between steps. Every function checks its arguments against the limits of the parameter tables
// and throws InputError naming the parameter, its value and what is allowed; the World is then unchanged. Edits take
// effect in the next step.

#include "pliant/glue/anchor.h"
#include "pliant/solids/solid_shape.h"
#include "pliant/world/bodies.h"

#include <span>
#include <string>

namespace pliant {

/// Adds a solid where its rest shape is. The engine chooses the order of its particles: point k of the shape is
/// particle solid.particle_of_point[k] of the solid. Throws InputError naming the parameter and the remedy.
SolidId add_solid(World& world, const SolidShape& shape, const SolidParams& params, std::string name = "solid");

/// Adds a cloth where its mesh is: vertex k is particle k of the cloth, not counting vertices that no triangle uses.
/// Cloth::notes lists defects of the mesh. Throws InputError naming the offending part.
ClothId add_cloth(World& world, const SurfaceMesh& mesh, const ClothParams& params, std::string name = "cloth");

/// Adds rods as one body: the points of each strand, followed by its ghosts (see Rod::edges). Throws InputError naming
/// the strand and the point.
RodId add_rod(World& world, const std::vector<Strand>& strands, const RodParams& params, std::string name = "rod");

/// Clamps an end of a strand to its current frame: its point is pinned, and its first or last edge keeps its direction
/// and roll, as stiffly as the rod resists bend and twist. Both follow the motion.
void clamp_rod(World& world, RodId id, int strand, RodEnd end, const Motion& motion = {});

/// Adds a rigid body where its form is: number i of world.rigids is body i of world.rigid_bodies. Throws InputError for
/// an invalid form.
RigidId add_rigid(World& world, const RigidForm& form, const RigidParams& params = {}, std::string name = "rigid");

/// Holds a rigid body where it is, or moves it by a keyed motion; with `release` >= 0 it is released at that time [s].
void hold_rigid(World& world, RigidId id, const Motion& motion = {}, double release = -1);

/// New parameters for an existing body: its masses and thickness follow, its state stays. Throws InputError for
/// parameters that the body was made from (a solid's clustering, a rod's rest shape).
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
    Vec3d position;                    // of the rest shape's origin [m]
    Vec3d velocity;                    // [m/s]
    Vec3d angular_velocity;            // about the centre of mass [rad/s]
};
void place_solid(World& world, SolidId id, const Placement& placement);
void place_cloth(World& world, ClothId id, const Placement& placement);
void place_rod(World& world, RodId id, const Placement& placement);
/// `linear` must be a rotation here. A held body is held at its new pose from now on.
void place_rigid(World& world, RigidId id, const Placement& placement);

/// Removes the body with its particles, and the pins, grabs and glue on them.
void remove_solid(World& world, SolidId id);
void remove_cloth(World& world, ClothId id);
void remove_rod(World& world, RodId id);
void remove_rigid(World& world, RigidId id);

/// Anchors for glue: any point in space, attached to a body at its current position. For solids and cloths the engine
/// chooses the particles that carry it. On a rod they are the nearest edge with its ghost or, for point glue at one of
/// its points, that point alone. See glue/anchor.h for anchors on given particles, on keyed motions and on the static
/// world.
Anchor anchor_on(const World& world, SolidId id, const Vec3d& at, GlueKind kind = GlueKind::point);
Anchor anchor_on(const World& world, ClothId id, const Vec3d& at);
Anchor anchor_on(const World& world, RodId id, const Vec3d& at, GlueKind kind = GlueKind::point);
Anchor anchor_on(const World& world, RigidId id, const Vec3d& at);

/// Glues two anchors. A gap between them closes within params.closing. Throws InputError if they cannot be glued.
GlueId add_glue(World& world, Anchor a, Anchor b, const GlueParams& params = {}, std::string name = "glue");
void set_glue(World& world, GlueId id, const GlueParams& params);
void remove_glue(World& world, GlueId id);

ColliderId add_collider(World& world, const Collider& collider);
void remove_collider(World& world, ColliderId id);

/// Holds particles (indices into the world) where they are, or moves them by a keyed motion. With `release` >= 0 they
/// are released at that time [s].
void pin_particles(World& world, std::span<const int> particles, const Motion& motion = {}, double release = -1);

/// Moves a cloth by hand: its particles go evenly from where they are to `positions`, one each, and are there at `arrival`
/// [s], later than now; there they stay until they are moved on. From then on nothing else moves the cloth; it carries
/// along what it touches. What pinned it before lets go of it. For an animated body, once a frame.
void move_cloth(World& world, ClothId id, std::span<const Vec3d> positions, double arrival);

/// Particles of the world inside a box, for pinning.
std::vector<int> find_particles(const World& world, Range range, const Vec3d& low, const Vec3d& high);

/// Lets a parameter follow keys from now on, in place of the keys that it had. Throws InputError if there is no such
/// parameter, or a key has a value that it cannot have.
void add_track(World& world, const Track& track);
/// The parameter keeps the value that it has.
void remove_track(World& world, const std::string& parameter);

/// Grabs the free particle nearest to `at` with a spring of that compliance [m/N]; with 0 the particle goes exactly to
/// the target. Returns an invalid id if there is no free particle. Removing the body removes the grab.
GrabId add_grab(World& world, const Vec3& at, Real compliance);
/// The same of a body that was chosen: of a particle of it, counted from 0, or of a rigid body at the point `at`. An invalid
/// id if that cannot be moved: a ghost, a pinned particle, a held body, a collider.
GrabId add_grab(World& world, const BodyRef& body, int particle, const Vec3& at, Real compliance);
void move_grab(World& world, GrabId id, const Vec3& target);
void remove_grab(World& world, GrabId id);

}  // namespace pliant
