// Chains that whip keep their energy, and free ones both momenta too, at the effort that the engine chooses.

#include "glue/pairs.h"
#include "pliant/glue/joint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace pliant {
namespace {

using testing_glue::widest_gap;

class Draw {
  public:
    explicit Draw(unsigned seed) : random_(seed) {}
    double between(double low, double high)
    {
        return low + (high - low) * static_cast<double>(random_() >> 11) / 9007199254740992.0;
    }
    /// Its logarithm is evenly spread.
    double size(double low, double high) { return std::exp(between(std::log(low), std::log(high))); }

  private:
    std::mt19937_64 random_;
};

/// Links in a row along x, and a ball of some times the mass of one of them at the end; the first link begins at the origin.
World make_chain(int links, double mass, double load)
{
    World world;
    Anchor end;
    for (int i = 0; i <= links; ++i) {
        const bool is_ball = i == links;
        const RigidId id = is_ball ? add_rigid(world, {.kind = RigidKind::sphere, .radius = 0.1},
                                               {.mass = static_cast<Real>(mass * load)})
                                   : add_rigid(world, {.kind = RigidKind::box, .size = {0.1, 0.03, 0.03}},
                                               {.mass = static_cast<Real>(mass)});
        place_rigid(world, id, {.position = {0.1 * i + (is_ball ? 0.1 : 0.05), 0, 0}});
        if (i > 0) add_glue(world, end, anchor_on(world, id, {0.1 * i, 0, 0}), {}, "link " + std::to_string(i));
        end = anchor_on(world, id, {0.1 * (i + 1), 0, 0});
    }
    return world;
}

TEST(JointEnergy, OfChainsThatSwingIsKept)
{
    Draw draw(3);
    for (int trial = 0; trial < 6; ++trial) {
        const int links = static_cast<int>(draw.size(5, 60));
        const double mass = draw.size(0.01, 1), load = draw.size(1, 1000);
        SCOPED_TRACE(testing::Message() << links << " links of " << mass << " kg, load " << load);
        World world = make_chain(links, mass, load);
        add_glue(world, anchor_on_motion({}), anchor_on(world, world.rigids.id_at(0), {}), {}, "top");
        Solver solver;
        const Energy start = measure_energy(world);
        double lowest = start.potential, widest = 0, worst = 0;
        for (int frame = 0; frame < 240; ++frame) {
            ASSERT_EQ(solver.step(world).trouble.text, "");
            const Energy now = measure_energy(world);
            lowest = std::min(lowest, now.potential);
            widest = std::max(widest, widest_gap(world));
            worst = std::max(worst, std::abs(now.total() - start.total()));
        }
        EXPECT_LT(worst, 0.02 * (start.potential - lowest));
        EXPECT_LT(widest, 1e-4);
    }
}

TEST(JointEnergy, OfFreeChainsIsKeptWithBothMomenta)
{
    Draw draw(4);
    for (int trial = 0; trial < 6; ++trial) {
        const int links = static_cast<int>(draw.size(3, 30));
        World world = make_chain(links, draw.size(0.01, 1), draw.size(0.3, 100));
        writable(world.forces).gravity = {};
        for (int i = 0; i <= links; ++i) {  // a wave of links that turn against each other
            const double way = 0.1 * i;
            const Vec3d v{0, 3 * way, way * (2 * way - 1)};
            writable(world.rigid_bodies).v[i] = v.cast<Real>();
            set_angular_velocity(i, {Real(draw.between(-5, 5)), 0, 3}, writable(world.rigid_bodies));
        }
        Solver solver;
        solver.step(world);  // now all move as their joints let them
        const double energy = measure_energy(world).kinetic;
        const Vec3d momentum = linear_momentum(world), spin = angular_momentum(world, {});
        for (int frame = 0; frame < 240; ++frame) ASSERT_EQ(solver.step(world).trouble.text, "");
        SCOPED_TRACE(testing::Message() << links << " links");
        EXPECT_NEAR(measure_energy(world).kinetic / energy, 1, 0.02);
        EXPECT_LT((linear_momentum(world) - momentum).norm(), 1e-4 * momentum.norm());
        EXPECT_LT((angular_momentum(world, {}) - spin).norm(), 5e-3 * spin.norm());
    }
}

}  // namespace
}  // namespace pliant
