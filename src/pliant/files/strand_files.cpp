#include "pliant/files/strand_files.h"

#include "pliant/base/check.h"
#include "pliant/files/paths.h"
#include "pliant/files/text_reader.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <utility>

namespace pliant {

namespace {

Vec3d point_from(std::span<const std::string_view> words, const TextReader& reader)
{
    if (words.size() < 3) reader.fail(fmt::format("a point has 3 numbers, but the line has {}", words.size()));
    const double x = reader.number_from(words[0], "x of a point"), y = reader.number_from(words[1], "y of a point");
    return {x, y, reader.number_from(words[2], "z of a point")};
}

/// Appends a point. Two at the same position would give an edge without direction, and only here is the line known.
void extend(const Vec3d& point, const TextReader& reader, std::vector<Vec3d>& course)
{
    if (!course.empty() && course.back() == point)
        reader.fail(
            fmt::format("the point {} {} {} repeats the one before it; remove one of them", point.x, point.y, point.z));
    course.push_back(point);
}

void finish(const TextReader& reader, std::vector<Vec3d>& course, std::vector<Strand>& strands)
{
    if (course.empty()) return;
    if (course.size() < 2) reader.fail("a strand of a single point ends here; a strand needs two points or more");
    strands.push_back(strand_of(std::exchange(course, {})));
}

std::vector<Strand> read_number_strands(const std::string& path)
{
    TextReader reader(path);
    std::vector<Strand> strands;
    std::vector<Vec3d> course;
    std::string_view line;
    while (reader.next_line(line)) {
        const std::size_t comment = line.find('#');
        const std::vector<std::string_view> words = split_words(line.substr(0, comment), ",;");
        if (words.empty()) {
            if (comment == std::string_view::npos) finish(reader, course, strands);
            continue;
        }
        if (words.size() != 3) reader.fail(fmt::format("a point has 3 numbers, but the line has {}", words.size()));
        extend(point_from(words, reader), reader, course);
    }
    finish(reader, course, strands);
    return strands;
}

/// `l 1 2 3`, `l 1/1 2/2`, or counted back from the last vertex: `l -2 -1`.
std::vector<Strand> read_obj_strands(const std::string& path)
{
    TextReader reader(path);
    std::vector<Strand> strands;
    std::vector<Vec3d> vertices;
    for (auto words = reader.next_words(); !words.empty(); words = reader.next_words()) {
        const std::span<const std::string_view> rest = std::span(words).subspan(1);
        if (words[0] == "v") vertices.push_back(point_from(rest, reader));
        if (words[0] != "l") continue;
        std::vector<Vec3d> course;
        for (const std::string_view word : rest) {
            if (word.starts_with('#')) break;
            const std::int64_t number = reader.integer_from(word.substr(0, word.find('/')), "a vertex of a line");
            const auto count = static_cast<std::int64_t>(vertices.size());
            const std::int64_t index = number > 0 ? number - 1 : count + number;
            if (number == 0 || index < 0 || index >= count)
                reader.fail(fmt::format("there is no vertex {}; {} are above this line", number, count));
            extend(vertices[static_cast<std::size_t>(index)], reader, course);
        }
        if (course.empty()) reader.fail("a line without vertices; a strand needs two or more");
        finish(reader, course, strands);
    }
    return strands;
}

}  // namespace

Strand strand_of(std::vector<Vec3d> course)
{
    Strand strand;
    strand.points = std::move(course);
    strand.closed = strand.points.size() > 2 && strand.points.front() == strand.points.back();
    if (strand.closed) strand.points.pop_back();
    return strand;
}

namespace {

/// An open strand that starts at a later point of an earlier strand becomes a branch of it.
void join_branches(std::vector<Strand>& strands)
{
    struct Place {
        int strand, point;
    };
    std::map<std::array<double, 3>, Place> places;
    for (std::size_t s = 0; s < strands.size(); ++s) {
        const std::vector<Vec3d>& points = strands[s].points;
        const auto key = [&](std::size_t k) { return std::array{points[k].x, points[k].y, points[k].z}; };
        if (const auto at = places.find(key(0)); at != places.end() && !strands[s].closed) {
            strands[s].parent = at->second.strand;
            strands[s].parent_point = at->second.point;
        }
        for (std::size_t k = strands[s].closed ? 0 : 1; k < points.size(); ++k)
            places.try_emplace(key(k), Place{static_cast<int>(s), static_cast<int>(k)});
    }
}

}  // namespace

std::vector<Strand> read_strands(const std::string& path)
{
    const std::string extension = lower_extension(path);
    std::vector<Strand> strands;
    if (extension == ".obj") strands = read_obj_strands(path);
    else if (extension == ".txt" || extension == ".xyz" || extension == ".csv") strands = read_number_strands(path);
    else
        throw InputError(
            fmt::format("{}: polylines are read from .obj, .txt, .xyz and .csv, not from '{}'", path, extension));
    if (strands.empty())
        throw InputError(fmt::format("{}: there are no polylines in the file{}", path,
                                     extension == ".obj" ? "; export edges too, as l elements" : ""));
    join_branches(strands);
    return strands;
}

}  // namespace pliant
