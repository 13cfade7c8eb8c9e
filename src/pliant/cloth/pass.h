#pragma once
// One pass over a cloth, as cloth.h tells it.

#include "pliant/cloth/cloth.h"
#include "pliant/state/damping.h"
#include "pliant/state/particles.h"

#include <span>
#include <vector>

namespace pliant {

/// Scratch of the passes over a cloth: sized in the first step, never kept.
struct ClothScratch {
    std::vector<Point> points;  // the vertices, relative to one of them, and padding behind them
    std::vector<Point> change;  // per goal slot: goal - x [m]
    FibreScratch fibres;
    SweepScratch sweeps;
    std::vector<Vector3<Lanes>> bending;  // per group of hinges: multipliers of the substep
    std::vector<Vec3> air;                // per triangle
    std::vector<MotionSum> motion;

    void resize(const Cloth& cloth);
};

/// Drag, lift, pressure, and damping: v changes, before positions are predicted.
void apply_cloth_forces(Real h, const Vec3& wind, Real air_density, std::span<const Cloth> cloths, Particles& particles,
                        std::span<ClothScratch> scratch);

/// Multipliers start anew in every substep.
void begin_cloths(std::span<ClothScratch> scratch);

/// One pass.
void project_cloths(Real h, std::span<const Cloth> cloths, Particles& particles, std::span<ClothScratch> scratch);

}  // namespace pliant
