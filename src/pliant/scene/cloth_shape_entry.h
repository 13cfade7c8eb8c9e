#pragma once
// The shape of a cloth in a scene file.

#include "pliant/base/fields.h"
#include "pliant/geometry/sheets.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

enum class ClothShapeKind { rectangle, irregular, disc, dome, tube, sphere, patch, mesh };
constexpr auto enum_names(ClothShapeKind)
{
    return std::array{"rectangle", "irregular", "disc", "dome", "tube", "sphere", "patch", "mesh"};
}
constexpr auto enum_names(SheetPattern) { return std::array{"uniform", "alternating"}; }

/// The generators of surfaces refuse more.
inline constexpr int kMostCells = 2048;

struct ClothShapeEntry {
    ClothShapeKind kind = ClothShapeKind::rectangle;
    std::array<double, 2> size{1, 1};
    std::array<int, 2> cells{20, 20};
    SheetPattern pattern = SheetPattern::uniform;
    double jitter = 0.25;
    int seed = 1;
    double radius = 0.5;
    double height = 1;
    std::optional<int> divisions;
    std::vector<std::vector<Vec3d>> sides;
    std::string file;

    static constexpr auto fields()
    {
        using E = ClothShapeEntry;
        return std::tuple{
            Field{"kind", &E::kind, "",
                  "rectangle, irregular (a rectangle without a preferred direction), disc: flat, in the plane y = 0, "
                  "facing +y; dome: a cap of a sphere, its border in that plane; tube: open at both ends, around the "
                  "y axis; sphere: closed; patch: filled in between four sides, as a pattern is cut; mesh: read from a "
                  "file"},
            Field{"size", &E::size, "m", "of a rectangle along x and z", kPositive},
            Field{"cells", &E::cells, "1",
                  "of a rectangle along x and z, of a patch along its first and its second side, two triangles each; "
                  "one more vertex than cells",
                  Limits{.low = 1, .high = kMostCells}},
            Field{"pattern", &E::pattern, "",
                  "diagonals of a rectangle: uniform all run the same way, alternating are mirror images"},
            Field{"jitter", &E::jitter, "1",
                  "of an irregular rectangle: each vertex is moved at random by up to this part of a cell",
                  Limits{.low = 0, .high = 0.45}},
            Field{"seed", &E::seed, "1", "of the jitter", kNonNegative},
            Field{"radius", &E::radius, "m", "of a disc, tube or sphere, or of the border of a dome", kPositive},
            Field{"height", &E::height, "m", "of a tube, or of the top of a dome above its border", kPositive},
            Field{"divisions", &E::divisions, "1",
                  "how fine it is: rings of a disc or dome, cells around a tube, cells along the edges of the rounded "
                  "cube "
                  "that a sphere is",
                  Limits{.low = 1, .high = kMostCells}},
            Field{"sides", &E::sides, "m",
                  "of a patch: four lines through two points or more, each from where the one before ends, "
                  "counter-clockwise seen from its front"},
            Field{"file", &E::file, "", "mesh to read, relative to the scene file; vertices become particles"},
        };
    }
};

}  // namespace pliant
