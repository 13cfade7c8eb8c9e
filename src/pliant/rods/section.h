#pragma once
// The cross section of a rod.

#include "pliant/rods/rod.h"

namespace pliant {

struct RodSection {
    double area;           // [m^2]
    double i1, i2, polar;  // second moments about d1, d2, and the torsion constant [m^4]
};

/// Stiffness of a rod, from its material and section.
struct RodStiffness {
    Vec3 moments;                 // EI1, EI2, GJ [N m^2]; zero with the published stiffness
    double axial_compliance = 0;  // 1 / (E A) [1/N]; 0: does not stretch
    double ratio = 0;             // the largest moment over mass per length and shortest edge^4 [1/s^2]

    bool is_published() const { return !(moments.squared_norm() > 0); }
};

/// Throws InputError if only one of width and thickness is given.
RodSection section_of(const RodParams& params);

RodStiffness stiffness_of(const Rod& rod);

}  // namespace pliant
