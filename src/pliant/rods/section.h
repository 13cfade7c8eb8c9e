#pragma once
// The cross section of a rod.

#include "pliant/rods/rod.h"

namespace pliant {

struct RodSection {
    double area;           // [m^2]
    double i1, i2, polar;  // second moments about d1, d2, and the torsion constant [m^4]
};

/// What its material and section make of it.
struct RodStiffness {
    Vec3 moments;                 // EI1, EI2, GJ [N m^2]; zero with the published stiffness
    double axial_compliance = 0;  // 1 / (E A) [1/N]; zero does not stretch
    double ratio = 0;             // the largest moment over mass per length and shortest edge^4 [1/s^2]

    bool is_published() const { return !(moments.squared_norm() > 0); }
};

/// Throws InputError for half a rectangle.
RodSection section_of(const RodParams& params);

RodStiffness stiffness_of(const Rod& rod);

}  // namespace pliant
