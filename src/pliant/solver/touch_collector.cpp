#include "pliant/solver/touch_collector.h"

#include "pliant/solver/compiled.h"
#include "pliant/state/mobility.h"
#include "pliant/world/bodies.h"

#include <algorithm>

namespace pliant {

void TouchCollector::begin(const World& world)
{
    sums_.clear();
    if (!listen) return;
    bodies_.clear();
    body_of_particle_.assign(world.particles->x.size(), -1);
    const auto list = [&](const auto& bodies) {
        for (int i = 0; i < static_cast<int>(bodies.size()); ++i) {
            const Range range = particles_of(bodies[i]);
            std::ranges::fill(range.of(body_of_particle_), static_cast<int>(bodies_.size()));
            bodies_.emplace_back(bodies.id_at(i));
        }
    };
    std::apply([&](auto... kind) { (list(world.*kind), ...); }, kBodyKinds);
    for (int i = 0; i < static_cast<int>(world.colliders.size()); ++i) bodies_.emplace_back(world.colliders.id_at(i));
}

std::vector<ContactEvent> TouchCollector::take()
{
    std::vector<ContactEvent> events;
    for (auto& [bodies, sum] : sums_) events.push_back(sum.event);
    sums_.clear();
    return events;
}

void TouchCollector::add(const Push& push)
{
    Sum& sum = sums_[{push.a, push.b}];
    sum.event.impulse += push.impulse;
    if (!(push.impulse > sum.strongest)) return;
    sum.strongest = push.impulse;
    sum.event.a = bodies_[push.a];
    sum.event.b = bodies_[push.b];
    sum.event.point = push.point;
    sum.event.normal = push.normal;
}

void TouchCollector::add_colliders(Real h, const World& world, const Compiled& compiled)
{
    if (!listen) return;
    const Particles& p = *world.particles;
    const int first_collider = static_cast<int>(bodies_.size() - world.colliders.size());
    const int first_rigid = first_collider - static_cast<int>(world.rigids.size());
    const auto& contacts = compiled.particle_contacts.of;
    for (int i = 0; i < static_cast<int>(contacts.size()); ++i) {
        const ParticleContact& c = contacts[i];
        if (c.collider < 0 || !(c.push > 0) || body_of_particle_[i] < 0) continue;
        add({body_of_particle_[i], first_collider + c.collider, p.x[i] - p.radius[i] * c.normal, c.normal,
             p.mass[i] * c.push / h});
    }
    const std::vector<RigidTouch>& touches = compiled.rigid_contacts.touches;
    for (int t = 0; t < static_cast<int>(touches.size()); ++t) {
        const RigidTouch& touch = touches[t];
        if (touch.collider < 0) continue;
        add({first_rigid + t / RigidContacts::kMaxColliders, first_collider + touch.collider, touch.point, touch.normal,
             touch.push / h});
    }
    add_islands(first_rigid, compiled);
}

void TouchCollector::add_islands(int first_rigid, const Compiled& compiled)
{
    const Manifolds& m = compiled.islands.manifolds;
    for (const Manifold& manifold : m.list)
        for (int k = manifold.first; k < manifold.first + manifold.count; ++k) {
            const ManifoldPoint& p = m.points[k];
            if (!(p.push > 0)) continue;
            add({first_rigid + manifold.a, first_rigid + manifold.b,
                 (m.placed[manifold.a].from + p.arm[0]).cast<Real>(), p.n.cast<Real>(), static_cast<Real>(p.push)});
        }
}

void TouchCollector::add_features(Real h, const World& world, const Compiled& compiled)
{
    if (!listen || !compiled.feature_contacts.measured) return;
    const ContactSurface& surface = compiled.surface;
    const int first_rigid = static_cast<int>(bodies_.size() - world.colliders.size() - world.rigids.size());
    const auto body_of = [&](int point) {
        return surface.is_carried(point) ? first_rigid + surface.carrier(point).body : body_of_particle_[point];
    };
    const auto place_of_point = [&](int point) {
        if (!surface.is_carried(point)) return world.particles->x[point];
        return to_world(world.rigid_bodies->pose[surface.carrier(point).body], surface.carrier(point).place);
    };
    // w > 0 on the side that n points to, and the weights of a side have the sum of one
    const auto add_pair = [&](const int point[4], const Real w[4], const Vec3& n, Real lambda) {
        int side[2] = {-1, -1};
        Vec3 at{};
        for (int k = 0; k < 4; ++k) {
            if (w[k] == 0) continue;
            side[w[k] > 0 ? 0 : 1] = body_of(point[k]);
            at += Real(0.5) * std::abs(w[k]) * place_of_point(point[k]);
        }
        if (!(lambda > 0) || side[0] < 0 || side[1] < 0) return;
        const bool swapped = side[0] > side[1];
        add({std::min(side[0], side[1]), std::max(side[0], side[1]), at, swapped ? -n : n, lambda / h});
    };
    const PairContacts& contacts = compiled.feature_contacts.contacts;
    for (const PairContact& block : contacts.blocks) {
        for (int l = 0; l < kLanes; ++l) {
            if (!(block.lambda[l] > 0)) continue;
            const int point[4] = {block.point[0][l], block.point[1][l], block.point[2][l], block.point[3][l]};
            const Real w[4] = {block.w[0][l], block.w[1][l], block.w[2][l], block.w[3][l]};
            add_pair(point, w, lane(block.n, l), block.lambda[l]);
        }
    }
    for (const MixedContact& c : contacts.mixed) add_pair(c.point, c.w, c.n, c.lambda);
}

}  // namespace pliant
