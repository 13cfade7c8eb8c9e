#pragma once
// Glue: one attachment between any two of solids, cloth, rods, rigid bodies, keyed frames and the still world.
//
// The idea [TK10]: a point is bound not to a surface but to the rigid frame that is fitted to a few nearby
// particles. It may be anywhere, on a body or off it, it carries an orientation, and forces on it reach the particles
// with their sum and their torque kept exactly (binding.h). A glue holds two such points together,
//
//   C = phi(x) - psi(y) = 0    hard, or soft with a stiffness and a damping      joint.h
//
//   phi, psi    the places of the two anchors                                    anchor.h
//   lambda      the multiplier; lambda / h^2 is the force                        ConstraintBlock::lambda
//   on, off     by keys over time, by a break force, by the end of a body        schedule.h
//
// A point glue is one such constraint. A weld holds the two orientations together with a second one. All that hangs
// together, of any size, is one sparse system, solved at once (project_glue.h).
//
// C is solved as a vector by default. The scalar form |C| is there for comparison with the paper: one row along the gap,
// at the positions of now.

#include "pliant/glue/anchor.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace pliant {

enum class GlueKind { point, weld };
constexpr auto enum_names(GlueKind) { return std::array{"point", "weld"}; }

enum class GlueForm { vector, scalar };
constexpr auto enum_names(GlueForm) { return std::array{"vector", "scalar"}; }

struct GlueKey {
    double time = 0;
    std::optional<bool> on;
    std::optional<double> stiffness;

    static constexpr auto fields()
    {
        using K = GlueKey;
        return std::tuple{
            Field{"time", &K::time, "s", "when this key is reached"},
            Field{"on", &K::on, "", "attaches or releases; without it nothing changes"},
            Field{"stiffness", &K::stiffness, "N/m", "from here on, changing evenly up to the next key that has one",
                  kNonNegative},
        };
    }
};

struct GlueParams {
    GlueKind kind = GlueKind::point;
    GlueForm form = GlueForm::vector;
    std::optional<double> stiffness;
    double damping = 0;
    bool on = true;
    std::vector<GlueKey> keys;
    double closing = 0.1;
    std::optional<double> break_force, break_torque;
    std::optional<double> arm;

    static constexpr auto fields()
    {
        using P = GlueParams;
        return std::tuple{
            Field{"kind", &P::kind, "", "point: turns freely; weld: holds the orientation too"},
            Field{"form", &P::form, "",
                  "of the constraint: vector converges fast, scalar keeps angular momentum exactly"},
            Field{"stiffness", &P::stiffness, "N/m", "of a soft glue; without it the glue is hard", kNonNegative},
            Field{"damping", &P::damping, "N s/m", "of a soft glue, against the two sides moving apart", kNonNegative},
            Field{"on", &P::on, "", "attached at the start"},
            Field{"keys", &P::keys, "", "attach, release and change stiffness, in order of time"},
            Field{"closing", &P::closing, "s", "in which a gap closes that is there when the glue attaches",
                  kNonNegative},
            Field{"break_force", &P::break_force, "N", "above which the glue breaks for good; without it never",
                  kPositive},
            Field{"break_torque", &P::break_torque, "N m",
                  "of what holds an orientation: above which the glue breaks for good; without it never", kPositive},
            Field{"arm", &P::arm, "m",
                  "of a weld with a stiffness k: against turning it is k times the square of this; without it, as wide as "
                  "its parents",
                  kPositive},
        };
    }
};

struct Glue {
    static constexpr const char* kKind = "glue";

    std::string name;
    GlueParams params;
    Anchor a, b;
    double arm = 0;  // of a weld: what turns are multiplied with to be lengths [m]

    // state
    bool on = false;
    bool broken = false;
    double attached = 0;  // when [s]
    Vec3 gap;             // C at that time, which closes from then on [m]
    Vec3 turn_gap;        // the same of a weld's orientation, a turn (math/quaternion.h)
    Real force = 0;       // in the last substep [N]
    Real torque = 0;      // of a weld, about its point [N m]
    double work = 0;      // done on the two sides up to the start of the last substep [J]

    /// What the last substep leaves to the next: tension, and where the ends were, for the work.
    struct LastSubstep {
        bool acted = false;
        Real h = 0;                      // its length [s]
        std::array<Vec3, 2> at{};        // per end: where it started [m]
        std::array<Mat3, 2> rotation{};  // the same
        Vec3 lambda, turn_lambda;        // [kg m]
    };
    LastSubstep last;
};

enum class GlueEventKind { attached, released, broken };
constexpr auto enum_names(GlueEventKind) { return std::array{"attached", "released", "broken"}; }

struct GlueEvent {
    double time = 0;  // [s]
    GlueEventKind kind = GlueEventKind::attached;
    std::string glue;
};

/// Throws InputError with `what` in front unless the keys are in order of time and fit the rest.
void check_glue(const GlueParams& params, const std::string& what);

/// Whether the keys want the glue on at a time, and its stiffness then [N/m]; below zero for hard.
bool wants_on(const GlueParams& params, double time);
double stiffness_at(const GlueParams& params, double time);

}  // namespace pliant
