#pragma once
// The passes over joints in a substep; see joint.h.

#include "pliant/base/parallel.h"
#include "pliant/glue/joint_rows.h"

#include <algorithm>

namespace pliant {

/// What stands for blocks beside those of glue in the same systems: linearise sets their touches, values and compliances,
/// error says how far they are off as a part of what may be left to the next substep. And what holds points of the systems
/// from outside: hold_points finds what touches, correct_points says whether that was wrong, takes the solve back and
/// holds others.
struct NoOtherBlocks {
    void linearise(int /*system*/, Instant) const {}
    double error(int /*system*/) const { return 0; }
    void hold_points(int /*system*/) const {}
    bool correct_points(int /*system*/) const { return false; }
};

/// One system while it is solved.
template <class Other>
class JointPass {
  public:
    JointPass(Joints& joints, int number, RigidBodies& bodies, const Other& other)
        : joints_(joints),
          number_(number),
          system_(joints.systems[number]),
          some_(joints.of(number)),
          bodies_(bodies),
          other_(other)
    {}

    void run(int iteration)
    {
        const bool scalar = std::ranges::any_of(some_, &Joint::scalar);
        if (iteration == 0 && !scalar) solve_from_start();
        if (iteration == 0 && scalar) other_.linearise(number_, Instant::start);
        double gap = measure();
        if (!scalar && gap > kSmallGap) gap = solve_again(gap);
        if (scalar || gap > kWideGap) solve_now(scalar ? 0 : gap);
    }
    /// With everything as it is now, once and then while gaps are wide.
    void solve_now(double gap)
    {
        constexpr int kMostSolves = 4;
        for (int k = 0; k < kMostSolves && (k == 0 || gap > kWideGap); ++k) {
            for (const Joint& joint : some_) {
                set_rows(joint, system_);
                linearise_joint(joints_, Instant::now, joint, system_);
                set_values(joint, system_);
            }
            other_.linearise(number_, Instant::now);
            clear_off_rows(system_);
            factor_constraints(system_);
            solve_constraints(system_, bodies_);
            gap = measure();
        }
    }
    /// C of all joints; how wide the widest gap is.
    double measure()
    {
        for (Joint& joint : some_) {
            if (!joint.on) continue;
            measure_joint(joints_, system_, bodies_, joint);
            set_values(joint, system_);
        }
        extrapolate(joints_.joint_blocks[number_]);
        return std::max(widest_gap(some_, system_), other_.error(number_));
    }

  private:
    // As parts of what one linear step may close.
    static constexpr double kSmallGap = 1e-6;
    static constexpr double kWideGap = 1;

    void extrapolate(int first)
    {
        for (int b = first; b < static_cast<int>(system_.blocks.size()); ++b)
            system_.blocks[b].value = extrapolate_constraint(bodies_, system_, b);
    }
    void solve_from_start()
    {
        other_.linearise(number_, Instant::start);
        for (const Joint& joint : some_) choose_rows(bodies_, joint, system_);
        other_.hold_points(number_);
        solve_linear();
        while (other_.correct_points(number_) || hold_at_bounds(system_, bodies_)) {
            for (const Joint& joint : some_) {
                linearise_joint(joints_, Instant::start, joint, system_);
                catch_at_limits(bodies_, joint, system_);
            }
            solve_linear();
        }
    }
    void solve_linear()
    {
        clear_off_rows(system_);
        factor_constraints(system_);
        extrapolate(0);
        save_constraints(bodies_, system_);
        solve_constraints(system_, bodies_);
    }
    double solve_again(double gap)
    {
        save_constraints(bodies_, system_);
        solve_constraints(system_, bodies_);
        const double after = measure();
        if (after < gap) return after;
        restore_constraints(system_, bodies_);
        return measure();
    }

    Joints& joints_;
    int number_;
    ConstraintSystem& system_;
    std::span<Joint> some_;
    RigidBodies& bodies_;
    const Other& other_;
};

/// How wide the widest gap of a system of rigid bodies is, as a part of what one linear step may close.
inline double measure_gap(int number, Joints& joints, RigidBodies& bodies)
{
    return JointPass(joints, number, bodies, NoOtherBlocks{}).measure();
}

/// Solves one system again.
template <class Other = NoOtherBlocks>
void settle_glue(int number, Joints& joints, Particles& particles, RigidBodies& bodies, const Other& other = {})
{
    load_constraints(particles, joints.systems[number]);
    JointPass(joints, number, bodies, other).run(1);
    store_constraints(joints.systems[number], particles);
}

/// One pass over all joints.
template <class Other = NoOtherBlocks>
void project_glue(int iteration, Joints& joints, Particles& particles, RigidBodies& bodies, const Other& other = {})
{
    parallel_for(static_cast<int>(joints.systems.size()), kSystemGrain, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            ConstraintSystem& system = joints.systems[k];
            if (!system.active) continue;
            load_constraints(particles, system);
            JointPass(joints, k, bodies, other).run(iteration);
            store_constraints(system, particles);
        }
    });
}

}  // namespace pliant
