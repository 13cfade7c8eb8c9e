#include "pliant/cloth/cloth_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

void ClothScratch::resize(const ClothSystem& system, int vertices)
{
    const std::size_t padding =
        1 + std::max({system.systems.groups.size(), system.edges.groups.size(), system.hinges.groups.size()});
    points.resize(static_cast<std::size_t>(vertices) + padding);
    change.resize(static_cast<std::size_t>(system.slots.size()));
    fibres.resize(system.systems);
    sweeps.resize(system.sweeps);
    bending.resize(system.hinges.groups.size());
    air.resize(system.air.triangles.size());
    resize_motion({0, vertices}, motion);
}

namespace {

bool stretches(const ClothParams& p) { return p.warp_stiffness > 0 || p.weft_stiffness > 0 || p.shear_stiffness > 0; }

/// The stiffness of an edge along d: that of warp or weft if it runs within 22.5 degrees of it, else of shear [N/m].
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

}  // namespace

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

double elastic_energy(const Cloth& cloth, std::span<const Vec3d> x)
{
    const ClothParams& p = cloth.params;
    const std::vector<double> compliance = edge_compliances(cloth.rest, cloth.mesh_edges, p);
    double sum = 0;
    for (std::size_t e = 0; e < compliance.size(); ++e) {
        if (!(compliance[e] > 0)) continue;
        const MeshEdge& edge = cloth.mesh_edges.edges[e];
        const double rest = (cloth.rest.vertices[edge.b] - cloth.rest.vertices[edge.a]).norm();
        const double off = (x[edge.b] - x[edge.a]).norm() - rest;
        sum += 0.5 / compliance[e] * off * off;
    }
    if (!(p.bending_stiffness > 0)) return sum;
    return sum + bending_energy(cloth.rest, cloth.mesh_edges, double(p.bending_stiffness), x);
}

namespace {

/// mu = m / M. With the published sweep a pinned vertex weighs a thousand times as much, so that the others follow it.
std::vector<double> weights(const Cloth& cloth, const ClothSystem& system)
{
    std::vector<double> mu = cloth.mass;
    for (std::size_t i = 0; i < mu.size(); ++i) mu[i] /= std::max(1, system.slots.count(static_cast<int>(i)));
    if (cloth.params.fibres == FibreMode::sweep)
        for (const int pin : system.pins) mu[pin] *= 1000;
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

/// Makes clusters and sweeps; their weights depend on the pins.
void weigh(std::span<const std::vector<int>> chains, std::vector<std::array<int, 3>> corners, const Cloth& cloth,
           ClothSystem& system)
{
    const std::vector<double> mu = weights(cloth, system);
    std::vector<int> next(system.slots.first.begin(), system.slots.first.end() - 1);
    system.clusters = make_triangle_clusters(cloth.rest, std::move(corners), mu, cloth.params.warp_axis.cast<double>(),
                                             next, system.slots.size() - 1);
    if (cloth.params.fibres == FibreMode::sweep) system.sweeps = make_fibre_sweeps(chains, cloth.rest, mu, next);
}

void make_fibres(std::span<const std::vector<int>> chains, const Cloth& cloth, ClothSystem& system)
{
    const MeshEdges& edges = cloth.mesh_edges;
    const std::vector<double> compliance = edge_compliances(cloth.rest, edges, cloth.params);
    system.systems = make_fibre_systems(chains, cloth.rest, edges, compliance);
    std::vector<bool> rigid;
    for (const double c : compliance) rigid.push_back(c == 0);
    system.edges = make_edge_lengths(cloth.rest, edges, rigid);
}

/// See ClothSystem::evenness.
double evenness_of(const Cloth& cloth)
{
    std::vector<double> shortest(cloth.rest.vertices.size(), std::numeric_limits<double>::max());
    for (const MeshEdge& e : cloth.mesh_edges.edges) {
        const double length = (cloth.rest.vertices[e.b] - cloth.rest.vertices[e.a]).norm();
        for (const int v : {e.a, e.b}) shortest[v] = std::min(shortest[v], length);
    }
    double sum = 0;
    for (const double length : shortest) sum += std::min(length, cloth.mean_edge);
    return sum / (static_cast<double>(shortest.size()) * cloth.mean_edge);
}

}  // namespace

ClothSystem make_system(const Cloth& cloth)
{
    ClothSystem system;
    const ClothParams& params = cloth.params;
    const MeshEdges& edges = cloth.mesh_edges;
    const std::vector<std::vector<int>> chains = open_chains(find_fibres(cloth.rest, edges));
    for (const std::vector<int>& chain : chains)
        system.longest_fibre = std::max(system.longest_fibre, static_cast<int>(chain.size()) - 1);
    system.evenness = evenness_of(cloth);
    for (const double m : cloth.mass) system.mass += m;
    std::vector<std::array<int, 3>> corners = find_triangle_clusters(cloth.rest, edges);
    const bool sweep = params.fibres == FibreMode::sweep;
    count_slots(corners, sweep ? std::span(chains) : std::span<const std::vector<int>>(), cloth.rest.vertices.size(),
                system.slots);
    weigh(chains, std::move(corners), cloth, system);
    if (params.fibres == FibreMode::solve) make_fibres(chains, cloth, system);
    if (params.bending_stiffness > 0)
        system.hinges = make_hinges(cloth.rest, edges, static_cast<double>(params.bending_stiffness));
    if (params.air_drag > 0 || params.air_lift > 0 || params.pressure != 0)
        system.air = make_air_mesh(cloth.rest, params.areal_density);
    system.connected = find_components(cloth.rest).count <= 1;
    system.scratch.resize(system, static_cast<int>(cloth.rest.vertices.size()));
    return system;
}

MatchFactors match_factors(const ClothParams& p)
{
    return {p.warp_stiffness > 0 ? 0 : p.warp_gain, p.weft_stiffness > 0 ? 0 : p.weft_gain,
            p.shear_stiffness > 0 ? 0 : p.shear_gain};
}

void update_pins(const Cloth& cloth, std::span<const Real> inv_mass, ClothSystem& system)
{
    std::size_t known = 0;  // pins that are as they were
    bool same = true;
    for (std::size_t i = 0; i < inv_mass.size() && same; ++i) {
        if (inv_mass[i] != 0) continue;
        same = known < system.pins.size() && system.pins[known] == static_cast<int>(i);
        ++known;
    }
    if (same && known == system.pins.size()) return;
    system.pins = find_pins(inv_mass);
    if (cloth.params.fibres == FibreMode::sweep) {
        const std::vector<std::vector<int>> chains = open_chains(find_fibres(cloth.rest, cloth.mesh_edges));
        weigh(chains, std::move(system.clusters.corners), cloth, system);
    }
    if (cloth.params.fibres == FibreMode::solve && !stretches(cloth.params))
        system.attachments = make_attachments(cloth.rest, system.pins);
}

int stable_substeps(const Cloth& cloth, const ClothSystem& system, Real dt)
{
    if (system.hinges.groups.empty()) return 1;
    constexpr double kMaxLag = 0.2;  // h^2 bending_lag; one pass is too soft by about a quarter of it
    const double lag = bending_lag(system.hinges, cloth.mass);
    return std::max(1, static_cast<int>(std::ceil(static_cast<double>(dt) * std::sqrt(lag / kMaxLag))));
}

namespace {

/// What pulls a cloth apart that spins by itself, as weight does one that hangs: the highest speed relative to its mean motion,
/// squared, over half of its longest fibre [m/s^2].
double spin_acceleration(std::span<const Vec3> v, double longest)
{
    Vec3d mean;
    for (const Vec3& each : v) mean += each.cast<double>();
    mean = (1 / std::max(1.0, static_cast<double>(v.size()))) * mean;
    double squared = 0;
    for (const Vec3& each : v) squared = std::max(squared, (each.cast<double>() - mean).squared_norm());
    return longest > 0 ? 2 * squared / longest : 0;
}

/// What the air pulls along a fibre, as weight does [m/s^2]: pressure, and wind on a cloth that is held.
double air_acceleration(const ClothParams& p, const Outlook& outlook, double speed)
{
    // The skin of a ball bears p R / 2, a sheet that bulges to a cylinder p R. If the longest fibre goes around once, that
    // is 1 / 4 pi and 1 / 2 pi of what it would bear if all of p pulled along it.
    constexpr double kBall = 0.08, kBulge = 0.16;
    const double u = std::max(outlook.wind, speed);
    const double wind = outlook.held ? outlook.air_density / 2 * u * u * double(p.air_drag + p.air_lift / 2) : 0;
    return (kBall * std::abs(double(p.pressure)) + kBulge * wind) / double(p.areal_density);
}

}  // namespace

WantedSubsteps wanted_substeps(const Cloth& cloth, const ClothSystem& system, const Outlook& outlook,
                               std::span<const Vec3> v)
{
    constexpr double kMaxStretch = 0.016;      // of an edge, by the weight of its fibre in one substep
    constexpr double kMaxTravel = 0.13;        // edges per substep at the highest speed
    constexpr double kRegularEvenness = 0.88;  // of the meshes that both limits were measured with
    const double edge = cloth.mean_edge;
    if (!(edge > 0)) return {};
    const double shorter = kRegularEvenness / system.evenness;  // how much shorter the short edges are than in those
    const double uneven = std::max(1.0, shorter * shorter);
    constexpr double kMaxLoad = 15;    // times the cloth's own mass
    constexpr double kHungFactor = 4;  // a load glued to a few vertices hangs on fewer fibres than one that lies on it
    const double carried = std::min(outlook.load / system.mass, kMaxLoad) + kHungFactor * outlook.hung / system.mass;
    const double load = outlook.held ? carried : 0;
    const auto asks = [&](double acceleration) {
        return outlook.dt * uneven * std::sqrt(acceleration * system.longest_fibre / (kMaxStretch * edge));
    };
    const double weight = (1 + load) * outlook.gravity, speed = highest_speed(v);
    const double air = air_acceleration(cloth.params, outlook, speed);
    WantedSubsteps wanted = more_of({}, {asks(weight + air), air > weight ? "air" : "weight"});
    // without obstacles nothing else takes energy from a cloth: one that tumbles should keep it
    constexpr double kFreeSpin = 9;
    const double spin = spin_acceleration(v, edge * system.longest_fibre);
    if (!outlook.held) {
        // What is left of stretch at the end of a pass is energy, in proportion to 1/h^2: a sudden rise of the substeps would
        // set it free, which makes the cloth faster and asks for more substeps.
        double count = asks(outlook.obstacles ? spin : kFreeSpin * spin);
        if (outlook.obstacles && outlook.last > 0)
            count = std::min(count, outlook.last + std::max(1.0, outlook.last / 8));
        wanted = more_of(wanted, {count, "spin"});
    }
    if (!outlook.obstacles) return wanted;
    const double crossed = std::max(speed, outlook.approach) / (kMaxTravel * edge);  // edges a second
    return more_of(wanted, {outlook.dt * crossed * uneven, "speed"});
}

}  // namespace pliant
