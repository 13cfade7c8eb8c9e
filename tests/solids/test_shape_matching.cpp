#include "pliant/math/polar.h"
#include "pliant/solver/solver.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_bodies;

/// A disturbed cube of 4^3 particles of unequal masses in overlapping clusters.
World disturbed_cube(Clustering clustering, Limiter limiter, Real gamma, Real amount = Real(0.1))
{
    SolidShape shape = cube(4);
    for (std::size_t i = 0; i < shape.points.size(); ++i) shape.mass.push_back(1 + 0.5 * static_cast<double>(i % 5));
    SolidParams params;
    params.clustering = clustering;
    params.cluster_radius = Real(0.6);
    params.gamma = gamma;
    params.limiter = limiter;
    World world;
    writable(world.forces).gravity = {};
    add_solid(world, shape, params);
    disturb(world, amount);
    return world;
}

struct Momenta {
    Vec3d linear, angular;
};

/// sum m dx and sum m x cross dx, per total mass, for displacements computed at `before`.
Momenta momenta_of_move(const World& before, const World& after)
{
    Momenta m;
    double mass = 0;
    for (int i = 0; i < before.particles->size(); ++i) {
        const Vec3d x = before.particles->x[i].cast<double>();
        const Vec3d d = double(before.particles->mass[i]) * (after.particles->x[i].cast<double>() - x);
        m.linear += d;
        m.angular += x.cross(d);
        mass += double(before.particles->mass[i]);
    }
    return {m.linear / mass, m.angular / mass};
}

TEST(ShapeMatching, EveryConservingProjectionKeepsBothMomenta)  // S-a
{
    struct Variant {
        Limiter limiter;
        Real gamma;
    };
    for (const Clustering clustering : {Clustering::random, Clustering::even}) {
        for (const Variant v : {Variant{Limiter::particle, 0},
                                {Limiter::corrected, 0},
                                {Limiter::corrected, Real(0.05)},
                                {Limiter::cluster, Real(0.05)}}) {
            const World before = disturbed_cube(clustering, v.limiter, v.gamma);
            World after = before;
            limit_once(after);
            const Momenta m = momenta_of_move(before, after);
            EXPECT_LE(m.linear.norm(), 8 * kEps);
            EXPECT_LE(m.angular.norm(), 8 * kEps);
            EXPECT_GT(measure_strain(before, before.solids[0]).max,
                      measure_strain(after, after.solids[0]).max);  // it did something
        }
    }
}

TEST(ShapeMatching, ThePublishedLimiterDoesNotKeepMomentum)
{
    const World before = disturbed_cube(Clustering::random, Limiter::particle, Real(0.05));
    World after = before;
    limit_once(after);
    EXPECT_GT(momenta_of_move(before, after).linear.norm(), 1e-5);
}

TEST(ShapeMatching, TheLimiterLeavesAloneWhatIsWithinTheLimitAndBringsTheRestToIt)  // S-b
{
    World still = disturbed_cube(Clustering::random, Limiter::particle, Real(10));
    const World before = still;
    limit_once(still);
    for (int i = 0; i < still.particles->size(); ++i) EXPECT_EQ(still.particles->x[i], before.particles->x[i]);

    // One cluster: the limited goal is at gamma exactly, seen from the fit that made it.
    SolidParams params;
    params.cluster_radius = 10;
    params.limiter = Limiter::particle;
    params.gamma = Real(0.02);
    World world;
    add_solid(world, cube(4), params);
    disturb(world, Real(0.1));
    const SolidSystem system = fitted_system(world);
    const Clusters& clusters = system.clusters;
    const SolidScratch& scratch = system.scratch;
    limit_once(world);
    const ClusterFit& fit = scratch.fits[0];
    int at_limit = 0;
    for (int i = 0; i < clusters.particles; ++i) {
        const Vec3 rest = lane(clusters.rest[i / kLanes], i % kLanes);
        const Vec3 goal = fit.shift + fit.rotation * rest;
        const double beta = double((world.particles->x[i] - goal).norm() / clusters.radius[0]);
        EXPECT_LE(beta, 0.02 + 8 * kEps);
        at_limit += beta > 0.02 - 8 * kEps ? 1 : 0;
    }
    EXPECT_GT(at_limit, 10);
}

TEST(ShapeMatching, ClusterCentresAreAPartitionOfTheMassCentre)  // S-c
{
    for (const Clustering clustering : {Clustering::random, Clustering::even}) {
        const World world = disturbed_cube(clustering, Limiter::corrected, 0);
        const SolidSystem system = fitted_system(world);
        const Clusters& clusters = system.clusters;
        const SolidScratch& scratch = system.scratch;
        Vec3d sum;
        double mass = 0;
        for (int c = 0; c < clusters.size(); ++c) {
            sum += double(clusters.mass[c]) * scratch.fits[c].center.cast<double>();
            mass += double(clusters.mass[c]);
        }
        EXPECT_LE((sum / mass - center_of_mass(world.particles, world.solids[0].particles)).norm(), 8 * kEps);
    }
}

TEST(ShapeMatching, AMovedRigidBodyIsAtItsGoals)  // S-d
{
    for (const Limiter limiter : {Limiter::particle, Limiter::corrected, Limiter::cluster}) {
        for (const Real gamma : {Real(0), Real(0.1)}) {
            World world = disturbed_cube(Clustering::even, limiter, gamma, 0);
            place_solid(world, world.solids.id_at(0),
                        {.linear = rotation_about({1, 2, 3}, 130),
                         .position = {3, -2, 5},
                         .velocity = {},
                         .angular_velocity = {}});
            const World before = world;
            limit_once(world);
            for (int i = 0; i < world.particles->size(); ++i) {
                EXPECT_LE((world.particles->x[i] - before.particles->x[i]).norm(), 32 * kEps);
            }
        }
    }
}

TEST(ShapeMatching, DegenerateClustersStayFinite)
{
    // Collinear, two- and one-particle clusters, and one whose points all coincide now.
    SolidShape shape;
    shape.points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {5, 5, 5}, {0, 0, 1}};
    shape.mass.assign(6, 1.0);
    shape.clusters = {{0, 1, 2}, {0, 3}, {4}, {0, 1, 3, 5}};
    SolidParams params;
    params.clustering = Clustering::lists;
    params.gamma = 0;
    World world;
    add_solid(world, shape, params);
    disturb(world, Real(0.3));
    const std::vector<int>& at = world.solids[0].particle_of_point;
    writable(world.particles).x[at[0]] = writable(world.particles).x[at[1]] = world.particles->x[at[2]];
    for (int k = 0; k < 100; ++k) limit_once(world);
    for (const Vec3& x : world.particles->x) EXPECT_TRUE(std::isfinite(x.norm()));
    EXPECT_NEAR(double((world.particles->x[at[0]] - world.particles->x[at[3]]).norm()), 1.0, 1e-3);
}

TEST(ShapeMatching, AnInvertedBodyRightsItself)
{
    SolidParams params;
    params.cluster_radius = 10;
    params.gamma = 0;
    World world;
    add_solid(world, cube(3), params);
    for (Vec3& x : writable(world.particles).x) x.z = -x.z * Real(0.9);
    for (int k = 0; k < 30; ++k) limit_once(world);
    EXPECT_LE(measure_strain(world, world.solids[0]).max, 1e-3);
}

// Two methods that are special cases, each written again in a few lines.

struct Reference {  // one cluster over all particles, equal masses
    std::vector<Vec3d> rest, x, v;

    std::vector<Vec3d> goals(const std::vector<Vec3d>& y) const
    {
        Vec3d t, t0;
        const double n = static_cast<double>(y.size());
        for (std::size_t i = 0; i < y.size(); ++i) {
            t += y[i] / n;
            t0 += rest[i] / n;
        }
        Mat3d b;
        for (std::size_t i = 0; i < y.size(); ++i) b += Mat3d::outer(y[i] - t, rest[i] - t0);
        const Mat3d r = polar_rotation(b);
        std::vector<Vec3d> g;
        for (const Vec3d& p : rest) g.push_back(t + r * (p - t0));
        return g;
    }
};

World one_cluster_cube(Reference& reference)
{
    SolidParams params;
    params.cluster_radius = 10;
    params.gamma = 0;
    World world;
    add_solid(world, cube(3), params);
    for (const Vec3& x : world.particles->x) reference.rest.push_back(x.cast<double>());
    disturb(world, Real(0.2));
    for (const Vec3& x : world.particles->x) reference.x.push_back(x.cast<double>());
    for (const Vec3& v : world.particles->v) reference.v.push_back(v.cast<double>());
    return world;
}

TEST(ShapeMatching, WithNoIterationsItIsTheOriginalMethod)  // [MHTG05]
{
    Reference r;
    World world = one_cluster_cube(r);
    writable(world.settings).iterations = 0;
    writable(world.solids)[0].params.alpha = Real(0.3);
    const double h = double(world.settings->dt);
    Solver solver;
    for (int step = 0; step < 20; ++step) {
        solver.step(world);
        const std::vector<Vec3d> g = r.goals(r.x);
        for (std::size_t i = 0; i < r.x.size(); ++i) {
            r.v[i] +=
                double(world.solids[0].params.alpha) / h * (g[i] - r.x[i]) + h * world.forces->gravity.cast<double>();
            r.x[i] += h * r.v[i];
        }
    }
    for (std::size_t i = 0; i < r.x.size(); ++i)
        EXPECT_LE((world.particles->x[i].cast<double>() - r.x[i]).norm(), 500 * kEps);
}

TEST(ShapeMatching, WithAlphaZeroItIsPositionBasedDynamics)  // [MHHR07]
{
    Reference r;
    World world = one_cluster_cube(r);
    writable(world.settings).iterations = 3;
    writable(world.solids)[0].params.alpha = 0;
    writable(world.solids)[0].params.omega = Real(0.5);
    const double h = double(world.settings->dt);
    Solver solver;
    for (int step = 0; step < 20; ++step) {
        solver.step(world);
        std::vector<Vec3d> p = r.x;
        for (std::size_t i = 0; i < p.size(); ++i) {
            r.v[i] += h * world.forces->gravity.cast<double>();
            p[i] += h * r.v[i];
        }
        for (int k = 0; k < 3; ++k) {
            const std::vector<Vec3d> g = r.goals(p);
            for (std::size_t i = 0; i < p.size(); ++i) p[i] += 0.5 * (g[i] - p[i]);
        }
        for (std::size_t i = 0; i < p.size(); ++i) r.v[i] = (p[i] - r.x[i]) / h;
        r.x = p;
    }
    for (std::size_t i = 0; i < r.x.size(); ++i)
        EXPECT_LE((world.particles->x[i].cast<double>() - r.x[i]).norm(), 2000 * kEps);
}

}  // namespace
}  // namespace pliant
