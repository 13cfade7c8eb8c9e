#include "pliant/cloth/pass.h"

#include "pliant/base/parallel.h"
#include "pliant/math/stiffness.h"

#include <algorithm>
#include <utility>

namespace pliant {

void ClothScratch::resize(const Cloth& cloth)
{
    const std::size_t padding =
        1 + std::max({cloth.systems.groups.size(), cloth.edges.groups.size(), cloth.hinges.groups.size()});
    points.resize(cloth.rest.vertices.size() + padding);
    change.resize(static_cast<std::size_t>(cloth.slots.size()));
    fibres.resize(cloth.systems);
    sweeps.resize(cloth.sweeps);
    bending.resize(cloth.hinges.groups.size());
    air.resize(cloth.air.triangles.size());
    resize_motion(cloth.particles, motion);
}

namespace {

Real gain_of(const ClothParams& params, Real h)
{
    return params.gain_step > 0 ? scale_predicted_gain(params.gain, h, params.gain_step) : params.gain;
}

void project_cloth(Real h, const Cloth& cloth, Particles& particles, ClothScratch& s)
{
    const ClothParams& params = cloth.params;
    const Range range = cloth.particles;
    const Vec3 origin = particles.x[range.first];
    load_points(range.of(std::as_const(particles.x)), range.of(std::as_const(particles.inv_mass)), origin, s.points);
    if (params.gain > 0) {
        const MatchFactors factors = match_factors(params);
        match_triangles(cloth.clusters, factors, s.points, cloth.particles.of(std::as_const(particles.x_prev)),
                        s.change);
        if (params.fibres == FibreMode::sweep) sweep_fibres(cloth.sweeps, s.points, s.sweeps, s.change);
        blend_goals(cloth.slots, s.change, gain_of(params, h), s.points);
    }
    project_bending(cloth.hinges, h, s.bending, s.points);
    project_attachments(cloth.attachments, s.points);
    project_fibres(cloth.systems, h, s.fibres, s.points);
    project_edges(cloth.edges, s.points);
    store_points(range, origin, s.points, particles);
}

/// Cloths are independent; a single one is split inside.
template <class Body>
void for_each_cloth(std::span<const Cloth> cloths, const Body& body)
{
    parallel_for(static_cast<int>(cloths.size()), 1, [&](int begin, int end) {
        for (int c = begin; c < end; ++c) body(c);
    });
}

}  // namespace

void apply_cloth_forces(Real h, const Vec3& wind, Real air_density, std::span<const Cloth> cloths, Particles& particles,
                        std::span<ClothScratch> scratch)
{
    for_each_cloth(cloths, [&](int c) {
        const Cloth& cloth = cloths[c];
        const ClothParams& p = cloth.params;
        if (!cloth.air.triangles.empty()) {
            const AirParams air{p.air_drag, p.air_lift, p.pressure, air_density, wind};
            apply_air(cloth.air, air, h, cloth.particles, scratch[c].air, particles);
        }
        damp_deformation(h, p.damping, cloth.particles, particles, scratch[c].motion);
    });
}

void begin_cloths(std::span<ClothScratch> scratch)
{
    for (ClothScratch& s : scratch) {
        std::ranges::fill(s.bending, Vector3<Lanes>{});
        std::ranges::fill(s.fibres.multiplier, Lanes(0));
    }
}

void project_cloths(Real h, std::span<const Cloth> cloths, Particles& particles, std::span<ClothScratch> scratch)
{
    for_each_cloth(cloths, [&](int c) { project_cloth(h, cloths[c], particles, scratch[c]); });
}

}  // namespace pliant
