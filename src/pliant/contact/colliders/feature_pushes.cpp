#include "pliant/contact/colliders/feature_pushes.h"

#include "pliant/geometry/separation.h"
#include "pliant/geometry/support.h"

#include <algorithm>
#include <array>

namespace pliant {

namespace {

constexpr Real kKeptShare = Real(0.75);                    // of the radius, between the corners of a feature
constexpr double kCorner = 0.999;                          // a weight above this: the nearest point is a corner
constexpr Real kMissingShare = Real(0.2);                  // of a missing distance that is made up in a substep,
constexpr Real kMaxSeparationSpeedOfFeature = Real(0.25);  // no faster than this [m/s]

std::array<Vec3d, 3> corners_of(const Shape& shape, int triangle)
{
    const auto [a, b, c] = shape.mesh->triangles.corners(triangle);
    return {a.cast<double>(), b.cast<double>(), c.cast<double>()};
}
SeparatingPlane separate_from(std::span<const Vec3d> x, const Shape& shape, int triangle)
{
    return triangle < 0 ? separate(x, shape) : separate(x, std::span<const Vec3d>(corners_of(shape, triangle)));
}
Real support_along(const Shape& shape, int triangle, const Vec3& n)
{
    if (triangle < 0) return support_of(shape, n);
    const auto [a, b, c] = shape.mesh->triangles.corners(triangle);
    return std::max({n.dot(a), n.dot(b), n.dot(c)});
}

}  // namespace

void begin_feature_pushes(std::span<const ColliderHold> touching, std::span<const PlacedCollider> colliders, Real h,
                          const Particles& particles, std::span<const Real> radius, std::vector<FeaturePush>& pushes)
{
    pushes.clear();
    for (const ColliderHold& hold : touching) {
        if (std::ranges::any_of(hold.point, [&](int p) { return p >= particles.size(); })) continue;
        const PlacedCollider& collider = colliders[hold.collider];
        const ColliderPose& pose = collider.pose;
        const ShapePose before{pose.rotation_prev, pose.position_prev};
        Vec3d x[3];
        FeaturePush push{};
        Real kept = 0, inverse_mass = 0;
        for (int k = 0; k < 3; ++k) {
            push.point[k] = hold.point[k];
            x[k] = before.to_shape(particles.x_prev[hold.point[k]]).cast<double>();
            kept = std::max(kept, kKeptShare * radius[hold.point[k]]);
        }
        const SeparatingPlane s = separate_from(x, collider.shape, hold.triangle);
        // corners are pushed out by themselves, by a mesh only where its field is good enough
        if (!s || (hold.triangle < 0 && std::max(s.w[0], std::max(s.w[1], s.w[2])) > kCorner)) continue;
        for (int k = 0; k < 3; ++k) {
            push.w[k] = static_cast<Real>(s.w[k]);
            inverse_mass += push.w[k] * push.w[k] * particles.inv_mass[push.point[k]];
        }
        if (!(inverse_mass > 0)) continue;
        push.collider = hold.collider;
        push.n = pose.rotation * s.n.cast<Real>();
        push.offset = push.n.dot(pose.position) + support_along(collider.shape, hold.triangle, s.n.cast<Real>());
        const Real gap = static_cast<Real>(s.clearance), missing = kept - gap;
        push.target = missing > 0 ? gap + std::min(kMissingShare * missing, kMaxSeparationSpeedOfFeature * h) : kept;
        push.most = std::max(hold.clearance - hold.left, Real(0)) + kMaxSeparationSpeedOfFeature * h;
        push.inverse = 1 / inverse_mass;
        pushes.push_back(push);
    }
}

}  // namespace pliant
