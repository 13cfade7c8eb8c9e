#pragma once
// What a solid is made of where its parameters leave that to the engine.
//
// A body of density rho and extent L that stands under its own weight is squeezed by rho g L / E. A modulus of
// E = c rho g L makes that the same 1/c at every size, from a millimetre to a hundred metres, and its oscillations then last as
// long as sqrt(L / g), like all that falls: a default solid looks the same at any scale. Its damping is a rate on that
// scale too.

#include "pliant/solids/solid.h"

namespace pliant {

/// Whether something asks for the published scheme: a modulus of 0, or one of its parameters without a modulus.
bool is_published(const SolidParams& params);

/// E [Pa]; 0 with the published scheme.
double youngs_modulus_of(const Solid& solid);

/// Share of the way to the goal in a step of the published scheme.
inline Real alpha_of(const SolidParams& params) { return params.alpha.value_or(Real(0.5)); }

/// Largest distance from the rigid fit, as a part of the cluster's radius.
inline Real gamma_of(const SolidParams& params) { return params.gamma.value_or(Real(0.1)); }

/// Rate at which deformation dies out [1/s].
Real damping_of(const Solid& solid);

}  // namespace pliant
