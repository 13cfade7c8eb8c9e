#include "bench/physics/rod_setups.h"

#include "pliant/rods/darboux.h"
#include "pliant/rods/section.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace pliant::physics {

namespace {

constexpr double kPi = std::numbers::pi;

/// Of a rectangular section that is as stiff: EI = E A b^2 / 12 about the side of which b is across.
RodParams params_of(const BeamStiffness& stiffness)
{
    const double width = std::sqrt(12 * stiffness.bend2 / stiffness.axial);
    const double thickness = std::sqrt(12 * stiffness.bend1 / stiffness.axial);
    RodParams params;
    params.width = static_cast<Real>(width);
    params.thickness = static_cast<Real>(thickness);
    params.density = static_cast<Real>(1 / (width * thickness));
    params.youngs_modulus = static_cast<Real>(stiffness.axial / (width * thickness));
    params.shear_modulus = static_cast<Real>(stiffness.twist / section_of(params).polar);
    params.rest = RestShape::straight;
    return params;
}

}  // namespace

RodRun::RodRun(const Strand& strand, const BeamStiffness& stiffness)
{
    writable(world.forces).gravity = {};
    writable(world.settings).substeps = 4;
    writable(world.settings).iterations = 1;
    add_rod(world, {strand}, params_of(stiffness));
}

Rod& RodRun::change_rod()
{
    Rod& rod = writable(world.rods)[0];
    rod.revision.bump();
    return rod;
}

void RodRun::run(double seconds)
{
    const int frames = static_cast<int>(std::lround(seconds / static_cast<double>(world.settings->dt)));
    for (int f = 0; f < frames; ++f) {
        const StepReport report = solver_.step(world, world.settings->dt);
        if (report.trouble) throw std::runtime_error(report.trouble.text);
    }
}

Mat3d RodRun::frame(int edge) const
{
    const Rod::Edge& e = rod().edges[edge];
    return frame_of(point(e.p0), point(e.p1), point(e.ghost)).d;
}

Vec3d RodRun::bend_and_twist(int element) const
{
    const Rod::Element& e = rod().elements[element];
    const Vec3d b = half_tangent(relative_rotation(frame(e.a), frame(e.b)));
    return 2 * std::atan(b.norm()) / (static_cast<double>(e.lbar) * b.norm()) * b;
}

void RodRun::roll(int edge, double radians)
{
    const Rod::Edge& e = rod().edges[edge];
    const Mat3d d = frame(edge);
    const Vec3d side = std::cos(radians) * d.c[0] + std::sin(radians) * d.c[1];
    const Vec3d ghost = 0.5 * (point(e.p0) + point(e.p1)) + static_cast<double>(e.ghost_distance) * side;
    writable(world.particles).x[e.ghost] = writable(world.particles).x_prev[e.ghost] = ghost.cast<Real>();
}

void RodRun::pull(int particle, const Vec3d& force)
{
    constexpr double kFar = 1e4;  // [m]: the force turns by 1e-4 of what the particle moves
    const Vec3d target = point(particle) + kFar * force.normalized();
    Writable::append(world.grabs, {particle, target.cast<Real>(), static_cast<Real>(kFar / force.norm())});
}

void RodRun::clamp(RodEnd end, const Mat3d& frame, const Motion& motion)
{
    clamp_rod(world, world.rods.id_at(0), 0, end, motion);
    change_rod().tips.back().frame = frame;
}

void RodRun::hold_frame(RodEnd end, const Mat3d& frame, const Motion& motion)
{
    const int edge = end == RodEnd::start ? 0 : static_cast<int>(rod().edges.size()) - 1;
    change_rod().tips.push_back({edge, end, frame, motion});
}

Strand straight_strand(int edges, const Vec3d& along)
{
    Strand strand;
    for (int i = 0; i <= edges; ++i) strand.points.push_back(double(i) / edges * along);
    return strand;
}

Mat3d frame_along(const Vec3d& d3, const Vec3d& d1) { return {{d1, d3.cross(d1), d3}}; }

RodRun make_cantilever(int edges, const BeamStiffness& stiffness)
{
    Strand strand = straight_strand(edges, {1, 0, 0});
    strand.side = {0, 0, 1};
    RodRun run(strand, stiffness);
    run.clamp(RodEnd::start, frame_along({1, 0, 0}, {0, 0, 1}));
    return run;
}

RodRun bend_by_end_moment(int edges, double angle)
{
    RodRun run = make_cantilever(edges, {.bend2 = 4, .twist = 2});
    writable(run.world.forces).drag = 6;
    Motion turn;
    turn.axis = {0, 0, 1};
    const double seconds = angle / kPi;
    turn.keys = {{0, {}, 0}, {seconds, {}, angle * 180 / kPi}};
    run.hold_frame(RodEnd::end, frame_along({1, 0, 0}, {0, 0, 1}), turn);
    run.run(seconds + 4);
    return run;
}

double distance_from_arc(const RodRun& run, double angle)
{
    const int edges = static_cast<int>(run.rod().edges.size());
    double squares = 0;
    for (int i = 0; i <= edges; ++i) {
        const double along = angle * i / edges;
        const Vec3d arc{std::sin(along) / angle, (1 - std::cos(along)) / angle, 0};
        squares += (run.point(i) - arc).squared_norm();
    }
    return std::sqrt(squares / (edges + 1));
}

namespace {

constexpr double kSeed = 1e-3;  // of the length

/// The rate of an amplitude, after a wait in which it has not grown out of all proportion.
template <class Amplitude>
double measure_growth(RodRun& run, double wait, double time, const Amplitude& amplitude)
{
    const double seed = amplitude();
    run.run(wait);
    const double before = amplitude();
    if (before > 10 * seed) return std::log(before / seed) / wait;
    run.run(time);
    return std::log(amplitude() / before) / time;
}

/// Moves a point, and the ghosts beside it as much, half each.
void shift(RodRun& run, int point, const Vec3d& by)
{
    Particles& p = writable(run.world.particles);
    const auto move = [&](int i, const Vec3d& d) { p.x[i] = p.x_prev[i] = (run.point(i) + d).cast<Real>(); };
    move(point, by);
    for (const Rod::Edge& e : run.rod().edges)
        if (e.p0 == point || e.p1 == point) move(e.ghost, 0.5 * by);
}

}  // namespace

double growth_of_twisted_rod(int edges, double twist_stiffness, double rotation, double tension)
{
    // The clamps stay where they are. A rod that leaves its line by a seed then pulls at them, by E A times
    // (2 pi seed / L)^2 / 16, which is 0.025 EI/L^2: as good as a clamp that slides along the line.
    constexpr double kAxial = 1e4;
    const double stretch = 1 + tension / kAxial;
    Strand strand = straight_strand(edges, {1, 0, 0});
    strand.side = {0, 1, 0};
    RodRun run(strand, {.twist = twist_stiffness, .axial = kAxial});
    for (int i = 0; i <= edges; ++i) {
        const double s = double(i) / edges;
        shift(run, i, {(stretch - 1) * s, kSeed / 2 * (1 - std::cos(2 * kPi * s)), 0});
    }
    for (int e = 0; e < edges; ++e) run.roll(e, rotation * (e + 0.5) / edges);
    run.clamp(RodEnd::start, frame_along({1, 0, 0}, {0, 1, 0}));
    run.clamp(RodEnd::end, frame_along({1, 0, 0}, {0, std::cos(rotation), std::sin(rotation)}));
    writable(run.world.forces).drag = 60;
    return measure_growth(run, 0.5, 0.5, [&] {
        double sum = 0;
        for (int i = 0; i <= edges; ++i) sum += std::pow(run.point(i).y, 2) + std::pow(run.point(i).z, 2);
        return std::sqrt(sum);
    });
}

double growth_of_twisted_ring(int edges, double twist_stiffness, double twist)
{
    // Ghosts go around the ring by whole turns; what is missing to the twist is there at rest, which is the same for a
    // round section. The seed and what is measured is the mode of two waves, out of the ring's plane.
    Strand strand;
    strand.closed = true;
    strand.side = {0, 0, 1};
    const double radius = 0.5 / edges / std::sin(kPi / edges);
    const auto angle = [&](int i) { return 2 * kPi * i / edges; };
    for (int i = 0; i < edges; ++i)
        strand.points.push_back(
            {radius * std::cos(angle(i)), radius * std::sin(angle(i)), kSeed * std::cos(2 * angle(i))});
    RodRun run(strand, {.twist = twist_stiffness});
    const double turned = 2 * kPi * std::round(twist / (2 * kPi));
    for (int e = 0; e < edges; ++e) run.roll(e, turned * e / edges);
    for (Rod::Element& e : run.change_rod().elements)
        e.rest.z = static_cast<Real>(2 / static_cast<double>(e.lbar) * std::tan((turned - twist) / edges / 2));
    writable(run.world.forces).drag = 300;
    return measure_growth(run, 0.2, 0.3, [&] {
        double c = 0, s = 0;
        for (int i = 0; i < edges; ++i) {
            c += run.point(i).z * std::cos(2 * angle(i));
            s += run.point(i).z * std::sin(2 * angle(i));
        }
        return std::hypot(c, s);
    });
}

double growth_of_arc(int edges, double twist_stiffness, double angle)
{
    Strand strand;
    strand.side = {0, 0, 1};
    const double half = angle / edges / 2;
    for (int i = 0; i <= edges; ++i) {  // edges of the right length, at the angles of equal joints
        const double s = double(i) / edges, r = 0.5 / edges / std::sin(half);
        strand.points.push_back({r * std::sin(angle * s), r * (1 - std::cos(angle * s)), kSeed * s * s});
    }
    RodRun run(strand, {.twist = twist_stiffness});
    run.clamp(RodEnd::start, frame_along({1, 0, 0}, {0, 0, 1}));
    run.hold_frame(RodEnd::end, frame_along({std::cos(angle), std::sin(angle), 0}, {0, 0, 1}), {});
    writable(run.world.forces).drag = 60;
    return measure_growth(run, 1, 2, [&] {
        double sum = 0;
        for (int i = 0; i <= edges; ++i) sum += std::pow(run.point(i).z, 2);
        return std::sqrt(sum);
    });
}

double growth_of_column(int edges, double weight, double force)
{
    Strand strand = straight_strand(edges, {0, 1, 0});
    strand.side = {0, 0, 1};
    for (Vec3d& p : strand.points) p.x = kSeed * (1 - std::cos(kPi / 2 * p.y));
    RodRun run(strand);
    run.clamp(RodEnd::start, frame_along({0, 1, 0}, {0, 0, 1}));
    writable(run.world.forces).gravity = {0, static_cast<Real>(-weight), 0};
    if (force > 0) run.pull(edges, {0, -force, 0});
    writable(run.world.forces).drag = 10;
    return measure_growth(run, 2, 2, [&] { return std::hypot(run.point(edges).x, run.point(edges).z); });
}

double growth_of_strip(int edges, double twist_stiffness, double weight, double force)
{
    RodRun run = make_cantilever(edges, {.bend1 = 1000, .bend2 = 1, .twist = twist_stiffness});
    for (int i = 0; i <= edges; ++i) shift(run, i, {0, 0, kSeed * std::pow(double(i) / edges, 2)});
    const double scale = std::sqrt(twist_stiffness);
    writable(run.world.forces).gravity = {0, static_cast<Real>(-weight * scale), 0};
    if (force > 0) run.pull(edges, {0, -force * scale, 0});
    writable(run.world.forces).drag = 10;
    return measure_growth(run, 2, 2, [&] { return std::abs(run.point(edges).z); });
}

}  // namespace pliant::physics
