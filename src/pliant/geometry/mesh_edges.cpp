#include "pliant/geometry/mesh_edges.h"

#include "pliant/base/check.h"
#include "pliant/base/disjoint_sets.h"
#include "pliant/base/message.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace pliant {

namespace {

using Triangle = std::array<int, 3>;

int size_of(const auto& array) { return static_cast<int>(array.size()); }

std::string text_of(const Vec3d& p) { return message("({}, {}, {})", p.x, p.y, p.z); }

std::string text_of(const Triangle& t) { return message("{}, {}, {}", t[0], t[1], t[2]); }

void check_indices(const SurfaceMesh& mesh)
{
    if (mesh.triangles.empty()) throw InputError("the sheet has no triangle; give its faces, not only its points");
    const int vertices = size_of(mesh.vertices);
    for (int i = 0; i < size_of(mesh.triangles); ++i) {
        const Triangle& t = mesh.triangles[i];
        for (const int v : t) {
            if (v >= 0 && v < vertices) continue;
            throw InputError(
                message("triangle {} uses vertex {}, but there are {} vertices, numbered from 0; "
                        "correct its index or add the vertex",
                        i, v, vertices));
        }
        if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) continue;
        throw InputError(message("triangle {} ({}) uses a vertex twice; remove it", i, text_of(t)));
    }
}

void check_each_triangle_is_given_once(const SurfaceMesh& mesh)
{
    std::vector<std::pair<Triangle, int>> sorted;  // corners in rising order, and number
    for (Triangle t : mesh.triangles) {
        std::sort(t.begin(), t.end());
        sorted.emplace_back(t, size_of(sorted));
    }
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        if (sorted[i].first != sorted[i - 1].first) continue;
        throw InputError(message("triangles {} and {} have the same vertices ({}); remove one of them",
                                 sorted[i - 1].second, sorted[i].second, text_of(sorted[i].first)));
    }
}

void check_positions(const SurfaceMesh& mesh)
{
    for (int i = 0; i < size_of(mesh.vertices); ++i) {
        const Vec3d& p = mesh.vertices[i];
        if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) continue;
        throw InputError(message("vertex {} is at {}; give it a position of finite numbers", i, text_of(p)));
    }
    for (int i = 0; i < size_of(mesh.triangles); ++i) {
        const Triangle& t = mesh.triangles[i];
        double longest = 0;  // squared
        for (int k = 0; k < 3; ++k) {
            const int from = t[k], to = t[(k + 1) % 3];
            const Vec3d &p = mesh.vertices[from], &q = mesh.vertices[to];
            longest = std::max(longest, (q - p).squared_norm());
            if (p != q) continue;
            throw InputError(
                message("edge {}-{} of triangle {} has no length: both ends are at {}; "
                        "weld the two vertices",
                        std::min(from, to), std::max(from, to), i, text_of(p)));
        }
        const Vec3d& p = mesh.vertices[t[0]];
        const double twice_area = (mesh.vertices[t[1]] - p).cross(mesh.vertices[t[2]] - p).norm();
        if (twice_area > 1e-12 * longest) continue;  // false for an overflow, too
        throw InputError(
            message("triangle {} ({}) at {} has no area: its vertices are in a line; "
                    "remove it or move one of them",
                    i, text_of(t), text_of(p)));
    }
}

/// Does the triangle run along the edge from a to b?
bool runs_forward(const Triangle& t, const MeshEdge& edge)
{
    for (int i = 0; i < 3; ++i) {
        if (t[i] == edge.a) return t[(i + 1) % 3] == edge.b;
    }
    return false;
}

/// Notes how often something occurs and where first.
struct Tally {
    int count = 0, first = -1;
    void add(int where)
    {
        if (count++ == 0) first = where;
    }
};

void note_edges(const SurfaceMesh& mesh, const MeshEdges& mesh_edges, std::vector<std::string>& notes)
{
    const std::vector<MeshEdge>& edges = mesh_edges.edges;
    Tally seams, turns;
    for (int i = 0; i < size_of(edges); ++i) {
        const auto& [first, second] = edges[i].triangle;
        if (edges[i].triangles > 2) seams.add(i);
        else if (second >= 0 &&
                 runs_forward(mesh.triangles[first], edges[i]) == runs_forward(mesh.triangles[second], edges[i]))
            turns.add(i);
    }
    if (seams.count > 0) {
        const MeshEdge& edge = edges[seams.first];
        notes.push_back(
            message("three or more triangles meet in {} edges (first: {}-{}, {} triangles): each "
                    "triangle ends there as at a border, and the sheets stay joined at the vertices",
                    seams.count, edge.a, edge.b, edge.triangles));
    }
    if (turns.count > 0) {
        const MeshEdge& edge = edges[turns.first];
        notes.push_back(
            message("the triangles at {} edges (first: {}-{}) turn in opposite directions: they hang "
                    "together like any others, but the sheet's normal flips there",
                    turns.count, edge.a, edge.b));
    }
}

/// Per vertex, how many fans of triangles meet in it; triangles are of one fan if edges at the vertex join them.
std::vector<int> count_fans(const SurfaceMesh& mesh, const MeshEdges& mesh_edges)
{
    DisjointSets corners(3 * mesh.triangles.size());                              // 3 * triangle + corner
    std::vector<std::array<int, 2>> first_at(mesh_edges.edges.size(), {-1, -1});  // per edge: at its a, at its b
    for (int t = 0; t < size_of(mesh.triangles); ++t) {
        for (int side = 0; side < 3; ++side) {
            const int e = mesh_edges.of_triangle[t][side];
            for (const int corner : {(side + 1) % 3, (side + 2) % 3}) {
                int& first = first_at[e][mesh.triangles[t][corner] == mesh_edges.edges[e].a ? 0 : 1];
                if (first < 0) first = 3 * t + corner;
                else corners.join(first, 3 * t + corner);
            }
        }
    }
    std::vector<int> fans(mesh.vertices.size(), 0);
    for (int i = 0; i < 3 * size_of(mesh.triangles); ++i) {
        if (corners.find(i) == i) ++fans[mesh.triangles[i / 3][i % 3]];
    }
    return fans;
}

/// Drops the vertices with no fan of triangles.
SurfaceMesh keep_used_vertices(const SurfaceMesh& mesh, const std::vector<int>& fans)
{
    SurfaceMesh kept;
    std::vector<int> number(mesh.vertices.size(), -1);  // per vertex: the new one
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        if (fans[i] == 0) continue;
        number[i] = size_of(kept.vertices);
        kept.vertices.push_back(mesh.vertices[i]);
    }
    for (const auto& [a, b, c] : mesh.triangles) kept.triangles.push_back({number[a], number[b], number[c]});
    return kept;
}

}  // namespace

MeshEdges find_edges(const SurfaceMesh& mesh)
{
    struct Side {
        int a, b, triangle, corner;  // the corner it is opposite to
        auto operator<=>(const Side&) const = default;
    };
    std::vector<Side> sides;
    sides.reserve(3 * mesh.triangles.size());
    for (int t = 0; t < size_of(mesh.triangles); ++t) {
        for (int corner = 0; corner < 3; ++corner) {
            const auto [a, b] = std::minmax(mesh.triangles[t][(corner + 1) % 3], mesh.triangles[t][(corner + 2) % 3]);
            sides.push_back({a, b, t, corner});
        }
    }
    std::sort(sides.begin(), sides.end());

    MeshEdges found;
    found.of_triangle.resize(mesh.triangles.size());
    for (const auto& [a, b, triangle, corner] : sides) {
        if (found.edges.empty() || found.edges.back().a != a || found.edges.back().b != b) {
            found.edges.push_back({a, b, {-1, -1}, 0});
        }
        MeshEdge& edge = found.edges.back();
        if (edge.triangles < 2) edge.triangle[edge.triangles] = triangle;
        else edge.triangle = {-1, -1};
        ++edge.triangles;
        found.of_triangle[triangle][corner] = size_of(found.edges) - 1;
    }
    return found;
}

MeshComponents find_components(const SurfaceMesh& mesh)
{
    DisjointSets sets(mesh.vertices.size());
    for (const auto& [a, b, c] : mesh.triangles) {
        sets.join(a, b);
        sets.join(b, c);
    }
    MeshComponents components{std::vector<int>(mesh.vertices.size()), 0};
    for (int i = 0; i < size_of(mesh.vertices); ++i) {
        const int first = sets.find(i);  // at most i, so its component has a number already
        components.of_vertex[i] = first == i ? components.count++ : components.of_vertex[first];
    }
    return components;
}

SurfaceMesh clean_sheet(const SurfaceMesh& mesh, std::vector<std::string>& notes)
{
    check_indices(mesh);
    check_each_triangle_is_given_once(mesh);
    check_positions(mesh);

    const MeshEdges edges = find_edges(mesh);
    const std::vector<int> fans = count_fans(mesh, edges);
    Tally unused, touching;
    for (int i = 0; i < size_of(mesh.vertices); ++i) {
        if (fans[i] == 0) unused.add(i);
        if (fans[i] > 1) touching.add(i);
    }
    if (unused.count > 0) {
        notes.push_back(
            message("{} vertices (first: {}) belong to no triangle and are left out; what is numbered "
                    "after them moves up",
                    unused.count, unused.first));
    }
    note_edges(mesh, edges, notes);
    if (touching.count > 0) {
        notes.push_back(
            message("sheets touch in nothing but a vertex at {} places (first: vertex {}): they stay "
                    "joined there as by a hinge",
                    touching.count, touching.first));
    }
    return keep_used_vertices(mesh, fans);
}

}  // namespace pliant
