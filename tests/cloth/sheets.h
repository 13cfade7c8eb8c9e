#pragma once
// Cloths that several tests use.

#include "pliant/cloth/pass.h"
#include "pliant/geometry/shapes.h"
#include "pliant/geometry/sheets.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"

#include <random>

namespace pliant::testing_cloth {

/// Uniform in [-1, 1].
inline double random_share(std::mt19937_64& generator)
{
    return 2 * static_cast<double>(generator() >> 11) / 9007199254740992.0 - 1;
}

/// Moves every particle by up to `size` in all directions.
inline void shake(double size, Particles& p, unsigned seed = 1)
{
    std::mt19937_64 generator(seed);
    for (Vec3& x : p.x)
        for (int k = 0; k < 3; ++k) x[k] += static_cast<Real>(size * random_share(generator));
}

inline World make_world(const SurfaceMesh& mesh, const ClothParams& params)
{
    World world;
    writable(world.settings).iterations = 1;
    add_cloth(world, mesh, params);
    return world;
}

/// What the solver compiles from the first cloth, with its pins.
inline ClothSystem system_of(const World& world)
{
    const Cloth& cloth = world.cloths[0];
    ClothSystem system = make_system(cloth);
    update_pins(cloth, cloth.particles.of(world.particles->inv_mass), system);
    return system;
}

/// The points of the first cloth, with padding for every pass.
inline std::vector<Point> points_of(const World& world)
{
    std::vector<Point> points = make_system(world.cloths[0]).scratch.points;
    for (int i = 0; i < world.particles->size(); ++i) {
        const Vec3 x = world.particles->x[i];
        points[i] = {x.x, x.y, x.z, world.particles->inv_mass[i]};
    }
    return points;
}

/// Mean displacement of the clusters (and swept fibres) of the first cloth where it is now.
inline std::vector<Vec3d> mean_displacements(const World& world)
{
    const Cloth& cloth = world.cloths[0];
    ClothSystem system = system_of(world);
    ClothScratch& scratch = system.scratch;
    std::vector<Point> points = points_of(world);
    const std::vector<Point> before = points;
    match_triangles(system.clusters, match_factors(cloth.params), points, world.particles->x_prev, scratch.change);
    if (cloth.params.fibres == FibreMode::sweep) sweep_fibres(system.sweeps, points, scratch.sweeps, scratch.change);
    blend_goals(system.slots, scratch.change, 1, points);
    std::vector<Vec3d> moved;
    for (int i = 0; i < world.particles->size(); ++i)
        moved.push_back(points[i].position().cast<double>() - before[i].position().cast<double>());
    return moved;
}

struct Momenta {
    Vec3d linear, angular;
    double scale = 0;  // sum m |d|, and of the lever arms' size one
};
inline Momenta momenta_of(const World& world, const std::vector<Vec3d>& moved)
{
    Momenta sum;
    for (int i = 0; i < world.particles->size(); ++i) {
        const Vec3d impulse = double(world.particles->mass[i]) * moved[i];
        sum.linear += impulse;
        sum.angular += world.particles->x[i].cast<double>().cross(impulse);
        sum.scale += impulse.norm();
    }
    return sum;
}

inline const double kEps = double(std::numeric_limits<Real>::epsilon());

}  // namespace pliant::testing_cloth
