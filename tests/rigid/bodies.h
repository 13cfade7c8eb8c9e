#pragma once
// Rigid bodies for the tests.

#include "pliant/solver/solver.h"
#include "pliant/state/mobility.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"

#include <random>

namespace pliant::testing_rigids {

inline constexpr double kEps = double(std::numeric_limits<Real>::epsilon());

inline RigidForm ball(double radius) { return {.kind = RigidKind::sphere, .radius = radius}; }
inline RigidForm box(const Vec3d& size) { return {.kind = RigidKind::box, .size = size}; }
inline RigidForm capsule(double radius, double height)
{
    return {.kind = RigidKind::capsule, .radius = radius, .height = height};
}
inline RigidForm cylinder(double radius, double height)
{
    return {.kind = RigidKind::cylinder, .radius = radius, .height = height};
}
inline RigidForm mesh(SurfaceMesh surface) { return {.kind = RigidKind::mesh, .mesh = std::move(surface)}; }

inline World world_with(int substeps, int iterations = 1)
{
    World world;
    writable(world.settings).substeps = substeps;
    writable(world.settings).iterations = iterations;
    writable(world.settings).sleeping = false;  // what is measured is how still they lie awake
    return world;
}

/// A body of given mass and inertia, anywhere and moving anyhow.
inline int add_random(std::mt19937& random, RigidBodies& bodies)
{
    std::uniform_real_distribution<double> u(-1, 1);
    const auto vector = [&] { return Vec3d{u(random), u(random), u(random)}; };
    const int i = bodies.append();
    bodies.mass[i] = static_cast<Real>(2 + u(random));
    const Vec3d axes = vector();
    const Vec3 s = Vec3d{1 + axes.x * axes.x, 1 + axes.y * axes.y, 1 + axes.z * axes.z}.cast<Real>();
    bodies.inertia[i] = bodies.mass[i] * Vec3{s.y + s.z, s.x + s.z, s.x + s.y};
    bodies.pose[i] = bodies.pose_prev[i] = pose_of(vector(), rotation_of(180 * vector()));
    bodies.v[i] = vector().cast<Real>();
    bodies.w[i] = vector().cast<Real>();
    bodies.release(i);
    return i;
}

inline Vec3d position(const World& world, int i)
{
    return world.rigid_bodies->pose[i].x.cast<double>() + world.rigid_bodies->pose[i].x_low.cast<double>();
}

}  // namespace pliant::testing_rigids
