// Strands that press against each other do not pass through each other: how often each winds around each other one is a
// matter of their ends alone, as long as none does.

#include "pliant/geometry/closest.h"
#include "pliant/scene/scene.h"
#include "pliant/solver/solver.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace pliant {
namespace {

using Points = std::vector<Vec3d>;

std::vector<Points> strands_of(const World& world)
{
    const Rod& rod = world.rods[0];
    std::vector<Points> strands(rod.strands());
    for (int s = 0; s < rod.strands(); ++s) {
        const auto at = [&](int p) { return world.particles->x[rod.particles.first + p].cast<double>(); };
        strands[s].push_back(at(rod.edges[rod.first_edge[s]].p0));
        for (int e = rod.first_edge[s]; e < rod.first_edge[s + 1]; ++e) strands[s].push_back(at(rod.edges[e].p1));
    }
    return strands;
}

double least_distance(const std::vector<Points>& strands)
{
    double least = 1e30;
    for (std::size_t s = 0; s < strands.size(); ++s) {
        for (std::size_t t = 0; t < s; ++t) {
            for (std::size_t i = 0; i + 1 < strands[s].size(); ++i) {
                for (std::size_t j = 0; j + 1 < strands[t].size(); ++j) {
                    const Vec3d x[4] = {strands[s][i], strands[s][i + 1], strands[t][j], strands[t][j + 1]};
                    least = std::min(least, closest_edges(x).gap);
                }
            }
        }
    }
    return least;
}

/// Where a strand that leads up comes through a height.
Vec3d at_height(const Points& strand, double y)
{
    std::size_t k = 1;
    while (k + 1 < strand.size() && strand[k].y < y) ++k;
    const double share = std::clamp((y - strand[k - 1].y) / (strand[k].y - strand[k - 1].y), 0.0, 1.0);
    return strand[k - 1] + share * (strand[k] - strand[k - 1]);
}

/// By how much b turns around a on the way up [deg]. Exact: from point to point of either they are straight.
double winding(const Points& a, const Points& b)
{
    std::vector<double> heights;
    for (const Points* strand : {&a, &b})
        for (const Vec3d& p : *strand) heights.push_back(p.y);
    std::ranges::sort(heights);
    double sum = 0;
    Vec3d last = b.front() - a.front();
    for (const double y : heights) {
        const Vec3d d = at_height(b, y) - at_height(a, y);
        sum += std::atan2(last.z * d.x - last.x * d.z, last.x * d.x + last.z * d.z);
        last = d;
    }
    return sum * 180 / std::numbers::pi;
}

TEST(Strands, TwistedTogetherWindAsTheirEndsDo)
{
    // more than half a turn: straight strands would pass the axis on the wrong side
    const std::vector<std::string> fewer{"rods.hair.shape.count=80", "rods.hair.shape.radius=0.012",
                                         "rods.hair.pins.1.motion.keys.1.degrees=270"};
    Scene scene = read_scene("hair_bundle", fewer);
    const double touch = 2 * double(scene.world.rods[0].params.radius);
    Solver solver;
    int contacts = 0;
    for (int frame = 1; frame <= scene.frames; ++frame) {
        contacts = std::max(contacts, solver.step(scene.world).feature_contacts.contacts);
        if (frame % 10 != 0) continue;
        EXPECT_GT(least_distance(strands_of(scene.world)), 0.1 * touch) << "in frame " << frame;
    }
    EXPECT_GT(contacts, 500);
    const std::vector<Points> strands = strands_of(scene.world);
    for (std::size_t i = 0; i < strands.size(); ++i) {
        EXPECT_TRUE(std::ranges::is_sorted(strands[i], {}, &Vec3d::y));
        for (std::size_t j = 0; j < i; ++j) EXPECT_NEAR(winding(strands[i], strands[j]), 270, 0.1);
    }
}

}  // namespace
}  // namespace pliant
