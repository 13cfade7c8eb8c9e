#include "pliant/report/expect.h"

#include "pliant/json/nearest_name.h"
#include "pliant/report/gauges.h"
#include "pliant/world/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

double size_of(const Vec3d& value, const Gauge& gauge) { return gauge.vector ? value.norm() : value.x; }

/// Reduces a series to one value. NaN if there is one in it, which std::max would hide.
double reduce(std::span<const Vec3d> series, When when, const Gauge& gauge)
{
    if (when == When::first) return size_of(series.front(), gauge);
    if (when == When::last) return size_of(series.back(), gauge);

    double largest = -std::numeric_limits<double>::infinity(), smallest = -largest, change = 0, magnitude = 0;
    for (const Vec3d& value : series) {
        const double size = size_of(value, gauge);
        if (!std::isfinite(size)) return std::numeric_limits<double>::quiet_NaN();
        largest = std::max(largest, size);
        smallest = std::min(smallest, size);
        change = std::max(change, (value - series.front()).norm());
        magnitude = std::max(magnitude, value.norm());
    }
    switch (when) {
        case When::max: return largest;
        case When::min: return smallest;
        case When::relative_change: return magnitude > 0 ? change / magnitude : 0;
        default: return change;
    }
}

/// The body of that name, or an empty span.
template <class Body>
std::span<const Body> named(const std::string& name, const BodyList<Body>& bodies)
{
    const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const Body& b) { return b.name == name; });
    return body != bodies.end() ? std::span(&*body, 1) : std::span<const Body>();
}

std::string bounds_text(const Expectation& e)
{
    if (e.min && e.max) return fmt::format("between {} and {}", *e.min, *e.max);
    if (e.min) return fmt::format("at least {}", *e.min);
    return e.max ? fmt::format("at most {}", *e.max) : "finite";
}

}  // namespace

std::string find_mistake(const Expectation& e, std::span<const std::string> bodies, int frames)
{
    if (!e.min && !e.max) return "bounds nothing; give \"min\", \"max\" or both";
    if (e.min && e.max && *e.min > *e.max) return fmt::format("min {} is above max {}", *e.min, *e.max);
    if (e.frame && *e.frame > frames) return fmt::format("frame {} comes after the last, {}", *e.frame, frames);
    if (e.of.empty()) return {};
    if (gauge_of(e.what).whole_world)
        return fmt::format("{} is measured for the whole world only; remove \"of\"", name_of(e.what));
    if (std::find(bodies.begin(), bodies.end(), e.of) == bodies.end())
        return fmt::format("no solid, cloth, rod or rigid body is named \"{}\"{}", e.of, suggest_name(e.of, bodies));
    return {};
}

ExpectCheck::ExpectCheck(std::vector<Expectation> expectations)
    : expectations_(std::move(expectations)), samples_{{}, std::vector<std::vector<Vec3d>>(expectations_.size())}
{}

void ExpectCheck::sample(int frame, const World& world, int contacts)
{
    samples_.frames.push_back(frame);
    for (std::size_t i = 0; i < expectations_.size(); ++i) {
        const Expectation& e = expectations_[i];
        Subject subject{world,      world.solids,         world.cloths,
                        world.rods, all_particles(world), {0, world.rigid_bodies->size()},
                        contacts};
        if (!e.of.empty()) {
            subject.solids = named(e.of, world.solids);
            subject.cloths = named(e.of, world.cloths);
            subject.rods = named(e.of, world.rods);
            subject.range = !subject.solids.empty()   ? subject.solids[0].particles
                            : !subject.cloths.empty() ? subject.cloths[0].particles
                            : !subject.rods.empty()   ? subject.rods[0].particles
                                                      : Range{};
            const auto rigid = std::ranges::find(world.rigids, e.of, &Rigid::name);
            subject.rigids =
                rigid == world.rigids.end() ? Range{} : Range{static_cast<int>(rigid - world.rigids.begin()), 1};
        }
        samples_.series[i].push_back(gauge_of(e.what).measure(subject));
    }
}

std::vector<ExpectResult> ExpectCheck::results() const
{
    std::vector<ExpectResult> results;
    for (std::size_t i = 0; i < expectations_.size(); ++i) {
        const Expectation& e = expectations_[i];
        const std::string what = fmt::format(
            "{}{}{} ({})", name_of(e.what), e.of.empty() ? "" : " of ", e.of,
            e.frame ? fmt::format("{}, frame {}", name_of(e.when), *e.frame) : std::string(name_of(e.when)));
        const std::string why = e.why.empty() ? "" : ": " + e.why;
        const auto end = e.frame ? std::upper_bound(samples_.frames.begin(), samples_.frames.end(), *e.frame)
                                 : samples_.frames.end();
        const std::span<const Vec3d> series =
            std::span(samples_.series[i]).first(static_cast<std::size_t>(end - samples_.frames.begin()));
        if (series.empty() || samples_.frames.back() < e.frame.value_or(0)) {
            results.push_back({false, 0, fmt::format("{} was not reached{}", what, why)});
            continue;
        }
        const double value = reduce(series, e.when, gauge_of(e.what));
        const bool met = std::isfinite(value) && (!e.min || value >= *e.min) && (!e.max || value <= *e.max);
        results.push_back({met, value, fmt::format("{} is {:.6g}, must be {}{}", what, value, bounds_text(e), why)});
    }
    return results;
}

}  // namespace pliant
