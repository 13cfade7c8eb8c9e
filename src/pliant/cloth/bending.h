#pragma once
// Bending with a stiffness in N m [BWHZG06]: for the two triangles at an edge
//
//   E = 1/2 s D / (A_0 + A_1) |k - k_rest|^2,   k = sum_i K_i x_i,   sum_i K_i = 0,
//
// with cotangent weights K of the rest shape: k is the dihedral angle times the length of the edge, as a vector along
// the mean normal. A curved rest shape has its own length along it. The published s = 3 makes each of the three
// directions of edges stand for all of the bending: a strip is then twice too stiff, on every mesh. With s = 1.41 a
// strip of cloth that is clamped at one end, which is how fabrics are measured, sags as a beam of stiffness D, within
// 5 % on uniform, alternating and irregular meshes. Solved with compliance [MMC16].

#include "pliant/geometry/mesh_edges.h"
#include "pliant/shape/points.h"

#include <span>
#include <vector>

namespace pliant {

/// Pairs of triangles in colours, those of a colour without a common vertex, eight a group.
struct Hinges {
    struct Group {
        IndexLanes vertex[4];  // the edge, and the corners across it
        Lanes k[4];            // K
        Lanes rest;            // k_rest along the mean normal [m]
        Lanes compliance;      // (A_0 + A_1) / (s D) [m/N]
    };
    std::vector<Group> groups;
    std::vector<int> first_group;  // per colour, and one past the end
};

Hinges make_hinges(const SurfaceMesh& rest, const MeshEdges& edges, double stiffness);

/// `multiplier` is per group: that of the substep so far, zero at its start [N s^2].
void project_bending(const Hinges& hinges, Real h, std::span<Vector3<Lanes>> multiplier, std::span<Point> points);

/// E of all pairs [J]. x are the vertices.
double bending_energy(const SurfaceMesh& rest, const MeshEdges& edges, double stiffness, std::span<const Vec3d> x);

/// How far one pass is from the exact stiffness, times h^2: the mean over the hinges of sum w K^2 / compliance [1/s^2].
double bending_lag(const Hinges& hinges, std::span<const double> mass);

}  // namespace pliant
