#pragma once
// Sewing: a row of glue between two borders of cloth, or between two parts of one.
//
// Every vertex of side a is glued to a point of side b: the nearest one, or the one as far along its border. With a gap
// that point stands off b along its normal, in the frame of the triangle below it, so that a stays on its own side of b
// however the two turn and fold: the order of the layers is kept.

#include "pliant/world/edits.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pliant {

enum class SeamMatch { nearest, along };
constexpr auto enum_names(SeamMatch) { return std::array{"nearest", "along"}; }

struct SeamParams : GlueParams {
    SeamMatch match = SeamMatch::nearest;
    double gap = 0;
    std::optional<double> reach;

    static constexpr auto fields()
    {
        using P = SeamParams;
        const std::tuple own{
            Field{"match", &P::match, "",
                  "nearest: each vertex of a to the nearest place of b; along: to the one that is as far along the "
                  "border, as a tailor pins two edges"},
            Field{"gap", &P::gap, "m", "kept between the layers: a stays on that side of b where it starts",
                  kNonNegative},
            Field{"reach", &P::reach, "m", "vertices of a that start further from their place on b are not sewn",
                  kPositive},
        };
        return std::tuple_cat(own, GlueParams::fields());
    }
};

/// Vertices of a cloth, counted as in its mesh.
struct SeamSide {
    ClothId cloth;
    std::vector<int> vertices;
};

/// All vertices at the open borders of a cloth, in order of their numbers.
std::vector<int> border_of(const Cloth& cloth);

/// Sews a to b as they are placed now; a distance closes in params.closing. Vertices of a that an earlier seam holds hard
/// are left to it. The glues are named name-0, name-1, ...
/// Throws InputError that says why two sides cannot be sewn.
std::vector<GlueId> sew(World& world, const SeamSide& a, const SeamSide& b, const SeamParams& params = {},
                        const std::string& name = "seam");

}  // namespace pliant
