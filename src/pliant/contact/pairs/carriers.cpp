#include "pliant/contact/pairs/carriers.h"

namespace pliant {

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

int Carriers::of_point(const ContactSurface& surface, const PairPoints& points, const RigidBodies& rigids, int point)
{
    if (!surface.is_carried(point)) {
        const Vec3 from = points.start[point].position(), to = points.now[point].position();
        if (from == to) return -1;
        const int known = find(Carrier::Kind::pin, point);
        return known >= 0 ? known : add({Carrier::Kind::pin, point, Mat3::identity(), from, to});
    }
    const int body = surface.carrier(point).body;
    const Pose &before = rigids.pose_prev[body], &after = rigids.pose[body];
    if (before.x == after.x && before.q.w == after.q.w && before.q.v == after.q.v) return -1;
    const int known = find(Carrier::Kind::rigid, body);
    if (known >= 0) return known;
    const Mat3d turn = exact_rotation(after) * exact_rotation(before).transposed();
    return add({Carrier::Kind::rigid, body, turn.cast<Real>(), before.x - points.origin, after.x - points.origin});
}

int Carriers::of_collider(const PlacedCollider& collider, int number, const Vec3& origin)
{
    const ColliderPose& pose = collider.pose;
    if (is_still(pose)) return -1;
    const int known = find(Carrier::Kind::collider, number);
    if (known >= 0) return known;
    const Mat3d turn = pose.rotation.cast<double>() * pose.rotation_prev.cast<double>().transposed();
    return add(
        {Carrier::Kind::collider, number, turn.cast<Real>(), pose.position_prev - origin, pose.position - origin});
}

}  // namespace pliant
