#include "pliant/contact/mixed_contacts.h"

#include "pliant/state/mobility.h"

#include <algorithm>

namespace pliant {

namespace {

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

    /// Its share of sum w_i x_i.
    Vec3 position() const
    {
        if (is_rigid()) return sign() * (place() - points.origin);
        Vec3 sum{};
        for (int k = 0; k < 4; ++k)
            if (c.w[k] * sign() > 0) sum += c.w[k] * points.now[c.point[k]].position();
        return sum;
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

void solve(MixedContact& c, PairPoints& points, RigidBodies& bodies)
{
    const Side a{c, 0, points, bodies}, b{c, 1, points, bodies};
    const auto push = [&](const Vec3& p) {
        a.move(p);
        b.move(p);
    };
    const Real inverse = a.inverse_mass(c.n) + b.inverse_mass(c.n);
    if (!(inverse > 0)) return;
    const Real change = std::max(-(c.n.dot(a.position() + b.position()) - c.target) / inverse, -c.lambda);
    c.lambda += change;
    if (change != 0) push(change * c.n);

    const Vec3 moved = a.position() + b.position() - c.from;
    const Vec3 slide = moved - c.n.dot(moved) * c.n;
    const Real length = slide.norm();
    Vec3 tau = c.tau;
    if (length > 0) {
        const Vec3 along = slide / length;
        tau -= slide / (a.inverse_mass(along) + b.inverse_mass(along));
    }
    const Real size = tau.norm();
    if (size > c.friction * c.lambda) tau = (c.sliding * c.lambda / size) * tau;
    push(tau - c.tau);
    c.tau = tau;
}

}  // namespace

MixedContact make_mixed_contact(const ContactSurface& surface, PairKind kind, const PairBlock& block, int lane,
                                Real target, const PairPoints& points)
{
    MixedContact c;
    const int first = kind == PairKind::vertex_triangle ? 1 : 2;  // points of the first side
    c.body[0] = c.body[1] = -1;
    for (int k = 0; k < 4; ++k) {
        const int p = c.point[k] = block.point[k][lane], side = k < first ? 0 : 1;
        c.w[k] = block.w[k][lane];
        c.from += c.w[k] * points.start[p].position();
        if (!surface.is_carried(p)) continue;
        c.body[side] = surface.carrier(p).body;
        c.place[side] += std::abs(c.w[k]) * surface.carrier(p).place;
    }
    c.n = pliant::lane(block.n, lane);
    c.target = target;
    c.friction = block.friction[lane];
    c.sliding = block.sliding[lane];
    return c;
}

void solve_mixed_contacts(std::span<MixedContact> contacts, PairPoints& points, RigidBodies& bodies)
{
    for (MixedContact& c : contacts) solve(c, points, bodies);
}

}  // namespace pliant
