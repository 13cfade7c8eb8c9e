#include "pliant/base/check.h"
#include "pliant/json/nearest_name.h"
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
    explicit Names(const SceneSource& source) : source_(source) {}

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

class WorldBuilder {
  public:
    WorldBuilder(const SceneSource& source, World& world) : source_(source), names_(source), world_(world) {}

    void add(const SolidEntry& entry, const std::string& path, const std::string& usual_name)
    {
        const ArrayEntry array = entry.array.value_or(ArrayEntry{});
        const double copies = 1.0 * array.count[0] * array.count[1] * array.count[2];
        const double most = std::floor((kMostParticles - world_.particles->size()) / copies);
        if (most < 1)
            source_.fail(
                path + "/array/count",
                fmt::format("asks for {:.0f} copies; a scene may have {} particles in all", copies, kMostParticles));
        const PreparedSolid made = prepare_solid(entry, path, source_, world_.contact->on, most);
        const std::string name = entry.name.empty() ? usual_name : entry.name;
        const std::vector<Vec3d> offsets = entry.array ? copy_offsets(array) : std::vector<Vec3d>(1);
        for (std::size_t i = 0; i < offsets.size(); ++i)
            add_copy(entry, path, made, entry.array ? fmt::format("{}-{}", name, i) : name, offsets[i]);
    }

    void add(const ClothEntry& entry, const std::string& path, const std::string& usual_name)
    {
        const JoinedSurface made = make_cloth_mesh(entry, path, source_, kMostParticles - world_.particles->size());
        const SurfaceMesh& mesh = made.mesh;
        ClothParams params = static_cast<const ClothParams&>(entry);
        if (entry.mass) params.areal_density = spread_mass(*entry.mass, area_of(mesh), "m^2", path, source_);
        const std::string name = entry.name.empty() ? usual_name : entry.name;
        names_.take(name, path);
        ClothId id;
        source_.guard(path, [&] { id = add_cloth(world_, mesh, params, name); });
        set_source(world_, id, placed_source(made.source, entry, {}));
        if (entry.render) add_render(entry, *entry.render, path, {}, id);
        source_.guard(path, [&] { place_cloth(world_, id, placement_of(entry, {})); });

        const Range range = world_.cloths.back().particles;
        check_numbers(range, path, source_, world_);
        check_masses(range, "vertex", "mass, areal_density or the size of the shape", path, source_, world_);
        const std::vector<int> points = counted_points(world_.cloths.back());
        add_pins(entry, path, {"cloth", range, points, {}, counted_faces(world_.cloths.back())}, source_, world_);
        add_noise(entry, path, range);
    }

    void add(const RodEntry& entry, const std::string& path, const std::string& usual_name)
    {
        const std::string name = entry.name.empty() ? usual_name : entry.name;
        names_.take(name, path);
        add_rods(entry, path, name, placement_of(entry, {}), source_, world_);
    }

    void add(const RigidEntry& entry, const std::string& path, const std::string& usual_name)
    {
        const MadeForm form = make_form(entry, path, source_);
        const std::string name = entry.name.empty() ? usual_name : entry.name;
        const std::vector<Vec3d> offsets = entry.array ? copy_offsets(*entry.array) : std::vector<Vec3d>(1);
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            const std::string copy = entry.array ? fmt::format("{}-{}", name, i) : name;
            names_.take(copy, path);
            add_rigid(entry, form, path, copy, offsets[i], source_, world_);
        }
    }

    void add(const GlueEntry& entry, const std::string& path, const std::string& usual_name)
    {
        const std::string name = entry.name.empty() ? usual_name : entry.name;
        names_.take(name, path);
        add_glue(entry, path, name, source_, world_);
    }

    void add(const SeamEntry& entry, const std::string& path, const std::string& usual_name)
    {
        const std::string name = entry.name.empty() ? usual_name : entry.name;
        names_.take(name, path);
        add_seam(entry, path, name, source_, world_);
    }

    void add(const ColliderEntry& entry, const std::string& path, const std::string& usual_name)
    {
        Collider collider = static_cast<const Collider&>(entry);
        collider.mesh = make_collider_mesh(entry, path, source_);
        if (collider.name.empty()) collider.name = usual_name;
        names_.take(collider.name, path);
        check_motion(collider.motion, source_.place(path + "/motion").c_str());
        source_.guard(path, [&] { add_collider(world_, collider); });
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
    void add_copy(const SolidEntry& entry, const std::string& path, const PreparedSolid& made, const std::string& name,
                  const Vec3d& offset)
    {
        names_.take(name, path);
        SolidId id;
        source_.guard(path, [&] { id = add_solid(world_, made.shape, made.params, name); });
        set_source(world_, id, placed_source(made.source, entry, offset));
        if (entry.render) add_render(entry, *entry.render, path, offset, id);
        source_.guard(path, [&] { place_solid(world_, id, placement_of(entry, offset)); });
        const Solid& solid = world_.solids.back();
        check_numbers(solid.particles, path, source_, world_);
        const std::vector<int> points = counted_points(solid);
        add_pins(entry, path, {"solid", solid.particles, points, offset, counted_faces(solid)}, source_, world_);
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

World build_world(const SceneFile& file, const SceneSource& source, Problems& problems)
{
    World world;
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
            builder.add(entry, path, fmt::format("{}-{}", usual_name, i));
        });
    };
    for_each_body_list(file, add_each);
    add_each(file.colliders, "colliders", "collider");
    if (!problems.none()) return world;  // glue and grabs could otherwise attach to the wrong body
    add_each(file.glue, "glue", "glue");
    add_each(file.seams, "seams", "seam");
    try_each(file.grabs, "grabs", [&](const auto& entry, const std::string& path, auto) { builder.add(entry, path); });
    try_each(file.contact.rules, "contact/rules",
             [&](const auto& rule, const std::string& path, auto) { builder.check(rule, path); });
    return world;
}

}  // namespace pliant
