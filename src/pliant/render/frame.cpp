#include "pliant/render/frame.h"

#include "pliant/geometry/shape.h"
#include "pliant/render/rod_tubes.h"

namespace pliant {

namespace {

SurfaceMesh display_mesh(const Collider& collider)
{
    if (collider.shape == ColliderShape::mesh) return collider.mesh->surface;
    return make_surface(collider.shape, collider.size.cast<double>(), static_cast<double>(collider.radius),
                        static_cast<double>(collider.height));
}

void update_layer(const Solid& solid, const Particles& particles, Layer& layer)
{
    const auto first = static_cast<std::size_t>(solid.particles.first);
    const auto count = static_cast<std::size_t>(solid.particles.count);
    const std::span<const Vec3> x = std::span(particles.x).subspan(first, count);
    if (!solid.render.empty()) {
        update_embedding(solid.render, x, layer.points);
        layer.triangles = solid.render.triangles;
        layer.radius = 0;
    } else if (solid.skin.triangles && !solid.skin.triangles->empty()) {
        update_skin(solid.skin, solid.clusters, x, layer.points);
        layer.triangles = solid.skin.triangles;
        layer.radius = 0;
    } else {
        layer.points.assign(x.begin(), x.end());
        layer.triangles = nullptr;
        layer.radius = count > 0 ? static_cast<double>(particles.radius[first]) : 0;
    }
}

void update_layer(const Cloth& cloth, const Particles& particles, Layer& layer)
{
    const std::span<const Vec3> x = cloth.particles.of(particles.x);
    if (!cloth.render.empty()) {
        update_embedding(cloth.render, x, layer.points);
        layer.triangles = cloth.render.triangles;
        return;
    }
    layer.points.assign(x.begin(), x.end());
    layer.triangles = cloth.triangles;
}

void update_layer(const Rod& rod, const Particles& particles, Layer& layer)
{
    const std::size_t before = layer.points.size();
    update_tubes(rod, particles, layer.points);
    if (layer.triangles == nullptr || layer.points.size() != before)
        layer.triangles = std::make_shared<const Triangles>(make_tube_triangles(rod));
}

void update_layer(const Rigid& rigid, const Pose& pose, Layer& layer)
{
    const Mat3 rotation = pose.rotation();
    layer.points.clear();
    for (const Vec3& p : rigid.points) layer.points.push_back(rotation * p + pose.x);
    layer.triangles = rigid.triangles;
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

/// The layer of a body, emptied if it was that of another.
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
    for (const Solid& solid : world.solids) update_layer(solid, world.particles, layer_of(solid.name, index++, frame));
    for (const Cloth& cloth : world.cloths) update_layer(cloth, world.particles, layer_of(cloth.name, index++, frame));
    for (const Rod& rod : world.rods) update_layer(rod, world.particles, layer_of(rod.name, index++, frame));
    for (std::size_t i = 0; i < world.rigids.size(); ++i)
        update_layer(world.rigids[i], world.rigid_bodies.pose[i], layer_of(world.rigids[i].name, index++, frame));
    for (const Collider& collider : world.colliders)
        update_layer(collider, world.time, layer_of(collider.name, index++, frame));
}

}  // namespace pliant
