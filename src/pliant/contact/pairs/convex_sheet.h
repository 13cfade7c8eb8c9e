#pragma once
// Sheets that are flat and convex at rest: the straight line between any two of their points lies in their triangles.

#include "pliant/contact/pairs/surface.h"

#include <array>
#include <vector>

namespace pliant {

/// A point in the plane of a sheet [m].
using Flat = std::array<double, 2>;

/// Twice the area of a triangle, positive if it is counterclockwise.
double area(const Flat& a, const Flat& b, const Flat& c);

/// The corners of the convex hull, counterclockwise.
std::vector<Flat> hull_of(std::vector<Flat> points);

/// Whether points lie beyond one side of a convex polygon, or on it.
bool are_beside(const std::vector<Flat>& polygon, const std::vector<Flat>& points, double rounding);

/// Whether triangles cover a convex part of the plane of two axes, each place once: they are turned the same way, and their
/// boundary is that of the hull. Then the straight line between any two of their points lies in them.
bool is_convex_sheet(const ContactSurface& surface, const std::vector<int>& triangles, const Vec3 axis[3]);

}  // namespace pliant
