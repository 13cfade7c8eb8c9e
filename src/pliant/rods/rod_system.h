#pragma once
// What the solver compiles from a rod, and the scratch of the passes over it.

#include "pliant/rods/damping.h"
#include "pliant/rods/direct.h"
#include "pliant/rods/rod.h"
#include "pliant/rods/section.h"
#include "pliant/state/damping.h"
#include "pliant/state/effort.h"

#include <span>
#include <vector>

namespace pliant {

struct RodSystem;

/// Scratch of the passes over a rod; nothing in it outlives a substep.
struct RodScratch {
    std::vector<Point> points;          // the particles, relative to one of them, followed by padding
    std::vector<Point> before;          // with a direct solve: the same at the start of the substep
    std::vector<Point> velocity;        // the same: v at the start of the substep, before any force [m/s]
    std::vector<TipFrames> tips;        // per tip
    std::vector<Vec3> tip_multipliers;  // per tip [N m s^2]
    DirectScratch direct;
    std::vector<Lanes> edges;              // per edge group: XPBD multipliers
    std::vector<Vector3<Lanes>> elements;  // per element group: the same
    std::vector<Real> falls;               // per edge: r of lift_ghosts, 1 in free fall
    std::vector<MotionSum> motion;
    RodDamping damping;

    void resize(const Rod& rod, const RodSystem& system);
};

struct RodSystem {
    struct EdgeGroup {    // eight edges that share no point
        IndexLanes edge;  // -1 for a padding lane
        IndexLanes point[3];
        Lanes length, ghost_distance;
        Lanes compliance;  // L / (E A) [m/N]; 0 with the published stiffness
    };
    struct ElementGroup {  // eight elements that share no point
        IndexLanes point[5];
        Vector3<Lanes> rest;  // [1/m]
        Lanes lbar;           // 1 for a padding lane
        Vector3<Lanes> bulk;  // the same
    };

    bool direct = false;  // all constraints of a strand are solved as one system
    RodStiffness stiffness;
    // for sweeps
    std::vector<EdgeGroup> edge_groups;
    std::vector<int> first_edge_group;  // per colour, and one past the end
    std::vector<ElementGroup> element_groups;
    std::vector<int> first_element_group;  // the same
    DirectNets nets;                       // for a direct solve
    std::vector<char> glued;               // per edge: its net is solved with the glue that holds it; empty: none is
    RodScratch scratch;
};

RodSystem make_system(const Rod& rod);

/// Leaves the nets of the marked edges to the glue that holds them (glued_nets.h); an empty span marks none.
void leave_to_glue(const Rod& rod, std::span<const char> edges, RodSystem& system);

/// The direct solve needs one substep, and more only in contact: that comes after the solve, so that a point stopped
/// while its neighbour falls by g h^2, or flies on by v h, stretches the edge between them by as much. A sweep restores
/// an edge completely but passes the pull on to the next edge only: above a strand of N edges of length l an edge stays
/// too long by the fraction N g h^2 / l.
WantedSubsteps wanted_substeps(const Rod& rod, const RodSystem& system, const Outlook& outlook,
                               std::span<const Vec3> v);

/// Whether strands may touch each other, or one itself, in the next frame: not a single one that runs forward along its
/// chord all the way. `x` are its particles.
bool may_touch_itself(const Rod& rod, std::span<const Vec3> x);

}  // namespace pliant
