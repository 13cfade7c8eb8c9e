#pragma once
// All that changes the lengths of the world's arrays. Only between steps.

#include "pliant/geometry/mesh.h"
#include "pliant/world/world.h"

#include <span>
#include <string>

namespace pliant {

/// What a solid is made of: particles with masses in their rest shape, and perhaps a surface to show.
struct SolidShape {
    std::vector<Vec3d> points;                   // rest positions [m]
    std::vector<double> mass;                    // per point [kg]; empty: density * volume shared equally
    double volume = 0;                           // [m^3]
    double spacing = 0;                          // typical distance of neighbours [m]
    SurfaceMesh surface;                         // may be empty
    std::vector<int> surface_points;             // per vertex of it: the point that it is; empty: it follows the points
    std::vector<std::vector<int>> clusters;      // with Clustering::lists
    std::vector<std::array<int, 4>> tetrahedra;  // of points; may be empty
};

/// Particles inside a closed surface, at a spacing [m] or as many as asked for.
SolidShape fill_with_spacing(const SurfaceMesh& surface, double spacing);
SolidShape fill_with_count(const SurfaceMesh& surface, int count);
/// Makes the vertices of the surface of such a shape points, the first ones, so that bodies touch the surface itself. They
/// take the place and the mass of the outer layer of points.
void add_skin(SolidShape& shape, double density);
/// One particle a vertex, its mass a quarter of the tetrahedra around it.
SolidShape shape_of_tetrahedra(const TetMesh& tets, double density);
/// One particle a point. The volume is that of `points.size()` cells of their typical spacing.
SolidShape shape_of_points(std::vector<Vec3d> points);

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
Anchor anchor_on(const World& world, SolidId id, const Vec3d& at);
Anchor anchor_on(const World& world, ClothId id, const Vec3d& at);
Anchor anchor_on(const World& world, RodId id, const Vec3d& at, GlueKind kind = GlueKind::point);
Anchor anchor_on(const World& world, RigidId id, const Vec3d& at);

/// Glues two anchors. A gap between them closes in params.closing. Throws InputError that says what cannot be glued.
GlueId add_glue(World& world, Anchor a, Anchor b, const GlueParams& params = {}, std::string name = "glue");
void set_glue(World& world, GlueId id, const GlueParams& params);
void remove_glue(World& world, GlueId id);

int add_collider(World& world, const Collider& collider);

/// Holds particles (indices into the world) where they are now, or carries them along a keyed motion.
/// With `release` >= 0 they are let go at that time [s].
void pin_particles(World& world, std::span<const int> particles, const Motion& motion = {}, double release = -1);

/// Particles of the world inside a box, for pinning.
std::vector<int> find_particles(const World& world, Range range, const Vec3d& low, const Vec3d& high);

/// A hand on the particle nearest to `at`; returns its index into drivers.grabs, or -1 with no particle there.
int add_grab(World& world, const Vec3& at, Real compliance);
void remove_grab(World& world, int grab);

}  // namespace pliant
