#pragma once
// Glue in a scene file.

#include "pliant/glue/glue.h"

#include <optional>
#include <string>
#include <vector>

namespace pliant {

struct GlueSideEntry {
    std::string body;
    std::optional<Vec3d> at, low, high;
    std::vector<int> particles;
    std::string group;
    std::vector<double> weights;
    std::optional<Motion> motion;

    static constexpr auto fields()
    {
        using E = GlueSideEntry;
        return std::tuple{
            Field{"body", &E::body, "",
                  "name of a solid, cloth, rod or rigid body; without it the still world. With a * at its end, all "
                  "bodies whose names begin so: one glue for each. With the same name and * on both sides, one between "
                  "each of them and the next; with two different ones, the first with the first and so on"},
            Field{"at", &E::at, "m", "the point of this side, in the world at the start; without it that of the glue"},
            Field{"low", &E::low, "m",
                  "a corner of a box in the world: the particles of the body that start inside it carry the point"},
            Field{"high", &E::high, "m",
                  "the opposite corner; at, low and high move along with the copies of an array"},
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
    bool each = false;
    GlueSideEntry a, b;

    static constexpr auto fields()
    {
        using E = GlueEntry;
        const std::tuple own{
            Field{"name", &E::name, "",
                  "for messages, statistics and --set; where an entry makes several, they are name-0, name-1, ..."},
            Field{"at", &E::at, "m",
                  "the glued point, in the world at the start; on the bodies or off them. If nothing says where, two "
                  "bodies are glued where they are nearest to each other"},
            Field{"each", &E::each, "",
                  "one glue for every particle that side a names by particles, group or box, each at its own place"},
            Field{"a", &E::a, "", "one side"},
            Field{"b", &E::b, "", "the other"},
        };
        return std::tuple_cat(own, GlueParams::fields());
    }
};

}  // namespace pliant
