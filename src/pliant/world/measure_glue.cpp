#include "pliant/world/measure.h"

#include <algorithm>

namespace pliant {

namespace {

/// The current axis of a slider, which moves with side b.
Vec3d axis_now(const World& world, const Glue& glue)
{
    const auto place = [&](const Vec3d& offset) {
        Anchor moved = glue.b;
        moved.point += moved.axes * offset;
        return place_of(moved, world.time, world.particles, world.rigid_bodies);
    };
    const Vec3d axis = glue.params.axis.normalized();
    return place(axis) - place({});
}

}  // namespace

double glue_gap(const World& world, const Glue& glue)
{
    if (!glue.on || stiffness_at(glue.params, world.time) >= 0) return 0;
    const auto place = [&](const Anchor& a) { return place_of(a, world.time, world.particles, world.rigid_bodies); };
    Vec3d apart = place(glue.a) - place(glue.b);
    if (glue.params.kind == GlueKind::distance) return std::max(0.0, apart.norm() - glue.length);
    if (glue.params.kind == GlueKind::slider) {
        const Vec3d axis = axis_now(world, glue);
        apart -= apart.dot(axis) * axis;
    }
    return std::max(0.0, apart.norm() - remaining_part(glue, world.time) * double(glue.gap.norm()));
}

double largest_glue_gap(const World& world)
{
    double largest = 0;
    for (const Glue& glue : world.glues) largest = std::max(largest, glue_gap(world, glue));
    return largest;
}

}  // namespace pliant
