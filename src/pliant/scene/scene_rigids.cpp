#include "pliant/scene/scene_parts.h"
#include "pliant/world/source.h"

#include <fmt/format.h>

#include <cmath>

namespace pliant {

namespace {

/// Shapes that bodies touch exactly; all others are meshes.
RigidKind kind_of(ShapeKind kind)
{
    switch (kind) {
        case ShapeKind::box: return RigidKind::box;
        case ShapeKind::sphere: return RigidKind::sphere;
        case ShapeKind::cylinder: return RigidKind::cylinder;
        case ShapeKind::capsule: return RigidKind::capsule;
        default: return RigidKind::mesh;
    }
}

bool is_finite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

void check_start(const std::string& path, const SceneSource& source, const World& world)
{
    const RigidBodies& bodies = world.rigid_bodies;
    const int i = bodies.size() - 1;
    if (!is_finite(bodies.pose[i].x) || !is_finite(bodies.v[i]) || !is_finite(bodies.spin[i]))
        source.fail(path, "position, velocity or angular_velocity is too large to compute with");
}

}  // namespace

MadeForm make_form(const RigidEntry& entry, const std::string& path, const SceneSource& source)
{
    const ShapeEntry& shape = entry.shape;
    const RigidKind kind = kind_of(shape.kind);
    MadeForm made{.form = {.kind = kind,
                           .size = entry.scale * shape.size,
                           .radius = entry.scale * shape.radius,
                           .height = entry.scale * shape.height}};
    if (kind == RigidKind::mesh) {
        const JoinedSurface surface = make_surface(shape, entry.scale, path, "shape", source);
        made.form.mesh = surface.mesh;
        made.source = move_loose(surface.source, Mat3d::diagonal({entry.scale, entry.scale, entry.scale}), {});
        return made;
    }
    check_exact_shape(shape, path, source);
    if (entry.margin > 0)
        source.fail(path + "/margin", fmt::format("means nothing for the kind \"{}\", which touches with its surface; "
                                                  "remove it",
                                                  name_of(shape.kind)));
    return made;
}

void add_rigid(const RigidEntry& entry, const MadeForm& made, const std::string& path, const std::string& name,
               const Vec3d& offset, const SceneSource& source, World& world)
{
    RigidParams params = static_cast<const RigidParams&>(entry);
    const std::string shape_path = path + "/shape" + (entry.shape.file.empty() ? "" : "/file");
    params.inertia.reset();
    source.guard(shape_path, [&] { make_rigid(made.form, params); });
    RigidId id;
    source.guard(entry.inertia ? path + "/inertia" : path,
                 [&] { id = add_rigid(world, made.form, static_cast<const RigidParams&>(entry), name); });
    set_source(world, id, made.source);
    source.guard(path, [&] {
        place_rigid(world, id,
                    {.linear = rotation_of(entry.rotation),
                     .position = entry.position + offset,
                     .velocity = entry.velocity,
                     .angular_velocity = entry.angular_velocity});
    });
    check_start(path, source, world);
    if (!entry.hold) return;
    check_motion(entry.hold->motion, source.place(path + "/hold/motion").c_str());
    for (const auto& [value, key] :
         {std::pair{entry.velocity, "velocity"}, {entry.angular_velocity, "angular_velocity"}})
        if (value.norm() > 0)
            source.fail(fmt::format("{}/{}", path, key), "means nothing for a body that is held; use hold/motion");
    source.guard(path + "/hold", [&] { hold_rigid(world, id, entry.hold->motion, entry.hold->release.value_or(-1)); });
}

}  // namespace pliant
