#include "pliant/files/stl_file.h"

#include "pliant/base/check.h"
#include "pliant/files/little_endian.h"
#include "pliant/files/text_reader.h"
#include "pliant/geometry/position_index.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace pliant {

namespace {

constexpr std::size_t kStlHeader = 84, kStlTriangle = 50;  // [bytes]

/// Builds a mesh corner by corner.
class StlBuilder {
  public:
    void add(const std::array<Vec3d, 3>& triangle, int object)
    {
        std::array<int, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            const int next = static_cast<int>(mesh.vertices.size());
            corners[k] = index_.find_or_add(triangle[k], next);
            if (corners[k] == next) mesh.vertices.push_back(triangle[k]);
        }
        mesh.faces.add(corners, {}, object, -1, -1);
    }

    PolygonMesh mesh;

  private:
    PositionIndex index_;
};

PolygonMesh read_binary_stl(std::string_view bytes, std::size_t count)
{
    StlBuilder builder;
    for (std::size_t i = 0; i < count; ++i) {
        std::array<Vec3d, 3> triangle;
        std::size_t at = kStlHeader + kStlTriangle * i + 12;  // behind the normal
        for (Vec3d& p : triangle)
            for (int axis = 0; axis < 3; ++axis, at += 4)
                p[axis] = static_cast<double>(take_little_endian<float>(bytes, at));
        builder.add(triangle, -1);
    }
    return std::move(builder.mesh);
}

bool is_word(std::string_view word, std::string_view lower)
{
    if (word.size() != lower.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
        if ((word[i] | 0x20) != lower[i]) return false;
    return true;
}

PolygonMesh read_ascii_stl(const std::string& path, std::string text)
{
    TextReader reader(path, std::move(text));
    StlBuilder builder;
    int object = -1;
    std::vector<Vec3d> corners;  // of the facet
    for (auto words = reader.next_words(); !words.empty(); words = reader.next_words()) {
        if (is_word(words[0], "solid")) object = words.size() > 1 ? builder.mesh.faces.objects.index_of(words[1]) : -1;
        if (is_word(words[0], "facet")) corners.clear();
        if (is_word(words[0], "vertex")) {
            if (words.size() != 4)
                reader.fail(fmt::format("a vertex has 3 numbers, but the line has {}", words.size() - 1));
            const double x = reader.number_from(words[1], "x of a vertex"),
                         y = reader.number_from(words[2], "y of a vertex");
            corners.push_back({x, y, reader.number_from(words[3], "z of a vertex")});
        }
        if (!is_word(words[0], "endfacet")) continue;
        if (corners.size() != 3)
            reader.fail(fmt::format("a facet has 3 vertices, but this one has {}; export it again", corners.size()));
        builder.add({corners[0], corners[1], corners[2]}, object);
        corners.clear();
    }
    if (!corners.empty()) reader.fail("the file ends in the middle of a facet; is it cut off?");
    return std::move(builder.mesh);
}

}  // namespace

PolygonMesh read_stl(const std::string& path)
{
    std::string bytes = read_bytes(path);
    if (bytes.empty()) throw InputError(fmt::format("{}: the file is empty", path));
    // A binary file may begin with "solid" too; it is binary if its size matches its count of triangles exactly.
    const std::size_t room = bytes.size() < kStlHeader ? 0 : (bytes.size() - kStlHeader) / kStlTriangle;
    const std::size_t count = bytes.size() < kStlHeader ? 0 : take_little_endian<std::uint32_t>(bytes, kStlHeader - 4);
    const bool exact = bytes.size() >= kStlHeader && bytes.size() == kStlHeader + kStlTriangle * count;
    if (!exact && is_word(first_word(std::string_view(bytes).substr(0, kStlHeader)), "solid"))
        return read_ascii_stl(path, std::move(bytes));
    if (bytes.size() < kStlHeader || count > room)
        throw InputError(
            fmt::format("{}: the header promises {} triangles, but the file holds {}; is it cut off, or not "
                        "an .stl file?",
                        path, count, room));
    return read_binary_stl(bytes, count);
}

}  // namespace pliant
