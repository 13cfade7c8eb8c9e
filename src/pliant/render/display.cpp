#include "pliant/render/display.h"

#include "pliant/contact/colliders/colliders.h"
#include "pliant/geometry/near_points.h"
#include "pliant/render/rod_tubes.h"
#include "pliant/solids/measure_solid.h"
#include "pliant/world/bodies.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <type_traits>

namespace pliant {

namespace {

/// Calls visit(body) for the body or collider that a layer shows, if there is one.
template <class Visit>
void visit_layer(const World& world, int layer, const Visit& visit)
{
    int index = 0;
    for_each_body(world, [&](const auto& body) {
        if (index++ == layer) visit(body);
    });
    const int collider = layer - index;
    if (collider >= 0 && collider < static_cast<int>(world.colliders.size()))
        visit(world.colliders[static_cast<std::size_t>(collider)]);
}

/// Whether more than a few edges of triangles turn by more than 50 degrees: a box has them, a ball has not.
bool has_sharp_edges(const std::vector<Vec3>& points, const Triangles& triangles)
{
    constexpr Real kCosine = Real(0.64);
    std::map<std::pair<int, int>, Vec3> normal_at;  // per edge: of the first triangle there
    std::size_t sharp = 0;
    for (const auto& t : triangles) {
        const Vec3 n = (points[t[1]] - points[t[0]]).cross(points[t[2]] - points[t[0]]);
        if (!(n.squared_norm() > 0)) continue;
        for (int k = 0; k < 3; ++k) {
            const auto [at, first] = normal_at.emplace(std::minmax(t[k], t[(k + 1) % 3]), n.normalized());
            if (!first && at->second.dot(n.normalized()) < kCosine) ++sharp;
        }
    }
    return sharp * 50 > normal_at.size();
}

/// Each vertex has the first that a face gives it.
std::vector<std::array<float, 2>> uvs_of_faces(const PolygonFaces& faces, std::size_t vertices)
{
    if (faces.uvs.empty()) return {};
    std::vector<std::array<float, 2>> uvs(vertices);
    std::vector<char> done(vertices);
    for (std::size_t k = 0; k < faces.corners.size() && k < faces.corner_uvs.size(); ++k) {
        const auto v = static_cast<std::size_t>(faces.corners[k]);
        if (faces.corner_uvs[k] < 0 || v >= vertices || done[v] != 0) continue;
        const auto& uv = faces.uvs[static_cast<std::size_t>(faces.corner_uvs[k])];
        uvs[v] = {static_cast<float>(uv[0]), static_cast<float>(uv[1])};
        done[v] = 1;
    }
    return uvs;
}

/// The axis of the coordinates that a tube goes around: no triangle faces along it. -1 for what is no tube.
int axis_of_tube(const SurfaceMesh& rest)
{
    constexpr double kShare = 0.02;  // of the area, for a tube that is not quite straight
    Vec3d facing, sum;
    double area = 0;
    for (const auto& t : rest.triangles) {
        const Vec3d n = (rest.vertices[t[1]] - rest.vertices[t[0]]).cross(rest.vertices[t[2]] - rest.vertices[t[0]]);
        for (int axis = 0; axis < 3; ++axis) facing[axis] += std::abs(n[axis]);
        sum += n;
        area += n.norm();
    }
    if (sum.norm() > 0.1 * area) return -1;
    for (int axis = 0; axis < 3; ++axis)
        if (facing[axis] < kShare * area) return axis;
    return -1;
}

/// Around a tube and along it. What crosses the seam, behind, is off.
std::vector<std::array<float, 2>> uvs_of_tube(const SurfaceMesh& rest, int axis)
{
    Vec3d middle;
    for (const Vec3d& p : rest.vertices) middle += p / static_cast<double>(rest.vertices.size());
    std::vector<std::array<float, 2>> uvs;
    for (const Vec3d& p : rest.vertices) {
        const double a = p[(axis + 1) % 3] - middle[(axis + 1) % 3], b = p[(axis + 2) % 3] - middle[(axis + 2) % 3];
        const double along = p[axis], around = std::atan2(b, a) * std::sqrt(a * a + b * b);
        uvs.push_back({static_cast<float>(around), static_cast<float>(along)});
    }
    return uvs;
}

/// Along the warp, and across it in the plane that the sheet lies in most.
std::vector<std::array<float, 2>> uvs_of_cloth(const Cloth& cloth)
{
    if (const int axis = axis_of_tube(cloth.rest); axis >= 0) return uvs_of_tube(cloth.rest, axis);
    Vec3d normal;
    for (const auto& t : cloth.rest.triangles) {
        const std::vector<Vec3d>& v = cloth.rest.vertices;
        const Vec3d n = (v[t[1]] - v[t[0]]).cross(v[t[2]] - v[t[0]]);
        normal += n.dot(normal) >= 0 ? n : -n;
    }
    const Vec3d axis = cloth.params.warp_axis.cast<double>();
    if (!(normal.norm() > 0) || !(normal.cross(axis).norm() > 0))
        normal = std::abs(axis.y) < 0.9 * axis.norm() ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    const Vec3d weft = normal.cross(axis).normalized(), warp = weft.cross(normal).normalized();
    std::vector<std::array<float, 2>> uvs;
    for (const Vec3d& p : cloth.rest.vertices)
        uvs.push_back({static_cast<float>(p.dot(warp)), static_cast<float>(p.dot(weft))});
    return uvs;
}

void describe(const Solid&, const Frame&, RodDisplay, DisplayLayer& out) { out.kind = "solid"; }
void describe(const Rigid&, const Frame&, RodDisplay, DisplayLayer& out) { out.kind = "rigid"; }
void describe(const Collider& collider, const Frame&, RodDisplay, DisplayLayer& out)
{
    out.kind = "collider";
    out.ground = collider.shape == ColliderShape::plane;
}
void describe(const Cloth& cloth, const Frame&, RodDisplay, DisplayLayer& out)
{
    out.kind = "cloth";
    if (out.uvs.empty() && out.vertices == cloth.rest.vertices.size()) out.uvs = uvs_of_cloth(cloth);
}

void describe(const Rod& rod, const Frame&, RodDisplay rods, DisplayLayer& out)
{
    out.kind = "rod";
    out.radius = static_cast<double>(rod.params.radius);
    const bool lines = rods == RodDisplay::lines;
    const int sides = lines ? 1 : tube_sides(rod);
    std::vector<std::uint32_t> segments;
    for (int s = 0; s < rod.strands(); ++s) {
        const int points = rod.count_points(s), edges = rod.count_edges(s);
        const auto first = static_cast<std::uint32_t>(out.strands.size()) / static_cast<std::uint32_t>(sides);
        double along = 0;
        for (int k = 0; k < points; ++k) {
            for (int c = 0; c < sides; ++c) {
                out.uvs.push_back({static_cast<float>(c) / static_cast<float>(sides), static_cast<float>(along)});
                out.strands.push_back(static_cast<std::uint32_t>(s));
            }
            if (k < edges) along += static_cast<double>(rod.edges[rod.first_edge[s] + k].length);
        }
        for (int e = 0; e < edges; ++e) {
            segments.push_back(first + static_cast<std::uint32_t>(e));
            segments.push_back(first + static_cast<std::uint32_t>((e + 1) % points));
        }
    }
    if (!lines) return;
    out.primitive = "lines";
    out.indices = std::move(segments);
    out.vertices = out.strands.size();
    out.sharp = false;
}

DisplayLayer describe_surface(const Layer& layer)
{
    DisplayLayer out;
    out.name = layer.name;
    out.scenery = layer.scenery;
    out.radius = layer.radius;
    out.vertices = layer.points.size();
    if (layer.triangles == nullptr || layer.triangles->empty()) {
        out.primitive = "points";
        return out;
    }
    for (const auto& t : *layer.triangles)
        for (const int v : t) out.indices.push_back(static_cast<std::uint32_t>(v));
    out.sharp = has_sharp_edges(layer.points, *layer.triangles);
    if (layer.faces) out.uvs = uvs_of_faces(*layer.faces, layer.points.size());
    return out;
}

}  // namespace

std::vector<DisplayLayer> make_display(const World& world, const Frame& frame, RodDisplay rods)
{
    std::vector<DisplayLayer> layers;
    for (std::size_t i = 0; i < frame.layers.size(); ++i) {
        layers.push_back(describe_surface(frame.layers[i]));
        visit_layer(world, static_cast<int>(i), [&](const auto& body) { describe(body, frame, rods, layers.back()); });
    }
    return layers;
}

const std::vector<Vec3>& display_points(const World& world, const Frame& frame, int layer, RodDisplay rods,
                                        std::vector<Vec3>& scratch)
{
    const int first_rod = static_cast<int>(world.solids.size() + world.cloths.size());
    const int rod = layer - first_rod;
    if (rods == RodDisplay::tubes || rod < 0 || rod >= static_cast<int>(world.rods.size()))
        return frame.layers[static_cast<std::size_t>(layer)].points;
    const Rod& body = world.rods[static_cast<std::size_t>(rod)];
    const std::span<const Vec3> x = body.particles.of(world.particles->x);
    scratch.clear();
    for (int s = 0; s < body.strands(); ++s)
        for (int k = 0; k < body.count_points(s); ++k) scratch.push_back(x[body.point(s, k)]);
    return scratch;
}

std::optional<DisplayPose> display_pose(const World& world, int layer)
{
    std::optional<DisplayPose> pose;
    visit_layer(world, layer, [&](const auto& body) {
        using Body = std::decay_t<decltype(body)>;
        if constexpr (std::is_same_v<Body, Rigid>) {
            const Pose& at = world.rigid_bodies->pose[static_cast<std::size_t>(&body - world.rigids.data())];
            pose = {exact_rotation(at), exact_position(at)};
        } else if constexpr (std::is_same_v<Body, Collider>) {
            const ColliderPose at = pose_at(body, world.time, world.time);
            pose = {at.rotation.template cast<double>(), at.position.template cast<double>()};
        }
    });
    return pose;
}

bool can_move(const World& world, int layer)
{
    bool can = true;
    visit_layer(world, layer, [&](const auto& body) {
        if constexpr (std::is_same_v<std::decay_t<decltype(body)>, Collider>) can = !body.motion.keys.empty();
    });
    return can;
}

std::vector<Vec3> vertex_normals(const std::vector<Vec3>& points, const std::vector<std::uint32_t>& triangles)
{
    std::vector<Vec3> normals(points.size());
    for (std::size_t k = 0; k + 2 < triangles.size(); k += 3) {
        const Vec3& a = points[triangles[k]];
        const Vec3 n = (points[triangles[k + 1]] - a).cross(points[triangles[k + 2]] - a);
        for (std::size_t c = 0; c < 3; ++c) normals[triangles[k + c]] += n;
    }
    for (Vec3& n : normals) n = n.squared_norm() > 0 ? n.normalized() : Vec3{0, 1, 0};
    return normals;
}

std::vector<int> nearest_particles(const World& world, int layer, const std::vector<Vec3>& points)
{
    std::vector<int> nearest;
    visit_layer(world, layer, [&](const auto& body) {
        if constexpr (requires { body.particles; }) {
            std::vector<Vec3d> places;
            std::vector<int> number;
            for (int i = body.particles.first; i < body.particles.end(); ++i) {
                if (world.particles->is_ghost(i)) continue;
                places.push_back(world.particles->x[i].cast<double>());
                number.push_back(i);
            }
            if (places.empty()) return;
            const Box3 box = bounding_box(places);
            const double size = (box.high - box.low).norm();
            const NearPoints near(places, size / std::cbrt(static_cast<double>(places.size())));
            for (const Vec3& p : points)
                nearest.push_back(number[static_cast<std::size_t>(near.nearest(p.cast<double>()))]);
        }
    });
    return nearest;
}

std::vector<float> particle_field(const World& world, VertexField field)
{
    std::vector<float> values(world.particles->x.size());
    if (field == VertexField::speed) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(world.particles->v[i].norm());
        return values;
    }
    const auto raise = [&](const auto& body, int particle, double strain) {
        float& value = values[static_cast<std::size_t>(body.particles.first + particle)];
        value = std::max(value, static_cast<float>(strain));
    };
    for (const Solid& solid : world.solids) {
        const std::vector<double> strains = particle_strains(solid, solid.particles.of(world.particles->x));
        for (std::size_t i = 0; i < strains.size(); ++i) raise(solid, static_cast<int>(i), strains[i]);
    }
    for (const Cloth& cloth : world.cloths) {
        const std::vector<double> strains = edge_strains(cloth, cloth.particles.of(world.particles->x));
        for (std::size_t e = 0; e < strains.size(); ++e)
            for (const int v : {cloth.mesh_edges.edges[e].a, cloth.mesh_edges.edges[e].b}) raise(cloth, v, strains[e]);
    }
    for (const Rod& rod : world.rods) {
        const std::span<const Vec3> x = rod.particles.of(world.particles->x);
        for (const Rod::Edge& e : rod.edges) {
            const double strain = std::abs(static_cast<double>((x[e.p1] - x[e.p0]).norm() / e.length) - 1);
            for (const int v : {e.p0, e.p1}) raise(rod, v, strain);
        }
    }
    return values;
}

}  // namespace pliant
