#include "pliant/contact/pairs/carry_loads.h"

#include "pliant/state/mobility.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr Real kHeavy = 10;           // times as heavy as what it presses on
constexpr Real kAligned = Real(0.5);  // cosine of the largest angle between a contact and the load
constexpr Real kShare = Real(0.05);   // of a contact: a corner with less weight need not stand
constexpr int kMaxHeight = 64;
constexpr int kRounds = 2;  // over the contacts of one height

class Column {
  public:
    Column(const ParticleContacts& on_colliders, PairContacts& contacts, PairPoints& points, LoadColumn& scratch)
        : on_colliders_(on_colliders), contacts_(contacts), points_(points), s_(scratch)
    {
        s_.height.resize(points.start.size(), -1);
    }

    /// Finds the contacts below a heavy body, and how high they are above what does not give way.
    bool find(int body, Real edge)
    {
        if (!find_axis(body)) return false;
        list_links(2 * edge + reach_);
        stand(body);
        return !s_.known.empty();
    }

    /// From the ground upward.
    void raise()
    {
        for (int h = 1; h <= top_; ++h)
            for (int round = 0; round < kRounds; ++round)
                for (const LoadColumn::Link& link : s_.links)
                    if (height_of(link, link.upper) == h && height_of(link, 1 - link.upper) < h) raise(link);
    }
    bool stands(const MixedContact& c, int side) const
    {
        for (int k = 0; k < 4; ++k)
            if (c.w[k] * sign(side) > kShare && height(c.point[k]) < 0) return false;
        return true;
    }
    void forget()
    {
        for (const int p : s_.known) s_.height[p] = -1;
        s_.known.clear();
    }

  private:
    static Real sign(int side) { return side == 0 ? Real(1) : Real(-1); }

    /// Where the load goes, and a cylinder around it.
    bool find_axis(int body)
    {
        up_ = middle_ = {};
        reach_ = 0;
        int count = 0;
        const auto for_each_point = [&](const auto& act) {
            for (const MixedContact& c : contacts_.mixed)
                for (int side = 0; side < 2; ++side)
                    if (c.body[side] == body && c.body[1 - side] < 0 && c.lambda > 0) act(c, side);
        };
        for_each_point([&](const MixedContact& c, int side) {
            up_ += sign(side) * c.lambda * c.n;
            for (int k = 0; k < 4; ++k)
                if (c.w[k] * sign(1 - side) > 0) middle_ += points_.now[c.point[k]].position(), ++count;
        });
        const Real length = up_.norm();
        if (count == 0 || !(length > 0)) return false;
        up_ = up_ / length;
        middle_ = middle_ / static_cast<Real>(count);
        for_each_point([&](const MixedContact& c, int side) {
            for (int k = 0; k < 4; ++k)
                if (c.w[k] * sign(1 - side) > 0) reach_ = std::max(reach_, from_axis(c.point[k]));
        });
        return true;
    }
    Real from_axis(int point) const
    {
        const Vec3 d = points_.now[point].position() - middle_;
        return (d - d.dot(up_) * up_).norm();
    }

    void list_links(Real reach)
    {
        s_.links.clear();
        for (int b = 0; b < static_cast<int>(contacts_.blocks.size()); ++b) {
            const PairContact& block = contacts_.blocks[b];
            for (int l = 0; l < kLanes; ++l) {
                if (!(block.inverse[l] > 0)) continue;
                const Real along = lane(block.n, l).dot(up_);
                if (std::abs(along) < kAligned || from_axis(block.point[0][l]) > reach) continue;
                s_.links.push_back({b, l, along > 0 ? 0 : 1});
            }
        }
    }

    int height(int point) const { return s_.height[point]; }
    void set_height(int point, int h)
    {
        s_.height[point] = h;
        s_.known.push_back(point);
    }
    /// What a point stands on does not give way.
    bool is_on_ground(int point) const
    {
        if (points_.now[point].w == 0) return true;
        if (point >= static_cast<int>(on_colliders_.of.size())) return false;
        const ParticleContact& touch = on_colliders_.of[point];
        return touch.collider >= 0 && touch.normal.dot(up_) > kAligned;
    }
    template <class Act>
    void for_each_corner(const LoadColumn::Link& link, int side, const Act& act) const
    {
        const PairContact& block = contacts_.blocks[link.block];
        for (int k = 0; k < 4; ++k)
            if (block.w[k][link.lane] * sign(side) > kShare) act(block.point[k][link.lane]);
    }
    /// The highest of its corners; -1 if one does not stand.
    int height_of(const LoadColumn::Link& link, int side) const
    {
        int highest = 0;
        for_each_corner(link, side,
                        [&](int p) { highest = highest < 0 || height(p) < 0 ? -1 : std::max(highest, height(p)); });
        return highest;
    }
    void stand_on_ground(int point)
    {
        if (height(point) < 0 && is_on_ground(point)) set_height(point, 0);
    }
    void stand(int body)
    {
        top_ = 0;
        for (const LoadColumn::Link& link : s_.links)
            for (int side = 0; side < 2; ++side) for_each_corner(link, side, [&](int p) { stand_on_ground(p); });
        for (const MixedContact& c : contacts_.mixed)
            for (int side = 0; side < 2; ++side)
                for (int k = 0; c.body[side] == body && c.body[1 - side] < 0 && k < 4; ++k)
                    if (c.w[k] * sign(1 - side) > 0) stand_on_ground(c.point[k]);
        for (bool again = true; again && top_ < kMaxHeight;) {
            again = false;
            for (const LoadColumn::Link& link : s_.links) {
                if (height_of(link, 1 - link.upper) != top_) continue;
                for_each_corner(link, link.upper, [&](int p) {
                    if (height(p) >= 0) return;
                    set_height(p, top_ + 1);
                    again = true;
                });
            }
            if (again) ++top_;
        }
    }

    /// Moves the upper side alone.
    void raise(const LoadColumn::Link& link)
    {
        PairContact& block = contacts_.blocks[link.block];
        const int l = link.lane;
        const Vec3 n = lane(block.n, l);
        Vec3 apart{};
        Real inverse_mass = 0;
        for (int k = 0; k < 4; ++k) {
            const Real w = block.w[k][l];
            const Point& p = points_.now[block.point[k][l]];
            apart += w * p.position();
            if (w * sign(link.upper) > 0) inverse_mass += w * w * p.w;
        }
        const Real missing = block.target[l] - n.dot(apart);
        if (!(missing > 0) || !(inverse_mass > 0)) return;
        for (int k = 0; k < 4; ++k) {
            const Real w = block.w[k][l];
            if (!(w * sign(link.upper) > 0)) continue;
            Point& p = points_.now[block.point[k][l]];
            const Vec3 x = p.position() + (missing / inverse_mass * w * p.w) * n;
            p = {x.x, x.y, x.z, p.w};
        }
    }

    const ParticleContacts& on_colliders_;
    PairContacts& contacts_;
    PairPoints& points_;
    LoadColumn& s_;
    Vec3 up_, middle_;
    Real reach_ = 0;
    int top_ = 0;
};

/// The side of a contact that is a rigid body much heavier than what it presses on; -1 for none.
int heavy_side(const MixedContact& c, const PairPoints& points, const RigidBodies& bodies)
{
    if (!(c.lambda > 0)) return -1;
    for (int side = 0; side < 2; ++side) {
        if (c.body[side] < 0 || c.body[1 - side] >= 0 || bodies.inv_mass[c.body[side]] == 0) continue;
        Real light = 0;
        for (int k = 0; k < 4; ++k)
            if (c.w[k] * (side == 0 ? 1 : -1) < 0) light += c.w[k] * c.w[k] * points.now[c.point[k]].w;
        if (light > kHeavy * bodies.inv_mass[c.body[side]]) return side;
    }
    return -1;
}

}  // namespace

void carry_loads(const ParticleContacts& on_colliders, double edge_length, PairContacts& contacts, PairPoints& points,
                 RigidBodies& bodies, LoadColumn& column)
{
    column.bodies.clear();
    for (const MixedContact& first : contacts.mixed) {
        const int side = heavy_side(first, points, bodies);
        if (side < 0 || std::ranges::find(column.bodies, first.body[side]) != column.bodies.end()) continue;
        const int body = first.body[side];
        column.bodies.push_back(body);
        Column below(on_colliders, contacts, points, column);
        if (below.find(body, static_cast<Real>(edge_length))) {
            below.raise();
            for (int round = 0; round < 2 * kRounds; ++round)
                for (const MixedContact& c : contacts.mixed)
                    for (int of = 0; of < 2; ++of)
                        if (c.body[of] == body && c.body[1 - of] < 0 && below.stands(c, 1 - of))
                            lift_body(c, of, points, bodies);
        }
        below.forget();
    }
}

}  // namespace pliant
