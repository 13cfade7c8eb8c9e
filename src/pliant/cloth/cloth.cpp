#include "pliant/cloth/cloth.h"

#include "pliant/base/check.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

bool stretches(const ClothParams& p) { return p.warp_stiffness > 0 || p.weft_stiffness > 0 || p.shear_stiffness > 0; }

/// A third of each triangle's mass goes to each of its corners.
std::vector<double> vertex_masses(const SurfaceMesh& rest, double areal_density)
{
    std::vector<double> mass(rest.vertices.size(), 0);
    for (const auto& t : rest.triangles) {
        const Vec3d a = rest.vertices[t[0]];
        const double area = 0.5 * (rest.vertices[t[1]] - a).cross(rest.vertices[t[2]] - a).norm();
        for (const int v : t) mass[v] += areal_density * area / 3;
    }
    return mass;
}

/// Per edge the stiffness of the direction in which it runs, within 22.5 degrees of warp or weft [N/m].
double stiffness_along(const Vec3d& d, const Vec3d& normal, const ClothParams& p)
{
    const Vec3d warp = p.warp_axis.cast<double>();
    const Vec3d in_plane = warp - warp.dot(normal) / normal.squared_norm() * normal;
    if (!(in_plane.norm() > 1e-6 * warp.norm())) return static_cast<double>(p.shear_stiffness);
    const double cosine = std::abs(d.normalized().dot(in_plane.normalized()));
    constexpr double kCos = 0.9238795325112867, kSin = 0.3826834323650898;  // of 22.5 degrees
    if (cosine > kCos) return static_cast<double>(p.warp_stiffness);
    return static_cast<double>(cosine < kSin ? p.weft_stiffness : p.shear_stiffness);
}

/// An edge stands for a strip of the width (areas of its triangles) / length: compliance = length / (k width).
std::vector<double> edge_compliances(const SurfaceMesh& rest, const MeshEdges& edges, const ClothParams& params)
{
    if (!stretches(params)) return {};
    std::vector<Vec3d> area(edges.edges.size());  // sum over its triangles
    std::vector<double> size(edges.edges.size(), 0);
    for (std::size_t t = 0; t < rest.triangles.size(); ++t) {
        const auto& c = rest.triangles[t];
        const Vec3d a = rest.vertices[c[0]];
        const Vec3d half = 0.5 * (rest.vertices[c[1]] - a).cross(rest.vertices[c[2]] - a);
        for (const int e : edges.of_triangle[t]) {
            area[e] += half;
            size[e] += half.norm();
        }
    }
    std::vector<double> compliance;
    for (std::size_t e = 0; e < edges.edges.size(); ++e) {
        const Vec3d d = rest.vertices[edges.edges[e].b] - rest.vertices[edges.edges[e].a];
        const double k = stiffness_along(d, area[e], params);
        compliance.push_back(k > 0 ? d.squared_norm() / (k * size[e]) : 0);
    }
    return compliance;
}

/// mu = m / M; a pinned vertex weighs a thousand times as much where the published blend has to follow it.
std::vector<double> weights(const Cloth& cloth)
{
    std::vector<double> mu = cloth.mass;
    for (std::size_t i = 0; i < mu.size(); ++i) mu[i] /= std::max(1, cloth.slots.count(static_cast<int>(i)));
    if (cloth.params.fibres == FibreMode::sweep)
        for (const int pin : cloth.pins) mu[pin] *= 1000;
    return mu;
}

void count_slots(const std::vector<std::array<int, 3>>& corners, std::span<const std::vector<int>> chains,
                 std::size_t vertices, GoalSlots& slots)
{
    slots.first.assign(vertices + 1, 0);
    for (const auto& c : corners)
        for (const int v : c) ++slots.first[v + 1];
    for (const std::vector<int>& chain : chains)
        for (const int v : chain) ++slots.first[v + 1];
    for (std::size_t i = 0; i < vertices; ++i) slots.first[i + 1] += slots.first[i];
}

/// Clusters and sweeps with the weights that the pins give.
void weigh(std::span<const std::vector<int>> chains, std::vector<std::array<int, 3>> corners, Cloth& cloth)
{
    const std::vector<double> mu = weights(cloth);
    std::vector<int> next(cloth.slots.first.begin(), cloth.slots.first.end() - 1);
    cloth.clusters = make_triangle_clusters(cloth.rest, std::move(corners), mu, cloth.params.warp_axis.cast<double>(),
                                            next, cloth.slots.size() - 1);
    if (cloth.params.fibres == FibreMode::sweep) cloth.sweeps = make_fibre_sweeps(chains, cloth.rest, mu, next);
}

void make_systems(std::span<const std::vector<int>> chains, const MeshEdges& edges, Cloth& cloth)
{
    const std::vector<double> compliance = edge_compliances(cloth.rest, edges, cloth.params);
    cloth.systems = make_fibre_systems(chains, cloth.rest, edges, compliance);
    std::vector<bool> rigid;
    for (const double c : compliance) rigid.push_back(c == 0);
    cloth.edges = make_edge_lengths(cloth.rest, edges, rigid);
}

}  // namespace

Cloth make_cloth(const SurfaceMesh& rest, const ClothParams& params)
{
    if (!(params.warp_axis.squared_norm() > 0))
        throw InputError("warp_axis: has no direction; give for example [1, 0, 0]");
    Cloth cloth;
    cloth.params = params;
    cloth.rest = rest;
    cloth.triangles = std::make_shared<const std::vector<std::array<int, 3>>>(rest.triangles);
    cloth.mass = vertex_masses(rest, static_cast<double>(params.areal_density));

    cloth.mesh_edges = find_edges(rest);
    const MeshEdges& edges = cloth.mesh_edges;
    const std::vector<std::vector<int>> chains = open_chains(find_fibres(rest, edges));
    std::vector<std::array<int, 3>> corners = find_triangle_clusters(rest, edges);
    const bool sweep = params.fibres == FibreMode::sweep;
    count_slots(corners, sweep ? std::span(chains) : std::span<const std::vector<int>>(), rest.vertices.size(),
                cloth.slots);
    weigh(chains, std::move(corners), cloth);
    if (params.fibres == FibreMode::solve) make_systems(chains, edges, cloth);
    if (params.bending_stiffness > 0)
        cloth.hinges = make_hinges(rest, edges, static_cast<double>(params.bending_stiffness));
    if (params.air_drag > 0 || params.air_lift > 0 || params.pressure != 0)
        cloth.air = make_air_mesh(rest, params.areal_density);
    if (params.pressure != 0 && cloth.air.rest_volume == 0)
        throw InputError(
            "pressure: the mesh is open or not oriented, so it encloses nothing; close it or remove the pressure");
    return cloth;
}

MatchFactors match_factors(const ClothParams& p)
{
    return {p.warp_stiffness > 0 ? 0 : p.warp_gain, p.weft_stiffness > 0 ? 0 : p.weft_gain,
            p.shear_stiffness > 0 ? 0 : p.shear_gain};
}

void update_pins(std::span<const Real> inv_mass, Cloth& cloth)
{
    std::size_t known = 0;  // pins that are still what they were
    bool same = true;
    for (std::size_t i = 0; i < inv_mass.size() && same; ++i) {
        if (inv_mass[i] != 0) continue;
        same = known < cloth.pins.size() && cloth.pins[known] == static_cast<int>(i);
        ++known;
    }
    if (same && known == cloth.pins.size()) return;
    cloth.pins = find_pins(inv_mass);
    if (cloth.params.fibres == FibreMode::sweep) {
        const std::vector<std::vector<int>> chains = open_chains(find_fibres(cloth.rest, cloth.mesh_edges));
        weigh(chains, std::move(cloth.clusters.corners), cloth);
    }
    if (cloth.params.fibres == FibreMode::solve && !stretches(cloth.params))
        cloth.attachments = make_attachments(cloth.rest, cloth.pins);
}

int stable_substeps(const Cloth& cloth, Real dt)
{
    if (cloth.hinges.groups.empty()) return 1;
    constexpr double kLag = 0.2;  // a pass is too soft by about a quarter of the lag
    const double lag = bending_lag(cloth.hinges, cloth.mass);
    return std::max(1, static_cast<int>(std::ceil(static_cast<double>(dt) * std::sqrt(lag / kLag))));
}

std::vector<double> edge_strains(const Cloth& cloth, std::span<const Vec3> x)
{
    std::vector<double> strains;
    for (const MeshEdge& e : cloth.mesh_edges.edges) {
        const double rest = (cloth.rest.vertices[e.b] - cloth.rest.vertices[e.a]).norm();
        const double now = (x[e.b].cast<double>() - x[e.a].cast<double>()).norm();
        strains.push_back(std::max(0.0, now / rest - 1));
    }
    return strains;
}

}  // namespace pliant
