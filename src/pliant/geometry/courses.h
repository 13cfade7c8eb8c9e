#pragma once
// Courses for rods, made by formula: the points that a strand runs through, in order. Only + - * / and sqrt and our own
// sine and cosine, so every machine makes the same bits. Sizes in metres; invalid sizes are an InputError.

#include "pliant/geometry/mesh.h"

#include <vector>

namespace pliant {

using Course = std::vector<Vec3d>;

/// Straight, in edges of one length.
Course make_line(const Vec3d& from, const Vec3d& to, int edges);

/// Around the y axis from [radius, 0, 0] up by `pitch` a turn; a right-handed screw.
Course make_helix(double radius, double pitch, double turns, int edges);

/// A circle in the plane y = 0 from [radius, 0, 0] on, counter-clockwise seen from above. The last edge leads back to
/// the first point, which is not repeated.
Course make_ring(double radius, int edges);

/// In the plane y = 0 from [inner_radius, 0, 0] out to `radius`: turns are evenly apart (Archimedes), and so, nearly,
/// are the points.
Course make_spiral(double inner_radius, double radius, double turns, int edges);

/// `count` courses from points spread evenly over a sphere around the origin (Fibonacci), each of the same length and
/// along the normal at first. With `curl` [deg] each winds by that angle, root to tip, into a helix whose axis leans
/// halfway over to the east.
std::vector<Course> make_hair(double radius, double length, double curl, int count, int edges);

/// The same on any surface: roots evenly by area, each hair along the normal there.
std::vector<Course> make_hair(const SurfaceMesh& surface, double length, double curl, int count, int edges);

/// `count` straight courses from the plane y = 0 up, spread evenly over a disc. They stand side by side, or lean outwards:
/// those in the middle not at all, those at the rim by `flare` [deg].
std::vector<Course> make_bundle(double radius, double length, int count, int edges, double flare = 0);

struct Branch {
    Course course;
    int parent;        // the branch before this one that it grows from, -1 for the trunk
    int point;         // of the parent, where the course starts
    double thickness;  // relative to the trunk
};

/// A tree from the origin up: a trunk of `edges` edges, and on each strand `branches` thinner and shorter ones, spread
/// by `spread` [deg] from it, in `levels` levels above the trunk. Parents come before their branches.
std::vector<Branch> make_tree(double height, int edges, int levels, int branches, double spread);

}  // namespace pliant
