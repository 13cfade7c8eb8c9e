#include "pliant/contact/rigid/rigid_contacts.h"

#include "pliant/base/parallel.h"
#include "pliant/state/mobility.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace pliant {

namespace {

constexpr int kMaxContacts = 48;
constexpr int kColliders = RigidContacts::kMaxColliders;
constexpr int kMaxSweeps = 200;
constexpr Real kConvergedPush =
    Real(1e-6);  // a sweep that changes no push by more than this part of the largest is the last
constexpr Real kOverRelaxation = Real(1.3);  // over-relaxation: a third of the sweeps, and so less creep

/// One contact in the small problem of its body. Displacements are those since the problem was posed.
struct CornerContact {
    Vec3 point, arm;        // of the world, from the centre of mass [m]
    Vec3 normal;            // of the collider
    Vec3 tangent[2];        // across it
    Vec3 slip;              // of the point against the collider in this substep so far [m]
    Vec3 carried;           // motion of the collider's surface in this substep [m]
    Real depth;             // inside the collider [m]
    Real mass;              // along the normal [kg]
    Real holding;           // mass along the tangent in which it gives way most easily [kg]
    Real friction, bounce;  // coefficients, the latter zero for slow impacts
    Real approach;          // normal velocity against the collider before the substep [m/s]
    Real push = 0;          // along the normal [kg m]
    int collider = -1;
    Real hold[2] = {0, 0};  // along the tangents [kg m]
};

/// A small motion of the body, and how it gives way.
class Response {
  public:
    Response(Real mass, const Mat3& inertia, const JointMobility* joints)
        : inv_mass(mass), inv_inertia(inertia), jointed(joints)
    {}

    Real inv_mass;
    Mat3 inv_inertia;
    const JointMobility* jointed = nullptr;
    Vec3 shift{}, turn{};
    Vec3 push{}, torque{};  // that have made them

    Vec3 at(const Vec3& arm) const { return shift + turn.cross(arm); }
    void apply(const Vec3& arm, const Vec3& p)
    {
        const Vec3 t = arm.cross(p);
        push += p;
        torque += t;
        shift += shift_of(p, t);
        turn += turn_of(p, t);
    }
    /// a . K b
    Real mobility(const Vec3& arm, const Vec3& a, const Vec3& b) const
    {
        const Vec3 t = arm.cross(b);
        if (jointed == nullptr) return inv_mass * a.dot(b) + arm.cross(a).dot(inv_inertia * t);
        return a.dot(shift_of(b, t)) + arm.cross(a).dot(turn_of(b, t));
    }
    /// The body alone; joints are solved after it.
    void move(Pose& pose) const
    {
        if (jointed == nullptr) move_pose(shift, turn, pose);
        else move_pose(inv_mass * push, jointed->turn_alone * torque, pose);
    }
    void clear() { shift = turn = push = torque = {}; }

  private:
    Vec3 shift_of(const Vec3& p, const Vec3& t) const
    {
        return jointed == nullptr ? inv_mass * p : jointed->shift_by_push * p + jointed->shift_by_torque * t;
    }
    Vec3 turn_of(const Vec3& p, const Vec3& t) const
    {
        return jointed == nullptr ? inv_inertia * t : jointed->turn_by_push * p + jointed->turn_by_torque * t;
    }
};

/// Two directions across a unit vector.
void find_tangents(const Vec3& n, Vec3 (&tangent)[2])
{
    const Real ax = std::abs(n.x), ay = std::abs(n.y), az = std::abs(n.z);
    const Vec3 e = ax <= ay && ax <= az ? Vec3{1, 0, 0} : ay <= az ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    tangent[0] = n.cross(e).normalized();
    tangent[1] = n.cross(tangent[0]);
}

/// The contacts of one body.
class Problem {
  public:
    Problem(int body, Real h, Real slow, const JointMobility* jointed, RigidBodies& bodies, Pose& predicted)
        : body_(body),
          h_(h),
          slow_(slow),
          bodies_(bodies),
          predicted_(predicted),
          shift_(shift_between(bodies.pose_prev[body], bodies.pose[body])),
          turn_(turn_between(bodies.pose_prev[body], bodies.pose[body])),
          response_{bodies.inv_mass[body], inverse_inertia_of(bodies, body), jointed}
    {}

    void add(const Touch& touch, const PlacedCollider& collider, int which, Real gap, const RigidContacts& before)
    {
        const ColliderPose& at = collider.pose;
        if (count_ == kMaxContacts) return;
        CornerContact& c = contacts_[static_cast<std::size_t>(count_++)];
        c = {};
        c.collider = which;
        c.point = touch.point;
        c.arm = touch.point - bodies_.pose[body_].x;
        c.normal = touch.normal;
        c.depth = touch.depth + gap;
        c.carried = is_still(at) ? Vec3{} : surface_motion(at, touch.point);
        c.slip = shift_ + turn_.cross(c.arm) - c.carried;
        // A gap that is zero but for rounding counts as zero, or the noise would shake bodies at rest.
        const Real moved = c.normal.dot(c.slip);
        const Real noise =
            8 * std::numeric_limits<Real>::epsilon() * (touch.point.norm() + bodies_.shape[body_].extent);
        if (std::abs(c.depth + moved) < noise) c.depth = -moved;
        const Real friction = bodies_.friction[body_], own = bodies_.restitution[body_];
        c.friction = friction >= 0 ? friction : collider.friction;
        const Vec3 v = before.v_before[body_] + before.w_before[body_].cross(c.arm) - c.carried / h_;
        c.approach = c.normal.dot(v);
        const Real restitution = own >= 0 ? own : collider.restitution;
        c.bounce = c.approach < -slow_ ? restitution : 0;
        weigh(c);
    }

    void solve(RigidContacts& out)
    {
        if (std::none_of(begin(), end(), [](const CornerContact& c) { return c.depth > 0; })) return;
        if (response_.jointed == nullptr) take_out();
        settle([&](CornerContact& c) {
            const Real pushed = push_out(c.depth, c);
            return std::max(pushed, hold_back(c));
        });
        response_.move(bodies_.pose[body_]);
        record(out);
    }

  private:
    CornerContact* begin() { return contacts_.data(); }
    CornerContact* end() { return begin() + count_; }

    void weigh(CornerContact& c) const
    {
        c.mass = 1 / response_.mobility(c.arm, c.normal, c.normal);
        find_tangents(c.normal, c.tangent);
        const Real xx = response_.mobility(c.arm, c.tangent[0], c.tangent[0]);
        const Real xy = response_.mobility(c.arm, c.tangent[0], c.tangent[1]);
        const Real yy = response_.mobility(c.arm, c.tangent[1], c.tangent[1]);
        const Real gap = (xx - yy) / 2;
        c.holding = 1 / ((xx + yy) / 2 + std::sqrt(gap * gap + xy * xy));
    }

    /// Moves the contact out of a depth. Returns by how much the push changed.
    Real push_out(Real depth, CornerContact& c)
    {
        const Real inside = depth - c.normal.dot(response_.at(c.arm));
        const Real change = std::max(-c.push, kOverRelaxation * c.mass * inside);
        c.push += change;
        response_.apply(c.arm, change * c.normal);
        return std::abs(change);
    }

    /// One mass for both tangents: with the matrix of their mobility, sliding friction would not be opposite to the slip.
    Real hold_back(CornerContact& c)
    {
        const Vec3 slip = c.slip + response_.at(c.arm);
        Real f0 = c.hold[0] - kOverRelaxation * c.holding * slip.dot(c.tangent[0]);
        Real f1 = c.hold[1] - kOverRelaxation * c.holding * slip.dot(c.tangent[1]);
        const Real most = c.friction * (1 + c.bounce) * c.push, length = std::sqrt(f0 * f0 + f1 * f1);
        if (length > most) {
            f0 *= most / length;
            f1 *= most / length;
        }
        const Real d0 = f0 - c.hold[0], d1 = f1 - c.hold[1];
        c.hold[0] = f0;
        c.hold[1] = f1;
        response_.apply(c.arm, d0 * c.tangent[0] + d1 * c.tangent[1]);
        return std::max(std::abs(d0), std::abs(d1));
    }

    /// Sweeps over the contacts; `project` returns by how much it changed a push.
    template <class Project>
    void settle(Project&& project)
    {
        for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
            Real change = 0, largest = 0;
            for (CornerContact* c = begin(); c != end(); ++c) {
                change = std::max(change, project(*c));
                largest = std::max(largest, c->push);
            }
            if (!(change > kConvergedPush * largest)) return;
        }
    }

    /// Penetration from before the substep is removed first: start and end are moved alike, so it adds no velocity.
    void take_out()
    {
        const auto depth_before = [](const CornerContact& c) {
            return std::min(c.depth, c.depth + c.normal.dot(c.slip));
        };
        if (std::none_of(begin(), end(), [&](const CornerContact& c) { return depth_before(c) > 0; })) return;
        settle([&](CornerContact& c) { return push_out(depth_before(c), c); });
        for (Pose* pose : {&bodies_.pose[body_], &bodies_.pose_prev[body_], &predicted_})
            move_pose(response_.shift, response_.turn, *pose);
        for (CornerContact* c = begin(); c != end(); ++c) {
            // Penetration that contradictory contacts leave is removed in the next substep.
            const Real before = depth_before(*c), moved = c->normal.dot(response_.at(c->arm));
            c->depth -= before > 0 ? std::max(before, moved) : moved;
            c->push = 0;
        }
        response_.clear();
    }

    static void note_push(const CornerContact& c, std::span<RigidTouch> touches)
    {
        for (RigidTouch& touch : touches) {
            if (touch.collider >= 0 && touch.collider != c.collider) continue;
            touch.collider = c.collider;
            touch.push += c.push;
            if (c.push > touch.strongest) {
                touch.strongest = c.push;
                touch.point = c.point;
                touch.normal = c.normal;
            }
            return;
        }
    }

    void record(RigidContacts& out)
    {
        int touching = 0;
        for (const CornerContact* c = begin(); c != end(); ++c) {
            touching += c->push > 0 ? 1 : 0;
            if (c->push > 0) note_push(*c, std::span(out.touches).subspan(body_ * kColliders, kColliders));
            // A corner that other contacts hold up bounces with them, even if it took no push itself.
            const Real gap = c->normal.dot(response_.at(c->arm)) - c->depth;
            const bool hit = c->push > 0 || gap < Real(-0.01) * h_ * c->approach;
            int& count = out.bounces[body_];
            if (!hit || c->bounce == 0 || count == RigidContacts::kMaxBounces) continue;
            out.bounce[body_ * RigidContacts::kMaxBounces + count++] = {c->point, c->normal, c->carried,
                                                                        -c->bounce * c->approach};
        }
        out.touching[body_] = std::max(out.touching[body_], touching);
    }

    int body_;
    Real h_, slow_;
    RigidBodies& bodies_;
    Pose& predicted_;
    Vec3 shift_, turn_;  // of the body in this substep so far
    Response response_;
    std::array<CornerContact, kMaxContacts> contacts_;
    int count_ = 0;
};

void bounce_body(int body, Real h, std::span<const Bounce> bounces, RigidBodies& bodies)
{
    std::array<Real, RigidContacts::kMaxBounces> impulse{};
    for (int sweep = 0; sweep < kMaxSweeps; ++sweep) {
        Real largest = 0, changed = 0;
        for (std::size_t k = 0; k < bounces.size(); ++k) {
            const Bounce& b = bounces[k];
            const Real leaving = b.normal.dot(velocity_at(bodies, body, b.point) - b.motion / h);
            const Real missing = (b.speed - leaving) / inverse_mass_at(bodies, body, b.point, b.normal);
            const Real change = std::max(-impulse[k], missing);
            impulse[k] += change;
            push_at(body, b.point, change * b.normal, bodies);
            largest = std::max(largest, impulse[k]);
            changed = std::max(changed, std::abs(change));
        }
        if (!(changed > kConvergedPush * largest)) return;
    }
}

}  // namespace

void begin_rigid_contacts(const RigidBodies& bodies, RigidContacts& contacts)
{
    contacts.v_before = bodies.v;
    contacts.w_before = bodies.w;
    contacts.touching.assign(bodies.pose.size(), 0);
    contacts.bounces.assign(bodies.pose.size(), 0);
    contacts.bounce.resize(RigidContacts::kMaxBounces * bodies.pose.size());
    contacts.touches.assign(RigidContacts::kMaxColliders * bodies.pose.size(), {});
    contacts.left_to_joints.assign(bodies.pose.size(), 0);
}

namespace {

void project_body(std::span<const PlacedCollider> colliders, Real h, Real slow, int i, const JointMobility* joints,
                  RigidBodies& bodies, std::vector<Pose>& predicted, RigidContacts& contacts)
{
    constexpr Real kMargin = Real(0.01);  // of the extent: what may come to touch while others are pushed
    Problem problem(i, h, slow, joints, bodies, predicted[i]);
    const Shape& shape = bodies.shape[i];
    const ShapePose pose{bodies.pose[i].rotation(), bodies.pose[i].x};
    const Real gap = contacts.gap.empty() ? 0 : contacts.gap[i], margin = kMargin * shape.extent + 2 * gap;
    for (const PlacedCollider& collider : colliders) {
        Touches touches;
        find_touches(shape, pose, collider.shape, collider.pose, margin, touches);
        const int which = static_cast<int>(&collider - colliders.data());
        for (const Touch& touch : touches) problem.add(touch, collider, which, gap, contacts);
    }
    problem.solve(contacts);
}

}  // namespace

void project_rigid_contacts(std::span<const PlacedCollider> colliders, Real h, Real slow, RigidBodies& bodies,
                            std::vector<Pose>& predicted, RigidContacts& contacts)
{
    if (colliders.empty()) return;
    constexpr int kGrain = 8;
    parallel_for(bodies.size(), kGrain, [&](int begin, int end) {
        for (int i = begin; i < end; ++i)
            if (contacts.jointed[i] != 0 && bodies.inv_mass[i] > 0 && contacts.left_to_joints[i] == 0)
                project_body(colliders, h, slow, i, nullptr, bodies, predicted, contacts);
    });
}

bool touches_collider(std::span<const PlacedCollider> colliders, int body, const RigidBodies& bodies,
                      const RigidContacts& contacts)
{
    const ShapePose pose{bodies.pose[body].rotation(), bodies.pose[body].x};
    const Real gap = contacts.gap.empty() ? 0 : contacts.gap[body];
    return std::ranges::any_of(colliders, [&](const PlacedCollider& collider) {
        Touches touches;
        find_touches(bodies.shape[body], pose, collider.shape, collider.pose, gap, touches);
        return std::ranges::any_of(touches, [&](const Touch& touch) { return touch.depth + gap > 0; });
    });
}

void project_jointed_contacts(std::span<const PlacedCollider> colliders, Real h, Real slow, int body,
                              const JointMobility& joints, RigidBodies& bodies, std::vector<Pose>& predicted,
                              RigidContacts& contacts)
{
    project_body(colliders, h, slow, body, &joints, bodies, predicted, contacts);
}

void apply_rigid_restitution(Real h, const RigidContacts& contacts, RigidBodies& bodies)
{
    for (int i = 0; i < bodies.size(); ++i) {
        if (contacts.bounces[i] == 0) continue;
        const auto first = static_cast<std::size_t>(i * RigidContacts::kMaxBounces);
        bounce_body(i, h, std::span(contacts.bounce).subspan(first, static_cast<std::size_t>(contacts.bounces[i])),
                    bodies);
    }
}

int count_contacts(const RigidContacts& contacts)
{
    return std::accumulate(contacts.touching.begin(), contacts.touching.end(), 0);
}

}  // namespace pliant
