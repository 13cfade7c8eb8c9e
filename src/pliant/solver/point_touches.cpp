#include "pliant/solver/point_touches.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

using State = PointTouch::State;

/// As parts of a point's radius: nearer than this it is taken to touch, and deeper than this it has got in.
constexpr double kNear = 0.02, kDeep = 1e-3;
constexpr int kMaxTouchRounds = 8;  // solves again in a substep
constexpr int kMaxChanges = 3;      // of one point: then it stays as it is, unless it is pulled
/// Relative error of friction that is worth another solve.
constexpr double kFrictionError = 0.1;

Vec3d along_plane(const Vec3d& v, const Vec3d& normal) { return v - v.dot(normal) * normal; }
double friction_of(const TouchScene& scene, const PointTouch& touch)
{
    return double(scene.colliders[touch.collider].friction);
}

/// The plane below a point, where it is now.
void set_plane(const TouchScene& scene, const Vec3& normal, double depth, const JointPoint& point, PointTouch& touch)
{
    const Vec3 carried = surface_motion(scene.colliders[touch.collider].pose, point.x.cast<Real>());
    touch.normal = normal.cast<double>();
    touch.plane = touch.normal.dot(point.x) + depth;
    touch.stuck = point.start + carried.cast<double>();
}

void stick(JointPoint& point, PointTouch& touch)
{
    touch.state = State::sticks;
    hold_point({}, point);
    const Vec3d slide = along_plane(point.x - touch.stuck, touch.normal);
    push_held_point((1 / point.give) * ((touch.plane - touch.normal.dot(point.x)) * touch.normal - slide), point);
}

/// With a friction of that size [kg m].
void slide(double friction, JointPoint& point, PointTouch& touch)
{
    touch.state = State::slides;
    hold_point(Mat3d::identity() - Mat3d::outer(touch.normal, touch.normal), point);
    const double missing = touch.plane - touch.normal.dot(point.x);
    const Vec3d rubs = friction * touch.against - along_plane(point.reaction, touch.normal);
    push_held_point((missing / point.give) * touch.normal + rubs, point);
}

/// What moves faster than friction could stop if the point were alone goes on sliding: from rest, a rope over a bar would be set
/// free one point after the other. How large friction is shows the first solve.
void hold(const TouchScene& scene, JointPoint& point, PointTouch& touch)
{
    const Vec3d moved = along_plane(point.x - touch.stuck, touch.normal);
    const double way = moved.norm(), friction = friction_of(scene, touch);
    touch.against = way > 0 ? (-1 / way) * moved : Vec3d{};
    const double depth = touch.plane - touch.normal.dot(point.x);
    if (friction == 0 || way > friction * std::max(0.0, depth)) slide(0, point, touch);
    else stick(point, touch);
}

}  // namespace

void hold_touching_points(const TouchScene& scene, ConstraintSystem& system, PointTouches& of)
{
    of.touches.clear();
    of.rounds = 0;
    for (const int n : of.nodes) {
        JointPoint& point = system.points[n];
        if (system.held[n] != 0 || system.kept[n] >= 0) continue;
        const double radius = double(scene.particles.radius[point.particle]);
        const double reach = radius + 2 * (point.x - point.start).norm();
        PointTouch touch{.node = n, .collider = -1, .depth = -reach};
        Vec3 normal;
        for (std::size_t c = 0; c < scene.colliders.size(); ++c) {
            const ParticleTouch at = find_particle_touch(scene.colliders[c], point.particle, scene.particles);
            if (!(double(at.depth) > touch.depth)) continue;
            touch.collider = static_cast<int>(c);
            touch.depth = double(at.depth);
            normal = at.normal;
        }
        if (touch.collider < 0) continue;
        set_plane(scene, normal, touch.depth, point, touch);
        if (touch.depth > -kNear * radius) hold(scene, point, touch);
        of.touches.push_back(touch);
    }
}

namespace {

/// Whether a point that is not held has got into its collider; sets the plane then.
bool gets_in(const TouchScene& scene, const JointPoint& point, PointTouch& touch)
{
    const PlacedCollider& collider = scene.colliders[touch.collider];
    const Vec3 x = point.x.cast<Real>();
    const SurfacePoint s = nearest_surface(collider.shape, collider.pose, x);
    const Real radius = scene.particles.radius[point.particle];
    const double depth = double(radius - s.distance);
    if (!(depth > kDeep * double(radius))) return false;
    set_plane(scene, s.normal, depth, point, touch);
    return true;
}

TouchCorrection correction_of(const TouchScene& scene, const JointPoint& point, PointTouch& touch)
{
    const bool may_change = touch.changes < kMaxChanges;
    if (touch.state == State::off) {
        const bool in = may_change && gets_in(scene, point, touch);
        return {in ? State::sticks : State::off, 0, in};
    }
    const double push = touch.normal.dot(point.reaction);
    if (push < 0) return {State::off, 0, true};
    const double most = friction_of(scene, touch) * push;
    const Vec3d rubs = along_plane(point.reaction, touch.normal);
    const double size = rubs.norm();
    if (touch.state == State::sticks) {
        if (size <= most || !may_change) return {State::sticks};
        touch.against = (1 / size) * rubs;
        return {State::slides, most, true};
    }
    const bool turns = touch.against.dot(point.x - touch.stuck) > 0;  // friction would drive it
    if (turns && may_change && most > 0) return {State::sticks, 0, true};
    return {State::slides, most, std::abs(size - most) > kFrictionError * std::max(size, most)};
}

}  // namespace

bool correct_touches(const TouchScene& scene, ConstraintSystem& system, RigidBodies& bodies, PointTouches& of)
{
    if (of.rounds++ >= kMaxTouchRounds) return false;
    bool any = false;
    of.corrections.clear();
    for (PointTouch& touch : of.touches) {
        of.corrections.push_back(correction_of(scene, system.points[touch.node], touch));
        any = any || of.corrections.back().solve;
    }
    if (!any) return false;
    restore_constraints(system, bodies);
    for (std::size_t k = 0; k < of.touches.size(); ++k) {
        PointTouch& touch = of.touches[k];
        JointPoint& point = system.points[touch.node];
        const State next = of.corrections[k].next;
        if (next != touch.state) ++touch.changes;
        if (next == State::slides) slide(of.corrections[k].friction, point, touch);
        if (next == touch.state) continue;
        if (next == State::sticks && touch.state == State::off) hold(scene, point, touch);
        else if (next == State::sticks) stick(point, touch);
        if (next == State::off) {
            release_point(point);
            touch.state = State::off;
        }
    }
    return true;
}

void note_point_touches(const TouchScene& scene, Real h, const ConstraintSystem& system, const PointTouches& of,
                        ParticleContacts& contacts, std::vector<Vec3>& predicted)
{
    for (const PointTouch& touch : of.touches) {
        if (touch.state == State::off) continue;
        const JointPoint& point = system.points[touch.node];
        const double push = touch.normal.dot(point.reaction);
        if (!(push > 0)) continue;
        const ParticleTouch seen{static_cast<Real>(std::max(0.0, touch.depth)), touch.normal.cast<Real>()};
        note_particle_push(scene.colliders, touch.collider, h, point.particle, seen, contacts, scene.particles,
                           predicted);
        contacts.of[point.particle].push = static_cast<Real>(push * point.inv_mass);
    }
}

bool let_points_go(ConstraintSystem& system)
{
    bool any = false;
    for (JointPoint& point : system.points) {
        any = any || point.touching;
        point.touching = false;
    }
    return any;
}

}  // namespace pliant
