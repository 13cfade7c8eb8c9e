#pragma once

#include "pliant/math/types.h"

namespace pliant {

/// The rotation by `degrees` about `axis`, any length but zero.
Mat3d rotation_about(const Vec3d& axis, double degrees);

/// The rotation by |rotation_vector| degrees about its direction; zero gives the identity.
Mat3d rotation_of(const Vec3d& rotation_vector);

}  // namespace pliant
