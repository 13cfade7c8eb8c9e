#pragma once
// Triangle clusters [SSBT08, section 3]: three outer corners each, shape-matched by the rotation in their own plane.
//
// A triangle in space and its rest shape are both laid flat with the first corner at the origin, the second on
// the first axis and the third above it. The best rotation between two flat triangles has a closed form, and a
// triangle in space cannot be inverted.

#include "pliant/geometry/mesh_edges.h"
#include "pliant/shape/points.h"

#include <array>
#include <span>
#include <vector>

namespace pliant {

/// The clusters of a mesh, each ascending, all in lexicographic order, no duplicates. Where a neighbour is missing,
/// both end points of the boundary edge take the place of its corner: the triangle's own third corner would be
/// collinear with the others.
std::vector<std::array<int, 3>> find_triangle_clusters(const SurfaceMesh& mesh, const MeshEdges& edges);

/// The rest shape of a cluster: laid flat, about its centre, with weights that add up to one.
template <class S>
struct FlatTriangle {
    S x[3], y[3];  // [m]
    S weight[3];   // mu / sum mu
};

/// A triangle in space laid flat: corners at (0, 0), (length, 0), (foot, height) along e1 and e2.
template <class S>
struct Layout {
    Vector3<S> e1, e2;
    S length, foot, height;  // [m]
};

template <class S>
struct TriangleMatch {
    S cosine, sine;        // of the rotation from the flat rest triangle to the flat current triangle
    Vector3<S> change[3];  // goal - x [m]
};

/// b1, b2: second and third corner relative to the first. Where the height is lost in rounding the plane is unknown:
/// `degenerate` is then true and e2 meaningless.
template <class S>
PLIANT_INLINE Layout<S> lay_flat(const Vector3<S>& b1, const Vector3<S>& b2)
{
    Layout<S> flat;
    flat.length = sqrt(b1.squared_norm());
    flat.e1 = (S(1) / flat.length) * b1;
    flat.foot = b2.dot(flat.e1);
    const Vector3<S> above = b2 - flat.foot * flat.e1;
    flat.height = sqrt(above.squared_norm());
    flat.e2 = (S(1) / flat.height) * above;
    return flat;
}

/// A triangle counts as collinear if height / length is below this.
template <class S>
inline constexpr double kFlatHeight = sizeof(Lane<S>) == 4 ? 1e-4 : 1e-9;

template <class S>
PLIANT_INLINE auto degenerate(const Layout<S>& flat)
{
    // Negated so that NaN, from two corners in one place, counts as degenerate too.
    return !(flat.height > S(kFlatHeight<S>) * max(flat.length, abs(flat.foot)));
}

/// The goals of a triangle: the rest shape about the same centre, rotated to the best fit. Both layouts have their
/// third corner above the axis, so the rotation needs no case for a reflection.
template <class S>
PLIANT_INLINE TriangleMatch<S> match_triangle(const FlatTriangle<S>& rest, const Layout<S>& flat)
{
    const S u2 = rest.weight[1] * flat.length, u3 = rest.weight[2] * flat.foot, v3 = rest.weight[2] * flat.height;
    const S c = u2 * rest.x[1] + u3 * rest.x[2] + v3 * rest.y[2];
    const S s = v3 * rest.x[2] - u2 * rest.y[1] - u3 * rest.y[2];
    const S squared = c * c + s * s;
    const S scale = S(1) / sqrt(squared);
    const auto turned = squared > S(0);  // the corners are not all in one place
    TriangleMatch<S> match;
    match.cosine = select(turned, scale * c, S(1));
    match.sine = select(turned, scale * s, S(0));
    const S px[3] = {S(0), flat.length, flat.foot}, py[3] = {S(0), S(0), flat.height};
    for (int i = 0; i < 3; ++i) {
        const S dx = u2 + u3 + match.cosine * rest.x[i] - match.sine * rest.y[i] - px[i];
        const S dy = v3 + match.sine * rest.x[i] + match.cosine * rest.y[i] - py[i];
        match.change[i] = dx * flat.e1 + dy * flat.e2;
    }
    return match;
}

/// A layout for collinear corners: in the plane perpendicular to `normal`, which need not be a unit vector; where
/// normal is parallel to the line, in any plane through the line. If all corners coincide the line is along
/// `direction`.
Layout<Real> lay_line(const Vec3& b1, const Vec3& b2, const Vec3& normal, const Vec3& direction);

/// Where the goals of each vertex are collected before it moves: M slots, one per cluster or swept fibre that it is in.
struct GoalSlots {
    std::vector<int> first;  // per vertex, and one past the end; one more slot after that is for padding lanes

    int count(int vertex) const { return first[vertex + 1] - first[vertex]; }  // M
    int size() const { return first.back() + 1; }
};

struct TriangleClusters {
    struct Group {  // eight clusters, one per SIMD lane
        IndexLanes corner[3];
        IndexLanes slot[3];  // where the goals go
        FlatTriangle<Lanes> rest;
    };
    struct Warp {  // its direction in the flat rest triangles of a group
        Lanes x, y;
    };
    std::vector<std::array<int, 3>> corners;  // per cluster
    std::vector<Group> groups;
    std::vector<Warp> warp;  // per group
};

/// Weights are mu per vertex. Slots are taken from `next`, the next free one of each vertex; padding lanes get
/// `padding_slot`.
TriangleClusters make_triangle_clusters(const SurfaceMesh& rest, std::vector<std::array<int, 3>> corners,
                                        std::span<const double> mu, const Vec3d& warp_axis, std::span<int> next,
                                        int padding_slot);

/// Factors of the goals' displacement along the warp, the weft, and for shear.
struct MatchFactors {
    Real warp = 1, weft = 1, shear = 1;
    bool equal() const { return warp == 1 && weft == 1 && shear == 1; }
};

/// Finds goal - x of all corners, `change` per slot. `before` are the positions at the start of the substep, from which
/// a cluster that is degenerate now takes its plane.
void match_triangles(const TriangleClusters& clusters, const MatchFactors& factors, std::span<const Point> points,
                     std::span<const Vec3> before, std::span<Point> change);

/// x += gain / M sum (goal - x) for all vertices that are not pinned.
void blend_goals(const GoalSlots& slots, std::span<const Point> change, Real gain, std::span<Point> points);

}  // namespace pliant
