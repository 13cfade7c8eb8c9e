#include "pliant/geometry/distance_field.h"

#include "pliant/base/check.h"
#include "pliant/base/message.h"
#include "pliant/base/parallel.h"
#include "pliant/geometry/scan.h"
#include "pliant/geometry/triangle_tree.h"
#include "pliant/math/portable.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr double kUsualCells = 64;     // along the longest side
constexpr double kMarginShare = 0.25;  // of the longest side
constexpr Real kFlat = Real(0.05);     // slope below which it gives no direction out of the surface
constexpr int kSweepsFromOutside = 2;  // iterations for a point beyond the grid

double longest_side(const SurfaceMesh& mesh)
{
    const Vec3d extent = bounding_box(mesh.vertices).extent();
    return std::max({extent.x, extent.y, extent.z});
}

/// Points along each axis: the surface and a margin around it.
std::array<int, 3> grid_size(const SurfaceMesh& mesh, double voxel)
{
    const Vec3d extent = bounding_box(mesh.vertices).extent();
    const double longest = longest_side(mesh);
    const double beyond = std::max(2.0, std::ceil(kMarginShare * longest / voxel));
    double points = 1;
    for (int axis = 0; axis < 3; ++axis) points *= std::ceil(extent[axis] / voxel) + 2 * beyond + 1;
    if (!(points <= kMostPoints))
        throw InputError(
            message("a voxel of {:.3g} m makes a grid of {:.3g} points, and {:.3g} are the most; use {:.2g} m "
                    "or more",
                    voxel, points, kMostPoints, 1.05 * voxel * portable::cbrt(points / kMostPoints)));
    std::array<int, 3> size{};
    for (int axis = 0; axis < 3; ++axis)
        size[static_cast<std::size_t>(axis)] = static_cast<int>(std::ceil(extent[axis] / voxel) + 2 * beyond) + 1;
    return size;
}

void find_distances(const SurfaceMesh& mesh, const Grid& grid, DistanceField& field)
{
    const TriangleTree triangles(mesh, grid.center);
    parallel_for(field.size[2], 1, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            int near_row = 0;  // each point starts from the triangle that was nearest to the point before
            for (int j = 0; j < field.size[1]; ++j) {
                int near = near_row;
                for (int i = 0; i < field.size[0]; ++i) {
                    field.distance[field.index(i, j, k)] =
                        triangles.distance((grid.point(i, j, k) - grid.center).cast<Real>(), near);
                    if (i == 0) near_row = near;
                }
            }
        }
    });
}

/// The eight points around a place inside the grid, and where it is between them.
struct Cell {
    std::array<Real, 8> corner;
    Vec3 at;  // 0 to 1 along each axis

    Cell(const DistanceField& field, const Vec3& p)
    {
        const Vec3 u = (p - field.low) / field.voxel;
        std::array<int, 3> first{};
        for (int axis = 0; axis < 3; ++axis) {
            const auto n = static_cast<std::size_t>(axis);
            // In this order what is not a number counts as 0.
            first[n] = static_cast<int>(std::min(static_cast<Real>(field.size[n] - 2), std::max(Real(0), u[axis])));
            at[axis] = u[axis] - static_cast<Real>(first[n]);
        }
        for (int k = 0; k < 8; ++k)
            corner[static_cast<std::size_t>(k)] =
                field.distance[field.index(first[0] + (k & 1), first[1] + (k >> 1 & 1), first[2] + (k >> 2))];
    }

    static Real mix(Real a, Real b, Real t) { return a + t * (b - a); }

    Real value() const
    {
        const auto& c = corner;
        return mix(mix(mix(c[0], c[1], at.x), mix(c[2], c[3], at.x), at.y),
                   mix(mix(c[4], c[5], at.x), mix(c[6], c[7], at.x), at.y), at.z);
    }

    /// The gradient of the value, per voxel.
    Vec3 gradient() const
    {
        const auto& c = corner;
        return {mix(mix(c[1] - c[0], c[3] - c[2], at.y), mix(c[5] - c[4], c[7] - c[6], at.y), at.z),
                mix(mix(c[2] - c[0], c[3] - c[1], at.x), mix(c[6] - c[4], c[7] - c[5], at.x), at.z),
                mix(mix(c[4] - c[0], c[5] - c[1], at.x), mix(c[6] - c[2], c[7] - c[3], at.x), at.y)};
    }
};

Vec3 high_of(const DistanceField& field)
{
    return field.low + field.voxel * Vec3{static_cast<Real>(field.size[0] - 1), static_cast<Real>(field.size[1] - 1),
                                          static_cast<Real>(field.size[2] - 1)};
}

/// On the medial axis the slope vanishes; one cell further along each axis it does not.
Vec3 any_way_out(const DistanceField& field, const Vec3& p, Real value)
{
    Vec3 ahead;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3 q = p;
        q[axis] += Real(1.5) * field.voxel;
        ahead[axis] = Cell(field, q).value() - value;
    }
    const Real length = ahead.norm();
    return length > kFlat * field.voxel ? ahead / length : Vec3{0, 1, 0};
}

/// Inside the grid.
SurfacePoint sample(const DistanceField& field, const Vec3& p)
{
    const Cell cell(field, p);
    const Real value = cell.value();
    const Vec3 gradient = cell.gradient();
    const Real length = gradient.norm();
    return {value, length > kFlat * field.voxel ? gradient / length : any_way_out(field, p, value)};
}

}  // namespace

DistanceField make_distance_field(const SurfaceMesh& mesh, double voxel)
{
    check_solid(mesh);
    if (voxel == 0) voxel = longest_side(mesh) / kUsualCells;
    if (!(voxel > 0)) throw InputError(message("a voxel of {} m; it must be positive", voxel));
    DistanceField field;
    field.voxel = static_cast<Real>(voxel);
    field.size = grid_size(mesh, voxel);
    const auto& [nx, ny, nz] = field.size;
    const Grid grid{bounding_box(mesh.vertices).center(), {GridAxis{voxel, nx}, {voxel, ny}, {voxel, nz}}};
    field.low = grid.point(0, 0, 0).cast<Real>();
    field.distance.resize(field.index(0, 0, nz));

    find_distances(mesh, grid, field);
    for (const Run& run : scan_inside(mesh, grid))
        for (int k = run.first; k < run.last; ++k) field.distance[field.index(run.i, run.j, k)] *= -1;
    return field;
}

SurfacePoint nearest_on_field(const DistanceField& field, const Vec3& p)
{
    const Vec3 low = field.low, high = high_of(field);
    Vec3 q;
    for (int axis = 0; axis < 3; ++axis) q[axis] = std::min(high[axis], std::max(low[axis], p[axis]));
    SurfacePoint s = sample(field, q);
    if (q == p) return s;

    // Beyond the grid: from the nearest point of q straight to p, and again from where that leaves the grid.
    for (int round = 0; round < kSweepsFromOutside; ++round) {
        const Vec3 on = q - s.distance * s.normal, d = p - on;
        Real t = 1;
        for (int axis = 0; axis < 3; ++axis) {
            if (p[axis] > high[axis]) t = std::min(t, (high[axis] - on[axis]) / d[axis]);
            if (p[axis] < low[axis]) t = std::min(t, (low[axis] - on[axis]) / d[axis]);
        }
        q = on + t * d;
        s = sample(field, q);
    }
    const Vec3 d = p - (q - s.distance * s.normal);
    const Real length = d.norm();
    return {length, d / length};
}

}  // namespace pliant
