#pragma once
// The settings of contact between bodies.

#include "pliant/base/fields.h"
#include "pliant/math/types.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

/// Settings between two bodies, in place of the common ones.
struct ContactRule {
    std::array<std::string, 2> between{};
    bool on = true;
    Real friction = Real(0.3);
    Real sliding_friction = -1;

    static constexpr auto fields()
    {
        using R = ContactRule;
        return std::tuple{
            Field{
                "between", &R::between, "",
                "names of two bodies, or of groups: \"ball-*\" is all whose names begin with \"ball-\"; the same twice "
                "for what it has with itself"},
            Field{"on", &R::on, "", "whether they touch at all"},
            Field{"friction", &R::friction, "1", "Coulomb coefficient while they stick", kNonNegative},
            Field{"sliding_friction", &R::sliding_friction, "1", "while they slide; below 0 the same"},
        };
    }
};

struct ContactParams {
    std::optional<bool> on;
    Real friction = Real(0.3);
    Real sliding_friction = -1;
    int sweeps = 4;
    std::vector<ContactRule> rules;

    static constexpr auto fields()
    {
        using P = ContactParams;
        return std::tuple{
            Field{"on", &P::on, "",
                  "whether bodies touch each other and themselves; left out, all touch but those that hang together by "
                  "glue, rods do not touch rods of the same assembly, and only cloth touches itself"},
            Field{"friction", &P::friction, "1", "Coulomb coefficient while two surfaces stick", kNonNegative},
            Field{"sliding_friction", &P::sliding_friction, "1", "while they slide; below 0 the same"},
            Field{"sweeps", &P::sweeps, "1", "over the contacts in each iteration", Limits{.low = 1, .high = 1000}},
            Field{"rules", &P::rules, "", "for pairs of bodies, in place of these"},
        };
    }
};

}  // namespace pliant
