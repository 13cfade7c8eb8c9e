// Tetrahedra from ASCII Gmsh .msh files.

#include "pliant/base/check.h"
#include "pliant/files/tet_content.h"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <unordered_map>

namespace pliant {

namespace {

constexpr std::int64_t kGmshTetrahedron = 4;

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
              TetContent& content)
{
    if (!tags.try_emplace(tag, static_cast<int>(content.vertices.size())).second) {
        reader.fail(fmt::format("node {} appears twice; repair the file", tag));
    }
    const double x = reader.number_from(xyz[0], "x of a node"), y = reader.number_from(xyz[1], "y of a node");
    content.vertices.push_back({x, y, reader.number_from(xyz[2], "z of a node")});
}

void add_element(const TextReader& reader, std::span<const std::string_view> nodes, const Tags& tags,
                 TetContent& content)
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
void read_nodes_2(TextReader& reader, Tags& tags, TetContent& content)
{
    const std::int64_t count = count_from(reader, next_row(reader, 1, "$Nodes")[0], "the number of nodes");
    for (std::int64_t i = 0; i < count; ++i) {
        const std::vector<std::string_view> row = next_row(reader, 4, "a node");
        add_node(reader, reader.integer_from(row[0], "the tag of a node"), std::span(row).subspan(1), tags, content);
    }
}

/// Version 2.2: number of elements; then per line tag, type, number of further tags, those, nodes.
void read_elements_2(TextReader& reader, const Tags& tags, TetContent& content)
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
void read_nodes_4(TextReader& reader, Tags& tags, TetContent& content)
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
void read_elements_4(TextReader& reader, const Tags& tags, TetContent& content)
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

}  // namespace

TetContent read_msh(const std::string& path)
{
    TextReader reader(path);
    TetContent content;
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

}  // namespace pliant
