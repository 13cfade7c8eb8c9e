#include "pliant/geometry/polygon.h"

#include <cstddef>
#include <numeric>

namespace pliant {

namespace {

/// The corners that are left, seen against the polygon's normal.
class Ring {
  public:
    explicit Ring(std::span<const Vec3d> corners) : corners_(corners), left_(corners.size())
    {
        std::iota(left_.begin(), left_.end(), 0);
        for (std::size_t i = 0; i < corners.size(); ++i) {  // twice the area: right for bent polygons too
            normal_ += (corners[i] - corners[0]).cross(corners[(i + 1) % corners.size()] - corners[0]);
        }
    }

    std::size_t size() const { return left_.size(); }

    std::array<int, 3> triangle(std::size_t i) const
    {
        return {left_[(i + size() - 1) % size()], left_[i], left_[(i + 1) % size()]};
    }

    void clip(std::size_t i) { left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(i)); }

    /// True if corner i can be cut off: it is convex, and no other corner is in the way.
    bool is_ear(std::size_t i) const
    {
        const auto [a, b, c] = triangle(i);
        if (turn(a, b, c) <= 0) return false;
        for (std::size_t k = 0; k < size(); ++k) {
            const auto [before, p, after] = triangle(k);
            if (p == a || p == b || p == c || turn(before, p, after) > 0) continue;  // only inward corners can be
            if (at(p) == at(a) || at(p) == at(b) || at(p) == at(c)) continue;
            if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0) return false;
        }
        return true;
    }

  private:
    const Vec3d& at(int i) const { return corners_[static_cast<std::size_t>(i)]; }
    double turn(int a, int b, int c) const { return normal_.dot((at(b) - at(a)).cross(at(c) - at(a))); }

    std::span<const Vec3d> corners_;
    std::vector<int> left_;
    Vec3d normal_;
};

}  // namespace

std::vector<std::array<int, 3>> cut_polygon(std::span<const Vec3d> corners)
{
    std::vector<std::array<int, 3>> triangles;
    if (corners.size() < 3) return triangles;
    Ring ring(corners);
    std::size_t i = 1;
    while (ring.size() > 3) {
        std::size_t tried = 0;
        while (tried < ring.size() && !ring.is_ear(i % ring.size())) {
            ++i;
            ++tried;
        }
        i %= ring.size();  // any corner will do if the polygon has no ear, being degenerate
        triangles.push_back(ring.triangle(i));
        ring.clip(i);
    }
    triangles.push_back(ring.triangle(1));
    return triangles;
}

}  // namespace pliant
