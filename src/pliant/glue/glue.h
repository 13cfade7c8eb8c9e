#pragma once
// Glue: one attachment between any two of solids, cloth, rods, rigid bodies, keyed frames and the still world.
//
// The idea [TK10]: a point is bound not to a surface but to the rigid frame that is fitted to a few nearby
// particles. It may be anywhere, on a body or off it, it carries an orientation, and forces on it reach the particles
// with their sum and their torque kept exactly (binding.h). A glue holds two such points together,
//
//   C = phi(x) - psi(y) = 0    hard, or soft with a stiffness and a damping      project_glue, joint.h
//
//   phi, psi    the places of the two anchors                                    anchor.h
//   lambda      the multiplier; lambda / h^2 is the force                        Joint::lambda
//   on, off     by keys over time, by a break force, by the end of a body        schedule.h
//
// A point joint is one such constraint. A weld is three of them at the corners of a small triangle around the point: it
// needs no formula of its own, keeps momentum as they do, has no angle that could wrap around, and is soft or breaks in
// the same terms. Its price is three fits instead of one.
//
// C is solved as a vector by default. A vector turns with the scene, so that a projection changes the angular momentum
// by C x lambda; but it closes all three directions at once and needs a fraction of the iterations. The scalar form |C|
// keeps both momenta exactly, and is there for who needs that more.

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
    std::optional<double> break_force;
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
            Field{"arm", &P::arm, "m",
                  "of a weld: how far its corners are from the point; without it, as wide as its "
                  "parents",
                  kPositive},
        };
    }
};

struct Glue {
    static constexpr const char* kKind = "glue";

    std::string name;
    GlueParams params;
    Anchor a, b;
    double arm = 0;  // of a weld [m]

    // state
    bool on = false;
    bool broken = false;
    double attached = 0;        // when [s]
    std::array<Vec3, 3> gap{};  // per corner: C at that time, which closes from then on [m]
    Real force = 0;             // in the last substep [N]; of a weld the sum over its corners
    double work = 0;            // done on the two sides up to the start of the last substep [J]

    /// What the last substep leaves to the next, which counts its work.
    struct LastSubstep {
        bool acted = false;
        std::array<std::array<Vec3, 2>, 3> from{};  // per corner and end: where it started [m]
        std::array<Vec3, 3> lambda{};               // per corner [kg m]
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
