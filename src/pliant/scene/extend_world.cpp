#include "pliant/json/fields_json.h"
#include "pliant/scene/scene.h"
#include "pliant/scene/scene_keys.h"
#include "pliant/scene/scene_parts.h"
#include "pliant/state/writable.h"

#include <array>
#include <tuple>

namespace pliant {

namespace {

constexpr std::size_t kListCount = std::tuple_size_v<std::remove_const_t<decltype(kLists)>>;

/// How many of each there are, to remove what is added after.
std::array<std::size_t, kListCount> count_lists(const World& world)
{
    return std::apply([&](auto... list) { return std::array{(world.*list).size()...}; }, kLists);
}

void remove_last(World& world, SolidId id) { remove_solid(world, id); }
void remove_last(World& world, ClothId id) { remove_cloth(world, id); }
void remove_last(World& world, RodId id) { remove_rod(world, id); }
void remove_last(World& world, RigidId id) { remove_rigid(world, id); }
void remove_last(World& world, GlueId id) { remove_glue(world, id); }
void remove_last(World& world, ColliderId id) { remove_collider(world, id); }
void remove_last(World& world, GrabId id) { remove_grab(world, id); }

void shrink_lists(const std::array<std::size_t, kListCount>& before, World& world)
{
    const auto shrink = [&](const auto& list, std::size_t size) {
        while (list.size() > size) remove_last(world, list.id_at(static_cast<int>(list.size()) - 1));
    };
    std::apply(
        [&](auto... list) {
            std::size_t k = 0;
            (shrink(world.*list, before[k++]), ...);
        },
        kLists);
}

}  // namespace

void extend_world(World& world, std::string_view text, const std::string& source, const std::string& folder)
{
    Problems problems;
    const JsonText json = parse_json(text, source);
    SceneFile file;
    file.settings = *world.settings;
    file.forces = *world.forces;
    file.contact = *world.contact;
    const SceneFile same = file;
    read_fields(json, problems, file);
    const SceneSource origin{json, folder};
    if (problems.none()) resolve_keys(origin, problems, file);
    problems.raise();

    const auto before = count_lists(world);
    const std::vector<GlueEvent> events = *world.glue_events;
    const std::vector<Track> tracks = *world.tracks;
    std::vector<Range> glues;
    std::vector<Animation> animations;
    build_world(file, origin, problems, glues, animations, world);
    if (!animations.empty())
        problems.add(source + ": a world that is on its way takes no animation; move the cloth by hand in each frame");
    if (problems.none()) return;
    shrink_lists(before, world);
    writable(world.glue_events) = events;
    writable(world.tracks) = tracks;
    set_settings(world, same.settings);
    set_forces(world, same.forces);
    set_contact(world, same.contact);
    problems.raise();
}

}  // namespace pliant
