#include "pliant/rods/rod.h"

#include "pliant/base/check.h"
#include "pliant/math/portable.h"
#include "pliant/math/rotation.h"
#include "pliant/rods/darboux.h"
#include "pliant/rods/section.h"
#include "pliant/state/effort.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

namespace pliant {

namespace {

void check_strand(const Strand& strand, std::size_t number)
{
    const std::string where = "strand " + std::to_string(number);
    const std::size_t n = strand.points.size();
    if (n < (strand.closed ? 3U : 2U))
        throw InputError(where + ": has " + std::to_string(n) + " points; a rod needs two, a ring three");
    for (std::size_t i = 0; i < n; ++i) {
        const Vec3d& p = strand.points[i];
        if (!std::isfinite(p.x + p.y + p.z))
            throw InputError(where + ": point " + std::to_string(i) + " is not finite");
    }
    if (!(strand.thickness > 0) || !std::isfinite(strand.thickness))
        throw InputError(where + ": thickness is " + std::to_string(strand.thickness) + "; give a number above 0");
    if (!std::isfinite(strand.twist)) throw InputError(where + ": twist is not finite");
    double longest = 0;
    const std::size_t edges = strand.closed ? n : n - 1;
    for (std::size_t i = 0; i < edges; ++i)
        longest = std::max(longest, (strand.points[(i + 1) % n] - strand.points[i]).norm());
    for (std::size_t i = 0; i < edges; ++i) {
        if ((strand.points[(i + 1) % n] - strand.points[i]).norm() > 1e-5 * longest) continue;
        throw InputError(where + ": points " + std::to_string(i) + " and " + std::to_string((i + 1) % n) +
                         " are in one place; remove one of them");
    }
}

/// A unit vector perpendicular to `along`, on the side of `wish` unless that is parallel to it.
Vec3d perpendicular(const Vec3d& along, const Vec3d& wish)
{
    Vec3d across = wish - wish.dot(along) * along;
    if (!(across.norm() > 1e-6 * wish.norm())) {
        const Vec3d other = std::abs(along.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
        across = other - other.dot(along) * along;
    }
    return across.normalized();
}

/// Parallel transport: rotates d by the smallest rotation from one unit vector to the next.
Vec3d transport(const Vec3d& d, const Vec3d& from, const Vec3d& to)
{
    const Vec3d axis = from.cross(to);
    const double scale = 1 + from.dot(to);
    if (scale < 1e-9) return d;  // the rod folds back on itself: the rotation is not unique
    const Vec3d turned = d + axis.cross(d) + axis.cross(axis.cross(d)) / scale;
    return perpendicular(to, turned);
}

class RodMaker {
  public:
    RodMaker(const RodParams& params, const std::vector<Strand>& strands, Rod& rod, std::vector<Vec3d>& start)
        : params_(params), strands_(strands), section_(section_of(params)), rod_(rod), start_(start)
    {}

    void add(std::size_t number)
    {
        const Strand& strand = strands_[number];
        const int parent = parent_edge(number);
        const int n = static_cast<int>(strand.points.size()), edges = strand.closed ? n : n - 1;
        const int first_edge = static_cast<int>(rod_.edges.size());
        rod_.closed.push_back(strand.closed ? 1 : 0);
        rod_.parent_edge.push_back(parent);
        rod_.branches = rod_.branches || parent >= 0;
        // the first point of a branch exists already
        std::vector<int> particles;
        if (parent >= 0) particles.push_back(rod_.edges[parent].p1);
        for (int k = static_cast<int>(particles.size()); k < n; ++k) {
            particles.push_back(static_cast<int>(start_.size()));
            start_.push_back(strand.points[k]);
        }
        rod_.mass.resize(start_.size() + edges, 0);
        add_edges(strand, particles, parent, edges);
        if (parent >= 0) add_element(parent, first_edge, RestShape::given, 0);
        const int joints = strand.closed ? edges : edges - 1;
        for (int j = 0; j < joints; ++j)
            add_element(first_edge + j, first_edge + (j + 1) % edges, params_.rest, rest_twist_);
        rod_.first_edge.push_back(static_cast<int>(rod_.edges.size()));
    }

  private:
    /// The edge of the parent that ends where the strand starts, or -1.
    int parent_edge(std::size_t number) const
    {
        const Strand& strand = strands_[number];
        if (strand.parent < 0) return -1;
        const std::string where = "strand " + std::to_string(number);
        const auto parent = static_cast<std::size_t>(strand.parent);
        if (parent >= number)
            throw InputError(where + ": grows from strand " + std::to_string(parent) +
                             ", which must come before it; reorder them");
        if (strand.closed) throw InputError(where + ": is a ring and cannot grow from another strand");
        const int s = strand.parent, at = strand.parent_point, points = rod_.count_points(s);
        if (at < 0 || at >= points)
            throw InputError(where + ": grows from point " + std::to_string(at) + " of strand " + std::to_string(s) +
                             ", which has " + std::to_string(points));
        if (at == 0 && rod_.closed[s] == 0)
            throw InputError(where + ": grows from the first point of strand " + std::to_string(s) +
                             ", where no edge ends; let it grow from what that grows from, or from its next point");
        const int edge = at > 0 ? rod_.first_edge[s] + at - 1 : rod_.first_edge[s + 1] - 1;
        const Vec3d& from = start_[rod_.edges[edge].p1];
        const double length = (strand.points[1] - strand.points[0]).norm();
        if (!((strand.points[0] - from).norm() < 1e-3 * length))
            throw InputError(where + ": starts away from point " + std::to_string(at) + " of strand " +
                             std::to_string(s) + ", which it grows from; start it there");
        return edge;
    }
    void add_edges(const Strand& strand, const std::vector<int>& particles, int parent, int edges)
    {
        const int n = static_cast<int>(strand.points.size()), first = static_cast<int>(start_.size());
        const auto edge_of = [&](int e) { return strand.points[(e + 1) % n] - strand.points[e]; };
        double mean = 0;
        for (int e = 0; e < edges; ++e) mean += edge_of(e).norm() / edges;
        Vec3d along = edge_of(0).normalized(), side = perpendicular(along, strand.side);
        if (parent >= 0 && strand.side == Vec3d{}) {
            const Rod::Edge& from = rod_.edges[parent];
            const EdgeFrame<double> frame = frame_of(start_[from.p0], start_[from.p1], start_[from.ghost]);
            side = transport(frame.d.c[0], frame.d.c[2], along);
        }
        std::vector<Vec3d> sides;
        for (int e = 0; e < edges; ++e) {
            const Vec3d next = edge_of(e).normalized();
            side = transport(side, along, next);
            along = next;
            sides.push_back(side);
        }
        const double turn = find_twist(strand, sides, edge_of(0).normalized(), along, mean * edges);
        for (int e = 0; e < edges; ++e) {
            const double length = edge_of(e).norm();
            const Vec3d d3 = edge_of(e) / length;
            const Vec3d d1 = rotation_about(d3, turn * e) * sides[e];
            const int p0 = particles[e], p1 = particles[(e + 1) % n], ghost = first + e;
            start_.push_back(strand.points[e] + 0.5 * edge_of(e) + mean * d1);
            rod_.edges.push_back({p0, p1, ghost, static_cast<Real>(length), static_cast<Real>(mean),
                                  static_cast<Real>(strand.thickness)});
            const double area = section_.area * strand.thickness * strand.thickness;
            const double third = static_cast<double>(params_.density) * area * length / 3;
            for (const int i : {p0, p1, ghost}) rod_.mass[i] += third;
        }
    }
    /// The angle from one side vector to the next beyond parallel transport [deg]. The frames of a ring have to close,
    /// so its sides make whole turns; the remainder of the twist asked for becomes rest twist.
    double find_twist(const Strand& strand, const std::vector<Vec3d>& sides, const Vec3d& first, const Vec3d& last,
                      double length)
    {
        rest_twist_ = 0;
        const auto edges = static_cast<double>(sides.size());
        if (!strand.closed) return strand.twist / edges;
        const Vec3d back = transport(sides.back(), last, first);
        const double gap =
            portable::atan2(sides[0].dot(first.cross(back)), sides[0].dot(back)) * 180 / std::numbers::pi;  // to undo
        const double turn = (360 * std::round(strand.twist / 360) - gap) / edges;
        rest_twist_ = (turn * edges - strand.twist) * std::numbers::pi / 180 / length;
        return turn;
    }
    void add_element(int a, int b, RestShape shape, double rest_twist)
    {
        const Rod::Edge &ea = rod_.edges[a], &eb = rod_.edges[b];
        const double lbar = 0.5 * (static_cast<double>(ea.length) + static_cast<double>(eb.length));
        Vec3d rest{0, 0, rest_twist};
        if (shape == RestShape::given) {
            const auto fa = frame_of(start_[ea.p0], start_[ea.p1], start_[ea.ghost]);
            const auto fb = frame_of(start_[eb.p0], start_[eb.p1], start_[eb.ghost]);
            rest = (2 / lbar) * half_tangent(relative_rotation(fa.d, fb.d));
        }
        // Omega is not quite an angle: at a joint that is bent at rest, the same change of Omega is a smaller rotation.
        const Vec3d half = (lbar / 2) * rest;
        const double bulk = lbar * static_cast<double>(eb.stiffness()) / (1 + half.squared_norm());
        const Vec3d each{bulk / (1 + half.x * half.x), bulk / (1 + half.y * half.y), bulk / (1 + half.z * half.z)};
        rod_.elements.push_back({a, b, rest.cast<Real>(), static_cast<Real>(lbar), each.cast<Real>()});
    }

    const RodParams& params_;
    const std::vector<Strand>& strands_;
    RodSection section_;
    Rod& rod_;
    std::vector<Vec3d>& start_;
    double rest_twist_ = 0;  // of the strand [1/m]
};

}  // namespace

Rod make_rod(const std::vector<Strand>& strands, const RodParams& params)
{
    if (strands.empty()) throw InputError("rod: no strand; give at least two points");
    Rod rod;
    rod.params = params;
    rod.first_edge.push_back(0);
    RodMaker maker(params, strands, rod, rod.rest);
    for (std::size_t s = 0; s < strands.size(); ++s) {
        check_strand(strands[s], s);
        maker.add(s);
    }
    rod.middle_velocity.resize(rod.edges.size());
    rod.tension.resize(rod.edges.size());
    rod.touched.resize(rod.closed.size(), 0);
    for (int s = 0; s < rod.strands(); ++s) {
        double length = 0;
        for (int e = rod.first_edge[s]; e < rod.first_edge[s + 1]; ++e)
            length += static_cast<double>(rod.edges[e].length);
        rod.longest = std::max(rod.longest, length);
    }
    return rod;
}

namespace {

bool has_default_material(const RodParams& p)
{
    return !p.youngs_modulus && !p.bend && !p.twist && p.solver != RodSolver::sweep;
}

}  // namespace

namespace {

double default_modulus(const Rod& rod)
{
    constexpr double kDefaultStiffness = 500;  // E / (rho g L)
    return kDefaultStiffness * static_cast<double>(rod.params.density) * kStandardGravity * rod.longest;
}

}  // namespace

double youngs_modulus_of(const Rod& rod)
{
    const RodParams& p = rod.params;
    return has_default_material(p) ? default_modulus(rod) : static_cast<double>(p.youngs_modulus.value_or(0));
}

double relative_stiffness(const Rod& rod) { return youngs_modulus_of(rod) / default_modulus(rod); }

RodDampingRates damping_rates_of(const Rod& rod)
{
    constexpr double kDefaultDamping = 4;  // times sqrt(g / L)
    const RodParams& p = rod.params;
    const bool some = has_default_material(p) && rod.longest > 0;
    const double left_out = some ? kDefaultDamping * std::sqrt(kStandardGravity / rod.longest) : 0;
    const auto rate = [&](const std::optional<Real>& named) { return named ? static_cast<double>(*named) : left_out; };
    return {rate(p.bend_damping), rate(p.twist_damping)};
}

void set_params(const RodParams& params, Rod& rod)
{
    if (params.rest != rod.params.rest)
        throw InputError(
            "rest: the rest shape is made when a rod is added and cannot be changed; remove the rod and add it again");
    const double before = static_cast<double>(rod.params.density) * section_of(rod.params).area;
    const double heavier = static_cast<double>(params.density) * section_of(params).area / before;
    if (heavier != 1)
        for (double& m : rod.mass) m *= heavier;
    rod.params = params;
    rod.revision.bump();
}

RestSurface rest_surface(const Rod& rod)
{
    RestSurface surface;
    surface.rest = rod.rest;
    std::vector<char> ghost(rod.rest.size(), 0);
    for (const Rod::Edge& edge : rod.edges) {
        ghost[edge.ghost] = 1;
        surface.edges.push_back({edge.p0, edge.p1});
    }
    for (int i = 0; i < static_cast<int>(ghost.size()); ++i)
        if (ghost[i] == 0) surface.points.push_back(i);
    return surface;
}

Strain measure_strain(const Rod& rod, std::span<const Vec3> x)
{
    std::vector<double> strains;
    strains.reserve(rod.edges.size());
    for (const Rod::Edge& edge : rod.edges) {
        const double length = (x[edge.p1].cast<double>() - x[edge.p0].cast<double>()).norm();
        strains.push_back(std::abs(length / static_cast<double>(edge.length) - 1));
    }
    return strain_of(std::move(strains));
}

}  // namespace pliant
