#pragma once
// What the solver compiles from a cloth, and the scratch of the passes over it.

#include "pliant/cloth/air.h"
#include "pliant/cloth/attachments.h"
#include "pliant/cloth/bending.h"
#include "pliant/cloth/cloth.h"
#include "pliant/cloth/edge_lengths.h"
#include "pliant/cloth/fibres.h"
#include "pliant/cloth/triangles.h"
#include "pliant/state/damping.h"
#include "pliant/state/effort.h"

#include <span>
#include <vector>

namespace pliant {

struct ClothSystem;

/// Scratch of the passes over a cloth: sized in the first step, never kept.
struct ClothScratch {
    std::vector<Point> points;  // the vertices, relative to one of them, and padding behind them
    std::vector<Point> change;  // per goal slot: goal - x [m]
    FibreScratch fibres;
    SweepScratch sweeps;
    std::vector<Vector3<Lanes>> bending;  // per group of hinges: multipliers of the substep
    std::vector<Vec3> air;                // per triangle
    std::vector<MotionSum> motion;

    void resize(const ClothSystem& system, int vertices);
};

struct ClothSystem {
    GoalSlots slots;  // of clusters and swept fibres
    TriangleClusters clusters;
    FibreSweeps sweeps;    // with FibreMode::sweep
    FibreSystems systems;  // with FibreMode::solve, like the next ones
    EdgeLengths edges;
    Attachments attachments;  // where nothing stretches
    Hinges hinges;            // with a bending stiffness
    AirMesh air;              // with drag, lift or pressure
    bool connected = true;    // it is one piece: its momenta are those of one body
    int longest_fibre = 0;    // edges of the longest chain
    double mass = 0;          // of all vertices [kg]
    double evenness = 1;      // mean over the vertices of the shortest edge there / mean edge; 0.88 for a regular mesh
    std::vector<int> pins;    // vertices that were pinned when weights and attachments were made
    ClothScratch scratch;
};

/// Without pins: see update_pins.
ClothSystem make_system(const Cloth& cloth);

/// Renews what depends on the pins, if those have changed. `inv_mass` is that of the cloth's particles.
void update_pins(const Cloth& cloth, std::span<const Real> inv_mass, ClothSystem& system);

/// Per edge, of the strip of cloth that it stands for [m/N]; 0 where it does not stretch. Empty where none does.
std::vector<double> edge_compliances(const SurfaceMesh& rest, const MeshEdges& edges, const ClothParams& params);

/// Of stretch and bending with a stiffness in N/m and N m [J]; x are the positions of the cloth's particles. An edge that is
/// shorter than at rest pushes back as well: fibres are solved both ways.
double elastic_energy(const Cloth& cloth, std::span<const Vec3d> x);

/// Of the clusters' goals: along a direction that has a stiffness the clusters leave the cloth to it.
MatchFactors match_factors(const ClothParams& params);

/// Substeps that a frame of dt needs so that bending is too soft by no more than a twentieth; one without any.
int stable_substeps(const Cloth& cloth, const ClothSystem& system, Real dt);

/// So many that the weight of the longest fibre, and of what cloth that is held carries, stretches an edge by little in one of them, and that what runs into
/// something is stopped before its neighbours have gone on by more than a part of an edge. v are the velocities of its
/// particles.
WantedSubsteps wanted_substeps(const Cloth& cloth, const ClothSystem& system, const Outlook& outlook,
                               std::span<const Vec3> v);

}  // namespace pliant
