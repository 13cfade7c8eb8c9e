#pragma once
// Features that touch: their distance is zero, or so small that rounding decides on which side of each other they are. The
// difference of their nearest points gives no normal then; the faces around them do (separating axes of the two stars).

#include "pliant/contact/pairs/pairs.h"
#include "pliant/contact/pairs/stars.h"

namespace pliant {

/// Sets normal, gap and clearance of the pairs of a block that touch, at points.start, where a face of a closed body
/// separates the stars of the two features. A gap may be slightly negative then. Open surfaces are stacked
/// in the order of their bodies, and only where their distance is exactly zero.
void set_touching_normals(PairKind kind, const ContactSurface& surface, const Stars& stars, const PairPoints& points,
                          PairBlock& block);

/// Features nearer than this share of the distance that they keep may touch.
inline constexpr Real kMayTouch = Real(0.01);

}  // namespace pliant
