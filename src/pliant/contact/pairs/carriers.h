#pragma once
// What carries free points along: keyed bodies, colliders in motion and driven pins. They move whatever is in their way, so
// that a point that they run into cannot be taken back to its start; it can be taken back to where its start
// has been carried. If all points around are carried along by the same motion, they are as far apart as at the start.

#include "pliant/contact/colliders/colliders.h"
#include "pliant/contact/pairs/pairs.h"
#include "pliant/state/rigid_bodies.h"

#include <span>
#include <vector>

namespace pliant {

/// The vector 2 tan(angle / 2) along the axis of a rotation (Cayley).
Vec3d turn_of(const Mat3d& r);

/// A rigid motion in the world, with all digits: both guards take a rigid body to the same pose by it.
struct ExactMotion {
    Mat3d turn;
    Vec3d from, to;  // [m]

    Pose operator()(Pose pose) const;
};

/// A rigid motion during the substep, relative to the origin of all points.
struct Carrier {
    enum class Kind { rigid, collider, pin };

    Kind kind;
    int number;  // of the rigid body, collider or particle
    Mat3 turn;
    Vec3 from, to;
    ExactMotion exact;

    Vec3 operator()(const Vec3& x) const { return turn * (x - from) + to; }
};

class Carriers {
  public:
    /// In a new substep there are none yet.
    void clear() { carriers_.clear(); }
    /// Of all points: motions are relative to it.
    void set_origin(const Vec3& origin);
    const Carrier& operator[](int carrier) const { return carriers_[static_cast<std::size_t>(carrier)]; }

    /// That of a point that is not free, or of a collider; -1 if it has not moved.
    int of_point(const ContactSurface& surface, const PairPoints& points, const RigidBodies& rigids, int point);
    int of_collider(const PlacedCollider& collider, int number);
    int of_body(const RigidBodies& rigids, int body);

  private:
    int find(Carrier::Kind kind, int number) const;
    int add(const Carrier& carrier);

    std::vector<Carrier> carriers_;
    Vec3 origin_;
};

}  // namespace pliant
