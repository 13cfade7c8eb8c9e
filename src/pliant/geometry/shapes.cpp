#include "pliant/geometry/shapes.h"

#include "pliant/base/check.h"
#include "pliant/base/message.h"
#include "pliant/geometry/shape_checks.h"
#include "pliant/math/trigonometry.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <unordered_map>

namespace pliant {

namespace {

constexpr double kPi = std::numbers::pi;

int rounded(double value, int least)
{
    return static_cast<int>(std::clamp(std::floor(value + 0.5), 1.0 * least, 1.0 * kMaxDivisions));
}

/// Where line i of n divisions cuts [-1, 1]: symmetric to the bit, and exact at both ends.
double cut_at(int i, int n) { return (2.0 * i - n) / n; }

struct Point2 {
    double x, y;
};

/// (cos, sin) of k / n of a turn, 0 <= k <= n. Folded into one eighth of a turn by integers: the circle is symmetric to
/// the bit.
Point2 on_circle(int k, int n)
{
    const int eighth = (8 * k / n) % 8;
    const int part = k == n ? 0 : 8 * k - eighth * n;  // of n, within that eighth
    const int folded = eighth % 2 == 0 ? part : n - part;
    const double c = sin_cos_degrees(45.0 * folded / n).cos;
    const double s = folded == n ? c : sin_cos_degrees(45.0 * folded / n).sin;  // the same at 45 degrees
    switch (eighth) {
        case 0: return {c, s};
        case 1: return {s, c};
        case 2: return {-s, c};
        case 3: return {-c, s};
        case 4: return {-c, -s};
        case 5: return {-s, -c};
        case 6: return {s, -c};
        default: return {c, -s};
    }
}

enum class Cut { kAC, kBD };

Cut alternating(int cell) { return cell % 2 == 0 ? Cut::kAC : Cut::kBD; }

/// Two triangles for the quadrilateral a b c d.
void add_quad(int a, int b, int c, int d, Cut cut, SurfaceMesh& mesh)
{
    if (cut == Cut::kAC) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
    } else {
        mesh.triangles.push_back({a, b, d});
        mesh.triangles.push_back({b, c, d});
    }
}

/// The surface of the cube [-1, 1]^3 with n x n cells a face. Diagonals run away from the middle of each face, so that
/// the cube's corners have six triangles like every other vertex, and the mesh is its own mirror image for even n.
SurfaceMesh make_unit_cube(int n)
{
    SurfaceMesh cube;
    std::unordered_map<std::int64_t, int> numbers;  // of the lattice points met so far; never iterated
    const auto vertex = [&](const std::array<int, 3>& at) {
        const std::int64_t key = (static_cast<std::int64_t>(at[0]) * (n + 1) + at[1]) * (n + 1) + at[2];
        const auto [entry, is_new] = numbers.try_emplace(key, static_cast<int>(cube.vertices.size()));
        if (is_new) cube.vertices.push_back({cut_at(at[0], n), cut_at(at[1], n), cut_at(at[2], n)});
        return entry->second;
    };
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const int side : {0, n}) {
            // u, v and the outward normal are right-handed
            const std::size_t u = (axis + (side == n ? 1 : 2)) % 3, v = (axis + (side == n ? 2 : 1)) % 3;
            const auto corner = [&](int i, int j) {
                std::array<int, 3> at{};
                at[axis] = side;
                at[u] = i;
                at[v] = j;
                return vertex(at);
            };
            for (int i = 0; i < n; ++i) {
                for (int j = 0; j < n; ++j) {
                    const Cut cut = (2 * i + 1 - n) * (2 * j + 1 - n) >= 0 ? Cut::kAC : Cut::kBD;
                    // one after the other: as arguments they would be numbered in an order of the compiler's choice
                    const int d = corner(i, j + 1), c = corner(i + 1, j + 1), b = corner(i + 1, j), a = corner(i, j);
                    add_quad(a, b, c, d, cut, cube);
                }
            }
        }
    }
    return cube;
}

enum class Profile { kOpen, kClosed };  // closed: the last point joins the first

/// Turns a profile, x = distance from the axis, about the y axis. The outside is to the right of its direction. A point
/// on the axis becomes one vertex.
SurfaceMesh revolve(const std::vector<Point2>& profile, Profile kind, int around)
{
    SurfaceMesh mesh;
    std::vector<int> first;  // per profile point: its first vertex
    for (const Point2& p : profile) {
        first.push_back(static_cast<int>(mesh.vertices.size()));
        const int copies = p.x == 0 ? 1 : around;
        for (int k = 0; k < copies; ++k) {
            const Point2 direction = on_circle(k, around);
            mesh.vertices.push_back({p.x * direction.y, p.y, p.x * direction.x});
        }
    }
    const auto vertex = [&](std::size_t i, int k) { return first[i] + (profile[i].x == 0 ? 0 : k % around); };

    const std::size_t bands = kind == Profile::kClosed ? profile.size() : profile.size() - 1;
    for (std::size_t i = 0; i < bands; ++i) {
        const std::size_t next = (i + 1) % profile.size();
        for (int k = 0; k < around; ++k) {
            const int a = vertex(i, k), b = vertex(i, k + 1), c = vertex(next, k + 1), d = vertex(next, k);
            if (a == b) mesh.triangles.push_back({a, c, d});
            else if (c == d) mesh.triangles.push_back({a, b, c});
            else add_quad(a, b, c, d, alternating(static_cast<int>(i) + k), mesh);
        }
    }
    return mesh;
}

}  // namespace

SurfaceMesh make_box(const Vec3d& size, int divisions)
{
    check_size(size.x, "box", "size x");
    check_size(size.y, "box", "size y");
    check_size(size.z, "box", "size z");
    check_divisions(divisions, 1, "box");
    SurfaceMesh box = make_unit_cube(divisions);
    for (Vec3d& p : box.vertices) p = {0.5 * size.x * p.x, 0.5 * size.y * p.y, 0.5 * size.z * p.z};
    return box;
}

SurfaceMesh make_sphere(double radius, int divisions)
{
    check_size(radius, "sphere", "radius");
    check_divisions(divisions, 1, "sphere");
    SurfaceMesh sphere = make_unit_cube(divisions);
    for (Vec3d& p : sphere.vertices) {
        // The smooth map of the cube onto the sphere that keeps cells nearly alike:
        // x' = x sqrt(1 - y^2/2 - z^2/2 + y^2 z^2/3), and so on in a circle; |x'| = 1.
        const double xx = p.x * p.x, yy = p.y * p.y, zz = p.z * p.z;
        p = radius * Vec3d{p.x * std::sqrt(1 - (yy + zz) / 2 + yy * zz / 3),
                           p.y * std::sqrt(1 - (zz + xx) / 2 + zz * xx / 3),
                           p.z * std::sqrt(1 - (xx + yy) / 2 + xx * yy / 3)};
    }
    return sphere;
}

SurfaceMesh make_cylinder(double radius, double height, int divisions)
{
    check_size(radius, "cylinder", "radius");
    check_size(height, "cylinder", "height");
    check_divisions(divisions, 3, "cylinder");
    const double cell = 2 * kPi * radius / divisions;
    const int rings = rounded(radius / cell, 1), floors = rounded(height / cell, 1);

    std::vector<Point2> profile;
    for (int i = 0; i < rings; ++i) profile.push_back({radius * i / rings, -height / 2});
    for (int i = 0; i <= floors; ++i) profile.push_back({radius, height / 2 * cut_at(i, floors)});
    for (int i = rings - 1; i >= 0; --i) profile.push_back({radius * i / rings, height / 2});
    return revolve(profile, Profile::kOpen, divisions);
}

SurfaceMesh make_capsule(double radius, double height, int divisions)
{
    check_size(radius, "capsule", "radius");
    check_size(height, "capsule", "height");
    check_divisions(divisions, 4, "capsule");
    const int quarter = std::max(1, divisions / 4), floors = rounded(height * divisions / (2 * kPi * radius), 1);

    std::vector<Point2> profile;
    for (int i = 0; i < quarter; ++i) {
        const Point2 p = on_circle(i, 4 * quarter);  // from the pole: (cos, sin) trade places
        profile.push_back({radius * p.y, -height / 2 - radius * p.x});
    }
    for (int i = 0; i <= floors; ++i) profile.push_back({radius, height / 2 * cut_at(i, floors)});
    for (int i = quarter - 1; i >= 0; --i) {
        const Point2 p = on_circle(i, 4 * quarter);
        profile.push_back({radius * p.y, height / 2 + radius * p.x});
    }
    return revolve(profile, Profile::kOpen, divisions);
}

SurfaceMesh make_torus(double major, double minor, int divisions)
{
    check_size(major, "torus", "major radius");
    check_size(minor, "torus", "minor radius");
    check_divisions(divisions, 3, "torus");
    if (minor >= major) {
        throw InputError(
            message("torus: minor radius {} is not below major radius {}, so the tube would meet "
                    "itself; make it thinner or the ring wider",
                    minor, major));
    }
    const int tube = rounded(divisions * minor / major, 6);
    std::vector<Point2> profile;
    for (int i = 0; i < tube; ++i) {
        const Point2 p = on_circle(i, tube);
        profile.push_back({major + minor * p.x, minor * p.y});
    }
    return revolve(profile, Profile::kClosed, divisions);
}

SurfaceMesh make_grid(double size_x, double size_z, int nx, int nz)
{
    check_size(size_x, "grid", "size x");
    check_size(size_z, "grid", "size z");
    check_divisions(nx, 1, "grid");
    check_divisions(nz, 1, "grid");
    SurfaceMesh grid;
    for (int j = 0; j <= nz; ++j) {
        for (int i = 0; i <= nx; ++i) {
            grid.vertices.push_back({size_x / 2 * cut_at(i, nx), 0, size_z / 2 * cut_at(j, nz)});
        }
    }
    const auto vertex = [nx](int i, int j) { return j * (nx + 1) + i; };
    for (int j = 0; j < nz; ++j) {
        for (int i = 0; i < nx; ++i) {
            // x towards z turns about -y, so the counter-clockwise order from above starts along z
            add_quad(vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1), vertex(i + 1, j), alternating(i + j), grid);
        }
    }
    return grid;
}

}  // namespace pliant
