#include "fuzz/targets.h"

#include "pliant/base/check.h"
#include "pliant/files/file_table.h"
#include "pliant/files/mesh_files.h"
#include "pliant/files/strand_files.h"
#include "pliant/files/vertex_sequence.h"
#include "pliant/scene/scene.h"
#include "pliant/session/recording.h"
#include "pliant/snapshot/sealed.h"
#include "pliant/snapshot/snapshot.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace pliant::fuzz {

namespace {

/// Readers find the bytes under a name with the suffix of their format.
template <class Read>
void read_as(const char* name, std::string_view bytes, const Read& read)
{
    const FileTable files{{name, std::string(bytes)}};
    const UseFiles scope(files);
    read(name);
}

void read_obj_text(std::string_view bytes)
{
    read_as("a.obj", bytes, read_joined_surface);
    read_as("a.obj", bytes, read_strands);
}
void read_ply_bytes(std::string_view bytes) { read_as("a.ply", bytes, read_joined_surface); }
void read_stl_bytes(std::string_view bytes) { read_as("a.stl", bytes, read_joined_surface); }
void read_msh_text(std::string_view bytes) { read_as("a.msh", bytes, read_tetrahedra_and_source); }
void read_vtk_text(std::string_view bytes) { read_as("a.vtk", bytes, read_tetrahedra_and_source); }
void read_csv_text(std::string_view bytes)
{
    read_as("a.csv", bytes, read_points);
    read_as("a.csv", bytes, read_strands);
}

void read_sequence(const std::string& path)
{
    const auto sequence = open_vertex_sequence(path, 24);
    std::vector<Vec3d> points;
    for (const double part : {0.0, 0.3, 1.0}) sequence->read_at(part * sequence->length(), points);
}

void read_cache(const char* name, std::string_view bytes) { read_as(name, bytes, read_sequence); }
void read_pc2_bytes(std::string_view bytes) { read_cache("a.pc2", bytes); }
void read_mdd_bytes(std::string_view bytes) { read_cache("a.mdd", bytes); }

/// A mesh of which an animation may be refused, and the other way round.
void read_model(const char* name, std::string_view bytes)
{
    try {
        read_as(name, bytes, read_joined_surface);
    } catch (const InputError&) {}
    read_cache(name, bytes);
}
void read_gltf_text(std::string_view bytes) { read_model("a.gltf", bytes); }
void read_glb_bytes(std::string_view bytes) { read_model("a.glb", bytes); }

void read_scene_bytes(std::string_view bytes) { read_scene_text(bytes, "scene"); }
void read_recording_bytes(std::string_view bytes) { read_recording(bytes, "recording"); }

/// As they are, which the checksum refuses, and with a checksum that fits. Whoever was read can be written again.
void read_snapshot_bytes(std::string_view bytes)
{
    try {
        read_snapshot(bytes);
    } catch (const InputError&) {}
    constexpr std::size_t kHeaderSize = 40;
    const std::string_view content = bytes.substr(std::min(bytes.size(), kHeaderSize));
    write_snapshot(read_snapshot(detail::seal(std::string(content), layout_of<World>())));
}

constexpr Target kTargets[] = {
    {"obj", read_obj_text},
    {"ply", read_ply_bytes},
    {"stl", read_stl_bytes},
    {"gltf", read_gltf_text},
    {"glb", read_glb_bytes},
    {"msh", read_msh_text},
    {"vtk", read_vtk_text},
    {"csv", read_csv_text},
    {"pc2", read_pc2_bytes},
    {"mdd", read_mdd_bytes},
    {"scene", read_scene_bytes},
    {"snapshot", read_snapshot_bytes},
    {"recording", read_recording_bytes},
};

}  // namespace

std::span<const Target> targets() { return kTargets; }

void run_target(std::string_view name, std::string_view bytes)
{
    for (const Target& target : kTargets) {
        if (name != target.name) continue;
        try {
            target.run(bytes);
        } catch (const InputError&) {
        } catch (const FileError&) {}
        return;
    }
    std::fprintf(stderr, "there is no target %s\n", std::string(name).c_str());
    std::abort();
}

}  // namespace pliant::fuzz
