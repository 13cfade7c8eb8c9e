#include "pliant/files/mesh_files.h"

#include "pliant/base/check.h"
#include "pliant/files/gltf_file.h"
#include "pliant/files/obj_file.h"
#include "pliant/files/paths.h"
#include "pliant/files/ply_file.h"
#include "pliant/files/stl_file.h"
#include "pliant/files/text_reader.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace pliant {

namespace {

constexpr std::size_t kMaxCorners = 10'000;  // of a polygon: triangulation takes quadratic time

struct MeshFormat {
    std::string_view extension;
    PolygonMesh (*read)(const std::string& path);
};

constexpr MeshFormat kMeshFormats[] = {
    {".obj", read_obj}, {".ply", read_ply}, {".stl", read_stl}, {".gltf", read_gltf}, {".glb", read_gltf},
};

void check_mesh(const std::string& path, const PolygonMesh& mesh)
{
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
        const Vec3d& p = mesh.vertices[i];
        if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            throw InputError(fmt::format("{}: vertex {} is at ({}, {}, {}); repair the file", path, i, p.x, p.y, p.z));
    }
    for (int i = 0; i < mesh.faces.size(); ++i) {
        const std::size_t corners = mesh.faces.face(i).size();
        if (corners > kMaxCorners)
            throw InputError(fmt::format("{}: face {} has {} corners; cut it into triangles first", path, i, corners));
    }
}

enum class FirstLine { kPoint, kPointOrNames };

/// Three numbers per line.
std::vector<Vec3d> read_number_lines(const std::string& path, FirstLine first_line)
{
    TextReader reader(path);
    bool may_have_names = first_line == FirstLine::kPointOrNames;
    std::vector<Vec3d> points;
    std::string_view line;
    while (reader.next_line(line)) {
        const std::vector<std::string_view> words = split_words(line.substr(0, line.find('#')), ",;");
        if (words.empty()) continue;
        double value = 0;
        if (std::exchange(may_have_names, false) && !parse_number(words[0], value)) continue;
        if (words.size() != 3) reader.fail(fmt::format("a point has 3 numbers, but the line has {}", words.size()));
        const double x = reader.number_from(words[0], "x of a point"), y = reader.number_from(words[1], "y of a point");
        points.push_back({x, y, reader.number_from(words[2], "z of a point")});
    }
    return points;
}

}  // namespace

PolygonMesh read_mesh(const std::string& path)
{
    const std::string extension = lower_extension(path);
    for (const MeshFormat& format : kMeshFormats) {
        if (extension != format.extension) continue;
        PolygonMesh mesh = format.read(path);
        check_mesh(path, mesh);
        return mesh;
    }
    throw InputError(
        fmt::format("{}: surfaces are read from .obj, .ply, .stl, .gltf and .glb, not from '{}'", path, extension));
}

JoinedSurface read_joined_surface(const std::string& path)
{
    JoinedSurface joined = join_vertices(read_mesh(path));
    if (joined.mesh.triangles.empty())
        throw InputError(
            fmt::format("{}: there are no triangles in the file; export the faces too, or use it as points", path));
    return joined;
}

SurfaceMesh read_surface(const std::string& path) { return read_joined_surface(path).mesh; }

std::vector<Vec3d> read_points(const std::string& path)
{
    const std::string extension = lower_extension(path);
    std::vector<Vec3d> points;
    if (extension == ".obj") points = read_obj(path).vertices;
    else if (extension == ".ply") points = read_ply(path).vertices;
    else if (extension == ".xyz" || extension == ".txt") points = read_number_lines(path, FirstLine::kPoint);
    else if (extension == ".csv") points = read_number_lines(path, FirstLine::kPointOrNames);
    else {
        throw InputError(
            fmt::format("{}: points are read from .xyz, .txt, .csv, .obj and .ply, not from '{}'", path, extension));
    }
    if (points.empty()) throw InputError(fmt::format("{}: there are no points in the file", path));
    return points;
}

}  // namespace pliant
