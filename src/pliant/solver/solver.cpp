#include "pliant/solver/solver.h"

#include "pliant/contact/colliders/collider_crossings.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/solver/phases.h"
#include "pliant/solver/trouble.h"
#include "pliant/world/bonds.h"
#include "pliant/world/contact_surface.h"
#include "pliant/world/tracks.h"

#include <cmath>
#include <optional>

namespace pliant {

Solver::Solver() : compiled_(std::make_unique<Compiled>()) {}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

StepReport Solver::step(World& w, Real dt)
{
    if (dt == 0) return {};
    if (!(dt > 0) || !std::isfinite(dt)) return {.trouble = trouble_of_step(dt)};
    if (w.settings->sleeping && is_at_rest(w, dt)) return rest_frame(w, dt);
    std::optional<UseWorkers> scope;
    if (jobs != nullptr) scope.emplace(*jobs);
    apply_tracks(w);
    Compiled& c = *compiled_;
    c.profile = &profile;
    c.touches.listen = report_contacts;
    const std::span<const Substep> frame = begin_frame(w, dt, c);
    for (const Substep& s : frame) {
        drive(s, w, c);         // pins, keyed motion, colliders
        apply_forces(s, w, c);  // v += h M^-1 f: gravity, goals, air, damping, ghosts; keys of glue
        predict(s, w, c);       // x_prev = x; x += h v
        for (int i = 0; i < s.iterations; ++i) {
            project_bodies(s, i, w, c);  // strain limit, cloth, rods
            project_glue(s, i, w, c);
            project_contact(s, w, c);  // last: contact wins
        }
        guard(s, w, c);              // nothing passes through anything
        update_velocities(s, w, c);  // v from corrections; friction, restitution
    }
    return finish_frame(dt, w, c);
}

Effort Solver::find_effort(const World& world)
{
    compile(world, *compiled_);
    return pliant::find_effort(world, world.settings->dt, *compiled_, compiled_->moving);
}

std::vector<Crossing> Solver::find_crossings(const World& world)
{
    if (!may_touch(world)) return {};
    if (!bonds_are_known(world)) return pliant::find_crossings(world);  // before the first step
    compile_surface(world, *compiled_);
    const ContactSurface& surface = compiled_->surface;
    if (!surface.touching) return {};
    return find_deep_crossings(surface, places_of_points(surface, world.particles, world.rigid_bodies));
}

std::size_t Solver::count_intersections(const World& world)
{
    const std::size_t crossings = find_crossings(world).size();
    if (world.colliders.empty()) return crossings;
    compile_surface(world, *compiled_);
    place_colliders(world.colliders, world.time, 0, compiled_->colliders);
    return crossings + find_collider_crossings(compiled_->collider_features, compiled_->colliders, compiled_->surface,
                                               world.particles, world.rigid_bodies)
                           .size();
}

}  // namespace pliant
