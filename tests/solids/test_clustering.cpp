#include "pliant/solids/clustering.h"

#include "pliant/base/check.h"
#include "pliant/math/procrustes.h"
#include "pliant/solver/solver.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace pliant {
namespace {

using namespace testing_bodies;

void expect_partition_of_unity(const Memberships& m, int particles)
{
    std::vector<double> sum(static_cast<std::size_t>(particles), 0.0);
    for (int k = 0; k < m.count(); ++k) {
        EXPECT_GT(m.share[k], 0);
        sum[m.member[k]] += m.share[k];
    }
    for (const double s : sum) EXPECT_NEAR(s, 1, 1e-12);
}

TEST(Clustering, RandomCoversAllWithBallsAndKnowsItsSeed)
{
    const std::vector<Vec3d> rest = cube(8).points;
    const Memberships a = cluster_randomly(rest, 0.3, 5), same = cluster_randomly(rest, 0.3, 5),
                      other = cluster_randomly(rest, 0.3, 6);
    expect_partition_of_unity(a, 512);
    EXPECT_EQ(a.member, same.member);
    EXPECT_NE(a.member, other.member);
    for (int c = 0; c < a.clusters(); ++c) {  // all within the radius of one of them, and all such
        bool is_ball = false;
        for (int k = a.first[c]; k < a.first[c + 1] && !is_ball; ++k) {
            const auto within = std::count_if(rest.begin(), rest.end(),
                                              [&](const Vec3d& p) { return (p - rest[a.member[k]]).norm() <= 0.3; });
            is_ball = within == a.first[c + 1] - a.first[c];
        }
        EXPECT_TRUE(is_ball);
    }
}

TEST(Clustering, EvenMirrorsAMirroredBody)
{
    const std::vector<Vec3d> rest = cube(7).points;
    const Memberships m = cluster_evenly(rest, 0.3);
    expect_partition_of_unity(m, 343);
    EXPECT_GT(m.clusters(), 8);
    const auto centre_of = [&](int c, double sign) {
        Vec3d sum;
        for (int k = m.first[c]; k < m.first[c + 1]; ++k) sum += m.share[k] * rest[m.member[k]];
        sum.x *= sign;
        return sum;
    };
    for (int c = 0; c < m.clusters(); ++c) {
        bool found = false;
        for (int d = 0; d < m.clusters(); ++d) found = found || (centre_of(c, -1) - centre_of(d, 1)).norm() < 1e-9;
        EXPECT_TRUE(found) << "cluster " << c << " has no mirror image";
    }
}

TEST(Clustering, GivenListsAreChecked)
{
    const auto message = [](std::vector<std::vector<int>> lists) {
        try {
            cluster_by_lists(3, lists);
        } catch (const InputError& e) {
            return std::string(e.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(message({{0, 1}, {1, 2}}), "accepted");
    EXPECT_NE(message({{0, 1, 3}}).find("particle 3"), std::string::npos);
    EXPECT_NE(message({{0, 1}}).find("particle 2 is in no list"), std::string::npos);
    EXPECT_NE(message({{0, 1, 2}, {}}).find("list 1 is empty"), std::string::npos);
    EXPECT_NE(message({{0, 1, 2, 0}}).find("twice"), std::string::npos);
    EXPECT_NE(message({}).find("in no list"), std::string::npos);
}

/// How far a cube that is let go after a stretch along x turns as a whole, at the most [degrees].
double largest_turn(Clustering clustering)
{
    SolidParams params;
    params.clustering = clustering;
    params.cluster_radius = Real(0.4);
    params.alpha = Real(0.2);
    World world;
    writable(world.forces).gravity = {};
    writable(world.settings).iterations = 2;
    const SolidId id = add_solid(world, cube(8), params);
    std::vector<Vec3> rest = world.particles->x;
    place_solid(world, id, {.linear = Mat3d::diagonal({1.5, 1, 1})});
    const std::vector<Real> weights(rest.size(), 1);
    double turn = 0;
    Solver solver;
    for (int frame = 0; frame < 240; ++frame) {
        solver.step(world);
        const Mat3 r = fit_rigid<Real>(rest, world.particles->x, weights).fit.rotation;
        turn = std::max(turn, std::acos(std::min(1.0, (double(r.trace()) - 1) / 2)) * 180 / 3.14159265358979);
    }
    return turn;
}

TEST(Clustering, AStretchedCubeTurnsWithRandomClustersButNotWithEvenOnes)
{
    EXPECT_LT(largest_turn(Clustering::even), 0.1);
    EXPECT_GT(largest_turn(Clustering::random), 0.5);
}

}  // namespace
}  // namespace pliant
