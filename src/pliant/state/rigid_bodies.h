#pragma once
// All rigid bodies of the world, one array each. A body's own frame has its origin in the centre of mass and its axes
// along the principal axes of inertia.
//
// The state is position, orientation, velocity and angular momentum in the world's frame: a body that nothing acts on
// keeps both momenta to the last bit. The angular velocity follows from the angular momentum.

#include "pliant/geometry/shape.h"
#include "pliant/math/quaternion.h"

#include <cstdint>
#include <vector>

namespace pliant {

/// Position and orientation of a body. `x_low` and `q_low` are the rounding errors of x and q, to be added to them: in
/// float a pose would drift if it is moved by a little many times.
struct Pose {
    Vec3 x;      // centre of mass [m]
    Quat q;      // body to world, unit length
    Vec3 x_low;  // [m]
    Quat q_low{0, {}};

    Mat3 rotation() const { return q.matrix(); }
};

Pose pose_of(const Vec3d& x, const Mat3d& rotation);

/// Orientation and position in double, with the low parts of the pose.
Mat3d exact_rotation(const Pose& pose);
inline Vec3d exact_position(const Pose& pose) { return pose.x.cast<double>() + pose.x_low.cast<double>(); }

/// Moves and turns a pose; the turn is about the centre, in the world's frame (math/quaternion.h).
void move_pose(const Vec3& shift, const Vec3& turn, Pose& pose);

/// The motion from one pose to another, accurate also where they are close. The turn is by less than half a revolution.
Vec3 shift_between(const Pose& from, const Pose& to);  // [m]
Vec3 turn_between(const Pose& from, const Pose& to);   // [rad]

struct RigidBodies {
    std::vector<Pose> pose;
    std::vector<Pose> pose_prev;    // at the start of the substep
    std::vector<Vec3> v;            // velocity of the centre [m/s]
    std::vector<Vec3> w;            // angular velocity [rad/s]; follows from the spin of a free body
    std::vector<Vec3> spin;         // angular momentum about the centre [kg m^2/s]; of a held body zero
    std::vector<Real> mass;         // [kg], also of a held body
    std::vector<Real> inv_mass;     // [1/kg]; 0: held, only a driver moves it
    std::vector<Vec3> inertia;      // principal moments [kg m^2], also of a held body
    std::vector<Vec3> inv_inertia;  // 0 if held
    std::vector<Shape> shape;       // for contact with colliders, in its own frame
    std::vector<Real> friction;     // against colliders; negative: the collider's value is used
    std::vector<Real> restitution;  // likewise
    std::vector<Pose> rest_pose;    // near which it has stayed for rest_time
    std::vector<Real> rest_time;    // [s]
    std::vector<int> asleep;        // the lowest number of the bodies that sleep with it; -1: awake

    int size() const { return static_cast<int>(pose.size()); }

    /// Appends a body at rest at the origin, a point of unit mass and inertia; returns its index.
    int append();
    void erase(int body);

    /// Holds a body, or releases it with its current velocities.
    void hold(int body);
    void release(int body);

    /// A body that sleeps is at rest, and has no inverse mass until it wakes: nothing moves it.
    bool is_asleep(int body) const { return asleep[body] >= 0; }
    void sleep(int body, int island);
    /// All that sleep with it wake too.
    void wake(int body);
};

/// The inertia tensor in the world's frame times a vector, and its inverse, at the current orientation.
Vec3 times_inertia(const RigidBodies& bodies, int body, const Vec3& a);
Vec3 times_inverse_inertia(const RigidBodies& bodies, int body, const Vec3& a);

/// Sets the angular velocity of a free body, and its angular momentum accordingly.
void set_angular_velocity(int body, const Vec3& w, RigidBodies& bodies);

/// pose_prev = pose; every body moves and rotates for h; predicted = pose. The rotation of a free body follows [SW91]:
/// h times the mean of the angular velocities at both ends, which conserves the energy of a spinning top.
void predict(Real h, RigidBodies& bodies, std::vector<Pose>& predicted);

/// v += (x - predicted) / h, and the same for the angular momentum; w follows. A held body keeps the velocities of its
/// driver.
void update_velocities(Real h, const std::vector<Pose>& predicted, RigidBodies& bodies);

class Hash64;
void add_to_hash(const RigidBodies& bodies, Hash64& hash);

}  // namespace pliant
