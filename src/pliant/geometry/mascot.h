#pragma once
// The mascot: a sitting rabbit, made by formula so that it needs no file and no licence. It is the zero set of a smooth
// union of ellipsoids (body, haunches, head, snout, ears, paws, tail). Only + - * / and sqrt are used, and the smooth
// minimum is a polynomial, so every machine makes the same bits.

#include "pliant/geometry/mesh.h"

namespace pliant {

/// y up, facing +z, the centre of its bounding box at the origin, mirror-symmetric in x to the last bit; one closed
/// surface without handles. `resolution` is the number of lattice cells over the height, 24 to 256; 48 gives about
/// 5,400 vertices. The ears are an eighth of the height thick: a filling of 2,000 points has two or more across each.
SurfaceMesh make_mascot(double height, int resolution = 48);

}  // namespace pliant
