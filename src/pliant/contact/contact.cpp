#include "pliant/contact/contact.h"

#include "pliant/base/parallel.h"

#include <algorithm>

namespace pliant {

namespace {

constexpr int kGrain = 2048;

/// Whether a point is outside the grid of a mesh, which reaches two voxels beyond its surface or more: a quick answer
/// for the many that are far away.
bool is_far(const Collider& collider, const ColliderPose& pose, const Vec3& x, Real reach)
{
    if (collider.shape != ColliderShape::mesh || reach > 2 * collider.mesh->field.voxel) return false;
    const DistanceField& field = collider.mesh->field;
    const Vec3 p = pose.rotation.transposed() * (x - pose.position) - field.low;
    for (int axis = 0; axis < 3; ++axis) {
        const Real side = field.voxel * static_cast<Real>(field.size[static_cast<std::size_t>(axis)] - 1);
        if (p[axis] < 0 || p[axis] > side) return true;
    }
    return false;
}

void push_out(const Collider& collider, const ColliderPose& pose, int which, Real h, int i, const Vec3& v_before,
              Contact& contact, Particles& p, Vec3& predicted)
{
    if (is_far(collider, pose, p.x[i], p.radius[i])) return;
    const SurfacePoint s = nearest_surface(collider, pose, p.x[i]);
    const Real depth = p.radius[i] - s.distance;
    if (!(depth > 0)) return;

    const Vec3 carried = surface_motion(pose, p.x[i]);
    if (contact.collider < 0) contact.approach = s.normal.dot(v_before) - s.normal.dot(carried) / h;
    contact.collider = which;
    contact.normal = s.normal;

    const ColliderPose before{pose.rotation_prev, pose.position_prev, pose.rotation_prev, pose.position_prev};
    const Real depth_before = p.radius[i] - nearest_surface(collider, before, p.x_prev[i]).distance;
    if (depth_before > 0) predicted += std::min(depth, depth_before) * s.normal;
    p.x[i] += depth * s.normal;

    const Vec3 moved = (p.x[i] - p.x_prev[i]) - carried;
    const Vec3 slide = moved - moved.dot(s.normal) * s.normal;
    const Real length = slide.norm();
    const Real hold = collider.friction * depth;
    p.x[i] -= length <= hold ? slide : (hold / length) * slide;
}

}  // namespace

void begin_contacts(std::span<const Collider> colliders, double time, Real h, const Particles& particles,
                    Contacts& contacts)
{
    contacts.poses.resize(colliders.size());
    for (std::size_t c = 0; c < colliders.size(); ++c) contacts.poses[c] = pose_at(colliders[c], time + h, time);
    const std::size_t count = colliders.empty() ? 0 : particles.x.size();
    contacts.of.resize(count);
    contacts.v_before.resize(count);
    parallel_for(static_cast<int>(count), kGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            contacts.of[i] = {};
            contacts.v_before[i] = particles.v[i];
        }
    });
}

void project_contacts(std::span<const Collider> colliders, Real h, Contacts& contacts, Particles& particles,
                      std::vector<Vec3>& predicted)
{
    if (colliders.empty()) return;
    parallel_for(particles.size(), kGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            if (particles.inv_mass[i] == 0 || particles.is_ghost(i)) continue;
            for (std::size_t c = 0; c < colliders.size(); ++c) {
                push_out(colliders[c], contacts.poses[c], static_cast<int>(c), h, i, contacts.v_before[i],
                         contacts.of[i], particles, predicted[i]);
            }
        }
    });
}

void project_contact_again(std::span<const Collider> colliders, Real h, int particle, Contacts& contacts,
                           Particles& particles, std::vector<Vec3>& predicted)
{
    const int c = contacts.of[particle].collider;
    push_out(colliders[c], contacts.poses[c], c, h, particle, contacts.v_before[particle], contacts.of[particle],
             particles, predicted[particle]);
}

void apply_restitution(std::span<const Collider> colliders, Real h, Real slow, const Contacts& contacts,
                       Particles& particles)
{
    const bool bouncy =
        std::any_of(colliders.begin(), colliders.end(), [](const Collider& c) { return c.restitution > 0; });
    if (!bouncy) return;
    for (int i = 0; i < particles.size(); ++i) {
        const Contact& contact = contacts.of[i];
        if (contact.collider < 0 || contact.approach > -slow) continue;
        const Vec3 carried = surface_motion(contacts.poses[contact.collider], particles.x[i]) / h;
        const Real leaving = contact.normal.dot(particles.v[i] - carried);
        const Real wanted = -colliders[contact.collider].restitution * contact.approach;
        if (leaving < wanted) particles.v[i] += (wanted - leaving) * contact.normal;
    }
}

int count_contacts(const Contacts& contacts)
{
    return static_cast<int>(
        std::count_if(contacts.of.begin(), contacts.of.end(), [](const Contact& c) { return c.collider >= 0; }));
}

}  // namespace pliant
