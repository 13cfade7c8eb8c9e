#pragma once
// Drivers: pins, particles and rigid bodies in keyed motion, and grabs.

#include "pliant/state/motion.h"
#include "pliant/state/particles.h"
#include "pliant/state/rigid_bodies.h"

#include <span>
#include <vector>

namespace pliant {

/// Particles held in place or carried along by a keyed motion. They have no inverse mass.
struct PinnedSet {
    std::vector<int> particles;  // of the world
    std::vector<Vec3d> rest;     // per particle: its position before the keyed motion [m]
    Motion motion;
    double release = -1;  // they are let go at this time [s]; negative = never
    bool released = false;
};

/// A rigid body held in place or carried along by a keyed motion. Contact and glue do not move it.
struct HeldRigid {
    int body = -1;   // of the world
    Vec3d x;         // its centre while the motion is at rest [m]
    Mat3d rotation;  // body to world, likewise
    Motion motion;
    double release = -1;  // it is let go at this time [s]; negative = never
    bool released = false;

    /// Its pose before the keyed motion.
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

/// Moves the pinned particles to where they are at the end of the substep, with the velocity that takes
/// them there, and releases those whose release time has come.
void drive(double time, Real h, Drivers& drivers, Particles& particles);

/// Gives held bodies the velocities that take them to where they are at the end of the substep, and releases those
/// whose release time has come: they keep the velocity of the keyed motion.
void drive(double time, Real h, Drivers& drivers, RigidBodies& bodies);

/// Pulls what is grabbed to its target; one implicit projection of C = x - target [MMC16].
void project_grabs(std::span<const Grab> grabs, Real h, Particles& particles, RigidBodies& bodies);

}  // namespace pliant
