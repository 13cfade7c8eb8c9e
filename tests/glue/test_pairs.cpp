// Glue between all pairs of kinds: it holds for ten seconds, keeps momentum, closes gaps, lets go.

#include "glue/pairs.h"
#include "pliant/base/parallel.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_glue;

/// Bodies of a few particles: more threads than one only get into each other's way.
class GluePairs : public ::testing::Test {
  protected:
    GluePairs() { set_threads(1); }
    ~GluePairs() override { set_threads(0); }
};

/// Calls test(pair) for all pairs in both orders with mass ratios of 1:100 both ways.
template <class Test>
void for_all_pairs(double stiffness, const Test& test)
{
    for (const Kind a : kKinds)
        for (const Kind b : kKinds)
            for (const auto& [mass_a, mass_b] : {std::pair{0.1, 10.0}, {10.0, 0.1}})
                if (a != Kind::world || b != Kind::world) test(Pair{a, b, mass_a, mass_b, stiffness});
}

void expect_to_hold(const Pair& pair)
{
    World world = hung(pair);
    Solver solver;
    double widest = 0;
    for (int frame = 0; frame < 600; ++frame) {
        ASSERT_EQ(solver.step(world).trouble.text, "") << text_of(pair);
        widest = std::max(widest, widest_gap(world));
    }
    EXPECT_LT(widest, 1e-3 * kSize) << text_of(pair);
}

TEST_F(GluePairs, HoldForTenSecondsOfShaking) { for_all_pairs(kNoStiffness, expect_to_hold); }

/// As stiff as it takes: the heavy body swings with forces of thousands of newtons.
TEST_F(GluePairs, HoldSoftlyForTenSecondsOfShaking) { for_all_pairs(1e8, expect_to_hold); }

TEST_F(GluePairs, KeepTheirMomentumWhenFree)
{
    for (const double stiffness : {kNoStiffness, 1000.0})
        for (const GlueKind kind : {GlueKind::point, GlueKind::weld})
            for_all_pairs(stiffness, [&](Pair pair) {
                if (pair.a == Kind::world || pair.b == Kind::world) return;
                pair.kind = kind;
                World world = glued(pair);
                writable(world.forces).gravity = {};
                for (Vec3& v : writable(world.particles).v) v = {Real(0.3), Real(0.5), 0};
                for (int i = 0; i < world.rigid_bodies->size(); ++i)
                    writable(world.rigid_bodies).v[i] = {0, Real(-0.4), Real(0.2)};
                const Vec3d before = linear_momentum(world);
                const Vec3d spin = angular_momentum(world, {});
                Solver solver;
                for (int frame = 0; frame < 60; ++frame) solver.step(world);
                // Cloth alone, without glue, drifts by 1e-3 of its momentum in float.
                EXPECT_LT((linear_momentum(world) - before).norm(), 2e-3 * before.norm()) << text_of(pair);
                // C x lambda, as the vector form has it: what is left of C counts.
                EXPECT_LT((angular_momentum(world, {}) - spin).norm(), 0.01 * spin.norm()) << text_of(pair);
            });
}

/// The centres of all bodies and rigid ones, in order of kind.
std::vector<Vec3d> centres(const World& world)
{
    std::vector<Vec3d> all;
    for (const Cloth& c : world.cloths) all.push_back(center_of_mass(world.particles, c.particles));
    for (const Solid& s : world.solids) all.push_back(center_of_mass(world.particles, s.particles));
    for (const Rod& r : world.rods) all.push_back(center_of_mass(world.particles, r.particles));
    for (const Pose& p : world.rigid_bodies->pose) all.push_back(p.x.cast<double>());
    return all;
}

TEST_F(GluePairs, MoveTheSameWithTheirSidesSwapped)
{
    for (const double stiffness : {kNoStiffness, 1e4})
        for_all_pairs(stiffness, [](const Pair& pair) {
            World one = hung(pair), two = one;
            for (Glue& glue : writable(two.glues)) std::swap(glue.a, glue.b);
            Solver solver, other;
            double widest = 0;
            for (int frame = 0; frame < 60; ++frame) {
                solver.step(one);
                other.step(two);
                const std::vector<Vec3d> x = centres(one), y = centres(two);
                for (std::size_t i = 0; i < x.size(); ++i) widest = std::max(widest, (x[i] - y[i]).norm());
            }
            EXPECT_LT(widest, 1e-3) << text_of(pair);
        });
}

/// The pair before it is glued, the second body moved.
World apart(const Pair& pair, const Vec3d& by, Anchor& a, Anchor& b)
{
    World world;
    writable(world.settings).dt = Real(1) / 480;
    writable(world.settings).substeps = 1;
    writable(world.settings).iterations = 4;
    writable(world.forces).gravity = {};
    a = add_part(world, pair.a, 1, pair.mass_a);
    const int particles = world.particles->size(), bodies = world.rigid_bodies->size();
    b = add_part(world, pair.b, -1, pair.mass_b);
    for (int i = particles; i < world.particles->size(); ++i) writable(world.particles).x[i] += by.cast<Real>();
    for (int i = bodies; i < world.rigid_bodies->size(); ++i) writable(world.rigid_bodies).pose[i].x += by.cast<Real>();
    if (pair.b == Kind::world) b = anchor_on_motion(by);
    return world;
}

TEST_F(GluePairs, CloseAGapWithNoMoreEnergyThanTheirWork)
{
    for (const double stiffness : {kNoStiffness, 1e4})
        for (const double offset : {0.1, -0.1})  // apart, and overlapping
            for_all_pairs(stiffness, [&](const Pair& pair) {
                Anchor a, b;
                World world = apart(pair, {-offset, 0.02, 0}, a, b);
                add_glue(world, a, b, params_of(pair));
                Solver solver;
                double energy = 0, excess = 0, most = 0;
                for (int step = 0; step < 480; ++step) {
                    ASSERT_EQ(solver.step(world).trouble.text, "") << text_of(pair);
                    excess = std::max(excess, energy - world.glues[0].work);  // which is that up to this step
                    energy = measure_energy(world).kinetic;
                    most = std::max(most, energy);
                }
                EXPECT_LT(excess, 1e-3 * most) << text_of(pair) << ", " << offset;
                EXPECT_LT(gap_of(world), pair.stiffness < 0 ? 1e-3 * kSize : 0.05) << text_of(pair);
            });
}

/// Momentum of the second body.
Vec3d momentum_of_second(const World& world, int first_particle, int first_body)
{
    Vec3d sum;
    for (int i = first_particle; i < world.particles->size(); ++i)
        sum += double(world.particles->mass[i]) * world.particles->v[i].cast<double>();
    for (int i = first_body; i < world.rigid_bodies->size(); ++i)
        sum += double(world.rigid_bodies->mass[i]) * world.rigid_bodies->v[i].cast<double>();
    return sum;
}

TEST_F(GluePairs, LetGoWithTheVelocityThatTheyHave)
{
    for (const double stiffness : {kNoStiffness, 1e4})
        for_all_pairs(stiffness, [](const Pair& pair) {
            if (pair.a == Kind::world || pair.b == Kind::world) return;
            World world = hung(pair);
            ContactParams apart = *world.contact;
            apart.on = false;  // what overlaps would push itself apart
            set_contact(world, apart);
            World first;
            add_part(first, pair.a, 1, 1);
            const int particles = first.particles->size(), bodies = first.rigid_bodies->size();
            Solver solver;
            for (int frame = 0; frame < 40; ++frame) solver.step(world);
            writable(world.forces).gravity = {};
            remove_glue(world, world.glues.id_at(0));
            const Vec3d before = momentum_of_second(world, particles, bodies);
            const StepReport report = solver.step(world);
            ASSERT_EQ(report.events.size(), 1u);
            EXPECT_EQ(report.events[0].kind, GlueEventKind::released);
            const Vec3d after = momentum_of_second(world, particles, bodies);
            EXPECT_LT((after - before).norm(), 1e-3 * before.norm()) << text_of(pair);
        });
}

}  // namespace
}  // namespace pliant
