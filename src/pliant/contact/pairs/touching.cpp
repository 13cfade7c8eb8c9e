#include "pliant/contact/pairs/touching.h"

#include "pliant/contact/pairs/crossings.h"
#include "pliant/contact/pairs/pair_kernels.h"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace pliant {

namespace {

constexpr Real kNearestCorner = Real(1e-4);  // weight above which a corner belongs to the nearest feature

/// One side of a pair: the vertex, edge or face that is nearest to the other, and the faces around it.
struct TouchingSide {
    int body = -1;
    std::vector<int> points;                // of the feature and of the faces
    std::vector<std::array<int, 3>> faces;  // those that have all corners of the feature
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
        TouchingSide star;
        for (int k = begin; k < end; ++k)
            if (std::abs(block_.w[k][lane_]) > kNearestCorner) star.points.push_back(block_.point[k][lane_]);
        const std::vector<int> corners = star.points;
        if (corners.empty() || stars_.edges_at(corners[0]).empty()) return star;  // nowhere: it is not finite
        for (const int t : stars_.triangles_at(corners[0])) {
            const auto& face = surface_.triangles[t].point;
            if (!std::ranges::all_of(corners, [&](int p) { return std::ranges::count(face, p) > 0; })) continue;
            star.faces.push_back(face);
            star.points.insert(star.points.end(), face.begin(), face.end());
        }
        star.body = surface_.edges[stars_.edges_at(corners[0])[0]].body;
        return star;
    }

    /// The normals of the faces of a side, turned from the second side to the first.
    void try_faces(int side)
    {
        for (const auto& [a, b, c] : sides_[side].faces) {
            const Vec3 across = (place(b) - place(a)).cross(place(c) - place(a));
            const Real length = across.norm();
            if (!(length > 0)) continue;
            const Vec3 n = (side == 1 ? Real(1) : Real(-1)) / length * across;
            const Real clearance = clearance_of_stars(n);
            if (!(clearance > best_)) continue;
            best_ = clearance;
            normal_ = n;
        }
    }
    Real clearance_of_stars(const Vec3& n) const
    {
        const auto along = [&](int p) { return n.dot(place(p)); };
        return along(*std::ranges::min_element(sides_[0].points, {}, along)) -
               along(*std::ranges::max_element(sides_[1].points, {}, along));
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
