#pragma once

#include "pliant/solids/solid.h"
#include "pliant/solids/solid_shape.h"

namespace pliant {

/// A solid without particles yet. Its particles are in an order of the engine's own: point k of the shape is particle
/// particle_of_point[k]. Throws InputError that names the parameter and the remedy.
Solid make_solid(const SolidShape& shape, const SolidParams& params);

/// How far other bodies stay away from its particles [m].
Real contact_radius(const Solid& solid);

/// Parameters for a solid that is there. Throws InputError for those that its particles were chosen by. A new density
/// scales the masses.
void set_params(const SolidParams& params, Solid& solid);

}  // namespace pliant
