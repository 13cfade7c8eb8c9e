#pragma once
// Cloth and shells: triangle clusters matched in closed form, and fibres that do not stretch [SSBT08].
//
// Around every triangle of a mesh, the outer corners of its three neighbours form a cluster. In every pass
// each cluster is laid flat and its rest triangle is rotated to the best fit; the rotated corners are its goals.
// A vertex moves a fraction (`gain`) of the way to the mean of its goals. Chains of edges that run straight on
// through their vertices are fibres. One pass over a cloth is, in this order:
//
//   match_triangles      the clusters: shear, and the curvature that a shell was made with
//   project_bending      optional bending stiffness in N m, independent of the mesh
//   project_attachments  no vertex is further from a pin than the rest surface allows
//   project_fibres       each fibre as one tridiagonal system: a single solve removes its stretch
//   project_edges        shortens the edges that are still too long
//
// | paper                        | here                                        |
// | ---------------------------- | ------------------------------------------- |
// | clusters of three points     | find_triangle_clusters, match_triangle      |
// | fibres                       | find_fibres                                 |
// | forward and backward sweep   | sweep_fibre, with Fibres::sweep             |
// | stiffness alpha              | ClothParams::gain                           |
//
// Done differently here: weights m/M everywhere, which conserving momentum requires; at a boundary edge both of
// its end points stand in for the missing corner; the published sweep amplifies out-of-plane noise in compressed
// fibres, so it is kept for the paper's experiments only, and the tridiagonal solve takes its place.

#include "pliant/base/fields.h"
#include "pliant/base/revision.h"
#include "pliant/geometry/mesh_edges.h"
#include "pliant/geometry/polygon_mesh.h"
#include "pliant/geometry/rest_surface.h"
#include "pliant/shape/embedding.h"
#include "pliant/state/range.h"
#include "pliant/state/strain.h"

#include <memory>
#include <optional>
#include <string>

namespace pliant {

enum class FibreMode { solve, sweep, none };
constexpr auto enum_names(FibreMode) { return std::array{"solve", "sweep", "none"}; }

struct ClothParams {
    Real areal_density = Real(0.2);
    std::optional<Real> thickness;
    Real gain = Real(0.3);
    Real gain_step = 0;
    Real warp_gain = 1, weft_gain = 1, shear_gain = 1;
    Vec3 warp_axis{1, 0, 0};
    FibreMode fibres = FibreMode::solve;
    Real warp_stiffness = 0, weft_stiffness = 0, shear_stiffness = 0;
    Real bending_stiffness = 0;
    Real damping = 0;
    Real air_drag = 0, air_lift = 0;
    Real pressure = 0;

    static constexpr auto fields()
    {
        using P = ClothParams;
        return std::tuple{
            Field{"areal_density", &P::areal_density, "kg/m^2", "mass per area", kPositive},
            Field{"thickness", &P::thickness, "m",
                  "of the sheet; half of it is kept from colliders. Left out, 2 mm, but no more than a quarter of the "
                  "mean edge",
                  kNonNegative},
            Field{"gain", &P::gain, "1", "share of the way to the goals of the clusters in a pass", kUnitInterval},
            Field{"gain_step", &P::gain_step, "s",
                  "the substep that gain is meant for: it is converted to another one; 0 takes gain as it is",
                  kNonNegative},
            Field{"warp_gain", &P::warp_gain, "1", "factor of the gain for stretch along the warp", kUnitInterval},
            Field{"weft_gain", &P::weft_gain, "1", "factor of the gain for stretch along the weft", kUnitInterval},
            Field{"shear_gain", &P::shear_gain, "1", "factor of the gain for shear", kUnitInterval},
            Field{"warp_axis", &P::warp_axis, "1", "direction of the warp in the rest shape; the weft is across it"},
            Field{"fibres", &P::fibres, "",
                  "solve: one system a fibre, stable; sweep: as published; none: clusters alone"},
            Field{"warp_stiffness", &P::warp_stiffness, "N/m", "against stretch along the warp; 0 does not stretch",
                  kNonNegative},
            Field{"weft_stiffness", &P::weft_stiffness, "N/m", "against stretch along the weft; 0 does not stretch",
                  kNonNegative},
            Field{"shear_stiffness", &P::shear_stiffness, "N/m",
                  "against stretch along all other fibres; 0 does not stretch", kNonNegative},
            Field{"bending_stiffness", &P::bending_stiffness, "N m", "against bending, whatever the mesh; 0 is limp",
                  kNonNegative},
            Field{"damping", &P::damping, "1/s", "rate at which deformation dies out; rigid motion stays",
                  kNonNegative},
            Field{"air_drag", &P::air_drag, "1", "drag coefficient of a triangle across the wind", kNonNegative},
            Field{"air_lift", &P::air_lift, "1", "lift coefficient of a triangle at an angle to the wind",
                  kNonNegative},
            Field{"pressure", &P::pressure, "Pa",
                  "inside a closed shell at its rest volume, over that outside; falls as the volume grows"},
        };
    }
};

struct Cloth {
    static constexpr const char* kKind = "cloth";

    std::string name;
    Range particles;  // vertex k of the mesh is particle k of the cloth
    ClothParams params;
    Revision revision;
    std::vector<std::string> notes;  // defects of the mesh and how they were repaired

    // Rest data. A cloth has no state beyond that of its particles.
    SurfaceMesh rest;
    MeshEdges mesh_edges;                                              // of `rest`
    double mean_edge = 0;                                              // length [m]
    std::shared_ptr<const std::vector<std::array<int, 3>>> triangles;  // those of `rest`, for frames
    std::vector<double> mass;                                          // per vertex [kg]
    Embedding render;                             // finer mesh shown in place of the triangles; may be empty
    std::shared_ptr<const SurfaceSource> source;  // the mesh file that it came from; may be null
};

/// A cloth from a mesh that `clean_sheet` has accepted; it has no particles yet. Throws InputError naming the
/// parameter.
Cloth make_cloth(const SurfaceMesh& rest, const ClothParams& params);

/// Changes the parameters of an existing cloth and recomputes its masses. Throws InputError as make_cloth does.
void set_params(const ClothParams& params, Cloth& cloth);

/// Thickness of the sheet [m]. The default is limited by the mean edge: a sheet thicker than its edges are long would
/// be in contact with itself everywhere.
Real thickness_of(const Cloth& cloth);

/// Relative elongation per edge, in the order of find_edges; 0 for edges shorter than at rest. x are the positions of
/// the cloth's particles.
std::vector<double> edge_strains(const Cloth& cloth, std::span<const Vec3> x);
RestSurface rest_surface(const Cloth& cloth);
Strain measure_strain(const Cloth& cloth, std::span<const Vec3> x);

}  // namespace pliant
