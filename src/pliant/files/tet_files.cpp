// Tetrahedra from .vtk and .msh files, declared in mesh_files.h.

#include "pliant/base/check.h"
#include "pliant/files/mesh_files.h"
#include "pliant/files/paths.h"
#include "pliant/files/tet_content.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pliant {

namespace {

double six_volumes(const TetContent& content, const std::array<int, 4>& t)
{
    const auto at = [&](std::size_t i) { return content.vertices[static_cast<std::size_t>(t[i])]; };
    return (at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0));
}

double longest_edge(const TetContent& content, const std::array<int, 4>& t)
{
    double longest = 0;
    for (const int a : t) {
        for (const int b : t) {
            const Vec3d edge =
                content.vertices[static_cast<std::size_t>(a)] - content.vertices[static_cast<std::size_t>(b)];
            longest = std::max(longest, edge.norm());
        }
    }
    return longest;
}

/// Rejects flat tetrahedra and flips those of negative volume.
void orient(const std::string& path, TetContent& content)
{
    for (std::size_t i = 0; i < content.tetrahedra.size(); ++i) {
        std::array<int, 4>& t = content.tetrahedra[i];
        const double size = longest_edge(content, t), volume = six_volumes(content, t);
        if (!(std::abs(volume) > 1e-12 * size * size * size)) {
            throw InputError(
                fmt::format("{}:{}: tetrahedron {} has no volume; remove it, or improve the mesh where it was "
                            "made",
                            path, content.lines[i], i));
        }
        if (volume < 0) std::swap(t[2], t[3]);
    }
}

/// The boundary as faces with the vertices of the file. `numbers` maps vertices of the file to those of the mesh.
SurfaceSource source_of(const TetContent& content, const TetMesh& mesh, std::vector<int> numbers)
{
    std::vector<int> in_file(mesh.vertices.size());
    SurfaceSource source;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] < 0) source.loose.push_back(content.vertices[i]);
        else in_file[static_cast<std::size_t>(numbers[i])] = static_cast<int>(i);
    }
    std::vector<std::array<int, 3>> triangles = boundary(mesh).triangles;
    PolygonFaces faces;
    for (std::array<int, 3>& t : triangles) {
        for (int& v : t) v = in_file[static_cast<std::size_t>(v)];
        faces.add(t, {}, -1, -1, -1);
    }
    source.vertex = std::move(numbers);
    source.triangles = std::make_shared<const std::vector<std::array<int, 3>>>(std::move(triangles));
    source.faces = std::make_shared<const PolygonFaces>(std::move(faces));
    return source;
}

TetsFromFile drop_unused_vertices(const TetContent& content)
{
    std::vector<int> numbers(content.vertices.size(), -1);
    for (const std::array<int, 4>& t : content.tetrahedra) {
        for (const int v : t) numbers[static_cast<std::size_t>(v)] = 0;
    }
    TetMesh mesh;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers[i] < 0) continue;
        numbers[i] = static_cast<int>(mesh.vertices.size());
        mesh.vertices.push_back(content.vertices[i]);
    }
    for (const auto& [a, b, c, d] : content.tetrahedra) {
        mesh.tetrahedra.push_back({numbers[static_cast<std::size_t>(a)], numbers[static_cast<std::size_t>(b)],
                                   numbers[static_cast<std::size_t>(c)], numbers[static_cast<std::size_t>(d)]});
    }
    SurfaceSource source = source_of(content, mesh, std::move(numbers));
    return {std::move(mesh), std::make_shared<const SurfaceSource>(std::move(source))};
}

}  // namespace

std::int64_t count_from(const TextReader& reader, std::string_view word, const char* what)
{
    const std::int64_t count = reader.integer_from(word, what);
    if (count < 0 || count > INT32_MAX) reader.fail(fmt::format("{} is {}; repair the file", what, count));
    return count;
}

std::int64_t next_count(TextReader& reader, const char* what) { return count_from(reader, reader.next_word(), what); }

TetMesh read_tetrahedra(const std::string& path) { return read_tetrahedra_and_source(path).mesh; }

TetsFromFile read_tetrahedra_and_source(const std::string& path)
{
    const std::string extension = lower_extension(path);
    if (extension != ".vtk" && extension != ".msh") {
        throw InputError(fmt::format("{}: tetrahedra are read from .vtk and .msh, not from '{}'", path, extension));
    }
    TetContent content = extension == ".vtk" ? read_vtk(path) : read_msh(path);
    if (content.tetrahedra.empty()) {
        throw InputError(fmt::format("{}: there are no linear tetrahedra{}; export a volume mesh of first order", path,
                                     content.other_types.empty() ? std::string()
                                                                 : fmt::format(", only cells of type {}",
                                                                               fmt::join(content.other_types, ", "))));
    }
    orient(path, content);
    return drop_unused_vertices(content);
}

}  // namespace pliant
