#include "pliant/rods/rod_system.h"

#include "pliant/rods/make_nets.h"
#include "pliant/shape/colours.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace pliant {

void RodScratch::resize(const Rod& rod, const RodSystem& system)
{
    if (system.direct) direct.resize(system.nets);
    const std::size_t padding =
        std::max({system.edge_groups.size(), system.element_groups.size(), system.nets.groups.size(), std::size_t{1}});
    points.resize(rod.mass.size() + padding);
    if (system.direct) {
        before.resize(points.size());
        velocity.resize(points.size());
    }
    tips.resize(rod.tips.size());
    tip_multipliers.resize(rod.tips.size());
    edges.resize(system.edge_groups.size());
    elements.resize(system.element_groups.size());
    falls.resize(rod.edges.size());
    resize_motion({0, static_cast<int>(rod.mass.size())}, motion);
    damping.resize(rod);
}

namespace {

std::array<int, 3> points_of(const Rod::Edge& e) { return {e.p0, e.p1, e.ghost}; }
std::array<int, 5> points_of(const Rod& rod, const Rod::Element& e)
{
    const Rod::Edge &a = rod.edges[e.a], &b = rod.edges[e.b];
    return {a.p0, a.p1, b.p1, a.ghost, b.ghost};
}

void group_edges(int particles, const Rod& rod, RodSystem& system)
{
    const Colours colours =
        find_colours(static_cast<int>(rod.edges.size()), particles, [&](int i) { return points_of(rod.edges[i]); });
    system.first_edge_group = group_by_eight(colours, [&](std::span<const int> items) {
        RodSystem::EdgeGroup group;
        group.edge.fill(-1);
        for (IndexLanes& p : group.point)
            p.fill(padding_of_group(particles, static_cast<int>(system.edge_groups.size())));
        for (int l = 0; l < static_cast<int>(items.size()); ++l) {
            group.edge[l] = items[l];
            const Rod::Edge& edge = rod.edges[group.edge[l]];
            for (int i = 0; i < 3; ++i) group.point[i][l] = points_of(edge)[i];
            group.length.set(l, edge.length);
            group.ghost_distance.set(l, edge.ghost_distance);
            group.compliance.set(l, edge.length * static_cast<Real>(system.stiffness.axial_compliance) / edge.area());
        }
        system.edge_groups.push_back(group);
    });
}

void group_elements(int particles, const Rod& rod, RodSystem& system)
{
    const Colours colours = find_colours(static_cast<int>(rod.elements.size()), particles,
                                         [&](int i) { return points_of(rod, rod.elements[i]); });
    system.first_element_group = group_by_eight(colours, [&](std::span<const int> items) {
        RodSystem::ElementGroup group;
        for (IndexLanes& p : group.point)
            p.fill(padding_of_group(particles, static_cast<int>(system.element_groups.size())));
        group.lbar = 1;
        group.bulk = {1, 1, 1};
        for (int l = 0; l < static_cast<int>(items.size()); ++l) {
            const Rod::Element& element = rod.elements[items[l]];
            for (int i = 0; i < 5; ++i) group.point[i][l] = points_of(rod, element)[i];
            set_lane(group.rest, l, element.rest);
            group.lbar.set(l, element.lbar);
            set_lane(group.bulk, l, element.bulk);
        }
        system.element_groups.push_back(group);
    });
}

}  // namespace

RodSystem make_system(const Rod& rod)
{
    RodSystem system;
    system.stiffness = stiffness_of(rod);
    system.direct = is_solved_directly(rod);
    const int particles = static_cast<int>(rod.rest.size());
    if (system.direct) {
        system.nets = make_direct_nets(rod);
    } else {
        group_edges(particles, rod, system);
        group_elements(particles, rod, system);
    }
    system.scratch.resize(rod, system);
    return system;
}

void leave_to_glue(const Rod& rod, std::span<const char> edges, RodSystem& system)
{
    const bool same = std::ranges::equal(edges, system.glued);
    if (!system.direct || same) return;
    system.glued.assign(edges.begin(), edges.end());
    system.nets = make_direct_nets(rod, edges);
    system.scratch.resize(rod, system);
}

namespace {

WantedSubsteps wanted_in_contact(const Rod& rod, const Outlook& outlook, std::span<const Vec3> v)
{
    constexpr double kMaxStretch = 0.01;  // of an edge, by free fall in one substep
    constexpr double kMaxTravel = 0.2;    // edges per substep at the highest speed
    constexpr double kMaxForTravel = 20;  // substeps: for fine rods more would be very expensive, and gains little
    // The solve of the rod and its contact undo each other's corrections, once in each substep, and the more the stiffer it
    // is: what is left of them is elastic energy. Substeps per second up to some times the default stiffness, and at most in a frame:
    constexpr double kTouching = 1190, kStiff = 4, kMostTouching = 40;
    double edge = 0;
    for (const Rod::Edge& e : rod.edges) edge += static_cast<double>(e.length) / static_cast<double>(rod.edges.size());
    const double fall = outlook.dt * std::sqrt(outlook.gravity / (kMaxStretch * edge));
    const double flight = std::min(kMaxForTravel, outlook.dt * highest_speed(v) / (kMaxTravel * edge));
    const double stiffer = std::sqrt(std::sqrt(std::max(1.0, relative_stiffness(rod) / kStiff)));
    const double touch = std::min(kMostTouching, kTouching * outlook.dt * stiffer);
    return more_of(more_of({fall, "contact"}, {touch, "contact"}), {flight, "speed"});
}

}  // namespace

WantedSubsteps wanted_substeps(const Rod& rod, const RodSystem& system, const Outlook& outlook, std::span<const Vec3> v)
{
    WantedSubsteps wanted = outlook.obstacles ? more_of({}, wanted_in_contact(rod, outlook, v)) : WantedSubsteps{};
    if (system.direct) return wanted;
    constexpr double kMaxStretch = 0.01;  // of the edge that carries all the others
    for (int s = 0; s < rod.strands(); ++s) {
        const int edges = rod.count_edges(s);
        double length = 0;
        for (int e = rod.first_edge[s]; e < rod.first_edge[s + 1]; ++e)
            length += static_cast<double>(rod.edges[e].length);
        wanted = more_of(wanted, {outlook.dt * std::sqrt(outlook.gravity / (kMaxStretch * length)) * edges, "weight"});
    }
    return wanted;
}

bool may_touch_itself(const Rod& rod, std::span<const Vec3> x)
{
    constexpr Real kForward = Real(0.3);  // cosine between an edge and the chord: far from turning back in one frame
    if (rod.strands() > 1 || rod.closed.front() != 0) return true;
    const Vec3 chord = x[rod.edges.back().p1] - x[rod.edges.front().p0];
    return std::ranges::any_of(rod.edges, [&](const Rod::Edge& e) {
        const Vec3 edge = x[e.p1] - x[e.p0];
        return !(edge.dot(chord) > kForward * edge.norm() * chord.norm());
    });
}

}  // namespace pliant
