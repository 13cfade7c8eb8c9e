#include "pliant/contact/pairs/mixed_contacts.h"

#include "pliant/contact/pairs/pair_kernels.h"
#include "pliant/state/mobility.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr int kMaxSolves = 1000;               // of contacts, in all sweeps together
constexpr Real kConvergedMotion = Real(1e-4);  // of the largest correction so far
constexpr Real kLargeTurn = Real(0.1);         // [rad] in a substep

/// One side of a contact while it is solved.
struct Side {
    const MixedContact& c;
    int side;  // 0 or 1
    PairPoints& points;
    RigidBodies& bodies;

    Real sign() const { return side == 0 ? Real(1) : Real(-1); }
    bool is_rigid() const { return c.body[side] >= 0; }
    /// Of the world, for a rigid body.
    Vec3 place() const { return to_world(bodies.pose[c.body[side]], c.place[side]); }

    /// How its share of sum w_i x_i has changed since the start, with all digits of a small motion.
    Vec3 moved() const
    {
        if (is_rigid()) return sign() * moved_of_body();
        Vec3 sum{};
        for (int k = 0; k < 4; ++k) {
            if (!(c.w[k] * sign() > 0)) continue;
            sum += c.w[k] * (points.now[c.point[k]].position() - points.start[c.point[k]].position());
        }
        return sum;
    }
    Vec3 moved_of_body() const
    {
        const Pose &from = bodies.pose_prev[c.body[side]], &to = bodies.pose[c.body[side]];
        const Vec3 turn = turn_between(from, to), arm = from.rotation() * c.place[side];
        if (turn.squared_norm() > kLargeTurn * kLargeTurn)
            return to_world(to, c.place[side]) - to_world(from, c.place[side]);
        const Vec3 first = turn.cross(arm), second = turn.cross(first);
        return shift_between(from, to) + first + Real(0.5) * second + turn.cross(second) / 6;
    }
    Real inverse_mass(const Vec3& direction) const
    {
        if (is_rigid()) return inverse_mass_at(bodies, c.body[side], place(), direction);
        Real sum = 0;
        for (int k = 0; k < 4; ++k)
            if (c.w[k] * sign() > 0) sum += c.w[k] * c.w[k] * points.now[c.point[k]].w;
        return sum;
    }
    void move(const Vec3& push) const
    {
        if (is_rigid()) {
            if (bodies.inv_mass[c.body[side]] > 0) move_at(c.body[side], place(), sign() * push, bodies);
            return;
        }
        for (int k = 0; k < 4; ++k) {
            if (!(c.w[k] * sign() > 0)) continue;
            Point& p = points.now[c.point[k]];
            const Vec3 x = p.position() + (c.w[k] * p.w) * push;
            p = {x.x, x.y, x.z, p.w};
        }
    }
};

std::array<int, 5> name_of(const MixedContact& c)
{
    return {c.point[0], c.point[1], c.point[2], c.point[3], static_cast<int>(c.kind)};
}

/// How far it moved anything [m].
Real solve(MixedContact& c, PairPoints& points, RigidBodies& bodies)
{
    const Side a{c, 0, points, bodies}, b{c, 1, points, bodies};
    const auto push = [&](const Vec3& p) {
        a.move(p);
        b.move(p);
    };
    const Real inverse = a.inverse_mass(c.n) + b.inverse_mass(c.n);
    if (!(inverse > 0)) return 0;
    const Real change = std::max(-(c.gap + c.n.dot(a.moved() + b.moved()) - c.target) / inverse, -c.lambda);
    c.lambda += change;
    if (change != 0) push(change * c.n);

    const Vec3 moved = a.moved() + b.moved();
    const Vec3 slide = moved - c.n.dot(moved) * c.n;
    const Real length = slide.norm();
    Vec3 tau = c.tau;
    if (length > 0) {
        const Vec3 along = slide / length;
        tau -= slide / (a.inverse_mass(along) + b.inverse_mass(along));
    }
    const Real size = tau.norm();
    if (size > c.friction * c.lambda) tau = (c.sliding * c.lambda / size) * tau;
    const Vec3 rub = tau - c.tau;
    push(rub);
    c.tau = tau;
    return inverse * std::max(std::abs(change), rub.norm());
}

}  // namespace

MixedContact make_mixed_contact(const ContactSurface& surface, Real h, const PairPoints& points,
                                const RigidBodies& bodies, const ActivePair& pair)
{
    MixedContact c;
    c.kind = pair.kind;
    const int first = pair.kind == PairKind::vertex_triangle ? 1 : 2;  // points of the first side
    Vec3d apart{};                                                     // sum w_i x_i at the start [m]
    c.body[0] = c.body[1] = -1;
    for (int k = 0; k < 4; ++k) {
        const int p = c.point[k] = pair.point[k], side = k < first ? 0 : 1;
        c.w[k] = pair.w[k];
        if (!surface.is_carried(p)) {
            apart += double(c.w[k]) * (points.start[p].position().cast<double>() + points.origin.cast<double>());
            continue;
        }
        c.body[side] = surface.carrier(p).body;
        c.place[side] += std::abs(c.w[k]) * surface.carrier(p).place;
    }
    c.n = pair.n;
    for (int side = 0; side < 2; ++side)
        if (c.body[side] >= 0)
            apart += (side == 0 ? 1. : -1.) * to_world_exactly(bodies.pose_prev[c.body[side]], c.place[side]);
    c.gap = static_cast<Real>(c.n.cast<double>().dot(apart));
    c.target = target_of(pair.distance, c.gap, h);
    c.friction = pair.friction;
    c.sliding = pair.sliding;
    return c;
}

void solve_mixed_contacts(std::span<MixedContact> contacts, Real& most_moved, PairPoints& points, RigidBodies& bodies)
{
    const int sweeps = std::max(kMaxSolves / std::max(1, static_cast<int>(contacts.size())), 1);
    for (int k = 0; k < sweeps; ++k) {
        Real moved = 0;
        for (MixedContact& c : contacts) moved = std::max(moved, solve(c, points, bodies));
        most_moved = std::max(most_moved, moved);
        if (moved <= kConvergedMotion * most_moved) return;
    }
}

void lift_body(const MixedContact& contact, int side, PairPoints& points, RigidBodies& bodies)
{
    const Side own{contact, side, points, bodies}, other{contact, 1 - side, points, bodies};
    const Real missing = contact.target - contact.gap - contact.n.dot(own.moved() + other.moved());
    if (missing > 0) own.move(missing / own.inverse_mass(contact.n) * contact.n);
}

void begin_mixed_contacts(std::vector<MixedPush>& before, std::span<MixedContact> contacts, Real& most_moved,
                          PairPoints& points, RigidBodies& bodies)
{
    for (MixedContact& c : contacts) {
        const auto name = name_of(c);
        const auto push = std::ranges::lower_bound(before, name, {}, &MixedPush::name);
        if (push == before.end() || push->name != name) continue;
        const Side a{c, 0, points, bodies}, b{c, 1, points, bodies};
        c.lambda = push->lambda;
        a.move(c.lambda * c.n);
        b.move(c.lambda * c.n);
        most_moved = std::max(most_moved, c.lambda * (a.inverse_mass(c.n) + b.inverse_mass(c.n)));
    }
    before.clear();
}

void keep_pushes(std::span<const MixedContact> contacts, std::vector<MixedPush>& pushes)
{
    for (const MixedContact& c : contacts)
        if (c.lambda > 0 && c.body[0] >= 0 && c.body[1] >= 0) pushes.push_back({name_of(c), c.lambda});
    std::ranges::sort(pushes, {}, &MixedPush::name);
}

}  // namespace pliant
