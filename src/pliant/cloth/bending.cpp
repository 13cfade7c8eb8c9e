#include "pliant/cloth/bending.h"

#include "pliant/shape/colours.h"

namespace pliant {

namespace {

constexpr double kStripFactor = 1.41;  // s, see bending.h

double cotangent(const Vec3d& a, const Vec3d& b) { return a.dot(b) / a.cross(b).norm(); }

/// k of four points seen from the first, and the sum of the normals of their triangles.
template <class S>
struct Curvature {
    Vector3<S> k, normal;
};
template <class S>
PLIANT_INLINE Curvature<S> curvature(const Vector3<S>& e0, const Vector3<S>& e1, const Vector3<S>& e2, const S k[4])
{
    return {k[1] * e0 + k[2] * e1 + k[3] * e2, e0.cross(e1 - e2)};
}

/// k_rest as a vector. It is laid along k (with the sign of k . normal), since any other direction would exert a
/// torque; where k is too small to have a direction, along the normal.
template <class S>
PLIANT_INLINE Vector3<S> rest_vector(const Curvature<S>& now, const S& rest)
{
    const S squared = now.k.squared_norm(), normal2 = now.normal.squared_norm();
    const auto bent = squared > S(1e-4) * rest * rest;
    const S side = select(now.k.dot(now.normal) < S(0), S(-1), S(1));
    const Vector3<S> along_k = (side / sqrt(select(bent, squared, S(1)))) * now.k;
    const Vector3<S> along_n = (S(1) / sqrt(select(normal2 > S(0), normal2, S(1)))) * now.normal;
    return rest * select(bent, along_k, along_n);
}

struct Hinge {
    std::array<int, 4> vertex{};
    std::array<double, 4> k{};
    double rest = 0, area = 0;
};

Hinge make_hinge(const SurfaceMesh& mesh, const MeshEdge& edge)
{
    const auto across = [&](int triangle) {
        for (const int v : mesh.triangles[triangle])
            if (v != edge.a && v != edge.b) return v;
        return -1;
    };
    Hinge hinge;
    hinge.vertex = {edge.a, edge.b, across(edge.triangle[0]), across(edge.triangle[1])};
    const auto at = [&](int i) { return mesh.vertices[hinge.vertex[i]]; };
    const Vec3d e0 = at(1) - at(0), e1 = at(2) - at(0), e2 = at(3) - at(0), e3 = at(2) - at(1), e4 = at(3) - at(1);
    const double c01 = cotangent(e0, e1), c02 = cotangent(e0, e2), c03 = cotangent(-e0, e3), c04 = cotangent(-e0, e4);
    hinge.k = {c03 + c04, c01 + c02, -c01 - c03, -c02 - c04};
    hinge.area = 0.5 * (e0.cross(e1).norm() + e0.cross(e2).norm());
    const Curvature<double> rest = curvature(e0, e1, e2, hinge.k.data());
    const bool flat = rest.k.norm() < 1e-6 * e0.norm();  // below this it is rounding error
    hinge.rest = flat ? 0 : flip_by(rest.k.norm(), rest.k.dot(rest.normal));
    return hinge;
}

}  // namespace

namespace {

/// Of all inner edges.
std::vector<Hinge> find_hinges(const SurfaceMesh& rest, const MeshEdges& edges)
{
    std::vector<Hinge> found;
    for (const MeshEdge& edge : edges.edges)
        if (edge.triangle[0] >= 0 && edge.triangle[1] >= 0) found.push_back(make_hinge(rest, edge));
    return found;
}

}  // namespace

Hinges make_hinges(const SurfaceMesh& rest, const MeshEdges& edges, double stiffness)
{
    const std::vector<Hinge> found = find_hinges(rest, edges);
    const int vertices = static_cast<int>(rest.vertices.size());
    const Colours colours =
        find_colours(static_cast<int>(found.size()), vertices, [&](int i) -> const auto& { return found[i].vertex; });
    Hinges out;
    out.first_group = group_by_eight(colours, [&](std::span<const int> items) {
        Hinges::Group group;
        for (IndexLanes& v : group.vertex) v.fill(padding_of_group(vertices, static_cast<int>(out.groups.size())));
        group.compliance = 1;
        for (int l = 0; l < static_cast<int>(items.size()); ++l) {
            const Hinge& hinge = found[items[l]];
            for (int i = 0; i < 4; ++i) {
                group.vertex[i][l] = hinge.vertex[i];
                group.k[i].set(l, static_cast<Real>(hinge.k[i]));
            }
            group.rest.set(l, static_cast<Real>(hinge.rest));
            group.compliance.set(l, static_cast<Real>(hinge.area / (kStripFactor * stiffness)));
        }
        out.groups.push_back(group);
    });
    return out;
}

namespace {

void project_group(const Hinges::Group& group, const Lanes& per_h2, Vector3<Lanes>& multiplier, Point* points)
{
    PointLanes p[4];
    for (int i = 0; i < 4; ++i) p[i] = gather(points, group.vertex[i].data());
    const Curvature<Lanes> now = curvature(p[1].x - p[0].x, p[2].x - p[0].x, p[3].x - p[0].x, group.k);
    const Vector3<Lanes> c = now.k - rest_vector(now, group.rest);
    const Lanes alpha = per_h2 * group.compliance;
    Lanes w = alpha;
    for (int i = 0; i < 4; ++i) w += p[i].w * group.k[i] * group.k[i];
    const Vector3<Lanes> change = (Lanes(-1) / w) * (c + alpha * multiplier);
    multiplier += change;
    for (int i = 0; i < 4; ++i) {
        p[i].x += (p[i].w * group.k[i]) * change;
        scatter(p[i], group.vertex[i].data(), points);
    }
}

}  // namespace

void project_bending(const Hinges& hinges, Real h, std::span<Vector3<Lanes>> multiplier, std::span<Point> points)
{
    const Lanes per_h2 = 1 / (h * h);
    for_each_group(hinges.first_group, 64,
                   [&](int g) { project_group(hinges.groups[g], per_h2, multiplier[g], points.data()); });
}

double bending_energy(const SurfaceMesh& rest, const MeshEdges& edges, double stiffness, std::span<const Vec3d> x)
{
    double sum = 0;
    for (const Hinge& hinge : find_hinges(rest, edges)) {
        const Vec3d& origin = x[hinge.vertex[0]];
        const Curvature<double> now = curvature(x[hinge.vertex[1]] - origin, x[hinge.vertex[2]] - origin,
                                                x[hinge.vertex[3]] - origin, hinge.k.data());
        const Vec3d off = now.k - rest_vector(now, hinge.rest);
        sum += 0.5 * kStripFactor * stiffness / hinge.area * off.squared_norm();
    }
    return sum;
}

double bending_lag(const Hinges& hinges, std::span<const double> mass)
{
    double total = 0;
    int count = 0;
    for (const Hinges::Group& group : hinges.groups)
        for (int l = 0; l < kLanes; ++l) {
            if (group.vertex[0][l] >= static_cast<int>(mass.size())) continue;  // padding lane
            double w = 0;
            for (int i = 0; i < 4; ++i) w += double(group.k[i][l]) * double(group.k[i][l]) / mass[group.vertex[i][l]];
            total += w / double(group.compliance[l]);
            ++count;
        }
    return count > 0 ? total / count : 0;
}

}  // namespace pliant
