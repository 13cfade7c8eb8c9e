#pragma once
// Measurements of a solid's deformation, in double. Not part of the step.

#include "pliant/solids/solid.h"
#include "pliant/state/strain.h"

#include <span>
#include <vector>

namespace pliant {

/// Distance of the members from the rigid fit of their cluster, relative to the cluster's radius (beta). x are the
/// positions of the solid's particles.
Strain measure_strain(const Solid& solid, std::span<const Vec3> x);

/// The same for each particle: the largest of its clusters.
std::vector<double> particle_strains(const Solid& solid, std::span<const Vec3> x);

/// Elastic energy of the springs to the goals, with substeps of h [J].
double elastic_energy(const Solid& solid, std::span<const Vec3d> x, double h);

}  // namespace pliant
