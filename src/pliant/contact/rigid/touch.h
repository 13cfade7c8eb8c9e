#pragma once
// Where a rigid body touches a collider, or is about to.

#include "pliant/contact/colliders/colliders.h"
#include "pliant/state/rigid_bodies.h"

#include <array>

namespace pliant {

struct Touch {
    Vec3 point;   // on the surface of the body [m]
    Vec3 normal;  // of the collider, outwards
    Real depth;   // of the point inside the collider; negative: not yet [m]
};

/// A few touches of one body with one collider; what is more than it holds is left out.
class Touches {
  public:
    static constexpr int kMost = 32;

    void clear() { count_ = 0; }
    void add(const Touch& touch)
    {
        if (count_ < kMost) touches_[static_cast<std::size_t>(count_++)] = touch;
    }
    const Touch* begin() const { return touches_.data(); }
    const Touch* end() const { return begin() + count_; }

  private:
    std::array<Touch, kMost> touches_;
    int count_ = 0;
};

/// Adds the touches that are deeper than -margin, so many and so placed that they hold the body:
///
///   sphere, capsule, box, cylinder against plane   ends, corners, or the lowest points of the rims
///   any of these against sphere and capsule        nearest points of the two; exact
///   box against box                                clipped faces, or the two edges that meet (box_box.h)
///   capsule, cylinder against box                  deepest points of pieces of their lines, and corners of the box
///   any of these against mesh                      ends, corners, deepest points of edges and rims, and the vertices of
///                                                  the mesh that face the body
///   mesh against any                               its vertices
///
/// Of the vertices of a mesh, in each of 24 directions from the centre of the body the deepest. A body with a mesh does
/// not see a collider that is smaller than its triangles.
void find_touches(const RigidShape& shape, const Pose& pose, const Collider& collider, const ColliderPose& at,
                  Real margin, Touches& touches);

}  // namespace pliant
