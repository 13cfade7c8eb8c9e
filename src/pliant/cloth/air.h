#pragma once
// Aerodynamics of a sheet: drag and lift of each triangle in the wind, and the pressure inside a closed shell.

#include "pliant/geometry/mesh.h"
#include "pliant/math/types.h"
#include "pliant/state/air_flow.h"
#include "pliant/state/particles.h"

#include <span>
#include <vector>

namespace pliant {

/// The triangles, and which of them meet at each vertex. Empty for a cloth without drag, lift and pressure.
struct AirMesh {
    std::vector<std::array<int, 3>> triangles;  // vertices of the cloth
    std::vector<Real> mass;                     // per triangle [kg]
    std::vector<int> first;                     // per vertex into triangle_at, and one past the end
    std::vector<int> triangle_at;
    double rest_volume = 0;  // of a closed shell [m^3]
};

struct AirParams {
    Real drag = 0, lift = 0;  // coefficients
    Real pressure = 0;        // at the rest volume [Pa]
    Real density = 0;         // of the air [kg/m^3]
    AirFlow flow;
};

AirMesh make_air_mesh(const SurfaceMesh& rest, Real areal_density);

/// The force on a triangle of area vector A n that moves against the air with velocity u = wind - v:
///
///   F = rho/2 |A| (n . u) (drag u + lift (|u| n - (n . u) u / |u|)) + p A n,   n on the side of u
///
/// Drag acts along the wind and lift across it. Velocities change by h F / m, implicitly in |u|, so that even the
/// strongest wind cannot reverse u; a third of F goes to each corner. `force` is scratch, per triangle [N s].
void apply_air(const AirMesh& mesh, const AirParams& params, Real h, Range particles, std::span<Vec3> force,
               Particles& p);

}  // namespace pliant
