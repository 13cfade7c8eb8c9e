#include "pliant/geometry/box_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace pliant {
namespace {

std::vector<Box> random_boxes(int count, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<Real> place(0, 1), size(0, Real(0.1));
    std::vector<Box> boxes;
    for (int i = 0; i < count; ++i) {
        const Vec3 low{place(random), place(random), place(random)};
        boxes.push_back({low, low + Vec3{size(random), size(random), size(random)}});
    }
    return boxes;
}

bool meet(const Box& a, const Box& b)
{
    for (int k = 0; k < 3; ++k)
        if (a.low[k] > b.high[k] || b.low[k] > a.high[k]) return false;
    return true;
}

TEST(BoxTree, FindsWhatALoopFinds)
{
    for (const int count : {0, 1, 7, 8, 9, 64, 65, 700}) {
        const std::vector<Box> boxes = random_boxes(count, 1), queries = random_boxes(40, 2);
        BoxTree tree(count);
        tree.refit([&](int i) { return boxes[i]; });
        for (const Box& query : queries) {
            for (const int first : {0, 5, 64}) {
                std::vector<int> expected, found;
                for (int i = first; i < count; ++i)
                    if (meet(boxes[i], query)) expected.push_back(i);
                tree.find(query, first, [&](int i) { found.push_back(i); });
                EXPECT_EQ(found, expected) << count << " boxes from " << first << " on";
            }
        }
    }
}

TEST(BoxTree, TakesTheChangedOnesAnew)
{
    std::vector<Box> boxes = random_boxes(300, 5);
    BoxTree tree(300);
    tree.refit([&](int i) { return boxes[i]; });
    const Vec3 far{9, 9, 9};
    boxes[17] = {far, far};
    boxes[18] = {far, far};
    tree.refit([&](int i) { return boxes[i]; }, [](int i) { return i == 17; }, [](int i) { return i != 17; });
    std::vector<int> found;
    tree.find({far, far}, 0, [&](int i) { found.push_back(i); });
    EXPECT_EQ(found, std::vector{17});
    EXPECT_EQ(tree.box(17).low.x, 9);
    EXPECT_NE(tree.box(18).low.x, 9);
}

TEST(BoxTree, FindsWhatWasKeptBeforeTheFirst)
{
    const std::vector<Box> boxes = random_boxes(700, 6), queries = random_boxes(8, 7);
    const auto kept = [](int i) { return (i < 70 || i > 600) && i % 3 != 0; };
    BoxTree tree(700);
    tree.refit([&](int i) { return boxes[i]; }, [](int) { return true; }, kept);
    for (const int first : {0, 3, 350, 700}) {
        for (const Box& query : queries) {
            std::vector<int> expected, found;
            for (int i = 0; i < 700; ++i)
                if (meet(boxes[i], query) && (i >= first || kept(i))) expected.push_back(i);
            tree.find(query, first, [&](int i) { found.push_back(i); });
            EXPECT_EQ(found, expected) << "from " << first << " on";
        }
    }
}

TEST(BoxTree, NeighboursOnTheCurveAreNear)
{
    std::vector<Vec3d> points;
    for (int i = 0; i < 4096; ++i) points.push_back({double((i * 7) % 16), double((i / 16 * 5) % 16), double(i / 256)});
    const std::vector<int> order = order_along_curve(points);
    ASSERT_EQ(order.size(), points.size());
    EXPECT_EQ(std::set<int>(order.begin(), order.end()).size(), points.size());
    double way = 0;
    for (std::size_t i = 1; i < order.size(); ++i) way += (points[order[i]] - points[order[i - 1]]).norm();
    EXPECT_LT(way / double(order.size()), 2.0);
}

}  // namespace
}  // namespace pliant
