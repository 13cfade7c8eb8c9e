#include "pliant/solver/joined_points.h"

#include "pliant/state/writable.h"

#include <algorithm>
#include <array>

namespace pliant {

namespace {

/// Those that have touched a collider in this substep.
struct TouchingNodes {
    std::array<int, kMostJoinedTouches> node{};
    int count = 0;
    bool too_many = false;
};

TouchingNodes find_touching_nodes(const ConstraintSystem& system, const Compiled& c, const Particles& particles)
{
    const ParticleContacts& contacts = c.particle_contacts;
    TouchingNodes out;
    for (int n = 0; n < static_cast<int>(system.points.size()) && !out.too_many; ++n) {
        const JointPoint& point = system.points[n];
        if (contacts.of[point.particle].collider < 0 || !(point.inv_mass > 0) || particles.is_ghost(point.particle) ||
            c.left_to_joints[point.particle] != 0)
            continue;
        out.too_many = out.count == kMostJoinedTouches;
        if (!out.too_many) out.node[out.count++] = n;
    }
    return out;
}

class JoinedPoints {
  public:
    JoinedPoints(Real h, World& world, Compiled& compiled, ConstraintSystem& system)
        : h_(h),
          c_(compiled),
          particles_(writable(world.particles)),
          bodies_(writable(world.rigid_bodies)),
          system_(system)
    {}

    void push_out(const TouchingNodes& touching)
    {
        constexpr int kMaxSweeps = 4;
        bool again = true;
        for (int sweep = 0; again && sweep < kMaxSweeps; ++sweep) {
            again = false;
            for (int k = 0; k < touching.count; ++k) again = push_out(touching.node[k]) || again;
            again = again && touching.count > 1;
        }
    }

  private:
    /// Where contact sees the particle.
    int show(int node)
    {
        const JointPoint& point = system_.points[node];
        particles_.x[point.particle] = point.x.cast<Real>();
        particles_.x_low[point.particle] = (point.x - particles_.x[point.particle].cast<double>()).cast<Real>();
        return point.particle;
    }
    bool push_out(int node)
    {
        constexpr double kUnbounded = ConstraintBlock::kUnbounded;
        bool any = false;
        for (std::size_t c = 0; c < c_.colliders.size(); ++c) {
            const int i = show(node);
            const PlacedCollider& collider = c_.colliders[c];
            const ParticleTouch touch = find_particle_touch(collider, i, particles_);
            if (!(touch.depth > 0)) continue;
            const Vec3d normal = touch.normal.cast<double>();
            const double push = push_point(node, normal, double(touch.depth), kUnbounded, system_, bodies_);
            if (!(push > 0)) continue;
            any = true;
            note_particle_push(c_.colliders, static_cast<int>(c), h_, i, touch, c_.particle_contacts, particles_,
                               c_.predicted.x);
            show(node);
            const Vec3d slide = slide_on(collider, i, touch.normal, particles_).cast<double>();
            const double length = slide.norm(), most = double(collider.friction) * push;
            if (length > 0 && most > 0) push_point(node, (-1 / length) * slide, length, most, system_, bodies_);
        }
        return any;
    }

    Real h_;
    Compiled& c_;
    Particles& particles_;
    RigidBodies& bodies_;
    ConstraintSystem& system_;
};

}  // namespace

void push_out_joined_points(Real h, World& world, Compiled& compiled)
{
    if (compiled.particle_contacts.of.empty()) return;
    for (ConstraintSystem& system : compiled.joints.systems) {
        if (!system.active) continue;
        const TouchingNodes touching = find_touching_nodes(system, compiled, world.particles);
        if (touching.count == 0 || touching.too_many) continue;
        load_constraints(world.particles, system);
        JoinedPoints(h, world, compiled, system).push_out(touching);
        store_constraints(system, writable(world.particles));
    }
}

}  // namespace pliant
