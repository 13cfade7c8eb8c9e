#pragma once
// Drivers: pins and held rigid bodies, still or in keyed motion, and grabs.

#include "pliant/state/motion.h"
#include "pliant/state/particles.h"
#include "pliant/state/rigid_bodies.h"

#include <span>
#include <vector>

namespace pliant {

/// Particles held in place or moved by a keyed motion. Their inverse mass is zero.
struct PinnedSet {
    std::vector<int> particles;  // of the world
    std::vector<Vec3d> rest;     // per particle: its position before the keyed motion [m]
    Motion motion;
    double release = -1;  // time at which they are released [s]; negative: never
    bool released = false;
    std::vector<Vec3d> goal{};  // per particle of an animated body: where it is at `arrival`; empty: the keyed motion
    double departure = 0;       // when it was at `rest` [s]
    double arrival = 0;         // [s]
};

/// A rigid body held in place or moved by a keyed motion. Contact and glue do not move it.
struct HeldRigid {
    int body = -1;   // of the world
    Vec3d x;         // its centre before the keyed motion [m]
    Mat3d rotation;  // body to world, before the keyed motion
    Motion motion;
    double release = -1;  // time at which it is released [s]; negative: never
    bool released = false;

    /// Sets its pose before the keyed motion.
    void set_rest(const Pose& pose);
};

/// A grab of one particle, or of a point of a rigid body: a massless spring, solved implicitly, stable at any compliance.
struct Grab {
    static constexpr const char* kKind = "grab";

    int particle = -1;    // of the world
    Vec3 target;          // [m]
    Real compliance = 0;  // [m/N], 0 = what is held goes where the hand is
    int rigid = -1;       // of the world, where it is no particle
    Vec3 arm;             // the point in the frame of the rigid body [m]
};

struct Drivers {
    std::vector<PinnedSet> pins;
    std::vector<HeldRigid> held;
};

/// Moves the pinned particles to their positions at the end of the substep and sets their velocities accordingly;
/// releases those whose release time has come.
void drive(double time, Real h, Drivers& drivers, Particles& particles);

/// Sets the velocities of held bodies so that they arrive at their poses at the end of the substep; releases those
/// whose release time has come, with the velocity of the keyed motion.
void drive(double time, Real h, Drivers& drivers, RigidBodies& bodies);

/// Pulls what is grabbed to its target; one implicit projection of C = x - target [MMC16].
void project_grabs(std::span<const Grab> grabs, Real h, Particles& particles, RigidBodies& bodies);

}  // namespace pliant
