#include "pliant/render/rod_tubes.h"

#include "pliant/rods/frame.h"

#include "pliant/base/parallel.h"
#include "pliant/math/trigonometry.h"

namespace pliant {

namespace {

constexpr int kManyStrands = 1000;

bool is_rectangular(const Rod& rod) { return rod.params.width > 0; }

/// Corners of the section, along d1 and d2, counter-clockwise about d3.
std::vector<std::array<Real, 2>> section_of(const Rod& rod)
{
    if (is_rectangular(rod)) {
        const Real a = rod.params.width / 2, b = rod.params.thickness / 2;
        return {{a, b}, {-a, b}, {-a, -b}, {a, -b}};
    }
    const int sides = tube_sides(rod);
    std::vector<std::array<Real, 2>> corners;
    for (int k = 0; k < sides; ++k) {
        const SinCos t = sin_cos_degrees(360.0 * k / sides);
        corners.push_back({rod.params.radius * static_cast<Real>(t.cos), rod.params.radius * static_cast<Real>(t.sin)});
    }
    return corners;
}

/// d1 and d2 at a point: halfway between those of the edges that meet there.
struct Cross {
    Vec3 d1, d2;
};

Cross halfway(const Mat3& before, const Mat3& after)
{
    const Vec3 along = before.c[2] + after.c[2], side = before.c[0] + after.c[0];
    const Vec3 up = along.cross(side);
    if (!(up.squared_norm() > Real(1e-6))) return {after.c[0], after.c[1]};  // they are opposite
    const Vec3 d2 = up.normalized();
    return {d2.cross(along).normalized(), d2};
}

class StrandTube {
  public:
    StrandTube(const Rod& rod, std::span<const Vec3> x, std::span<const std::array<Real, 2>> section)
        : rod_(rod), x_(x), section_(section)
    {}

    void put(int strand, std::vector<Mat3>& frames, std::span<Vec3> out) const
    {
        const int first = rod_.first_edge[strand], edges = rod_.first_edge[strand + 1] - first;
        const bool closed = rod_.closed[strand] != 0;
        frames.clear();
        for (int e = first; e < first + edges; ++e) {
            const Rod::Edge& edge = rod_.edges[e];
            frames.push_back(frame_of(x_[edge.p0], x_[edge.p1], x_[edge.ghost]).d);
        }
        const int points = rod_.count_points(strand);
        const std::size_t sides = section_.size();
        for (int k = 0; k < points; ++k) {
            const Mat3& before = frames[k > 0 ? k - 1 : closed ? edges - 1 : 0];
            const Cross cross = halfway(before, frames[k < edges ? k : edges - 1]);
            const Vec3& middle = x_[rod_.point(strand, k)];
            const Real thickness = rod_.edges[first].thickness;
            for (std::size_t c = 0; c < sides; ++c)
                out[k * sides + c] = middle + thickness * (section_[c][0] * cross.d1 + section_[c][1] * cross.d2);
        }
    }

  private:
    const Rod& rod_;
    std::span<const Vec3> x_;  // of the body
    std::span<const std::array<Real, 2>> section_;
};

/// Per strand the first of its rings, and one past the end.
std::vector<int> first_rings(const Rod& rod)
{
    std::vector<int> first{0};
    for (int s = 0; s < rod.strands(); ++s) first.push_back(first.back() + rod.count_points(s));
    return first;
}

void add_cap(int first, int sides, RodEnd end, Triangles& triangles)
{
    for (int c = 1; c + 1 < sides; ++c) {
        if (end == RodEnd::start) triangles.push_back({first, first + c + 1, first + c});
        else triangles.push_back({first, first + c, first + c + 1});
    }
}

}  // namespace

int tube_sides(const Rod& rod)
{
    if (is_rectangular(rod)) return 4;
    return rod.strands() > kManyStrands ? 3 : 6;
}

Triangles make_tube_triangles(const Rod& rod)
{
    const int sides = tube_sides(rod);
    const std::vector<int> first = first_rings(rod);
    Triangles triangles;
    for (int s = 0; s < rod.strands(); ++s) {
        const int points = first[s + 1] - first[s], edges = rod.first_edge[s + 1] - rod.first_edge[s];
        for (int e = 0; e < edges; ++e) {
            const int here = (first[s] + e) * sides, there = (first[s] + (e + 1) % points) * sides;
            for (int c = 0; c < sides; ++c) {
                const int next = (c + 1) % sides;
                triangles.push_back({here + c, here + next, there + next});
                triangles.push_back({here + c, there + next, there + c});
            }
        }
        if (rod.closed[s] != 0) continue;
        add_cap(first[s] * sides, sides, RodEnd::start, triangles);
        add_cap((first[s + 1] - 1) * sides, sides, RodEnd::end, triangles);
    }
    return triangles;
}

void update_tubes(const Rod& rod, const Particles& particles, std::vector<Vec3>& vertices)
{
    const std::vector<std::array<Real, 2>> section = section_of(rod);
    const std::vector<int> first = first_rings(rod);
    const std::size_t sides = section.size();
    vertices.resize(static_cast<std::size_t>(first.back()) * sides);
    const StrandTube tube(rod, rod.particles.of(particles.x), section);
    parallel_for(rod.strands(), 64, [&](int begin, int end) {
        std::vector<Mat3> frames;
        for (int s = begin; s < end; ++s)
            tube.put(s, frames, std::span(vertices).subspan(static_cast<std::size_t>(first[s]) * sides));
    });
}

}  // namespace pliant
