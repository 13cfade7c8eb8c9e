#pragma once
// Seams in a scene file.

#include "pliant/world/sew.h"

#include <optional>
#include <string>
#include <vector>

namespace pliant {

enum class SeamPart { border, all };
constexpr auto enum_names(SeamPart) { return std::array{"border", "all"}; }

struct SeamSideEntry {
    std::string body;
    SeamPart part = SeamPart::border;
    std::optional<Vec3d> low, high;
    std::vector<int> particles;
    std::string group;

    static constexpr auto fields()
    {
        using E = SeamSideEntry;
        return std::tuple{
            Field{"body", &E::body, "", "name of a cloth"},
            Field{"part", &E::part, "", "border: vertices at its open borders; all: every vertex"},
            Field{"low", &E::low, "m", "a corner of a box in the world; only vertices that start inside it count"},
            Field{"high", &E::high, "m", "the opposite corner"},
            Field{"particles", &E::particles, "1",
                  "the vertices themselves, counted as in the file, instead of a part or a box", kNonNegative},
            Field{"group", &E::group, "", "of a cloth from a file: only vertices of that group or object count"},
        };
    }
};

struct SeamEntry : SeamParams {
    std::string name;
    SeamSideEntry a, b;

    static constexpr auto fields()
    {
        using E = SeamEntry;
        const std::tuple own{
            Field{"name", &E::name, "", "for messages, statistics and --set; its glues are name-0, name-1, ..."},
            Field{"a", &E::a, "", "the side whose vertices are sewn"},
            Field{"b", &E::b, "", "the side that they are sewn to; it may be on the same cloth"},
        };
        return std::tuple_cat(own, SeamParams::fields());
    }
};

}  // namespace pliant
