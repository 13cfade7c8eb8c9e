#include "pliant/contact/pairs/prepare_points.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr Real kMinRadius = Real(0.02);   // of the mean edge
constexpr Real kGapOfRigid = Real(0.15);  // of their radius: more than the guard leaves (guard_kernels.h)
/// A mesh is much too fine for its thickness if the radius is more than this many edges; it is then taken to be
constexpr Real kFineMeshRadius = Real(1.5);
constexpr Real kRadiusInFineMesh = Real(0.75);  // edges

/// Per point; of a ball its radius.
void find_longest_edges(const ContactSurface& surface, const Particles& particles, std::vector<Real>& longest)
{
    std::ranges::fill(longest, Real(0));
    const auto at_rest = [&](int p) { return surface.is_carried(p) ? surface.carrier(p).place : surface.rest[p]; };
    for (const ContactSurface::Edge& edge : surface.edges) {
        const Real length = edge.a == edge.b ? particles.radius[edge.a] : (at_rest(edge.a) - at_rest(edge.b)).norm();
        for (const int p : {edge.a, edge.b}) longest[p] = std::max(longest[p], length);
    }
}

Real radius_of_rigid(const ContactSurface& surface, Real longest_edge)
{
    return kMinRadius * std::min(longest_edge, static_cast<Real>(surface.edge_length));
}

}  // namespace

std::vector<Real> gaps_of_rigids(const ContactSurface& surface, std::size_t bodies)
{
    std::vector<Real> longest(bodies, 0);
    for (const ContactSurface::Edge& edge : surface.edges) {
        if (!surface.is_carried(edge.a)) continue;
        Real& most = longest[surface.carrier(edge.a).body];
        most = std::max(most, (surface.carrier(edge.a).place - surface.carrier(edge.b).place).norm());
    }
    for (Real& gap : longest) gap = kGapOfRigid * radius_of_rigid(surface, gap);
    return longest;
}

void prepare_points(const ContactSurface& surface, const Particles& particles, PairPoints& points)
{
    if (points.prepared) return;
    points.prepared = true;
    points.resize(surface.points());
    for (const ContactSurface::Triangle& triangle : surface.triangles)
        for (const int p : triangle.point) points.meshed[p] = 1;
    find_longest_edges(surface, particles, points.edge);
    const Real least = kMinRadius * static_cast<Real>(surface.edge_length);
    for (const auto& [p, body] : surface.vertices) {
        // where a mesh is much finer than its thickness, each feature would be near hundreds of its neighbours
        const bool fine =
            points.meshed[p] != 0 && !surface.is_carried(p) && particles.radius[p] > kFineMeshRadius * points.edge[p];
        const Real radius = surface.is_carried(p) ? 0 : fine ? kRadiusInFineMesh * points.edge[p] : particles.radius[p];
        points.reach[p] = kReach * std::max(radius, least);
        points.radius[p] = surface.is_carried(p)        ? radius_of_rigid(surface, points.edge[p])
                           : !(particles.radius[p] > 0) ? least
                                                        : particles.radius[p];
    }
}

}  // namespace pliant
