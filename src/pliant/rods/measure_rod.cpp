#include "pliant/rods/measure_rod.h"

#include "pliant/rods/darboux.h"
#include "pliant/rods/section.h"

namespace pliant {

namespace {

double half_of_squares(const Vec3d& stiffness, const Vec3d& off)
{
    return 0.5 * (stiffness.x * off.x * off.x + stiffness.y * off.y * off.y + stiffness.z * off.z * off.z);
}

Mat3d frame_of_edge(const Rod::Edge& edge, std::span<const Vec3d> x)
{
    return frame_of(x[edge.p0], x[edge.p1], x[edge.ghost]).d;
}

double stretch_energy(const Rod::Edge& edge, double axial_compliance, std::span<const Vec3d> x)
{
    if (!(axial_compliance > 0)) return 0;
    const double off = (x[edge.p1] - x[edge.p0]).norm() - double(edge.length);
    return 0.5 * double(edge.area()) / (axial_compliance * double(edge.length)) * off * off;
}

double bend_energy(const Rod& rod, const Rod::Element& element, const Vec3d& moments, std::span<const Vec3d> x)
{
    const Mat3d a = frame_of_edge(rod.edges[element.a], x), b = frame_of_edge(rod.edges[element.b], x);
    const Vec3d bulk = element.bulk.cast<double>();
    const Vec3d omega = (2 / double(element.lbar)) * half_tangent(relative_rotation(a, b));
    return half_of_squares({moments.x * bulk.x, moments.y * bulk.y, moments.z * bulk.z},
                           omega - element.rest.cast<double>());
}

double clamp_energy(const Rod& rod, const RodTip& tip, const Vec3d& moments, double time, std::span<const Vec3d> x)
{
    const Rod::Edge& edge = rod.edges[tip.edge];
    const Mat3d held = motion_at(tip.motion, time).rotation * tip.frame, own = frame_of_edge(edge, x);
    const Mat3d r = tip.end == RodEnd::start ? relative_rotation(held, own) : relative_rotation(own, held);
    const double half = double(edge.length) / 2;
    return half_of_squares((half * double(edge.stiffness())) * moments, (2 / half) * half_tangent(r));
}

}  // namespace

double elastic_energy(const Rod& rod, std::span<const Vec3d> x, double time)
{
    const RodStiffness stiffness = stiffness_of(rod);
    if (stiffness.is_published()) return 0;
    const Vec3d moments = stiffness.moments.cast<double>();
    double sum = 0;
    for (const Rod::Edge& edge : rod.edges) sum += stretch_energy(edge, stiffness.axial_compliance, x);
    for (const Rod::Element& element : rod.elements) sum += bend_energy(rod, element, moments, x);
    for (const RodTip& tip : rod.tips) sum += clamp_energy(rod, tip, moments, time, x);
    return sum;
}

}  // namespace pliant
