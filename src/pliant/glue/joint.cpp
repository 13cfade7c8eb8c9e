#include "pliant/glue/joint.h"

#include "pliant/shape/colours.h"
#include "pliant/state/mobility.h"

namespace pliant {

namespace {

/// Where the joints of eight are, and how they give way.
struct SideState {
    BoundFrame<Lanes> frame;
    Vector3<Lanes> point;
    Matrix3<Lanes> mobility;
};

BoundFrame<Lanes> fit_side(const Joints& joints, const Point* points, JointSide& side)
{
    Vector3<Lanes> origin{}, offset{};
    Matrix3<Lanes> b{};
    for (int r = side.first_row; r < side.first_row + side.rows; ++r) {
        const ParentRow& row = joints.rows[r];
        const Vector3<Lanes> x = gather(points, row.point.data()).x;
        if (r == side.first_row) origin = x;
        const Vector3<Lanes> u = row.weight * (x - origin);
        offset += u;
        b += Matrix3<Lanes>::outer(u, row.rest);
    }
    const Vector3<Lanes> center = origin + offset + side.place;
    if (!side.fits) return {center, Matrix3<Lanes>::identity(), {}, {}};
    b += side.alone * Matrix3<Lanes>::identity();
    const RotationFit<Lanes> fit = fit_rotation(b, side.rotation);
    side.rotation = fit.rotation;
    const auto cloud = side.alone <= Lanes(0);
    return bound_frame(center, fit, select(cloud, side.point, Vector3<Lanes>{}));
}

void place_rigids(const JointSide& side, const RigidBodies& bodies, SideState& state)
{
    for (int l = 0; l < kLanes; ++l) {
        if (side.body[l] < 0) continue;
        const Vec3 local = lane(side.point, l);
        set_lane(state.point, l, to_world(bodies.pose[side.body[l]], local));
        const Mat3 k = mobility_from_start(bodies, side.body[l], local);
        for (int j = 0; j < 3; ++j) set_lane(state.mobility.c[j], l, k.c[j]);
    }
}

SideState find_side(const Joints& joints, const Point* points, const RigidBodies& bodies, JointSide& side)
{
    SideState state;
    state.frame = fit_side(joints, points, side);
    state.point = state.frame.point();
    state.mobility = mobility(state.frame, side.inertia);
    if (side.rigid) place_rigids(side, bodies, state);
    return state;
}

/// Pushes one end by p [kg m].
void push_side(const Joints& joints, const JointSide& side, const SideState& state, const Vector3<Lanes>& p,
               Point* points, RigidBodies& bodies)
{
    const Vector3<Lanes> eta = turning(state.frame, p);
    for (int r = side.first_row; r < side.first_row + side.rows; ++r) {
        const ParentRow& row = joints.rows[r];
        PointLanes parent = gather(points, row.point.data());
        parent.x += parent.w * passed_on(state.frame, p, eta, row.weight, row.rest);
        scatter(parent, row.point.data(), points);
    }
    if (!side.rigid) return;
    for (int l = 0; l < kLanes; ++l)
        if (side.body[l] >= 0 && bodies.inv_mass[side.body[l]] > 0)
            move_from_start(side.body[l], lane(side.point, l), lane(p, l), bodies);
}

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

/// Projects eight joints once. Returns whether some of them moved too far for a linear step.
bool project_once(const Joints& joints, Point* points, RigidBodies& bodies, JointGroup& g)
{
    const SideState a = find_side(joints, points, bodies, g.side[0]);
    const SideState b = find_side(joints, points, bodies, g.side[1]);
    const Vector3<Lanes> c = a.point - b.point;
    const Matrix3<Lanes> k = a.mobility + b.mobility;
    const Vector3<Lanes> d = solve(g, c - g.target, c - g.start(), k);
    g.lambda += d;
    push_side(joints, g.side[0], a, d, points, bodies);
    push_side(joints, g.side[1], b, -d, points, bodies);
    return any((k * d).squared_norm() > g.tolerance * g.tolerance);
}

void project_group(const Joints& joints, Point* points, RigidBodies& bodies, JointGroup& g)
{
    constexpr int kMostSteps = 4;
    for (int step = 0; step < kMostSteps && project_once(joints, points, bodies, g); ++step) {}
}

void store_glue_points(const Joints& joints, const GlueScratch& scratch, Particles& particles)
{
    parallel_for(static_cast<int>(joints.particles.size()), 4096, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) particles.x[joints.particles[k]] = scratch.points[k].position();
    });
}

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
    for_each_group(joints.first_group, kGroupGrain, [&](int g) {
        if (joints.groups[g].active) project_group(joints, scratch.points.data(), bodies, joints.groups[g]);
    });
    store_glue_points(joints, scratch, particles);
}

}  // namespace pliant
