// Tetrahedra from .vtk and .msh files, declared in mesh_files.h.

#include "pliant/base/check.h"
#include "pliant/files/mesh_files.h"
#include "pliant/files/paths.h"
#include "pliant/files/text_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace pliant {

namespace {

constexpr std::int64_t kVtkTetrahedron = 10, kGmshTetrahedron = 4;

/// What a file says, before it is checked.
struct Content {
    std::vector<Vec3d> vertices;
    std::vector<std::array<int, 4>> tetrahedra;
    std::vector<int> lines;              // per tetrahedron
    std::set<std::int64_t> other_types;  // cells that are no tetrahedra
};

double six_volumes(const Content& content, const std::array<int, 4>& t)
{
    const auto at = [&](std::size_t i) { return content.vertices[static_cast<std::size_t>(t[i])]; };
    return (at(1) - at(0)).cross(at(2) - at(0)).dot(at(3) - at(0));
}

double longest_edge(const Content& content, const std::array<int, 4>& t)
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

/// Refuses flat tetrahedra and turns those of negative volume.
void orient(const std::string& path, Content& content)
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

/// The boundary as faces of the vertices of the file. `numbers` says which vertex became which.
SurfaceSource source_of(const Content& content, const TetMesh& mesh, std::vector<int> numbers)
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

TetsFromFile drop_unused_vertices(const Content& content)
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

std::int64_t count_from(const TextReader& reader, std::string_view word, const char* what)
{
    const std::int64_t count = reader.integer_from(word, what);
    if (count < 0 || count > INT32_MAX) reader.fail(fmt::format("{} is {}; repair the file", what, count));
    return count;
}

std::int64_t next_count(TextReader& reader, const char* what) { return count_from(reader, reader.next_word(), what); }

/// Cells of a .vtk file: cell i has corners[offsets[i]] .. corners[offsets[i + 1] - 1].
struct VtkCells {
    std::vector<std::int64_t> offsets, corners, types;
    std::vector<int> lines;  // per corner

    void add_corner(TextReader& reader)
    {
        corners.push_back(reader.next_integer("a corner of a cell"));
        lines.push_back(reader.line());
    }
};

/// CELLS up to version 4: per cell the number of its corners, then the corners.
void read_vtk_cells(TextReader& reader, std::int64_t count, VtkCells& cells)
{
    cells.offsets.push_back(0);
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t size = next_count(reader, "the number of corners of a cell");
        for (std::int64_t k = 0; k < size; ++k) cells.add_corner(reader);
        cells.offsets.push_back(static_cast<std::int64_t>(cells.corners.size()));
    }
}

/// CELLS from version 5 on: all offsets, then all corners.
void read_vtk_offsets(TextReader& reader, std::int64_t offsets, std::int64_t corners, VtkCells& cells)
{
    reader.next_word();  // OFFSETS
    reader.next_word();  // type
    for (std::int64_t i = 0; i < offsets; ++i) {
        const std::int64_t offset = reader.next_integer("an offset");
        if (offset < (i == 0 ? 0 : cells.offsets.back()) || offset > corners) {
            reader.fail(fmt::format("offset {} is out of order; offsets rise from 0 to {}", offset, corners));
        }
        cells.offsets.push_back(offset);
    }
    if (reader.next_word() != "CONNECTIVITY") reader.fail("CONNECTIVITY should follow the offsets");
    reader.next_word();  // type
    for (std::int64_t i = 0; i < corners; ++i) cells.add_corner(reader);
}

void check_vtk_header(TextReader& reader)
{
    std::string_view line;
    reader.next_line(line);
    if (!line.starts_with("# vtk DataFile"))
        reader.fail("a .vtk file starts with '# vtk DataFile'; export legacy ASCII");
    reader.next_line(line);  // title
    if (reader.next_word() != "ASCII") reader.fail("only ASCII is read here; export the file as legacy ASCII");
    if (reader.next_word() != "DATASET" || reader.next_word() != "UNSTRUCTURED_GRID") {
        reader.fail("only DATASET UNSTRUCTURED_GRID has tetrahedra; export the volume mesh");
    }
}

void take_vtk_tetrahedra(const TextReader& reader, const std::string& path, const VtkCells& cells, Content& content)
{
    const std::size_t count = cells.offsets.empty() ? 0 : cells.offsets.size() - 1;
    if (cells.types.size() != count) {
        reader.fail(fmt::format("there are {} cells but {} cell types; repair the file", count, cells.types.size()));
    }
    const std::int64_t n = static_cast<std::int64_t>(content.vertices.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (cells.types[i] != kVtkTetrahedron) {
            content.other_types.insert(cells.types[i]);
            continue;
        }
        const std::int64_t size = cells.offsets[i + 1] - cells.offsets[i];
        if (size != 4) throw InputError(fmt::format("{}: cell {} is a tetrahedron with {} corners", path, i, size));
        const std::size_t first = static_cast<std::size_t>(cells.offsets[i]);
        std::array<int, 4> t{};
        for (std::size_t k = 0; k < 4; ++k) {
            const std::int64_t v = cells.corners[first + k];
            if (v < 0 || v >= n) {
                throw InputError(fmt::format("{}:{}: cell {} uses point {}, but points are 0 to {}; repair the file",
                                             path, cells.lines[first + k], i, v, n - 1));
            }
            t[k] = static_cast<int>(v);
        }
        content.tetrahedra.push_back(t);
        content.lines.push_back(cells.lines[first]);
    }
}

Content read_vtk(const std::string& path)
{
    TextReader reader(path);
    check_vtk_header(reader);
    Content content;
    VtkCells cells;
    for (std::string_view word = reader.next_word(); !word.empty(); word = reader.next_word()) {
        if (word == "POINTS") {
            const std::int64_t count = next_count(reader, "the number of points");
            reader.next_word();  // type
            for (std::int64_t i = 0; i < count; ++i) {
                const double x = reader.next_number("x of a point"), y = reader.next_number("y of a point");
                content.vertices.push_back({x, y, reader.next_number("z of a point")});
            }
        } else if (word == "CELLS" && cells.offsets.empty()) {
            const std::int64_t count = next_count(reader, "the number of cells");
            const std::int64_t size = next_count(reader, "the size of the cell list");
            if (reader.peek_word() == "OFFSETS") read_vtk_offsets(reader, count, size, cells);
            else read_vtk_cells(reader, count, cells);
        } else if (word == "CELL_TYPES") {
            const std::int64_t count = next_count(reader, "the number of cell types");
            for (std::int64_t i = 0; i < count; ++i) cells.types.push_back(reader.next_integer("a cell type"));
        } else if (word == "POINT_DATA" || word == "CELL_DATA") {
            break;  // fields on the mesh
        }
    }
    take_vtk_tetrahedra(reader, path, cells, content);
    return content;
}

/// Nodes of a .msh file by their tags.
using Tags = std::unordered_map<std::int64_t, int>;

std::vector<std::string_view> next_row(TextReader& reader, std::size_t least, const char* what)
{
    std::vector<std::string_view> words = reader.next_words();
    if (words.empty()) reader.fail(fmt::format("the file ends where {} should be; is it cut off?", what));
    if (words.size() >= least) return words;
    reader.fail(fmt::format("{} needs {} numbers, but the line has {}", what, least, words.size()));
}

void add_node(const TextReader& reader, std::int64_t tag, std::span<const std::string_view> xyz, Tags& tags,
              Content& content)
{
    if (!tags.try_emplace(tag, static_cast<int>(content.vertices.size())).second) {
        reader.fail(fmt::format("node {} appears twice; repair the file", tag));
    }
    const double x = reader.number_from(xyz[0], "x of a node"), y = reader.number_from(xyz[1], "y of a node");
    content.vertices.push_back({x, y, reader.number_from(xyz[2], "z of a node")});
}

void add_element(const TextReader& reader, std::span<const std::string_view> nodes, const Tags& tags, Content& content)
{
    if (nodes.size() != 4) reader.fail(fmt::format("a tetrahedron has 4 nodes, but the line has {}", nodes.size()));
    std::array<int, 4> t{};
    for (std::size_t k = 0; k < 4; ++k) {
        const std::int64_t tag = reader.integer_from(nodes[k], "a node of an element");
        const auto found = tags.find(tag);
        if (found == tags.end())
            reader.fail(fmt::format("the element uses node {}, which the file does not have", tag));
        t[k] = found->second;
    }
    content.tetrahedra.push_back(t);
    content.lines.push_back(reader.line());
}

/// Version 2.2: number of nodes; then per line tag x y z.
void read_nodes_2(TextReader& reader, Tags& tags, Content& content)
{
    const std::int64_t count = count_from(reader, next_row(reader, 1, "$Nodes")[0], "the number of nodes");
    for (std::int64_t i = 0; i < count; ++i) {
        const std::vector<std::string_view> row = next_row(reader, 4, "a node");
        add_node(reader, reader.integer_from(row[0], "the tag of a node"), std::span(row).subspan(1), tags, content);
    }
}

/// Version 2.2: number of elements; then per line tag, type, number of further tags, those, nodes.
void read_elements_2(TextReader& reader, const Tags& tags, Content& content)
{
    const std::int64_t count = count_from(reader, next_row(reader, 1, "$Elements")[0], "the number of elements");
    for (std::int64_t i = 0; i < count; ++i) {
        const std::vector<std::string_view> row = next_row(reader, 3, "an element");
        const std::int64_t type = reader.integer_from(row[1], "the type of an element");
        const std::int64_t skipped = count_from(reader, row[2], "the number of tags of an element");
        if (type != kGmshTetrahedron) {
            content.other_types.insert(type);
            continue;
        }
        const std::size_t first = 3 + static_cast<std::size_t>(skipped);
        if (first > row.size()) reader.fail("the element has fewer tags than it says");
        add_element(reader, std::span(row).subspan(first), tags, content);
    }
}

/// Version 4.1: blocks of nodes, each with a line `dim tag parametric n`, n tags, n times x y z.
void read_nodes_4(TextReader& reader, Tags& tags, Content& content)
{
    const std::int64_t blocks = count_from(reader, next_row(reader, 4, "$Nodes")[0], "the number of node blocks");
    for (std::int64_t block = 0; block < blocks; ++block) {
        const std::int64_t count =
            count_from(reader, next_row(reader, 4, "a node block")[3], "the size of a node block");
        std::vector<std::int64_t> block_tags;
        for (std::int64_t i = 0; i < count; ++i) {
            block_tags.push_back(reader.integer_from(next_row(reader, 1, "a node tag")[0], "the tag of a node"));
        }
        for (const std::int64_t tag : block_tags) add_node(reader, tag, next_row(reader, 3, "a node"), tags, content);
    }
}

/// Version 4.1: blocks of elements, each with a line `dim tag type n` and n times tag, nodes.
void read_elements_4(TextReader& reader, const Tags& tags, Content& content)
{
    const std::int64_t blocks = count_from(reader, next_row(reader, 4, "$Elements")[0], "the number of element blocks");
    for (std::int64_t block = 0; block < blocks; ++block) {
        const std::vector<std::string_view> head = next_row(reader, 4, "an element block");
        const std::int64_t type = reader.integer_from(head[2], "the type of elements");
        const std::int64_t count = count_from(reader, head[3], "the size of an element block");
        if (type != kGmshTetrahedron) content.other_types.insert(type);
        for (std::int64_t i = 0; i < count; ++i) {
            const std::vector<std::string_view> row = next_row(reader, 2, "an element");
            if (type == kGmshTetrahedron) add_element(reader, std::span(row).subspan(1), tags, content);
        }
    }
}

enum class MshVersion { kTwo, kFour };

MshVersion read_msh_format(TextReader& reader)
{
    const std::vector<std::string_view> row = next_row(reader, 3, "$MeshFormat");
    if (row[1] != "0") reader.fail("the file is binary; save it as ASCII: gmsh -format msh22, Mesh.Binary = 0");
    if (row[0] == "2.2") return MshVersion::kTwo;
    if (row[0] == "4.1") return MshVersion::kFour;
    reader.fail(
        fmt::format("version {} is not read here; save it as 2.2 or 4.1: gmsh -format msh41", row[0].substr(0, 12)));
}

Content read_msh(const std::string& path)
{
    TextReader reader(path);
    Content content;
    Tags tags;
    std::optional<MshVersion> version;
    for (auto words = reader.next_words(); !words.empty(); words = reader.next_words()) {
        if (words[0] == "$MeshFormat") version = read_msh_format(reader);
        if (words[0] != "$Nodes" && words[0] != "$Elements") continue;
        if (!version) reader.fail("$MeshFormat should come first; is this a Gmsh file?");
        if (words[0] == "$Nodes") {
            (*version == MshVersion::kTwo ? read_nodes_2 : read_nodes_4)(reader, tags, content);
        } else {
            (*version == MshVersion::kTwo ? read_elements_2 : read_elements_4)(reader, tags, content);
        }
    }
    if (!version) throw InputError(fmt::format("{}: no $MeshFormat found; is this a Gmsh file?", path));
    return content;
}

}  // namespace

TetMesh read_tetrahedra(const std::string& path) { return read_tetrahedra_and_source(path).mesh; }

TetsFromFile read_tetrahedra_and_source(const std::string& path)
{
    const std::string extension = lower_extension(path);
    if (extension != ".vtk" && extension != ".msh") {
        throw InputError(fmt::format("{}: tetrahedra are read from .vtk and .msh, not from '{}'", path, extension));
    }
    Content content = extension == ".vtk" ? read_vtk(path) : read_msh(path);
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
