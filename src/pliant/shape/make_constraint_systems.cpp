#include "pliant/base/disjoint_sets.h"
#include "pliant/shape/constraint_system.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace pliant {

namespace {

/// A node that is touched by more blocks than this stays in the system.
constexpr int kMaxEliminatedBlocks = 8;

/// Builds one system, numbering its nodes in the order in which they appear.
class SystemMaker {
  public:
    int add_block(const BlockNodes& nodes)
    {
        const int block = static_cast<int>(system_.blocks.size());
        system_.blocks.emplace_back();
        system_.first_touch.push_back(static_cast<int>(system_.touches.size()));
        for (const int particle : nodes.particles) {
            const auto [at, is_new] = points_.try_emplace(particle, static_cast<int>(system_.points.size()));
            if (is_new) system_.points.emplace_back().particle = particle;
            add_touch(block, at->second);
        }
        for (const int body : nodes.bodies) {
            const auto [at, is_new] = bodies_.try_emplace(body, static_cast<int>(system_.bodies.size()));
            if (is_new) system_.bodies.emplace_back().body = body;
            add_touch(block, -1 - at->second);
        }
        return block;
    }

    ConstraintSystem take()
    {
        for (ConstraintSystem::Touch& touch : system_.touches)
            if (touch.node < 0) touch.node = static_cast<int>(system_.points.size()) - 1 - touch.node;
        system_.first_touch.push_back(static_cast<int>(system_.touches.size()));
        return std::move(system_);
    }

  private:
    void add_touch(int block, int node)
    {
        ConstraintSystem::Touch& touch = system_.touches.emplace_back();
        touch.block = block;
        touch.node = node;
    }

    ConstraintSystem system_;
    std::unordered_map<int, int> points_, bodies_;  // of the world -> of the system
};

std::vector<std::vector<int>> touches_by_node(const ConstraintSystem& system)
{
    std::vector<std::vector<int>> by_node(static_cast<std::size_t>(system.nodes()));
    for (int t = 0; t < static_cast<int>(system.touches.size()); ++t) by_node[system.touches[t].node].push_back(t);
    return by_node;
}

/// Chooses the nodes that stay in the system and numbers their unknowns, after those of the blocks. Returns the number
/// of unknowns.
int choose_kept(const std::vector<std::vector<int>>& by_node, ConstraintSystem& system)
{
    int next = static_cast<int>(system.blocks.size());
    system.kept.assign(by_node.size(), -1);
    for (std::size_t n = 0; n < by_node.size(); ++n) {
        if (system.held[n] != 0 || static_cast<int>(by_node[n].size()) <= kMaxEliminatedBlocks) continue;
        system.kept[n] = next;
        next += system.is_body(static_cast<int>(n)) ? 2 : 1;
    }
    return next;
}

BlockGraph make_graph(const std::vector<std::vector<int>>& by_node, int unknowns, const ConstraintSystem& system)
{
    BlockGraph graph(unknowns);
    for (std::size_t b = 0; b < system.blocks.size(); ++b) graph.waits[b] = 1;
    for (std::size_t n = 0; n < by_node.size(); ++n) {
        if (system.held[n] != 0) continue;
        const int kept = system.kept[n], parts = system.is_body(static_cast<int>(n)) ? 2 : 1;
        for (int part = 0; kept >= 0 && part < parts; ++part) {
            graph.negative[kept + part] = 1;
            for (const int t : by_node[n]) graph.neighbours[kept + part].push_back(system.touches[t].block);
        }
        if (kept >= 0) continue;
        for (const int t : by_node[n]) {
            graph.waits[system.touches[t].block] = 0;
            for (const int other : by_node[n])
                graph.neighbours[system.touches[t].block].push_back(system.touches[other].block);
        }
    }
    return graph;
}

/// Finds the blocks of the matrix to which the touches of each node contribute.
void place_touches(std::vector<std::vector<int>>& by_node, ConstraintSystem& system)
{
    system.by_node.clear();
    system.first_by_node.assign(1, 0);
    system.pairs.clear();
    const auto place = [&](int t) { return system.pattern.place[system.touches[t].block]; };
    for (std::size_t n = 0; n < by_node.size(); ++n) {
        std::vector<int>& list = by_node[n];
        std::ranges::sort(list, {}, [&](int t) { return std::pair(place(t), t); });
        system.by_node.insert(system.by_node.end(), list.begin(), list.end());
        system.first_by_node.push_back(static_cast<int>(system.by_node.size()));
        if (system.held[n] != 0) continue;
        for (std::size_t a = 0; a < list.size(); ++a) {
            ConstraintSystem::Touch& touch = system.touches[list[a]];
            if (const int kept = system.kept[n]; kept >= 0) {
                touch.kept_move = system.pattern.block_of(touch.block, kept);
                if (system.is_body(static_cast<int>(n)))
                    touch.kept_turn = system.pattern.block_of(touch.block, kept + 1);
                continue;
            }
            for (std::size_t b = 0; b <= a; ++b)
                system.pairs.push_back(system.pattern.block_of(touch.block, system.touches[list[b]].block));
        }
    }
}

void make_matrix_pattern(ConstraintSystem& system)
{
    std::vector<std::vector<int>> by_node = touches_by_node(system);
    const int unknowns = choose_kept(by_node, system);
    system.pattern = make_block_pattern(make_graph(by_node, unknowns, system));
    place_touches(by_node, system);
    system.matrix.resize(static_cast<std::size_t>(system.pattern.blocks()));
    system.pivots.resize(static_cast<std::size_t>(unknowns));
    system.right.resize(static_cast<std::size_t>(unknowns));
    system.change.resize(system.blocks.size());
    system.speeds.resize(system.blocks.size());
    system.mobility.resize(system.blocks.size());
    system.pull.resize(system.bodies.size());
    system.saved.points.resize(system.points.size());
    system.saved.moved.resize(system.points.size());
    system.saved.reactions.resize(system.points.size());
    system.saved.lambdas.resize(system.blocks.size());
    system.saved.poses.resize(system.bodies.size());
    system.saved.shifts.resize(system.bodies.size());
}

bool is_held(const ConstraintSystem& system, int node)
{
    return !((system.is_body(node) ? system.body(node).inv_mass : system.points[node].inv_mass) > 0);
}

}  // namespace

ConstraintSystems make_constraint_systems(std::span<const BlockNodes> blocks, int particles, int bodies)
{
    DisjointSets sets(blocks.size());
    std::vector<int> first(static_cast<std::size_t>(particles + bodies), -1);  // per node of the world: first block
    const auto join = [&](int block, int node) {
        int& with = first[node];
        if (with < 0) with = block;
        sets.join(block, with);
    };
    for (int b = 0; b < static_cast<int>(blocks.size()); ++b) {
        for (const int i : blocks[b].particles) join(b, i);
        for (const int i : blocks[b].bodies) join(b, particles + i);
    }
    ConstraintSystems out;
    std::vector<SystemMaker> makers;
    std::map<int, int> number;  // root -> system
    for (int b = 0; b < static_cast<int>(blocks.size()); ++b) {
        const auto [at, is_new] = number.try_emplace(sets.find(b), static_cast<int>(makers.size()));
        if (is_new) makers.emplace_back();
        out.places.push_back({at->second, makers[at->second].add_block(blocks[b])});
    }
    for (SystemMaker& maker : makers) out.systems.push_back(maker.take());
    return out;
}

void begin_constraints(const Particles& particles, const RigidBodies& bodies, ConstraintSystem& system)
{
    for (JointPoint& p : system.points) {
        p.start = p.x = particles.position(p.particle);
        p.give = p.inv_mass = static_cast<double>(particles.inv_mass[p.particle]);
        p.touching = false;
        p.reaction = p.moved = p.kicked = {};
    }
    for (JointBody& b : system.bodies) {
        b.inv_mass = static_cast<double>(bodies.inv_mass[b.body]);
        b.shift = {};
        b.kicked = b.spun = {};
        const Mat3d r = exact_rotation(bodies.pose[b.body]);
        b.give = r * Mat3d::diagonal(bodies.inv_inertia[b.body].cast<double>()) * r.transposed();
    }
    bool same = static_cast<int>(system.held.size()) == system.nodes();
    system.held.resize(static_cast<std::size_t>(system.nodes()));
    for (int n = 0; n < system.nodes(); ++n) {
        const char held = is_held(system, n) ? 1 : 0;
        same = same && system.held[n] == held;
        system.held[n] = held;
    }
    if (!same) make_matrix_pattern(system);
}

}  // namespace pliant
