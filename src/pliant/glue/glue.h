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

enum class GlueKind { point, weld, hinge, slider, ball, distance };
constexpr auto enum_names(GlueKind) { return std::array{"point", "weld", "hinge", "slider", "ball", "distance"}; }
/// Whether it holds an orientation, and whether it has an axis.
constexpr bool holds_turn(GlueKind kind) { return kind != GlueKind::point && kind != GlueKind::distance; }
constexpr bool has_axis(GlueKind kind)
{
    return kind == GlueKind::hinge || kind == GlueKind::slider || kind == GlueKind::ball;
}

enum class GlueForm { vector, scalar };
constexpr auto enum_names(GlueForm) { return std::array{"vector", "scalar"}; }

struct GlueKey {
    double time = 0;
    std::optional<bool> on;
    std::optional<double> stiffness;
    std::optional<double> frame;  // in place of the time; of scene files, which turn it into one

    static constexpr auto fields()
    {
        using K = GlueKey;
        return std::tuple{
            Field{"time", &K::time, "s", "when this key is reached"},
            Field{"on", &K::on, "", "attaches or releases; without it nothing changes"},
            Field{"stiffness", &K::stiffness, "N/m", "from here on, changing evenly up to the next key that has one",
                  kNonNegative},
            Field{"frame", &K::frame, "1", "when this key is reached, in frames, in place of the time"},
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
    Vec3d axis{0, 1, 0};
    std::optional<double> low, high, swing, twist, length;
    std::optional<double> motor_speed, motor_target, motor_limit;
    double friction = 0;

    static constexpr auto fields()
    {
        using P = GlueParams;
        return std::tuple{
            Field{
                "kind", &P::kind, "",
                "point: turns freely; weld: holds the orientation too; hinge: turns about an axis; slider: moves along "
                "it; ball: turns freely within swing and twist; distance: a rope that only pulls"},
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
                  "of a weld with a stiffness k: against turning it is k times the square of this; without it, as wide "
                  "as "
                  "its parents",
                  kPositive},
            Field{"axis", &P::axis, "1", "of a hinge, slider or ball: a direction of the world at the start"},
            Field{"low", &P::low, "deg or m", "least angle of a hinge, or place of a slider; from where it starts"},
            Field{"high", &P::high, "deg or m", "the largest, likewise"},
            Field{"swing", &P::swing, "deg", "of a ball: how far the axes of its sides may lean apart", kNonNegative},
            Field{"twist", &P::twist, "deg", "of a ball: how far it may turn about the axis, either way", kNonNegative},
            Field{"length", &P::length, "m", "of a distance; without it, as far apart as its sides are at the start",
                  kNonNegative},
            Field{"motor_speed", &P::motor_speed, "deg/s or m/s",
                  "at which a hinge or slider is driven; with a target, at most"},
            Field{"motor_target", &P::motor_target, "deg or m", "to which a hinge or slider is driven, and held there"},
            Field{"motor_limit", &P::motor_limit, "N m or N", "largest torque or force of the motor; without it any",
                  kPositive},
            Field{"friction", &P::friction, "N m or N", "largest torque or force with which a hinge or slider sticks",
                  kNonNegative},
        };
    }
};

struct Glue {
    static constexpr const char* kKind = "glue";

    std::string name;
    GlueParams params;
    Anchor a, b;
    double arm = 0;     // of what holds a turn: turns are multiplied with it to be lengths [m]
    double length = 0;  // of a distance [m]

    // state
    bool on = false;
    bool broken = false;
    bool bonded = false;  // what overlaps since it attached has been found (world/bonds.h)
    double attached = 0;  // when [s]
    Vec3 gap;             // C at that time, which closes from then on [m]
    Vec3 turn_gap;        // the same of a weld's orientation, a turn (math/quaternion.h)
    Real force = 0;       // in the last substep [N]
    Real torque = 0;      // of what holds a turn, about its point [N m]
    double angle = 0;     // of a hinge, whole turns included [rad]
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
/// The part of a gap that is left at a time: it closes smoothly.
double remaining_part(const Glue& glue, double time);

}  // namespace pliant
