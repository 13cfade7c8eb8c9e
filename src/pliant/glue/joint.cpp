#include "pliant/glue/joint.h"

#include "pliant/glue/binding.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

double sign_of_end(int side) { return side == 0 ? 1 : -1; }

std::span<const JointParent> parents_of(const Joints& joints, const JointEnd& end)
{
    return std::span(joints.parents).subspan(end.first_parent, end.parents);
}

/// The mean of the parents, and the frame that is fitted to them.
EndPlace fit_cloud(std::span<const JointParent> parents, const ConstraintSystem& system, const JointEnd& end)
{
    EndPlace place;
    const Vec3d origin = system.points[parents[0].point].x;
    Vec3d offset;
    Mat3d b;
    for (const JointParent& parent : parents) {
        const Vec3d u = parent.weight * (system.points[parent.point].x - origin);
        offset += u;
        b += Mat3d::outer(u, parent.rest);
    }
    place.center = place.at = origin + offset;
    place.rotation = end.now.rotation;
    if (!end.oriented) return place;
    const RotationFit<double> fit = fit_rotation(b, end.now.rotation);
    const BoundFrame<double> frame = bound_frame(place.center, fit, end.point);
    place.rotation = frame.rotation;
    place.k_inverse = frame.k_inverse;
    place.at = frame.point();
    return place;
}

EndPlace place_of_end(const Joints& joints, const ConstraintSystem& system, const RigidBodies& bodies,
                      const JointEnd& end)
{
    switch (end.kind) {
        case AnchorKind::cloud: return fit_cloud(parents_of(joints, end), system, end);
        case AnchorKind::motion: return end.keyed;
        case AnchorKind::rigid: break;
    }
    const Pose& pose = bodies.pose[end.body];
    EndPlace place;
    place.center = exact_position(pose);
    place.rotation = exact_rotation(pose);
    place.at = place.center + place.rotation * end.point;
    return place;
}

const EndPlace& place_at(const JointEnd& end, Instant instant)
{
    return instant == Instant::start ? end.start : end.now;
}

}  // namespace

void measure_joint(const Joints& joints, const ConstraintSystem& system, const RigidBodies& bodies, Joint& joint)
{
    for (JointEnd& end : joint.end) end.now = place_of_end(joints, system, bodies, end);
}

namespace {

/// Pushes at one point keep angular momentum whatever the gap. A spring pulls along the gap and needs no such thing; and a
/// cloud that is much smaller than the gap would be wrenched round by the lever. A slider may be far from where it began:
/// side b, which carries the axis, meets it there.
bool pushed_at_one_point(const Joint& joint, const ConstraintSystem& system, double gap)
{
    if (joint.kind == GlueKind::slider) return true;
    if (system.blocks[joint.position].response[0].soft > 0) return false;
    const bool clouds = joint.end[0].kind == AnchorKind::cloud || joint.end[1].kind == AnchorKind::cloud;
    return !clouds || gap < 2e3 * joint.tolerance;
}

/// Sets the touches of one end, in a block, to J.
class EndLineariser {
  public:
    EndLineariser(const Joints& joints, Instant instant, const Joint& joint, ConstraintSystem& system)
        : joints_(joints), instant_(instant), joint_(joint), system_(system)
    {
        const EndPlace &a = place_at(joint.end[0], instant), &b = place_at(joint.end[1], instant);
        const Vec3d middle = joint.kind == GlueKind::slider ? a.at : 0.5 * (a.at + b.at);
        const double gap = (joint.end[0].start.at - joint.end[1].start.at).norm();
        const bool at_one_point = pushed_at_one_point(joint, system, gap);
        point_[0] = at_one_point ? middle : a.at;
        point_[1] = at_one_point ? middle : b.at;
    }

    void set_position()
    {
        for (int s = 0; s < 2; ++s) {
            const JointEnd& end = joint_.end[s];
            const EndPlace& place = place_at(end, instant_);
            BoundFrame<double> frame{place.center, place.rotation, place.k_inverse, point_[s] - place.center};
            if (!end.oriented) frame.k_inverse = {};
            int t = first_touch(joint_.position, s);
            for (const JointParent& parent : parents_of(joints_, end))
                set(joint_.position, t++, s, jacobian(frame, parent.weight, parent.rest), {});
            if (end.body >= 0) set(joint_.position, t, s, Mat3d::identity(), -1.0 * Mat3d::skew(frame.arm));
        }
    }
    void set_turn()
    {
        for (int s = 0; s < 2; ++s) {
            const JointEnd& end = joint_.end[s];
            const EndPlace& place = place_at(end, instant_);
            int t = first_touch(joint_.turn, s);
            for (const JointParent& parent : parents_of(joints_, end))
                set(joint_.turn, t++, s,
                    (joint_.arm * parent.weight) * (place.k_inverse * Mat3d::skew(place.rotation * parent.rest)), {});
            if (end.body >= 0) set(joint_.turn, t, s, {}, joint_.arm * Mat3d::identity());
        }
    }

  private:
    /// The particles of both ends come before the bodies.
    int first_touch(int block, int side) const
    {
        const JointEnd &a = joint_.end[0], &b = joint_.end[1];
        const int first = system_.first_touch[block];
        if (joint_.end[side].body < 0) return first + (side == 0 ? 0 : a.parents);
        return first + a.parents + b.parents + (side == 1 && a.body >= 0 ? 1 : 0);
    }
    void set(int block_number, int t, int side, const Mat3d& move, const Mat3d& turn)
    {
        const ConstraintBlock& block = system_.blocks[block_number];
        ConstraintSystem::Touch& touch = system_.touches[t];
        const double sign = block.on() ? sign_of_end(side) : 0;
        touch.move = sign * (block.turned ? block.rows * move : move);
        touch.turn = sign * (block.turned ? block.rows * turn : turn);
    }

    const Joints& joints_;
    Instant instant_;
    const Joint& joint_;
    ConstraintSystem& system_;
    Vec3d point_[2];  // where the ends are pushed
};

}  // namespace

void set_direction(const Joint& joint, ConstraintSystem& system)
{
    ConstraintBlock& block = system.blocks[joint.position];
    const Vec3d gap = joint.end[0].now.at - joint.end[1].now.at;
    const double length = gap.norm();
    const Vec3d n = length > 0 ? (1 / length) * gap : Vec3d{};
    block.turned = true;
    block.rows = Mat3d{{n, {}, {}}}.transposed();
}

void linearise_joint(const Joints& joints, Instant instant, const Joint& joint, ConstraintSystem& system)
{
    if (joint.scalar && instant == Instant::now) set_direction(joint, system);
    EndLineariser ends(joints, instant, joint, system);
    ends.set_position();
    if (joint.turn >= 0) ends.set_turn();
}

double widest_gap(std::span<const Joint> joints, const ConstraintSystem& system)
{
    double widest = 0;
    for (const Joint& joint : joints) {
        if (!joint.on) continue;
        for (const int b : {joint.position, joint.turn}) {
            if (b < 0) continue;
            const ConstraintBlock& block = system.blocks[b];
            Vec3d left;
            for (int i = 0; i < 3; ++i) left[i] = block.wanted_change(i);
            widest = std::max(widest, left.norm() / joint.tolerance);
        }
    }
    return widest;
}

namespace {

/// I' = I^1/2 U diag(1 + max(0, k/2 - 1/2)) U^T I^1/2 with k, U of I^-1/2 K I^-1/2; bodies with h^2 K < I stay as they are.
void stiffen(const RigidBodies& bodies, const Mat3d& pull, JointBody& body)
{
    const Mat3d r = exact_rotation(bodies.pose[body.body]);
    const Vec3d inverse = bodies.inv_inertia[body.body].cast<double>();
    const Vec3d root{std::sqrt(inverse.x), std::sqrt(inverse.y), std::sqrt(inverse.z)};
    Mat3d s = r.transposed() * pull * r;
    double size = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            s(i, j) *= root[i] * root[j];
            size += s(i, j) * s(i, j);
        }
    size = std::sqrt(size);
    if (!(size > 1) || !std::isfinite(size)) return;
    const SignedSvd<double> eigen = signed_svd(s + Mat3d::diagonal({size, size, size}));
    Vec3d give;
    for (int i = 0; i < 3; ++i) give[i] = 1 / (1 + std::max(0.0, 0.5 * (eigen.s[i] - size) - 0.5));
    const Mat3d turned = r * Mat3d::diagonal(root) * eigen.u;
    body.give = turned * Mat3d::diagonal(give) * turned.transposed();
}

}  // namespace

void add_inertia(std::span<const Joint> joints, const RigidBodies& bodies, ConstraintSystem& system)
{
    std::vector<Mat3d>& pull = system.pull;
    std::ranges::fill(pull, Mat3d{});
    for (const Joint& joint : joints) {
        if (!joint.on || !joint.acted) continue;
        const Vec3d force = system.blocks[joint.position].in_world(system.blocks[joint.position].lambda);
        const Vec3d middle = 0.5 * (joint.end[0].start.at + joint.end[1].start.at);
        int t = system.first_touch[joint.position] + joint.end[0].parents + joint.end[1].parents;
        for (int s = 0; s < 2; ++s) {
            if (joint.end[s].body < 0) continue;
            const Vec3d f = sign_of_end(s) * force, arm = middle - joint.end[s].start.center;
            const double along = arm.dot(f);
            const Mat3d outer = Mat3d::outer(arm, f);
            pull[static_cast<std::size_t>(system.touches[t++].node) - system.points.size()] +=
                Mat3d::diagonal({along, along, along}) - 0.5 * (outer + outer.transposed());
        }
    }
    for (std::size_t b = 0; b < system.bodies.size(); ++b)
        if (system.bodies[b].inv_mass > 0) stiffen(bodies, pull[b], system.bodies[b]);
}

}  // namespace pliant
