#include "pliant/solver/weld_ends.h"

#include "pliant/rods/frame.h"
#include "pliant/rods/make_nets.h"
#include "pliant/rods/section.h"

#include <algorithm>
#include <optional>

namespace pliant {

namespace {

/// The end edge of a strand as the cloud of an anchor.
struct EndEdge {
    const Rod::Edge& edge;
    Vec3d p0, p1, ghost;  // in the frame of the anchor [m]
    bool at_start;        // of the strand
};

std::optional<EndEdge> end_edge_of(const Anchor& anchor, const Rod& rod)
{
    const auto place = [&](int p) -> std::optional<Vec3d> {
        const auto found = std::ranges::find(anchor.parents, rod.particles.first + p);
        if (found == anchor.parents.end()) return {};
        return anchor.rest[found - anchor.parents.begin()].cast<double>();
    };
    const auto edges_at = [&](int p) {
        return std::ranges::count_if(rod.edges, [&](const Rod::Edge& e) { return e.p0 == p || e.p1 == p; });
    };
    for (const Rod::Edge& e : rod.edges) {
        const auto p0 = place(e.p0), p1 = place(e.p1), ghost = place(e.ghost);
        if (!p0 || !p1 || !ghost) continue;
        const bool start = edges_at(e.p0) == 1, end = edges_at(e.p1) == 1;
        if (start == end) return {};
        return EndEdge{e, *p0, *p1, *ghost, start};
    }
    return {};
}

/// Adds what the rod between the place of an anchor and the middle of its edge gives.
void add_give(const Anchor& anchor, const Rod& rod, Joint& joint, int side)
{
    if (anchor.kind != AnchorKind::cloud || anchor.parents.size() != 3 || !is_solved_directly(rod)) return;
    if (!rod.particles.contains(anchor.parents.front())) return;
    const std::optional<EndEdge> end = end_edge_of(anchor, rod);
    if (!end) return;
    const Mat3d frame = frame_of(end->p0, end->p1, end->ghost).d;
    const double inwards = frame.c[2].dot(anchor.point - 0.5 * (end->p0 + end->p1));
    const double half = double(end->edge.length) / 2;
    const double way = std::clamp(end->at_start ? -inwards : inwards, 0.0, half);
    const Vec3d moments = stiffness_of(rod).moments.cast<double>();
    const double per = way / double(end->edge.stiffness());
    joint.turn_give += Vec3d{per / moments.x, per / moments.y, per / moments.z};
    joint.giving_end = side;
    joint.giving_axes = frame;
}

}  // namespace

void find_weld_ends(const World& world, Joints& joints)
{
    for (Joint& joint : joints.joints) {
        if (joint.kind != GlueKind::weld || joint.scalar) continue;
        const Glue& glue = world.glues[joint.glue];
        const Anchor* anchors[] = {&glue.a, &glue.b};
        for (int s = 0; s < 2; ++s)
            for (const Rod& rod : world.rods) add_give(*anchors[s], rod, joint, s);
    }
}

}  // namespace pliant
