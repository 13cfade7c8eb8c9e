#include "pliant/geometry/surface_nets.h"

#include "pliant/base/check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <tuple>

namespace pliant {

namespace {

using Function = std::function<double(const Vec3d&)>;
using Index3 = std::array<int, 3>;  // of a lattice point, or of the cell that has it as its lowest corner

constexpr std::array<Index3, 8> kCorners = {
    {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}}};

Index3 operator+(const Index3& a, const Index3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

/// The function at the points of a lattice. Those on the left have the values of those on the right, which alone are
/// stored. The cells at the border lie outside.
class Lattice {
  public:
    Lattice(const Function& f, const Box3& box, double cell_size)
        : cell(cell_size), half_(static_cast<int>(box.high.x / cell) + 3), low_(box.low)
    {
        low_ -= Vec3d{cell, cell, cell};
        const Vec3d cells = (box.high - low_) / cell;
        size = {2 * half_, static_cast<int>(cells.y) + 3, static_cast<int>(cells.z) + 3};
        values_.resize(static_cast<std::size_t>(half_ * size[1] * size[2]));
        for (int i = half_; i < size[0]; ++i) {
            for (int j = 0; j < size[1]; ++j) {
                for (int k = 0; k < size[2]; ++k) values_[number({i, j, k})] = f(position({i, j, k}));
            }
        }
    }

    Vec3d position(const Index3& p) const
    {
        return {(p[0] - half_ + 0.5) * cell, low_.y + p[1] * cell, low_.z + p[2] * cell};
    }
    double value(const Index3& p) const { return values_[number(p)]; }
    bool is_inside(const Index3& p) const { return value(p) < 0; }
    void make_inside(const Index3& p) { values_[number(p)] = -1e-3 * cell; }
    Index3 mirrored_cell(const Index3& c) const { return {size[0] - 2 - c[0], c[1], c[2]}; }

    double cell;  // edge length of a cell
    Index3 size;  // points per axis

  private:
    std::size_t number(const Index3& p) const
    {
        const int i = p[0] >= half_ ? p[0] - half_ : half_ - 1 - p[0];
        return static_cast<std::size_t>((i * size[1] + p[1]) * size[2] + p[2]);
    }

    int half_;
    Vec3d low_;
    std::vector<double> values_;  // per point with p[0] >= half_
};

template <class Visit>
void for_each_cell(const Lattice& lattice, const Visit& visit)
{
    Index3 c{};
    for (c[0] = 0; c[0] + 1 < lattice.size[0]; ++c[0]) {
        for (c[1] = 0; c[1] + 1 < lattice.size[1]; ++c[1]) {
            for (c[2] = 0; c[2] + 1 < lattice.size[2]; ++c[2]) visit(c);
        }
    }
}

/// True if the corners of a face alternate, or if two opposite corners of a cell stand alone against the other six:
/// there the surface could be joined in two ways, and a single vertex would pinch it.
bool is_ambiguous(const Lattice& lattice, const Index3& cell)
{
    unsigned inside = 0;  // one bit a corner
    for (unsigned i = 0; i < 8; ++i) inside |= lattice.is_inside(cell + kCorners[i]) ? 1u << i : 0u;
    if (inside == 0 || inside == 0xffu) return false;

    for (const unsigned face : {0x0fu, 0xf0u, 0x33u, 0xccu, 0x55u, 0xaau}) {
        const unsigned diagonal = face & 0x69u;  // every other corner
        if ((inside & face) == diagonal || (inside & face) == (face & ~diagonal)) return true;
    }
    for (unsigned i = 0; i < 4; ++i) {
        const unsigned opposite = 1u << i | 1u << (7 - i);
        if (inside == opposite || inside == (0xffu & ~opposite)) return true;
    }
    return false;
}

/// As long as a cell is ambiguous, its outer corner nearest to the surface becomes an inner one: crevices narrower than
/// a cell are bridged. Ends because every change leaves fewer outer points.
void settle_ambiguous_cells(Lattice& lattice)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for_each_cell(lattice, [&](const Index3& cell) {
            while (is_ambiguous(lattice, cell)) {
                std::optional<Index3> nearest;
                for (const Index3& corner : kCorners) {
                    const Index3 p = cell + corner;
                    if (lattice.is_inside(p)) continue;
                    if (!nearest || lattice.value(p) < lattice.value(*nearest)) nearest = p;
                }
                lattice.make_inside(*nearest);
                changed = true;
            }
        });
    }
}

/// Vertices and the quadrilaterals between them.
struct Net {
    std::vector<Vec3d> vertices;
    std::vector<int> mirrored;              // per vertex: its mirror image; itself on the plane x = 0
    std::vector<std::array<int, 4>> quads;  // counter-clockwise seen from outside
};

/// Which vertex belongs to a cell, -1 for none.
class CellVertices {
  public:
    explicit CellVertices(const Index3& size)
        : size_(size), numbers_(static_cast<std::size_t>(size[0] * size[1] * size[2]), -1)
    {}
    int& operator()(const Index3& c)
    {
        return numbers_[static_cast<std::size_t>((c[0] * size_[1] + c[1]) * size_[2] + c[2])];
    }

  private:
    Index3 size_;
    std::vector<int> numbers_;
};

/// The mean of the places where the surface cuts the edges of a cell, if it does.
std::optional<Vec3d> middle_of_cuts(const Lattice& lattice, const Index3& cell)
{
    Vec3d sum;
    int cuts = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const Index3& corner : kCorners) {
            if (corner[axis] == 1) continue;
            const Index3 a = cell + corner;
            Index3 b = a;
            ++b[axis];
            if (lattice.is_inside(a) == lattice.is_inside(b)) continue;
            const double fa = lattice.value(a), fb = lattice.value(b);
            sum += lattice.position(a) + fa / (fa - fb) * (lattice.position(b) - lattice.position(a));
            ++cuts;
        }
    }
    if (cuts == 0) return std::nullopt;
    return sum / cuts;
}

/// One vertex for every cell whose corners lie on both sides.
CellVertices add_vertices(const Lattice& lattice, Net& net)
{
    CellVertices numbers(lattice.size);
    for_each_cell(lattice, [&](const Index3& cell) {
        const std::optional<Vec3d> p = middle_of_cuts(lattice, cell);
        if (!p) return;
        numbers(cell) = static_cast<int>(net.vertices.size());
        net.vertices.push_back(*p);
    });
    for_each_cell(lattice, [&](const Index3& cell) {
        if (numbers(cell) >= 0) net.mirrored.push_back(numbers(lattice.mirrored_cell(cell)));
    });
    return numbers;
}

/// One quadrilateral around every lattice edge whose ends lie on both sides.
void add_quads(const Lattice& lattice, CellVertices& numbers, Net& net)
{
    for_each_cell(lattice, [&](const Index3& p) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Index3 end = p;
            ++end[axis];
            if (lattice.is_inside(p) == lattice.is_inside(end)) continue;

            Index3 du{}, dv{};  // the four cells around the edge are p, p - u, p - v and p - u - v
            du[(axis + 1) % 3] = -1;
            dv[(axis + 2) % 3] = -1;
            std::array<int, 4> quad = {numbers(p + du + dv), numbers(p + dv), numbers(p), numbers(p + du)};
            if (lattice.is_inside(end)) std::reverse(quad.begin(), quad.end());
            net.quads.push_back(quad);
        }
    });
}

/// One Newton step along the gradient, no longer than half a cell.
Vec3d pulled_to_surface(const Function& f, const Vec3d& p, double cell)
{
    const double e = 0.01 * cell;
    const Vec3d gradient =
        Vec3d{f({p.x + e, p.y, p.z}) - f({p.x - e, p.y, p.z}), f({p.x, p.y + e, p.z}) - f({p.x, p.y - e, p.z}),
              f({p.x, p.y, p.z + e}) - f({p.x, p.y, p.z - e})} /
        (2 * e);
    const Vec3d step = f(p) / std::max(gradient.squared_norm(), 0.01) * gradient;
    return p - cell / 2 / std::max(step.norm(), cell / 2) * step;
}

/// Makes the left half the mirror image of the right one: sums in another order may have rounded differently.
void mirror(Net& net)
{
    for (std::size_t i = 0; i < net.vertices.size(); ++i) {
        const std::size_t twin = static_cast<std::size_t>(net.mirrored[i]);
        if (twin == i) net.vertices[i].x = 0;
        if (twin > i) net.vertices[i] = {-net.vertices[twin].x, net.vertices[twin].y, net.vertices[twin].z};
    }
}

/// Moves every vertex to the mean of its neighbours and back onto the surface, a few times.
void relax(const Function& f, double cell, Net& net)
{
    constexpr int kRounds = 5, kLastSteps = 3;
    for (int round = 0; round < kRounds; ++round) {
        std::vector<Vec3d> sums(net.vertices.size());
        std::vector<int> counts(net.vertices.size());
        for (const std::array<int, 4>& quad : net.quads) {
            for (std::size_t i = 0; i < 4; ++i) {
                const std::size_t a = static_cast<std::size_t>(quad[i]),
                                  b = static_cast<std::size_t>(quad[(i + 1) % 4]);
                sums[a] += net.vertices[b];  // its own quadrilaterals see the edge once in each direction
                ++counts[a];
            }
        }
        for (std::size_t i = 0; i < sums.size(); ++i) net.vertices[i] = sums[i] / counts[i];
        mirror(net);
        const int steps = round + 1 < kRounds ? 1 : kLastSteps;
        for (std::size_t i = 0; i < net.vertices.size(); ++i) {
            if (net.mirrored[i] > static_cast<int>(i)) continue;  // left of its image
            for (int step = 0; step < steps; ++step) net.vertices[i] = pulled_to_surface(f, net.vertices[i], cell);
        }
        mirror(net);
    }
}

/// Two triangles for each quadrilateral, cut along the shorter diagonal; of equals, along the one that starts nearest
/// to the mirror plane, lowest and furthest back, so that mirrored quadrilaterals have mirrored cuts.
SurfaceMesh cut_quads(const Net& net)
{
    SurfaceMesh mesh{net.vertices, {}};
    const auto at = [&net](int i) { return net.vertices[static_cast<std::size_t>(i)]; };
    const auto rank = [&at](int i) { return std::tuple(std::abs(at(i).x), at(i).y, at(i).z); };
    for (const auto& [a, b, c, d] : net.quads) {
        const double ac = (at(a) - at(c)).squared_norm(), bd = (at(b) - at(d)).squared_norm();
        if (ac < bd || (ac == bd && std::min(rank(a), rank(c)) < std::min(rank(b), rank(d)))) {
            mesh.triangles.push_back({a, b, c});
            mesh.triangles.push_back({a, c, d});
        } else {
            mesh.triangles.push_back({a, b, d});
            mesh.triangles.push_back({b, c, d});
        }
    }
    return mesh;
}

}  // namespace

SurfaceMesh mesh_mirrored(const std::function<double(const Vec3d&)>& f, const Box3& box, double cell)
{
    PLIANT_ASSERT(cell > 0);
    Lattice lattice(f, box, cell);
    settle_ambiguous_cells(lattice);
    Net net;
    CellVertices numbers = add_vertices(lattice, net);
    add_quads(lattice, numbers, net);
    relax(f, cell, net);
    return cut_quads(net);
}

}  // namespace pliant
