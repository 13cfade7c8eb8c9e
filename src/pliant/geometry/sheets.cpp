#include "pliant/geometry/sheets.h"

#include "pliant/base/check.h"
#include "pliant/base/message.h"
#include "pliant/geometry/mesh_edges.h"
#include "pliant/geometry/shape_checks.h"
#include "pliant/geometry/shapes.h"
#include "pliant/math/trigonometry.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <random>
#include <vector>

namespace pliant {

namespace {

constexpr double kMaxJitter = 0.45;  // below half a cell neighbours cannot meet, and the cells stay a proper grid

void check_rectangle(double size_x, double size_z, int nx, int nz)
{
    check_size(size_x, "sheet", "size x");
    check_size(size_z, "sheet", "size z");
    check_divisions(nx, 1, "sheet", "divisions x");
    check_divisions(nz, 1, "sheet", "divisions z");
}

/// Twice the area of a triangle in the plane y = 0; positive if it faces +y.
double twice_area(const Vec3d& a, const Vec3d& b, const Vec3d& c)
{
    return (b.z - a.z) * (c.x - a.x) - (b.x - a.x) * (c.z - a.z);
}

/// The number of a corner's neighbour in the triangle's turn.
int next(int corner) { return corner == 2 ? 0 : corner + 1; }

/// Flips edges until no triangle's circle holds a neighbour's far corner: the Delaunay triangulation, by Lawson's flips.
/// Edges to look at wait on a stack, named by a triangle and its corner opposite to them. A flip renames edges, but it
/// also puts all edges around it back onto the stack, so none is forgotten.
class DelaunayFlips {
  public:
    explicit DelaunayFlips(SurfaceMesh& mesh) : p_(mesh.vertices), triangles_(mesh.triangles)
    {
        const MeshEdges found = find_edges(mesh);
        across_.resize(triangles_.size());
        for (int t = 0; t < static_cast<int>(triangles_.size()); ++t) {
            for (int corner = 0; corner < 3; ++corner) {
                const std::array<int, 2>& both = found.edges[found.of_triangle[t][corner]].triangle;
                across_[t][corner] = both[0] == t ? both[1] : both[0];
                waiting_.push_back({t, corner});
            }
        }
    }

    void run()
    {
        while (!waiting_.empty()) {
            const auto [t, corner] = waiting_.back();
            waiting_.pop_back();
            const int other = across_[t][corner];
            if (other < 0) continue;
            const int far = corner_opposite_to(t, other);
            if (is_in_circle(triangles_[t], p_[triangles_[other][far]])) flip(t, corner, other, far);
        }
    }

  private:
    struct Side {
        int triangle, corner;
    };

    /// The corner of `other` that is opposite to the edge it shares with t.
    int corner_opposite_to(int t, int other) const
    {
        const std::array<int, 3>& around = across_[other];
        return around[0] == t ? 0 : around[1] == t ? 1 : 2;
    }

    /// By more than rounding, so that four corners on a circle keep the diagonal they have.
    bool is_in_circle(const std::array<int, 3>& t, const Vec3d& q) const
    {
        const Vec3d a = p_[t[0]] - q, b = p_[t[1]] - q, c = p_[t[2]] - q;
        const double aa = a.squared_norm(), bb = b.squared_norm(), cc = c.squared_norm();
        const double inside =
            aa * (b.z * c.x - b.x * c.z) + bb * (c.z * a.x - c.x * a.z) + cc * (a.z * b.x - a.x * b.z);
        const double largest = std::max({aa, bb, cc});
        return inside > 1e-12 * largest * largest;
    }

    /// Triangles (p a b) and (q b a) become (p a q) and (q b p).
    void flip(int t, int corner, int other, int far)
    {
        const int p = triangles_[t][corner], a = triangles_[t][next(corner)], b = triangles_[t][next(next(corner))];
        const int q = triangles_[other][far];
        const int across_pa = across_[t][next(next(corner))], across_bp = across_[t][next(corner)];
        const int across_qb = across_[other][next(next(far))], across_aq = across_[other][next(far)];
        triangles_[t] = {p, a, q};
        across_[t] = {across_aq, other, across_pa};
        triangles_[other] = {q, b, p};
        across_[other] = {across_bp, t, across_qb};
        if (across_aq >= 0) across_[across_aq][corner_opposite_to(other, across_aq)] = t;
        if (across_bp >= 0) across_[across_bp][corner_opposite_to(t, across_bp)] = other;
        for (const Side& side : {Side{t, 0}, Side{t, 2}, Side{other, 0}, Side{other, 2}}) waiting_.push_back(side);
    }

    const std::vector<Vec3d>& p_;
    std::vector<std::array<int, 3>>& triangles_;
    std::vector<std::array<int, 3>> across_;  // per triangle: the one behind the edge opposite to each corner, or -1
    std::vector<Side> waiting_;
};

/// The cells of a rectangle, numbered like make_sheet's, each cut along the diagonal that keeps the smaller of its two
/// triangles larger: a cell of moved corners can be dented, and then the other diagonal runs outside.
void cut_cells(int nx, int nz, SurfaceMesh& sheet)
{
    const std::vector<Vec3d>& p = sheet.vertices;
    for (int j = 0; j < nz; ++j) {
        for (int i = 0; i < nx; ++i) {
            const int a = j * (nx + 1) + i, b = a + nx + 1, c = b + 1, d = a + 1;
            const double along_ac = std::min(twice_area(p[a], p[b], p[c]), twice_area(p[a], p[c], p[d]));
            const double along_bd = std::min(twice_area(p[a], p[b], p[d]), twice_area(p[b], p[c], p[d]));
            if (along_ac >= along_bd) sheet.triangles.insert(sheet.triangles.end(), {{a, b, c}, {a, c, d}});
            else sheet.triangles.insert(sheet.triangles.end(), {{a, b, d}, {b, c, d}});
        }
    }
}

/// A point of a circle around the y axis, from z towards x: counter-clockwise seen from above.
Vec3d around_y(double radius, double y, double degrees)
{
    const SinCos direction = sin_cos_degrees(degrees);
    return {radius * direction.sin, y, radius * direction.cos};
}

}  // namespace

SurfaceMesh make_sheet(double size_x, double size_z, int nx, int nz, SheetPattern pattern)
{
    check_rectangle(size_x, size_z, nx, nz);
    SurfaceMesh sheet = make_grid(size_x, size_z, nx, nz);
    if (pattern == SheetPattern::alternating) return sheet;
    for (int k = 0; k < nx * nz; ++k) {
        const int a = k / nx * (nx + 1) + k % nx, b = a + nx + 1, c = b + 1, d = a + 1;
        sheet.triangles[2 * k] = {a, b, c};
        sheet.triangles[2 * k + 1] = {a, c, d};
    }
    return sheet;
}

SurfaceMesh make_irregular_sheet(double size_x, double size_z, int nx, int nz, double jitter, std::uint64_t seed)
{
    check_rectangle(size_x, size_z, nx, nz);
    if (!(jitter >= 0 && jitter <= kMaxJitter)) {
        throw InputError(message("sheet: jitter is {}; give a part of a cell from 0 to {}", jitter, kMaxJitter));
    }
    std::mt19937_64 random(seed);
    const auto draw = [&] {  // in [-1, 1): std::uniform_real_distribution differs between standard libraries
        return static_cast<double>(random() >> 11) * 0x1p-52 - 1;
    };
    SurfaceMesh sheet = make_grid(size_x, size_z, nx, nz);
    for (int j = 0; j <= nz; ++j) {
        for (int i = 0; i <= nx; ++i) {
            const double dx = jitter * size_x / nx * draw(), dz = jitter * size_z / nz * draw();
            Vec3d& p = sheet.vertices[j * (nx + 1) + i];
            const bool on_side_x = i == 0 || i == nx, on_side_z = j == 0 || j == nz;
            if (!on_side_x) p.x += dx;
            if (!on_side_z) p.z += dz;
        }
    }
    sheet.triangles.clear();
    cut_cells(nx, nz, sheet);
    DelaunayFlips(sheet).run();
    return sheet;
}

SurfaceMesh make_disc(double radius, int divisions)
{
    check_size(radius, "disc", "radius");
    check_divisions(divisions, 1, "disc", "divisions");
    SurfaceMesh disc{{Vec3d{}}, {}};
    for (int k = 1; k <= divisions; ++k) {
        for (int i = 0; i < 6 * k; ++i) disc.vertices.push_back(around_y(radius * k / divisions, 0, 60.0 * i / k));
    }
    const auto vertex = [](int ring, int i) { return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + i % (6 * ring); };
    for (int k = 1; k <= divisions; ++k) {
        for (int i = 0; i < 6 * k; ++i) {
            const int inner = i / k * (k - 1) + i % k;  // a sixth of the ring inside has one edge less
            disc.triangles.push_back({vertex(k - 1, inner), vertex(k, i), vertex(k, i + 1)});
            const bool ends_sixth = i % k == k - 1;
            if (ends_sixth) continue;
            disc.triangles.push_back({vertex(k - 1, inner), vertex(k, i + 1), vertex(k - 1, inner + 1)});
        }
    }
    return disc;
}

SurfaceMesh make_dome(double radius, double height, int divisions)
{
    check_size(height, "dome", "height");
    SurfaceMesh dome = make_disc(radius, divisions);
    const double slope = height / radius;
    for (Vec3d& p : dome.vertices) {
        const double t2 = std::min(1.0, p.squared_norm() / (radius * radius));
        p *= std::sqrt(1 + slope * slope * (1 - t2));
        p.y = height * (1 - t2);
    }
    return dome;
}

SurfaceMesh make_tube(double radius, double height, int divisions)
{
    check_size(radius, "tube", "radius");
    check_size(height, "tube", "height");
    check_divisions(divisions, 3, "tube", "divisions");
    const double equilateral = std::numbers::sqrt3 * std::numbers::pi * radius / divisions;  // height of a band
    const int bands = static_cast<int>(std::clamp(std::floor(height / equilateral + 0.5), 1.0, 1.0 * kMaxDivisions));
    SurfaceMesh tube;
    for (int j = 0; j <= bands; ++j) {
        const double y = height / 2 * (2 * j - bands) / bands;
        for (int k = 0; k < divisions; ++k) {
            tube.vertices.push_back(around_y(radius, y, 180.0 * (2 * k + j % 2) / divisions));
        }
    }
    for (int j = 0; j < bands; ++j) {
        const auto below = [&](int k) { return j * divisions + k % divisions; };
        const auto above = [&](int k) { return (j + 1) * divisions + k % divisions; };
        for (int k = 0; k < divisions; ++k) {
            const int shift = j % 2;  // of the vertex above and between k and k + 1
            tube.triangles.push_back({below(k), below(k + 1), above(k + shift)});
            tube.triangles.push_back({below(k + 1 - shift), above(k + 1), above(k)});
        }
    }
    return tube;
}

}  // namespace pliant
