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

/// Scratch of the passes over a cloth; nothing in it outlives a substep.
struct ClothScratch {
    std::vector<Point> points;  // the vertices, relative to one of them, followed by padding
    std::vector<Point> change;  // per goal slot: goal - x [m]
    FibreScratch fibres;
    SweepScratch sweeps;
    std::vector<Vector3<Lanes>> bending;  // per group of hinges: multipliers of the substep
    std::vector<Vec3> air;                // per triangle
    std::vector<MotionSum> motion;

    void resize(const ClothSystem& system, int vertices);
};

struct ClothSystem {
    GoalSlots slots;  // for clusters and swept fibres
    TriangleClusters clusters;
    FibreSweeps sweeps;    // with FibreMode::sweep
    FibreSystems systems;  // with FibreMode::solve, like edges and attachments
    EdgeLengths edges;
    Attachments attachments;  // only if no direction has a stretch stiffness
    Hinges hinges;            // with a bending stiffness
    AirMesh air;              // with drag, lift or pressure
    bool connected = true;    // one piece, whose momenta can be restored as those of one body
    int longest_fibre = 0;    // edges of the longest chain
    double mass = 0;          // of all vertices [kg]
    double evenness = 1;      // mean over vertices of their shortest edge / mean edge; 0.88 for a regular mesh
    std::vector<int> pins;    // vertices that were pinned when weights and attachments were made
    ClothScratch scratch;
};

/// Compiled without regard to pins: update_pins adds what depends on them.
ClothSystem make_system(const Cloth& cloth);

/// Rebuilds what depends on the pins, if they have changed. `inv_mass` is that of the cloth's particles.
void update_pins(const Cloth& cloth, std::span<const Real> inv_mass, ClothSystem& system);

/// Compliance of each edge, from the strip of cloth that it stands for [m/N]; 0 for an edge that does not stretch.
/// Empty if no edge stretches.
std::vector<double> edge_compliances(const SurfaceMesh& rest, const MeshEdges& edges, const ClothParams& params);

/// Of stretch and bending with a stiffness in N/m and N m [J]; x are the positions of the cloth's particles. An edge that is
/// shorter than at rest pushes back as well: fibres are solved both ways.
double elastic_energy(const Cloth& cloth, std::span<const Vec3d> x);

/// How strongly the clusters act along warp, weft and in shear: not at all where a stiffness takes their place.
MatchFactors match_factors(const ClothParams& params);

/// Substeps that a frame of dt needs so that bending is at most a twentieth too soft; 1 without a bending stiffness.
int stable_substeps(const Cloth& cloth, const ClothSystem& system, Real dt);

/// Enough substeps that in one of them the weight of the longest fibre (and, for a held cloth, of its load) stretches
/// an edge by little, and that a vertex stopped by an obstacle is not overtaken by its neighbours: they travel only a
/// fraction of an edge. v are the velocities of its particles.
WantedSubsteps wanted_substeps(const Cloth& cloth, const ClothSystem& system, const Outlook& outlook,
                               std::span<const Vec3> v);

}  // namespace pliant
