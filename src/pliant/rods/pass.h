#pragma once
// One pass over rods, as rod.h tells it, and the gravity of their ghosts.

#include "pliant/rods/damping.h"
#include "pliant/rods/direct.h"
#include "pliant/rods/rod.h"
#include "pliant/state/damping.h"
#include "pliant/state/particles.h"

#include <span>
#include <vector>

namespace pliant {

/// Scratch of the passes over a rod: sized in the first step, never kept.
struct RodScratch {
    std::vector<Point> points;          // the particles, relative to one of them, and padding behind them
    std::vector<Point> before;          // with a direct solve: the same at the start of the substep
    std::vector<Mat3d> tips;            // the frames of the tips at the end of the substep
    std::vector<Vec3> tip_multipliers;  // per tip, of the substep [N m s^2]
    DirectScratch direct;
    std::vector<Lanes> edges;              // per edge group: multipliers of the substep
    std::vector<Vector3<Lanes>> elements;  // per element group: the same
    std::vector<Real> falls;               // per edge: r of the ghosts' gravity
    std::vector<MotionSum> motion;
    RodDamping damping;

    void resize(const Rod& rod);
};

/// After gravity has acted on all particles: takes it from the ghosts and gives it to their edges, in the measure in
/// which the edges do not fall [USS14, supplement]. Ghosts neither bend a rod that hangs nor spin one that falls.
///
///   r = ((vm - vm_prev)/h . g) / |g|^2,  c = (1 - r) h g:  v_ghost -= c,  v_end += (m_ghost / 2 m_end) c
void lift_ghosts(Real h, const Vec3& gravity, std::span<Rod> rods, Particles& particles, std::span<RodScratch> scratch);

/// Damps deformation, bend and twist at each rod's own rates; clamps turn as they do from `time` on.
void damp_rods(Real h, double time, std::span<const Rod> rods, Particles& particles, std::span<RodScratch> scratch);

/// Multipliers start anew in every substep.
void begin_rods(std::span<RodScratch> scratch);

/// Pass `pass` of `iterations`; frames of tips are those at `time`. What is solved directly is solved in the first.
void project_rods(Real h, int pass, int iterations, double time, std::span<const Rod> rods, Particles& particles,
                  std::span<RodScratch> scratch);

}  // namespace pliant
