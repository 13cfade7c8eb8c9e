#pragma once
// Sewing: a row of glue between two borders of cloth, or between two parts of one.
//
// Every vertex of side a is glued to a point of side b: the nearest one, or the one as far along its border. With a gap
// that point is offset from b along the normal, in the frame of its triangle, so that a stays on its side of b however
// the two rotate and fold: the order of the layers is preserved.

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

/// Vertices of a cloth, numbered as in its mesh.
struct SeamSide {
    ClothId cloth;
    std::vector<int> vertices;
};

/// All vertices on the border of a cloth, in order of their numbers.
std::vector<int> border_of(const Cloth& cloth);

/// Sews a to b at their current positions; gaps close within params.closing. Vertices of a that an earlier seam holds
/// hard are skipped. The glues are named name-0, name-1, ... Throws InputError if the sides cannot be sewn.
std::vector<GlueId> sew(World& world, const SeamSide& a, const SeamSide& b, const SeamParams& params = {},
                        const std::string& name = "seam");

}  // namespace pliant
