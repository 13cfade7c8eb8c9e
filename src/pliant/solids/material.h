#pragma once
// The material of a solid whose parameters do not name one.
//
// A body of density rho and extent L that stands under its own weight is compressed by the fraction rho g L / E. With
// E = c rho g L that is the same 1/c at every size, from a millimetre to a hundred metres, and the period of its
// oscillations is proportional to sqrt(L / g), like the time of a fall: a default solid looks the same at any scale.
// Its damping rate follows the same scale.

#include "pliant/solids/solid.h"

namespace pliant {

/// Whether the parameters choose the published scheme: by a modulus of 0, or by one of its own parameters and no
/// modulus.
bool is_published(const SolidParams& params);

/// E [Pa]; 0 with the published scheme.
double youngs_modulus_of(const Solid& solid);

/// Fraction of the way to the goal per step, in the published scheme.
inline Real alpha_of(const SolidParams& params) { return params.alpha.value_or(Real(0.5)); }

/// Largest distance from the rigid fit, relative to the cluster's radius.
inline Real gamma_of(const SolidParams& params) { return params.gamma.value_or(Real(0.1)); }

/// Rate at which deformation is damped [1/s].
Real damping_of(const Solid& solid);

}  // namespace pliant
