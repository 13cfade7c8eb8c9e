#pragma once
// The steps of read_scene, for each other only.

#include "pliant/io/json_text.h"
#include "pliant/io/scene_file.h"
#include "pliant/world/edits.h"

#include <filesystem>
#include <span>
#include <string>

namespace pliant {

/// Where a scene comes from, for messages and for the files that it names.
struct SceneSource {
    const JsonText& text;
    std::filesystem::path folder;

    /// Throws InputError: `FILE:LINE: PATH: MESSAGE`.
    [[noreturn]] void fail(const std::string& path, const std::string& message) const;
};

/// Edits the document as `solids.bunny.gamma=0.2` says. Throws InputError that names the nearest known path.
void apply_set(const std::string& edit, const Json& schema, JsonText& text);

/// What the solid at `path` is made of. `most` particles are allowed.
SolidShape make_shape(const SolidEntry& entry, const std::string& path, const SceneSource& source, double most);

/// The surface of the cloth at `path`, at rest. `most` vertices are allowed.
SurfaceMesh make_cloth_mesh(const ClothEntry& entry, const std::string& path, const SceneSource& source, double most);

/// Builds what the file says; what cannot be built is reported and left out.
World build_world(const SceneFile& file, const SceneSource& source, Problems& problems);

struct EmbeddedScene {
    const char* name;
    const char* text;
};

/// The files of scenes/, put into the program when it is built (cmake/scenes.cmake).
std::span<const EmbeddedScene> embedded_scenes();

}  // namespace pliant
