#include "pliant/solver/sleeping.h"

#include "pliant/contact/colliders/colliders.h"
#include "pliant/geometry/convex.h"
#include "pliant/state/writable.h"
#include "pliant/world/bodies.h"
#include "pliant/world/contact_surface.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr Real kRestTime = Real(0.5);  // [s]
constexpr double kRestMotion = 5e-4;   // a body at rest stays within this part of its size
constexpr double kMargin = 0.02;       // of its size: bodies that are nearer belong together
constexpr double kRebound = 2;         // a body may leave one that hits it at this many times its speed
constexpr double kEverywhere = 1e9;    // [m]
constexpr double kSupported = 4;       // times kRestMotion that gravity would have moved a body

/// Whether a keyed motion does anything from one time to another.
bool moves(const Motion& motion, double from, double to)
{
    if (motion.keys.empty()) return false;
    const RigidMap a = motion_at(motion, from), b = motion_at(motion, to);
    return a.shift != b.shift || a.rotation.c[0] != b.rotation.c[0] || a.rotation.c[1] != b.rotation.c[1];
}

bool is_driven(const HeldRigid& held, double from, double to)
{
    if (held.released) return false;
    return (held.release >= 0 && to >= held.release) || moves(held.motion, from, to);
}

class Neighbours {
  public:
    Neighbours(Real dt, World& world, Sleeping& s)
        : dt_(static_cast<double>(dt)),
          fall_(dt_ * dt_ * static_cast<double>(world.forces->gravity.norm())),
          world_(world),
          bodies_(*world.rigid_bodies),
          bodies_touch_(may_touch(world)),
          s_(s)
    {}

    /// All that may move, and all that sleeps.
    void gather()
    {
        s_.nodes.clear();
        mark_tied();
        for (int i = 0; i < bodies_.size(); ++i)
            if (bodies_.inv_mass[i] > 0 || bodies_.is_asleep(i)) add_rigid(i);
        for (const HeldRigid& held : world_.drivers->held)
            if (is_driven(held, world_.time, world_.time + dt_)) add_driven(held);
        for (const Collider& collider : world_.colliders)
            if (moves(collider.motion, world_.time, world_.time + dt_)) add_collider(collider);
        if (!bodies_touch_) return;
        for_each_body(world_, [&](const auto& body) {
            if (const Range particles = particles_of(body); particles.count > 0) add_soft(particles);
        });
    }

    /// Islands of what may meet. Whatever is hit within the frame may be as fast as what hits it.
    void find_islands()
    {
        constexpr int kMaxRounds = 4;
        s_.root.resize(s_.nodes.size());
        for (std::size_t i = 0; i < s_.nodes.size(); ++i) s_.root[i] = static_cast<int>(i);
        std::size_t before = 0;
        for (int round = 0; round < kMaxRounds; ++round) {
            find_near();
            if (round > 0 && s_.near.size() == before) return;
            before = s_.near.size();
            for (const auto& [a, b] : s_.near) join(a, b);
            if (!spread_margins()) return;
        }
    }

    int root_of(int i) const
    {
        while (s_.root[i] != i) i = s_.root[i] = s_.root[s_.root[i]];
        return i;
    }

  private:
    void mark_tied()
    {
        s_.tied.assign(bodies_.pose.size(), 0);
        for (const Glue& glue : world_.glues)
            for (const Anchor* anchor : {&glue.a, &glue.b})
                if (anchor->body >= 0) s_.tied[anchor->body] = 1;
        for (const Grab& grab : world_.grabs)
            if (grab.rigid >= 0) s_.tied[grab.rigid] = 1;
    }
    double way_of(int i) const
    {
        const auto reach = static_cast<double>(bodies_.shape[i].extent);
        const double speed =
            static_cast<double>(bodies_.v[i].norm()) + reach * static_cast<double>(bodies_.w[i].norm());
        return dt_ * speed + fall_;
    }
    Box3 box_of(int i) const
    {
        return box_around({&bodies_.shape[i], exact_rotation(bodies_.pose[i]), exact_position(bodies_.pose[i])});
    }
    void add_rigid(int i)
    {
        const double margin = kMargin * static_cast<double>(bodies_.shape[i].extent);
        s_.nodes.push_back({box_of(i), margin + (bodies_.is_asleep(i) ? 0 : way_of(i)), i, s_.tied[i] == 0});
    }
    void add_driven(const HeldRigid& held)
    {
        const RigidMap map = motion_at(held.motion, world_.time + dt_);
        const Pose goal = pose_of(map(held.x), map.rotation * held.rotation);
        const Pose& now = bodies_.pose[held.body];
        const auto reach = static_cast<double>(bodies_.shape[held.body].extent);
        const double way = static_cast<double>(shift_between(now, goal).norm()) +
                           reach * static_cast<double>(turn_between(now, goal).norm());
        s_.nodes.push_back({box_of(held.body), kMargin * reach + way + fall_, -1, false});
    }
    void add_collider(const Collider& collider)
    {
        const PlacedCollider placed = place_collider(collider, world_.time + dt_, world_.time);
        const bool bounded = placed.shape.kind != Shape::Kind::plane && placed.shape.kind != Shape::Kind::mesh;
        const Vec3d all{kEverywhere, kEverywhere, kEverywhere};
        Sleeping::Node node{{-all, all}, 0, -1, false};
        if (bounded) {
            const ShapePose& pose = placed.pose;
            node.box = box_around({&placed.shape, pose.rotation.cast<double>(), pose.position.cast<double>()});
            for (int k = 0; k < 8; ++k) {
                const Vec3 corner =
                    node.box.center().cast<Real>() + corner_of_box((0.5 * node.box.extent()).cast<Real>(), k);
                node.margin = std::max(node.margin, static_cast<double>(surface_motion(placed.pose, corner).norm()));
            }
            node.margin += kMargin * node.box.extent().norm();
        }
        s_.nodes.push_back(node);
    }
    void add_soft(Range range)
    {
        const Particles& p = *world_.particles;
        const Vec3d first = p.x[range.first].cast<double>();
        Sleeping::Node node{{first, first}, 0, -1, false};
        Real speed = 0, radius = 0;
        for (int i = range.first; i < range.end(); ++i) {
            for (int k = 0; k < 3; ++k) {
                node.box.low[k] = std::min(node.box.low[k], static_cast<double>(p.x[i][k]));
                node.box.high[k] = std::max(node.box.high[k], static_cast<double>(p.x[i][k]));
            }
            speed = std::max(speed, p.v[i].squared_norm());
            radius = std::max(radius, p.radius[i]);
        }
        node.margin = dt_ * std::sqrt(static_cast<double>(speed)) + fall_ + 2 * static_cast<double>(radius);
        s_.nodes.push_back(node);
    }

    void join(int a, int b)
    {
        const int ra = root_of(a), rb = root_of(b);
        s_.root[std::max(ra, rb)] = std::min(ra, rb);
    }

    /// Sweep and prune along the axis on which the boxes are spread most.
    void find_near()
    {
        s_.near.clear();
        s_.order.clear();
        const int axis = widest_axis();
        for (int i = 0; i < static_cast<int>(s_.nodes.size()); ++i) {
            const Sleeping::Node& node = s_.nodes[i];
            s_.order.push_back({node.box.low[axis] - node.margin, node.box.high[axis] + node.margin, i});
        }
        std::ranges::sort(
            s_.order, [](const auto& a, const auto& b) { return a.low != b.low ? a.low < b.low : a.node < b.node; });
        for (std::size_t i = 0; i < s_.order.size(); ++i)
            for (std::size_t k = i + 1; k < s_.order.size() && s_.order[k].low <= s_.order[i].high; ++k)
                if (may_meet(s_.order[i].node, s_.order[k].node))
                    s_.near.emplace_back(s_.order[i].node, s_.order[k].node);
    }
    int widest_axis() const
    {
        Vec3d low{1e300, 1e300, 1e300}, high = -low;
        for (const Sleeping::Node& node : s_.nodes)
            for (int k = 0; k < 3; ++k) {
                low[k] = std::min(low[k], node.box.center()[k]);
                high[k] = std::max(high[k], node.box.center()[k]);
            }
        const Vec3d wide = high - low;
        return wide.x >= wide.y && wide.x >= wide.z ? 0 : wide.y >= wide.z ? 1 : 2;
    }
    bool may_meet(int a, int b) const
    {
        const Sleeping::Node &na = s_.nodes[a], &nb = s_.nodes[b];
        // without contact between bodies, only what is driven from outside reaches them
        if (!bodies_touch_ && na.body >= 0 && nb.body >= 0) return false;
        const double reach = na.margin + nb.margin;
        for (int k = 0; k < 3; ++k)
            if (na.box.low[k] - reach > nb.box.high[k] || nb.box.low[k] - reach > na.box.high[k]) return false;
        return true;
    }

    /// Returns whether one has changed.
    bool spread_margins()
    {
        s_.fastest.assign(s_.nodes.size(), 0);
        for (int i = 0; i < static_cast<int>(s_.nodes.size()); ++i)
            s_.fastest[root_of(i)] = std::max(s_.fastest[root_of(i)], way_of_node(i));
        bool changed = false;
        for (int i = 0; i < static_cast<int>(s_.nodes.size()); ++i) {
            Sleeping::Node& node = s_.nodes[i];
            if (node.body < 0 || root_of(i) == i) continue;
            const double margin = kRebound * s_.fastest[root_of(i)];
            if (!(margin > node.margin)) continue;
            node.margin = margin;
            changed = true;
        }
        return changed;
    }
    double way_of_node(int i) const
    {
        const Sleeping::Node& node = s_.nodes[i];
        if (node.body < 0) return std::min(node.margin, kEverywhere);
        return bodies_.is_asleep(node.body) ? 0 : way_of(node.body);
    }

    double dt_, fall_;  // fall_: how far gravity moves a body in the frame [m]
    const World& world_;
    const RigidBodies& bodies_;
    bool bodies_touch_;
    Sleeping& s_;
};

/// How long bodies have stayed where they are.
void update_rest(Real dt, RigidBodies& bodies)
{
    for (int i = 0; i < bodies.size(); ++i) {
        if (bodies.inv_mass[i] == 0) continue;
        const Pose &from = bodies.rest_pose[i], &to = bodies.pose[i];
        const auto reach = static_cast<double>(bodies.shape[i].extent);
        const double moved = static_cast<double>(shift_between(from, to).norm()) +
                             reach * static_cast<double>(turn_between(from, to).norm());
        if (moved <= kRestMotion * reach) {
            bodies.rest_time[i] += dt;
        } else {
            bodies.rest_time[i] = 0;
            bodies.rest_pose[i] = to;
        }
    }
}

bool has_rested(const Forces& forces, const RigidBodies& bodies, int i)
{
    if (bodies.rest_time[i] < kRestTime) return false;
    if (bodies.v[i] == Vec3{} && bodies.w[i] == Vec3{}) return true;
    const double fallen = 0.5 * static_cast<double>(forces.gravity.norm() * kRestTime * kRestTime);
    return fallen > kSupported * kRestMotion * static_cast<double>(bodies.shape[i].extent);
}

}  // namespace

bool is_at_rest(const World& world, Real dt)
{
    const RigidBodies& bodies = *world.rigid_bodies;
    if (world.particles->size() > 0 || !world.glues.empty() || !world.grabs.empty()) return false;
    if (!world.applied_forces->empty() || bodies.size() == 0) return false;
    const double from = world.time, to = from + static_cast<double>(dt);
    for (int i = 0; i < bodies.size(); ++i)
        if (bodies.inv_mass[i] > 0) return false;
    for (const HeldRigid& held : world.drivers->held)
        if (is_driven(held, from, to) || bodies.v[held.body] != Vec3{} || bodies.w[held.body] != Vec3{}) return false;
    return std::ranges::none_of(world.colliders, [&](const Collider& c) { return moves(c.motion, from, to); }) &&
           count_asleep(bodies) > 0;
}

int count_asleep(const RigidBodies& bodies)
{
    return static_cast<int>(std::ranges::count_if(bodies.asleep, [](int island) { return island >= 0; }));
}

void wake_bodies(Real dt, World& world, Sleeping& s)
{
    RigidBodies& bodies = writable(world.rigid_bodies);
    if (count_asleep(bodies) == 0) return;
    if (!world.settings->sleeping) {
        for (int i = 0; i < bodies.size(); ++i) bodies.wake(i);
        return;
    }
    Neighbours neighbours(dt, world, s);
    neighbours.gather();
    neighbours.find_islands();
    std::vector<char>& stirred = s.stays_awake;
    stirred.assign(s.nodes.size(), 0);
    const auto sleeps = [&](const Sleeping::Node& node) { return node.body >= 0 && bodies.is_asleep(node.body); };
    for (int i = 0; i < static_cast<int>(s.nodes.size()); ++i)
        if (!sleeps(s.nodes[i]) || !s.nodes[i].may_rest) stirred[neighbours.root_of(i)] = 1;
    for (int i = 0; i < static_cast<int>(s.nodes.size()); ++i)
        if (stirred[neighbours.root_of(i)] != 0 && sleeps(s.nodes[i])) bodies.wake(s.nodes[i].body);
}

void put_to_sleep(Real dt, World& world, Sleeping& s)
{
    RigidBodies& bodies = writable(world.rigid_bodies);
    update_rest(dt, bodies);
    if (!world.settings->sleeping) return;
    const auto rested = [&](int i) { return bodies.inv_mass[i] > 0 && has_rested(world.forces, bodies, i); };
    bool any = false;
    for (int i = 0; i < bodies.size(); ++i) any = any || rested(i);
    if (!any) return;
    Neighbours neighbours(dt, world, s);
    neighbours.gather();
    neighbours.find_islands();
    s.stays_awake.assign(s.nodes.size(), 0);
    for (int i = 0; i < static_cast<int>(s.nodes.size()); ++i) {
        const Sleeping::Node& node = s.nodes[i];
        const bool rests = node.body >= 0 && node.may_rest && (bodies.is_asleep(node.body) || rested(node.body));
        if (!rests) s.stays_awake[neighbours.root_of(i)] = 1;
    }
    for (int i = 0; i < static_cast<int>(s.nodes.size()); ++i) {
        const int root = neighbours.root_of(i);
        if (s.stays_awake[root] != 0) continue;
        // what slept in the neighbourhood already sleeps with them from now on
        bodies.sleep(s.nodes[i].body, s.nodes[root].body);
    }
}

}  // namespace pliant
