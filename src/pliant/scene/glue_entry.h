#pragma once
// Glue in a scene file.

#include "pliant/glue/glue.h"

#include <optional>
#include <string>
#include <vector>

namespace pliant {

struct GlueSideEntry {
    std::string body;
    std::optional<Vec3d> at;
    std::vector<int> particles;
    std::string group;
    std::vector<double> weights;
    std::optional<Motion> motion;

    static constexpr auto fields()
    {
        using E = GlueSideEntry;
        return std::tuple{
            Field{"body", &E::body, "", "name of a solid, cloth, rod or rigid body; without it the still world"},
            Field{"at", &E::at, "m", "the point of this side, in the world at the start; without it that of the glue"},
            Field{
                "particles", &E::particles, "1",
                "of the body, that carry the point: vertices of its file, counted from 0, or points of its shape; one "
                "alone is the point itself; without them the nearest",
                kNonNegative},
            Field{"group", &E::group, "", "of a body from a file: the vertices of that group or object as particles"},
            Field{"weights", &E::weights, "1",
                  "of the particles, of any sign and of sum 1: the point is their mean so weighted and has no "
                  "orientation; a linear binding, to compare with"},
            Field{"motion", &E::motion, "", "carries the point of the world"},
        };
    }
};

struct GlueEntry : GlueParams {
    std::string name;
    std::optional<Vec3d> at;
    GlueSideEntry a, b;

    static constexpr auto fields()
    {
        using E = GlueEntry;
        const std::tuple own{
            Field{"name", &E::name, "", "for messages, statistics and --set"},
            Field{"at", &E::at, "m", "the glued point, in the world at the start; on the bodies or off them"},
            Field{"a", &E::a, "", "one side"},
            Field{"b", &E::b, "", "the other"},
        };
        return std::tuple_cat(own, GlueParams::fields());
    }
};

}  // namespace pliant
