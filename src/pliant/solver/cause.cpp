#include "pliant/solver/cause.h"

#include "pliant/base/message.h"
#include "pliant/world/contact_surface.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

/// A body by its particles, or a rigid one by its number.
struct Place {
    Range particles;
    int rigid = -1;

    bool carries(const Anchor& anchor) const
    {
        if (anchor.kind == AnchorKind::rigid) return anchor.body == rigid;
        return anchor.kind == AnchorKind::cloud && particles.contains(anchor.parents.front());
    }
};

/// Of all that an anchor hangs on [kg]; 0 for a motion.
double mass_behind(const Anchor& anchor, const World& world)
{
    if (anchor.kind == AnchorKind::rigid) return static_cast<double>(world.rigid_bodies->mass[anchor.body]);
    double mass = 0;
    if (anchor.kind == AnchorKind::cloud)
        for (const int parent : anchor.parents) mass += static_cast<double>(world.particles->mass[parent]);
    return mass;
}

/// The glue of a body whose two sides weigh the most different things; empty for a body without glue.
std::string cause_in_glue(const World& world, const Place& place)
{
    constexpr double kUnlike = 50;
    const Glue* worst = nullptr;
    double ratio = 0;
    for (const Glue& glue : world.glues) {
        if (!glue.on || !(place.carries(glue.a) || place.carries(glue.b))) continue;
        const double a = mass_behind(glue.a, world), b = mass_behind(glue.b, world);
        const double unlike = a > 0 && b > 0 ? std::max(a, b) / std::min(a, b) : 1;
        if (unlike > ratio) worst = &glue;
        ratio = std::max(ratio, unlike);
    }
    if (worst == nullptr) return {};
    if (ratio > kUnlike)
        return message(
            "Likely cause: the mass ratio across glue \"{}\", {:.3g} to 1. Make the two sides more alike, "
            "weld to a larger part of the lighter one, or take more substeps.",
            worst->name, ratio);
    return message(
        "Likely cause: glue \"{}\", which pulls harder than the time step allows. Take more substeps, give it "
        "a stiffness, or let fewer glues hold one body.",
        worst->name);
}

/// Whether something carries the body along keys.
bool is_driven(const World& world, const Place& place)
{
    const auto pinned = [&](const PinnedSet& set) {
        return !set.motion.keys.empty() && !set.particles.empty() && place.particles.contains(set.particles.front());
    };
    const auto held = [&](const HeldRigid& h) { return !h.motion.keys.empty() && h.body == place.rigid; };
    return std::ranges::any_of(world.drivers->pins, pinned) || std::ranges::any_of(world.drivers->held, held);
}

/// What is left where nothing about the body itself stands out.
std::string cause_around(const World& world, const Place& place)
{
    if (std::string glue = cause_in_glue(world, place); !glue.empty()) return glue;
    if (is_driven(world, place))
        return "Likely cause: a driver that jumps, or goes further in a frame than the body can follow. Give its keys "
               "more "
               "time, or take a smaller dt.";
    if (may_touch(world) || !world.colliders.empty())
        return "Likely cause: contact at a speed or depth that the time step is too long for. Start the bodies apart, "
               "lower "
               "the initial velocity, or take a smaller dt or more substeps.";
    return "Likely cause: a force or initial velocity that is too large for numbers of this precision. Lower it, or "
           "take a "
           "smaller dt.";
}

std::string cause_in_stiffness(const char* name, double value)
{
    return message(
        "Likely cause: stiffness, {} {:.3g}, for the time step. Lower it, take more substeps, or a coarser mesh.", name,
        value);
}

}  // namespace

std::string likely_cause(const World& world, const Cloth& cloth)
{
    const ClothParams& p = cloth.params;
    const Place place{cloth.particles, -1};
    const double h = static_cast<double>(world.settings->dt) / std::max(1, *world.substeps);
    const double push =
        static_cast<double>(world.forces->air_density * (p.air_drag + p.air_lift) / 2 * world.forces->wind.norm() /
                            p.areal_density);  // rate of the air's pull [1/s]
    if (push * h > 1)
        return message(
            "Likely cause: wind that a cloth so light follows faster than the time step allows ({:.3g} times in a "
            "substep). Lower wind, air_drag or air_lift, or take more substeps.",
            push * h);
    if (std::string glue = cause_in_glue(world, place); !glue.empty()) return glue;
    const Real stiffest = std::max({p.warp_stiffness, p.weft_stiffness, p.shear_stiffness});
    if (stiffest > 0) return cause_in_stiffness("warp_stiffness and the like", static_cast<double>(stiffest));
    return cause_around(world, place);
}

std::string likely_cause(const World& world, const Solid& solid)
{
    const Place place{solid.particles, -1};
    if (std::string glue = cause_in_glue(world, place); !glue.empty()) return glue;
    if (solid.params.youngs_modulus.value_or(0) > 0)
        return cause_in_stiffness("youngs_modulus", static_cast<double>(*solid.params.youngs_modulus));
    return cause_around(world, place);
}

std::string likely_cause(const World& world, const Rod& rod) { return cause_around(world, {rod.particles, -1}); }

std::string likely_cause_of_rigid(const World& world, int rigid) { return cause_around(world, {{}, rigid}); }

}  // namespace pliant
