#include "pliant/geometry/courses.h"

#include "pliant/base/check.h"
#include "pliant/math/rotation.h"
#include "pliant/math/trigonometry.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace pliant {

namespace {

void check_positive(double value, const char* what)
{
    if (value > 0 && std::isfinite(value)) return;
    throw InputError(std::string(what) + " is " + std::to_string(value) + "; it must be greater than 0");
}

void check_edges(int edges, int least)
{
    if (edges >= least) return;
    throw InputError("edges are " + std::to_string(edges) + "; there must be " + std::to_string(least) + " or more");
}

void check_count(int count)
{
    if (count >= 1) return;
    throw InputError("count is " + std::to_string(count) + "; there must be 1 or more");
}

/// The golden angle: points turned by it repeatedly are spread evenly [deg].
double golden_angle() { return 180 * (3 - std::sqrt(5.0)); }

/// On the circle around the y axis, counter-clockwise seen from above.
Vec3d on_circle(double radius, double y, double degrees)
{
    const SinCos t = sin_cos_degrees(degrees);
    return {radius * t.cos, y, -radius * t.sin};
}

/// One hair: each edge is the one before it, turned a bit further.
Course make_strand(const Vec3d& root, const Vec3d& normal, const Vec3d& tangent, double length, double curl, int edges)
{
    const Mat3d turn = curl == 0 ? Mat3d::identity() : rotation_about(normal + tangent, curl / edges);
    Vec3d step = (length / edges) * normal;
    Course course{root};
    course.reserve(static_cast<std::size_t>(edges) + 1);
    for (int k = 0; k < edges; ++k) {
        course.push_back(course.back() + step);
        step = turn * step;
    }
    return course;
}

}  // namespace

Course make_line(const Vec3d& from, const Vec3d& to, int edges)
{
    check_edges(edges, 1);
    check_positive((to - from).norm(), "the length");
    Course course;
    for (int k = 0; k <= edges; ++k) {
        const double share = static_cast<double>(k) / edges;
        course.push_back((1 - share) * from + share * to);
    }
    return course;
}

Course make_helix(double radius, double pitch, double turns, int edges)
{
    check_edges(edges, 1);
    check_positive(radius, "radius");
    check_positive(turns, "turns");
    Course course;
    for (int k = 0; k <= edges; ++k) {
        const double turned = turns * k / edges;
        course.push_back(on_circle(radius, pitch * turned, 360 * turned));
    }
    return course;
}

Course make_ring(double radius, int edges)
{
    check_edges(edges, 3);
    check_positive(radius, "radius");
    Course course;
    for (int k = 0; k < edges; ++k) course.push_back(on_circle(radius, 0, 360.0 * k / edges));
    return course;
}

Course make_spiral(double inner_radius, double radius, double turns, int edges)
{
    check_edges(edges, 1);
    check_positive(turns, "turns");
    if (!(inner_radius >= 0) || !(inner_radius < radius))
        throw InputError("inner_radius is " + std::to_string(inner_radius) + " and radius " + std::to_string(radius) +
                         "; a spiral leads from the smaller to the larger");
    Course course;
    for (int k = 0; k <= edges; ++k) {  // the length of the way to r grows like r^2
        const double share = static_cast<double>(k) / edges;
        const double r = std::sqrt((1 - share) * inner_radius * inner_radius + share * radius * radius);
        course.push_back(on_circle(r, 0, 360 * turns * (r - inner_radius) / (radius - inner_radius)));
    }
    return course;
}

std::vector<Course> make_hair(double radius, double length, double curl, int count, int edges)
{
    check_edges(edges, 1);
    check_positive(radius, "radius");
    check_positive(length, "length");
    check_count(count);
    std::vector<Course> hair;
    hair.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        const double y = 1 - (2.0 * i + 1) / count;
        const Vec3d normal = on_circle(std::sqrt(1 - y * y), y, golden_angle() * i);
        const Vec3d east = on_circle(1, 0, golden_angle() * i + 90);
        hair.push_back(make_strand(radius * normal, normal, east, length, curl, edges));
    }
    return hair;
}

std::vector<Course> make_hair(const SurfaceMesh& surface, double length, double curl, int count, int edges)
{
    check_edges(edges, 1);
    check_positive(length, "length");
    check_count(count);
    const std::vector<Vec3d> normals = vertex_normals(surface.vertices, surface.triangles);
    std::vector<double> sums{0};  // of areas
    for (const auto& [a, b, c] : surface.triangles) {
        const Vec3d &p = surface.vertices[a], &q = surface.vertices[b], &r = surface.vertices[c];
        sums.push_back(sums.back() + 0.5 * (q - p).cross(r - p).norm());
    }
    check_positive(sums.back(), "the area of the surface");
    const auto fraction = [](double a) { return a - std::floor(a); };
    std::vector<Course> hair;
    hair.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        // the triangles in turn by their areas, and in them a sequence that fills the plane evenly
        const double target = sums.back() * (i + 0.5) / count;
        const auto t =
            static_cast<std::size_t>(std::upper_bound(sums.begin(), sums.end() - 1, target) - sums.begin() - 1);
        const double u = std::sqrt(fraction(0.5 + 0.7548776662466927 * i)), v = fraction(0.5 + 0.5698402909980532 * i);
        const double share[3] = {1 - u, u * (1 - v), u * v};
        Vec3d root, normal;
        for (int k = 0; k < 3; ++k) {
            root += share[k] * surface.vertices[surface.triangles[t][k]];
            normal += share[k] * normals[surface.triangles[t][k]];
        }
        const auto& [a, b, c] = surface.triangles[t];
        const Vec3d flat =
            (surface.vertices[b] - surface.vertices[a]).cross(surface.vertices[c] - surface.vertices[a]).normalized();
        normal = normal.norm() > 0.1 ? normal.normalized() : flat;
        const Vec3d east = Vec3d{0, 1, 0}.cross(normal);
        const Vec3d tangent = east.norm() > 1e-6 ? east.normalized() : Vec3d{1, 0, 0};
        hair.push_back(make_strand(root, normal, tangent, length, curl, edges));
    }
    return hair;
}

std::vector<Course> make_bundle(double radius, double length, int count, int edges, double flare)
{
    check_positive(radius, "radius");
    check_positive(length, "length");
    check_count(count);
    std::vector<Course> bundle;
    for (int i = 0; i < count; ++i) {
        const double out = std::sqrt((i + 0.5) / count);
        const SinCos lean = sin_cos_degrees(flare * out);
        const Vec3d from = on_circle(radius * out, 0, golden_angle() * i);
        bundle.push_back(
            make_line(from, from + on_circle(length * lean.sin, length * lean.cos, golden_angle() * i), edges));
    }
    return bundle;
}

std::vector<Branch> make_tree(double height, int edges, int levels, int branches, double spread)
{
    constexpr double kShorter = 0.6, kThinner = 0.6, kBare = 0.35;  // lowest part of a strand without branches
    check_edges(edges, 3);
    check_positive(height, "height");
    if (levels < 0 || levels > 6)
        throw InputError("levels is " + std::to_string(levels) + "; a tree has 0 to 6 above its trunk");
    if (branches < 1) throw InputError("branches is " + std::to_string(branches) + "; there must be 1 or more");
    if (!(spread > 0 && spread < 180))
        throw InputError("spread is " + std::to_string(spread) + " degrees; give an angle from 0 to 180");
    std::vector<Branch> tree{{make_line({0, 0, 0}, {0, height, 0}, edges), -1, 0, 1}};
    std::size_t level_start = 0;
    for (int level = 0; level < levels; ++level) {
        const std::size_t level_end = tree.size();
        for (std::size_t from = level_start; from < level_end; ++from) {
            for (int b = 0; b < branches; ++b) {
                const Course& parent = tree[from].course;
                const int last = static_cast<int>(parent.size()) - 1;
                const double share = kBare + (1 - kBare) * (b + 1) / branches;
                const int point = std::clamp(static_cast<int>(std::floor(share * last + 0.5)), 1, last);
                const Vec3d along = (parent[1] - parent[0]).normalized();
                const Vec3d across =
                    along.cross(std::abs(along.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0}).normalized();
                const Vec3d axis =
                    rotation_about(along, golden_angle() * (b + 3.0 * static_cast<double>(from))) * across;
                const Vec3d direction = rotation_about(axis, spread) * along;
                const double length = (parent[last] - parent[0]).norm() * kShorter * (1.2 - 0.4 * share);
                const int count = std::max(2, static_cast<int>(std::floor(kShorter * last + 0.5)));
                tree.push_back({make_line(parent[point], parent[point] + length * direction, count),
                                static_cast<int>(from), point, kThinner * tree[from].thickness});
            }
        }
        level_start = level_end;
    }
    return tree;
}

}  // namespace pliant
