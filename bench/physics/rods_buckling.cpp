// Rods that leave their shape: the loads at which a small seed neither grows nor decays.

#include "bench/physics/physics.h"
#include "bench/physics/rod_setups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace pliant::physics {

namespace {

constexpr double kPi = std::numbers::pi;

/// Where a rate that grows with the load crosses zero, near an expected value: the bracket is cut where the line between
/// its ends crosses zero, but no closer to an end than a tenth of it.
template <class Rate>
double find_threshold(double expected, const Rate& rate)
{
    double low = 0.9 * expected, high = 1.1 * expected, at_low = rate(low), at_high = rate(high);
    if (!(at_low < 0) || !(at_high > 0))
        throw std::runtime_error(
            fmt::format("a seed grows by {:.3g}/s at 0.9 of the load expected, {:.3g}/s at 1.1", at_low, at_high));
    for (int k = 0; k < 6; ++k) {
        const double share = std::clamp(at_low / (at_low - at_high), 0.1, 0.9), load = low + share * (high - low);
        const double at = rate(load);
        (at < 0 ? low : high) = load;
        (at < 0 ? at_low : at_high) = at;
    }
    return low + at_low / (at_low - at_high) * (high - low);
}

std::vector<Figure> twisted_rod()
{
    // M L / EI at buckling, of T L^2 / EI
    const double table[][2] = {{0, 8.98682}, {1, 9.134}, {10, 10.429}, {50, 15.590}};
    std::vector<Figure> figures;
    for (const auto& [tension, moment] : table) {
        const double rotation = moment / kUsualTwist;
        const double found = find_threshold(
            rotation, [&, t = tension](double r) { return growth_of_twisted_rod(100, kUsualTwist, r, t); });
        figures.push_back({fmt::format("end rotation, T L^2/EI = {:g} [rad]", tension), rotation, found, 3});
    }
    const double found = find_threshold(8.98682, [](double r) { return growth_of_twisted_rod(100, 1, r, 0); });
    figures.push_back({"end rotation, GJ = EI, no tension [rad]", 8.98682, found, 3});
    return figures;
}

std::vector<Figure> ring()
{
    std::vector<Figure> figures;
    for (const int edges : {40, 100}) {
        for (const double stiffness : {kUsualTwist, 1.0, 2.0}) {
            const double twist = 2 * kPi * std::numbers::sqrt3 / stiffness;
            const double found =
                find_threshold(twist, [&](double t) { return growth_of_twisted_ring(edges, stiffness, t); });
            figures.push_back(
                {fmt::format("total twist, GJ/EI = {:.3g}, {} edges [rad]", stiffness, edges), twist, found, 3});
        }
    }
    return figures;
}

std::vector<Figure> arc()
{
    // A round rod of GJ < EI twists rather than being bent by nearly a turn: it leaves the plane of its arc where
    // tan(a/2) = -(1 - r)/r a/2, r = GJ/EI, by the second variation of its energy.
    std::vector<Figure> figures;
    const double table[][2] = {{kUsualTwist, 4.577859}, {0.4, 3.814181}};
    for (const auto& [stiffness, angle] : table) {
        const double found = find_threshold(angle, [r = stiffness](double a) { return growth_of_arc(100, r, a); });
        figures.push_back({fmt::format("end angle, GJ/EI = {:.3g} [rad]", stiffness), angle, found, 3});
    }
    return figures;
}

std::vector<Figure> column()
{
    const double weight = find_threshold(7.83735, [](double q) { return growth_of_column(100, q, 0); });
    const double force = find_threshold(2.46740, [](double p) { return growth_of_column(100, 0, p); });
    const double clamped =
        find_threshold(39.47842, [](double p) { return growth_of_twisted_rod(100, kUsualTwist, 0, -p); });
    return {{"own weight q L^3/EI, clamped-free", 7.83735, weight, 3},
            {"force P L^2/EI, clamped-free", 2.46740, force, 3},
            {"force P L^2/EI, clamped-clamped", 39.47842, clamped, 3}};
}

std::vector<Figure> strip()
{
    const double force = find_threshold(4.01260, [](double p) { return growth_of_strip(100, 1, 0, p); });
    const double weight = find_threshold(12.85376, [](double q) { return growth_of_strip(100, 1, q, 0); });
    return {{"tip force P L^2/sqrt(EI GJ), on edge", 4.01260, force, 3},
            {"own weight q L^3/sqrt(EI GJ), on edge", 12.85376, weight, 3}};
}

constexpr Case kCases[] = {
    {"rods/twisted_rod", twisted_rod}, {"rods/michell_ring", ring}, {"rods/bent_arc", arc},
    {"rods/column", column},           {"rods/strip", strip},
};

}  // namespace

std::span<const Case> rod_buckling_cases() { return kCases; }

}  // namespace pliant::physics
