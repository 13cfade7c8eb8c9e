#pragma once
// Rods to measure, in units of their own: length 1 m, bending stiffness EI = 1 N m^2, mass 1 kg. A force is then
// P L^2 / EI in newtons, gravity q L^3 / EI in m/s^2, and the first clamped mode swings at 3.516 rad/s.

#include "pliant/solver/solver.h"
#include "pliant/state/writable.h"
#include "pliant/world/edits.h"

namespace pliant::physics {

inline constexpr double kUsualTwist = 2.0 / 3;  // GJ / EI of a round rod with G = E / 3

struct BeamStiffness {
    double bend1 = 1, bend2 = 1;  // EI about d1 and d2 [N m^2]
    double twist = kUsualTwist;   // GJ [N m^2]
    double axial = 1e6;           // E A [N]
};

/// A world with one rod in it, without gravity, of four substeps.
class RodRun {
  public:
    explicit RodRun(const Strand& strand, const BeamStiffness& stiffness = {});

    /// Throws std::runtime_error where the solver reports trouble.
    void run(double seconds);

    /// To be changed: what was made of it before is made again.
    Rod& change_rod();
    const Rod& rod() const { return world.rods[0]; }
    Vec3d point(int i) const { return world.particles->x[i].cast<double>(); }
    Mat3d frame(int edge) const;
    /// Bend and twist of an element per length, as angles [rad/m].
    Vec3d bend_and_twist(int element) const;

    /// Turns the ghost of an edge about it.
    void roll(int edge, double radians);
    /// A force that stays as it is: a very long and soft spring.
    void pull(int particle, const Vec3d& force);
    void clamp(RodEnd end, const Mat3d& frame, const Motion& motion = {});
    /// Holds the frame of an end but not its point, which stays free: an end moment.
    void hold_frame(RodEnd end, const Mat3d& frame, const Motion& motion);

    World world;

  private:
    Solver solver_;
};

/// From the origin along a unit vector.
Strand straight_strand(int edges, const Vec3d& along);
/// d3 along a unit vector, d1 along another across it.
Mat3d frame_along(const Vec3d& d3, const Vec3d& d1);

/// A rod along x, clamped at its start, d1 along z.
RodRun make_cantilever(int edges, const BeamStiffness& stiffness = {});

/// At rest under an end moment that turns the free end by an angle [rad], in the plane of x and y: the frame of the end
/// is held, its point left alone. A round rod would leave the plane, so this one is a strip that bends the easy way.
RodRun bend_by_end_moment(int edges, double angle);
/// Of its points from the arc of that angle, as a root of the mean square [m].
double distance_from_arc(const RodRun& run, double angle);

// Buckling. A seed of 1e-3 of the length and much drag: after a moment only the softest mode is left, which grows or
// decays as exp(rate t), and the rate [1/s] crosses zero with its stiffness.

/// Both ends clamped, the far one turned by `rotation` [rad], under a tension T L^2 / EI.
double growth_of_twisted_rod(int edges, double twist_stiffness, double rotation, double tension);
/// A ring of a rod that is straight at rest, with a total twist [rad].
double growth_of_twisted_ring(int edges, double twist_stiffness, double twist);
/// An arc: the frame of the free end is turned by an angle [rad].
double growth_of_arc(int edges, double twist_stiffness, double angle);
/// Upright on a clamp, under q L^3 / EI and a force P L^2 / EI at its top.
double growth_of_column(int edges, double weight, double force);
/// A cantilever on edge: much stiffer downwards than sideways. Under q L^3 / B and P L^2 / B, B = sqrt(EI_weak GJ).
double growth_of_strip(int edges, double twist_stiffness, double weight, double force);

}  // namespace pliant::physics
