#include "pliant/rods/make_nets.h"

#include "pliant/base/disjoint_sets.h"

#include <algorithm>
#include <map>
#include <span>

namespace pliant {

std::vector<Net> find_nets(const Rod& rod)
{
    DisjointSets connected(rod.edges.size());
    for (const Rod::Element& joint : rod.elements) connected.join(joint.a, joint.b);
    std::vector<int> number(rod.edges.size(), -1);
    std::vector<Net> nets;
    for (int e = 0; e < static_cast<int>(rod.edges.size()); ++e) {
        int& net = number[connected.find(e)];
        if (net < 0) {
            net = static_cast<int>(nets.size());
            nets.emplace_back();
        }
        nets[net].edges.push_back(e);
    }
    for (int j = 0; j < static_cast<int>(rod.elements.size()); ++j)
        nets[number[connected.find(rod.elements[j].a)]].joints.push_back(j);
    return nets;
}

bool is_solved_directly(const Rod& rod) { return youngs_modulus_of(rod) > 0 && rod.params.solver == RodSolver::direct; }

namespace {

/// The tips of a rod by edge.
using Tips = std::multimap<int, int>;

bool is_chain(const Rod& rod, const Net& net)
{
    if (net.joints.size() + 1 != net.edges.size()) return false;
    for (std::size_t k = 0; k + 1 < net.edges.size(); ++k)
        if (rod.edges[net.edges[k]].p1 != rod.edges[net.edges[k + 1]].p0) return false;
    return true;
}

/// A net with nodes, edges and joints numbered from 0.
NetShape shape_of(const Rod& rod, const Net& net, const Tips& tips)
{
    std::map<int, int> edge, node;
    const auto number = [](std::map<int, int>& of, int i) {
        return of.try_emplace(i, static_cast<int>(of.size())).first->second;
    };
    NetShape shape;
    for (const int e : net.edges) {
        number(edge, e);
        const Rod::Edge& at = rod.edges[e];
        const int p0 = number(node, at.p0), p1 = number(node, at.p1);
        shape.edges.push_back({p0, p1, number(node, at.ghost)});
    }
    for (const int j : net.joints) shape.joints.push_back({edge[rod.elements[j].a], edge[rod.elements[j].b]});
    for (const int e : net.edges) {
        const auto [first, last] = tips.equal_range(e);
        for (auto t = first; t != last; ++t)
            shape.joints.push_back(rod.tips[t->second].end == RodEnd::start ? NetShape::Joint{-1, edge[e]}
                                                                            : NetShape::Joint{edge[e], -1});
    }
    shape.nodes = static_cast<int>(node.size());
    return shape;
}

class NetsMaker {
  public:
    explicit NetsMaker(const Rod& rod) : rod_(rod)
    {
        for (std::size_t t = 0; t < rod.tips.size(); ++t) tips_.insert({rod.tips[t].edge, static_cast<int>(t)});
    }
    DirectNets make(std::span<const char> elsewhere)
    {
        std::vector<const Net*> chains;
        std::map<NetShape, std::vector<const Net*>> others;
        const std::vector<Net> nets = find_nets(rod_);
        for (const Net& net : nets) {
            if (!elsewhere.empty() && elsewhere[net.edges[0]] != 0) continue;
            if (is_chain(rod_, net)) chains.push_back(&net);
            else others[shape_of(rod_, net, tips_)].push_back(&net);
        }
        // longest first, so that the strands of a group are about equally long; equally long ones in their order
        std::ranges::sort(chains, [](const Net* a, const Net* b) {
            return a->edges.size() != b->edges.size() ? a->edges.size() > b->edges.size() : a < b;
        });
        std::map<std::size_t, int> pattern_of;
        by_eight(chains, [&](std::span<const Net* const> some) {
            const std::size_t longest = some[0]->edges.size();
            const auto [at, is_new] = pattern_of.try_emplace(longest, static_cast<int>(out_.patterns.size()));
            if (is_new) out_.patterns.push_back(make_pattern(chain_shape(static_cast<int>(longest))));
            add_group(at->second, some);
        });
        for (const auto& [shape, alike] : others) {
            out_.patterns.push_back(make_pattern(shape));
            by_eight(alike, [&](std::span<const Net* const> some) {
                add_group(static_cast<int>(out_.patterns.size()) - 1, some);
            });
        }
        return std::move(out_);
    }

  private:
    template <class Body>
    static void by_eight(std::span<const Net* const> nets, const Body& body)
    {
        for (std::size_t at = 0; at < nets.size(); at += kLanes)
            body(nets.subspan(at, std::min<std::size_t>(kLanes, nets.size() - at)));
    }
    void add_group(int pattern, std::span<const Net* const> nets)
    {
        const NetShape& shape = out_.patterns[pattern].shape;
        IndexLanes padding;
        padding.fill(padding_of_group(static_cast<int>(rod_.mass.size()), static_cast<int>(out_.groups.size())));
        const auto size = [](const auto& v) { return static_cast<int>(v.size()); };
        DirectNets::Group group{pattern, size(out_.nodes), size(out_.edges), size(out_.joints), size(out_.tips), 0};
        out_.nodes.resize(out_.nodes.size() + shape.nodes, padding);
        out_.edges.resize(out_.edges.size() + shape.edges.size(), {1, 1, 1, 0});
        out_.joints.resize(out_.joints.size() + shape.joints.size(), {1, {1, 1, 1}, {}, 0});
        for (int l = 0; l < size(nets); ++l) add_net(group, shape, *nets[l], l);
        group.last_tip = size(out_.tips);
        out_.groups.push_back(group);
    }
    void add_edge(const DirectNets::Group& group, const NetShape::Edge& at, const Rod::Edge& from, int number, int l)
    {
        out_.nodes[group.first_node + at.p0][l] = from.p0;
        out_.nodes[group.first_node + at.p1][l] = from.p1;
        out_.nodes[group.first_node + at.ghost][l] = from.ghost;
        DirectNets::Edge& edge = out_.edges[group.first_edge + number];
        edge.length.set(l, from.length);
        edge.ghost_distance.set(l, from.ghost_distance);
        edge.give.set(l, from.length / from.area());
        edge.there.set(l, 1);
    }

    void add_net(const DirectNets::Group& group, const NetShape& shape, const Net& net, int l)
    {
        std::map<int, int> local;
        for (std::size_t k = 0; k < net.edges.size(); ++k) {
            local[net.edges[k]] = static_cast<int>(k);
            add_edge(group, shape.edges[k], rod_.edges[net.edges[k]], static_cast<int>(k), l);
        }
        std::map<std::pair<int, int>, int> joint_of;
        for (std::size_t j = 0; j < shape.joints.size(); ++j)
            joint_of[{shape.joints[j].a, shape.joints[j].b}] = static_cast<int>(j);
        for (const int j : net.joints) {
            const Rod::Element& from = rod_.elements[j];
            DirectNets::Joint& joint =
                out_.joints[group.first_joint + joint_of.at({local.at(from.a), local.at(from.b)})];
            joint.lbar.set(l, from.lbar);
            set_lane(joint.bulk, l, from.bulk);
            set_lane(joint.rest, l, from.rest);
            joint.there.set(l, 1);
        }
        for (const int e : net.edges) {
            const auto [first, last] = tips_.equal_range(e);
            for (auto t = first; t != last; ++t) {
                const int edge = local.at(e);
                const int number = rod_.tips[t->second].end == RodEnd::start ? joint_of.at({-1, edge})
                                   : joint_of.contains({edge, -1})           ? joint_of.at({edge, -1})
                                                                             : joint_of.at({edge, edge + 1});
                const Real half = rod_.edges[e].length / 2;
                DirectNets::Joint& joint = out_.joints[group.first_joint + number];
                joint.lbar.set(l, half);
                const Real bulk = half * rod_.edges[e].stiffness();
                set_lane(joint.bulk, l, {bulk, bulk, bulk});
                out_.tips.push_back({t->second, number, edge, l});
            }
        }
    }

    const Rod& rod_;
    Tips tips_;
    DirectNets out_;
};

}  // namespace

DirectNets make_direct_nets(const Rod& rod, std::span<const char> elsewhere) { return NetsMaker(rod).make(elsewhere); }

}  // namespace pliant
