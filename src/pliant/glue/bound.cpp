#include "pliant/glue/bound.h"

#include "pliant/base/parallel.h"
#include "pliant/glue/block.h"
#include "pliant/glue/sides.h"
#include "pliant/shape/colours.h"
#include "pliant/state/mobility.h"

#include <algorithm>

namespace pliant {

namespace {

bool has_bound(const JointGroup& g)
{
    return std::ranges::any_of(g.follows, [](int rank) { return rank > 0; });
}

bool has_bound(const Joints& joints, const JointBlock& block)
{
    const std::span groups = std::span(joints.groups).subspan(block.first_group, block.groups());
    return std::ranges::any_of(groups, [](const JointGroup& g) { return has_bound(g); });
}

/// Puts the particles of one rank where their parents say. Nobody of the same rank is a parent.
void place_group(const Joints& joints, int rank, const RigidBodies& bodies, Point* points, JointGroup& g,
                 std::span<Vec3> predicted)
{
    if (std::ranges::find(g.follows, rank) == g.follows.end()) return;
    const Vector3<Lanes> a = find_side(joints, points, bodies, g.side[0]).point;
    const Vector3<Lanes> b = find_side(joints, points, bodies, g.side[1]).point;
    const Vector3<Lanes> target =
        select(g.bound_first > Lanes(0), b + g.target, a - g.target);  // a gap that is closing yet stays
    for (int l = 0; l < kLanes; ++l) {
        if (g.follows[l] != rank) continue;
        Point& point = points[g.bound[l]];
        const Vec3 place = lane(target, l);
        predicted[joints.particles[g.bound[l]]] += place - point.position();
        point = {place.x, place.y, place.z, point.w};
    }
}

/// The velocity of one end, but for that of a motion.
Vector3<Lanes> velocity_of(const Joints& joints, const JointSide& side, const SideState& state, const Point* velocities,
                           const RigidBodies& bodies)
{
    Vector3<Lanes> mean{}, moment{};
    for (int r = side.first_row; r < side.first_row + side.rows; ++r) {
        const ParentRow& row = joints.rows[r];
        const Vector3<Lanes> v = row.weight * gather(velocities, row.point.data()).x;
        mean += v;
        moment += (state.frame.rotation * row.rest).cross(v);
    }
    Vector3<Lanes> velocity = mean + (state.frame.k_inverse * moment).cross(state.frame.arm);
    if (side.rigid)
        for (int l = 0; l < kLanes; ++l)
            if (side.body[l] >= 0) set_lane(velocity, l, velocity_at(bodies, side.body[l], lane(state.point, l)));
    return velocity;
}

void kick_side(const Joints& joints, const JointSide& side, const SideState& state, const Vector3<Lanes>& impulse,
               Point* velocities, RigidBodies& bodies)
{
    push_parents(joints, side, state, impulse, velocities);
    if (!side.rigid) return;
    for (int l = 0; l < kLanes; ++l)
        if (side.body[l] >= 0) push_at(side.body[l], lane(state.point, l), lane(impulse, l), bodies);
}

/// The impulses that take away the relative velocity of particles that follow.
void match_group(Real h, const Joints& joints, const Point* points, Point* velocities, RigidBodies& bodies,
                 JointGroup& g)
{
    const SideState a = find_side(joints, points, bodies, g.side[0]);
    const SideState b = find_side(joints, points, bodies, g.side[1]);
    const Vector3<Lanes> apart = velocity_of(joints, g.side[0], a, velocities, bodies) -
                                 velocity_of(joints, g.side[1], b, velocities, bodies) + given_speed(h, g);
    Matrix3<Lanes> k = mobility_of(g.side[0], a, bodies, Arm::now) + mobility_of(g.side[1], b, bodies, Arm::now);
    Lanes follows = 0;
    for (int l = 0; l < kLanes; ++l) follows.set(l, g.follows[l] > 0 ? 1 : 0);
    const auto others = follows <= Lanes(0);
    k = select(others, Matrix3<Lanes>::identity(), k);
    const Vector3<Lanes> impulse = select(others, Vector3<Lanes>{}, -(k.inverse() * apart));
    g.lambda += Lanes(h) * impulse;
    kick_side(joints, g.side[0], a, impulse, velocities, bodies);
    kick_side(joints, g.side[1], b, -impulse, velocities, bodies);
}

void load_velocities(const Joints& joints, const Particles& particles, GlueScratch& scratch)
{
    scratch.velocities.resize(scratch.points.size());
    parallel_for(static_cast<int>(joints.particles.size()), 4096, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) {
            const int i = joints.particles[k];
            const Vec3& v = particles.v[i];
            scratch.velocities[k] = {v.x, v.y, v.z, particles.inv_mass[i]};
        }
    });
}

void store_velocities(const Joints& joints, const GlueScratch& scratch, Particles& particles)
{
    parallel_for(static_cast<int>(joints.particles.size()), 4096, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) particles.v[joints.particles[k]] = scratch.velocities[k].position();
    });
}

}  // namespace

void update_bound(std::span<const Glue> glues, const GlueScratch& scratch, Joints& joints)
{
    if (joints.ranks == 0) return;
    joints.holders.assign(joints.particles.size(), 0);
    const auto is_held = [&](const JointGroup& g, int l) { return g.bound[l] >= 0 && glues[g.glue[l]].on; };
    for (const JointGroup& g : joints.groups)
        for (int l = 0; l < kLanes; ++l)
            if (is_held(g, l)) ++joints.holders[g.bound[l]];
    for (JointGroup& g : joints.groups)
        for (int l = 0; l < kLanes; ++l) {
            const bool follows = is_held(g, l) && joints.holders[g.bound[l]] == 1 && scratch.points[g.bound[l]].w > 0;
            g.follows[l] = follows ? g.bound_rank[l] : 0;
        }
}

void place_bound(Joints& joints, Particles& particles, RigidBodies& bodies, GlueScratch& scratch,
                 std::span<Vec3> predicted)
{
    if (joints.ranks == 0) return;
    load_glue_points(joints, particles, scratch);
    Point* points = scratch.points.data();
    for_each_group(joints.first_group, kGroupGrain, [&](int g) {
        if (has_bound(joints.groups[g])) project_group(joints, points, bodies, joints.groups[g]);
    });
    for_each_block(joints, [&](const JointBlock& block) {
        if (has_bound(joints, block)) project_block(joints, block, points, bodies, joints.groups);
    });
    for (int rank = 1; rank <= joints.ranks; ++rank)
        parallel_for(static_cast<int>(joints.groups.size()), kGroupGrain, [&](int begin, int end) {
            for (int g = begin; g < end; ++g) place_group(joints, rank, bodies, points, joints.groups[g], predicted);
        });
    store_glue_points(joints, scratch, particles);
}

void match_bound_velocities(Real h, Joints& joints, Particles& particles, RigidBodies& bodies, GlueScratch& scratch)
{
    if (joints.ranks == 0) return;
    load_velocities(joints, particles, scratch);
    const Point* points = scratch.points.data();
    Point* velocities = scratch.velocities.data();
    for_each_group(joints.first_group, kGroupGrain, [&](int g) {
        if (has_bound(joints.groups[g])) match_group(h, joints, points, velocities, bodies, joints.groups[g]);
    });
    for_each_block(joints, [&](const JointBlock& block) {
        if (has_bound(joints, block)) match_velocities(h, joints, block, points, velocities, bodies, joints.groups);
    });
    store_velocities(joints, scratch, particles);
}

}  // namespace pliant
