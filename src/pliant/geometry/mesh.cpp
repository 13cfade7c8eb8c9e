#include "pliant/geometry/mesh.h"

#include "pliant/base/check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pliant {

namespace {

/// An edge without direction (a < b) and the direction in which a triangle runs along it.
struct HalfEdge {
    int a, b;
    bool forward;  // from a to b
};

std::vector<HalfEdge> sorted_half_edges(const SurfaceMesh& mesh)
{
    std::vector<HalfEdge> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (const std::array<int, 3>& t : mesh.triangles) {
        for (std::size_t i = 0; i < 3; ++i) {
            const int from = t[i], to = t[(i + 1) % 3];
            edges.push_back({std::min(from, to), std::max(from, to), from < to});
        }
    }
    std::sort(edges.begin(), edges.end(),
              [](const HalfEdge& p, const HalfEdge& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; });
    return edges;
}

}  // namespace

Box3 bounding_box(const std::vector<Vec3d>& points)
{
    if (points.empty()) return {};
    Box3 box{points[0], points[0]};
    for (const Vec3d& p : points) {
        for (int axis = 0; axis < 3; ++axis) {
            box.low[axis] = std::min(box.low[axis], p[axis]);
            box.high[axis] = std::max(box.high[axis], p[axis]);
        }
    }
    return box;
}

double volume(const SurfaceMesh& mesh)
{
    if (mesh.triangles.empty()) return 0;
    // Cones from the middle of the box instead of the origin: a mesh far away loses no digits.
    const Vec3d apex = bounding_box(mesh.vertices).center();
    double six_volumes = 0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec3d pa = mesh.vertices[static_cast<std::size_t>(a)] - apex;
        const Vec3d pb = mesh.vertices[static_cast<std::size_t>(b)] - apex;
        const Vec3d pc = mesh.vertices[static_cast<std::size_t>(c)] - apex;
        six_volumes += pa.dot(pb.cross(pc));
    }
    return six_volumes / 6;
}

int open_edges(const SurfaceMesh& mesh)
{
    const std::vector<HalfEdge> edges = sorted_half_edges(mesh);
    int open = 0;
    for (std::size_t first = 0, last = 0; first < edges.size(); first = last) {
        while (last < edges.size() && edges[last].a == edges[first].a && edges[last].b == edges[first].b) ++last;
        const bool paired = last - first == 2 && edges[first].forward != edges[first + 1].forward;
        if (!paired) ++open;
    }
    return open;
}

void check_solid(const SurfaceMesh& mesh)
{
    if (mesh.triangles.empty()) throw InputError("the mesh has no triangles; give a closed surface");
    const int vertices = static_cast<int>(mesh.vertices.size());
    for (const auto& triangle : mesh.triangles)
        for (const int i : triangle)
            if (i < 0 || i >= vertices)
                throw InputError("a triangle names vertex " + std::to_string(i) + " of " + std::to_string(vertices));
    if (const int open = open_edges(mesh); open > 0)
        throw InputError("the mesh is not closed: " + std::to_string(open) +
                         " edges do not lie between two triangles that turn the same way; close its holes");
    const double inside = volume(mesh);
    if (!std::isfinite(inside)) throw InputError("a vertex of the mesh is not finite");
    if (inside < 0) throw InputError("the mesh is inside out: its triangles must turn counter-clockwise from outside");
    const Vec3d size = bounding_box(mesh.vertices).extent();
    const double longest = std::max({size.x, size.y, size.z});
    if (!(inside > 1e-12 * longest * longest * longest)) throw InputError("the mesh encloses no volume");
}

std::vector<Vec3d> vertex_normals(const std::vector<Vec3d>& vertices, const std::vector<std::array<int, 3>>& triangles)
{
    std::vector<Vec3d> normals(vertices.size());
    for (const std::array<int, 3>& t : triangles) {
        const Vec3d& a = vertices[static_cast<std::size_t>(t[0])];
        const Vec3d& b = vertices[static_cast<std::size_t>(t[1])];
        const Vec3d& c = vertices[static_cast<std::size_t>(t[2])];
        const Vec3d twice_area = (b - a).cross(c - a);
        for (const int v : t) normals[static_cast<std::size_t>(v)] += twice_area;
    }
    for (Vec3d& n : normals) {
        const double length = n.norm();
        n = length > 0 ? n / length : Vec3d{};
    }
    return normals;
}

SurfaceMesh boundary(const TetMesh& tets)
{
    struct Face {
        std::array<int, 3> key, corners;  // sorted; turned outwards
    };
    std::vector<Face> faces;
    faces.reserve(4 * tets.tetrahedra.size());
    for (const auto& [a, b, c, d] : tets.tetrahedra) {
        const std::array<std::array<int, 3>, 4> outward = {{{a, c, b}, {a, b, d}, {a, d, c}, {b, c, d}}};
        for (const std::array<int, 3>& corners : outward) {
            std::array<int, 3> key = corners;
            std::sort(key.begin(), key.end());
            faces.push_back({key, corners});
        }
    }
    std::sort(faces.begin(), faces.end(), [](const Face& p, const Face& q) { return p.key < q.key; });

    SurfaceMesh surface{tets.vertices, {}};
    for (std::size_t first = 0, last = 0; first < faces.size(); first = last) {
        while (last < faces.size() && faces[last].key == faces[first].key) ++last;
        if (last - first == 1) surface.triangles.push_back(faces[first].corners);
    }
    return surface;
}

}  // namespace pliant
