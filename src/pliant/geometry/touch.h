#pragma once
// Where a body touches an obstacle, or is about to (the narrow phase of rigid contact).

#include "pliant/geometry/shape_distance.h"

#include <array>

namespace pliant {

struct Touch {
    Vec3 point;   // on the surface of the body [m]
    Vec3 normal;  // of the obstacle, outwards
    Real depth;   // penetration: of the point inside the obstacle; negative: not yet [m]
};

/// A few touches of one body with one obstacle (a contact manifold); touches beyond its capacity are left out.
class Touches {
  public:
    static constexpr int kMax = 32;

    void clear() { count_ = 0; }
    void add(const Touch& touch)
    {
        if (count_ < kMax) touches_[static_cast<std::size_t>(count_++)] = touch;
    }
    const Touch* begin() const { return touches_.data(); }
    const Touch* end() const { return begin() + count_; }

  private:
    std::array<Touch, kMax> touches_;
    int count_ = 0;
};

/// Adds the touches that are deeper than -margin: enough of them, and placed so that they support the body:
///
///   sphere, capsule, box, cylinder against plane   ends, corners, or the lowest points of the rims
///   any of these against sphere and capsule        nearest points of the two; exact
///   box against box                                clipped faces, or the two edges that meet (box_box.h)
///   capsule, cylinder against box                  deepest points of pieces of their lines, and corners of the box
///   any of these against cylinder                  the same, points of its rims, and the line of it that is nearest
///   any of these against mesh                      ends, corners, deepest points of edges and rims, and the vertices of
///                                                  the mesh that face the body
///   mesh against any                               its vertices
///
/// Of the vertices of a mesh, the deepest in each of 24 directions from the centre of the body. A body with a mesh does
/// not see an obstacle that is smaller than its triangles.
void find_touches(const Shape& body, const ShapePose& pose, const Shape& obstacle, const ShapePose& at, Real margin,
                  Touches& touches);

}  // namespace pliant
