#include "pliant/solids/measure_solid.h"

#include "pliant/math/procrustes.h"
#include "pliant/solids/material.h"

#include <algorithm>

namespace pliant {

namespace {

/// Calls visit(particle, mu, distance from the rigid goal) for every member of a cluster.
template <class S, class Visit>
void for_each_mismatch(const Solid& solid, int c, std::span<const Vector3<S>> x, const Visit& visit)
{
    const Memberships& m = solid.memberships;
    std::vector<Vec3d> rest, now;
    std::vector<double> mu;
    for (int k = m.first[c]; k < m.first[c + 1]; ++k) {
        const int i = m.member[k];
        rest.push_back(solid.rest[i]);
        now.push_back(x[i].template cast<double>());
        mu.push_back(m.share[k] * solid.mass[i]);
    }
    const Mat3d prior = solid.rotation[c].cast<double>();
    const RigidFit<double> fit = fit_rigid<double>(rest, now, mu, prior, static_cast<double>(kFitConditioning<Real>));
    for (std::size_t k = 0; k < mu.size(); ++k)
        visit(m.member[m.first[c] + static_cast<int>(k)], mu[k], (now[k] - fit(rest[k])).norm());
}

}  // namespace

Strain measure_strain(const Solid& solid, std::span<const Vec3> x)
{
    std::vector<double> beta;
    for (int c = 0; c < solid.memberships.clusters(); ++c) {
        const double radius = solid.clusters[c].radius;
        for_each_mismatch(solid, c, x, [&](int, double, double d) { beta.push_back(radius > 0 ? d / radius : 0); });
    }
    return strain_of(std::move(beta));
}

std::vector<double> particle_strains(const Solid& solid, std::span<const Vec3> x)
{
    std::vector<double> strains(x.size());
    for (int c = 0; c < solid.memberships.clusters(); ++c) {
        const double radius = solid.clusters[c].radius;
        if (!(radius > 0)) continue;
        for_each_mismatch(solid, c, x, [&](int i, double, double d) { strains[i] = std::max(strains[i], d / radius); });
    }
    return strains;
}

double elastic_energy(const Solid& solid, std::span<const Vec3d> x, double h)
{
    const double e = youngs_modulus_of(solid), density = static_cast<double>(solid.params.density);
    double energy = 0;
    for (int c = 0; c < solid.memberships.clusters(); ++c) {
        const double spread = solid.clusters[c].spread;
        const double stiff = spread > 0 ? 3 * e / (density * spread) : 0;
        const double k = e > 0 ? stiff : static_cast<double>(alpha_of(solid.params)) / (h * h);
        for_each_mismatch(solid, c, x, [&](int, double mu, double d) { energy += 0.5 * k * mu * d * d; });
    }
    return energy;
}

}  // namespace pliant
