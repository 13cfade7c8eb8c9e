#pragma once
// The steps of read_scene; internal to this room.

#include "pliant/base/check.h"
#include "pliant/geometry/polygon_mesh.h"
#include "pliant/json/json_text.h"
#include "pliant/scene/scene.h"
#include "pliant/scene/scene_file.h"
#include "pliant/world/edits.h"

#include <memory>
#include <span>
#include <string>

namespace pliant {

/// Where a scene comes from, for messages and for the files that it names.
struct SceneSource {
    const JsonText& text;
    std::string folder;
    std::vector<std::string>* warnings = nullptr;  // allowed, but probably a mistake

    /// Throws InputError: `FILE:LINE: PATH: MESSAGE`.
    [[noreturn]] void fail(const std::string& path, const std::string& message) const;

    /// `FILE:LINE: PATH`, for checks that add the colon.
    std::string place(const std::string& path) const;

    /// Whether the file, or a --set, gives a value at this path.
    bool says(const std::string& path) const;

    /// Adds `FILE:LINE: PATH: MESSAGE` to the warnings, once.
    void warn(const std::string& path, const std::string& message) const;

    /// The library's own checks know the parameter but not the file.
    template <class Action>
    void guard(const std::string& path, Action&& action) const
    {
        try {
            action();
        } catch (const InputError& error) {
            fail(path, error.what());
        }
    }
};

/// Edits the document as `solids.bunny.gamma=0.2` says. Throws InputError that names the nearest known path.
void apply_set(const std::string& edit, const Json& schema, JsonText& text);

/// A vector as in a scene file, to four digits.
std::string text_of(const Vec3d& v);

/// What a solid is made of, and the mesh in a file that its surface came from, if there is one.
struct MadeShape {
    SolidShape shape;
    std::shared_ptr<const SurfaceSource> source{};
};

/// What the solid at `path` is made of. `most` particles are allowed.
MadeShape make_shape(const SolidEntry& entry, const std::string& path, const SceneSource& source, double most);

/// The solid at `path`: its shape with skin, mass and clusters, its parameters and its source. By default it has a skin if
/// `contact` says so.
struct PreparedSolid {
    SolidShape shape;
    SolidParams params;
    std::shared_ptr<const SurfaceSource> source{};
};
PreparedSolid prepare_solid(const SolidEntry& entry, const std::string& path, const SceneSource& source, bool contact,
                            double most);

/// The mesh of the collider at `path`; null for the other shapes.
std::shared_ptr<const ShapeMesh> make_collider_mesh(const ColliderEntry& entry, const std::string& path,
                                                    const SceneSource& source);

/// A surface that the body or collider at `path` has under `key`; its source is null if it is generated.
JoinedSurface make_surface(const ShapeEntry& shape, double scale, const std::string& path, const char* key,
                           const SceneSource& source);

/// Refuses keys of the shape of the rigid body at `path` that mean nothing where it is no mesh.
void check_exact_shape(const ShapeEntry& shape, const std::string& path, const SceneSource& source);

/// The surface of the cloth at `path`, at rest. `most` vertices are allowed.
JoinedSurface make_cloth_mesh(const ClothEntry& entry, const std::string& path, const SceneSource& source, double most);

/// The strands of the rod at `path`, at rest. `most` particles are allowed, ghosts among them.
std::vector<Strand> make_strands(const RodEntry& entry, const std::string& path, const SceneSource& source,
                                 double most);

/// Where a body that was just added is, and what messages call it.
struct AddedBody {
    const char* kind;
    Range range;
    std::span<const int> particle_of_point{};  // empty: particle k is point k; -1 for a vertex that is none
    Vec3d offset{};                            // of a copy [m]
    const PolygonFaces* faces = nullptr;       // whose vertices the points are, if they are from a file

    int points() const { return particle_of_point.empty() ? range.count : static_cast<int>(particle_of_point.size()); }
    /// Of the world; -1 for a vertex that no face of the file uses.
    int particle(int point) const
    {
        const int particle = particle_of_point.empty() ? point : particle_of_point[static_cast<std::size_t>(point)];
        return particle < 0 ? -1 : range.first + particle;
    }
};

/// Pins the particles of the body that the pins of the entry select. Ghosts of rods are never selected.
void add_pins(const BodyEntry& entry, const std::string& path, const AddedBody& body, const SceneSource& source,
              World& world);

/// Adds the rods of an entry, or a copy of them moved by `offset`, with their pins and clamps.
void add_rods(const RodEntry& entry, const std::string& path, const std::string& name, const Placement& placement,
              const Vec3d& offset, const SceneSource& source, World& world);

/// Welds roots and clamped ends of the rods of an entry to the bodies that carry them; all bodies are there already.
void weld_ends(const RodEntry& entry, const std::string& path, const std::string& name, const SceneSource& source,
               World& world);

/// The points of a body as users count them, as particles of the body: the vertices of its file in order, -1 for one that
/// no face uses; otherwise those of its shape.
std::vector<int> counted_points(const Solid& solid);
std::vector<int> counted_points(const Cloth& cloth);

/// The faces of the file whose vertices counted_points are; null if they are not from a file.
const PolygonFaces* counted_faces(const Solid& solid);
const PolygonFaces* counted_faces(const Cloth& cloth);

/// Particles that are named by their numbers and by the group of the file: those of the world, none twice. `path` is that
/// of the entry with the keys `particles` and `group`.
std::vector<int> find_points(const std::vector<int>& numbers, const std::string& group, const AddedBody& body,
                             const std::string& path, const SceneSource& source);

/// Particles of the body inside a box of the world that moves along with the copy, at least one; no ghosts.
std::vector<int> find_in_box(const Vec3d& corner, const Vec3d& opposite, const AddedBody& body, const std::string& path,
                             const SceneSource& source, const World& world);

/// The animation of the cloth at `path`, which was placed with that transform; its particles are put where they start.
Animation add_animation(const ClothEntry& entry, const std::string& path, const Cloth& cloth,
                        const Placement& placement, ClothId id, const SceneSource& source, World& world);

/// The form of a rigid body, and the mesh in a file that it came from, if there is one.
struct MadeForm {
    RigidForm form;
    std::shared_ptr<const SurfaceSource> source{};
};

/// The form of the rigid body at `path`.
MadeForm make_form(const RigidEntry& entry, const std::string& path, const SceneSource& source);

/// Adds one rigid body of an entry, moved by `offset`.
void add_rigid(const RigidEntry& entry, const MadeForm& made, const std::string& path, const std::string& name,
               const Vec3d& offset, const SceneSource& source, World& world);

/// The names of all bodies, in the order of the world.
std::vector<std::string> body_names(const World& world);

/// The body of that name. `path` is that of the key that names it.
BodyRef find_body(const std::string& name, const std::string& path, const SceneSource& source, const World& world);

/// An anchor on a body of any kind.
Anchor anchor_at(const BodyRef& body, const Vec3d& at, GlueKind kind, const World& world);

/// Adds the glue of an entry between bodies that are there already, and returns how many.
int add_glue(const GlueEntry& entry, const std::string& path, const std::string& name, const SceneSource& source,
             World& world);

/// Sews the cloths of an entry, which are there already.
void add_seam(const SeamEntry& entry, const std::string& path, const std::string& name, const SceneSource& source,
              World& world);

/// The density that gives a body of this size [`unit`] its mass.
Real spread_mass(double mass, double size, const char* unit, const std::string& path, const SceneSource& source);

/// Throws InputError unless all numbers of the particles are finite and in range. `point` and `remedy` are for the message
/// about a mass.
void check_numbers(Range range, const std::string& path, const SceneSource& source, const World& world);
void check_masses(Range range, const char* point, const char* remedy, const std::string& path,
                  const SceneSource& source, const World& world);

/// Adds what is in a file to a World; entries that cannot be built are reported and left out. `glues` are those of the world
/// that each entry of the file's glue made.
void build_world(const SceneFile& file, const SceneSource& source, Problems& problems, std::vector<Range>& glues,
                 std::vector<Animation>& animations, World& world);

/// Warns about keys without effect. `world` and `glues` are what was built from the file.
void warn_about_idle(const SceneFile& file, const SceneSource& source, const World& world,
                     std::span<const Range> glues);

struct EmbeddedScene {
    const char* name;
    const char* text;
};

/// The files of scenes/, put into the program when it is built (cmake/scenes.cmake).
std::span<const EmbeddedScene> embedded_scenes();

}  // namespace pliant
