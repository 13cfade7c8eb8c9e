#include "bench/baselines/mass_spring.h"

#include "pliant/geometry/mesh_edges.h"

#include <cmath>

namespace pliant {

namespace {

/// Area below which a triangle has no normal, as a part of the squared edge.
constexpr Real kTinyArea = Real(1e-6);

struct Hinge {
    Vec3 n1, n2;        // N / |N|
    Real area1, area2;  // |N|, twice the areas [m^2]
    Vec3 e;             // E / |E|
    Real length;        // |E| [m]
    Real sine_of_half;  // sin(theta / 2)
    bool degenerate = false;
};

Hinge find_hinge(const Vec3& x1, const Vec3& x2, const Vec3& x3, const Vec3& x4)
{
    Hinge h;
    const Vec3 E = x4 - x3;
    const Vec3 N1 = (x1 - x3).cross(x1 - x4), N2 = (x2 - x4).cross(x2 - x3);
    h.length = E.norm();
    h.area1 = N1.norm();
    h.area2 = N2.norm();
    const Real tiny = kTinyArea * h.length * h.length;
    h.degenerate = !(h.area1 > tiny && h.area2 > tiny);
    if (h.degenerate) return h;
    h.e = E / h.length;
    h.n1 = N1 / h.area1;
    h.n2 = N2 / h.area2;
    const Real size = Real(0.5) * (h.n1 - h.n2).norm();
    h.sine_of_half = h.n1.cross(h.n2).dot(h.e) < 0 ? -size : size;
    return h;
}

int opposite_corner(const SurfaceMesh& mesh, int triangle, const MeshEdge& edge)
{
    for (const int v : mesh.triangles[triangle])
        if (v != edge.a && v != edge.b) return v;
    return -1;
}

/// Forces are gathered in `a`, masses come at the end.
void add_springs(MassSpring& c)
{
    for (const MassSpring::Spring& s : c.springs) {
        const Vec3 d = c.x[s.b] - c.x[s.a];
        const Real length = d.norm();
        if (length == 0) continue;
        const Vec3 n = d / length;
        const Real pull = c.params.stretch_stiffness * (length / s.length - 1) +
                          c.params.stretch_damping * (c.v[s.b] - c.v[s.a]).dot(n);
        c.a[s.a] += pull * n;
        c.a[s.b] -= pull * n;
    }
}

void add_bending(MassSpring& c)
{
    for (const MassSpring::Bend& b : c.bends) {
        const Vec3 &x1 = c.x[b.x1], &x2 = c.x[b.x2], &x3 = c.x[b.x3], &x4 = c.x[b.x4];
        const Hinge h = find_hinge(x1, x2, x3, x4);
        if (h.degenerate) continue;
        const Vec3 m1 = h.n1 / h.area1, m2 = h.n2 / h.area2;  // N / |N|^2
        const Vec3 u1 = h.length * m1, u2 = h.length * m2;
        const Vec3 u3 = (x1 - x4).dot(h.e) * m1 + (x2 - x4).dot(h.e) * m2;
        const Vec3 u4 = -(x1 - x3).dot(h.e) * m1 - (x2 - x3).dot(h.e) * m2;
        const Real rate = u1.dot(c.v[b.x1]) + u2.dot(c.v[b.x2]) + u3.dot(c.v[b.x3]) + u4.dot(c.v[b.x4]);
        const Real force =
            c.params.bending_stiffness * h.length * h.length / (h.area1 + h.area2) * (h.sine_of_half - b.rest) -
            c.params.bending_damping * h.length * rate;
        c.a[b.x1] += force * u1;
        c.a[b.x2] += force * u2;
        c.a[b.x3] += force * u3;
        c.a[b.x4] += force * u4;
    }
}

}  // namespace

MassSpring make_mass_spring(const SurfaceMesh& rest, const MassSpringParams& params)
{
    MassSpring c;
    c.params = params;
    const std::size_t n = rest.vertices.size();
    for (const Vec3d& vertex : rest.vertices) c.x.push_back(vertex.cast<Real>());
    c.v.resize(n);
    c.a.resize(n);
    c.mass.assign(n, 0);
    for (const auto& t : rest.triangles) {
        const Vec3d a = rest.vertices[t[0]];
        const double area = 0.5 * (rest.vertices[t[1]] - a).cross(rest.vertices[t[2]] - a).norm();
        for (const int vertex : t) c.mass[vertex] += params.areal_density * static_cast<Real>(area / 3);
    }
    for (const Real mass : c.mass) c.inv_mass.push_back(mass > 0 ? 1 / mass : 0);

    for (const MeshEdge& e : find_edges(rest).edges) {
        c.springs.push_back({e.a, e.b, static_cast<Real>((rest.vertices[e.b] - rest.vertices[e.a]).norm())});
        if (e.triangles != 2) continue;
        MassSpring::Bend bend{opposite_corner(rest, e.triangle[0], e), opposite_corner(rest, e.triangle[1], e), e.a,
                              e.b, 0};
        bend.rest = find_hinge(c.x[bend.x1], c.x[bend.x2], c.x[bend.x3], c.x[bend.x4]).sine_of_half;
        c.bends.push_back(bend);
    }
    update_accelerations(c);
    return c;
}

void update_accelerations(MassSpring& c)
{
    c.a.assign(c.x.size(), Vec3{});
    add_springs(c);
    add_bending(c);
    for (std::size_t i = 0; i < c.a.size(); ++i) {
        if (c.inv_mass[i] == 0) c.a[i] = Vec3{};
        else c.a[i] = c.inv_mass[i] * c.a[i] + c.params.gravity - c.params.drag * c.v[i];
    }
}

void step_mass_spring(Real h, MassSpring& c)
{
    for (std::size_t i = 0; i < c.x.size(); ++i) {
        c.v[i] += Real(0.5) * h * c.a[i];
        c.x[i] += h * c.v[i];
    }
    update_accelerations(c);
    for (std::size_t i = 0; i < c.x.size(); ++i) c.v[i] += Real(0.5) * h * c.a[i];
}

}  // namespace pliant
