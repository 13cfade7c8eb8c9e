#pragma once
// Scenes: from a JSON file to a World, and from a World to frames that can be written.
//
// A scene file is JSON with comments; its keys are the parameter tables (scene_file.h), and
// docs/scene.schema.json describes them to editors. Reading goes through four steps, each of which
// reports all it finds with file, line, key and remedy: parse the text (json_text.h), apply `--set`,
// read the tables (fields_json.h), build the World.

#include "pliant/files/vertex_sequence.h"
#include "pliant/render/look.h"
#include "pliant/report/expect.h"
#include "pliant/world/world.h"

#include <span>
#include <string>
#include <vector>

namespace pliant {

/// A body that files move: its frames are read as they are needed.
struct Animation {
    ClothId cloth;
    std::shared_ptr<VertexSequence> sequence;
    Mat3d linear = Mat3d::identity();  // from the file to the world
    Vec3d position;                    // [m]
    std::vector<int> vertex{};         // per particle: that of the file
    double start = 0;                  // when the file begins [s]
    double speed = 1;                  // seconds of the file in a second
    bool loop = false;                 // again from the start at its end
};

/// Where the particles of an animated body are at a time, evenly between the frames of the file.
std::vector<Vec3d> positions_at(const Animation& animation, double time);

/// Sends all animated bodies of a world to where they are at the end of the next frame. Before every step of a scene.
void animate(std::span<const Animation> animations, World& world);

struct Scene {
    std::string name;  // of the file without its suffix, or of the built-in scene
    std::string about;
    int frames = 0;
    World world;
    std::vector<Expectation> expect;
    std::vector<Look> looks;
    std::vector<CameraKey> camera;
    std::vector<Animation> animations;
    std::vector<std::string> warnings;  // `FILE:LINE: PATH: ...`: keys without effect
};

/// Reads a scene file, or the built-in scene of that name if there is no such file. `sets` are edits such as
/// `solids.bunny.gamma=0.2`, made before anything is checked. Throws InputError with one line for each problem, and
/// FileError if there is neither file nor built-in scene.
Scene read_scene(const std::string& path_or_name, std::span<const std::string> sets = {});

/// The same from text; `source` is its name in messages, `folder` where the files it names are looked for.
Scene read_scene_text(std::string_view text, const std::string& source, const std::string& folder = ".",
                      std::span<const std::string> sets = {});

/// Adds the bodies, colliders, glue, seams and grabs of a scene text to a World that is on its way. Glue may name bodies that
/// are there already; settings, forces and contact change what they name. Throws InputError with a line for each
/// problem, and has then added nothing.
void extend_world(World& world, std::string_view text, const std::string& source, const std::string& folder = ".");

struct BuiltinScene {
    std::string name;
    std::string about;
    std::string text;
};

/// The scenes that are part of the program, in order of their names.
std::vector<BuiltinScene> builtin_scenes();

/// Warnings, for what is allowed but probably a mistake: those of the file, a body that starts inside a collider, a stiffness
/// that costs many substeps, defects in the mesh of a cloth.
std::vector<std::string> find_warnings(const Scene& scene);

/// Throws InputError that names the places where bodies in contact pass through each other at the start.
void refuse_crossings(const Scene& scene);

/// The JSON Schema of scene files.
std::string scene_schema();

}  // namespace pliant
