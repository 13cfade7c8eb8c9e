#include "pliant/rods/section.h"

#include "pliant/base/check.h"

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

namespace pliant {

namespace {

/// Torsion constant of a rectangle a x b, a >= b, within 0.5 %: a b^3 (1/3 - 0.21 b/a (1 - b^4 / 12 a^4)).
double torsion_of_rectangle(double a, double b)
{
    if (a < b) std::swap(a, b);
    const double r = b / a;
    return a * b * b * b * (1.0 / 3 - 0.21 * r * (1 - r * r * r * r / 12));
}

}  // namespace

RodSection section_of(const RodParams& p)
{
    if (p.width > 0 || p.thickness > 0) {
        if (!(p.width > 0) || !(p.thickness > 0))
            throw InputError("width: a rectangular section needs both width and thickness");
        const auto a = static_cast<double>(p.width), b = static_cast<double>(p.thickness);
        return {a * b, a * b * b * b / 12, b * a * a * a / 12, torsion_of_rectangle(a, b)};
    }
    const auto r = static_cast<double>(p.radius);
    const double quarter = std::numbers::pi * r * r * r * r / 4;
    return {std::numbers::pi * r * r, quarter, quarter, 2 * quarter};
}

RodStiffness stiffness_of(const Rod& rod)
{
    const RodSection section = section_of(rod.params);
    const double e = youngs_modulus_of(rod);
    const double g = rod.params.shear_modulus > 0 ? static_cast<double>(rod.params.shear_modulus) : e / 3;
    const Vec3d moments{e * section.i1, e * section.i2, g * section.polar};
    double shortest = std::numeric_limits<double>::max(), thickest = 0;
    for (const Rod::Edge& edge : rod.edges) {
        shortest = std::min(shortest, static_cast<double>(edge.length));
        thickest = std::max(thickest, static_cast<double>(edge.thickness));
    }
    const double stiffest = std::max({moments.x, moments.y, moments.z});
    const double weight = static_cast<double>(rod.params.density) * section.area;
    // The fibres of a rope slide past each other, so it is far stiffer along itself than its bending says, and hardly
    // stretches under a hundred times its own mass. The default is such a rope; a given modulus means a solid bar.
    constexpr double kRopeStretchFactor = 100;
    const double along = rod.params.youngs_modulus ? e : kRopeStretchFactor * e;
    return {moments.cast<Real>(), e > 0 ? 1 / (along * section.area) : 0,
            stiffest * thickest * thickest / (weight * shortest * shortest * shortest * shortest)};
}

}  // namespace pliant
