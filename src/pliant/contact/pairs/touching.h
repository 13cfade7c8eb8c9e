#pragma once
// Features that touch: their distance is zero, or so small that rounding decides on which side of each other they are. The
// difference of their nearest points gives no normal then; the faces around them do (separating axes of the two stars).

#include "pliant/contact/pairs/pairs.h"
#include "pliant/contact/pairs/stars.h"

namespace pliant {

/// Sets normal, gap and clearance of the pairs of a block that touch, at points.start, where a face of a closed body
/// separates what is around the two features. A gap may be a little below zero then. Bodies without inside lie on each other
/// in the order of their numbers, and only where their distance is zero exactly.
void set_touching_normals(PairKind kind, const ContactSurface& surface, const Stars& stars, const PairPoints& points,
                          PairBlock& block);

/// Of the distance that two keep: what is nearer may touch.
inline constexpr Real kMayTouch = Real(0.01);

}  // namespace pliant
