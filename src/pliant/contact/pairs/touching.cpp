#include "pliant/contact/pairs/touching.h"

#include "pliant/contact/pairs/crossings.h"
#include "pliant/contact/pairs/pair_kernels.h"

#include <algorithm>
#include <array>
#include <limits>
#include <span>

namespace pliant {

namespace {

constexpr Real kNearestCorner = Real(1e-4);  // weight above which a corner belongs to the nearest feature

/// One side of a pair: the vertex, edge or face that is nearest to the other. The faces around it, which have all of its
/// corners, are looked up and not stored: a step allocates nothing.
struct TouchingSide {
    int body = -1;
    int count = 0;                // corners
    std::array<int, 3> corner{};  // points of the feature

    std::span<const int> corners() const { return std::span(corner).first(static_cast<std::size_t>(count)); }
};

class TouchingPair {
  public:
    TouchingPair(PairKind kind, const ContactSurface& surface, const Stars& stars, const PairPoints& points,
                 PairBlock& block, int lane)
        : kind_(kind), surface_(surface), stars_(stars), points_(points), block_(block), lane_(lane)
    {
        Real largest = 0;
        for (int k = 0; k < 4; ++k)
            for (int axis = 0; axis < 3; ++axis)
                largest = std::max(largest, std::abs(place(block.point[k][lane])[axis] + points.origin[axis]));
        tolerance_ = rounding_of_places(largest);
    }

    void set_normal()
    {
        if (!(block_.gap[lane_] < tolerance_)) return;
        const int first = kind_ == PairKind::vertex_triangle ? 1 : 2;  // points of the first side
        sides_[0] = side_of_pair(0, first);
        sides_[1] = side_of_pair(first, 4);
        if (sides_[0].body < 0 || sides_[1].body < 0 || sides_[0].body == sides_[1].body) return;
        if (is_closed(0) || is_closed(1)) {
            for (const int side : {1, 0})
                if (is_closed(side)) try_faces(side);
        } else if (block_.gap[lane_] == 0) {
            try_faces(sides_[0].body < sides_[1].body ? 0 : 1);
        }
        if (best_ >= -tolerance_) use(normal_);
    }

  private:
    Vec3 place(int point) const { return points_.start[point].position(); }
    bool is_closed(int side) const { return stars_.closed[sides_[side].body] != 0; }

    TouchingSide side_of_pair(int begin, int end) const
    {
        TouchingSide side;
        for (int k = begin; k < end; ++k)
            if (std::abs(block_.w[k][lane_]) > kNearestCorner)
                side.corner[static_cast<std::size_t>(side.count++)] = block_.point[k][lane_];
        if (side.count == 0 || stars_.edges_at(side.corner[0]).empty()) return side;  // weights that are not finite
        side.body = surface_.edges[stars_.edges_at(side.corner[0])[0]].body;
        return side;
    }
    /// Calls visit(face) for the faces around the feature of a side.
    template <class Visit>
    void for_each_face(const TouchingSide& side, const Visit& visit) const
    {
        for (const int t : stars_.triangles_at(side.corner[0])) {
            const auto& face = surface_.triangles[t].point;
            if (std::ranges::all_of(side.corners(), [&](int p) { return std::ranges::count(face, p) > 0; }))
                visit(face);
        }
    }

    /// The normals of the faces of a side, turned from the second side to the first.
    void try_faces(int side)
    {
        for_each_face(sides_[side], [&](const std::array<int, 3>& face) {
            const auto& [a, b, c] = face;
            const Vec3 across = (place(b) - place(a)).cross(place(c) - place(a));
            const Real length = across.norm();
            if (!(length > 0)) return;
            const Vec3 n = (side == 1 ? Real(1) : Real(-1)) / length * across;
            const Real clearance = clearance_of_stars(n);
            if (!(clearance > best_)) return;
            best_ = clearance;
            normal_ = n;
        });
    }
    Real clearance_of_stars(const Vec3& n) const
    {
        return -furthest_along(-n, sides_[0]) - furthest_along(n, sides_[1]);
    }
    /// Of the corners of a feature and of the faces around it.
    Real furthest_along(const Vec3& n, const TouchingSide& side) const
    {
        Real furthest = -std::numeric_limits<Real>::max();
        const auto look_at = [&](int p) { furthest = std::max(furthest, n.dot(place(p))); };
        std::ranges::for_each(side.corners(), look_at);
        for_each_face(side, [&](const std::array<int, 3>& face) { std::ranges::for_each(face, look_at); });
        return furthest;
    }

    void use(const Vec3& n)
    {
        Vec3 x[4], apart{};
        for (int k = 0; k < 4; ++k) {
            x[k] = place(block_.point[k][lane_]);
            apart += block_.w[k][lane_] * x[k];
        }
        set_lane(block_.n, lane_, n);
        block_.gap.set(lane_, n.dot(apart));
        block_.clearance.set(lane_, kind_ == PairKind::vertex_triangle ? clearance<PairKind::vertex_triangle>(n, x)
                                                                       : clearance<PairKind::edge_edge>(n, x));
    }

    PairKind kind_;
    const ContactSurface& surface_;
    const Stars& stars_;
    const PairPoints& points_;
    PairBlock& block_;
    int lane_;
    Real tolerance_ = 0;  // [m]
    TouchingSide sides_[2];
    Real best_ = -std::numeric_limits<Real>::max();  // clearance of the stars along normal_ [m]
    Vec3 normal_;
};

}  // namespace

void set_touching_normals(PairKind kind, const ContactSurface& surface, const Stars& stars, const PairPoints& points,
                          PairBlock& block)
{
    for (int l = 0; l < kLanes; ++l)
        if (block.distance[l] > 0) TouchingPair(kind, surface, stars, points, block, l).set_normal();
}

}  // namespace pliant
