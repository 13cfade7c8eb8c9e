#pragma once
// Fibres: maximal chains of mesh edges that run straight on through their vertices [SSBT08, section 4]. They do not
// stretch.
//
//   sweep_fibre      as published: the chain pulled straight edge by edge from either end, averaged
//   project_fibres   the same aim as one linear system a chain: lengths linearised, solved by elimination

#include "pliant/cloth/triangles.h"
#include "pliant/shape/points.h"

#include <span>
#include <vector>

namespace pliant {

struct Fibre {
    std::vector<int> vertices;  // in order; each once, also of a closed one
    bool closed = false;        // an edge leads from the last to the first

    friend bool operator==(const Fibre&, const Fibre&) = default;
};

/// All fibres, in canonical order; every mesh edge belongs to exactly one. Two edges at a vertex belong together
/// when they meet at 135 degrees or straighter, the straightest pairs first.
std::vector<Fibre> find_fibres(const SurfaceMesh& mesh, const MeshEdges& edges);

/// The fibres as open chains: a closed one gives its chain, and its closing edge as a chain of two.
std::vector<std::vector<int>> open_chains(std::span<const Fibre> fibres);

// As published ---------------------------------------------------------------------------------------------------

struct FibreSweeps {
    std::vector<int> first;    // per chain, and one past the end
    std::vector<int> vertex;   // per node
    std::vector<int> slot;     // per node: of the goals
    std::vector<Vec3> rest;    // per node: rest position, for directions where there are none now [m]
    std::vector<Real> length;  // per node: rest length of the edge to the next [m]
    std::vector<Real> weight;  // per node: mu
};

FibreSweeps make_fibre_sweeps(std::span<const std::vector<int>> chains, const SurfaceMesh& rest,
                              std::span<const double> mu, std::span<int> next);

/// A chain of n vertices where it is now.
struct Chain {
    std::span<const Vec3> x;       // [m]
    std::span<const Vec3> rest;    // [m]
    std::span<const Real> length;  // of the edge to the next; the last is not used [m]
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

// As one system a chain ------------------------------------------------------------------------------------------

/// Chains in colours, those of a colour without a common vertex, eight chains of about the same length a group.
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
        Lanes link, z;     // of elimination
    };
    std::vector<Row> rows;          // of the groups that are solved at the same time
    std::vector<Lanes> multiplier;  // per group and node: of an edge that stretches, within a substep [N s^2]

    void resize(const FibreSystems& systems);
};

/// Solves the lengths of all fibres, colour after colour. The change of an edge is held to half its length.
void project_fibres(const FibreSystems& systems, Real h, FibreScratch& scratch, std::span<Point> points);

}  // namespace pliant
