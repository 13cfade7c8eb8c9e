#pragma once
// A shape in a scene file: of a solid, of a rigid body, of the mesh of a collider, or of a mesh to show.

#include "pliant/base/fields.h"
#include "pliant/math/types.h"

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace pliant {

enum class ShapeKind { box, sphere, cylinder, capsule, torus, mascot, mesh, convex, points, tetrahedra };
constexpr auto enum_names(ShapeKind)
{
    return std::array{"box",    "sphere", "cylinder", "capsule", "torus",
                      "mascot", "mesh",   "convex",   "points",  "tetrahedra"};
}

struct ShapeEntry {
    ShapeKind kind = ShapeKind::box;
    Vec3d size{1, 1, 1};
    double radius = 0.5;
    double minor_radius = 0.2;
    double height = 1;
    std::string file;
    std::vector<Vec3d> points;
    std::optional<double> spacing;
    std::optional<int> count;
    std::optional<int> divisions;

    static constexpr auto fields()
    {
        using E = ShapeEntry;
        return std::tuple{
            Field{"kind", &E::kind, "",
                  "a surface: generated (box to mascot), read from a file (mesh), or the convex hull of points or of a "
                  "file (convex); a solid is filled with particles, or has one at each of its points or at each vertex "
                  "of its tetrahedra"},
            Field{"size", &E::size, "m", "edge lengths of a box", kPositive},
            Field{"radius", &E::radius, "m", "of a sphere, cylinder, capsule or the ring of a torus", kPositive},
            Field{"minor_radius", &E::minor_radius, "m", "of the tube of a torus", kPositive},
            Field{"height", &E::height, "m", "of a cylinder, the straight part of a capsule, or the mascot", kPositive},
            Field{"file", &E::file, "", "mesh, tetrahedra or points to read, relative to the scene file"},
            Field{"points", &E::points, "m", "at rest, of points or convex, instead of a file"},
            Field{"spacing", &E::spacing, "m", "distance of the particles that fill a solid; or give count", kPositive},
            Field{"count", &E::count, "1", "how many particles fill a solid; with neither this nor spacing, 1000",
                  Limits{.low = 1}},
            Field{"divisions", &E::divisions, "1", "how fine a generated surface is", Limits{.low = 1, .high = 512}},
        };
    }
};

}  // namespace pliant
