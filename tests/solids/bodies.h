#pragma once
// Small bodies for the tests, and one pass over a solid outside a solver.

#include "pliant/geometry/shapes.h"
#include "pliant/solids/damping.h"
#include "pliant/solids/shape_matching.h"
#include "pliant/solids/strain_limit.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"

#include <random>

namespace pliant::testing_bodies {

inline constexpr double kEps = double(std::numeric_limits<Real>::epsilon());

/// A cube of edge 1 with n particles along each edge, of mass 1000 kg.
inline SolidShape cube(int n, double edge = 1) { return fill_with_spacing(make_box({edge, edge, edge}, 1), edge / n); }

/// What the solver compiles from the solids.
inline std::vector<SolidSystem> systems_of(const World& world)
{
    std::vector<SolidSystem> systems;
    for (const Solid& solid : world.solids) systems.push_back(make_system(solid));
    return systems;
}

/// The clusters of the first solid, fitted to where its particles are.
inline SolidSystem fitted_system(const World& world)
{
    const Solid& solid = world.solids[0];
    SolidSystem system = make_system(solid);
    std::vector<Mat3> previous = solid.rotation;
    load_blocks(system.clusters, solid.particles, {}, world.particles, system.scratch.x);
    fit_clusters(system.clusters, system.scratch.x, previous, system.scratch.fits);
    return system;
}

/// One iteration of the limit with omega as set: positions become the relaxed goals.
inline void limit_once(World& world)
{
    std::vector<SolidSystem> systems = systems_of(world);
    limit_strain(writable(world.solids), writable(world.particles), systems);
}

inline void match_once(World& world, Real h)
{
    std::vector<SolidSystem> systems = systems_of(world);
    match_shapes(h, writable(world.solids), writable(world.particles), systems);
}

inline void damp_once(World& world, Real h)
{
    std::vector<SolidSystem> systems = systems_of(world);
    damp_solids(h, world.solids, writable(world.particles), systems);
}

/// Moves every particle and its velocity at random.
inline void disturb(World& world, Real amount, unsigned seed = 1)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<Real> u(-amount, amount);
    for (Vec3& x : writable(world.particles).x) x += Vec3{u(random), u(random), u(random)};
    for (Vec3& v : writable(world.particles).v) v += Vec3{u(random), u(random), u(random)};
}

}  // namespace pliant::testing_bodies
