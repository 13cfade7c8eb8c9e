#pragma once
// Convex shapes where they are: how far they reach along a direction, and a plane between two of them.
//
// A plane that has all of one shape on one side and all of the other on the other side certifies that they are apart. It is
// found by the algorithm of Gilbert, Johnson and Keerthi [GJK88], and is then measured by itself: nothing has to be
// trusted in how it was found.

#include "pliant/geometry/shape_distance.h"

#include <array>

namespace pliant {

struct ConvexAt {
    const Shape* shape;
    Mat3d rotation;  // shape to world
    Vec3d position;  // [m]
};

/// Of a shape that convex.h can measure: all but meshes that are not hulls.
bool is_convex(const Shape& shape);

/// The furthest that a shape reaches along a unit vector: the largest n . x [m]. Infinite for a plane, unless n is its normal.
double reach_along(const ConvexAt& at, const Vec3d& n);

/// How far a is beyond b along a unit vector [m]: the smallest n . x of a less the largest of b. Negative: they overlap along it.
double separation_along(const ConvexAt& a, const ConvexAt& b, const Vec3d& n);

struct Separation {
    Vec3d n;           // unit vector from b to a; zero if none was found
    double gap;        // separation_along(a, b, n) [m]
    Vec3d on_a, on_b;  // nearest points of the two [m]
};
/// The direction along which two shapes are furthest apart; none if they overlap.
Separation find_separation(const ConvexAt& a, const ConvexAt& b);

/// The face of either shape, or the line between their centres, along which two that overlap do so the least: `gap` is negative.
Separation find_least_overlap(const ConvexAt& a, const ConvexAt& b);

/// The part of a shape's core that is furthest along a direction, or within ten degrees of it: a corner, an edge or a face, whose
/// corners turn counter-clockwise seen from outside. The core of a round shape is what it is rounded around.
struct Feature3 {
    static constexpr int kMaxCorners = 16;
    std::array<Vec3d, kMaxCorners> corner;  // [m]
    int count = 0;
    Vec3d n;  // of a face

    void add(const Vec3d& x)
    {
        if (count < kMaxCorners) corner[static_cast<std::size_t>(count++)] = x;
    }
    const Vec3d& at(int i) const { return corner[static_cast<std::size_t>(i)]; }
};
constexpr double kFlatCore = 0.17;  // sine of these ten degrees
Feature3 feature_along(const ConvexAt& at, const Vec3d& n);
/// How far a shape is rounded around its core [m].
double rounding_radius(const Shape& shape);

/// The box around a shape. A plane has none.
Box3 box_around(const ConvexAt& at);

}  // namespace pliant
