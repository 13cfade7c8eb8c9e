#include "pliant/scene/scene.h"

#include "pliant/base/check.h"
#include "pliant/files/paths.h"
#include "pliant/json/fields_json.h"
#include "pliant/json/nearest_name.h"
#include "pliant/scene/scene_keys.h"
#include "pliant/scene/scene_parts.h"
#include "pliant/world/bodies.h"

#include <fmt/format.h>

#include <algorithm>

namespace pliant {

namespace {

Json make_scene_schema()
{
    const Json tables = make_schema<SceneFile>();
    Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                   {"title", "Pliant scene"},
                   {"description", "SI units; comments are allowed. Made by `pliant schema`."}};
    schema.update(tables);
    return schema;
}

void check_expectations(const SceneFile& file, const World& world, const SceneSource& source, Problems& problems)
{
    std::vector<std::string> bodies;
    for (const Solid& solid : world.solids) bodies.push_back(solid.name);
    for (const Cloth& cloth : world.cloths) bodies.push_back(cloth.name);
    for (const Rod& rod : world.rods) bodies.push_back(rod.name);
    for (const Rigid& rigid : world.rigids) bodies.push_back(rigid.name);
    const auto is_rod = [&](const std::string& name) {
        return std::ranges::find(world.rods, name, &Rod::name) != world.rods.end();
    };
    const auto is_rigid = [&](const std::string& name) {
        return std::ranges::find(world.rigids, name, &Rigid::name) != world.rigids.end();
    };
    for (std::size_t i = 0; i < file.expect.size(); ++i) {
        const Expectation& e = file.expect[i];
        std::string mistake = find_mistake(e, bodies, file.frames);
        if (mistake.empty() && e.what == Quantity::rotation && is_rod(e.of))
            mistake =
                fmt::format("rotation is not known of a rod such as \"{}\"; use angular_momentum or a size", e.of);
        if (mistake.empty() && (e.what == Quantity::max_strain || e.what == Quantity::p99_strain) && is_rigid(e.of))
            mistake = fmt::format("\"{}\" is rigid: it has no strain", e.of);
        if (!mistake.empty()) problems.add(place_of(source.text, fmt::format("expect/{}", i)) + mistake);
    }
}

void check_pictures(const SceneFile& file, const World& world, const SceneSource& source, Problems& problems)
{
    std::vector<std::string> bodies;
    for_each_body(world, [&](const auto& body) { bodies.push_back(body.name); });
    for (const Collider& collider : world.colliders) bodies.push_back(collider.name);
    for (std::size_t i = 0; i < file.looks.size(); ++i)
        if (const std::string mistake = find_mistake(file.looks[i], bodies); !mistake.empty())
            problems.add(place_of(source.text, fmt::format("looks/{}", i)) + mistake);
    for (std::size_t i = 1; i < file.camera.size(); ++i)
        if (!(file.camera[i].time > file.camera[i - 1].time))
            problems.add(place_of(source.text, fmt::format("camera/{}", i)) +
                         fmt::format("the time {} s must be later than that of the key before", file.camera[i].time));
}

}  // namespace

void SceneSource::fail(const std::string& path, const std::string& message) const
{
    throw InputError(place_of(text, path) + message);
}

std::string SceneSource::place(const std::string& path) const
{
    std::string where = place_of(text, path);
    where.erase(where.size() - 2);
    return where;
}

bool SceneSource::says(const std::string& path) const { return text.root.contains(Json::json_pointer("/" + path)); }

void SceneSource::warn(const std::string& path, const std::string& message) const
{
    if (warnings == nullptr) return;
    std::string line = place_of(text, path) + message;
    if (std::ranges::find(*warnings, line) == warnings->end()) warnings->push_back(std::move(line));
}

std::string scene_schema() { return make_scene_schema().dump(2) + "\n"; }

Scene read_scene_text(std::string_view text, const std::string& source, const std::string& folder,
                      std::span<const std::string> sets)
{
    Problems problems;
    JsonText json = parse_json(text, source);
    const Json schema = sets.empty() ? Json() : make_scene_schema();
    for (const std::string& edit : sets) {
        try {
            apply_set(edit, schema, json);
        } catch (const InputError& error) {
            problems.add(error.what());
        }
    }
    SceneFile file;
    read_fields(json, problems, file);
    const SceneSource plain{json, folder};
    if (problems.none()) resolve_keys(plain, problems, file);
    problems.raise();  // building from wrong values would only add further errors

    Scene scene;
    const SceneSource origin{json, folder, &scene.warnings};
    std::vector<Range> glues;
    build_world(file, origin, problems, glues, scene.animations, scene.world);
    if (problems.none()) check_expectations(file, scene.world, origin, problems);
    if (problems.none()) check_pictures(file, scene.world, origin, problems);
    problems.raise();
    warn_about_idle(file, origin, scene.world, glues);
    scene.name = path_stem(source);
    scene.about = file.about;
    scene.frames = file.frames;
    scene.expect = file.expect;
    scene.looks = file.looks;
    scene.camera = file.camera;
    return scene;
}

Scene read_scene(const std::string& path_or_name, std::span<const std::string> sets)
{
    if (path_exists(path_or_name)) {
        const std::string folder = parent_path(path_or_name);
        return read_scene_text(read_text_file(path_or_name), path_or_name, folder.empty() ? "." : folder, sets);
    }
    std::vector<std::string> names;
    for (const EmbeddedScene& scene : embedded_scenes()) {
        if (path_or_name == scene.name) return read_scene_text(scene.text, path_or_name, ".", sets);
        names.emplace_back(scene.name);
    }
    throw FileError(fmt::format("cannot read scene \"{}\": there is no such file and no built-in scene of that name{}",
                                path_or_name, suggest_name(path_or_name, names)));
}

std::vector<BuiltinScene> builtin_scenes()
{
    std::vector<BuiltinScene> scenes;
    for (const EmbeddedScene& scene : embedded_scenes()) {
        const JsonText json = parse_json(scene.text, scene.name);
        scenes.push_back({scene.name, json.root.value("about", std::string()), scene.text});
    }
    return scenes;
}

}  // namespace pliant
