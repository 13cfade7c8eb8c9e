#include "pliant/contact/pairs/carriers.h"

namespace pliant {

Vec3d turn_of(const Mat3d& r)
{
    const double trace = r(0, 0) + r(1, 1) + r(2, 2);
    return 2 / (1 + trace) * Vec3d{r(2, 1) - r(1, 2), r(0, 2) - r(2, 0), r(1, 0) - r(0, 1)};
}

Pose ExactMotion::operator()(Pose pose) const
{
    const Vec3d x = exact_position(pose);
    move_pose((to + turn * (x - from) - x).cast<Real>(), turn_of(turn).cast<Real>(), pose);
    return pose;
}

int Carriers::find(Carrier::Kind kind, int number) const
{
    for (std::size_t k = 0; k < carriers_.size(); ++k)
        if (carriers_[k].kind == kind && carriers_[k].number == number) return static_cast<int>(k);
    return -1;
}

int Carriers::add(const Carrier& carrier)
{
    carriers_.push_back(carrier);
    return static_cast<int>(carriers_.size()) - 1;
}

void Carriers::set_origin(const Vec3& origin)
{
    for (Carrier& carrier : carriers_) {
        carrier.from += origin_ - origin;
        carrier.to += origin_ - origin;
    }
    origin_ = origin;
}

int Carriers::of_point(const ContactSurface& surface, const PairPoints& points, const RigidBodies& rigids, int point)
{
    if (!surface.is_carried(point)) {
        const Vec3 from = points.start[point].position(), to = points.now[point].position();
        if (from == to) return -1;
        const int known = find(Carrier::Kind::pin, point);
        return known >= 0 ? known
                          : add({Carrier::Kind::pin,
                                 point,
                                 Mat3::identity(),
                                 from,
                                 to,
                                 {Mat3d::identity(), (from + origin_).cast<double>(), (to + origin_).cast<double>()}});
    }
    return of_body(rigids, surface.carrier(point).body);
}

int Carriers::of_body(const RigidBodies& rigids, int body)
{
    const Pose &before = rigids.pose_prev[body], &after = rigids.pose[body];
    if (before.x == after.x && before.q.w == after.q.w && before.q.v == after.q.v) return -1;
    const int known = find(Carrier::Kind::rigid, body);
    if (known >= 0) return known;
    const Mat3d turn = exact_rotation(after) * exact_rotation(before).transposed();
    return add({Carrier::Kind::rigid,
                body,
                turn.cast<Real>(),
                before.x - origin_,
                after.x - origin_,
                {turn, exact_position(before), exact_position(after)}});
}

int Carriers::of_collider(const PlacedCollider& collider, int number)
{
    const ColliderPose& pose = collider.pose;
    if (is_still(pose)) return -1;
    const int known = find(Carrier::Kind::collider, number);
    if (known >= 0) return known;
    const Mat3d turn = pose.rotation.cast<double>() * pose.rotation_prev.cast<double>().transposed();
    return add({Carrier::Kind::collider,
                number,
                turn.cast<Real>(),
                pose.position_prev - origin_,
                pose.position - origin_,
                {turn, pose.position_prev.cast<double>(), pose.position.cast<double>()}});
}

}  // namespace pliant
