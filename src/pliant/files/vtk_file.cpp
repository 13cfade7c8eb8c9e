// Tetrahedra from legacy ASCII .vtk files.

#include "pliant/base/check.h"
#include "pliant/files/tet_content.h"

#include <fmt/format.h>

namespace pliant {

namespace {

constexpr std::int64_t kVtkTetrahedron = 10;

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

void take_vtk_tetrahedra(const TextReader& reader, const std::string& path, const VtkCells& cells, TetContent& content)
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

}  // namespace

TetContent read_vtk(const std::string& path)
{
    TextReader reader(path);
    check_vtk_header(reader);
    TetContent content;
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

}  // namespace pliant
