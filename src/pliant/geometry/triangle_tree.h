#pragma once
// The triangles of a mesh that does not change, in a tree: which are near a box, how far the nearest is, what is inside.

#include "pliant/geometry/box_tree.h"
#include "pliant/geometry/distance.h"
#include "pliant/geometry/mesh.h"

#include <array>
#include <vector>

namespace pliant {

class TriangleTree {
  public:
    TriangleTree() = default;
    /// Places are relative to `middle`.
    TriangleTree(const SurfaceMesh& mesh, const Vec3d& middle);

    std::array<Vec3, 3> corners(int triangle) const
    {
        const auto& eight = eights_[triangle / kLanes];
        const int l = triangle % kLanes;
        return {lane(eight[0], l), lane(eight[1], l), lane(eight[2], l)};
    }
    /// Calls found(triangle) for each whose box overlaps another.
    template <class Found>
    void find(const Box& box, Found&& found) const
    {
        tree_.find(box, 0, found);
    }
    /// From the nearest triangle. `likely`: eight triangles to look at first, updated to those with the nearest.
    Real distance(const Vec3& p, int& likely) const;
    /// The nearest point of the triangles, no further than `bound`; outside and inside by their winding number.
    SurfacePoint nearest(const Vec3& p, Real bound) const;
    /// Whether the triangles wind around p.
    bool is_inside(const Vec3& p) const;

  private:
    BoxTree tree_;
    std::vector<std::array<Vector3<Lanes>, 3>> eights_;  // corners, along a curve [m]; the last triangle is repeated
};

}  // namespace pliant
