#include "pliant/contact/colliders/particle_contacts.h"

#include "pliant/base/parallel.h"
#include "pliant/geometry/support.h"

#include <algorithm>
#include <bit>

namespace pliant {

namespace {

constexpr int kParticleGrain = 2048;

/// Motions below this share of a collider's half thickness end on the side that they came from.
constexpr Real kSlowShare = Real(0.5);

/// Where a particle is relative to the surface that it has met first on its way, seen from the collider; that nearest to its
/// end if it has met none. By steps that are as long as the distance (sphere tracing).
SurfacePoint surface_on_way(const PlacedCollider& collider, const Particles& p, int i)
{
    constexpr int kMaxSteps = 64;
    const ColliderPose& pose = collider.pose;
    const SurfacePoint at_end = nearest_surface(collider.shape, pose, p.x[i]);
    const Real slow = kSlowShare * half_thickness(collider.shape);
    if (is_still(pose) && (p.x[i] - p.x_prev[i]).squared_norm() <= slow * slow) return at_end;
    const ShapePose before{pose.rotation_prev, pose.position_prev};
    const Vec3 start = before.to_shape(p.x_prev[i]), way = pose.to_shape(p.x[i]) - start;
    const Real length = way.norm();
    if (length <= slow) return at_end;
    SurfacePoint at = nearest_on_shape(collider.shape, start);
    if (at.distance < 0) return at_end;  // it started inside
    Real gone = 0;
    for (int k = 0; k < kMaxSteps && at.distance > p.radius[i] * Real(1.001); ++k) {
        gone += at.distance - p.radius[i];
        if (gone >= length) return at_end;
        at = nearest_on_shape(collider.shape, start + (gone / length) * way);
    }
    const Vec3 rest = (1 - gone / length) * way;
    const SurfacePoint met{at.distance + at.normal.dot(rest), pose.rotation * at.normal};
    const bool same_side = met.normal.dot(at_end.normal) > 0;
    return same_side && at_end.distance < met.distance ? at_end : met;
}

/// Stores a push out of a collider by `depth`. What was inside before the substep comes out without gaining speed.
void note_push(const PlacedCollider& collider, int which, Real h, int i, const Vec3& normal, Real depth,
               const Vec3& v_before, ParticleContact& contact, const Particles& p, Vec3& predicted)
{
    const ColliderPose& pose = collider.pose;
    const Vec3 carried = surface_motion(pose, p.x[i]);
    if (contact.collider < 0) contact.approach = normal.dot(v_before) - normal.dot(carried) / h;
    contact.collider = which;
    contact.normal = normal;
    contact.push += depth;

    const ShapePose before{pose.rotation_prev, pose.position_prev};
    const Real depth_before = p.radius[i] - nearest_surface(collider.shape, before, p.x_prev[i]).distance;
    if (depth_before > 0) predicted += std::min(depth, depth_before) * normal;
}

void push_out(const PlacedCollider& collider, int which, Real h, int i, const Vec3& v_before, ParticleContact& contact,
              Particles& p, Vec3& predicted)
{
    const SurfacePoint s = surface_on_way(collider, p, i);
    const Real depth = p.radius[i] - s.distance;
    if (!(depth > 0)) return;
    const Vec3 carried = surface_motion(collider.pose, p.x[i]);
    note_push(collider, which, h, i, s.normal, depth, v_before, contact, p, predicted);
    p.x[i] += depth * s.normal;

    const Vec3 moved = (p.x[i] - p.x_prev[i]) - carried;
    const Vec3 slide = moved - moved.dot(s.normal) * s.normal;
    const Real length = slide.norm();
    const Real hold = collider.friction * depth;
    p.x[i] -= length <= hold ? slide : (hold / length) * slide;
}

/// How far eight particles have moved, seen from a collider [m].
Lanes way_past(const ColliderPose& pose, const Vector3<Lanes>& before, const Vector3<Lanes>& x)
{
    if (is_still(pose)) return (x - before).norm();
    const auto seen = [](const Mat3& rotation, const Vec3& position, const Vector3<Lanes>& at) {
        return spread(rotation.transposed()) * (at - spread(position));
    };
    return (seen(pose.rotation, pose.position, x) - seen(pose.rotation_prev, pose.position_prev, before)).norm();
}

/// Which of eight particles from `first` on touch a collider, a bit each. Most touch none.
unsigned find_touching(std::span<const PlacedCollider> colliders, const Particles& p, int first)
{
    const Vector3<Lanes> x = load_vectors(&p.x[first]), before = load_vectors(&p.x_prev[first]);
    const Lanes radius = load(&p.radius[first]);
    unsigned touching = 0;
    for (const PlacedCollider& collider : colliders) {
        const Lanes distance = distance_to(collider.shape, collider.pose, x);
        // a fast particle may be outside again
        const Lanes way = way_past(collider.pose, before, x);
        const Lanes fast = select(way > Lanes(kSlowShare * half_thickness(collider.shape)), way, Lanes(0));
        touching |= bits_of(radius + fast - distance > Lanes(0));
    }
    return touching;
}

void push_out(std::span<const PlacedCollider> colliders, Real h, int i, ParticleContacts& contacts,
              Particles& particles, Vec3& predicted)
{
    if (particles.inv_mass[i] == 0 || particles.is_ghost(i)) return;
    for (std::size_t c = 0; c < colliders.size(); ++c) {
        push_out(colliders[c], static_cast<int>(c), h, i, contacts.v_before[i], contacts.of[i], particles, predicted);
    }
}

}  // namespace

void begin_particle_contacts(std::span<const PlacedCollider> colliders, const Particles& particles,
                             ParticleContacts& contacts)
{
    const std::size_t count = colliders.empty() ? 0 : particles.x.size();
    contacts.of.resize(count);
    contacts.v_before.resize(count);
    parallel_for(static_cast<int>(count), kParticleGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            contacts.of[i] = {};
            contacts.v_before[i] = particles.v[i];
        }
    });
}

void project_particle_contacts(std::span<const PlacedCollider> colliders, Real h, std::span<const char> left_out,
                               ParticleContacts& contacts, Particles& particles, std::vector<Vec3>& predicted)
{
    if (colliders.empty()) return;
    const auto push = [&](int i) {
        if (left_out.empty() || left_out[i] == 0) push_out(colliders, h, i, contacts, particles, predicted[i]);
    };
    const int blocks = particles.size() / kLanes;
    parallel_for(blocks, kParticleGrain / kLanes, [&](int begin, int end) {
        for (int b = begin; b < end; ++b) {
            unsigned touching = find_touching(colliders, particles, b * kLanes);
            for (; touching != 0; touching &= touching - 1) push(b * kLanes + std::countr_zero(touching));
        }
    });
    for (int i = blocks * kLanes; i < particles.size(); ++i) push(i);
}

void project_particle_contact_again(std::span<const PlacedCollider> colliders, Real h, int particle,
                                    ParticleContacts& contacts, Particles& particles, std::vector<Vec3>& predicted)
{
    const int c = contacts.of[particle].collider;
    push_out(colliders[c], c, h, particle, contacts.v_before[particle], contacts.of[particle], particles,
             predicted[particle]);
}

ParticleTouch find_particle_touch(const PlacedCollider& collider, int particle, const Particles& particles)
{
    const SurfacePoint s = surface_on_way(collider, particles, particle);
    return {particles.radius[particle] - s.distance, s.normal};
}

Vec3 slide_on(const PlacedCollider& collider, int particle, const Vec3& normal, const Particles& particles)
{
    const Vec3& x = particles.x[particle];
    const Vec3 moved = (x - particles.x_prev[particle]) - surface_motion(collider.pose, x);
    return moved - moved.dot(normal) * normal;
}

void note_particle_push(std::span<const PlacedCollider> colliders, int which, Real h, int particle,
                        const ParticleTouch& touch, ParticleContacts& contacts, const Particles& particles,
                        std::vector<Vec3>& predicted)
{
    note_push(colliders[which], which, h, particle, touch.normal, touch.depth, contacts.v_before[particle],
              contacts.of[particle], particles, predicted[particle]);
}

void apply_particle_restitution(std::span<const PlacedCollider> colliders, Real h, Real slow,
                                const ParticleContacts& contacts, Particles& particles)
{
    const bool bouncy =
        std::any_of(colliders.begin(), colliders.end(), [](const PlacedCollider& c) { return c.restitution > 0; });
    if (!bouncy) return;
    for (int i = 0; i < particles.size(); ++i) {
        const ParticleContact& contact = contacts.of[i];
        if (contact.collider < 0 || contact.approach > -slow) continue;
        const Vec3 carried = surface_motion(colliders[contact.collider].pose, particles.x[i]) / h;
        const Real leaving = contact.normal.dot(particles.v[i] - carried);
        const Real wanted = -colliders[contact.collider].restitution * contact.approach;
        if (leaving < wanted) particles.v[i] += (wanted - leaving) * contact.normal;
    }
}

int count_contacts(const ParticleContacts& contacts)
{
    return static_cast<int>(std::count_if(contacts.of.begin(), contacts.of.end(),
                                          [](const ParticleContact& c) { return c.collider >= 0; }));
}

}  // namespace pliant
