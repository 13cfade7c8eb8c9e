#pragma once

#include "pliant/solids/solid.h"
#include "pliant/solids/solid_shape.h"

namespace pliant {

/// A solid that has no particles yet. The engine chooses their order: point k of the shape becomes particle
/// particle_of_point[k]. Throws InputError naming the parameter and the remedy.
Solid make_solid(const SolidShape& shape, const SolidParams& params);

/// Distance that other bodies keep from its particles [m].
Real contact_radius(const Solid& solid);

/// Changes the parameters of an existing solid; a new density scales its masses. Throws InputError for a change of
/// those that its clusters were made from.
void set_params(const SolidParams& params, Solid& solid);

}  // namespace pliant
