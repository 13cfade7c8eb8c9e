// Rods at rest and in motion against beam theory: the elastica, pure bending, pure twist, vibration.

#include "bench/physics/physics.h"
#include "bench/physics/rod_setups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace pliant::physics {

namespace {

constexpr double kPi = std::numbers::pi;

/// A cantilever at rest under its weight.
RodRun sagged(int edges, double weight, double stiffness, double dt, int substeps)
{
    RodRun run = make_cantilever(edges, {stiffness, stiffness, kUsualTwist * stiffness});
    writable(run.world.forces).gravity = {0, static_cast<Real>(-weight), 0};
    writable(run.world.forces).drag = static_cast<Real>(6 * std::sqrt(stiffness));
    writable(run.world.settings).dt = static_cast<Real>(dt);
    writable(run.world.settings).substeps = substeps;
    run.run(5);
    return run;
}

std::vector<Figure> own_weight()
{
    // q L^3 / EI, reach and drop of the elastica
    const double table[][3] = {{1, 0.991246, 0.123471}, {10, 0.656354, 0.700200}, {100, 0.159223, 0.937524}};
    std::vector<Figure> figures;
    for (const int edges : {20, 50, 100}) {
        for (const auto& [load, reach, drop] : table) {
            const Vec3d tip = sagged(edges, load, 1, 1.0 / 60, 4).point(edges);
            const double limit = edges < 50 ? 2 : 1;
            figures.push_back({fmt::format("reach/L, q L^3/EI = {:g}, {} edges", load, edges), reach, tip.x, limit});
            figures.push_back({fmt::format("drop/L, q L^3/EI = {:g}, {} edges", load, edges), drop, -tip.y, limit});
        }
    }
    return figures;
}

std::vector<Figure> tip_force()
{
    // P L^2 / EI, reach and drop of the elastica
    const double table[][3] = {{0.1, 0.999335, 0.033295},
                               {0.5, 0.984081, 0.162144},
                               {1, 0.943567, 0.301721},
                               {3, 0.745580, 0.603253},
                               {10, 0.445004, 0.810609}};
    std::vector<Figure> figures;
    for (const auto& [force, reach, drop] : table) {
        RodRun run = make_cantilever(50);
        writable(run.world.forces).drag = 6;
        run.pull(50, {0, -force, 0});
        run.run(5);
        figures.push_back({fmt::format("reach/L, P L^2/EI = {:g}", force), reach, run.point(50).x, 1});
        figures.push_back({fmt::format("drop/L, P L^2/EI = {:g}", force), drop, -run.point(50).y, 1});
    }
    return figures;
}

std::vector<Figure> end_moment()
{
    constexpr int kEdges = 100;
    std::vector<Figure> figures;
    for (const int degrees : {90, 180, 270, 360}) {
        const double angle = degrees * kPi / 180;
        const RodRun run = bend_by_end_moment(kEdges, angle);
        double curvature = 0;
        for (int j = 0; j + 1 < kEdges; ++j) curvature += run.bend_and_twist(j).norm() / (kEdges - 1);
        figures.push_back(
            {fmt::format("distance from the arc/L (rms), {} deg", degrees), 0, distance_from_arc(run, angle), 0.1, 1});
        figures.push_back({fmt::format("M L/EI by curvature, {} deg", degrees), angle, curvature, 1});
    }
    return figures;
}

/// The largest difference of an element's twist from the mean, and the mean [1/m].
std::array<double, 2> spread_of_twist(const RodRun& run)
{
    const int elements = static_cast<int>(run.rod().elements.size());
    double mean = 0, most = 0;
    for (int j = 0; j < elements; ++j) mean += run.bend_and_twist(j).z / elements;
    for (int j = 0; j < elements; ++j) most = std::max(most, std::abs(run.bend_and_twist(j).z - mean));
    return {most, mean};
}

std::vector<Figure> end_rotation()
{
    RodRun run = make_cantilever(50);
    writable(run.world.forces).drag = 6;
    Motion turn;
    turn.axis = {1, 0, 0};
    turn.keys = {{0, {}, 0}, {2, {}, 360}};
    run.clamp(RodEnd::end, frame_along({1, 0, 0}, {0, 0, 1}), turn);
    run.run(5);
    const auto [spread, mean] = spread_of_twist(run);
    return {{"twist per length, one turn [rad/m]", 2 * kPi, mean, 0.1},
            {"its largest difference along the rod", 0, spread, 0.1, 2 * kPi}};
}

std::vector<Figure> end_torque()
{
    // Three forces on the last edge, without a sum and without a moment across it. They keep their directions, so the
    // torque is right where the ghost is expected to come to rest.
    constexpr int kEdges = 50;
    const double torque = 1, angle = torque / kUsualTwist * (1 - 0.5 / kEdges);
    RodRun run = make_cantilever(kEdges);
    writable(run.world.forces).drag = 6;
    const Rod::Edge& last = run.rod().edges.back();
    const Vec3d across =
        torque / static_cast<double>(last.ghost_distance) * Vec3d{0, -std::cos(angle), -std::sin(angle)};
    run.pull(last.ghost, across);
    run.pull(last.p0, -0.5 * across);
    run.pull(last.p1, -0.5 * across);
    run.run(5);
    const auto [spread, mean] = spread_of_twist(run);
    return {{"twist per length, T L/GJ = 1.5 [rad/m]", torque / kUsualTwist, mean, 0.1},
            {"its largest difference along the rod", 0, spread, 0.1, torque / kUsualTwist}};
}

/// Amplitudes of the tip and the times between them, by the extremes of its swing.
struct Swing {
    std::vector<double> crossings;  // of the line of rest, going up [s]
    std::vector<double> amplitude;  // largest height after each [m]
};

Swing watch_swing(RodRun& run, int periods, int end)
{
    Swing swing;
    double before = run.point(end).y;
    while (static_cast<int>(swing.crossings.size()) <= periods && run.world.time < 100) {
        const auto dt = static_cast<double>(run.world.settings->dt);
        run.run(dt);
        const double now = run.point(end).y;
        if (before < 0 && now >= 0) {
            swing.crossings.push_back(run.world.time - dt * now / (now - before));
            swing.amplitude.push_back(0);
        }
        if (!swing.amplitude.empty()) swing.amplitude.back() = std::max(swing.amplitude.back(), now);
        before = now;
    }
    return swing;
}

std::vector<Figure> vibration()
{
    std::vector<Figure> figures;
    for (const int edges : {20, 50}) {
        RodRun run = make_cantilever(edges);
        writable(run.world.settings).substeps = 100;
        // the first mode: cosh(bs) - cos(bs) - 0.734096 (sinh(bs) - sin(bs)), b = 1.875104
        for (int i = 1; i <= edges; ++i) {
            const double b = 1.875104 * i / edges;
            const double mode = std::cosh(b) - std::cos(b) - 0.734096 * (std::sinh(b) - std::sin(b));
            writable(run.world.particles).v[i].y = static_cast<Real>(-0.1 * mode);
        }
        std::vector<Vec3>& v = writable(run.world.particles).v;
        for (const Rod::Edge& e : run.rod().edges) v[e.ghost] = Real(0.5) * (v[e.p0] + v[e.p1]);
        constexpr int kPeriods = 10;
        const Swing swing = watch_swing(run, kPeriods, edges);
        const double frequency = kPeriods / (swing.crossings[kPeriods] - swing.crossings[0]);
        const double kept = swing.amplitude[kPeriods - 1] / swing.amplitude[0];
        figures.push_back(
            {fmt::format("first frequency, {} edges [Hz]", edges), 1.875104 * 1.875104 / (2 * kPi), frequency, 2});
        figures.push_back({fmt::format("amplitude kept in 9 periods, {} edges", edges), 1, kept, 5});
    }
    return figures;
}

std::vector<Figure> steps_and_substeps()
{
    // The drop of 20 edges under q L^3 / EI = 1, against that of four substeps in 1/60 s, on Earth: in a substep h of
    // 1/3840 s the weight is worth g h^2, and positions in float must be able to tell.
    constexpr double kGravity = 9.81;
    const double usual = -sagged(20, kGravity, kGravity, 1.0 / 60, 4).point(20).y;
    std::vector<Figure> figures;
    for (const int rate : {30, 60, 120, 240}) {
        double most = usual;
        for (const int substeps : {1, 4, 16}) {
            const double drop = -sagged(20, kGravity, kGravity, 1.0 / rate, substeps).point(20).y;
            if (std::abs(drop - usual) >= std::abs(most - usual)) most = drop;
        }
        figures.push_back({fmt::format("drop/L, dt = 1/{} s, 1 to 16 substeps", rate), usual, most, 0.2});
    }
    return figures;
}

constexpr Case kCases[] = {
    {"rods/own_weight", own_weight},     {"rods/tip_force", tip_force},   {"rods/end_moment", end_moment},
    {"rods/end_rotation", end_rotation}, {"rods/end_torque", end_torque}, {"rods/vibration", vibration},
    {"rods/steps", steps_and_substeps},
};

}  // namespace

std::span<const Case> rod_bending_cases() { return kCases; }

}  // namespace pliant::physics
