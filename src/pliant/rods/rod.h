#pragma once
// Rods: position-based elastic rods with ghost points [USS14].
//
// A rod is a chain of points. Beside the middle of every edge sits a ghost point, a particle with mass like any other,
// which gives the edge a frame; the rotation from one frame to the next is bend and twist. One pass over the rods is
//
//   project_edges      length, ghost on the bisector, distance of the ghost: rods/edge.h
//   project_elements   bend and twist between neighbouring edges, the Darboux vector: rods/darboux.h
//   project_tips       ends held to a frame: rods/tip.h
//
// | paper                      | here                                     |
// | -------------------------- | ---------------------------------------- |
// | material frame d1, d2, d3  | frame_of                                 |
// | Darboux vector Omega       | half_tangent, times 2 / lbar             |
// | ghost point constraints    | project_length, _bisector, _ghost        |
// | gravity on ghosts          | lift_ghosts                              |
//
// Done differently here: the gradient as a few multiples of d1 and d2 instead of long sums; a form of the projection
// that stays finite at half a turn; a rest Darboux vector for every element; a stiffness in pascals with compliance,
// and a direct solve (rods/direct.h), beside the published stiffness; the ghosts' gravity with the mass ratio that
// conserves momentum; graph colouring instead of one sweep direction, so that eight elements are solved at once and no
// direction is preferred.

#include "pliant/base/fields.h"
#include "pliant/base/revision.h"
#include "pliant/geometry/rest_surface.h"
#include "pliant/math/types.h"
#include "pliant/state/motion.h"
#include "pliant/state/range.h"
#include "pliant/state/strain.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pliant {

enum class RodEnd { start, end };
constexpr auto enum_names(RodEnd) { return std::array{"start", "end"}; }

enum class RestShape { given, straight };
constexpr auto enum_names(RestShape) { return std::array{"given", "straight"}; }

enum class RodSolver { direct, sweep };
constexpr auto enum_names(RodSolver) { return std::array{"direct", "sweep"}; }

/// What gravity does to ghosts: `lifted` is correct, the others are there for comparison [USS14, supplement].
enum class GhostGravity { lifted, full, none };
constexpr auto enum_names(GhostGravity) { return std::array{"lifted", "full", "none"}; }

struct RodParams {
    Real density = 1000;
    Real radius = Real(0.005);
    Real width = 0, thickness = 0;
    std::optional<Real> youngs_modulus;
    Real shear_modulus = 0;
    std::optional<Real> bend, twist;
    RodSolver solver = RodSolver::direct;
    RestShape rest = RestShape::given;
    GhostGravity ghost_gravity = GhostGravity::lifted;
    Real damping = 0;
    std::optional<Real> bend_damping, twist_damping;

    static constexpr auto fields()
    {
        using P = RodParams;
        return std::tuple{
            Field{"density", &P::density, "kg/m^3", "mass per volume", kPositive},
            Field{"radius", &P::radius, "m", "of a round section, and of the rod in contact", kPositive},
            Field{"width", &P::width, "m", "of a rectangular section, along d1; with thickness, instead of radius",
                  kNonNegative},
            Field{"thickness", &P::thickness, "m", "of a rectangular section, along d2", kNonNegative},
            Field{
                "youngs_modulus", &P::youngs_modulus, "Pa",
                "stiffness that does not depend on the time step; takes the place of bend and twist when not 0. Left "
                "out beside those, 500 times density, 9.81 m/s^2 and the length of the longest strand: it hangs 0.2 % "
                "longer at most",
                kNonNegative},
            Field{"shear_modulus", &P::shear_modulus, "Pa", "against twist; 0 takes a third of Young's modulus",
                  kNonNegative},
            Field{"bend", &P::bend, "1",
                  "share of bending that is removed in 1/60 s: 0 limp, 1 rigid; left out beside twist, 0.5",
                  kUnitInterval},
            Field{"twist", &P::twist, "1", "share of twist that is removed in 1/60 s; left out beside bend, 0.5",
                  kUnitInterval},
            Field{"solver", &P::solver, "",
                  "with a Young's modulus: one solve a strand, right at any stiffness; or sweeps as published"},
            Field{"rest", &P::rest, "", "the shape without forces: as it was given, or straight and untwisted"},
            Field{"ghost_gravity", &P::ghost_gravity, "",
                  "lifted: ghosts weigh on their edges; full and none bend or spin the rod, for comparison"},
            Field{"damping", &P::damping, "1/s", "rate at which deformation dies out; rigid motion stays",
                  kNonNegative},
            Field{"bend_damping", &P::bend_damping, "1/s",
                  "rate at which bending motion of each strand dies out; rigid motion and twist stay. Left out, 0, but "
                  "for a rod without any stiffness of its own 4 sqrt(9.81 m/s^2 / longest strand)",
                  kNonNegative},
            Field{"twist_damping", &P::twist_damping, "1/s",
                  "the same of twisting motion, and the same where it is left out", kNonNegative},
        };
    }
};

/// The centre line of one rod: at least two points, and the side on which its ghosts start.
struct Strand {
    std::vector<Vec3d> points;  // [m]
    bool closed = false;        // a ring: an edge leads from the last point to the first
    Vec3d side;                 // direction of the first ghost; zero: chosen automatically
    int parent = -1;            // of a branch: the earlier strand that it grows from,
    int parent_point = 0;       // and the point of that, which is also its own first point; their frames are joined
    double thickness = 1;       // of its section, relative to the rod's
    double twist = 0;           // from end to end at the start, if the rest shape is straight [deg]
};

/// A clamped end: held to a frame, which may be in keyed motion. Its position is held by pinning the point.
struct RodTip {
    int edge = 0;  // of the body
    RodEnd end = RodEnd::start;
    Mat3d frame;  // columns d1, d2, d3 before the keyed motion
    Motion motion;
};

struct Rod {
    static constexpr const char* kKind = "rod";

    struct Edge {
        int p0, p1, ghost;  // particles of the body
        Real length;        // at rest [m]
        Real ghost_distance;
        Real thickness;  // of the section, relative to the rod's

        Real area() const { return thickness * thickness; }  // of the section, relative
        Real stiffness() const { return area() * area(); }   // against bend and twist, relative
    };
    struct Element {
        int a, b;   // edges; b starts where a ends
        Vec3 rest;  // Omega_rest [1/m]
        Real lbar;  // [m]
        Vec3 bulk;  // lbar times the stiffness of the section about d1, d2, d3, relative [m]
    };
    std::string name;
    Range particles;
    RodParams params;
    Revision revision;

    // rest data
    std::vector<Vec3d> rest;        // per particle: position at which it was made [m]
    std::vector<int> first_edge;    // per strand, and one past the end
    std::vector<char> closed;       // per strand
    std::vector<int> parent_edge;   // per strand: the edge that it grows from; -1 for none
    std::vector<Edge> edges;        // strand by strand
    std::vector<Element> elements;  // the same
    std::vector<double> mass;       // per particle [kg]
    double longest = 0;             // length of the longest strand [m]
    bool branches = false;          // some strand grows from another
    std::vector<RodTip> tips;

    // state
    std::vector<Vec3> middle_velocity;  // per edge: in the last substep, for the ghosts' gravity [m/s]
    bool started = false;               // middle_velocity is known
    bool rubs = false;                  // a held body pushes a strand that glue holds
    std::vector<char> touched;          // per strand: contact has pushed it in the last substep
    std::vector<Real> tension;          // per edge: in the last substep, of a rod that glue holds [N]

    int strands() const { return static_cast<int>(closed.size()); }
    int count_edges(int strand) const { return first_edge[strand + 1] - first_edge[strand]; }
    /// Strands per parallel task: all of them if some share points.
    int grain(int least) const { return branches ? strands() : least; }
    int count_points(int strand) const { return count_edges(strand) + (closed[strand] != 0 ? 0 : 1); }
    /// The particles of a strand, ghosts included; strands of a tree share points, so that all are its.
    Range points_of(int strand) const
    {
        if (branches) return {0, particles.count};
        const auto start = [&](int s) { return s < strands() ? edges[first_edge[s]].p0 : particles.count; };
        return {start(strand), start(strand + 1) - start(strand)};
    }
    /// Point k of a strand, as a particle of the body.
    int point(int strand, int k) const
    {
        return k < count_edges(strand) ? edges[first_edge[strand] + k].p0 : edges[first_edge[strand + 1] - 1].p1;
    }
};

/// A rod that has no particles yet. Throws InputError naming the strand and the point.
Rod make_rod(const std::vector<Strand>& strands, const RodParams& params);

/// Changes the parameters of an existing rod and scales its masses. Throws InputError for a change of `rest`, from
/// which the rest shape was made.
void set_params(const RodParams& params, Rod& rod);

/// E [Pa]; 0 with the published stiffness, which is used if bend, twist or a modulus of 0 is given. The default is a
/// multiple of the longest strand's weight per cross-section area, so that the relative stretch is the same at any
/// length.
double youngs_modulus_of(const Rod& rod);
/// E relative to that default.
double relative_stiffness(const Rod& rod);
/// Bend and twist damping [1/s].
struct RodDampingRates {
    double bend = 0, twist = 0;
    bool any() const { return bend > 0 || twist > 0; }
};
RodDampingRates damping_rates_of(const Rod& rod);

/// The points and edges of all strands, without the ghosts.
RestSurface rest_surface(const Rod& rod);

/// Relative change of the edges' lengths, longer or shorter. x are the positions of the rod's particles.
Strain measure_strain(const Rod& rod, std::span<const Vec3> x);

}  // namespace pliant
