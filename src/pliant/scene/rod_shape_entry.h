#pragma once
// The shape of a rod in a scene file.

#include "pliant/base/fields.h"
#include "pliant/math/types.h"

#include <array>
#include <string>
#include <vector>

namespace pliant {

enum class RodShapeKind { line, helix, ring, spiral, points, polyline, hair, bundle, tree };
constexpr auto enum_names(RodShapeKind)
{
    return std::array{"line", "helix", "ring", "spiral", "points", "polyline", "hair", "bundle", "tree"};
}

struct RodShapeEntry {
    RodShapeKind kind = RodShapeKind::line;
    Vec3d from{0, 0, 0}, to{1, 0, 0};
    int edges = 20;
    double radius = 0.5, inner_radius = 0.1;
    double pitch = 0.1;
    double turns = 5;
    std::vector<Vec3d> points;
    std::string file;
    int count = 100;
    double length = 0.2;
    double curl = 0;
    double twist = 0;
    int levels = 3, branches = 4;
    double spread = 50;
    double flare = 0;

    static constexpr auto fields()
    {
        using E = RodShapeEntry;
        return std::tuple{
            Field{
                "kind", &E::kind, "",
                "line: straight; helix: around the y axis, from y = 0 up; ring: closed, in the plane y = 0; spiral: in "
                "that plane, from the inside out; points: given here; polyline: read from a file, which may hold "
                "many strands; hair: strands that stand on a sphere or on a surface in a file, held at their roots; "
                "bundle: straight strands along the y axis, from y = 0 up, side by side or leaning outwards as grass "
                "does; tree: a trunk along that axis and branches"},
            Field{"from", &E::from, "m", "where a line starts"},
            Field{"to", &E::to, "m", "where a line ends"},
            Field{"edges", &E::edges, "1", "of a strand; an open one has one point more", Limits{.low = 1}},
            Field{"radius", &E::radius, "m",
                  "of a helix, ring or bundle, of the end of a spiral, of the sphere under hair", kPositive},
            Field{"inner_radius", &E::inner_radius, "m", "of the start of a spiral", kNonNegative},
            Field{"pitch", &E::pitch, "m", "by how much a helix rises in a turn"},
            Field{"turns", &E::turns, "1", "of a helix or spiral", kPositive},
            Field{"points", &E::points, "m", "in order along the rod; a ring if the last is the first again"},
            Field{"file", &E::file, "",
                  "polylines to read, relative to the scene file: l elements of an .obj, or a .txt, .xyz or .csv with "
                  "a point a line and empty lines between strands; one that ends where it starts is a ring, one that "
                  "starts "
                  "at a later point of one before it is a branch of that. Under hair: a surface, .obj, .ply, .stl or "
                  "glTF"},
            Field{"count", &E::count, "1", "how many hairs or strands of a bundle, evenly spread", Limits{.low = 1}},
            Field{"length", &E::length, "m", "of a hair or bundle, or of the trunk of a tree", kPositive},
            Field{"curl", &E::curl, "deg", "by which a hair winds, from root to tip; 0 is straight"},
            Field{"twist", &E::twist, "deg",
                  "by which a line, helix, ring or spiral is wound up at the start, from end to end, if its rest is "
                  "straight"},
            Field{"levels", &E::levels, "1", "of branches above the trunk of a tree", Limits{.low = 0, .high = 6}},
            Field{"branches", &E::branches, "1", "on each strand of a tree", Limits{.low = 1}},
            Field{"spread", &E::spread, "deg", "between a branch and what it grows from",
                  Limits{.low = 1, .high = 179}},
            Field{"flare", &E::flare, "deg", "by which the outermost strands of a bundle lean outwards",
                  Limits{.low = 0, .high = 89}},
        };
    }
};

}  // namespace pliant
