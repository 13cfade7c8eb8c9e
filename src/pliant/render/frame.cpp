#include "pliant/render/frame.h"

#include "pliant/contact/colliders/colliders.h"
#include "pliant/geometry/shape_distance.h"
#include "pliant/render/rod_tubes.h"
#include "pliant/world/bodies.h"
#include "pliant/world/current_surface.h"

#include <utility>

namespace pliant {

namespace {

SurfaceMesh display_mesh(const Collider& collider)
{
    if (collider.shape == ColliderShape::mesh) return collider.mesh->surface;
    return make_surface(collider.shape, collider.size.cast<double>(), static_cast<double>(collider.radius),
                        static_cast<double>(collider.height));
}

bool is_one_to_one(const SurfaceSource& source)
{
    for (std::size_t k = 0; k < source.vertex.size(); ++k)
        if (source.vertex[k] != static_cast<int>(k)) return false;
    return true;
}

/// Converts a layer from the vertices of the simulated surface to those of the file that it came from. `place` gives
/// the position of a vertex that no face uses.
template <class Place>
void show_source(const std::shared_ptr<const SurfaceSource>& source, const Place& place, Layer& layer)
{
    layer.faces = source ? source->faces : nullptr;
    if (!source) return;
    layer.triangles = source->triangles;
    if (is_one_to_one(*source)) return;
    std::vector<Vec3> points;
    points.reserve(source->vertex.size());
    std::size_t loose = 0;
    for (const int v : source->vertex)
        points.push_back(v >= 0 ? layer.points[static_cast<std::size_t>(v)] : place(source->loose[loose++]));
    layer.points = std::move(points);
}

Vec3 as_placed(const Vec3d& p) { return p.cast<Real>(); }

void update_layer(const Solid& solid, const World& world, Layer& layer)
{
    const Particles& particles = *world.particles;
    const auto first = static_cast<std::size_t>(solid.particles.first);
    const auto count = static_cast<std::size_t>(solid.particles.count);
    const std::span<const Vec3> x = std::span(particles.x).subspan(first, count);
    if (!solid.render.empty()) {
        update_embedding(solid.render, x, layer.points);
        layer.triangles = solid.render.triangles;
        layer.radius = 0;
        show_source(solid.render.source, as_placed, layer);
    } else if (solid.skin.triangles && !solid.skin.triangles->empty()) {
        update_skin(solid, x, layer.points);
        layer.triangles = solid.skin.triangles;
        layer.radius = 0;
        show_source(solid.source, as_placed, layer);
    } else {
        layer.points.assign(x.begin(), x.end());
        layer.triangles = nullptr;
        layer.faces = nullptr;
        layer.radius = count > 0 ? static_cast<double>(particles.radius[first]) : 0;
    }
}

void update_layer(const Cloth& cloth, const World& world, Layer& layer)
{
    const std::span<const Vec3> x = cloth.particles.of(world.particles->x);
    if (!cloth.render.empty()) {
        update_embedding(cloth.render, x, layer.points);
        layer.triangles = cloth.render.triangles;
        return show_source(cloth.render.source, as_placed, layer);
    }
    layer.points.assign(x.begin(), x.end());
    layer.triangles = cloth.triangles;
    show_source(cloth.source, as_placed, layer);
}

void update_layer(const Rod& rod, const World& world, Layer& layer)
{
    const std::size_t before = layer.points.size();
    update_tubes(rod, world.particles, layer.points);
    if (layer.triangles == nullptr || layer.points.size() != before)
        layer.triangles = std::make_shared<const Triangles>(make_tube_triangles(rod));
}

void update_layer(const Rigid& rigid, const World& world, Layer& layer)
{
    const Pose& pose = world.rigid_bodies->pose[&rigid - world.rigids.data()];
    const Mat3 rotation = pose.rotation();
    layer.points.clear();
    for (const Vec3& p : rigid.points) layer.points.push_back(rotation * p + pose.x);
    layer.triangles = rigid.triangles;
    show_source(rigid.source, [&](const Vec3d& p) { return rotation * p.cast<Real>() + pose.x; }, layer);
}

void update_layer(const Collider& collider, double time, Layer& layer)
{
    const bool done = layer.scenery && layer.triangles != nullptr;
    if (done && collider.motion.keys.empty()) return;
    const SurfaceMesh mesh = display_mesh(collider);
    const ColliderPose pose = pose_at(collider, time, time);
    layer.points.clear();
    for (const Vec3d& vertex : mesh.vertices)
        layer.points.push_back(pose.rotation * vertex.cast<Real>() + pose.position);
    if (!done) layer.triangles = std::make_shared<const Triangles>(mesh.triangles);
    layer.scenery = true;
}

/// For kinds that are shown by their surface.
template <class Body>
void update_layer(const Body& body, const World& world, Layer& layer)
{
    CurrentSurface surface = current_surface(world, body);
    layer.points = std::move(surface.points);
    if (layer.triangles == nullptr) layer.triangles = std::make_shared<const Triangles>(std::move(surface.triangles));
    layer.radius = static_cast<double>(surface.radius);
}

/// The layer of a body, cleared if it belonged to another.
Layer& layer_of(const std::string& name, std::size_t index, Frame& frame)
{
    Layer& layer = frame.layers[index];
    if (layer.name != name) layer = {};
    layer.name = name;
    return layer;
}

}  // namespace

void update_frame(const World& world, int number, Frame& frame)
{
    frame.number = number;
    frame.time = world.time;
    frame.layers.resize(world.solids.size() + world.cloths.size() + world.rods.size() + world.rigids.size() +
                        world.colliders.size());
    std::size_t index = 0;
    for_each_body(world, [&](const auto& body) { update_layer(body, world, layer_of(body.name, index++, frame)); });
    for (const Collider& collider : world.colliders)
        update_layer(collider, world.time, layer_of(collider.name, index++, frame));
}

}  // namespace pliant
