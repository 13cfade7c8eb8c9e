#pragma once
// A segment and a triangle: on which sides of each other they are. Exact for the given coordinates: where rounding could
// change a sign, it is computed with more digits.

#include "pliant/math/types.h"

namespace pliant {

/// The sign of the volume of the tetrahedron a, b, c, d (the predicate "orient3d"); 0 for four points of one plane. In double
/// a volume below the rounding of quadruple precision counts as zero.
template <class S>
int side_of(const Vector3<S>& a, const Vector3<S>& b, const Vector3<S>& c, const Vector3<S>& d);
extern template int side_of(const Vector3<float>&, const Vector3<float>&, const Vector3<float>&, const Vector3<float>&);
extern template int side_of(const Vec3d&, const Vec3d&, const Vec3d&, const Vec3d&);

/// A segment from p to q and a triangle a, b, c.
struct CrossingSigns {
    int end[2];   // sides of the triangle's plane that p and q are on
    int side[3];  // on which side the line through p and q passes ab, bc and ca

    /// They have no point in common, or they are coplanar.
    bool are_apart() const;
    /// The segment passes through the inside of the triangle.
    bool are_strict() const;
};

/// What is nearer than `tolerance` [m] to a plane or a line counts as on it; with 0 the signs are exact.
CrossingSigns crossing_signs(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c,
                             Real tolerance = 0);

/// Whether the segment from p to q passes through the inside of the triangle a, b, c. Touching is not enough: an end on
/// the triangle, or a point of its border.
template <class S>
bool crosses(const Vector3<S>& p, const Vector3<S>& q, const Vector3<S>& a, const Vector3<S>& b, const Vector3<S>& c)
{
    if (side_of(a, b, c, p) * side_of(a, b, c, q) >= 0) return false;
    const int side = side_of(p, q, a, b);
    return side != 0 && side_of(p, q, b, c) == side && side_of(p, q, c, a) == side;
}

}  // namespace pliant
