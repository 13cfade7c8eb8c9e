// Sparse systems of 3 x 3 blocks, against the matrix that they stand for.

#include "pliant/math/block_ldl.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace pliant {
namespace {

/// A random quasi-definite system: multipliers that meet at random, and a few bodies.
struct RandomSystem {
    BlockGraph graph;
    std::vector<std::vector<Mat3d>> dense;  // both halves

    RandomSystem(int unknowns, int bodies, double meeting, unsigned seed) : graph(unknowns)
    {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> uniform(-1, 1);
        const auto any = [&] {
            Mat3d m;
            for (Vec3d& column : m.c) column = {uniform(random), uniform(random), uniform(random)};
            return m;
        };
        dense.assign(unknowns, std::vector<Mat3d>(unknowns));
        for (int u = 0; u < unknowns; ++u) {
            graph.negative[u] = u < bodies ? 1 : 0;
            const Mat3d m = any();
            dense[u][u] = (u < bodies ? -1.0 : 1.0) * (m * m.transposed() + (0.5 + unknowns) * Mat3d::identity());
            for (int v = 0; v < u; ++v) {
                if (uniform(random) > 2 * meeting - 1) continue;
                dense[u][v] = any();
                dense[v][u] = dense[u][v].transposed();
                graph.neighbours[u].push_back(v);
            }
        }
    }
    std::vector<Mat3d> lower(const BlockPattern& pattern) const
    {
        std::vector<Mat3d> blocks(pattern.blocks());
        for (int c = 0; c < pattern.unknowns(); ++c)
            for (int i = pattern.first[c]; i < pattern.first[c + 1]; ++i)
                blocks[i] = dense[pattern.unknown[pattern.row[i]]][pattern.unknown[c]];
        return blocks;
    }
};

TEST(BlockLdl, SolvesRandomSystems)
{
    for (unsigned seed = 0; seed < 40; ++seed) {
        const int n = 1 + static_cast<int>(seed) * 2;
        const RandomSystem system(n, static_cast<int>(seed % 5), seed % 3 == 0 ? 0.6 : 4.0 / (n + 4), seed);
        const BlockPattern pattern = make_block_pattern(system.graph);
        std::vector<Mat3d> blocks = system.lower(pattern);
        std::vector<Vec3d> pivots(n), x(n), b(n);
        for (int u = 0; u < n; ++u) b[u] = {double(u), 1, 0.5 * u - 1};
        for (int u = 0; u < n; ++u) x[pattern.place[u]] = b[u];
        factor_blocks(pattern, blocks, pivots);
        solve_blocks(pattern, blocks, pivots, x);
        for (int u = 0; u < n; ++u) {
            Vec3d left = b[u];
            for (int v = 0; v < n; ++v) left -= system.dense[u][v] * x[pattern.place[v]];
            EXPECT_LT(left.norm(), 1e-10 * (1 + b[u].norm())) << "seed " << seed;
        }
    }
}

TEST(BlockLdl, FillsInNothingAlongAChainOrATree)
{
    BlockGraph chain(50), star(50);
    for (int u = 1; u < 50; ++u) {
        chain.neighbours[u].push_back(u - 1);
        star.neighbours[u].push_back(u / 7);
    }
    EXPECT_EQ(make_block_pattern(chain).blocks(), 50 + 49);
    EXPECT_EQ(make_block_pattern(star).blocks(), 50 + 49);
}

TEST(BlockLdl, LetsAMultiplierWaitForTheBodyThatGivesWay)
{
    BlockGraph graph(3);  // a body between two multipliers, one of which nothing else gives way to
    graph.negative[1] = 1;
    graph.neighbours[1] = {0, 2};
    graph.waits[0] = 1;
    const BlockPattern pattern = make_block_pattern(graph);
    EXPECT_LT(pattern.place[1], pattern.place[0]);
    for (int u = 0; u < 3; ++u) EXPECT_EQ(pattern.unknown[pattern.place[u]], u);
}

TEST(BlockLdl, LeavesOutWhatNothingIsLeftOf)
{
    BlockGraph graph(2);
    graph.neighbours[1].push_back(0);
    const BlockPattern pattern = make_block_pattern(graph);
    std::vector<Mat3d> blocks(3);
    blocks[pattern.diagonal(0)] = Mat3d::identity();  // and nothing for the other
    std::vector<Vec3d> pivots(2), x{{1, 2, 3}, {4, 5, 6}};
    if (pattern.place[0] == 1) std::swap(x[0], x[1]);
    factor_blocks(pattern, blocks, pivots);
    solve_blocks(pattern, blocks, pivots, x);
    EXPECT_EQ(x[pattern.place[0]], (Vec3d{1, 2, 3}));
    EXPECT_EQ(x[pattern.place[1]], Vec3d{});
}

}  // namespace
}  // namespace pliant
