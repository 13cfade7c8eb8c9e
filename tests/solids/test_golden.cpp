// The golden cases of strain limiting, through the engine's own arrays and passes.

#include "golden/golden.h"
#include "pliant/math/stiffness.h"
#include "pliant/state/integrate.h"
#include "solids/bodies.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

using namespace testing_bodies;
using golden::Case;
using golden::Check;

Limiter limiter_of(const std::string& name)
{
    if (name == "particle") return Limiter::particle;
    if (name == "corrected") return Limiter::corrected;
    EXPECT_EQ(name, "cluster");
    return Limiter::cluster;
}

/// The particle that was made of a point.
int particle(const World& world, std::size_t point) { return world.solids[0].particle_of_point[point]; }

/// Values given per point, in the order of the particles.
std::vector<Vec3> in_order(const World& world, const std::vector<Vec3>& values)
{
    std::vector<Vec3> ordered(values.size());
    for (std::size_t point = 0; point < values.size(); ++point) ordered[particle(world, point)] = values[point];
    return ordered;
}

World make_world(const Case& c)
{
    SolidShape shape;
    shape.points = golden::vectors<double>(c.input("rest"));
    shape.mass = c.input("masses").get<std::vector<double>>();
    shape.clusters = c.input("clusters").get<std::vector<std::vector<int>>>();
    SolidParams params;
    params.clustering = Clustering::lists;
    params.gamma = c.input("gamma").get<Real>();
    params.limiter = limiter_of(c.input("limiter"));
    params.omega = 1;
    World world;
    add_solid(world, shape, params, "golden");
    writable(world.particles).x = in_order(world, golden::vectors<Real>(c.input("x")));
    return world;
}

void check_clusters(const Case& c, const World& world)
{
    const Check<Real> check(c);
    const SolidSystem system = fitted_system(world);
    const Clusters& clusters = system.clusters;
    const SolidScratch& scratch = system.scratch;
    const Vec3 middle = bounding_box(golden::vectors<double>(c.input("rest"))).center().cast<Real>();
    const auto rest = golden::vectors<Real>(c.input("rest"));

    for (int k = 0; k < clusters.size(); ++k) {
        const golden::Json& expected = c.expected("clusters").at(k);
        const ClusterFit& fit = scratch.fits[k];
        check("R", fit.rotation, expected.at("R"));
        check("x_cm", fit.center, expected.at("x_cm"));
        check("r_cm", clusters.rest_center[k] + middle, expected.at("r_cm"));
        check("mass", double(clusters.mass[k]), expected.at("mass"));
        check("width", double(clusters.radius[k]), expected.at("width"));
        const auto members = c.input("clusters").at(k).get<std::vector<int>>();
        for (std::size_t m = 0; m < members.size(); ++m) {
            const Vec3 goal = fit.shift + fit.rotation * (rest[members[m]] - middle);
            check("cluster_goals", goal, expected.at("cluster_goals").at(m));
            const Real beta = (world.particles->x[particle(world, members[m])] - goal).norm() / clusters.radius[k];
            check("beta", double(beta), expected.at("beta").at(m));
        }
    }
}

void check_goals(const Case& c, World world)
{
    const Check<Real> check(c);
    limit_once(world);
    for (int i = 0; i < world.particles->size(); ++i)
        check("goals", world.particles->x[particle(world, i)], c.expected("goals").at(i));
}

void check_memberships(const Case& c, const World& world)
{
    const Clusters clusters = make_system(world.solids[0]).clusters;
    std::vector<int> count(static_cast<std::size_t>(clusters.particles), 0);  // per particle
    for (std::size_t p = 0; p < clusters.part.size(); ++p) {
        for (int l = 0; l < kLanes; ++l) {
            if (clusters.weight[p][l] > 0) ++count[clusters.part[p].block * kLanes + l];
        }
    }
    std::vector<int> of_points;
    for (std::size_t point = 0; point < count.size(); ++point) of_points.push_back(count[particle(world, point)]);
    EXPECT_EQ(of_points, c.expected("membership_count").get<std::vector<int>>());
}

/// Algorithm 1 as the solver runs it, with forces that differ from particle to particle.
void check_step(const Case& c, World world)
{
    const Check<Real> check(c);
    Particles& p = writable(world.particles);
    p.v = in_order(world, golden::vectors<Real>(c.input("v")));
    SolidParams& params = writable(world.solids)[0].params;
    params.alpha = c.input("alpha").get<Real>();
    params.omega = c.input("omega").get<Real>();
    const Real h = c.input("dt").get<Real>();
    const auto force = in_order(world, golden::vectors<Real>(c.input("external_forces")));

    const auto compare = [&](const char* quantity, const std::vector<Vec3>& values) {
        for (int i = 0; i < p.size(); ++i) check(quantity, values[particle(world, i)], c.expected(quantity).at(i));
    };

    World goals = world;
    writable(goals.solids)[0].params.gamma = 0;
    writable(goals.solids)[0].params.omega = 1;
    limit_once(goals);
    compare("elastic_goals", goals.particles->x);

    match_once(world, h);
    for (int i = 0; i < p.size(); ++i) p.v[i] += h * p.inv_mass[i] * force[i];
    compare("v_star", p.v);
    std::vector<Vec3> predicted;
    predict(h, p, predicted);
    compare("x_0", p.x);
    for (int k = 0; k < c.input("iterations").get<int>(); ++k) limit_once(world);
    update_velocities(h, predicted, p);
    compare("x_new", p.x);
    compare("v_new", p.v);
}

TEST(SolidsGolden, Strain)
{
    for (const Case& c : golden::cases("strain")) {
        SCOPED_TRACE(c.json.at("id").get<std::string>());
        const World world = make_world(c);
        if (c.kind() == "full_step") {
            check_step(c, world);
        } else {
            check_memberships(c, world);
            check_clusters(c, world);
            check_goals(c, world);
        }
    }
}

TEST(CommonGolden, StiffnessConversion)
{
    for (const Case& c : golden::cases("common")) {
        SCOPED_TRACE(c.json.at("id").get<std::string>());
        const Check<Real> check(c);
        const Real k = c.input("k").get<Real>(), h = c.input("dt").get<Real>(),
                   reference = c.input("dt_ref").get<Real>();
        const int iterations = c.input("iterations").get<int>();
        check("per_iteration", double(stiffness_per_iteration(k, iterations)), c.expected("per_iteration"));
        check("per_iteration_timestep_scaled", double(stiffness_per_iteration(k, iterations, h, reference)),
              c.expected("per_iteration_timestep_scaled"));
        check("shape_matching_alpha_scaled", double(scale_explicit_gain(k, h, reference)),
              c.expected("shape_matching_alpha_scaled"));
        check("predicted_position_gain_scaled", double(scale_predicted_gain(k, h, reference)),
              c.expected("predicted_position_gain_scaled"));
    }
}

}  // namespace
}  // namespace pliant
