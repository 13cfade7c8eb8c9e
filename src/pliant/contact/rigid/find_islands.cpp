#include "pliant/contact/rigid/find_islands.h"

#include "pliant/base/check.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr double kStiffness = 300;  // rho, of the heaviest body of an island
// an island is solved directly up to so many bodies, and products of blocks in its factor
constexpr std::size_t kMaxDirectBodies = 500;
constexpr long kMaxDirectCost = 400;
constexpr long kMaxCalmCost = 4000;  // of one that is nearly at rest
// rho of a column at rest of more bodies than this: it would sway on softer contacts
constexpr double kColumnStiffness = 3000;
constexpr long kTall = 20;

int root_of(int i, std::vector<int>& root)
{
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
}

/// The lowest number of an island is its root.
void join(int a, int b, std::vector<int>& root)
{
    const int ra = root_of(a, root), rb = root_of(b, root);
    root[std::max(ra, rb)] = std::min(ra, rb);
}

BlockPattern pattern_of(const Island& island)
{
    PLIANT_ASSERT(island.bodies.size() > 1);
    BlockGraph graph(static_cast<int>(island.bodies.size()));
    for (const auto& [a, b] : island.meets) graph.neighbours[a].push_back(b);
    return make_block_pattern(graph);
}

/// Of a body alone, without memory of its own.
void set_single(BlockPattern& pattern)
{
    pattern.place.assign(1, 0);
    pattern.unknown.assign(1, 0);
    pattern.sign.assign(1, 1);
    pattern.first.assign({0, 1});
    pattern.row.assign(1, 0);
}

/// Joints of bodies that are in islands.
void add_joints(Islands& islands)
{
    islands.joint_systems.clear();
    for (int k = 0; k < static_cast<int>(islands.joints.size()); ++k) {
        const int a = islands.joints[k].end[0].body, b = islands.joints[k].end[1].body;
        if (islands.place[a] < 0) continue;
        Island& of = islands.list[islands.number[root_of(a, islands.root)]];
        of.joints.push_back(k);
        std::vector<int>& systems = islands.joint_systems;
        if (systems.empty() || systems.back() != islands.joints[k].system) systems.push_back(islands.joints[k].system);
        if (b >= 0) of.meets.emplace_back(islands.place[a], islands.place[b]);
    }
    for (int k = 0; k < islands.count; ++k) {
        Island& island = islands.list[k];
        if (island.joints.empty()) continue;
        std::ranges::sort(island.meets);
        const auto twice = std::ranges::unique(island.meets);
        island.meets.erase(twice.begin(), twice.end());
    }
}

/// Sweeps let tall things creep; but in an impact points come to press and cease to, and ask for a new factor each time. So
/// larger islands are solved directly when they are nearly at rest.
void choose_method(const RigidBodies& bodies, Real slow, Island& island)
{
    const long cost = factor_cost(island.pattern);
    const bool calm = std::ranges::all_of(
        island.bodies, [&](int i) { return bodies.v[i].norm() + bodies.shape[i].extent * bodies.w[i].norm() < slow; });
    island.large = island.bodies.size() > kMaxDirectBodies || cost > (calm ? kMaxCalmCost : kMaxDirectCost);
    const bool column = std::ssize(island.bodies) > std::max(cost, kTall) && island.joints.empty();
    const double rho = (calm && column ? kColumnStiffness : kStiffness) * island.heaviest;
    if (rho != island.rho) island.factored = false;
    island.rho = rho;
}

void connect_bodies(const RigidBodies& bodies, Islands& islands)
{
    const Manifolds& m = islands.manifolds;
    islands.root.resize(bodies.pose.size());
    for (int i = 0; i < bodies.size(); ++i) islands.root[i] = i;
    for (const Manifold& manifold : m.list)
        if (manifold.count > 0 && m.placed[manifold.a].free && m.placed[manifold.b].free)
            join(manifold.a, manifold.b, islands.root);
    for (const IslandJoint& joint : islands.joints)
        if (joint.end[1].body >= 0) join(joint.end[0].body, joint.end[1].body, islands.root);
    std::vector<char>& touched = islands.gained;  // per root: something of its island touches
    touched.assign(bodies.pose.size(), 0);
    for (const Manifold& manifold : m.list)
        for (const int body : {manifold.a, manifold.b})
            if (manifold.count > 0 && m.placed[body].free) touched[root_of(body, islands.root)] = 1;
}

/// An island with the memory of one that is no more.
Island& next_island(Islands& islands)
{
    if (static_cast<int>(islands.list.size()) == islands.count) islands.list.emplace_back();
    Island& fresh = islands.list[islands.count++];
    fresh.bodies.clear();
    fresh.meets.clear();
    fresh.manifolds.clear();
    fresh.joints.clear();
    fresh.rho = fresh.heaviest = 0;
    fresh.factored = false;
    return fresh;
}

/// Of all bodies whose islands touch something.
void list_bodies(const RigidBodies& bodies, Islands& islands)
{
    islands.count = 0;
    islands.place.assign(bodies.pose.size(), -1);
    islands.number.assign(bodies.pose.size(), -1);
    for (int i = 0; i < bodies.size(); ++i) {
        const int root = root_of(i, islands.root);
        if (islands.gained[root] == 0 || !islands.manifolds.placed[i].free) continue;
        int& island = islands.number[root];
        if (island < 0) {
            island = islands.count;
            next_island(islands);
        }
        Island& of = islands.list[island];
        islands.place[i] = static_cast<int>(of.bodies.size());
        of.bodies.push_back(i);
        of.heaviest = std::max(of.heaviest, static_cast<double>(bodies.mass[i]));
    }
}

void list_manifolds(Islands& islands)
{
    const Manifolds& m = islands.manifolds;
    for (int k = 0; k < static_cast<int>(m.list.size()); ++k) {
        const Manifold& manifold = m.list[k];
        if (manifold.count == 0) continue;
        const bool a = m.placed[manifold.a].free, b = m.placed[manifold.b].free;
        Island& of = islands.list[islands.number[root_of(a ? manifold.a : manifold.b, islands.root)]];
        of.manifolds.push_back(k);
        if (a && b) of.meets.emplace_back(islands.place[manifold.a], islands.place[manifold.b]);
    }
}

/// The pattern, and the factor if it still serves, of an island of the same bodies in the substep before; else a new pattern.
void reuse_factor(std::span<Island> before, const Manifolds& m, Island& island)
{
    const auto same = std::ranges::find_if(
        before, [&](const Island& old) { return old.bodies == island.bodies && old.meets == island.meets; });
    if (same == before.end()) {
        if (island.bodies.size() == 1) set_single(island.pattern);
        else if (island.bodies.size() <= kMaxDirectBodies) island.pattern = pattern_of(island);
        return;
    }
    std::swap(island.pattern, same->pattern);
    std::swap(island.factor, same->factor);
    island.factored = same->factored && island.joints.empty() &&
                      std::ranges::none_of(island.manifolds, [&](int n) { return m.list[n].found; });
    island.rho = same->rho;
}

}  // namespace

void find_islands(const RigidBodies& bodies, Real slow, Islands& islands)
{
    connect_bodies(bodies, islands);
    islands.before.swap(islands.list);
    const std::span<Island> before = std::span(islands.before).first(static_cast<std::size_t>(islands.count));
    list_bodies(bodies, islands);
    list_manifolds(islands);
    add_joints(islands);
    for (Island& island : std::span(islands.list).first(static_cast<std::size_t>(islands.count))) {
        reuse_factor(before, islands.manifolds, island);
        choose_method(bodies, slow, island);
    }
}

}  // namespace pliant
