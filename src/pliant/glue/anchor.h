#pragma once
// One end of a glue: a point anywhere in space that moves with something.

#include "pliant/state/motion.h"
#include "pliant/state/particles.h"
#include "pliant/state/rigid_bodies.h"

#include <span>
#include <vector>

namespace pliant {

/// What an anchor moves with: a frame fitted to particles, a rigid body, or a keyed motion. The still world is a motion
/// without keys; a single particle is a cloud of one; an edge of a rod is a cloud of its two points and its ghost.
enum class AnchorKind { cloud, rigid, motion };

struct Anchor {
    AnchorKind kind = AnchorKind::motion;
    // of a cloud
    std::vector<int> parents;          // particles of the world
    std::vector<Real> weights;         // per parent, of sum 1
    std::vector<Vec3> rest;            // per parent: v_i [m]
    Mat3 rotation = Mat3::identity();  // R of the last fit, the prior of a degenerate one
    bool oriented = true;              // one particle alone has no frame, nor has a mean
    // of a rigid body
    int body = -1;
    // of a motion
    Motion motion;

    Vec3d point;  // the anchor in its own frame: v_b, the point of the body, or of the motion at rest [m]
    Mat3d axes = Mat3d::identity();  // the world's axes in that frame, when it was made
};

/// Parents and their weights, for a point at `at`.
struct Parents {
    std::vector<int> particles;  // into the candidates, the nearest first
    std::vector<double> weights;
};

inline constexpr int kFewestParents = 8, kMostParents = 10;
/// Fewer could not carry the torque of something heavy at the end of an arm.
inline constexpr int kFewestWeldParents = 25, kMostWeldParents = 64;

/// Chooses the fewest of the nearest candidates, at least `fewest` if there are so many, that span two well defined
/// directions. Where the nearest `most` do not, the last of them makes way for the nearest one that does. Weights fall
/// off smoothly with the distance. Empty if all candidates lie on one line.
Parents choose_parents(const Vec3d& at, std::span<const Vec3d> candidates, int fewest = kFewestParents,
                       int most = kMostParents);

/// Weights of given particles. Empty unless they span two well defined directions; one particle may stand alone.
std::vector<double> weigh_parents(const Vec3d& at, std::span<const Vec3d> particles);

/// An anchor at a point of space, carried by particles of the world as they are now. Throws InputError that names them
/// if they lie on a line. A single particle is its own anchor: `at` is then where it is.
Anchor anchor_on_particles(const Particles& particles, std::span<const int> parents, const Vec3d& at);
/// A linear binding: the mean of particles with given weights, of any sign and of sum 1. It has no orientation, and a point
/// outside of its particles pulls them apart (docs/methods/glue.md): for comparison, and where the mean is what is meant.
Anchor anchor_on_mean(const Particles& particles, std::span<const int> parents, std::span<const double> weights);
Anchor anchor_on_rigid(const RigidBodies& bodies, int body, const Vec3d& at);
Anchor anchor_on_motion(const Vec3d& at, const Motion& motion = {});

/// Where the anchor is now, or is at a time; a measurement, not part of the step.
Vec3d place_of(const Anchor& anchor, double time, const Particles& particles, const RigidBodies& bodies);
/// How it has turned since the glue was made.
Mat3d rotation_of(const Anchor& anchor, double time, const Particles& particles, const RigidBodies& bodies);

}  // namespace pliant
