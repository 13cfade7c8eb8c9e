#include "pliant/report/expect.h"

#include "pliant/base/check.h"
#include "pliant/json/nearest_name.h"
#include "pliant/math/portable.h"
#include "pliant/math/procrustes.h"
#include "pliant/shape/fit.h"
#include "pliant/state/mobility.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace pliant {

namespace {

/// The part of the world that is measured: all bodies, or the one named by `of`.
struct Subject {
    const World& world;
    std::span<const Solid> solids;
    std::span<const Cloth> cloths;
    std::span<const Rod> rods;
    Range range;
    Range rigids;
    int contacts;
};

Vec3d number(double value) { return {value, 0, 0}; }

/// The centre of some particles, of those that count, and of the rigid bodies.
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

/// The centre of the visible particles and bodies; angular momentum is about center_of_mass.
Vec3d center(const Subject& s)
{
    return with_rigids(s, center_of_points(s.world.particles, s.range),
                       [&](int i) { return !s.world.particles->is_ghost(i); });
}

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

/// Calls visit(body, point) for every point of the surfaces of rigid bodies, where it is now.
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

/// [deg]
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

/// A rod keeps no rest shape as a whole, only that of each joint; the scene's reader refuses to ask for one.
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

/// How each quantity is measured, in the order of the enum.
struct Gauge {
    Quantity what;
    bool whole_world;  // cannot be told for one body
    bool vector;
    Vec3d (*measure)(const Subject&);
};

using S = const Subject&;
constexpr bool kWhole = true, kAnyBody = false, kVector = true, kNumber = false;

constexpr Gauge kGauges[] = {
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
     [](S s) { return number(static_cast<double>(find_crossings(s.world).size())); }},
    {Quantity::glue_gap, kWhole, kNumber, [](S s) { return number(largest_glue_gap(s.world)); }},
};
static_assert(std::size(kGauges) == enum_names(Quantity{}).size());

const Gauge& gauge_of(Quantity what)
{
    const Gauge& gauge = kGauges[static_cast<std::size_t>(what)];
    PLIANT_ASSERT(gauge.what == what);
    return gauge;
}

double size_of(const Vec3d& value, const Gauge& gauge) { return gauge.vector ? value.norm() : value.x; }

/// Reduces a series to one value. A NaN in it gives NaN: std::max would hide it.
double reduce(std::span<const Vec3d> series, When when, const Gauge& gauge)
{
    if (when == When::first) return size_of(series.front(), gauge);
    if (when == When::last) return size_of(series.back(), gauge);

    double largest = -std::numeric_limits<double>::infinity(), smallest = -largest, change = 0, magnitude = 0;
    for (const Vec3d& value : series) {
        const double size = size_of(value, gauge);
        if (!std::isfinite(size)) return std::numeric_limits<double>::quiet_NaN();
        largest = std::max(largest, size);
        smallest = std::min(smallest, size);
        change = std::max(change, (value - series.front()).norm());
        magnitude = std::max(magnitude, value.norm());
    }
    switch (when) {
        case When::max: return largest;
        case When::min: return smallest;
        case When::relative_change: return magnitude > 0 ? change / magnitude : 0;
        default: return change;
    }
}

/// The body of that name, or none.
template <class Body>
std::span<const Body> named(const std::string& name, const BodyList<Body>& bodies)
{
    const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const Body& b) { return b.name == name; });
    return body != bodies.end() ? std::span(&*body, 1) : std::span<const Body>();
}

std::string bounds_text(const Expectation& e)
{
    if (e.min && e.max) return fmt::format("between {} and {}", *e.min, *e.max);
    if (e.min) return fmt::format("at least {}", *e.min);
    return e.max ? fmt::format("at most {}", *e.max) : "finite";
}

}  // namespace

std::string find_mistake(const Expectation& e, std::span<const std::string> bodies, int frames)
{
    if (!e.min && !e.max) return "bounds nothing; give \"min\", \"max\" or both";
    if (e.min && e.max && *e.min > *e.max) return fmt::format("min {} is above max {}", *e.min, *e.max);
    if (e.frame && *e.frame > frames) return fmt::format("frame {} comes after the last, {}", *e.frame, frames);
    if (e.of.empty()) return {};
    if (gauge_of(e.what).whole_world)
        return fmt::format("{} is known for the whole world only; remove \"of\"", name_of(e.what));
    if (std::find(bodies.begin(), bodies.end(), e.of) == bodies.end())
        return fmt::format("no solid, cloth, rod or rigid body is named \"{}\"{}", e.of, suggest_name(e.of, bodies));
    return {};
}

ExpectCheck::ExpectCheck(std::vector<Expectation> expectations)
    : expectations_(std::move(expectations)), series_(expectations_.size())
{}

void ExpectCheck::sample(int frame, const World& world, int contacts)
{
    frames_.push_back(frame);
    for (std::size_t i = 0; i < expectations_.size(); ++i) {
        const Expectation& e = expectations_[i];
        Subject subject{world,      world.solids,         world.cloths,
                        world.rods, all_particles(world), {0, world.rigid_bodies->size()},
                        contacts};
        if (!e.of.empty()) {
            subject.solids = named(e.of, world.solids);
            subject.cloths = named(e.of, world.cloths);
            subject.rods = named(e.of, world.rods);
            subject.range = !subject.solids.empty()   ? subject.solids[0].particles
                            : !subject.cloths.empty() ? subject.cloths[0].particles
                            : !subject.rods.empty()   ? subject.rods[0].particles
                                                      : Range{};
            const auto rigid = std::ranges::find(world.rigids, e.of, &Rigid::name);
            subject.rigids =
                rigid == world.rigids.end() ? Range{} : Range{static_cast<int>(rigid - world.rigids.begin()), 1};
        }
        series_[i].push_back(gauge_of(e.what).measure(subject));
    }
}

std::vector<ExpectResult> ExpectCheck::results() const
{
    std::vector<ExpectResult> results;
    for (std::size_t i = 0; i < expectations_.size(); ++i) {
        const Expectation& e = expectations_[i];
        const std::string what = fmt::format(
            "{}{}{} ({})", name_of(e.what), e.of.empty() ? "" : " of ", e.of,
            e.frame ? fmt::format("{}, frame {}", name_of(e.when), *e.frame) : std::string(name_of(e.when)));
        const std::string why = e.why.empty() ? "" : ": " + e.why;
        const auto end = e.frame ? std::upper_bound(frames_.begin(), frames_.end(), *e.frame) : frames_.end();
        const std::span<const Vec3d> series =
            std::span(series_[i]).first(static_cast<std::size_t>(end - frames_.begin()));
        if (series.empty() || frames_.back() < e.frame.value_or(0)) {
            results.push_back({false, 0, fmt::format("{} was not reached{}", what, why)});
            continue;
        }
        const double value = reduce(series, e.when, gauge_of(e.what));
        const bool met = std::isfinite(value) && (!e.min || value >= *e.min) && (!e.max || value <= *e.max);
        results.push_back({met, value, fmt::format("{} is {:.6g}, must be {}{}", what, value, bounds_text(e), why)});
    }
    return results;
}

}  // namespace pliant
