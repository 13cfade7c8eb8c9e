#include "pliant/rods/rod.h"

#include "pliant/base/check.h"
#include "pliant/shape/colours.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>

namespace pliant {

namespace {

struct Section {
    double area;           // [m^2]
    double i1, i2, polar;  // second moments about d1, d2, and the torsion constant [m^4]
};

/// Of the torsion constant of a rectangle a x b, a >= b: a b^3 (1/3 - 0.21 b/a (1 - b^4 / 12 a^4)), within 0.5 %.
double torsion_of_rectangle(double a, double b)
{
    if (a < b) std::swap(a, b);
    const double r = b / a;
    return a * b * b * b * (1.0 / 3 - 0.21 * r * (1 - r * r * r * r / 12));
}

Section section_of(const RodParams& p)
{
    if (p.width > 0 || p.thickness > 0) {
        if (!(p.width > 0) || !(p.thickness > 0))
            throw InputError("width: a rectangular section needs width and thickness");
        const auto a = static_cast<double>(p.width), b = static_cast<double>(p.thickness);
        return {a * b, a * b * b * b / 12, b * a * a * a / 12, torsion_of_rectangle(a, b)};
    }
    const auto r = static_cast<double>(p.radius);
    const double quarter = std::numbers::pi * r * r * r * r / 4;
    return {std::numbers::pi * r * r, quarter, quarter, 2 * quarter};
}

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

/// A unit vector across `along`, on the side of `wish` if that helps.
Vec3d perpendicular(const Vec3d& along, const Vec3d& wish)
{
    Vec3d across = wish - wish.dot(along) * along;
    if (!(across.norm() > 1e-6 * wish.norm())) {
        const Vec3d other = std::abs(along.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
        across = other - other.dot(along) * along;
    }
    return across.normalized();
}

/// Carries a direction along by the smallest rotation from one unit vector to the next.
Vec3d transport(const Vec3d& d, const Vec3d& from, const Vec3d& to)
{
    const Vec3d axis = from.cross(to);
    const double scale = 1 + from.dot(to);
    if (scale < 1e-9) return d;  // it folds back on itself: any side is as good
    const Vec3d turned = d + axis.cross(d) + axis.cross(axis.cross(d)) / scale;
    return perpendicular(to, turned);
}

class RodMaker {
  public:
    RodMaker(const RodParams& params, Rod& rod, std::vector<Vec3d>& start)
        : params_(params), section_(section_of(params)), rod_(rod), start_(start)
    {}

    void add(const Strand& strand)
    {
        const int n = static_cast<int>(strand.points.size()), edges = strand.closed ? n : n - 1;
        const int first = static_cast<int>(start_.size()), first_edge = static_cast<int>(rod_.edges.size());
        rod_.first_point.push_back(first);
        rod_.closed.push_back(strand.closed ? 1 : 0);
        start_.insert(start_.end(), strand.points.begin(), strand.points.end());
        rod_.mass.resize(start_.size() + edges, 0);
        add_edges(strand, first, edges);
        const int joints = strand.closed ? edges : edges - 1;
        for (int j = 0; j < joints; ++j) add_element(first_edge + j, first_edge + (j + 1) % edges);
        rod_.first_edge.push_back(static_cast<int>(rod_.edges.size()));
    }

  private:
    void add_edges(const Strand& strand, int first, int edges)
    {
        const int n = static_cast<int>(strand.points.size());
        const auto edge_of = [&](int e) { return strand.points[(e + 1) % n] - strand.points[e]; };
        double mean = 0;
        for (int e = 0; e < edges; ++e) mean += edge_of(e).norm() / edges;
        Vec3d along = edge_of(0).normalized(), side = perpendicular(along, strand.side);
        for (int e = 0; e < edges; ++e) {
            const double length = edge_of(e).norm();
            const Vec3d next = edge_of(e) / length;
            side = transport(side, along, next);
            along = next;
            const int p0 = first + e, p1 = first + (e + 1) % n, ghost = first + n + e;
            start_.push_back(strand.points[e] + 0.5 * edge_of(e) + mean * side);
            rod_.edges.push_back({p0, p1, ghost, static_cast<Real>(length), static_cast<Real>(mean)});
            const double third = static_cast<double>(params_.density) * section_.area * length / 3;
            for (const int i : {p0, p1, ghost}) rod_.mass[i] += third;
        }
    }
    void add_element(int a, int b)
    {
        const Rod::Edge &ea = rod_.edges[a], &eb = rod_.edges[b];
        const double lbar = 0.5 * (static_cast<double>(ea.length) + static_cast<double>(eb.length));
        Vec3d rest;
        if (params_.rest == RestShape::given) {
            const auto fa = frame_of(start_[ea.p0], start_[ea.p1], start_[ea.ghost]);
            const auto fb = frame_of(start_[eb.p0], start_[eb.p1], start_[eb.ghost]);
            rest = (2 / lbar) * half_tangent(relative_rotation(fa.d, fb.d));
        }
        rod_.elements.push_back({a, b, rest.cast<Real>(), static_cast<Real>(lbar)});
    }

    const RodParams& params_;
    Section section_;
    Rod& rod_;
    std::vector<Vec3d>& start_;
};

std::array<int, 3> points_of(const Rod::Edge& e) { return {e.p0, e.p1, e.ghost}; }
std::array<int, 5> points_of(const Rod& rod, const Rod::Element& e)
{
    const Rod::Edge &a = rod.edges[e.a], &b = rod.edges[e.b];
    return {a.p0, a.p1, b.p1, a.ghost, b.ghost};
}

void group_edges(int particles, Rod& rod)
{
    const Colours colours =
        find_colours(static_cast<int>(rod.edges.size()), particles, [&](int i) { return points_of(rod.edges[i]); });
    rod.first_edge_group = group_by_eight(colours, [&](std::span<const int> items) {
        Rod::EdgeGroup group;
        group.edge.fill(-1);
        for (IndexLanes& p : group.point) p.fill(padding_of_group(particles, static_cast<int>(rod.edge_groups.size())));
        for (int l = 0; l < static_cast<int>(items.size()); ++l) {
            group.edge[l] = items[l];
            const Rod::Edge& edge = rod.edges[group.edge[l]];
            for (int i = 0; i < 3; ++i) group.point[i][l] = points_of(edge)[i];
            group.length.set(l, edge.length);
            group.ghost_distance.set(l, edge.ghost_distance);
            group.compliance.set(l, static_cast<Real>(static_cast<double>(edge.length) * rod.axial_compliance));
        }
        rod.edge_groups.push_back(group);
    });
}

void group_elements(int particles, Rod& rod)
{
    const Colours colours = find_colours(static_cast<int>(rod.elements.size()), particles,
                                         [&](int i) { return points_of(rod, rod.elements[i]); });
    rod.first_element_group = group_by_eight(colours, [&](std::span<const int> items) {
        Rod::ElementGroup group;
        for (IndexLanes& p : group.point)
            p.fill(padding_of_group(particles, static_cast<int>(rod.element_groups.size())));
        group.lbar = 1;
        for (int l = 0; l < static_cast<int>(items.size()); ++l) {
            const Rod::Element& element = rod.elements[items[l]];
            for (int i = 0; i < 5; ++i) group.point[i][l] = points_of(rod, element)[i];
            set_lane(group.rest, l, element.rest);
            group.lbar.set(l, element.lbar);
        }
        rod.element_groups.push_back(group);
    });
}

}  // namespace

Rod make_rod(const std::vector<Strand>& strands, const RodParams& params, std::vector<Vec3d>& start)
{
    if (strands.empty()) throw InputError("rod: no strand; give at least two points");
    Rod rod;
    rod.params = params;
    rod.first_edge.push_back(0);
    RodMaker maker(params, rod, start);
    for (std::size_t s = 0; s < strands.size(); ++s) {
        check_strand(strands[s], s);
        maker.add(strands[s]);
    }
    const Section section = section_of(params);
    const auto e = static_cast<double>(params.youngs_modulus);
    const double g = params.shear_modulus > 0 ? static_cast<double>(params.shear_modulus) : e / 3;
    rod.stiffness = Vec3d{e * section.i1, e * section.i2, g * section.polar}.cast<Real>();
    double shortest = std::numeric_limits<double>::max();
    for (const Rod::Edge& edge : rod.edges) shortest = std::min(shortest, static_cast<double>(edge.length));
    const double stiffest = std::max({e * section.i1, e * section.i2, g * section.polar});
    rod.stiffness_ratio =
        stiffest / (static_cast<double>(params.density) * section.area * shortest * shortest * shortest * shortest);
    rod.axial_compliance = e > 0 ? 1 / (e * section.area) : 0;
    rod.direct = e > 0 && params.solver == RodSolver::direct;
    const int particles = static_cast<int>(start.size());
    if (!rod.direct) {
        group_edges(particles, rod);
        group_elements(particles, rod);
    }
    rod.middle_velocity.resize(rod.edges.size());
    return rod;
}

}  // namespace pliant
