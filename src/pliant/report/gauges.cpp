#include "pliant/report/gauges.h"

#include "pliant/base/check.h"
#include "pliant/math/portable.h"
#include "pliant/math/procrustes.h"
#include "pliant/shape/fit.h"
#include "pliant/state/mobility.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace pliant {

namespace {

Vec3d number(double value) { return {value, 0, 0}; }

/// Adds the rigid bodies to the centre of the particles for which `counts` is true.
template <class Counts>
Vec3d with_rigids(const Subject& s, const Vec3d& center, const Counts& counts)
{
    if (s.rigids.count == 0) return center;
    double mass = 0;
    for (int i = s.range.first; i < s.range.end(); ++i) mass += counts(i) ? double(s.world.particles->mass[i]) : 0;
    Vec3d sum = mass * center;
    for (int i = s.rigids.first; i < s.rigids.end(); ++i) {
        const RigidBodies& bodies = s.world.rigid_bodies;
        sum += double(bodies.mass[i]) * bodies.pose[i].x.cast<double>();
        mass += double(bodies.mass[i]);
    }
    return sum / mass;
}

/// The centre of mass of visible particles, without ghosts, and rigid bodies.
Vec3d center(const Subject& s)
{
    return with_rigids(s, center_of_points(s.world.particles, s.range),
                       [&](int i) { return !s.world.particles->is_ghost(i); });
}

/// The centre of mass, which angular momentum is about.
Vec3d center_of_all(const Subject& s)
{
    return with_rigids(s, center_of_mass(s.world.particles, s.range), [](int) { return true; });
}

Vec3d momentum(const Subject& s)
{
    Vec3d sum = linear_momentum(s.world.particles, s.range);
    for (int i = s.rigids.first; i < s.rigids.end(); ++i) sum += linear_momentum(s.world.rigid_bodies, i);
    return sum;
}

Vec3d spin(const Subject& s)
{
    const Vec3d about = center_of_all(s);
    Vec3d sum = angular_momentum(s.world.particles, s.range, about);
    for (int i = s.rigids.first; i < s.rigids.end(); ++i) sum += angular_momentum(s.world.rigid_bodies, i, about);
    return sum;
}

/// Calls visit(body, point) for the current position of every point of the surfaces of rigid bodies.
template <class Visit>
void for_each_rigid_point(const Subject& s, Visit&& visit)
{
    for (int i = s.rigids.first; i < s.rigids.end(); ++i)
        for (const Vec3& p : s.world.rigids[i].points) visit(i, to_world(s.world.rigid_bodies->pose[i], p));
}

/// The smallest (sign = -1) or largest (sign = 1) coordinate, without ghosts.
double extreme(const Subject& s, int axis, double sign)
{
    double most = -std::numeric_limits<double>::infinity();
    for (int i = s.range.first; i < s.range.end(); ++i)
        if (!s.world.particles->is_ghost(i))
            most = std::max(most, sign * static_cast<double>(s.world.particles->x[i][axis]));
    for_each_rigid_point(s, [&](int, const Vec3& p) { most = std::max(most, sign * static_cast<double>(p[axis])); });
    return s.range.count > 0 || s.rigids.count > 0 ? sign * most : 0;
}

Vec3d size(const Subject& s, int axis) { return number(extreme(s, axis, 1) - extreme(s, axis, -1)); }

double max_speed(const Subject& s)
{
    double most = 0;
    for (int i = s.range.first; i < s.range.end(); ++i)
        if (!s.world.particles->is_ghost(i)) most = std::max(most, s.world.particles->v[i].cast<double>().norm());
    for_each_rigid_point(s, [&](int i, const Vec3& p) {
        most = std::max(most, velocity_at(s.world.rigid_bodies, i, p).cast<double>().norm());
    });
    return most;
}

template <class Measure>
Vec3d largest_of_bodies(const Subject& s, Measure&& measure)
{
    double most = 0;
    for (const Solid& solid : s.solids) most = std::max(most, measure(solid));
    for (const Cloth& cloth : s.cloths) most = std::max(most, measure(cloth));
    for (const Rod& rod : s.rods) most = std::max(most, measure(rod));
    return number(most);
}

/// Angle of a rotation [deg].
double angle_of(const Mat3d& r)
{
    const Vec3d twice_sine{r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
    return portable::atan2(twice_sine.norm(), r.trace() - 1) * 180 / std::numbers::pi;
}

/// Angle of the rigid fit of the whole body to its rest shape [deg].
double rotation_angle(std::span<const Vec3d> rest, std::span<const Vec3d> now, std::span<const double> mass)
{
    return angle_of(fit_rigid<double>(rest, now, mass).fit.rotation);
}

double rotation_angle(const Solid& solid, const Particles& particles)
{
    std::vector<Vec3d> now;
    for (const Vec3& x : solid.particles.of(particles.x)) now.push_back(x.cast<double>());
    return rotation_angle(solid.rest, now, solid.mass);
}

double rotation_angle(const Cloth& cloth, const Particles& particles)
{
    std::vector<Vec3d> now;
    for (const Vec3& x : cloth.particles.of(particles.x)) now.push_back(x.cast<double>());
    return rotation_angle(cloth.rest.vertices, now, cloth.mass);
}

/// A rod has no rest shape as a whole, only that of each joint; the scene reader rejects the combination.
double rotation_angle(const Rod&, const Particles&) { return 0; }

double rotation_angle_of_rigids(const Subject& s)
{
    double most = 0;
    for (int i = s.rigids.first; i < s.rigids.end(); ++i) {
        const Mat3d now = s.world.rigid_bodies->pose[i].q.cast<double>().matrix();
        most = std::max(most, angle_of(now * s.world.rigids[i].properties.axes.transposed()));
    }
    return most;
}

using S = const Subject&;
constexpr bool kWhole = true, kAnyBody = false, kVector = true, kNumber = false;

constexpr Gauge kGauges[] = {
    // in the order of the enum
    {Quantity::kinetic_energy, kWhole, kNumber, [](S s) { return number(measure_energy(s.world).kinetic); }},
    {Quantity::potential_energy, kWhole, kNumber, [](S s) { return number(measure_energy(s.world).potential); }},
    {Quantity::total_energy, kWhole, kNumber, [](S s) { return number(measure_energy(s.world).total()); }},
    {Quantity::linear_momentum, kAnyBody, kVector, [](S s) { return momentum(s); }},
    {Quantity::angular_momentum, kAnyBody, kVector, [](S s) { return spin(s); }},
    {Quantity::max_strain, kAnyBody, kNumber,
     [](S s) { return largest_of_bodies(s, [&](const auto& b) { return measure_strain(s.world, b).max; }); }},
    {Quantity::p99_strain, kAnyBody, kNumber,
     [](S s) { return largest_of_bodies(s, [&](const auto& b) { return measure_strain(s.world, b).p99; }); }},
    {Quantity::height, kAnyBody, kNumber, [](S s) { return number(center(s).y); }},
    {Quantity::center_x, kAnyBody, kNumber, [](S s) { return number(center(s).x); }},
    {Quantity::center_y, kAnyBody, kNumber, [](S s) { return number(center(s).y); }},
    {Quantity::center_z, kAnyBody, kNumber, [](S s) { return number(center(s).z); }},
    {Quantity::lowest, kAnyBody, kNumber, [](S s) { return number(extreme(s, 1, -1)); }},
    {Quantity::highest, kAnyBody, kNumber, [](S s) { return number(extreme(s, 1, 1)); }},
    {Quantity::size_x, kAnyBody, kNumber, [](S s) { return size(s, 0); }},
    {Quantity::size_y, kAnyBody, kNumber, [](S s) { return size(s, 1); }},
    {Quantity::size_z, kAnyBody, kNumber, [](S s) { return size(s, 2); }},
    {Quantity::max_speed, kAnyBody, kNumber, [](S s) { return number(max_speed(s)); }},
    {Quantity::rotation, kAnyBody, kNumber,
     [](S s) {
         return number(std::max(rotation_angle_of_rigids(s), largest_of_bodies(s, [&](const auto& b) {
                                                                 return rotation_angle(b, s.world.particles);
                                                             }).x));
     }},
    {Quantity::contacts, kWhole, kNumber, [](S s) { return number(s.contacts); }},
    {Quantity::intersections, kWhole, kNumber,
     [](S s) { return number(static_cast<double>(count_intersections(s.world))); }},
    {Quantity::glue_gap, kWhole, kNumber, [](S s) { return number(largest_glue_gap(s.world)); }},
};
static_assert(std::size(kGauges) == enum_names(Quantity{}).size());

}  // namespace

const Gauge& gauge_of(Quantity what)
{
    const Gauge& gauge = kGauges[static_cast<std::size_t>(what)];
    PLIANT_ASSERT(gauge.what == what);
    return gauge;
}

}  // namespace pliant
