#include "pliant/cloth/edge_lengths.h"

#include "pliant/base/parallel.h"
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
    for (std::size_t c = 0; c + 1 < colours.first.size(); ++c) {
        out.first_group.push_back(static_cast<int>(out.groups.size()));
        for (int at = colours.first[c]; at < colours.first[c + 1]; at += kLanes) {
            EdgeLengths::Group group;
            group.a.fill(padding_of_group(vertices, static_cast<int>(out.groups.size())));
            group.b = group.a;
            group.length = std::numeric_limits<Real>::max();
            for (int l = 0; l < kLanes && at + l < colours.first[c + 1]; ++l) {
                const auto [a, b] = ends[colours.order[at + l]];
                group.a[l] = a;
                group.b[l] = b;
                group.length.set(l, static_cast<Real>((rest.vertices[b] - rest.vertices[a]).norm()));
            }
            out.groups.push_back(group);
        }
    }
    out.first_group.push_back(static_cast<int>(out.groups.size()));
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
    for (std::size_t colour = 0; colour + 1 < edges.first_group.size(); ++colour) {
        const int first = edges.first_group[colour];
        parallel_for(edges.first_group[colour + 1] - first, 64, [&](int begin, int end) {
            for (int g = first + begin; g < first + end; ++g) project_group(edges.groups[g], points.data());
        });
    }
}

}  // namespace pliant
