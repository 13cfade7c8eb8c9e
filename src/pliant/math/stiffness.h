#pragma once
// Stiffness that keeps its meaning when the number of iterations or the time step changes.

#include "pliant/math/portable.h"
#include "pliant/math/types.h"

namespace pliant {

/// The share k of an error to remove in one of `iterations`, so that a step of length h removes what a
/// share k per step of length `reference` would. Exact for one linear constraint.
inline Real stiffness_per_iteration(Real k, int iterations, Real h = 1, Real reference = 1)
{
    if (k >= 1) return 1;
    const auto kept = static_cast<Real>(portable::log1p(static_cast<double>(-k)));
    const Real each = kept * h / (reference * static_cast<Real>(iterations));
    return -static_cast<Real>(portable::expm1(static_cast<double>(each)));
}

/// The gain a = h^2 k/m of an explicit spring to goals at x(t), for another time step: alpha of [BJ14].
inline Real scale_explicit_gain(Real gain, Real h, Real reference)
{
    const Real ratio = h / reference;
    return gain * ratio * ratio;
}

/// The gain a = q/(1+q), q = h^2 k/m, of a spring to goals at the predicted positions, for another time step.
inline Real scale_predicted_gain(Real gain, Real h, Real reference)
{
    if (gain >= 1) return 1;
    const Real q = scale_explicit_gain(gain / (1 - gain), h, reference);
    return q / (1 + q);
}

}  // namespace pliant
