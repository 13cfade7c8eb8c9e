#include "pliant/world/sew.h"

#include "pliant/base/check_fields.h"
#include "pliant/base/message.h"
#include "pliant/world/seam_places.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace pliant {

namespace {

constexpr double kAtCorner = 1e-3;  // a point whose weight is within this of 1 is at that corner

const Cloth& find_cloth(const World& world, ClothId id, const std::string& what)
{
    return world.cloths[index_of(world, id, what.c_str())];
}

SeamLayer make_layer(const World& world, const SeamSide& side, const std::string& what)
{
    SeamLayer layer{find_cloth(world, side.cloth, what), {}, side.vertices};
    const Range range = layer.cloth.particles;
    for (int i = range.first; i < range.end(); ++i) layer.x.push_back(world.particles->x[i].cast<double>());
    for (const int v : side.vertices)
        if (v < 0 || v >= range.count)
            throw InputError(
                message("{}: there is no vertex {}; \"{}\" has {}", what, v, layer.cloth.name, range.count));
    if (side.vertices.empty()) throw InputError(message("{}: no vertex of \"{}\" is chosen", what, layer.cloth.name));
    std::ranges::sort(layer.vertices);
    const auto twice = std::ranges::unique(layer.vertices);
    layer.vertices.erase(twice.begin(), twice.end());
    return layer;
}

void check_sides(const SeamLayer& a, const SeamLayer& b, const SeamParams& params, const std::string& what)
{
    if (params.kind == GlueKind::weld)
        throw InputError(what + ": a seam holds points and cannot be of kind weld; remove the kind");
    if (&a.cloth != &b.cloth) return;
    std::vector<int> both;
    std::ranges::set_intersection(a.vertices, b.vertices, std::back_inserter(both));
    if (!both.empty())
        throw InputError(
            message("{}: vertex {} of \"{}\" is on both sides and cannot be sewn to itself; choose "
                    "two parts that are apart",
                    what, both.front(), a.cloth.name));
}

/// A vertex of a, and the point of b that it is sewn to.
struct Stitch {
    int vertex;
    SeamPlace place;
    double distance;

    int corner() const  // of the triangle, if the point is at one; else -1
    {
        const auto largest = std::ranges::max_element(place.weights);
        return *largest > 1 - kAtCorner ? static_cast<int>(largest - place.weights.begin()) : -1;
    }
};

/// Vertices that an earlier seam holds hard. Where seams meet, as at the top of a sleeve, two would compete for a
/// vertex.
std::set<int> find_sewn(const World& world, const Cloth& cloth)
{
    std::set<int> sewn;
    for (const Glue& glue : world.glues)
        if (!glue.params.stiffness && glue.params.kind == GlueKind::point && glue.a.parents.size() == 1)
            sewn.insert(glue.a.parents.front() - cloth.particles.first);
    return sewn;
}

std::vector<Stitch> find_stitches(SeamLayer& a, const SeamLayer& b, const std::set<int>& sewn, const SeamParams& params,
                                  const std::string& what)
{
    const std::vector<SeamPlace> places =
        params.match == SeamMatch::along ? find_places_along(a, b, what) : find_nearest_places(a, b);
    std::vector<Stitch> stitches;
    double nearest = std::numeric_limits<double>::max();
    for (std::size_t k = 0; k < places.size(); ++k) {
        const double distance = (b.at(places[k]) - a.x[a.vertices[k]]).norm();
        if (sewn.contains(a.vertices[k])) continue;
        nearest = std::min(nearest, distance);
        if (!params.reach || distance <= *params.reach) stitches.push_back({a.vertices[k], places[k], distance});
    }
    if (nearest == std::numeric_limits<double>::max())
        throw InputError(message("{}: all of these vertices of \"{}\" are sewn already; swap the sides, or remove it",
                                 what, a.cloth.name));
    if (stitches.empty())
        throw InputError(
            message("{}: nothing of \"{}\" is within {:.4g} m of \"{}\"; the nearest vertex is {:.4g} "
                    "m away: raise reach or place them nearer",
                    what, a.cloth.name, *params.reach, b.cloth.name, nearest));
    return stitches;
}

/// Where several vertices of a would be sewn to one vertex of b, only the nearest is: the others would be pulled into
/// the same place.
void drop_crowded(const SeamLayer& b, std::vector<Stitch>& stitches)
{
    const auto target = [&](const Stitch& s) {
        return s.corner() < 0 ? -1 : b.cloth.rest.triangles[static_cast<std::size_t>(s.place.triangle)][s.corner()];
    };
    std::ranges::sort(stitches, {}, [](const Stitch& s) { return std::pair(s.distance, s.vertex); });
    std::set<int> taken;
    std::erase_if(stitches, [&](const Stitch& s) { return target(s) >= 0 && !taken.insert(target(s)).second; });
    std::ranges::sort(stitches, {}, &Stitch::vertex);
}

/// The side of b on which a stays, 1 in front and -1 behind: where most of it starts. If it starts in the plane of b,
/// in front.
double find_side(const SeamLayer& a, const SeamLayer& b, const std::vector<Stitch>& stitches,
                 const std::vector<Vec3d>& normals)
{
    double sum = 0;
    for (const Stitch& s : stitches)
        sum += (a.x[s.vertex] - b.at(s.place)).dot(normals[static_cast<std::size_t>(s.place.triangle)]);
    return sum < -1e-9 ? -1 : 1;
}

std::vector<Vec3d> triangle_normals(const SeamLayer& layer)
{
    std::vector<Vec3d> normals;
    for (const auto& [a, b, c] : layer.cloth.rest.triangles) {
        const Vec3d n = (layer.x[b] - layer.x[a]).cross(layer.x[c] - layer.x[a]);
        const double length = n.norm();
        normals.push_back(length > 0 ? n / length : Vec3d{});
    }
    return normals;
}

/// An anchor on the triangle that is sewn to, or on its corner alone if the point is there and no gap is kept.
Anchor anchor_at(const World& world, const SeamSide& side, const SeamLayer& layer, const Stitch& stitch,
                 const Vec3d& offset)
{
    const std::array<int, 3>& corners = layer.cloth.rest.triangles[static_cast<std::size_t>(stitch.place.triangle)];
    const int first = layer.cloth.particles.first;
    const Vec3d at = layer.at(stitch.place) + offset;
    if (stitch.corner() >= 0 && offset.squared_norm() == 0)
        return anchor_on_particles(world.particles, std::vector{first + corners[stitch.corner()]}, at);
    std::vector<Vec3d> points;
    for (const int v : corners) points.push_back(layer.x[v]);
    if (weigh_parents(at, points).empty()) return anchor_on(world, side.cloth, at);  // a sliver has no frame
    return anchor_on_particles(world.particles, std::vector{first + corners[0], first + corners[1], first + corners[2]},
                               at);
}

}  // namespace

std::vector<int> border_of(const Cloth& cloth)
{
    std::set<int> border;
    for (const MeshEdge& e : cloth.mesh_edges.edges)
        if (e.triangles == 1) border.insert({e.a, e.b});
    return {border.begin(), border.end()};
}

std::vector<GlueId> sew(World& world, const SeamSide& a, const SeamSide& b, const SeamParams& params,
                        const std::string& name)
{
    const std::string what = message("seam \"{}\"", name);
    check_fields(params, what);
    SeamLayer from = make_layer(world, a, what);
    const SeamLayer to = make_layer(world, b, what);
    check_sides(from, to, params, what);
    const std::set<int> sewn = params.stiffness ? std::set<int>{} : find_sewn(world, from.cloth);
    std::vector<Stitch> stitches = find_stitches(from, to, sewn, params, what);
    drop_crowded(to, stitches);

    const std::vector<Vec3d> normals = triangle_normals(to);
    const double gap = params.gap * find_side(from, to, stitches, normals);
    std::vector<GlueId> glues;
    for (const Stitch& s : stitches) {
        const Vec3d offset = gap * normals[static_cast<std::size_t>(s.place.triangle)];
        const int particle = from.cloth.particles.first + s.vertex;
        glues.push_back(add_glue(world, anchor_on_particles(world.particles, std::vector{particle}, from.x[s.vertex]),
                                 anchor_at(world, b, to, s, offset), params, message("{}-{}", name, glues.size())));
    }
    return glues;
}

}  // namespace pliant
