#include "pliant/files/mesh_files.h"

#include "pliant/base/check.h"
#include "pliant/files/ply_file.h"
#include "pliant/files/text_reader.h"
#include "pliant/geometry/polygon.h"

#include <assimp/BaseImporter.h>
#include <assimp/importerdesc.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace pliant {

namespace {

constexpr std::size_t kMostCorners = 10'000;  // of a polygon: cutting takes the square of their number

/// Leaves the importer the formats that are meant: it looks at contents too, and damaged files must not reach others.
void keep_known_formats(Assimp::Importer& importer)
{
    static constexpr std::string_view kKnown[] = {"Wavefront Object Importer", "Stereolithography (STL) Importer",
                                                  "glTF2 Importer"};
    for (std::size_t i = importer.GetImporterCount(); i-- > 0;) {
        const std::string_view name = importer.GetImporterInfo(i)->mName;
        if (std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown)) continue;
        Assimp::BaseImporter* other = importer.GetImporter(i);
        importer.UnregisterLoader(other);
        delete other;  // unregistering hands it over
    }
}

/// The file through Assimp; the scene belongs to the importer. No post-processing: it trusts indices.
const aiScene& import_scene(const std::string& path, Assimp::Importer& importer)
{
    if (read_bytes(path).empty()) throw InputError(fmt::format("{}: the file is empty", path));
    keep_known_formats(importer);
    std::string reason;
    try {
        const aiScene* scene = importer.ReadFile(path, 0);
        if (scene && scene->mRootNode) return *scene;
        reason = importer.GetErrorString();
    } catch (const std::exception& error) {
        reason = error.what();
    }
    throw InputError(fmt::format("{}: cannot be understood: {}; export it again", path, reason));
}

/// A 4 x 4 matrix of a node, as the linear part and the shift.
struct NodePlacement {
    Mat3d linear = Mat3d::identity();
    Vec3d shift;

    Vec3d operator*(const Vec3d& p) const { return linear * p + shift; }
    NodePlacement operator*(const NodePlacement& b) const { return {linear * b.linear, linear * b.shift + shift}; }
};

NodePlacement placement_of(const aiMatrix4x4& m)
{
    return {Mat3d{{{m.a1, m.b1, m.c1}, {m.a2, m.b2, m.c2}, {m.a3, m.b3, m.c3}}}, {m.a4, m.b4, m.c4}};
}

Vec3d vector_of(const aiVector3D& v) { return {v.x, v.y, v.z}; }

/// Calls visit(mesh, placement) for every mesh of the scene as often as nodes show it.
template <class Visit>
void for_each_mesh(const aiScene& scene, const Visit& visit)
{
    std::vector<std::pair<const aiNode*, NodePlacement>> open = {{scene.mRootNode, NodePlacement{}}};
    while (!open.empty()) {
        const auto [node, parent] = open.back();
        open.pop_back();
        const NodePlacement placement = parent * placement_of(node->mTransformation);
        for (unsigned i = 0; i < node->mNumMeshes; ++i) {
            if (node->mMeshes[i] < scene.mNumMeshes) visit(*scene.mMeshes[node->mMeshes[i]], placement);
        }
        for (unsigned i = node->mNumChildren; i-- > 0;) open.emplace_back(node->mChildren[i], placement);
    }
}

/// Numbers positions; equal ones get the same number.
class VertexMerger {
  public:
    explicit VertexMerger(SurfaceMesh& mesh) : mesh_(mesh) {}

    int number(const Vec3d& p)
    {
        const Vec3d key = p + Vec3d{};  // -0 becomes 0
        const auto [entry, is_new] = numbers_.try_emplace(key, static_cast<int>(mesh_.vertices.size()));
        if (is_new) mesh_.vertices.push_back(key);
        return entry->second;
    }

  private:
    struct Hash {
        std::size_t operator()(const Vec3d& p) const
        {
            std::size_t h = std::hash<double>()(p.x);
            h = h * 0x9e3779b97f4a7c15u + std::hash<double>()(p.y);
            return h * 0x9e3779b97f4a7c15u + std::hash<double>()(p.z);
        }
    };
    SurfaceMesh& mesh_;
    std::unordered_map<Vec3d, int, Hash> numbers_;  // never iterated: the order of the file decides
};

/// Adds a polygon, cut into triangles. `where` names it in messages.
void add_polygon(std::span<const Vec3d> corners, const std::string& where, VertexMerger& merger, SurfaceMesh& mesh)
{
    if (corners.size() > kMostCorners) {
        throw InputError(fmt::format("{} has {} corners; cut it into triangles first", where, corners.size()));
    }
    for (const Vec3d& p : corners) {
        if (std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z)) continue;
        throw InputError(fmt::format("{} has a corner at ({}, {}, {}); repair the file", where, p.x, p.y, p.z));
    }
    for (const std::array<int, 3>& t : cut_polygon(corners)) {
        const int a = merger.number(corners[static_cast<std::size_t>(t[0])]);
        const int b = merger.number(corners[static_cast<std::size_t>(t[1])]);
        const int c = merger.number(corners[static_cast<std::size_t>(t[2])]);
        if (a != b && b != c && c != a) mesh.triangles.push_back({a, b, c});
    }
}

void add_mesh(const std::string& path, const aiMesh& source, const NodePlacement& placement, VertexMerger& merger,
              SurfaceMesh& mesh)
{
    std::vector<Vec3d> corners;
    for (unsigned i = 0; i < source.mNumFaces; ++i) {
        const aiFace& face = source.mFaces[i];
        corners.clear();
        for (unsigned k = 0; k < face.mNumIndices; ++k) {
            const unsigned v = face.mIndices[k];
            if (v >= source.mNumVertices) {
                throw InputError(fmt::format("{}: face {} uses vertex {}, but there are only {}; export it again", path,
                                             i, v, source.mNumVertices));
            }
            corners.push_back(placement * vector_of(source.mVertices[v]));
        }
        if (placement.linear.determinant() < 0) std::reverse(corners.begin(), corners.end());
        add_polygon(corners, fmt::format("{}: face {}", path, i), merger, mesh);
    }
}

void add_ply(const std::string& path, VertexMerger& merger, SurfaceMesh& mesh)
{
    const PlyContent content = read_ply(path);
    std::vector<Vec3d> corners;
    for (std::size_t i = 0; i < content.faces.size(); ++i) {
        corners.clear();
        for (const int v : content.faces[i]) corners.push_back(content.vertices[static_cast<std::size_t>(v)]);
        add_polygon(corners, fmt::format("{}: face {}", path, i), merger, mesh);
    }
}

/// Vertex lines, `v x y z`, of an .obj file.
std::vector<Vec3d> read_obj_points(const std::string& path)
{
    TextReader reader(path);
    std::vector<Vec3d> points;
    for (auto words = reader.next_words(); !words.empty(); words = reader.next_words()) {
        if (words[0] != "v") continue;
        if (words.size() < 4) reader.fail(fmt::format("a vertex has 3 numbers, but the line has {}", words.size() - 1));
        const double x = reader.number_from(words[1], "x of a vertex"),
                     y = reader.number_from(words[2], "y of a vertex");
        points.push_back({x, y, reader.number_from(words[3], "z of a vertex")});
    }
    return points;
}

enum class FirstLine { kPoint, kPointOrNames };

/// Three numbers a line.
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

SurfaceMesh read_surface(const std::string& path)
{
    static constexpr std::string_view kKnown[] = {".obj", ".ply", ".stl", ".gltf", ".glb"};
    const std::string extension = lower_extension(path);
    if (std::find(std::begin(kKnown), std::end(kKnown), extension) == std::end(kKnown)) {
        throw InputError(
            fmt::format("{}: surfaces are read from .obj, .ply, .stl, .gltf and .glb, not from '{}'", path, extension));
    }
    SurfaceMesh mesh;
    VertexMerger merger(mesh);
    if (extension == ".ply") {
        add_ply(path, merger, mesh);
    } else {
        Assimp::Importer importer;
        for_each_mesh(import_scene(path, importer), [&](const aiMesh& source, const NodePlacement& placement) {
            add_mesh(path, source, placement, merger, mesh);
        });
    }
    if (mesh.triangles.empty()) {
        throw InputError(
            fmt::format("{}: there are no triangles in the file; export the faces too, or use it as points", path));
    }
    return mesh;
}

std::vector<Vec3d> read_points(const std::string& path)
{
    const std::string extension = lower_extension(path);
    std::vector<Vec3d> points;
    if (extension == ".obj") points = read_obj_points(path);
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
