#include "pliant/contact/rigid/islands.h"

#include "pliant/base/parallel.h"
#include "pliant/contact/rigid/find_islands.h"
#include "pliant/contact/rigid/island_solve.h"
#include "pliant/contact/rigid/island_sweep.h"
#include "pliant/geometry/convex.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

constexpr double kEverywhere = 1e6;  // [m]

double turn_of(const Pose& from, const Pose& to) { return static_cast<double>(turn_between(from, to).norm()); }

/// Planes and meshes are taken to be everywhere.
double reach_of_collider(const Shape& shape)
{
    if (shape.kind == Shape::Kind::plane || shape.kind == Shape::Kind::mesh) return kEverywhere;
    return 0.5 * box_around({&shape, Mat3d::identity(), {}}).extent().norm();
}

void place_bodies(const RigidScene& scene, Islands& islands)
{
    Manifolds& m = islands.manifolds;
    const RigidBodies& bodies = scene.bodies;
    const int count = bodies.size();
    m.bodies = count;
    m.placed.resize(bodies.pose.size() + scene.colliders.size());
    for (int i = 0; i < count; ++i) {
        if (bodies.is_asleep(i) && !islands.first) continue;  // as in the first substep
        Placed& p = m.placed[i];
        const Pose &from = bodies.pose_prev[i], &to = bodies.pose[i];
        p.shape = &bodies.shape[i];
        p.reach = static_cast<double>(p.shape->extent);
        p.start = exact_rotation(from);
        p.from = exact_position(from);
        p.end = exact_rotation(to);
        p.to = exact_position(to);
        p.takes_part = islands.apart[i] == 0;
        p.free = p.takes_part && bodies.inv_mass[i] > 0;
    }
    for (std::size_t c = 0; c < scene.colliders.size(); ++c) {
        Placed& p = m.placed[count + c];
        const PlacedCollider& collider = scene.colliders[c];
        p.shape = &collider.shape;
        p.reach = reach_of_collider(*p.shape);
        p.start = collider.pose.rotation_prev.cast<double>();
        p.from = collider.pose.position_prev.cast<double>();
        p.end = collider.pose.rotation.cast<double>();
        p.to = collider.pose.position.cast<double>();
        p.takes_part = true;
    }
}

/// After a substep: how far points may have moved.
void add_travel(const RigidScene& scene, Islands& islands)
{
    std::vector<Placed>& placed = islands.manifolds.placed;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        Placed& p = placed[i];
        if (i < scene.bodies.pose.size()) {
            if (scene.bodies.is_asleep(static_cast<int>(i))) continue;
            const Pose &from = scene.bodies.pose_prev[i], &to = scene.bodies.pose[i];
            p.travel += static_cast<double>(shift_between(from, to).norm()) + p.reach * turn_of(from, to);
        } else {
            const double turn = (p.end.c[0] - p.start.c[0]).norm() + (p.end.c[1] - p.start.c[1]).norm();
            p.travel += (p.to - p.from).norm() + p.reach * turn;
        }
    }
}

void set_pair_motion(const RigidScene& scene, const Manifold& manifold, Islands& islands)
{
    const Manifolds& m = islands.manifolds;
    const Placed &a = m.placed[manifold.a], &b = m.placed[manifold.b];
    const bool on_collider = manifold.b >= m.bodies;
    for (int k = manifold.first; k < manifold.first + manifold.count; ++k) {
        ManifoldPoint& p = islands.manifolds.points[k];
        const Vec3d at_a = a.start * p.place[0], at_b = b.start * p.place[1], between = b.from - a.from;
        p.gap = p.n.dot(at_a - at_b - between);
        // one point for both, so that pushes keep the angular momentum
        p.arm[0] = 0.5 * (at_a + at_b + between);
        p.arm[1] = p.arm[0] - between;
        p.carried = {};
        if (on_collider) { p.carried = (b.end * p.place[1] + b.to - (at_b + b.from)) / static_cast<double>(scene.h); }
        const Twist& ua = islands.v_before[manifold.a];
        Vec3d v = ua.v + ua.w.cross(p.arm[0]) - p.carried;
        if (!on_collider) {
            const Twist& ub = islands.v_before[manifold.b];
            v -= ub.v + ub.w.cross(p.arm[1]);
        }
        const double approach = p.n.dot(v);
        p.bounce = approach < -static_cast<double>(scene.slow) ? -manifold.restitution * approach : 0;
    }
}

/// Memory for as many islands as there are bodies, each with a few contacts.
void reserve(std::size_t bodies, Islands& islands)
{
    if (islands.list.size() >= bodies) return;
    Manifolds& m = islands.manifolds;
    for (auto* list : {&m.list, &m.before}) list->reserve(8 * bodies);
    for (auto* points : {&m.points, &m.points_before}) points->reserve(32 * bodies);
    m.near.reserve(16 * bodies);
    islands.sweep.reserve(32 * bodies);
    m.order.reserve(2 * bodies);
    for (auto* points : {&m.facing}) points->reserve(64);
    m.stored.reserve(64);
    islands.pushes.reserve(kPushesPerBody * bodies);
    for (std::vector<Island>* list : {&islands.list, &islands.before}) {
        list->resize(bodies);
        for (Island& island : *list) {
            island.bodies.reserve(4);
            island.meets.reserve(8);
            island.manifolds.reserve(8);
            set_single(island.pattern);
            for (auto* x : {&island.x, &island.r}) x->reserve(4);
            island.factor.reserve(8);
        }
    }
}

}  // namespace

void begin_island_frame(std::span<const RigidPush> pushes, std::size_t bodies, Islands& islands)
{
    reserve(bodies, islands);
    islands.pushes.assign(pushes.begin(), std::ranges::find_if(pushes, [](const RigidPush& p) { return p.a < 0; }));
    islands.manifolds.list.clear();
    islands.manifolds.points.clear();
    islands.manifolds.placed.clear();
    islands.first = true;
    for (Island& island : islands.list) island.factored = false;
}

void begin_islands(const RigidBodies& bodies, Islands& islands)
{
    islands.solved = false;
    islands.v_before.resize(bodies.pose.size());
    for (int i = 0; i < bodies.size(); ++i)
        islands.v_before[i] = {bodies.v[i].cast<double>(), bodies.w[i].cast<double>()};
}

namespace {

/// Bodies with meshes touch others as features.
PairTraits traits_of_bodies(const RigidScene& scene, int a, int b)
{
    const RigidBodies& bodies = scene.bodies;
    if (scene.surface == nullptr) return {.touch = false};
    const int first = scene.surface->bodies - bodies.size();
    if (!scene.surface->are_in_islands(first + a, first + b) || scene.surface->are_glued_rigids(a, b))
        return {.touch = false};
    const ContactSurface::Pairing& pairing = scene.surface->pairing(first + a, first + b);
    const Real restitution = std::max({bodies.restitution[a], bodies.restitution[b], Real(0)});
    return {pairing.on, static_cast<double>(pairing.friction), static_cast<double>(pairing.sliding),
            static_cast<double>(restitution)};
}

PairTraits traits_of(const RigidScene& scene, int a, int b)
{
    const RigidBodies& bodies = scene.bodies;
    if (b < bodies.size()) return traits_of_bodies(scene, a, b);
    const PlacedCollider& collider = scene.colliders[b - bodies.size()];
    const Real friction = bodies.friction[a] >= 0 ? bodies.friction[a] : collider.friction;
    const Real restitution = bodies.restitution[a] >= 0 ? bodies.restitution[a] : collider.restitution;
    return {true, static_cast<double>(friction), static_cast<double>(friction), static_cast<double>(restitution)};
}

/// What is deep inside a collider is put outside, along the normal where it is deepest. That adds no velocity.
void take_out(const RigidScene& scene, Islands& islands)
{
    constexpr double kDeep = 0.01;  // of the smallest extent
    Manifolds& m = islands.manifolds;
    for (const Manifold& manifold : m.list) {
        if (manifold.b < m.bodies || !m.placed[manifold.a].free) continue;
        Placed& a = m.placed[manifold.a];
        const Placed& b = m.placed[manifold.b];
        double depth = kDeep * narrow_of(a, b);
        Vec3d way{};
        for (int k = manifold.first; k < manifold.first + manifold.count; ++k) {
            const ManifoldPoint& p = m.points[k];
            const double deep = -p.n.dot(a.start * p.place[0] + a.from - (b.start * p.place[1] + b.from));
            if (!(deep > depth)) continue;
            depth = deep;
            way = depth * p.n;
        }
        if (way == Vec3d{}) continue;
        a.from += way;
        a.to += way;
        for (Pose* pose :
             {&scene.bodies.pose_prev[manifold.a], &scene.bodies.pose[manifold.a], &scene.predicted[manifold.a]})
            move_pose(way.cast<Real>(), {}, *pose);
    }
}

/// Once a substep: manifolds, islands, velocities.
void begin_solution(const RigidScene& scene, Islands& islands)
{
    place_bodies(scene, islands);
    update_manifolds(
        scene.h, [&](int a, int b) { return traits_of(scene, a, b); },
        islands.first ? std::span<const RigidPush>(islands.pushes) : std::span<const RigidPush>(), islands.manifolds);
    islands.first = false;
    take_out(scene, islands);
    find_island_joints(scene.joints, islands.joints);
    for (const Manifold& manifold : islands.manifolds.list) set_pair_motion(scene, manifold, islands);
    find_islands(scene.bodies, scene.slow, islands);
    const auto bodies = scene.bodies.pose.size();
    islands.inertia.resize(bodies);
    islands.inverse.resize(bodies);
    islands.sweep.resize(islands.manifolds.points.size());
    islands.u.resize(bodies);
    islands.free.resize(bodies);
    islands.gained.resize(bodies);
    for (std::size_t i = 0; i < bodies; ++i) {
        if (scene.bodies.is_asleep(static_cast<int>(i))) continue;
        const Mat3d& r = islands.manifolds.placed[i].start;
        const Vec3d j = scene.bodies.inertia[i].cast<double>();
        islands.inertia[i] = Mat3d{{j.x * r.c[0], j.y * r.c[1], j.z * r.c[2]}} * r.transposed();
        const Vec3d w = scene.bodies.inv_inertia[i].cast<double>();
        islands.inverse[i] = Mat3d{{w.x * r.c[0], w.y * r.c[1], w.z * r.c[2]}} * r.transposed();
    }
}

/// The velocity that leads from the start of the substep to where a body is now.
Twist mean_velocity(const RigidScene& scene, int i)
{
    if (scene.bodies.is_asleep(i)) return {};
    const Pose &from = scene.bodies.pose_prev[i], &to = scene.bodies.pose[i];
    const double rate = 1 / static_cast<double>(scene.h);
    return {rate * shift_between(from, to).cast<double>(), rate * turn_between(from, to).cast<double>()};
}

double kinetic_energy(const RigidBodies& bodies, const Island& island, const Islands& islands,
                      const std::vector<Twist>& u)
{
    double sum = 0;
    for (const int i : island.bodies)
        sum += 0.5 *
               (static_cast<double>(bodies.mass[i]) * u[i].v.squared_norm() + u[i].w.dot(islands.inertia[i] * u[i].w));
    return sum;
}

/// Whether a solution has no more energy than contact can give: what there was, and what pushes out and carries along.
bool is_plausible(const RigidBodies& bodies, const Island& island, const Islands& islands)
{
    const Manifolds& m = islands.manifolds;
    double fastest = kMaxPushOut, mass = 0;
    for (const int n : island.manifolds) {
        const Manifold& manifold = m.list[n];
        for (const int body : {manifold.a, manifold.b})
            if (body < m.bodies && !m.placed[body].free)
                fastest =
                    std::max(fastest, islands.free[body].v.norm() + m.placed[body].reach * islands.free[body].w.norm());
        for (int k = manifold.first; k < manifold.first + manifold.count; ++k)
            fastest = std::max(fastest, m.points[k].carried.norm());
    }
    for (const int i : island.bodies) mass += static_cast<double>(bodies.mass[i]);
    const double had = kinetic_energy(bodies, island, islands, islands.free) +
                       kinetic_energy(bodies, island, islands, islands.v_before) + 0.5 * mass * fastest * fastest;
    return kinetic_energy(bodies, island, islands, islands.u) <= had;
}

void forget_pushes(Island& island, Islands& islands)
{
    island.factored = false;
    for (const int n : island.manifolds) {
        const Manifold& manifold = islands.manifolds.list[n];
        for (int k = manifold.first; k < manifold.first + manifold.count; ++k) {
            ManifoldPoint& p = islands.manifolds.points[k];
            p.push = 0;
            p.hold = {};
            p.factored = p.factored_along = -1;
        }
    }
}

/// Friction makes the problem one without a minimum: Newton's method may diverge, once in thousands of substeps where light
/// bodies are squeezed. Then sweeps from nothing take its place, and if need be the guard alone.
void solve(double h, SolveStage stage, const RigidBodies& bodies, Island& island, Islands& islands)
{
    if (!island.large) {
        solve_island(h, stage, bodies, island, islands);
        if (is_plausible(bodies, island, islands)) return;
        forget_pushes(island, islands);
    }
    sweep_island(h, stage, bodies, island, islands);
    if (is_plausible(bodies, island, islands)) return;
    forget_pushes(island, islands);
    for (const int i : island.bodies) islands.u[i] = islands.free[i];
}

/// The change of a body's velocity, as an impulse.
void change_velocity(const RigidScene& scene, const Mat3d& inertia, int i, const Twist& change)
{
    RigidBodies& bodies = scene.bodies;
    bodies.v[i] += change.v.cast<Real>();
    bodies.spin[i] += (inertia * change.w).cast<Real>();
    bodies.w[i] = times_inverse_inertia(bodies, i, bodies.spin[i]);
}

}  // namespace

void project_islands(const RigidScene& scene, Islands& islands)
{
    const bool again = islands.solved;
    if (!again) begin_solution(scene, islands);
    islands.solved = true;
    for (int i = 0; i < scene.bodies.size(); ++i) {
        islands.free[i] = mean_velocity(scene, i);
        islands.u[i] = again || scene.bodies.inv_mass[i] == 0 ? islands.free[i] : islands.v_before[i];
    }
    parallel_for(islands.count, 1, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            Island& island = islands.list[k];
            solve(static_cast<double>(scene.h), again ? SolveStage::again : SolveStage::first, scene.bodies, island,
                  islands);
            for (const int i : island.bodies) {
                const Twist change{islands.u[i].v - islands.free[i].v, islands.u[i].w - islands.free[i].w};
                change_velocity(scene, islands.inertia[i], i, change);
                const Vec3 shift = (static_cast<double>(scene.h) * change.v).cast<Real>(),
                           turn = (static_cast<double>(scene.h) * change.w).cast<Real>();
                move_pose(shift, turn, scene.bodies.pose[i]);
                move_pose(shift, turn, scene.predicted[i]);
            }
        }
    });
}

namespace {

/// The guard leaves velocities as they are. Where it has kept a body from falling, or lifted it, the work of its weight is taken
/// out of its motion: what is held up again and again would be faster and faster otherwise.
void pay_for_guard(const RigidScene& scene, const Islands& islands)
{
    RigidBodies& bodies = scene.bodies;
    for (int i = 0; i < bodies.size(); ++i) {
        if (islands.guarded[i] != AfterGuard::moved || bodies.inv_mass[i] == 0) continue;
        const Vec3 missing = scene.h * bodies.v[i] - shift_between(bodies.pose_prev[i], bodies.pose[i]);
        const Real work = bodies.mass[i] * scene.gravity.dot(missing);
        if (!(work > 0)) continue;
        const Real kinetic = (bodies.mass[i] * bodies.v[i].squared_norm() + bodies.w[i].dot(bodies.spin[i])) / 2;
        const Real left = std::sqrt(std::max(Real(0), 1 - work / kinetic));
        for (Vec3* motion : {&bodies.v[i], &bodies.w[i], &bodies.spin[i]}) *motion *= left;
    }
}

}  // namespace

void relax_islands(const RigidScene& scene, Islands& islands)
{
    if (!islands.solved) return;
    pay_for_guard(scene, islands);
    add_travel(scene, islands);
    for (int i = 0; i < scene.bodies.size(); ++i)
        islands.u[i] = islands.free[i] = {scene.bodies.v[i].cast<double>(), scene.bodies.w[i].cast<double>()};
    islands.mean.resize(scene.bodies.pose.size());
    for (int i = 0; i < scene.bodies.size(); ++i) islands.mean[i] = mean_velocity(scene, i);
    parallel_for(islands.count, 1, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            Island& island = islands.list[k];
            solve(static_cast<double>(scene.h), SolveStage::relax, scene.bodies, island, islands);
            for (const int i : island.bodies)
                change_velocity(scene, islands.inertia[i], i,
                                {islands.u[i].v - islands.free[i].v, islands.u[i].w - islands.free[i].w});
        }
    });
}

namespace {

RigidPush force_of(Real h, const Manifold& manifold, const ManifoldPoint& p)
{
    return {manifold.a,
            manifold.b,
            {p.place[0].cast<Real>(), p.place[1].cast<Real>()},
            static_cast<Real>(p.push) / h,
            p.hold.cast<Real>() / h};
}

}  // namespace

void save_pushes(Real h, const RigidBodies& bodies, const Islands& islands, std::vector<RigidPush>& pushes)
{
    std::size_t count = 0, old = 0;
    const auto put = [&](const RigidPush& push) {
        if (count == pushes.size()) pushes.emplace_back();
        pushes[count++] = push;
    };
    const auto keep_sleeping_before = [&](int a, int b) {
        for (; old < islands.pushes.size(); ++old) {
            const RigidPush& push = islands.pushes[old];
            if (!(std::pair(push.a, push.b) < std::pair(a, b))) return;
            const bool asleep = bodies.is_asleep(push.a) || (push.b < bodies.size() && bodies.is_asleep(push.b));
            if (asleep) put(push);
        }
    };
    const Manifolds& m = islands.manifolds;
    for (const Manifold& manifold : m.list) {
        keep_sleeping_before(manifold.a, manifold.b);
        while (old < islands.pushes.size() && islands.pushes[old].a == manifold.a &&
               islands.pushes[old].b == manifold.b)
            ++old;
        for (int k = manifold.first; k < manifold.first + manifold.count; ++k)
            if (m.points[k].push > 0) put(force_of(h, manifold, m.points[k]));
    }
    keep_sleeping_before(std::numeric_limits<int>::max(), 0);
    std::fill(pushes.begin() + static_cast<std::ptrdiff_t>(count), pushes.end(), RigidPush{});
}

int count_pushes(std::span<const RigidPush> pushes)
{
    return static_cast<int>(std::ranges::find_if(pushes, [](const RigidPush& p) { return p.a < 0; }) - pushes.begin());
}

}  // namespace pliant
