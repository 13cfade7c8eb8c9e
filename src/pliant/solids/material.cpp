#include "pliant/solids/material.h"

#include "pliant/state/effort.h"

#include <cmath>

namespace pliant {

namespace {

constexpr double kDefaultStiffness = 100;  // E / (rho g L)
constexpr double kDefaultDamping = 1.5;    // times sqrt(g / L)

bool is_default(const SolidParams& p) { return !p.youngs_modulus && !is_published(p); }

}  // namespace

bool is_published(const SolidParams& p)
{
    if (p.youngs_modulus) return *p.youngs_modulus == 0;
    return p.alpha || p.gamma || p.omega != 1 || p.limiter != Limiter::corrected;
}

double youngs_modulus_of(const Solid& solid)
{
    const SolidParams& p = solid.params;
    if (!is_default(p)) return static_cast<double>(p.youngs_modulus.value_or(0));
    return kDefaultStiffness * static_cast<double>(p.density) * kStandardGravity * solid.extent;
}

Real damping_of(const Solid& solid)
{
    if (solid.params.damping || !is_default(solid.params) || !(solid.extent > 0))
        return solid.params.damping.value_or(0);
    return static_cast<Real>(kDefaultDamping * std::sqrt(kStandardGravity / solid.extent));
}

}  // namespace pliant
