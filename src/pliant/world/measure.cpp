#include "pliant/world/measure.h"

#include "pliant/base/hash.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {

Range all_particles(const World& world) { return {0, world.particles->size()}; }

Vec3d linear_momentum(const Particles& p, Range range)
{
    Vec3d sum;
    for (int i = range.first; i < range.end(); ++i) sum += double(p.mass[i]) * p.v[i].cast<double>();
    return sum;
}

Vec3d angular_momentum(const Particles& p, Range range, const Vec3d& about)
{
    Vec3d sum;
    for (int i = range.first; i < range.end(); ++i) {
        sum += (p.position(i) - about).cross(double(p.mass[i]) * p.v[i].cast<double>());
    }
    return sum;
}

namespace {

/// I w, also of a held body.
Vec3d spin_of(const RigidBodies& b, int i)
{
    const Mat3d r = (b.pose[i].q.cast<double>() + b.pose[i].q_low.cast<double>()).matrix();
    return r * (Mat3d::diagonal(b.inertia[i].cast<double>()) * (r.transposed() * b.w[i].cast<double>()));
}

}  // namespace

Vec3d linear_momentum(const RigidBodies& b, int i) { return double(b.mass[i]) * b.v[i].cast<double>(); }

Vec3d angular_momentum(const RigidBodies& b, int i, const Vec3d& about)
{
    return (b.pose[i].x.cast<double>() - about).cross(linear_momentum(b, i)) + spin_of(b, i);
}

Vec3d linear_momentum(const World& world)
{
    Vec3d sum = linear_momentum(world.particles, all_particles(world));
    for (int i = 0; i < world.rigid_bodies->size(); ++i) sum += linear_momentum(world.rigid_bodies, i);
    return sum;
}

Vec3d angular_momentum(const World& world, const Vec3d& about)
{
    Vec3d sum = angular_momentum(world.particles, all_particles(world), about);
    for (int i = 0; i < world.rigid_bodies->size(); ++i) sum += angular_momentum(world.rigid_bodies, i, about);
    return sum;
}

Vec3d center_of_mass(const World& world)
{
    const RigidBodies& b = *world.rigid_bodies;
    if (b.size() == 0) return center_of_mass(world.particles, all_particles(world));
    Vec3d sum;
    double mass = 0;
    const auto add = [&](double m, const Vec3& x) {
        sum += m * x.cast<double>();
        mass += m;
    };
    for (int i = 0; i < world.particles->size(); ++i) add(double(world.particles->mass[i]), world.particles->x[i]);
    for (int i = 0; i < b.size(); ++i) add(double(b.mass[i]), b.pose[i].x);
    return sum / mass;
}

std::uint64_t hash_state(const World& world)
{
    Hash64 hash;
    hash.add(std::span<const Vec3>(world.particles->x));
    hash.add(std::span<const Vec3>(world.particles->x_low));
    hash.add(std::span<const Vec3>(world.particles->v));
    add_to_hash(*world.rigid_bodies, hash);
    return hash.value();
}

namespace {

/// Centre of mass of the particles for which `counts` is true.
template <class Counts>
Vec3d center_of(const Particles& p, Range range, const Counts& counts)
{
    Vec3d sum;
    double mass = 0;
    for (int i = range.first; i < range.end(); ++i) {
        if (!counts(i)) continue;
        sum += double(p.mass[i]) * p.position(i);
        mass += double(p.mass[i]);
    }
    return mass > 0 ? sum / mass : sum;
}

}  // namespace

Vec3d center_of_mass(const Particles& p, Range range)
{
    return center_of(p, range, [](int) { return true; });
}

Vec3d center_of_points(const Particles& p, Range range)
{
    return center_of(p, range, [&](int i) { return !p.is_ghost(i); });
}

}  // namespace pliant
