#include "pliant/io/scene.h"

#include <fmt/format.h>

namespace pliant {

namespace {

constexpr int kManySubsteps = 100;

int count_inside(const Solid& solid, const Collider& collider, const World& world)
{
    constexpr Real kTouching = Real(1e-4);  // [m]
    const ColliderPose pose = pose_at(collider, world.time, world.time);
    int inside = 0;
    for (int i = solid.particles.first; i < solid.particles.end(); ++i)
        if (nearest_surface(collider, pose, world.particles.x[i]).distance < -kTouching) ++inside;
    return inside;
}

void warn_about(const Solid& solid, const World& world, std::vector<std::string>& warnings)
{
    const SolidParams& p = solid.params;
    const Settings& settings = world.settings;
    const auto warn = [&](const std::string& text) { warnings.push_back(fmt::format("{}: {}", solid.name, text)); };

    if (solid.particles.count < 4)
        warn(fmt::format("has {} particles, too few to have a shape", solid.particles.count));
    for (const Collider& collider : world.colliders) {
        if (const int inside = count_inside(solid, collider, world); inside > 0)
            warn(fmt::format("starts with {} of {} particles inside {}, which will push them out", inside,
                             solid.particles.count, collider.name));
    }
    if (const int needed = stable_substeps(solid, settings.dt); needed > kManySubsteps)
        warn(fmt::format("youngs_modulus {} needs {} substeps a frame to be stable; lower it or enlarge the clusters",
                         p.youngs_modulus, needed));
    if (settings.iterations > 0 && p.gamma == 0 && p.alpha > 0 && p.youngs_modulus == 0)
        warn("gamma 0 allows no deformation, which leaves nothing for alpha to do");
    if (settings.iterations > 0 && p.omega == 0) warn("omega 0 switches the strain limit off");
    if (settings.iterations == 0 && p.alpha == 0 && p.youngs_modulus == 0)
        warn("alpha 0 without iterations holds the particles together by nothing");
}

}  // namespace

std::vector<std::string> find_warnings(const Scene& scene)
{
    std::vector<std::string> warnings;
    if (scene.world.solids.empty()) warnings.push_back("the scene has no solids: nothing will move");
    for (const Solid& solid : scene.world.solids) warn_about(solid, scene.world, warnings);
    return warnings;
}

}  // namespace pliant
