#include "pliant/geometry/box_tree.h"

#include "pliant/geometry/mesh.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace pliant {

namespace {

/// The lowest 21 bits, with two zero bits inserted after each (for a Morton code).
std::uint64_t spread_bits(std::uint64_t a)
{
    a = (a | a << 32) & 0x1f00000000ffff;
    a = (a | a << 16) & 0x1f0000ff0000ff;
    a = (a | a << 8) & 0x100f00f00f00f00f;
    a = (a | a << 4) & 0x10c30c30c30c30c3;
    return (a | a << 2) & 0x1249249249249249;
}

}  // namespace

std::vector<int> order_along_curve(std::span<const Vec3d> points)
{
    std::vector<int> order(points.size());
    std::iota(order.begin(), order.end(), 0);
    if (points.empty()) return order;
    const Box3 box = bounding_box({points.begin(), points.end()});
    const Vec3d extent = box.extent();
    const double size = std::max({extent.x, extent.y, extent.z, std::numeric_limits<double>::min()});
    std::vector<std::uint64_t> code(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3d at = (2097151.0 / size) * (points[i] - box.low);
        code[i] = spread_bits(static_cast<std::uint64_t>(at.x)) | spread_bits(static_cast<std::uint64_t>(at.y)) << 1 |
                  spread_bits(static_cast<std::uint64_t>(at.z)) << 2;
    }
    std::ranges::sort(order, {}, [&](int i) { return std::pair(code[i], i); });
    return order;
}

namespace {

Vec3 most(const Vector3<Lanes>& a) { return {largest(a.x), largest(a.y), largest(a.z)}; }

}  // namespace

BoxTree::BoxTree(int count) : count_(count)
{
    for (int nodes = (count + kLanes - 1) / kLanes; count > 0; nodes = (nodes + kLanes - 1) / kLanes) {
        levels_.emplace_back(nodes, Node{spread(kNowhere), spread(-kNowhere), 0});
        if (nodes == 1) break;
    }
}

void BoxTree::refit_level(std::size_t level)
{
    const std::vector<Node>& below = levels_[level - 1];
    parallel_for(static_cast<int>(levels_[level].size()), 64, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            Node& to = levels_[level][k];
            to.kept = 0;
            for (int l = 0; l < std::min(kLanes, static_cast<int>(below.size()) - kLanes * k); ++l) {
                const Node& from = below[kLanes * k + l];
                set_lane(to.low, l, -most(-from.low));
                set_lane(to.high, l, most(from.high));
                if (from.kept != 0) to.kept |= 1U << l;
            }
        }
    });
}

}  // namespace pliant
