#pragma once
// Which surface is nearest at each sample of a grid. One rasterizer serves pictures (perspective) and shadow maps
// (parallel), because it works with homogeneous corners and never clips [Olano97]:
//
//   a corner q = (x w, y w, w) lies at sample (x, y); in parallel projection w = 1;
//   the edge opposite corner k is e_k(x, y) = (q_i x q_j) . (x, y, 1), linear in x and y; inside, all three are >= 0;
//   a value v_k at the corners is, divided by w and so linear on the grid, (sum e_k v_k) / det(q_0, q_1, q_2).
//
// With v = 1 that is 1 / w: the nearness of a picture. A shadow map uses the distance towards the light.

#include "pliant/math/types.h"

#include <array>
#include <vector>

namespace pliant {

constexpr int kNothing = -1;

struct DepthBuffer {
    int width = 0, height = 0;
    std::vector<float> nearness;  // per sample, row by row; larger is nearer
    std::vector<int> id;          // per sample; of the nearest surface, or kNothing

    DepthBuffer(int columns, int rows);
    int index(int x, int y) const { return y * width + x; }
    void put(int i, float value, int surface)
    {
        if (value <= nearness[i]) return;
        nearness[i] = value;
        id[i] = surface;
    }
};

/// A corner on the grid; sample (i, j) has its centre at (i + 1/2, j + 1/2).
struct Corner {
    Vec3d q;
    double value;
    double x, y;  // q / w, computed once for all triangles around it; undefined if w <= 0

    Corner(const Vec3d& homogeneous, double v) : q(homogeneous), value(v), x(q.x / q.z), y(q.y / q.z) {}
};

/// Both sides are drawn. Two triangles that share an edge leave neither gap nor overlap there.
void draw_triangle(const std::array<Corner, 3>& corners, int id, DepthBuffer& buffer);

/// Samples of `buffer` whose centres lie within the given distances of (x, y).
struct SampleRange {
    int x0, x1, y0, y1;  // first, and one past the last
};
SampleRange samples_near(double x, double y, double half_width, double half_height, const DepthBuffer& buffer);

}  // namespace pliant
