#pragma once
// Two bodies of any kinds, glued, for the tests.

#include "pliant/geometry/shapes.h"
#include "pliant/geometry/sheets.h"
#include "pliant/solver/solver.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"

#include <cmath>
#include <string>

namespace pliant::testing_glue {

enum class Kind { cloth, solid, rod, rigid, world };
constexpr auto enum_names(Kind) { return std::array{"cloth", "solid", "rod", "rigid", "world"}; }
inline constexpr Kind kKinds[] = {Kind::cloth, Kind::solid, Kind::rod, Kind::rigid, Kind::world};

inline constexpr double kSize = 0.4;  // of each body [m]

/// Adds a body of a kind that reaches from the origin `kSize` along `direction` (x or -x), and anchors it at the origin.
inline Anchor add_part(World& world, Kind kind, double direction, double mass, GlueKind glue = GlueKind::point,
                       const Motion& motion = {})
{
    const Vec3d middle{direction * kSize / 2, 0, 0};
    const auto scale = [&](Range range) {
        double sum = 0;
        for (int i = range.first; i < range.end(); ++i) sum += double(world.particles->mass[i]);
        for (int i = range.first; i < range.end(); ++i) {
            writable(world.particles).mass[i] *= static_cast<Real>(mass / sum);
            writable(world.particles).inv_mass[i] = 1 / world.particles->mass[i];
        }
    };
    switch (kind) {
        case Kind::cloth: {
            const ClothId id = add_cloth(world, make_sheet(kSize, kSize / 2, 4, 2, SheetPattern::alternating),
                                         {.bending_stiffness = Real(1e-4)}, "cloth");
            place_cloth(world, id, {.position = middle});
            scale(world.cloths.back().particles);
            return anchor_on(world, id, {});
        }
        case Kind::solid: {
            const SolidId id =
                add_solid(world, fill_with_spacing(make_box({kSize, kSize / 2, kSize / 2}, 4), kSize / 4), {}, "solid");
            place_solid(world, id, {.position = middle});
            scale(world.solids.back().particles);
            return anchor_on(world, id, {});
        }
        case Kind::rod: {
            Strand strand;
            for (int i = 0; i <= 4; ++i) strand.points.push_back({direction * kSize * i / 4, 0, 0});
            const RodId id = add_rod(world, {strand}, {}, "rod");
            scale(world.rods.back().particles);
            return anchor_on(world, id, {}, glue);
        }
        case Kind::rigid: {
            const RigidId id = add_rigid(world, {.kind = RigidKind::box, .size = {kSize, kSize / 2, kSize / 2}},
                                         {.mass = static_cast<Real>(mass)}, "rigid");
            place_rigid(world, id, {.position = middle});
            return anchor_on(world, id, {});
        }
        case Kind::world: break;
    }
    return anchor_on_motion({}, motion);
}

/// An anchor at `at` on the body of a kind that was added first.
inline Anchor anchor_on_first(const World& world, Kind kind, const Vec3d& at)
{
    switch (kind) {
        case Kind::cloth: return anchor_on(world, world.cloths.id_at(0), at);
        case Kind::solid: return anchor_on(world, world.solids.id_at(0), at);
        case Kind::rod: return anchor_on(world, world.rods.id_at(0), at);
        case Kind::rigid: return anchor_on(world, world.rigids.id_at(0), at);
        case Kind::world: break;
    }
    return anchor_on_motion(at);
}

inline double gap_of(const World& world, std::size_t glue = 0)
{
    const Glue& g = world.glues[glue];
    return (place_of(g.a, world.time, world.particles, world.rigid_bodies) -
            place_of(g.b, world.time, world.particles, world.rigid_bodies))
        .norm();
}

inline bool all_finite(const World& world)
{
    const Vec3d momentum = linear_momentum(world);
    return std::isfinite(momentum.norm()) && std::isfinite(measure_energy(world).kinetic);
}

/// There and back, three times a second.
inline Motion shake()
{
    Motion motion;
    for (int k = 0; k < 60; ++k) {
        Key key;
        key.time = k / 6.0;
        key.translation = {k % 2 == 0 ? 0.0 : 0.1, 0, k % 2 == 0 ? 0.0 : 0.05};
        motion.keys.push_back(key);
    }
    motion.easing = Easing::smooth;
    return motion;
}

constexpr double kNoStiffness = -1;

struct Pair {
    Kind a, b;
    double mass_a = 1, mass_b = 1;
    double stiffness = kNoStiffness;
    GlueKind kind = GlueKind::point;
};

inline std::string text_of(const Pair& p)
{
    return std::string(name_of(p.a)) + "-" + name_of(p.b) + " " + std::to_string(p.mass_a) + ":" +
           std::to_string(p.mass_b) + (p.stiffness < 0 ? " hard " : " soft ") + name_of(p.kind);
}

inline GlueParams params_of(const Pair& p)
{
    GlueParams params{.kind = p.kind};
    if (p.stiffness >= 0) {
        params.stiffness = p.stiffness;
        params.damping = 5e-4 * p.stiffness;
    }
    return params;
}

/// The pair, glued at the origin.
inline World glued(const Pair& p, const Motion& motion = {})
{
    World world;
    writable(world.settings).substeps = 8;
    writable(world.settings).iterations = 4;
    Anchor a = add_part(world, p.a, 1, p.mass_a, p.kind, motion);
    Anchor b = add_part(world, p.b, -1, p.mass_b, p.kind, motion);
    add_glue(world, a, b, params_of(p), "pair");
    return world;
}

/// The first body hangs by its far end from a point that is shaken, and the second hangs from the first: what is between
/// is held by glue alone. A point of the world is shaken itself.
inline World hung(const Pair& p)
{
    World world = glued(p, shake());
    if (p.a == Kind::world || p.b == Kind::world) return world;
    const Vec3d end{kSize, 0, 0};
    GlueParams params = params_of(p);
    params.kind = GlueKind::point;
    add_glue(world, anchor_on_first(world, p.a, end), anchor_on_motion(end, shake()), params, "hook");
    return world;
}

inline double widest_gap(const World& world)
{
    double widest = 0;
    for (std::size_t g = 0; g < world.glues.size(); ++g) widest = std::max(widest, gap_of(world, g));
    return widest;
}

}  // namespace pliant::testing_glue
