#pragma once
// Bending with a stiffness in N m [BWHZG06]: for the two triangles at an edge
//
//   E = 1/2 s D / (A_0 + A_1) |k - k_rest|^2,   k = sum_i K_i x_i,   sum_i K_i = 0,
//
// with cotangent weights K of the rest shape: k is the dihedral angle times the length of the edge, as a vector along
// the mean normal. For a curved rest shape k_rest has a length of its own along that normal. With the published s = 3
// each of the three edge directions carries all of the bending, and a strip is twice too stiff on every mesh. With
// s = 1.41 a strip of cloth clamped at one end, which is how fabrics are measured, sags like a beam of stiffness D,
// within about 20 % on uniform, alternating and irregular meshes. Solved with compliance, XPBD [MMC16].

#include "pliant/geometry/mesh_edges.h"
#include "pliant/shape/points.h"

#include <span>
#include <vector>

namespace pliant {

/// Pairs of triangles by graph colour: those of one colour share no vertex. Groups of eight, one per SIMD lane.
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

/// `multiplier` is per group: the XPBD multiplier lambda, zero at the start of a substep [N s^2].
void project_bending(const Hinges& hinges, Real h, std::span<Vector3<Lanes>> multiplier, std::span<Point> points);

/// E of all pairs [J]. x are the vertices.
double bending_energy(const SurfaceMesh& rest, const MeshEdges& edges, double stiffness, std::span<const Vec3d> x);

/// Mean over the hinges of sum w K^2 / compliance [1/s^2]. Times h^2 it says how far one pass falls short of the
/// stiffness.
double bending_lag(const Hinges& hinges, std::span<const double> mass);

}  // namespace pliant
