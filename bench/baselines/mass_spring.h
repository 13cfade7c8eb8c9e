#pragma once
// The cloth of [BMF03]: damped springs along the edges, bending elements across them, central differences in time.
// Plain and scalar, for benchmarks only.
//
// A bending element is two triangles with a common edge: x1 and x2 are the outer corners, x3 and x4 the edge.
//
//   E = x4 - x3,  N1 = (x1 - x3) x (x1 - x4),  N2 = (x2 - x4) x (x2 - x3)
//
//   u1 = |E| N1/|N1|^2                                                            the bending mode: the one
//   u2 = |E| N2/|N2|^2                                                            motion of four points that
//   u3 =  ((x1 - x4).E/|E|) N1/|N1|^2 + ((x2 - x4).E/|E|) N2/|N2|^2               is no rigid motion and no
//   u4 = -((x1 - x3).E/|E|) N1/|N1|^2 - ((x2 - x3).E/|E|) N2/|N2|^2               change of length in the plane
//
//   F_i = k^e |E|^2 / (|N1| + |N2|) (sin(theta/2) - sin(theta_0/2)) u_i           elastic
//   F_i = -k^d |E| (u1.v1 + u2.v2 + u3.v3 + u4.v4) u_i                            damping
//
// sin(theta/2) = |n1 - n2| / 2 with the sign of (n1 x n2).E; the paper's sqrt((1 - n1.n2) / 2) is the same number with
// fewer digits. A spring of rest length L pulls with k (|d|/L - 1) + c v.d/|d|.
//
//   v^{n+1/2} = v^n + h/2 a^n,   x^{n+1} = x^n + h v^{n+1/2},   v^{n+1} = v^{n+1/2} + h/2 a^{n+1}
//
// Done differently here: damping in a^{n+1} takes v^{n+1/2}, where the paper solves for v^{n+1}, so a step is one
// evaluation of the forces. Strain limiting, collisions and wrinkles of the paper are left out.

#include "pliant/geometry/mesh.h"

#include <span>
#include <vector>

namespace pliant {

struct MassSpringParams {
    Real areal_density = Real(0.2);       // [kg/m^2]
    Real stretch_stiffness = 20;          // k: of all springs, whatever their length [N]
    Real stretch_damping = Real(0.005);   // c [N s/m]
    Real bending_stiffness = Real(1e-5);  // k^e [N m]
    Real bending_damping = 0;             // k^d [N s]
    Real drag = 0;                        // rate at which velocity dies out [1/s]
    Vec3 gravity{0, Real(-9.81), 0};      // [m/s^2]
};

struct MassSpring {
    struct Spring {
        int a, b;
        Real length;  // at rest [m]
    };
    struct Bend {
        int x1, x2, x3, x4;
        Real rest;  // sin(theta_0 / 2)
    };
    MassSpringParams params;
    std::vector<Spring> springs;
    std::vector<Bend> bends;
    std::vector<Vec3> x, v;      // per vertex [m], [m/s]
    std::vector<Vec3> a;         // per vertex: a^n, of the positions as they are [m/s^2]
    std::vector<Real> mass;      // per vertex [kg]
    std::vector<Real> inv_mass;  // per vertex, 0 = pinned [1/kg]
};

/// At rest, with a third of the mass of every triangle at each of its corners.
MassSpring make_mass_spring(const SurfaceMesh& rest, const MassSpringParams& params);

/// a = F/m + g - drag v. After x, pins or parameters were changed from outside, call it before the next step.
void update_accelerations(MassSpring& cloth);

/// One step: one evaluation of the forces, two half steps of velocity.
void step_mass_spring(Real h, MassSpring& cloth);

}  // namespace pliant
