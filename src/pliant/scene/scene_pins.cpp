#include "pliant/scene/scene_parts.h"

#include <fmt/format.h>

#include <cmath>

namespace pliant {

namespace {

/// The particles of a body that pins may select.
class Catcher {
  public:
    Catcher(const AddedBody& body, const SceneSource& source, const World& world)
        : body_(body), source_(source), world_(world)
    {}

    std::vector<int> catch_particles(const PinEntry& pin, const std::string& path) const
    {
        const bool boxed = pin.low.has_value() || pin.high.has_value();
        if (int{boxed} + int{pin.at.has_value()} + int{!pin.particles.empty()} + int{!pin.group.empty()} != 1)
            source_.fail(path, "needs either low and high, or particles, or at, or group");
        if (pin.at) return {nearest_particle(*pin.at + body_.offset)};
        if (boxed && !(pin.low && pin.high)) source_.fail(path, "needs both low and high");
        if (boxed) return find_in_box(*pin.low, *pin.high, body_, path, source_, world_);
        return find_points(pin.particles, pin.group, body_, path, source_);
    }

  private:
    /// The first of those that are equally near. A body has at least one particle, and its first is no ghost.
    int nearest_particle(const Vec3d& at) const
    {
        const auto distance = [&](int i) { return (world_.particles->x[i].cast<double>() - at).squared_norm(); };
        int nearest = body_.range.first;
        for (int i = body_.range.first; i < body_.range.end(); ++i)
            if (!world_.particles->is_ghost(i) && distance(i) < distance(nearest)) nearest = i;
        return nearest;
    }

    const AddedBody& body_;
    const SceneSource& source_;
    const World& world_;
};

}  // namespace

void add_pins(const BodyEntry& entry, const std::string& path, const AddedBody& body, const SceneSource& source,
              World& world)
{
    for (std::size_t i = 0; i < entry.pins.size(); ++i) {
        const PinEntry& pin = entry.pins[i];
        const std::string pin_path = fmt::format("{}/pins/{}", path, i);
        check_motion(pin.motion, source.place(pin_path + "/motion").c_str());
        const std::vector<int> caught = Catcher(body, source, world).catch_particles(pin, pin_path);
        source.guard(pin_path, [&] { pin_particles(world, caught, pin.motion, pin.release.value_or(-1)); });
    }
}

Real spread_mass(double mass, double size, const char* unit, const std::string& path, const SceneSource& source)
{
    const Real density = static_cast<Real>(mass / size);
    if (!std::isfinite(density) || !(density > 0))
        source.fail(path + "/mass", fmt::format("{} kg cannot be spread over {} {}", mass, size, unit));
    return density;
}

void check_numbers(Range range, const std::string& path, const SceneSource& source, const World& world)
{
    for (int i = range.first; i < range.end(); ++i) {
        const Vec3 sum = world.particles->x[i] + world.particles->v[i];
        if (!std::isfinite(sum.x + sum.y + sum.z))
            source.fail(path, "position, stretch, velocity or noise is too large to compute with");
    }
}

void check_masses(Range range, const char* point, const char* remedy, const std::string& path,
                  const SceneSource& source, const World& world)
{
    for (int i = range.first; i < range.end(); ++i) {
        const Real mass = world.particles->mass[i];
        if (!(mass > 0) || !std::isfinite(mass) || !std::isfinite(world.particles->inv_mass[i]))
            source.fail(path, fmt::format("{} {} has a mass of {} kg, which is too small or too large to compute with; "
                                          "change {}",
                                          point, i - range.first, mass, remedy));
    }
}

}  // namespace pliant
