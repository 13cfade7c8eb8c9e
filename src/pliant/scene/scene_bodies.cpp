// Bodies of the world by their names in the scene.

#include "pliant/json/nearest_name.h"
#include "pliant/scene/scene_parts.h"

#include <fmt/format.h>

#include <algorithm>

namespace pliant {

namespace {

/// Calls visit(id, body) for the bodies of all kinds, in the order in which the world has them.
template <class Visit>
void visit_bodies(const World& world, const Visit& visit)
{
    const auto visit_all = [&](const auto& list) {
        for (int i = 0; i < static_cast<int>(list.size()); ++i) visit(list.id_at(i), list[i]);
    };
    std::apply([&](auto... kind) { (visit_all(world.*kind), ...); }, kBodyKinds);
}

}  // namespace

std::vector<std::string> body_names(const World& world)
{
    std::vector<std::string> names;
    visit_bodies(world, [&](auto, const auto& body) { names.push_back(body.name); });
    return names;
}

BodyRef find_body(const std::string& name, const std::string& path, const SceneSource& source, const World& world)
{
    std::optional<BodyRef> found;
    visit_bodies(world, [&](auto id, const auto& body) {
        if (!found && body.name == name) found = id;
    });
    if (!found)
        source.fail(path, fmt::format("there is no solid, cloth, rod or rigid body \"{}\"{}", name,
                                      suggest_name(name, body_names(world))));
    return *found;
}

Anchor anchor_at(const BodyRef& body, const Vec3d& at, GlueKind kind, const World& world)
{
    const auto make = [&](auto id) -> Anchor {
        if constexpr (requires { anchor_on(world, id, at, kind); }) return anchor_on(world, id, at, kind);
        else if constexpr (requires { anchor_on(world, id, at); }) return anchor_on(world, id, at);
        else throw InputError("a collider cannot be glued; leave body out to glue to the world");
    };
    return std::visit(make, body);
}

}  // namespace pliant
