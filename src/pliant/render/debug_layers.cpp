#include "pliant/render/debug_layers.h"

#include "pliant/cloth/fibres.h"
#include "pliant/glue/anchor.h"
#include "pliant/world/contact_surface.h"

namespace pliant {

namespace {

void add_particles(const World& world, DebugLayer& out)
{
    const Particles& p = world.particles;
    for (int i = 0; i < p.size(); ++i)
        if (!p.is_ghost(i)) out.add_point(p.x[i], p.radius[i], p.inv_mass[i] == 0 ? Real(1) : Real(0));
}

/// The mean of the members, by their shares of mass.
Vec3 center_of(const Solid& solid, int cluster, std::span<const Vec3> x)
{
    const Memberships& m = solid.memberships;
    Vec3d sum;
    double mass = 0;
    for (int k = m.first[cluster]; k < m.first[cluster + 1]; ++k) {
        const double mu = m.share[k] * solid.mass[m.member[k]];
        sum += mu * x[m.member[k]].cast<double>();
        mass += mu;
    }
    return (mass > 0 ? sum / mass : sum).cast<Real>();
}

void add_clusters(const World& world, DebugLayer& out)
{
    for (const Solid& solid : world.solids) {
        const std::span<const Vec3> x = solid.particles.of(world.particles->x);
        const Memberships& m = solid.memberships;
        for (int c = 0; c < m.clusters(); ++c) {
            const Vec3 center = center_of(solid, c, x);
            out.add_point(center, static_cast<Real>(solid.clusters[c].radius), static_cast<Real>(c));
            for (int k = m.first[c]; k < m.first[c + 1]; ++k)
                out.add_line(center, x[m.member[k]], static_cast<Real>(c));
        }
    }
}

void add_fibres(const World& world, DebugLayer& out)
{
    for (const Cloth& cloth : world.cloths) {
        if (cloth.params.fibres == FibreMode::none) continue;
        const std::span<const Vec3> x = cloth.particles.of(world.particles->x);
        Real number = 0;
        for (const Fibre& fibre : find_fibres(cloth.rest, cloth.mesh_edges)) {
            const std::size_t n = fibre.vertices.size();
            for (std::size_t k = 0; k + (fibre.closed ? 0 : 1) < n; ++k)
                out.add_line(x[fibre.vertices[k]], x[fibre.vertices[(k + 1) % n]], number);
            ++number;
        }
    }
}

void add_rod_frames(const World& world, DebugLayer& out)
{
    for (const Rod& rod : world.rods) {
        const std::span<const Vec3> x = rod.particles.of(world.particles->x);
        for (const Rod::Edge& e : rod.edges) {
            out.add_line(Real(0.5) * (x[e.p0] + x[e.p1]), x[e.ghost], 0);
            out.add_point(x[e.ghost], 0, 0);
        }
    }
}

void add_glue(const World& world, DebugLayer& out)
{
    for (const Glue& glue : world.glues) {
        if (!glue.on) continue;
        Vec3 place[2];
        int side = 0;
        for (const Anchor* anchor : {&glue.a, &glue.b}) {
            const Vec3 at = place_of(*anchor, world.time, world.particles, world.rigid_bodies).cast<Real>();
            out.add_point(at, 0, glue.force);
            for (const int i : anchor->parents) out.add_line(at, world.particles->x[i], glue.force);
            if (anchor->body >= 0) out.add_line(at, world.rigid_bodies->pose[anchor->body].x, glue.force);
            place[side++] = at;
        }
        out.add_line(place[0], place[1], glue.force);
    }
}

void add_contacts(const StepReport& report, DebugLayer& out)
{
    constexpr Real kLength = Real(0.05);  // of a normal [m]
    for (const ContactEvent& touch : report.touches) {
        out.add_point(touch.point, 0, touch.impulse);
        out.add_line(touch.point, touch.point + kLength * touch.normal, touch.impulse);
    }
}

void add_crossings(const World& world, DebugLayer& out)
{
    if (!may_touch(world)) return;
    const ContactSurface surface = make_contact_surface(world);
    const std::vector<Vec3> x = places_of_points(surface, world.particles, world.rigid_bodies);
    for (const Crossing& crossing : find_crossings(surface, x)) {
        const ContactSurface::Edge& e = surface.edges[crossing.edge];
        const auto& t = surface.triangles[crossing.triangle].point;
        const Vec3 normal = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]]);
        const Real from = normal.dot(x[e.a] - x[t[0]]), to = normal.dot(x[e.b] - x[t[0]]);
        const Real part = from != to ? from / (from - to) : Real(0.5);
        out.add_line(x[e.a], x[e.b], 0);
        out.add_point(x[e.a] + part * (x[e.b] - x[e.a]), 0, 0);
    }
}

void add_pins(const World& world, DebugLayer& out)
{
    for (const PinnedSet& set : world.drivers->pins) {
        if (set.released) continue;
        for (const int i : set.particles)
            if (!world.particles->is_ghost(i)) out.add_point(world.particles->x[i], world.particles->radius[i], 0);
    }
    for (const HeldRigid& held : world.drivers->held)
        if (!held.released) out.add_point(world.rigid_bodies->pose[held.body].x, 0, 0);
}

void add_velocities(const World& world, DebugLayer& out)
{
    constexpr Real kTime = Real(0.01);  // [s]
    const Particles& p = world.particles;
    for (int i = 0; i < p.size(); ++i)
        if (!p.is_ghost(i)) out.add_line(p.x[i], p.x[i] + kTime * p.v[i], p.v[i].norm());
    const RigidBodies& bodies = world.rigid_bodies;
    for (int b = 0; b < bodies.size(); ++b)
        out.add_line(bodies.pose[b].x, bodies.pose[b].x + kTime * bodies.v[b], bodies.v[b].norm());
}

}  // namespace

void DebugLayer::add_point(const Vec3& at, Real size, Real value)
{
    points.push_back(at);
    sizes.push_back(size);
    point_values.push_back(value);
}

void DebugLayer::add_line(const Vec3& a, const Vec3& b, Real value)
{
    lines.push_back(a);
    lines.push_back(b);
    line_values.push_back(value);
}

DebugLayer make_debug_layer(DebugKind kind, const World& world, const StepReport& report)
{
    DebugLayer out;
    switch (kind) {
        case DebugKind::particles: add_particles(world, out); break;
        case DebugKind::clusters: add_clusters(world, out); break;
        case DebugKind::fibres: add_fibres(world, out); break;
        case DebugKind::rod_frames: add_rod_frames(world, out); break;
        case DebugKind::glue: add_glue(world, out); break;
        case DebugKind::contacts: add_contacts(report, out); break;
        case DebugKind::crossings: add_crossings(world, out); break;
        case DebugKind::pins: add_pins(world, out); break;
        case DebugKind::velocities: add_velocities(world, out); break;
    }
    return out;
}

}  // namespace pliant
