#include "pliant/glue/joint.h"

#include "pliant/glue/block.h"
#include "pliant/glue/sides.h"
#include "pliant/shape/colours.h"
#include "pliant/state/mobility.h"

namespace pliant {

namespace {

/// dlambda of the vector form, and of the scalar form where it is asked for; see joint.h.
Vector3<Lanes> solve(const JointGroup& g, const Vector3<Lanes>& gap, const Vector3<Lanes>& change,
                     const Matrix3<Lanes>& a)
{
    constexpr Real kSlack = sizeof(Real) == 4 ? Real(1e-6) : Real(1e-12);
    const Lanes size = a.trace();
    const auto movable = size > Lanes(0);
    const Lanes scale = Lanes(1) / ((g.stiff + g.damp) * size + g.soft + select(movable, Lanes(0), Lanes(1)));
    const Lanes slack =
        scale * (g.soft + (g.stiff + g.damp) * size * Lanes(kSlack)) + select(movable, Lanes(0), Lanes(1));
    const Vector3<Lanes> wanted = g.stiff * gap + g.damp * change + g.soft * g.lambda;
    const Matrix3<Lanes> m = (scale * (g.stiff + g.damp)) * a + Matrix3<Lanes>::diagonal({slack, slack, slack});
    Vector3<Lanes> d = -(m.inverse() * (scale * wanted));
    const auto along = g.along > Lanes(0);
    if (any(along)) {
        const Lanes length = sqrt(gap.squared_norm());
        const auto apart = length > Lanes(0);
        const Vector3<Lanes> n = gap / select(apart, length, Lanes(1));
        const Lanes push = n.dot(scale * wanted) / select(apart, n.dot(m * n), Lanes(1));
        d = select(along, select(apart, -push * n, Vector3<Lanes>{}), d);
    }
    return select(movable, d, Vector3<Lanes>{});
}

/// Pushes one end by p [kg m].
void push_side(const Joints& joints, const JointSide& side, const SideState& state, const Vector3<Lanes>& p,
               Point* points, RigidBodies& bodies)
{
    push_parents(joints, side, state, p, points);
    if (!side.rigid) return;
    for (int l = 0; l < kLanes; ++l) {
        const int body = side.body[l];
        if (body < 0 || bodies.inv_mass[body] == 0) continue;
        const Vec3 local = lane(side.point, l);
        if (arm_of_push(bodies, body, local) == Arm::start) move_from_start(body, local, lane(p, l), bodies);
        else move_at(body, lane(state.point, l), lane(p, l), bodies);
    }
}

/// Projects eight joints once. Returns whether some of them moved too far for a linear step.
bool project_once(const Joints& joints, Point* points, RigidBodies& bodies, JointGroup& g)
{
    const SideState a = find_side(joints, points, bodies, g.side[0]);
    const SideState b = find_side(joints, points, bodies, g.side[1]);
    const Vector3<Lanes> c = a.point - b.point;
    const Matrix3<Lanes> k =
        mobility_of(g.side[0], a, bodies, Arm::start) + mobility_of(g.side[1], b, bodies, Arm::start);
    const Vector3<Lanes> d = solve(g, c - g.target, c - g.start(), k);
    g.lambda += d;
    push_side(joints, g.side[0], a, d, points, bodies);
    push_side(joints, g.side[1], b, -d, points, bodies);
    return any((k * d).squared_norm() > g.tolerance * g.tolerance);
}

}  // namespace

void project_group(const Joints& joints, Point* points, RigidBodies& bodies, JointGroup& g)
{
    constexpr int kMostSteps = 4;
    for (int step = 0; step < kMostSteps && project_once(joints, points, bodies, g); ++step) {}
}

namespace {

void weigh_side(const Joints& joints, const Point* points, JointSide& side)
{
    side.inertia = {};
    for (int r = side.first_row; r < side.first_row + side.rows; ++r) {
        const ParentRow& row = joints.rows[r];
        side.inertia.add(gather(points, row.point.data()).w, row.weight, row.rest);
    }
}

}  // namespace

void load_glue_points(const Joints& joints, const Particles& particles, GlueScratch& scratch)
{
    scratch.points.resize(joints.particles.size() + joints.groups.size());
    parallel_for(static_cast<int>(joints.particles.size()), 4096, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            const int i = joints.particles[k];
            const Vec3& x = particles.x[i];
            scratch.points[k] = {x.x, x.y, x.z, particles.inv_mass[i]};
        }
    });
}

void store_glue_points(const Joints& joints, const GlueScratch& scratch, Particles& particles)
{
    parallel_for(static_cast<int>(joints.particles.size()), 4096, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) particles.x[joints.particles[k]] = scratch.points[k].position();
    });
}

void measure_group(const Joints& joints, const RigidBodies& bodies, const GlueScratch& scratch, JointGroup& g)
{
    for (int s = 0; s < 2; ++s) {
        weigh_side(joints, scratch.points.data(), g.side[s]);
        g.at[s] = find_side(joints, scratch.points.data(), bodies, g.side[s]).point;
    }
}

void project_glue(Joints& joints, Particles& particles, RigidBodies& bodies, GlueScratch& scratch)
{
    if (joints.groups.empty()) return;
    load_glue_points(joints, particles, scratch);
    Point* points = scratch.points.data();
    for_each_group(joints.first_group, kGroupGrain, [&](int g) {
        if (joints.groups[g].active) project_group(joints, points, bodies, joints.groups[g]);
    });
    for_each_block(joints, [&](const JointBlock& block) {
        if (is_active(joints, block)) project_block(joints, block, points, bodies, joints.groups);
    });
    store_glue_points(joints, scratch, particles);
}

}  // namespace pliant
