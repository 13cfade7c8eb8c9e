#include "pliant/solver/effort.h"

#include "pliant/rigid/rigid_effort.h"
#include "pliant/solver/compiled.h"
#include "pliant/world/bodies.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

/// The largest of what was asked for, and by whom.
struct Asked {
    WantedSubsteps wanted;
    std::optional<BodyRef> body;

    void add(const WantedSubsteps& other, std::optional<BodyRef> from)
    {
        if (!(other.count > wanted.count)) return;
        wanted = other;
        body = from;
    }
};

template <class Body>
BodyRef ref_of(const BodyList<Body>& bodies, std::size_t i)
{
    return bodies.id_at(static_cast<int>(i));
}

/// What bodies need so that they are stable at all, whoever chose the substeps.
Asked needed_substeps(const World& world, Real dt, const Compiled& c)
{
    Asked asked;
    for (std::size_t i = 0; i < world.solids.size(); ++i) {
        const int count = stable_substeps(c.all<SolidSystem>()[i], dt);
        asked.add({static_cast<double>(count), "stiffness"}, ref_of(world.solids, i));
    }
    for (std::size_t i = 0; i < world.cloths.size(); ++i) {
        const int count = stable_substeps(world.cloths[i], c.all<ClothSystem>()[i], dt);
        asked.add({static_cast<double>(count), "bending stiffness"}, ref_of(world.cloths, i));
    }
    return asked;
}

MovingBox moving_box(std::span<const Vec3> x, std::span<const Vec3> v)
{
    MovingBox moving{{x.front().cast<double>(), x.front().cast<double>()}, highest_speed(v)};
    for (const Vec3& each : x) {
        for (int axis = 0; axis < 3; ++axis) {
            moving.box.low[axis] = std::min(moving.box.low[axis], static_cast<double>(each[axis]));
            moving.box.high[axis] = std::max(moving.box.high[axis], static_cast<double>(each[axis]));
        }
    }
    return moving;
}

MovingBox moving_box(const RigidBodies& bodies, int i)
{
    const auto reach = static_cast<double>(bodies.shape[i].extent);
    const Vec3d x = bodies.pose[i].x.cast<double>(), half{reach, reach, reach};
    return {{x - half, x + half},
            static_cast<double>(bodies.v[i].norm()) + reach * static_cast<double>(bodies.w[i].norm())};
}

/// All bodies, in the order of their kinds.
void find_moving(const World& world, std::vector<MovingBox>& moving)
{
    moving.clear();
    const auto add = [&](const auto& bodies) {
        for (const auto& body : bodies)
            moving.push_back(moving_box(body.particles.of(world.particles->x), body.particles.of(world.particles->v)));
    };
    add(world.solids);
    add(world.cloths);
    add(world.rods);
    for (int i = 0; i < world.rigid_bodies->size(); ++i) moving.push_back(moving_box(world.rigid_bodies, i));
}

bool may_meet(const MovingBox& a, const MovingBox& b, double dt)
{
    const double reach = dt * (a.speed + b.speed + kStandardGravity * dt);
    for (int axis = 0; axis < 3; ++axis)
        if (a.box.low[axis] - reach > b.box.high[axis] || b.box.low[axis] - reach > a.box.high[axis]) return false;
    return true;
}

/// Whether two bodies may touch each other in the frame.
bool may_meet(const ContactSurface& surface, std::size_t a, std::size_t b, std::span<const MovingBox> moving, double dt)
{
    return a != b && surface.pairing(static_cast<int>(a), static_cast<int>(b)).on && may_meet(moving[a], moving[b], dt);
}

/// How fast a collider in keyed motion is where a body is [m/s]; 0 if it cannot reach it in the frame.
double approach_of(const Collider& collider, const MovingBox& body, double time, double dt)
{
    if (collider.motion.keys.empty()) return 0;
    const PlacedCollider placed = place_collider(collider, time + dt, time);
    const Vec3d middle = body.box.center(), half = 0.5 * body.box.extent();
    double speed = 0;
    for (int i = 0; i < 8; ++i) {
        const Vec3 corner = middle.cast<Real>() + corner_of_box(half.cast<Real>(), i);
        speed = std::max(speed, static_cast<double>(surface_motion(placed.pose, corner).norm()) / dt);
    }
    const Real distance = nearest_surface(placed.shape, placed.pose, middle.cast<Real>()).distance;
    return static_cast<double>(distance) > half.norm() + dt * (speed + body.speed) ? 0 : speed;
}

double approach_of(const World& world, const ContactSurface& surface, std::size_t self,
                   std::span<const MovingBox> moving, double dt)
{
    double speed = 0;
    for (const Collider& collider : world.colliders)
        speed = std::max(speed, approach_of(collider, moving[self], world.time, dt));
    if (!surface.touching) return speed;
    for (std::size_t i = 0; i < moving.size(); ++i)
        if (may_meet(surface, self, i, moving, dt)) speed = std::max(speed, moving[i].speed);
    return speed;
}

/// Whether a body may run into another one in this frame.
bool may_meet_others(const ContactSurface& surface, std::size_t self, std::span<const MovingBox> moving, double dt)
{
    if (!surface.touching) return false;
    for (std::size_t i = 0; i < moving.size(); ++i)
        if (may_meet(surface, self, i, moving, dt)) return true;
    return false;
}

/// Whether there is something that a body may run into: colliders, or another body in this frame.
bool has_obstacles(const World& world, const ContactSurface& surface, std::size_t self,
                   std::span<const MovingBox> moving, double dt)
{
    return !world.colliders.empty() || may_meet_others(surface, self, moving, dt);
}

/// Whether a body with particles of a radius may be at a collider in this frame.
bool may_reach(const Collider& collider, const MovingBox& body, double radius, double time, double dt)
{
    const double reach = 0.5 * body.box.extent().norm() + radius + dt * (body.speed + kStandardGravity * dt);
    const auto is_near = [&](double at, double from) {
        const PlacedCollider placed = place_collider(collider, at, from);
        const Vec3 middle = body.box.center().cast<Real>();
        return static_cast<double>(nearest_surface(placed.shape, placed.pose, middle).distance) < reach;
    };
    return is_near(time, time) || (!collider.motion.keys.empty() && is_near(time + dt, time));
}

/// Whether a rod may touch something in this frame, itself included.
bool may_touch(const World& world, const ContactSurface& surface, const Rod& rod, std::size_t self,
               std::span<const MovingBox> moving, double dt)
{
    const double radius = static_cast<double>(std::ranges::max(rod.particles.of(world.particles->radius)));
    const auto near = [&](const Collider& c) { return may_reach(c, moving[self], radius, world.time, dt); };
    if (std::ranges::any_of(world.colliders, near) || may_meet_others(surface, self, moving, dt)) return true;
    const int body = static_cast<int>(self);
    return surface.touching && surface.pairing(body, body).on &&
           may_touch_itself(rod, rod.particles.of(world.particles->x));
}

/// The mass of free rigid bodies that lie on a body, or may in this frame [kg].
double load_of(const World& world, const ContactSurface& surface, std::size_t self, std::span<const MovingBox> moving,
               double dt)
{
    const RigidBodies& rigids = *world.rigid_bodies;
    const std::size_t first = moving.size() - static_cast<std::size_t>(rigids.size());
    double mass = 0;
    for (int i = 0; i < rigids.size() && surface.touching; ++i)
        if (rigids.inv_mass[i] > 0 && may_meet(surface, self, first + i, moving, dt))
            mass += static_cast<double>(rigids.mass[i]);
    return mass;
}

/// The mass of the body that carries an anchor [kg]; 0 if that is held.
double mass_behind(const World& world, const Anchor& anchor)
{
    if (anchor.kind == AnchorKind::motion) return 0;
    if (anchor.kind == AnchorKind::rigid)
        return world.rigid_bodies->inv_mass[anchor.body] > 0 ? double(world.rigid_bodies->mass[anchor.body]) : 0;
    double mass = 0;
    for_each_body(world, [&](const auto& body) {
        const Range range = particles_of(body);
        if (!range.contains(anchor.parents.front())) return;
        for (const Real m : range.of(world.particles->mass)) mass += static_cast<double>(m);
    });
    return mass;
}

/// What glue hangs on a body, and whether it holds it.
void look_at_glue(const World& world, Range body, Outlook& outlook)
{
    outlook.hung = 0;
    const auto holds = [&](const Anchor& anchor) {
        return anchor.kind == AnchorKind::cloud && body.contains(anchor.parents.front());
    };
    for (const Glue& glue : world.glues) {
        if (!glue.on || holds(glue.a) == holds(glue.b)) continue;
        const double mass = mass_behind(world, holds(glue.a) ? glue.b : glue.a);
        outlook.hung += mass;
        outlook.held = outlook.held || mass == 0;
    }
}

double factor_of(Quality quality)
{
    switch (quality) {
        case Quality::draft: return 0.5;
        case Quality::normal: return 1;
        case Quality::fine: return 2;
    }
    return 1;
}

/// Joints that whip turn little in a substep, and glue and bodies meet once in each. What is small swings fast.
WantedSubsteps wanted_by_glue(const World& world, const Outlook& outlook)
{
    constexpr double kLeast = 20, kMaxTurn = 0.058;  // dt w of the fastest pendulum
    const RigidBodies& bodies = *world.rigid_bodies;
    double fastest = 0;  // w^2 / g [1/m]
    for (const Glue& glue : world.glues)
        for (const Anchor* anchor : {&glue.a, &glue.b}) {
            if (!glue.on || anchor->kind != AnchorKind::rigid || bodies.inv_mass[anchor->body] == 0) continue;
            const Vec3 inertia = bodies.inertia[anchor->body];
            const double gyration = double(std::min({inertia.x, inertia.y, inertia.z}) / bodies.mass[anchor->body]);
            fastest = std::max(fastest, anchor->point.norm() / (gyration + anchor->point.squared_norm()));
        }
    return {std::max(kLeast, outlook.dt * std::sqrt(outlook.gravity * fastest) / kMaxTurn), "glue"};
}

/// What bodies ask for where the engine chooses.
Asked wanted_substeps(const World& world, double dt, const Compiled& c, std::vector<MovingBox>& moving)
{
    const Particles& p = *world.particles;
    const Forces& forces = *world.forces;
    Outlook outlook{.dt = dt, .gravity = double(forces.gravity.norm()), .air_density = double(forces.air_density)};
    outlook.wind = double((1 + forces.gusts + 2 * forces.turbulence) * forces.wind.norm());
    outlook.last = *world.substeps / factor_of(world.settings->quality);
    Asked asked;
    find_moving(world, moving);
    const std::size_t first_cloth = world.solids.size(), first_rod = first_cloth + world.cloths.size();
    const auto look_around = [&](std::size_t body) {
        outlook.obstacles = has_obstacles(world, c.surface, body, moving, dt);
        outlook.approach = approach_of(world, c.surface, body, moving, dt);
    };
    for (std::size_t i = 0; i < world.solids.size(); ++i) {
        look_around(i);
        asked.add(wanted_substeps(c.all<SolidSystem>()[i], outlook, world.solids[i].particles.of(p.v)),
                  ref_of(world.solids, i));
    }
    for (std::size_t i = 0; i < world.cloths.size(); ++i) {
        look_around(first_cloth + i);
        outlook.load = load_of(world, c.surface, first_cloth + i, moving, dt);
        outlook.held = !c.all<ClothSystem>()[i].pins.empty();
        look_at_glue(world, world.cloths[i].particles, outlook);
        asked.add(wanted_substeps(world.cloths[i], c.all<ClothSystem>()[i], outlook, world.cloths[i].particles.of(p.v)),
                  ref_of(world.cloths, i));
    }
    for (std::size_t i = 0; i < world.rods.size(); ++i) {
        outlook.obstacles = may_touch(world, c.surface, world.rods[i], first_rod + i, moving, dt);
        asked.add(wanted_substeps(world.rods[i], c.all<RodSystem>()[i], outlook, world.rods[i].particles.of(p.v)),
                  ref_of(world.rods, i));
    }
    const std::size_t first_rigid = first_rod + world.rods.size();
    for (std::size_t i = 0; i < world.rigids.size(); ++i) {
        if (world.rigid_bodies->is_asleep(static_cast<int>(i))) continue;
        outlook.obstacles = has_obstacles(world, c.surface, first_rigid + i, moving, dt);
        asked.add(wanted_substeps(world.rigids[i], outlook), ref_of(world.rigids, i));
    }
    if (!world.glues.empty()) asked.add(wanted_by_glue(world, outlook), {});
    return asked;
}

/// No less than seven eighths of the last frame's.
int fall_slowly(int substeps, int last) { return std::max(substeps, last - std::max(1, last / 8)); }

}  // namespace

Effort find_effort(const World& world, Real dt, const Compiled& compiled, std::vector<MovingBox>& moving)
{
    const Settings& settings = *world.settings;
    Effort effort;
    effort.iterations = iterations_of(settings);
    effort.chosen = !settings.substeps;
    effort.substeps = settings.substeps.value_or(1);
    const auto raise = [&](int substeps, const Asked& asked) {
        if (substeps <= effort.substeps) return;
        effort.substeps = substeps;
        effort.body = asked.body;
        effort.why = asked.wanted.why;
    };
    if (effort.chosen) {
        const Asked asked = wanted_substeps(world, static_cast<double>(dt), compiled, moving);
        const double count = std::min(asked.wanted.count * factor_of(settings.quality), double(kMostSubsteps));
        raise(fall_slowly(static_cast<int>(std::ceil(count)), std::min(*world.substeps, kMostSubsteps)), asked);
    }
    const Asked needed = needed_substeps(world, dt, compiled);
    raise(static_cast<int>(needed.wanted.count), needed);
    return effort;
}

}  // namespace pliant
