#pragma once
// Fibres: maximal chains of mesh edges that run straight on through their vertices [SSBT08, section 4]. They do not
// stretch.
//
//   sweep_fibre      as published: rest lengths restored edge by edge from either end, and both averaged
//   project_fibres   to the same end, one linear system per chain: lengths linearised, tridiagonal elimination

#include "pliant/cloth/triangles.h"
#include "pliant/shape/points.h"

#include <span>
#include <vector>

namespace pliant {

struct Fibre {
    std::vector<int> vertices;  // in order; each once, also if closed
    bool closed = false;        // an edge leads from the last to the first

    friend bool operator==(const Fibre&, const Fibre&) = default;
};

/// All fibres, in canonical order; every mesh edge belongs to exactly one. Two edges at a vertex are joined if the
/// angle between them is at least 135 degrees, the straightest pairs first.
std::vector<Fibre> find_fibres(const SurfaceMesh& mesh, const MeshEdges& edges);

/// The fibres as open chains: a closed one is cut, and its closing edge becomes a chain of two vertices.
std::vector<std::vector<int>> open_chains(std::span<const Fibre> fibres);

// As published ---------------------------------------------------------------------------------------------------

struct FibreSweeps {
    std::vector<int> first;    // per chain, and one past the end
    std::vector<int> vertex;   // per node
    std::vector<int> slot;     // per node: where its goal goes (GoalSlots)
    std::vector<Vec3> rest;    // per node: rest position, for the direction of an edge of zero length [m]
    std::vector<Real> length;  // per node: rest length of the edge to the next [m]
    std::vector<Real> weight;  // per node: mu
};

FibreSweeps make_fibre_sweeps(std::span<const std::vector<int>> chains, const SurfaceMesh& rest,
                              std::span<const double> mu, std::span<int> next);

/// A chain of n vertices at its current positions.
struct Chain {
    std::span<const Vec3> x;       // [m]
    std::span<const Vec3> rest;    // [m]
    std::span<const Real> length;  // rest length of the edge to the next; the last is not used [m]
};

/// f_0 = x_0, f_{k+1} = f_k + L_k unit(x_{k+1} - f_k), and the same from the other end.
void sweep_forward(const Chain& chain, std::span<Vec3> swept);
void sweep_backward(const Chain& chain, std::span<Vec3> swept);

/// The goals of a chain: the mean of both sweeps, moved so that the centre of mass stays.
void sweep_fibre(const Chain& chain, std::span<const Real> weight, std::span<Vec3> scratch, std::span<Vec3> goals);

/// The goals of a chain with pinned vertices: swept outward from them, each vertex from the nearest.
void sweep_from_pins(const Chain& chain, std::span<const char> pinned, std::span<Vec3> goals);

struct SweepScratch {  // per node
    std::vector<Vec3> x, backward, goals;
    std::vector<char> pinned;  // yes or no

    void resize(const FibreSweeps& sweeps);
};

/// Finds goal - x of all chains, `change` per slot.
void sweep_fibres(const FibreSweeps& sweeps, std::span<const Point> points, SweepScratch& scratch,
                  std::span<Point> change);

// One system per chain -------------------------------------------------------------------------------------------

/// Chains by graph colour: those of one colour share no vertex. Groups of eight chains of about the same length, one
/// per SIMD lane.
struct FibreSystems {
    struct Group {
        int first;  // into node and edge: node k of the group is first + k, edge k leads from there to the next
        int edges;  // of the longest chain
    };
    std::vector<IndexLanes> node;   // per group and node
    std::vector<Lanes> length;      // per group and node: rest length of the edge to the next, 0 for none [m]
    std::vector<Lanes> compliance;  // the same: of that edge [m/N]; empty where nothing stretches
    std::vector<Group> groups;
    std::vector<int> first_group;  // per colour, and one past the end
    int longest = 0;               // edges
};

/// `compliance` is per edge of the mesh, or empty.
FibreSystems make_fibre_systems(std::span<const std::vector<int>> chains, const SurfaceMesh& rest,
                                const MeshEdges& edges, std::span<const double> compliance);

struct FibreScratch {
    struct Row {
        PointLanes point;
        Vector3<Lanes> u;  // direction of the edge to the next
        Lanes link, z;     // what elimination leaves for back substitution
    };
    std::vector<Row> rows;          // of the runs that are solved in parallel
    std::vector<Lanes> multiplier;  // per group and node: XPBD multiplier of an edge that stretches [N s^2]

    void resize(const FibreSystems& systems);
};

/// Solves the lengths of all fibres, colour by colour. One solve changes an edge by at most half its length.
void project_fibres(const FibreSystems& systems, Real h, FibreScratch& scratch, std::span<Point> points);

}  // namespace pliant
