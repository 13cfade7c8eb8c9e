#include "pliant/geometry/polygon_mesh.h"

#include "pliant/geometry/polygon.h"
#include "pliant/geometry/position_index.h"

#include <algorithm>
#include <set>
#include <utility>

namespace pliant {

namespace {

using Triangles = std::vector<std::array<int, 3>>;

/// Per vertex: the first one at the same position.
std::vector<int> first_at_position(const std::vector<Vec3d>& vertices)
{
    PositionIndex index;
    std::vector<int> first;
    first.reserve(vertices.size());
    for (const Vec3d& p : vertices) first.push_back(index.find_or_add(p, static_cast<int>(first.size())));
    return first;
}

/// All faces cut into triangles, each corner replaced by the first vertex at its position.
Triangles cut_faces(const PolygonMesh& mesh, const std::vector<int>& first)
{
    Triangles triangles;
    std::vector<Vec3d> positions;
    for (int i = 0; i < mesh.faces.size(); ++i) {
        const std::span<const int> face = mesh.faces.face(i);
        positions.clear();
        for (const int v : face) positions.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
        const auto vertex = [&](int k) { return first[static_cast<std::size_t>(face[static_cast<std::size_t>(k)])]; };
        for (const auto& [a, b, c] : cut_polygon(positions)) {
            const std::array<int, 3> t{vertex(a), vertex(b), vertex(c)};
            if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) triangles.push_back(t);
        }
    }
    return triangles;
}

/// Calls visit(name) for each name of a label; names are separated by blanks.
template <class Visit>
void for_each_name(std::string_view label, const Visit& visit)
{
    while (!label.empty()) {
        const std::size_t end = std::min(label.find(' '), label.size());
        if (end > 0) visit(label.substr(0, end));
        label.remove_prefix(std::min(end + 1, label.size()));
    }
}

/// Per name of the labels: whether it names the group.
std::vector<bool> find_names(const FaceLabels& labels, std::string_view name)
{
    std::vector<bool> meant;
    for (const std::string& label : labels.names) {
        bool found = label == name;
        for_each_name(label, [&](std::string_view part) { found = found || part == name; });
        meant.push_back(found);
    }
    return meant;
}

}  // namespace

int FaceLabels::index_of(std::string_view name)
{
    if (const auto known = index_.find(name); known != index_.end()) return known->second;
    names.emplace_back(name);
    return index_.emplace(name, static_cast<int>(names.size()) - 1).first->second;
}

void PolygonFaces::add(std::span<const int> face_corners, std::span<const int> uvs_of_corners, int object, int group,
                       int material)
{
    corners.insert(corners.end(), face_corners.begin(), face_corners.end());
    corner_uvs.insert(corner_uvs.end(), uvs_of_corners.begin(), uvs_of_corners.end());
    corner_uvs.resize(corners.size(), -1);
    first.push_back(static_cast<int>(corners.size()));
    objects.of_face.push_back(object);
    groups.of_face.push_back(group);
    materials.of_face.push_back(material);
}

JoinedSurface join_vertices(PolygonMesh mesh)
{
    const std::vector<int> first = first_at_position(mesh.vertices);
    Triangles triangles = cut_faces(mesh, first);
    std::vector<int> number(mesh.vertices.size(), -1);  // per vertex that is the first at its position
    for (const std::array<int, 3>& t : triangles)
        for (const int v : t) number[static_cast<std::size_t>(v)] = 0;

    JoinedSurface joined;
    SurfaceSource source;
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        const auto f = static_cast<std::size_t>(first[v]);
        if (f == v && number[v] == 0) {
            number[v] = static_cast<int>(joined.mesh.vertices.size());
            joined.mesh.vertices.push_back(mesh.vertices[v] + Vec3d{});  // -0 becomes 0
        }
        source.vertex.push_back(number[f]);
        if (number[f] < 0) source.loose.push_back(mesh.vertices[v]);
    }
    for (const auto& [a, b, c] : triangles)
        joined.mesh.triangles.push_back({number[static_cast<std::size_t>(a)], number[static_cast<std::size_t>(b)],
                                         number[static_cast<std::size_t>(c)]});
    source.triangles = std::make_shared<const Triangles>(std::move(triangles));
    source.faces = std::make_shared<const PolygonFaces>(std::move(mesh.faces));
    joined.source = std::make_shared<const SurfaceSource>(std::move(source));
    return joined;
}

std::shared_ptr<const SurfaceSource> move_loose(std::shared_ptr<const SurfaceSource> source, const Mat3d& linear,
                                                const Vec3d& position)
{
    if (source == nullptr || source->loose.empty()) return source;
    SurfaceSource moved = *source;
    for (Vec3d& p : moved.loose) p = linear * p + position;
    return std::make_shared<const SurfaceSource>(std::move(moved));
}

std::vector<std::string> group_names(const PolygonFaces& faces)
{
    std::set<std::string> names;
    for (const std::string& label : faces.groups.names)
        for_each_name(label, [&](std::string_view name) { names.emplace(name); });
    names.insert(faces.objects.names.begin(), faces.objects.names.end());
    return {names.begin(), names.end()};
}

std::vector<int> group_vertices(const PolygonFaces& faces, std::string_view name)
{
    const std::vector<bool> groups = find_names(faces.groups, name);
    std::vector<int> vertices;
    for (int i = 0; i < faces.size(); ++i) {
        const int group = faces.groups.of_face[static_cast<std::size_t>(i)];
        const int object = faces.objects.of_face[static_cast<std::size_t>(i)];
        const bool in_group = group >= 0 && groups[static_cast<std::size_t>(group)];
        const bool in_object = object >= 0 && faces.objects.names[static_cast<std::size_t>(object)] == name;
        if (!in_group && !in_object) continue;
        const std::span<const int> face = faces.face(i);
        vertices.insert(vertices.end(), face.begin(), face.end());
    }
    std::ranges::sort(vertices);
    vertices.erase(std::ranges::unique(vertices).begin(), vertices.end());
    return vertices;
}

}  // namespace pliant
