// How users name the points of a body.

#include "pliant/json/nearest_name.h"
#include "pliant/scene/scene_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace pliant {

namespace {

/// Per vertex of the file: the particle of the simulated vertex that it became.
std::vector<int> through_source(const SurfaceSource& source, const std::vector<int>& particle_of_vertex)
{
    std::vector<int> points;
    for (const int v : source.vertex) points.push_back(v < 0 ? -1 : particle_of_vertex[static_cast<std::size_t>(v)]);
    return points;
}

/// The vertices of the file are particles only if the skin is made of them, or if tetrahedra are.
bool has_vertices(const Solid& solid)
{
    return solid.source != nullptr && (!solid.skin.particle.empty() || !solid.tetrahedra.empty());
}

std::vector<int> find_group(const std::string& group, const AddedBody& body, const std::string& path,
                            const SceneSource& source)
{
    if (body.faces == nullptr)
        source.fail(path, fmt::format("the {} has no groups: they are those of a mesh from a file whose vertices are "
                                      "particles{}; use a box or particles",
                                      body.kind, body.kind == std::string_view("solid") ? " (\"skin\": true)" : ""));
    std::vector<int> vertices = group_vertices(*body.faces, group);
    if (vertices.empty()) {
        const std::vector<std::string> names = group_names(*body.faces);
        source.fail(path,
                    fmt::format("the file has no group or object \"{}\"{}", group,
                                names.empty() ? " nor any other; use a box or particles" : suggest_name(group, names)));
    }
    return vertices;
}

/// The corners of the box around a body.
std::string extent_of(const AddedBody& body, const World& world)
{
    std::vector<Vec3d> points;
    for (int i = body.range.first; i < body.range.end(); ++i)
        if (!world.particles->is_ghost(i)) points.push_back(world.particles->x[i].cast<double>());
    const Box3 box = bounding_box(points);
    return fmt::format("{} and {}", text_of(box.low), text_of(box.high));
}

}  // namespace

std::vector<int> counted_points(const Solid& solid)
{
    if (!has_vertices(solid)) return solid.particle_of_point;
    return through_source(*solid.source, solid.tetrahedra.empty() ? solid.skin.particle : solid.particle_of_point);
}

std::vector<int> counted_points(const Cloth& cloth)
{
    if (cloth.source != nullptr) return cloth.source->vertex;
    std::vector<int> points(static_cast<std::size_t>(cloth.particles.count));
    std::iota(points.begin(), points.end(), 0);
    return points;
}

const PolygonFaces* counted_faces(const Solid& solid)
{
    return has_vertices(solid) ? solid.source->faces.get() : nullptr;
}

const PolygonFaces* counted_faces(const Cloth& cloth)
{
    return cloth.source != nullptr ? cloth.source->faces.get() : nullptr;
}

std::vector<int> find_points(const std::vector<int>& numbers, const std::string& group, const AddedBody& body,
                             const std::string& path, const SceneSource& source)
{
    std::vector<int> found;
    std::set<int> taken;
    const auto take = [&](int particle) {
        if (particle >= 0 && taken.insert(particle).second) found.push_back(particle);
    };
    for (const int i : numbers) {
        if (i >= body.points())
            source.fail(path + "/particles",
                        fmt::format("there is no particle {}; the {} has {}", i, body.kind, body.points()));
        if (body.particle(i) < 0)
            source.fail(path + "/particles",
                        fmt::format("vertex {} belongs to no face of the file and is no particle; remove it here", i));
        take(body.particle(i));
    }
    if (!group.empty())
        for (const int v : find_group(group, body, path + "/group", source)) take(body.particle(v));
    return found;
}

std::vector<int> find_in_box(const Vec3d& corner, const Vec3d& opposite, const AddedBody& body, const std::string& path,
                             const SceneSource& source, const World& world)
{
    const Vec3d low = corner + body.offset, high = opposite + body.offset;
    std::vector<int> found = find_particles(world, body.range, low, high);
    std::erase_if(found, [&](int i) { return world.particles->is_ghost(i); });
    if (found.empty())
        source.fail(path, fmt::format("catches no particle between {} and {}; the {} lies between {}", text_of(low),
                                      text_of(high), body.kind, extent_of(body, world)));
    return found;
}

}  // namespace pliant
