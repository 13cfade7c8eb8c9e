#include "pliant/base/check.h"
#include "pliant/json/nearest_name.h"
#include "pliant/scene/scene_keys.h"
#include "pliant/scene/scene_parts.h"
#include "pliant/state/writable.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/embed.h"
#include "pliant/world/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace pliant {

namespace {

/// Names are used for files and in --set, and tell bodies apart in statistics.
class Names {
  public:
    /// Those of what is in the world already are taken.
    Names(const SceneSource& source, const World& world) : source_(source)
    {
        const auto take_all = [&](const auto& list) {
            if constexpr (requires { list.front().name; })
                for (const auto& item : list) taken_.emplace(item.name, "something in the world");
        };
        std::apply([&](auto... list) { (take_all(world.*list), ...); }, kLists);
        extends_ = !taken_.empty();
    }

    /// usual-0, usual-1, ... in a new world; in one that is on its way, the first from number `i` on that is not taken.
    std::string free(const std::string& usual, std::size_t i) const
    {
        std::string name = fmt::format("{}-{}", usual, i);
        while (extends_ && taken_.contains(name)) name = fmt::format("{}-{}", usual, ++i);
        return name;
    }

    void take(const std::string& name, const std::string& path)
    {
        const bool strange = std::any_of(name.begin(), name.end(), [](char c) {
            return c == '/' || c == '.' || c == '=' || static_cast<unsigned char>(c) <= ' ';
        });
        const bool number = std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
        if (strange || number)
            source_.fail(path + "/name",
                         fmt::format("\"{}\" is no name; use letters, digits, - and _, not digits alone", name));
        const auto [first, added] = taken_.emplace(name, path);
        if (!added)
            source_.fail(path + "/name",
                         fmt::format("\"{}\" is the name of {} already; names must differ", name, first->second));
    }

  private:
    const SceneSource& source_;
    std::map<std::string, std::string> taken_;  // name -> path
    bool extends_ = false;                      // something was in the world before
};

Placement placement_of(const BodyEntry& entry, const Vec3d& offset)
{
    return {.linear = rotation_of(entry.rotation) * Mat3d::diagonal(entry.stretch),
            .position = entry.position + offset,
            .velocity = entry.velocity,
            .angular_velocity = entry.angular_velocity};
}

/// Vertices of a file that no face uses stay where the body starts.
std::shared_ptr<const SurfaceSource> placed_source(const std::shared_ptr<const SurfaceSource>& source,
                                                   const BodyEntry& entry, const Vec3d& offset)
{
    const Placement placement = placement_of(entry, offset);
    return move_loose(source, entry.scale * placement.linear, placement.position);
}

double area_of(const SurfaceMesh& mesh)
{
    double sum = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d& corner = mesh.vertices[a];
        sum += 0.5 * (mesh.vertices[b] - corner).cross(mesh.vertices[c] - corner).norm();
    }
    return sum;
}

/// Uniform in [-1, 1), the same with every standard library.
double random_share(std::mt19937_64& generator) { return std::ldexp(static_cast<double>(generator() >> 11), -52) - 1; }

/// The names of the bodies that an entry makes.
template <class Entry>
std::vector<std::string> copy_names(const Entry& entry, const std::string& name)
{
    if (!entry.array) return {name};
    const auto& [x, y, z] = entry.array->count;
    std::vector<std::string> names;
    for (int i = 0; i < x * y * z; ++i) names.push_back(fmt::format("{}-{}", name, i));
    return names;
}

class WorldBuilder {
  public:
    WorldBuilder(const SceneSource& source, World& world) : source_(source), names_(source, world), world_(world) {}

    std::vector<Range> glues;  // per entry of glue: those of the world
    std::vector<Animation> animations;
    std::vector<std::string> unnamed_rods;  // per entry of rods: its name, if it has no other

    std::string free_name(const char* usual, std::size_t i) const { return names_.free(usual, i); }

    void add(const SolidEntry& entry, const std::string& path, const std::string& usual_name)
    {
        const std::vector<Copy> copies = copies_of(entry, path, usual_name);
        const double most = std::floor(room_for_particles() / static_cast<double>(copies.size()));
        if (most < 1)
            source_.fail(path + "/array/count", fmt::format("asks for {} copies; a scene may have {} particles in all",
                                                            copies.size(), kMostParticles));
        const PreparedSolid made = prepare_solid(entry, path, source_, world_.contact->on == true, most);
        for (const Copy& copy : copies) add_copy(copy_of(entry, copy), path, made, copy);
    }

    void add(const ClothEntry& entry, const std::string& path, const std::string& usual_name)
    {
        const std::vector<Copy> copies = copies_of(entry, path, usual_name);
        const JoinedSurface made =
            make_cloth_mesh(entry, path, source_, room_for_particles() / static_cast<double>(copies.size()));
        ClothParams params = static_cast<const ClothParams&>(entry);
        if (entry.mass) params.areal_density = spread_mass(*entry.mass, area_of(made.mesh), "m^2", path, source_);
        for (const Copy& copy : copies) add_copy(copy_of(entry, copy), path, made, params, copy);
    }

    void add(const RodEntry& entry, const std::string& path, const std::string& usual_name)
    {
        unnamed_rods.push_back(usual_name);
        for (const Copy& copy : copies_of(entry, path, usual_name))
            add_rods(copy_of(entry, copy), path, copy.name, placement_of(entry, copy.offset), copy.offset, source_,
                     world_);
    }

    void add(const RigidEntry& entry, const std::string& path, const std::string& usual_name)
    {
        const MadeForm form = make_form(entry, path, source_);
        for (const Copy& copy : copies_of(entry, path, usual_name))
            add_rigid(copy_of(entry, copy), form, path, copy.name, copy.offset, source_, world_);
    }

    void add(const GlueEntry& entry, const std::string& path, const std::string& usual_name)
    {
        const std::string name = entry.name.empty() ? usual_name : entry.name;
        const int first = static_cast<int>(world_.glues.size());
        glues.push_back({first, add_glue(entry, path, name, source_, world_)});
        for (int i = first; i < glues.back().end(); ++i) names_.take(world_.glues[i].name, path);
    }

    void add(const SeamEntry& entry, const std::string& path, const std::string& usual_name)
    {
        const std::string name = entry.name.empty() ? usual_name : entry.name;
        names_.take(name, path);
        add_seam(entry, path, name, source_, world_);
    }

    void add(const ColliderEntry& entry, const std::string& path, const std::string& usual_name)
    {
        const std::shared_ptr<const ShapeMesh> mesh = make_collider_mesh(entry, path, source_);
        check_motion(entry.motion, source_.place(path + "/motion").c_str());
        for (const Copy& copy : copies_of(entry, path, usual_name)) {
            Collider collider = static_cast<const Collider&>(copy_of(entry, copy));
            collider.mesh = mesh;
            collider.name = copy.name;
            collider.position += copy.offset;
            source_.guard(path, [&] { add_collider(world_, collider); });
        }
    }

    /// Kinds with their own add_entry.
    template <class Entry>
    void add(const Entry& entry, const std::string& path, const std::string& usual_name)
    {
        const std::string name = entry.name.empty() ? usual_name : entry.name;
        names_.take(name, path);
        add_entry(entry, path, name, source_, world_);
    }

    void add(const GrabEntry& entry, const std::string& path)
    {
        GrabId grab;
        source_.guard(path,
                      [&] { grab = add_grab(world_, entry.at.cast<Real>(), static_cast<Real>(entry.compliance)); });
        if (grab == GrabId{})
            source_.fail(path + "/at", fmt::format("there is no particle to take at [{:.4g}, {:.4g}, {:.4g}]",
                                                   entry.at.x, entry.at.y, entry.at.z));
        if (entry.target) move_grab(world_, grab, entry.target->cast<Real>());
    }

    void weld(const RodEntry& entry, const std::string& path, const std::string& usual_name)
    {
        const int first = static_cast<int>(world_.glues.size());
        const std::vector<Vec3d> offsets = entry.array ? copy_offsets(*entry.array) : std::vector<Vec3d>(1);
        Copy copy;
        for (const std::string& name : copy_names(entry, entry.name.empty() ? usual_name : entry.name)) {
            copy.offset = offsets[copy.number];
            weld_ends(copy_of(entry, copy), path, name, source_, world_);
            ++copy.number;
        }
        for (int i = first; i < static_cast<int>(world_.glues.size()); ++i) names_.take(world_.glues[i].name, path);
    }

    /// Both bodies of a contact rule must be there.
    void check(const ContactRule& rule, const std::string& path) const
    {
        const std::vector<std::string> names = make_contact_surface(world_).names;
        for (std::size_t k = 0; k < 2; ++k) {
            if (std::ranges::none_of(names, [&](const auto& name) { return is_meant(rule.between[k], name); }))
                source_.fail(fmt::format("{}/between/{}", path, k),
                             fmt::format("no solid, cloth, rod or rigid body is named \"{}\"{}", rule.between[k],
                                         suggest_name(rule.between[k], names)));
        }
    }

  private:
    struct Copy {
        std::string name;
        Vec3d offset;            // [m]
        std::size_t number = 0;  // of the copy
    };

    /// The entry with the motions of a copy.
    template <class Entry>
    static Entry copy_of(const Entry& entry, const Copy& copy)
    {
        const double delay = entry.array ? entry.array->delay * static_cast<double>(copy.number) : 0;
        return with_motions_of_copy(entry, copy.offset, delay);
    }

    /// The copies of an entry, whose names are taken.
    template <class Entry>
    std::vector<Copy> copies_of(const Entry& entry, const std::string& path, const std::string& usual_name)
    {
        const ArrayEntry array = entry.array.value_or(ArrayEntry{});
        const double count = 1.0 * array.count[0] * array.count[1] * array.count[2];
        if (count > kMostCopies)
            source_.fail(path + "/array/count",
                         fmt::format("asks for {:.0f} copies; an array may have {}", count, kMostCopies));
        const std::vector<Vec3d> offsets = entry.array ? copy_offsets(array) : std::vector<Vec3d>(1);
        std::vector<Copy> copies;
        for (const std::string& name : copy_names(entry, entry.name.empty() ? usual_name : entry.name)) {
            names_.take(name, path);
            copies.push_back({name, offsets[copies.size()], copies.size()});
        }
        return copies;
    }

    double room_for_particles() const { return kMostParticles - world_.particles->size(); }

    void add_copy(const SolidEntry& entry, const std::string& path, const PreparedSolid& made, const Copy& copy)
    {
        SolidId id;
        source_.guard(path, [&] { id = add_solid(world_, made.shape, made.params, copy.name); });
        set_source(world_, id, placed_source(made.source, entry, copy.offset));
        if (entry.render) add_render(entry, *entry.render, path, copy.offset, id);
        source_.guard(path, [&] { place_solid(world_, id, placement_of(entry, copy.offset)); });
        const Solid& solid = world_.solids.back();
        check_numbers(solid.particles, path, source_, world_);
        const std::vector<int> points = counted_points(solid);
        add_pins(entry, path, {"solid", solid.particles, points, copy.offset, counted_faces(solid)}, source_, world_);
    }

    void add_copy(const ClothEntry& entry, const std::string& path, const JoinedSurface& made,
                  const ClothParams& params, const Copy& copy)
    {
        ClothId id;
        source_.guard(path, [&] { id = add_cloth(world_, made.mesh, params, copy.name); });
        set_source(world_, id, placed_source(made.source, entry, copy.offset));
        if (entry.render) add_render(entry, *entry.render, path, copy.offset, id);
        source_.guard(path, [&] { place_cloth(world_, id, placement_of(entry, copy.offset)); });

        const Cloth& cloth = world_.cloths.back();
        if (entry.animation)
            animations.push_back(
                add_animation(entry, path, cloth, placement_of(entry, copy.offset), id, source_, world_));
        check_numbers(cloth.particles, path, source_, world_);
        check_masses(cloth.particles, "vertex", "mass, areal_density or the size of the shape", path, source_, world_);
        const std::vector<int> points = counted_points(cloth);
        add_pins(entry, path, {"cloth", cloth.particles, points, copy.offset, counted_faces(cloth)}, source_, world_);
        add_noise(entry, path, cloth.particles);
    }

    /// A mesh that is shown in place of the body.
    template <class BodyId>
    void add_render(const BodyEntry& entry, const ShapeEntry& shape, const std::string& path, const Vec3d& offset,
                    BodyId id)
    {
        const JoinedSurface surface = make_surface(shape, entry.scale, path, "render", source_);
        embed(world_, id, surface.mesh);
        set_render_source(world_, id, placed_source(surface.source, entry, offset));
    }

    /// A flat sheet has no reason to bend one way or the other; noise is one. What is pinned stays where it is.
    void add_noise(const ClothEntry& entry, const std::string& path, Range range)
    {
        if (entry.noise == 0) return;
        Particles& p = writable(world_.particles);
        const std::vector<Vec3d> normals = vertex_normals(positions(range), *world_.cloths.back().triangles);
        std::mt19937_64 generator(static_cast<std::uint64_t>(entry.seed));
        for (int i = range.first; i < range.end(); ++i) {
            const double share =
                random_share(generator);  // drawn for all: that of one is not changed by a pin elsewhere
            if (p.inv_mass[i] == 0) continue;
            const Vec3d moved = p.x[i].cast<double>() + entry.noise * share * normals[i - range.first];
            p.put(i, moved.cast<Real>());
        }
        check_numbers(range, path, source_, world_);
    }

    std::vector<Vec3d> positions(Range range) const
    {
        std::vector<Vec3d> points;
        for (int i = range.first; i < range.end(); ++i) points.push_back(world_.particles->x[i].cast<double>());
        return points;
    }

    const SceneSource& source_;
    Names names_;
    World& world_;
};

}  // namespace

std::string text_of(const Vec3d& v) { return fmt::format("[{:.4g}, {:.4g}, {:.4g}]", v.x, v.y, v.z); }

std::vector<Vec3d> copy_offsets(const ArrayEntry& array)
{
    std::mt19937_64 generator(static_cast<std::uint64_t>(array.seed));
    std::vector<Vec3d> offsets;
    for (int k = 0; k < array.count[2]; ++k)
        for (int j = 0; j < array.count[1]; ++j)
            for (int i = 0; i < array.count[0]; ++i) {
                Vec3d offset{i * array.spacing.x, j * array.spacing.y, k * array.spacing.z};
                for (int axis = 0; axis < 3; ++axis) offset[axis] += array.jitter * random_share(generator);
                offsets.push_back(offset);
            }
    return offsets;
}

void build_world(const SceneFile& file, const SceneSource& source, Problems& problems, std::vector<Range>& glues,
                 std::vector<Animation>& animations, World& world)
{
    set_settings(world, file.settings);
    set_forces(world, file.forces);
    set_contact(world, file.contact);
    WorldBuilder builder(source, world);

    // An entry that cannot be added is reported and left out, so that all problems are shown at once.
    const auto try_each = [&](const auto& entries, const char* list, auto&& add) {
        for (std::size_t i = 0; i < entries.size(); ++i) {
            try {
                add(entries[i], fmt::format("{}/{}", list, i), i);
            } catch (const InputError& error) {
                problems.add(error.what());
            }
        }
    };
    const auto add_each = [&](const auto& entries, const char* list, const char* usual_name) {
        try_each(entries, list, [&](const auto& entry, const std::string& path, std::size_t i) {
            builder.add(entry, path, builder.free_name(usual_name, i));
        });
    };
    for_each_body_list(file, add_each);
    add_each(file.colliders, "colliders", "collider");
    if (!problems.none()) return;  // glue and grabs could otherwise attach to the wrong body
    add_each(file.glue, "glue", "glue");
    glues = builder.glues;
    animations = builder.animations;
    try_each(file.rods, "rods", [&](const auto& entry, const std::string& path, std::size_t i) {
        builder.weld(entry, path, builder.unnamed_rods[i]);
    });
    add_each(file.seams, "seams", "seam");
    try_each(file.tracks, "tracks", [&](const auto& track, const std::string& path, auto) {
        source.guard(path, [&] { add_track(world, track); });
    });
    try_each(file.grabs, "grabs", [&](const auto& entry, const std::string& path, auto) { builder.add(entry, path); });
    try_each(file.contact.rules, "contact/rules",
             [&](const auto& rule, const std::string& path, auto) { builder.check(rule, path); });
}

}  // namespace pliant
