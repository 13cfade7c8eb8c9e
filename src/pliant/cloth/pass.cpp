#include "pliant/cloth/pass.h"

#include "pliant/base/parallel.h"
#include "pliant/math/stiffness.h"

#include <algorithm>
#include <utility>

namespace pliant {

namespace {

Real gain_of(const ClothParams& params, Real h)
{
    return params.gain_step > 0 ? scale_predicted_gain(params.gain, h, params.gain_step) : params.gain;
}

void project_cloth(Real h, const Cloth& cloth, Particles& particles, ClothSystem& system)
{
    ClothScratch& s = system.scratch;
    const ClothParams& params = cloth.params;
    const Range range = cloth.particles;
    const Vec3 origin = particles.x[range.first];
    load_points(range, origin, particles, s.points);
    if (params.gain > 0) {
        const MatchFactors factors = match_factors(params);
        match_triangles(system.clusters, factors, s.points, cloth.particles.of(std::as_const(particles.x_prev)),
                        s.change);
        if (params.fibres == FibreMode::sweep) sweep_fibres(system.sweeps, s.points, s.sweeps, s.change);
        blend_goals(system.slots, s.change, gain_of(params, h), s.points);
    }
    project_bending(system.hinges, h, s.bending, s.points);
    project_attachments(system.attachments, s.points);
    project_fibres(system.systems, h, s.fibres, s.points);
    project_edges(system.edges, s.points);
    const bool as_published = params.fibres == FibreMode::sweep;
    if (system.connected && !as_published) store_internal(range, origin, s.points, particles, s.motion);
    else store_points(range, origin, s.points, particles);
}

/// An animated cloth: nothing moves it but what drives it.
bool is_driven(const Cloth& cloth, const Particles& particles)
{
    return std::ranges::all_of(cloth.particles.of(particles.inv_mass), [](Real w) { return w == 0; });
}

/// Cloths run in parallel; a single one runs its own loops in parallel. Those that are driven are left out.
template <class Body>
void for_each_cloth(std::span<const Cloth> cloths, const Particles& particles, const Body& body)
{
    parallel_for(static_cast<int>(cloths.size()), 1, [&](int begin, int end) {
        for (int c = begin; c < end; ++c)
            if (!is_driven(cloths[c], particles)) body(c);
    });
}

}  // namespace

void apply_cloth_forces(Real h, const AirFlow& flow, Real air_density, std::span<const Cloth> cloths,
                        Particles& particles, std::span<ClothSystem> systems)
{
    for_each_cloth(cloths, particles, [&](int c) {
        const Cloth& cloth = cloths[c];
        const ClothParams& p = cloth.params;
        if (!systems[c].air.triangles.empty()) {
            const AirParams air{p.air_drag, p.air_lift, p.pressure, air_density, flow};
            apply_air(systems[c].air, air, h, cloth.particles, systems[c].scratch.air, particles);
        }
        damp_deformation(h, p.damping, cloth.particles, particles, systems[c].scratch.motion);
    });
}

void begin_cloths(std::span<ClothSystem> systems)
{
    for (ClothSystem& system : systems) {
        std::ranges::fill(system.scratch.bending, Vector3<Lanes>{});
        std::ranges::fill(system.scratch.fibres.multiplier, Lanes(0));
    }
}

void project_cloths(Real h, std::span<const Cloth> cloths, Particles& particles, std::span<ClothSystem> systems)
{
    for_each_cloth(cloths, particles, [&](int c) { project_cloth(h, cloths[c], particles, systems[c]); });
}

}  // namespace pliant
