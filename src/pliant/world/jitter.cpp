#include "pliant/world/jitter.h"

#include "pliant/world/contact_surface.h"
#include "pliant/world/internal.h"
#include "pliant/world/measure.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace pliant {

namespace {

constexpr double kShiftPerRadius = 0.1;        // largest shift along each axis, relative to the smallest contact radius
constexpr double kShiftPerRigidExtent = 1e-4;  // relative to the smallest rigid body, if there are no particles
constexpr double kMaxSpeed = 0.01;             // along each axis [m/s]
constexpr int kTrials = 64;
constexpr std::uint64_t kSeedStep = 0x9e3779b97f4a7c15;

/// Components uniform in [-size, size). std::uniform_real_distribution would differ between standard libraries.
Vec3 random_vector(double size, std::mt19937_64& generator)
{
    const auto share = [&] { return std::ldexp(static_cast<double>(generator() >> 11), -52) - 1; };
    const double x = share(), y = share(), z = share();
    return (size * Vec3d{x, y, z}).cast<Real>();
}

Real extent_of(std::span<const Vec3> points, const Vec3& center)
{
    Real most = 0;
    for (const Vec3& p : points) most = std::max(most, (p - center).norm());
    return most;
}

double largest_shift(const World& world)
{
    Real least = std::numeric_limits<Real>::infinity();
    for (const Real radius : world.particles->radius)
        if (radius > 0) least = std::min(least, radius);
    if (std::isfinite(least)) return kShiftPerRadius * static_cast<double>(least);
    for (const Rigid& rigid : world.rigids) least = std::min(least, extent_of(rigid.points, {}));
    return std::isfinite(least) ? kShiftPerRigidExtent * static_cast<double>(least) : 0;
}

class Jitter {
  public:
    Jitter(double size, std::uint64_t seed, World& world) : size_(size), generator_(seed), world_(world)
    {
        tied_.assign(world.particles->x.size(), 0);
        tied_rigid_.assign(world.rigids.size(), 0);
        for (int i = 0; i < world.particles->size(); ++i) tied_[i] = world.particles->inv_mass[i] == 0 ? 1 : 0;
        for (int b = 0; b < world.rigid_bodies->size(); ++b)
            tied_rigid_[b] = world.rigid_bodies->inv_mass[b] == 0 ? 1 : 0;
        for (const Glue& glue : world.glues) {
            for (const Anchor* anchor : {&glue.a, &glue.b}) {
                for (const int i : anchor->parents) tied_[i] = 1;
                if (anchor->kind == AnchorKind::rigid) tied_rigid_[anchor->body] = 1;
            }
        }
    }

    void move()
    {
        for_each_body(world_, [&](const auto& body) {
            if (particles_of(body).count > 0) move(particles_of(body));
        });
        RigidBodies& bodies = writable(world_.rigid_bodies);
        for (int b = 0; b < bodies.size(); ++b) {
            const Vec3 shift = random_vector(size_, generator_);
            const Vec3 turn = random_vector(size_, generator_) / extent_of(world_.rigids[b].points, {});
            if (tied_rigid_[b] != 0) continue;
            move_pose(shift, turn, bodies.pose[b]);
            bodies.pose_prev[b] = bodies.pose[b];
        }
    }

    void push()
    {
        Particles& p = writable(world_.particles);
        for (int i = 0; i < p.size(); ++i) {
            const Vec3 v = random_vector(kMaxSpeed, generator_);
            if (p.inv_mass[i] > 0 && !p.is_ghost(i)) p.v[i] += v;
        }
        RigidBodies& bodies = writable(world_.rigid_bodies);
        for (int b = 0; b < bodies.size(); ++b) {
            const Vec3 v = random_vector(kMaxSpeed, generator_);
            if (bodies.inv_mass[b] > 0) bodies.v[b] += v;
        }
    }

  private:
    void move(Range range)
    {
        const Vec3 shift = random_vector(size_, generator_), turn = random_vector(size_, generator_);
        if (std::ranges::count(range.of(tied_), 1) > 0) return;
        Particles& p = writable(world_.particles);
        const Vec3 center = center_of_points(p, range).cast<Real>();
        const Real extent = std::max(extent_of(range.of(p.x), center), std::numeric_limits<Real>::min());
        for (int i = range.first; i < range.end(); ++i)
            p.put(i, p.x[i] + shift + turn.cross((p.x[i] - center) / extent));
    }

    double size_;
    std::mt19937_64 generator_;
    World& world_;
    std::vector<char> tied_;        // per particle: pinned or glued
    std::vector<char> tied_rigid_;  // per rigid body: the same
};

}  // namespace

void jitter(World& world, std::uint64_t seed)
{
    const Particles particles = world.particles;
    wake_all(world);
    const RigidBodies bodies = world.rigid_bodies;
    moved_by_hand(world);
    const std::size_t before = find_crossings(world).size();
    // try other and smaller shifts if bodies would collide; in the end none
    const double largest = largest_shift(world);
    for (int trial = 0; trial <= kTrials; ++trial) {
        const double size = trial < kTrials ? largest * std::ldexp(1.0, -trial / 8) : 0;
        Jitter start(size, seed + kSeedStep * static_cast<std::uint64_t>(trial), world);
        start.move();
        start.push();
        if (find_crossings(world).size() <= before) return;
        writable(world.particles) = particles;
        writable(world.rigid_bodies) = bodies;
    }
}

}  // namespace pliant
