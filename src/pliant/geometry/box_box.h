#pragma once

#include "pliant/geometry/touch.h"

namespace pliant {

struct OrientedBox {
    Vec3 center;  // [m]
    Mat3 axes;    // box to world
    Vec3 half;    // of the edge lengths [m]
};

/// Touches of a box with a box that does not give way, by separating axes: the direction in which they overlap least is
/// the normal. If it is a face's, the other's opposite face is clipped to it; if it is across two edges, these touch.
void find_box_touches(const OrientedBox& body, const OrientedBox& collider, Real margin, Touches& touches);

}  // namespace pliant
