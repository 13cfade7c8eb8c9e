// Damping of bend and twist: each at its own rate, for any number of edges, and rigid motion stays.

#include "pi.h"
#include "pliant/rods/damping.h"
#include "pliant/rods/frame.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

Strand unit_line(int edges)
{
    Strand strand;
    for (int i = 0; i <= edges; ++i) strand.points.push_back({double(i) / edges, 0, 0});
    strand.side = {0, 1, 0};
    return strand;
}

Strand helix(int edges)
{
    Strand strand;
    for (int i = 0; i <= edges; ++i) {
        const double t = 4 * kPi * i / edges;
        strand.points.push_back({0.1 * std::cos(t), 0.02 * t, 0.1 * std::sin(t)});
    }
    return strand;
}

Strand ring(int edges)
{
    Strand strand;
    for (int i = 0; i < edges; ++i)
        strand.points.push_back({0.2 * std::cos(2 * kPi * i / edges), 0, 0.2 * std::sin(2 * kPi * i / edges)});
    strand.closed = true;
    return strand;
}

/// The angular velocity of every edge, of points and ghosts.
std::vector<Vec3d> spins_of(const World& world)
{
    std::vector<Vec3d> spins;
    for (const Rod::Edge& e : world.rods[0].edges) {
        const auto x = [&](int i) { return world.particles->x[i].cast<double>(); };
        const auto v = [&](int i) { return world.particles->v[i].cast<double>(); };
        const EdgeFrame<double> f = frame_of(x(e.p0), x(e.p1), x(e.ghost));
        const FrameGradient<double> g = gradient_of(f);
        spins.push_back(f.d * (g.matrix(0) * v(e.p0) + g.matrix(1) * v(e.p1) + g.matrix(2) * v(e.ghost)));
    }
    return spins;
}

struct Rates {
    double bend, twist;  // root of the sum of squares over all joints [rad/s]
};

Rates rates_of(const World& world)
{
    const std::vector<Vec3d> spins = spins_of(world);
    Rates rates{0, 0};
    for (const Rod::Element& e : world.rods[0].elements) {
        const auto along = [&](int k) {
            const Rod::Edge& edge = world.rods[0].edges[k];
            return (world.particles->x[edge.p1] - world.particles->x[edge.p0]).cast<double>().normalized();
        };
        const Vec3d t = (along(e.a) + along(e.b)).normalized(), d = spins[e.b] - spins[e.a];
        rates.bend += (d - d.dot(t) * t).squared_norm();
        rates.twist += d.dot(t) * d.dot(t);
    }
    return {std::sqrt(rates.bend), std::sqrt(rates.twist)};
}

double energy(const Particles& p)
{
    double sum = 0;
    for (int i = 0; i < p.size(); ++i)
        if (p.inv_mass[i] > 0) sum += 0.5 * double(p.mass[i]) * p.v[i].cast<double>().squared_norm();
    return sum;
}

/// Damps the velocities once, for h.
void damp(Real h, World& world)
{
    RodDamping scratch;
    scratch.resize(world.rods[0]);
    damp_bend_and_twist(h, 0, world.rods[0], writable(world.particles), scratch);
}

/// Velocities of a body that spins, bends and twists in slow waves.
void move(World& world)
{
    for (int i = 0; i < world.particles->size(); ++i) {
        const Vec3d x = world.particles->x[i].cast<double>();
        const Vec3d wave{0, 0.3 * std::sin(2 * x.x), 0.4 * std::cos(2.5 * x.x)};
        const Vec3d twist = Vec3d{3 * std::cos(3 * x.x), 0, 0}.cross(x);
        writable(world.particles).v[i] = (Vec3d{1, 2, 3} + Vec3d{0.5, 1, -2}.cross(x) + wave + twist).cast<Real>();
    }
}

TEST(RodDamping, EachRateTakesItsOwnShareForAnyNumberOfEdges)
{
    const auto check = [](const Strand& strand, double bend, double twist) {
        World world;
        add_rod(world, {strand}, {.bend_damping = Real(bend), .twist_damping = Real(twist)});
        move(world);
        const Rates before = rates_of(world);
        damp(Real(0.01), world);
        const Rates after = rates_of(world);
        EXPECT_NEAR(after.bend / before.bend, 1 / (1 + 0.01 * bend), 2e-3) << strand.points.size() << ", " << bend;
        EXPECT_NEAR(after.twist / before.twist, 1 / (1 + 0.01 * twist), 2e-3) << strand.points.size() << ", " << twist;
    };
    for (const int edges : {5, 50}) {
        check(unit_line(edges), 40, 0);
        check(unit_line(edges), 0, 40);
        check(unit_line(edges), 20, 60);
        check(helix(edges), 20, 60);
    }
}

TEST(RodDamping, BothMomentaStayAndEnergyGoes)
{
    for (const Strand& strand : {unit_line(20), helix(30), ring(20)}) {
        World world;
        add_rod(world, {strand}, {.bend_damping = 100, .twist_damping = 10});
        move(world);
        const Range all = all_particles(world);
        const Vec3d linear = linear_momentum(world.particles, all),
                    angular = angular_momentum(world.particles, all, {});
        const double before = energy(world.particles);
        const Rates rates = rates_of(world);
        damp(Real(0.01), world);
        EXPECT_LT((linear_momentum(world.particles, all) - linear).norm(), 1e-6 * linear.norm());
        EXPECT_LT((angular_momentum(world.particles, all, {}) - angular).norm(), 1e-6 * angular.norm());
        EXPECT_LT(energy(world.particles), before);
        EXPECT_LT(rates_of(world).bend, 0.8 * rates.bend);
    }
}

TEST(RodDamping, RigidMotionStays)
{
    for (const Strand& strand : {unit_line(20), helix(30), ring(20)}) {
        World world;
        const RodId id = add_rod(world, {strand}, {.bend_damping = 1000, .twist_damping = 1000});
        place_rod(world, id, {.velocity = {1, 2, 3}, .angular_velocity = {3, -2, 4}});
        const std::vector<Vec3> before = world.particles->v;
        damp(1, world);
        for (int i = 0; i < world.particles->size(); ++i) EXPECT_LT((world.particles->v[i] - before[i]).norm(), 1e-4);
    }
}

TEST(RodDamping, PinsAndClampsAreNotTorn)
{
    // Pinned at one point a strand may turn about it; clamped or pinned at both ends it comes to rest.
    const auto damped_energy = [](auto&& hold) {
        World world;
        const RodId id = add_rod(world, {unit_line(20)}, {.bend_damping = 1000, .twist_damping = 1000});
        hold(world, id);
        for (int i = 0; i < world.particles->size(); ++i) {
            const Real x = world.particles->x[i].x;
            if (world.particles->inv_mass[i] > 0)
                writable(world.particles).v[i] = {0, std::sin(Real(kPi) * x) + x * (1 - x), 0};
        }
        const double before = energy(world.particles);
        damp(1, world);
        return energy(world.particles) / before;
    };
    EXPECT_LT(damped_energy([](World& w, RodId) { pin_particles(w, std::vector{0, 1, w.rods[0].edges[0].ghost}); }),
              0.02);
    EXPECT_LT(damped_energy([](World& w, RodId) { pin_particles(w, std::vector{0, 20}); }), 0.02);
    EXPECT_LT(damped_energy([](World& w, RodId id) {
                  clamp_rod(w, id, 0, RodEnd::start);
                  clamp_rod(w, id, 0, RodEnd::end);
              }),
              0.02);
    EXPECT_GT(damped_energy([](World& w, RodId) { pin_particles(w, std::vector{0}); }), 0.3);
}

void run_for(World& world, double seconds)
{
    Solver solver;
    const int frames = static_cast<int>(std::lround(seconds / double(world.settings->dt)));
    for (int f = 0; f < frames; ++f) ASSERT_EQ(solver.step(world, world.settings->dt).trouble.text, "");
}

TEST(RodDamping, ASpinningRodSpinsOn)
{
    World world;
    writable(world.forces).gravity = {};
    writable(world.settings).substeps = 4;
    writable(world.settings).iterations = 1;
    const RodId id =
        add_rod(world, {unit_line(20)}, {.youngs_modulus = Real(1e9), .bend_damping = 100, .twist_damping = 100});
    place_rod(world, id, {.velocity = {0.5, 0.2, 0.1}, .angular_velocity = {0, 0, 3}});
    const Range all = all_particles(world);
    const auto spin = [&] { return angular_momentum(world.particles, all, center_of_mass(world.particles, all)); };
    const Vec3d linear = linear_momentum(world.particles, all), angular = spin();
    const double before = energy(world.particles);
    run_for(world, 10);
    EXPECT_LT((linear_momentum(world.particles, all) - linear).norm(), 1e-3 * linear.norm());
    EXPECT_LT((spin() - angular).norm(), 1e-3 * angular.norm());
    EXPECT_NEAR(energy(world.particles), before, 2e-3 * before);
}

/// A clamped rod that is let go, bent to one side or twisted: the largest motion of its end in the last of `seconds`
/// by that in the first.
double ringing(const RodParams& params, double bend, double twist, double seconds)
{
    World world;
    writable(world.forces).gravity = {};
    writable(world.settings).substeps = 50;
    writable(world.settings).iterations = 1;
    const RodId id = add_rod(world, {unit_line(10)}, params);
    clamp_rod(world, id, 0, RodEnd::start);
    Particles& p = writable(world.particles);
    for (int i = 0; i < p.size(); ++i) {
        if (p.inv_mass[i] == 0) continue;
        const auto x = double(p.x[i].x), y = double(p.x[i].y);
        p.v[i] = Vec3d{0, 0, bend * x * x + twist * x * y}.cast<Real>();
    }
    Solver solver;
    const auto most = [&](double time) {
        double rate = 0;
        for (int f = 0; f < time * 60; ++f) {
            EXPECT_EQ(solver.step(world, world.settings->dt).trouble.text, "");
            const Rates r = rates_of(world);
            rate = std::max(rate, bend > 0 ? r.bend : r.twist);
        }
        return rate;
    };
    const double first = most(0.2);
    most(seconds);
    return most(0.2) / first;
}

TEST(RodDamping, BendAndTwistRingOnWhereTheOtherIsDamped)
{
    const RodParams soft{
        .density = 1000, .radius = Real(0.01), .youngs_modulus = Real(3e6), .shear_modulus = Real(3e5)};
    RodParams bend = soft, twist = soft;
    bend.bend_damping = 10;
    twist.twist_damping = 10;
    const double free_bend = ringing(soft, 1, 0, 3), free_twist = ringing(soft, 0, 10, 3);
    const double bend_by_bend = ringing(bend, 1, 0, 3), bend_by_twist = ringing(twist, 1, 0, 3);
    const double twist_by_twist = ringing(twist, 0, 10, 3), twist_by_bend = ringing(bend, 0, 10, 3);
    EXPECT_GT(free_bend, 0.5);
    EXPECT_GT(free_twist, 0.5);
    // many modes beat: their largest motion within a window of 0.2 s tells a tenth from a whole, and no more
    EXPECT_NEAR(bend_by_twist / free_bend, 1, 0.25);
    EXPECT_NEAR(twist_by_bend / free_twist, 1, 0.25);
    EXPECT_LT(bend_by_bend / free_bend, 0.1);
    EXPECT_LT(twist_by_twist / free_twist, 0.1);
}

}  // namespace
}  // namespace pliant
