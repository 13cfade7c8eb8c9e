#include "pliant/contact/pairs/take_back.h"

#include "pliant/contact/pairs/pair_kernels.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <utility>

namespace pliant {

void begin_take_back(const GuardScope& scope, Guard& guard)
{
    const std::size_t points = scope.points.now.size(), bodies = scope.rigids.pose.size();
    guard.factor.resize(points, 1);
    guard.body_factor.resize(bodies, 1);
    guard.back.assign(points, 0);
    guard.body_back.assign(bodies, 0);
    guard.body_moved.assign(bodies, 0);
    guard.carrier.resize(points, -1);
    guard.body_carrier.resize(bodies, -1);
    guard.carriers.set_origin(scope.points.origin);
}

void TakeBack::take(int point, Real factor, int carrier)
{
    if (points_.now[point].w == 0) return;
    if (surface_.is_carried(point)) return take_body(surface_.carrier(point).body, factor, carrier);
    if (carrier >= 0 && guard_.carrier[point] < 0) {
        guard_.carrier[point] = carrier;
        guard_.back[point] = 0;
    }
    if (guard_.back[point] != 0) return;
    if (guard_.factor[point] == 1) guard_.touched.push_back(point);
    guard_.factor[point] = std::min(guard_.factor[point], factor);
}

void TakeBack::take_body(int body, Real factor, int carrier)
{
    if (rigids_.inv_mass[body] == 0) return;
    if (carrier >= 0 && guard_.body_carrier[body] < 0) {
        guard_.body_carrier[body] = carrier;
        guard_.body_back[body] = 0;
    }
    if (guard_.body_back[body] != 0) return;
    if (guard_.body_factor[body] == 1) guard_.touched_bodies.push_back(body);
    guard_.body_factor[body] = std::min(guard_.body_factor[body], factor);
}

bool TakeBack::move()
{
    if (guard_.touched.empty() && guard_.touched_bodies.empty()) return false;
    for (const int i : guard_.touched) {
        Point& now = points_.now[i];
        const Vec3 start = points_.start[i].position();
        const Vec3 home = guard_.carrier[i] >= 0 ? guard_.carriers[guard_.carrier[i]](start) : start;
        const Vec3 x = guard_.factor[i] > 0 ? home + guard_.factor[i] * (now.position() - home) : home;
        now = point_at(x, now.w);
        guard_.back[i] = guard_.factor[i] == 0 ? 1 : 0;
        guard_.factor[i] = 1;
    }
    for (const int body : guard_.touched_bodies) move_body(body);
    guard_.held += static_cast<int>(guard_.touched.size() + guard_.touched_bodies.size());
    guard_.moved.insert(guard_.moved.end(), guard_.touched.begin(), guard_.touched.end());
    guard_.touched.clear();
    guard_.touched_bodies.clear();
    return true;
}

void TakeBack::move_body(int body)
{
    const Real factor = std::exchange(guard_.body_factor[body], Real(1));
    Pose home = guard_.start[body];
    if (const int c = guard_.body_carrier[body]; c >= 0) home = guard_.carriers[c].exact(home);
    const Vec3 shift = shift_between(home, rigids_.pose[body]), turn = turn_between(home, rigids_.pose[body]);
    rigids_.pose[body] = home;
    guard_.body_back[body] = factor == 0 ? 1 : 0;
    if (factor > 0) move_pose(factor * shift, factor * turn, rigids_.pose[body]);
    load_points_of(body);
    if (guard_.body_carrier[body] >= 0) return note_moved(body);  // its points may have left their budgets
    if (factor == 0 || !leaves_budget(body)) return;
    rigids_.pose[body] = home;  // on its arc a point was further from its reference than at both ends
    guard_.body_back[body] = 1;
    load_points_of(body);
}

void TakeBack::shift_body(int body, const Vec3& shift)
{
    move_pose(shift, {}, rigids_.pose[body]);
    load_points_of(body);
    note_moved(body);
}

void TakeBack::push_body(int body, const Vec3& at, const Vec3& n, Real way)
{
    const Vec3 point = at + points_.origin;
    move_at(body, point, way / inverse_mass_at(rigids_, body, point, n) * n, rigids_);
    load_points_of(body);
    note_moved(body);
}

Range TakeBack::points_of(int body) const
{
    const auto& carried = surface_.carried;  // in the order of their bodies
    const auto points = std::ranges::equal_range(carried, body, {}, &ContactSurface::Carried::body);
    return {surface_.particles + static_cast<int>(points.begin() - carried.begin()), static_cast<int>(points.size())};
}

void TakeBack::load_points_of(int body)
{
    const auto [first, count] = points_of(body);
    for (int p = first; p < first + count; ++p) {
        Point& now = points_.now[p];
        now = point_at(to_world(rigids_.pose[body], surface_.carrier(p).place) - points_.origin, now.w);
    }
}

void TakeBack::note_moved(int body)
{
    if (std::exchange(guard_.body_moved[body], char(1)) != 0) return;
    const auto [first, count] = points_of(body);
    for (int p = first; p < first + count; ++p) guard_.moved.push_back(p);
}

bool TakeBack::leaves_budget(int body) const
{
    if (!in_pairs_) return false;
    const auto [first, count] = points_of(body);
    for (int p = first; p < first + count; ++p) {
        const Real used = (points_.now[p].position() - points_.reference[p].position()).norm() / points_.budget(p);
        if (used > std::min(points_.used[p], Real(1)) * Real(1.00001)) return true;
    }
    return false;
}

}  // namespace pliant
