#include "pliant/files/mesh_files.h"
#include "pliant/files/paths.h"
#include "pliant/geometry/convex_hull.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/shapes.h"
#include "pliant/scene/shape_in_file.h"
#include "pliant/world/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

using RigidShapeRef = const RigidShapeEntry&;

/// What each kind of shape reads of its entry.
struct RigidRule {
    RigidShapeKind kind;
    RigidKind made;
    std::array<const char*, 3> keys;     // beside kind
    SurfaceMesh (*make)(RigidShapeRef);  // of a generated mesh

    bool reads(const std::string& key) const
    {
        return std::any_of(keys.begin(), keys.end(), [&](const char* k) { return key == k; });
    }
};

constexpr RigidRule kRigidKinds[] = {
    {RigidShapeKind::box, RigidKind::box, {"size", "", ""}, nullptr},
    {RigidShapeKind::sphere, RigidKind::sphere, {"radius", "", ""}, nullptr},
    {RigidShapeKind::cylinder, RigidKind::cylinder, {"radius", "height", ""}, nullptr},
    {RigidShapeKind::capsule, RigidKind::capsule, {"radius", "height", ""}, nullptr},
    {RigidShapeKind::torus,
     RigidKind::mesh,
     {"radius", "minor_radius", "divisions"},
     [](RigidShapeRef e) { return make_torus(e.radius, e.minor_radius, e.divisions.value_or(48)); }},
    {RigidShapeKind::mascot,
     RigidKind::mesh,
     {"height", "divisions", ""},
     [](RigidShapeRef e) { return make_mascot(e.height, e.divisions.value_or(48)); }},
    {RigidShapeKind::mesh, RigidKind::mesh, {"file", "", ""}, nullptr},
    {RigidShapeKind::convex, RigidKind::mesh, {"points", "file", ""}, nullptr},
};

const RigidRule& rule_of(RigidShapeKind kind) { return *std::ranges::find(kRigidKinds, kind, &RigidRule::kind); }

SurfaceMesh make_hull(const RigidShapeEntry& shape, const ShapeInFile& file)
{
    if (!shape.file.empty() && !shape.points.empty()) file.fail("points", "are given beside a file; keep one of them");
    const bool given = shape.file.empty() && !shape.points.empty();
    std::vector<Vec3d> points = shape.points;
    if (!given)
        points = file.read(shape.file, "points", [](const std::string& name) {
            const std::string suffix = lower_extension(name);
            const bool surface = suffix == ".stl" || suffix == ".gltf" || suffix == ".glb";
            return surface ? read_surface(name).vertices : read_points(name);
        });
    const char* key = given ? "points" : "file";
    file.check_points(key, points);
    return file.located(key, [&] { return convex_hull(points); });
}

JoinedSurface make_mesh(const RigidShapeEntry& shape, const ShapeInFile& file)
{
    const RigidRule& rule = rule_of(shape.kind);
    if (rule.make != nullptr) return {file.located("", [&] { return rule.make(shape); }), nullptr};
    if (shape.kind == RigidShapeKind::convex) return {make_hull(shape, file), nullptr};
    return file.read(shape.file, name_of(shape.kind), read_joined_surface);
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
    const RigidShapeEntry& shape = entry.shape;
    const ShapeInFile file(path, source, kMostParticles);
    const RigidRule& rule = rule_of(shape.kind);
    file.check_keys("rigid body", name_of(shape.kind), [&](const std::string& key) { return rule.reads(key); });
    if (entry.margin > 0 && rule.made != RigidKind::mesh)
        source.fail(path + "/margin", fmt::format("means nothing for the kind \"{}\", which touches with its surface; "
                                                  "remove it",
                                                  name_of(shape.kind)));
    MadeForm made;
    RigidForm& form = made.form;
    form = {.kind = rule.made,
                   .size = entry.scale * shape.size,
                   .radius = entry.scale * shape.radius,
                   .height = entry.scale * shape.height};
    if (rule.made != RigidKind::mesh) return made;
    JoinedSurface surface = make_mesh(shape, file);
    form.mesh = std::move(surface.mesh);
    made.source = move_loose(surface.source, Mat3d::diagonal({entry.scale, entry.scale, entry.scale}), {});
    file.check_points(shape.file.empty() ? "" : "file", form.mesh.vertices);
    for (Vec3d& vertex : form.mesh.vertices) vertex *= entry.scale;
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
    place_rigid(world, id,
                {.linear = rotation_of(entry.rotation),
                 .position = entry.position + offset,
                 .velocity = entry.velocity,
                 .angular_velocity = entry.angular_velocity});
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
