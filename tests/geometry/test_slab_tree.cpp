#include "pliant/geometry/slab_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace pliant {
namespace {

constexpr Real kMore = Real(0.02);

using Edge = std::array<Vec3, 2>;

std::vector<Edge> random_edges(int count, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<Real> place(0, 1), along(Real(-0.1), Real(0.1));
    std::vector<Edge> edges;
    for (int i = 0; i < count; ++i) {
        const Vec3 a{place(random), place(random), place(random)};
        edges.push_back({a, a + Vec3{along(random), along(random), along(random)}});
    }
    return edges;
}

Slabs slabs_of(const std::vector<Edge>& edges, int eight)
{
    std::array<Vector3<Lanes>, 2> corners;
    for (int l = 0; l < kLanes; ++l)
        for (int k = 0; k < 2; ++k)
            set_lane(corners[k], l, edges[std::min(kLanes * eight + l, static_cast<int>(edges.size()) - 1)][k]);
    return slabs_around(corners, Lanes(kMore));
}

/// Along one of nine unit vectors.
bool are_apart(const Edge& a, const Edge& b, const Vec3& direction)
{
    const Vec3 u = direction / direction.norm();
    const auto [a_low, a_high] = std::minmax({u.dot(a[0]), u.dot(a[1])});
    const auto [b_low, b_high] = std::minmax({u.dot(b[0]), u.dot(b[1])});
    return std::max(a_low - b_high, b_low - a_high) > 2 * kMore;
}
bool meet(const Edge& a, const Edge& b)
{
    for (const Vec3& direction :
         {Vec3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {1, -1, 0}, {1, 0, 1}, {1, 0, -1}, {0, 1, 1}, {0, 1, -1}})
        if (are_apart(a, b, direction)) return false;
    return true;
}

unsigned bits_where(int eight, int count, const auto& is)
{
    unsigned bits = 0;
    for (int l = 0; l < kLanes && kLanes * eight + l < count; ++l)
        if (is(kLanes * eight + l)) bits |= 1U << l;
    return bits;
}

TEST(SlabTree, FindsWhatALoopFinds)
{
    for (const int count : {1, 8, 9, 65, 700}) {
        const std::vector<Edge> edges = random_edges(count, 1), others = random_edges(21, 2);
        SlabTree tree(count), other(21);
        tree.refit([](int) { return ~0U; }, [&](int eight) { return slabs_of(edges, eight); });
        other.refit([](int) { return ~0U; }, [&](int eight) { return slabs_of(others, eight); });
        std::set<std::pair<int, int>> expected, found;
        for (int k = 0; k < 21; ++k)
            for (int i = 0; i < count; ++i)
                if (k % 5 != 0 && meet(edges[i], others[k])) expected.emplace(k, i);
        for (int row = 0; row < other.rows(); ++row) {
            const unsigned whom = bits_where(row, 21, [](int k) { return k % 5 != 0; });
            tree.find(other, row, whom, 0, [&](int k, int eight, unsigned bits) {
                for (int l = 0; l < kLanes; ++l)
                    if ((bits >> l & 1) != 0) {
                        EXPECT_TRUE(found.emplace(kLanes * row + k, kLanes * eight + l).second) << "came twice";
                    }
            });
        }
        EXPECT_EQ(found, expected) << count << " edges";
    }
}

TEST(SlabTree, LeavesOutHalfOfWhatOnlyBoxesSay)
{
    const std::vector<Edge> edges = random_edges(400, 3);
    int boxes = 0, slabs = 0;
    for (const Edge& a : edges) {
        for (const Edge& b : edges) {
            const auto apart = [&](const Vec3& axis) { return are_apart(a, b, axis); };
            if (!apart({1, 0, 0}) && !apart({0, 1, 0}) && !apart({0, 0, 1})) ++boxes;
            if (meet(a, b)) ++slabs;
        }
    }
    EXPECT_LT(slabs, boxes * 3 / 4);
}

TEST(SlabTree, TakesTheChangedOnesAnew)
{
    std::vector<Edge> edges = random_edges(300, 4);
    const std::vector<Edge> queries = random_edges(8, 5);
    SlabTree tree(300), query(8);
    tree.refit([](int) { return ~0U; }, [&](int eight) { return slabs_of(edges, eight); });
    query.refit([](int) { return ~0U; }, [&](int eight) { return slabs_of(queries, eight); });
    const auto has_changed = [](int i) { return i % 7 == 3 || (i > 100 && i < 200); };
    const std::vector<Edge> moved = random_edges(300, 6);
    for (int i = 0; i < 300; ++i)
        if (has_changed(i)) edges[i] = moved[i];
    tree.refit([&](int eight) { return bits_where(eight, 300, has_changed); },
               [&](int eight) { return slabs_of(edges, eight); });
    // some rows have changed as a whole: before the first, nothing of them is found
    for (const int first : {0, 10, 20, 38}) {
        std::set<std::pair<int, int>> expected, found;
        for (int k = 0; k < 8; ++k)
            for (int i = 0; i < 300; ++i)
                if (meet(edges[i], queries[k]) && (i / kLanes >= first || !has_changed(i))) expected.emplace(k, i);
        tree.find(query, 0, ~0U, first, [&](int k, int eight, unsigned bits) {
            if (eight < first) bits &= ~tree.changed(eight);
            for (int l = 0; l < kLanes; ++l)
                if ((bits >> l & 1) != 0) found.emplace(k, kLanes * eight + l);
        });
        EXPECT_EQ(found, expected) << "from " << first << " on";
    }
}

}  // namespace
}  // namespace pliant
