// Bodies that files move.

#include "pliant/files/paths.h"
#include "pliant/scene/scene_parts.h"
#include "pliant/state/writable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

/// The file's own time, from its first frame to its last.
double file_time(const Animation& animation, double time)
{
    const double length = animation.sequence->length();
    const double at = (time - animation.start) * animation.speed;
    if (animation.loop && length > 0) return at - length * std::floor(at / length);
    return std::clamp(at, 0.0, length);
}

/// Per particle of the cloth the first vertex of its file that it is made of.
std::vector<int> vertices_of(const Cloth& cloth)
{
    const std::vector<int> particle = counted_points(cloth);
    std::vector<int> vertex(static_cast<std::size_t>(cloth.particles.count), -1);
    for (std::size_t v = particle.size(); v-- > 0;)
        if (particle[v] >= 0) vertex[static_cast<std::size_t>(particle[v])] = static_cast<int>(v);
    return vertex;
}

}  // namespace

std::vector<Vec3d> positions_at(const Animation& animation, double time)
{
    std::vector<Vec3d> points;
    animation.sequence->read_at(file_time(animation, time), points);
    std::vector<Vec3d> placed;
    placed.reserve(animation.vertex.size());
    for (const int v : animation.vertex)
        placed.push_back(animation.linear * points[static_cast<std::size_t>(v)] + animation.position);
    return placed;
}

void animate(std::span<const Animation> animations, World& world)
{
    const double end = world.time + static_cast<double>(world.settings->dt);
    for (const Animation& animation : animations)
        if (world.cloths.index(animation.cloth) >= 0)
            move_cloth(world, animation.cloth, positions_at(animation, end), end);
}

Animation add_animation(const ClothEntry& entry, const std::string& path, const Cloth& cloth,
                        const Placement& placement, ClothId id, const SceneSource& source, World& world)
{
    const AnimationEntry& from = *entry.animation;
    if (cloth.source == nullptr)
        source.fail(path + "/animation", "needs a shape of the kind \"mesh\", with the same vertices");
    if (!entry.pins.empty()) source.fail(path + "/pins", "mean nothing for a cloth that an animation moves");
    const double dt = static_cast<double>(world.settings->dt);
    Animation animation{.cloth = id,
                        .linear = entry.scale * placement.linear,
                        .position = placement.position,
                        .vertex = vertices_of(cloth),
                        .start = from.start,
                        .speed = from.speed,
                        .loop = from.loop};
    source.guard(path + "/animation/file", [&] {
        animation.sequence =
            open_vertex_sequence(join_paths(source.folder, from.file), from.rate.value_or(1 / dt), from.clip);
        if (animation.sequence->points() != cloth.source->vertex.size())
            throw InputError(
                fmt::format("there are {} points in it at any time, but {} vertices in the file of the shape",
                            animation.sequence->points(), cloth.source->vertex.size()));
        const std::vector<Vec3d> start = positions_at(animation, world.time);
        Particles& particles = writable(world.particles);
        for (std::size_t k = 0; k < start.size(); ++k)
            particles.put(cloth.particles.first + static_cast<int>(k), start[k].cast<Real>());
        move_cloth(world, id, start, world.time + dt);
    });
    return animation;
}

}  // namespace pliant
