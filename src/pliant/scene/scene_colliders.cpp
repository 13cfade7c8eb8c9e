#include "pliant/scene/scene_parts.h"

#include <fmt/format.h>

#include <utility>

namespace pliant {

std::shared_ptr<const ShapeMesh> make_collider_mesh(const ColliderEntry& entry, const std::string& path,
                                                    const SceneSource& source)
{
    const bool has_mesh = entry.shape == ColliderShape::mesh;
    for (const auto& [given, key] : {std::pair{entry.surface.has_value(), "mesh"},
                                     {entry.voxel.has_value(), "voxel"},
                                     {entry.scale != 1, "scale"}}) {
        if (given && !has_mesh)
            source.fail(
                fmt::format("{}/{}", path, key),
                fmt::format("means nothing for the shape \"{}\"; remove it, or use \"mesh\"", name_of(entry.shape)));
    }
    if (!has_mesh) return nullptr;
    const SurfaceMesh surface =
        make_surface(entry.surface.value_or(ShapeEntry{}), entry.scale, path, "mesh", source).mesh;
    source.guard(path + "/mesh", [&] { check_solid(surface); });
    std::shared_ptr<const ShapeMesh> mesh;
    source.guard(path + (entry.voxel ? "/voxel" : "/mesh"),
                 [&] { mesh = make_collider_mesh(surface, entry.voxel.value_or(0)); });
    return mesh;
}

}  // namespace pliant
