#pragma once
// Soft solids: clustered shape matching with explicit integration and strain limiting [BJ14].
//
// A solid is a cloud of particles covered by overlapping clusters. In every step a rigid motion of each
// cluster's rest shape is fitted to its members; the fitted positions of a particle, averaged over its clusters,
// are its goal. Goals are used twice:
//
//   match_shapes   v += alpha (g - x) / h, from the positions at the start of the step: an explicit
//                  spring to the goal that conserves linear and angular momentum exactly
//   limit_strain   y += omega (g' - y), from the predicted positions, a few times: g' is the nearest
//                  point that is no further than gamma w_c from the rigid fit
//
// | paper               | here                                |
// | ------------------- | ----------------------------------- |
// | alpha, gamma, omega | SolidParams::alpha, gamma, omega    |
// | iters               | Settings::iterations                |
// | w_c                 | ClusterRest::radius                 |
// | n_i                 | shares, lambda = 1/n_i              |
//
// Done differently here: weights m/n in centroid and fit, which conserving momentum requires; a limiter that
// conserves momentum (`corrected`); even clusters with smooth shares, so that a symmetric body stays symmetric;
// a stiffness in pascals as an alternative to alpha; damping of deformation only.

#include "pliant/base/fields.h"
#include "pliant/base/revision.h"
#include "pliant/geometry/polygon_mesh.h"
#include "pliant/geometry/rest_surface.h"
#include "pliant/shape/cluster_rest.h"
#include "pliant/shape/embedding.h"
#include "pliant/solids/skin.h"
#include "pliant/state/range.h"

#include <optional>
#include <string>

namespace pliant {

enum class Clustering { even, random, lists };
constexpr auto enum_names(Clustering) { return std::array{"even", "random", "lists"}; }

enum class Limiter { particle, corrected, cluster };
constexpr auto enum_names(Limiter) { return std::array{"particle", "corrected", "cluster"}; }

struct SolidParams {
    Real density = 1000;
    Clustering clustering = Clustering::even;
    Real cluster_radius = 0;
    int seed = 1;
    std::optional<Real> alpha;
    std::optional<Real> youngs_modulus;
    std::optional<Real> gamma;
    Real omega = 1;
    Limiter limiter = Limiter::corrected;
    std::optional<Real> damping;
    Real thickness = 0;

    static constexpr auto fields()
    {
        using P = SolidParams;
        return std::tuple{
            Field{"density", &P::density, "kg/m^3", "mass per volume", kPositive},
            Field{"clustering", &P::clustering, "",
                  "even: evenly spread with smooth shares; random: as published; lists: given"},
            Field{"cluster_radius", &P::cluster_radius, "m",
                  "of the clusters; 0 chooses four times the spacing of the particles", kNonNegative},
            Field{"seed", &P::seed, "1", "of random clustering", kNonNegative},
            Field{"alpha", &P::alpha, "1",
                  "share of the way to the goal in a step of the published scheme; left out there, 0.5", kUnitInterval},
            Field{
                "youngs_modulus", &P::youngs_modulus, "Pa",
                "stiffness that does not depend on the time step; takes the place of alpha when not 0. Left out beside "
                "alpha, gamma, omega and limiter, 100 times density, 9.81 m/s^2 and the largest extent: it sags by a "
                "percent or so of its size, whatever that is",
                kNonNegative},
            Field{"gamma", &P::gamma, "1",
                  "largest distance from the rigid fit, as a part of the cluster's radius; left out, 0.1",
                  kNonNegative},
            Field{"omega", &P::omega, "1", "relaxation of an iteration of the limit, between 0 and 2",
                  Limits{.low = 0, .high = 2}},
            Field{"limiter", &P::limiter, "",
                  "particle: as published; corrected: keeps momentum; cluster: one factor a cluster"},
            Field{"damping", &P::damping, "1/s",
                  "rate at which deformation dies out; rigid motion stays. Left out, 0, but for a solid without any "
                  "stiffness of its own 1.5 sqrt(9.81 m/s^2 / largest extent)",
                  kNonNegative},
            Field{"thickness", &P::thickness, "m",
                  "of its skin, or the diameter of its particles where they touch as balls; 0 chooses a quarter of the "
                  "spacing, or all of it",
                  kNonNegative},
        };
    }
};

struct Solid {
    static constexpr const char* kKind = "solid";

    std::string name;
    Range particles;
    SolidParams params;
    Revision revision;  // of everything but the state

    // rest data
    std::vector<Vec3d> rest;                      // per particle, relative to the middle of the body [m]
    std::vector<double> mass;                     // per particle [kg]
    Memberships memberships;                      // of particles in clusters
    std::vector<ClusterRest> clusters;            // per cluster
    std::vector<int> particle_of_point;           // per point of the shape: its particle, counted from particles.first
    double spacing = 0;                           // typical distance of neighbours [m]
    double extent = 0;                            // largest side of the bounding box [m]
    Skin skin;                                    // its surface
    std::vector<std::array<int, 4>> tetrahedra;   // particles, counted from particles.first; may be empty
    Embedding render;                             // finer mesh shown in place of the skin; may be empty
    std::shared_ptr<const SurfaceSource> source;  // the mesh file that its surface came from; may be null

    // state
    std::vector<Mat3> rotation;  // per cluster: of the last fit, which a degenerate fit falls back to
};

/// For contact: its skin if that is made of particles, else a ball at every particle.
RestSurface rest_surface(const Solid& solid);

}  // namespace pliant
