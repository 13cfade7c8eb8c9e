#pragma once
// Takes points and rigid bodies back: towards their start, or to where something has carried it.

#include "pliant/contact/pairs/guard.h"

namespace pliant {

/// Sizes the arrays; nothing is back. What is carried in this substep stays so.
void begin_take_back(const GuardScope& scope, Guard& guard);

class TakeBack {
  public:
    TakeBack(const GuardScope& scope, Guard& guard)
        : surface_(scope.surface),
          points_(scope.points),
          rigids_(scope.rigids),
          in_pairs_(scope.in_pairs),
          guard_(guard)
    {}

    /// Notes that a point has to go back, to this part of its motion. The first carrier that is named carries it.
    void take(int point, Real factor, int carrier = -1);
    void take_body(int body, Real factor, int carrier = -1);
    /// Moves what has to go back; false if nothing had to.
    bool move();
    /// Moves a rigid body, and its points, which are noted as moved.
    void shift_body(int body, const Vec3& shift);
    /// Pushes it at one of its points, so that this moves by a way [m] along n.
    void push_body(int body, const Vec3& at, const Vec3& n, Real way);

  private:
    void move_body(int body);
    Range points_of(int body) const;
    void load_points_of(int body);
    void note_moved(int body);
    bool leaves_budget(int body) const;

    const ContactSurface& surface_;
    PairPoints& points_;
    RigidBodies& rigids_;
    bool in_pairs_;
    Guard& guard_;
};

}  // namespace pliant
