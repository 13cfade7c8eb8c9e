#include "pliant/cloth/air.h"

#include "pliant/base/parallel.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace pliant {

AirMesh make_air_mesh(const SurfaceMesh& rest, Real areal_density)
{
    AirMesh out;
    out.triangles = rest.triangles;
    out.first.assign(rest.vertices.size() + 1, 0);
    for (const auto& t : rest.triangles) {
        const Vec3d a = rest.vertices[t[0]];
        const double area = 0.5 * (rest.vertices[t[1]] - a).cross(rest.vertices[t[2]] - a).norm();
        out.mass.push_back(areal_density * static_cast<Real>(area));
        for (const int v : t) ++out.first[v + 1];
    }
    std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
    out.triangle_at.resize(3 * rest.triangles.size());
    std::vector<int> next(out.first.begin(), out.first.end() - 1);
    for (std::size_t t = 0; t < rest.triangles.size(); ++t)
        for (const int v : rest.triangles[t]) out.triangle_at[next[v]++] = static_cast<int>(t);
    if (open_edges(rest) == 0) out.rest_volume = volume(rest);
    return out;
}

namespace {

/// Volume enclosed by the triangles now [m^3]; summed relative to a point near them, for accuracy.
double enclosed_volume(const AirMesh& mesh, std::span<const Vec3> x)
{
    const Vec3 origin = x.front();
    double six = 0;
    for (const auto& t : mesh.triangles) {
        const Vec3 a = x[t[0]] - origin, b = x[t[1]] - origin, c = x[t[2]] - origin;
        six += static_cast<double>(a.dot(b.cross(c)));
    }
    return six / 6;
}

/// Gauge pressure p_0 V_0 / V [Pa], signed so that it pushes outwards along the triangles' area vectors even if all of
/// them face inwards. V is taken to be at least V_0 / 10, so that a crushed shell does not explode.
Real pressure_now(const AirMesh& mesh, Real at_rest, std::span<const Vec3> x)
{
    if (at_rest == 0 || mesh.rest_volume == 0) return 0;
    const double share = std::max(0.1, enclosed_volume(mesh, x) / mesh.rest_volume);
    const double outward = mesh.rest_volume > 0 ? 1 : -1;
    return static_cast<Real>(outward * static_cast<double>(at_rest) / share);
}

/// The wind's impulse on each corner of a triangle, h F / 3 [N s].
Vec3 wind_kick(const AirParams& params, Real h, Real mass, const Vec3& area, const Vec3& u)
{
    const Real size = area.norm(), speed = u.norm();
    if (!(size > 0) || !(speed > 0)) return {};
    const Vec3 unit = area / size, n = unit.dot(u) < 0 ? -unit : unit;
    const Real across = n.dot(u);
    const Vec3 force =
        (params.density / 2 * size * across) * (params.drag * u + params.lift * (speed * n - (across / speed) * u));
    const Real rate = h * force.norm() / (mass * speed);
    return (h / (3 * (1 + rate))) * force;
}

}  // namespace

void apply_air(const AirMesh& mesh, const AirParams& params, Real h, Range particles, std::span<Vec3> force,
               Particles& p)
{
    const std::span<const Vec3> x = std::as_const(particles).of(p.x);
    const std::span<Vec3> v = particles.of(p.v);
    const std::span<const Real> inv_mass = std::as_const(particles).of(p.inv_mass);
    const Real pressure = pressure_now(mesh, params.pressure, x);
    parallel_for(static_cast<int>(mesh.triangles.size()), 512, [&](int begin, int end) {
        for (int t = begin; t < end; ++t) {
            const auto [a, b, c] = mesh.triangles[t];
            const Vec3 area = Real(0.5) * (x[b] - x[a]).cross(x[c] - x[a]);
            const Vec3 u = params.flow.at(x[a]) - Real(1) / 3 * (v[a] + v[b] + v[c]);
            force[t] = wind_kick(params, h, mesh.mass[t], area, u) + (h * pressure / 3) * area;
        }
    });
    parallel_for(particles.count, 1024, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            Vec3 sum{};
            for (int k = mesh.first[i]; k < mesh.first[i + 1]; ++k) sum += force[mesh.triangle_at[k]];
            v[i] += inv_mass[i] * sum;
        }
    });
}

}  // namespace pliant
