#include "pliant/json/nearest_name.h"
#include "pliant/scene/scene_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace pliant {

namespace {

const Cloth& find_cloth(const std::string& name, const std::string& path, const SceneSource& source, const World& world)
{
    const auto found = std::ranges::find(world.cloths, name, &Cloth::name);
    if (found != world.cloths.end()) return *found;
    const auto is_among = [&](const auto& bodies) {
        return std::ranges::any_of(bodies, [&](const auto& body) { return body.name == name; });
    };
    if (is_among(world.solids) || is_among(world.rods) || is_among(world.rigids))
        source.fail(path + "/body", fmt::format("\"{}\" is no cloth; use glue for other bodies", name));
    std::vector<std::string> names;
    for (const Cloth& cloth : world.cloths) names.push_back(cloth.name);
    source.fail(path + "/body", fmt::format("there is no cloth \"{}\"{}", name, suggest_name(name, names)));
}

AddedBody counted(const Cloth& cloth, const std::vector<int>& points)
{
    return {"cloth", cloth.particles, points, {}, counted_faces(cloth)};
}

/// Vertices of the cloth that are named, none twice.
std::vector<int> named_vertices(const std::vector<int>& numbers, const std::string& group, const Cloth& cloth,
                                const std::string& path, const SceneSource& source)
{
    const std::vector<int> points = counted_points(cloth);
    std::vector<int> vertices = find_points(numbers, group, counted(cloth, points), path, source);
    for (int& v : vertices) v -= cloth.particles.first;
    return vertices;
}

void keep_group(const SeamSideEntry& side, const Cloth& cloth, const std::string& path, const SceneSource& source,
                std::vector<int>& vertices)
{
    std::vector<int> group = named_vertices({}, side.group, cloth, path, source);
    std::ranges::sort(group);
    std::erase_if(vertices, [&](int v) { return !std::ranges::binary_search(group, v); });
    if (vertices.empty())
        source.fail(path + "/group", fmt::format("\"{}\" has no vertex at the border of \"{}\"; give \"part\": \"all\"",
                                                 side.group, cloth.name));
}

/// The vertices of a part of the cloth, perhaps those in a box.
std::vector<int> choose_vertices(const SeamSideEntry& side, const Cloth& cloth, const std::string& path,
                                 const SceneSource& source, const World& world)
{
    std::vector<int> vertices;
    if (side.part == SeamPart::border) vertices = border_of(cloth);
    else
        for (int v = 0; v < cloth.particles.count; ++v) vertices.push_back(v);
    if (vertices.empty())
        source.fail(path, fmt::format("\"{}\" is closed and has no border; give \"part\": \"all\"", cloth.name));
    if (!side.group.empty()) keep_group(side, cloth, path, source, vertices);
    if (!side.low && !side.high) return vertices;

    if (!side.low || !side.high) source.fail(path, "needs both low and high");
    const std::vector<int> inside = find_particles(world, cloth.particles, *side.low, *side.high);
    std::erase_if(vertices, [&](int v) { return !std::ranges::binary_search(inside, cloth.particles.first + v); });
    if (vertices.empty())
        source.fail(path, fmt::format("catches no vertex of the {} of \"{}\" between {} and {}",
                                      side.part == SeamPart::border ? "border" : "surface", cloth.name,
                                      text_of(*side.low), text_of(*side.high)));
    return vertices;
}

SeamSide build_side(const SeamSideEntry& side, const std::string& path, const SceneSource& source, const World& world)
{
    if (side.body.empty()) source.fail(path + "/body", "is missing; name a cloth");
    const Cloth& cloth = find_cloth(side.body, path, source, world);
    const ClothId id = world.cloths.id_at(static_cast<int>(&cloth - world.cloths.data()));
    if (side.particles.empty()) return {id, choose_vertices(side, cloth, path, source, world)};
    if (side.low || side.high) source.fail(path + "/particles", "are given beside a box; keep one of them");
    if (!side.group.empty()) source.fail(path + "/group", "is given beside particles; keep one of them");
    return {id, named_vertices(side.particles, {}, cloth, path, source)};
}

}  // namespace

void add_seam(const SeamEntry& entry, const std::string& path, const std::string& name, const SceneSource& source,
              World& world)
{
    const SeamSide a = build_side(entry.a, path + "/a", source, world);
    const SeamSide b = build_side(entry.b, path + "/b", source, world);
    source.guard(path, [&] { sew(world, a, b, entry, name); });
}

}  // namespace pliant
