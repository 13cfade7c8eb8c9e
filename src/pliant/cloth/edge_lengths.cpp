#include "pliant/cloth/edge_lengths.h"

#include "pliant/shape/colours.h"

#include <array>
#include <limits>

namespace pliant {

EdgeLengths make_edge_lengths(const SurfaceMesh& rest, const MeshEdges& edges, const std::vector<bool>& take)
{
    std::vector<std::array<int, 2>> ends;
    for (std::size_t e = 0; e < edges.edges.size(); ++e)
        if (take.empty() || take[e]) ends.push_back({edges.edges[e].a, edges.edges[e].b});
    const int vertices = static_cast<int>(rest.vertices.size());
    const Colours colours =
        find_colours(static_cast<int>(ends.size()), vertices, [&](int e) -> const auto& { return ends[e]; });

    EdgeLengths out;
    out.first_group = group_by_eight(colours, [&](std::span<const int> items) {
        EdgeLengths::Group group;
        group.a.fill(padding_of_group(vertices, static_cast<int>(out.groups.size())));
        group.b = group.a;
        group.length = std::numeric_limits<Real>::max();
        for (int l = 0; l < static_cast<int>(items.size()); ++l) {
            const auto [a, b] = ends[items[l]];
            group.a[l] = a;
            group.b[l] = b;
            group.length.set(l, static_cast<Real>((rest.vertices[b] - rest.vertices[a]).norm()));
        }
        out.groups.push_back(group);
    });
    return out;
}

namespace {

void project_group(const EdgeLengths::Group& group, Point* points)
{
    PointLanes a = gather(points, group.a.data()), b = gather(points, group.b.data());
    const Vector3<Lanes> d = b.x - a.x;
    const Lanes length = sqrt(d.squared_norm()), w = a.w + b.w;
    const auto wrong = (length > group.length) & (w > Lanes(0));
    if (!any(wrong)) return;
    const Vector3<Lanes> move = select(wrong, (length - group.length) / (w * length), Lanes(0)) * d;
    a.x += a.w * move;
    b.x -= b.w * move;
    scatter(a, group.a.data(), points);
    scatter(b, group.b.data(), points);
}

}  // namespace

void project_edges(const EdgeLengths& edges, std::span<Point> points)
{
    for_each_group(edges.first_group, 64, [&](int g) { project_group(edges.groups[g], points.data()); });
}

}  // namespace pliant
