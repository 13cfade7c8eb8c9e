#include "pliant/rods/net.h"

#include <algorithm>
#include <map>
#include <set>

namespace pliant {

NetShape chain_shape(int edges)
{
    NetShape shape;
    shape.nodes = 2 * edges + 1;
    for (int k = 0; k < edges; ++k) shape.edges.push_back({k, k + 1, edges + 1 + k});
    for (int k = 0; k <= edges; ++k) shape.joints.push_back({k - 1, k < edges ? k : -1});
    return shape;
}

namespace {

/// Assigns each unknown its position in the order of elimination.
void order_unknowns(NetPattern& pattern)
{
    const NetShape& shape = pattern.shape;
    const int edges = static_cast<int>(shape.edges.size()), joints = static_cast<int>(shape.joints.size());
    std::vector<std::vector<int>> before(edges), held(edges);  // joints that lead to an edge, that hold its end
    for (int j = 0; j < joints; ++j) {
        const NetShape::Joint& joint = shape.joints[j];
        (joint.b >= 0 ? before[joint.b] : held[joint.a]).push_back(j);
    }
    pattern.edge_unknown.resize(edges);
    pattern.joint_unknown.resize(joints);
    int next = 0;
    for (int e = edges - 1; e >= 0; --e) {
        for (const int j : held[e]) pattern.joint_unknown[j] = next++;
        pattern.edge_unknown[e] = next++;
        for (const int j : before[e]) pattern.joint_unknown[j] = next++;
    }
}

class PatternMaker {
  public:
    explicit PatternMaker(NetPattern& pattern) : pattern_(pattern), columns_(pattern.unknowns()) {}

    void make()
    {
        touch_nodes();
        fill_in();
        lay_blocks();
        list_products();
    }

  private:
    struct Sum {  // the terms of a block
        std::vector<NetPattern::Pair> couples, rolls;
    };

    using Touch = NetPattern::Touch;
    using Touches = std::vector<std::vector<Touch>>;  // per unknown

    void touch_nodes()
    {
        const NetShape& shape = pattern_.shape;
        const int edges = static_cast<int>(shape.edges.size()), joints = static_cast<int>(shape.joints.size());
        Touches touches(columns_.size()), rolls(columns_.size());
        for (int e = 0; e < edges; ++e) {
            const auto& [p0, p1, ghost] = shape.edges[e];
            touches[pattern_.edge_unknown[e]] = {{3 * e, p0}, {3 * e + 1, p1}, {3 * e + 2, ghost}};
        }
        for (int j = 0; j < joints; ++j) {
            const auto [a, b] = shape.joints[j];
            const int unknown = pattern_.joint_unknown[j], first = 3 * (edges + j);
            touches[unknown].push_back({first + 1, a >= 0 ? shape.edges[a].p1 : shape.edges[b].p0});
            if (a >= 0) touches[unknown].push_back({first, shape.edges[a].p0});
            if (b >= 0) touches[unknown].push_back({first + 2, shape.edges[b].p1});
            if (a >= 0) rolls[unknown].push_back({2 * j, a});
            if (b >= 0) rolls[unknown].push_back({2 * j + 1, b});
        }
        lay(touches, pattern_.touches, pattern_.first_touch);
        lay(rolls, pattern_.roll_touches, pattern_.first_roll);
        couple(touches, shape.nodes, &Sum::couples);
        couple(rolls, edges, &Sum::rolls);
    }
    static void lay(const Touches& from, std::vector<Touch>& all, std::vector<int>& first)
    {
        first.push_back(0);
        for (const std::vector<Touch>& some : from) {
            all.insert(all.end(), some.begin(), some.end());
            first.push_back(static_cast<int>(all.size()));
        }
    }
    /// All unknowns that touch a node couple through it.
    void couple(const Touches& touches, int nodes, std::vector<NetPattern::Pair> Sum::* kind)
    {
        std::vector<std::vector<std::pair<int, int>>> at(nodes);  // unknown and gradient, unknowns going up
        for (int u = 0; u < static_cast<int>(touches.size()); ++u)
            for (const Touch& touch : touches[u]) at[touch.node].emplace_back(u, touch.gradient);
        for (const auto& node : at)
            for (std::size_t row = 0; row < node.size(); ++row)
                for (std::size_t column = 0; column <= row; ++column)
                    (columns_[node[column].first][node[row].first].*kind)
                        .push_back({node[row].second, node[column].second});
    }
    /// Fill-in: eliminating an unknown couples all unknowns that it was coupled with. They become rows of the column of
    /// the first of them.
    void fill_in()
    {
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            auto below = columns_[c].upper_bound(static_cast<int>(c));
            if (below == columns_[c].end()) continue;
            std::map<int, Sum>& parent = columns_[below->first];
            for (; below != columns_[c].end(); ++below) parent.try_emplace(below->first);
        }
    }
    void lay_blocks()
    {
        const auto append = [](const auto& from, auto& to) {
            to.insert(to.end(), from.begin(), from.end());
            return static_cast<int>(to.size());
        };
        for (const std::map<int, Sum>& column : columns_) {
            pattern_.first_block.push_back(static_cast<int>(pattern_.blocks.size()));
            for (const auto& [row, sum] : column)
                pattern_.blocks.push_back(
                    {row, append(sum.couples, pattern_.couples), append(sum.rolls, pattern_.rolls)});
        }
        pattern_.first_block.push_back(static_cast<int>(pattern_.blocks.size()));
    }
    int block_at(int row, int column) const
    {
        const auto begin = pattern_.blocks.begin() + pattern_.first_block[column];
        const auto end = pattern_.blocks.begin() + pattern_.first_block[column + 1];
        const auto at = std::ranges::lower_bound(begin, end, row, {}, &NetPattern::Block::row);
        return static_cast<int>(at - pattern_.blocks.begin());
    }
    void list_products()
    {
        std::vector<std::vector<NetPattern::Pair>> of_block(pattern_.blocks.size());
        for (int c = 0; c < pattern_.unknowns(); ++c)
            for (int i = pattern_.first_block[c] + 1; i < pattern_.first_block[c + 1]; ++i)
                for (int j = i; j < pattern_.first_block[c + 1]; ++j)
                    of_block[block_at(pattern_.blocks[j].row, pattern_.blocks[i].row)].push_back({j, i});
        for (std::size_t b = 0; b < of_block.size(); ++b) {
            pattern_.products.insert(pattern_.products.end(), of_block[b].begin(), of_block[b].end());
            pattern_.blocks[b].products = static_cast<int>(pattern_.products.size());
        }
    }

    NetPattern& pattern_;
    std::vector<std::map<int, Sum>> columns_;  // per unknown: its rows, with their terms before any elimination
};

}  // namespace

NetPattern make_pattern(NetShape shape)
{
    NetPattern pattern;
    pattern.shape = std::move(shape);
    order_unknowns(pattern);
    PatternMaker(pattern).make();
    return pattern;
}

}  // namespace pliant
