#pragma once
// What the rows of a joint's blocks measure, by the kind of the glue; directions are those of side b, which carries the axis.
//
//   kind       position block                        turn block
//   point      x, y, z                               -
//   weld       x, y, z                               x, y, z
//   hinge      x, y, z                               angle about the axis (driven), two across it
//   slider     along the axis (driven), two across   x, y, z
//   ball       x, y, z                               swing away from the axis, twist about it (limits), -
//   distance   along the gap (limit), -, -           -
//
// A driven row is free between its limits. At a limit it holds and only pushes back; a motor or friction drives it with a
// bounded force.

#include "pliant/glue/joint.h"

namespace pliant {

/// Sets the directions of the rows, as the joint was measured.
void set_rows(const Joint& joint, ConstraintSystem& system);

/// The angle of a hinge, or the swing and the twist of a ball, as it was measured [rad]. `near` is an angle that it is less
/// than half a turn from.
double hinge_angle(const Joint& joint, double near);

/// Limits, motor and friction of this substep from the parameters. Comes after the joint was measured at its start.
void set_drive(const GlueParams& params, double h, Joint& joint);

/// Says which driven rows take part: motors, and those that would get beyond a limit by themselves.
void choose_rows(const RigidBodies& bodies, const Joint& joint, ConstraintSystem& system);
/// The same for motors that have turned out too weak: they push as they can, and the limit holds the rest.
void catch_at_limits(const RigidBodies& bodies, const Joint& joint, ConstraintSystem& system);

}  // namespace pliant
