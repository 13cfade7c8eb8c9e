// Pins, clamps, held bodies and grabs: what holds or moves bodies from outside.

#include "pliant/base/message.h"
#include "pliant/rods/frame.h"
#include "pliant/world/access.h"
#include "pliant/world/edits.h"
#include "pliant/world/internal.h"

#include <limits>
#include <type_traits>
#include <utility>

namespace pliant {

void clamp_rod(World& world, RodId id, int strand, RodEnd end, const Motion& motion)
{
    Rod& rod = writable(world.rods)[index_of(world, id, "clamp_rod")];
    check_hold(motion, -1, "clamp_rod");
    if (strand < 0 || strand >= rod.strands())
        throw InputError("clamp_rod: there is no strand " + std::to_string(strand) + "; the rod has " +
                         std::to_string(rod.strands()));
    if (rod.closed[strand] != 0)
        throw InputError("clamp_rod: strand " + std::to_string(strand) + " is a ring without ends");
    const int e = end == RodEnd::start ? rod.first_edge[strand] : rod.first_edge[strand + 1] - 1;
    const Rod::Edge& edge = rod.edges[e];
    const auto at = [&](int p) { return world.particles->x[rod.particles.first + p].cast<double>(); };
    RodTip tip;
    tip.edge = e;
    tip.end = end;
    tip.frame = frame_of(at(edge.p0), at(edge.p1), at(edge.ghost)).d;
    tip.motion = motion;
    rod.tips.push_back(tip);
    rod.revision.bump();
    pin_particles(world, std::vector{rod.particles.first + (end == RodEnd::start ? edge.p0 : edge.p1)}, motion);
}

void hold_rigid(World& world, RigidId id, const Motion& motion, double release)
{
    const int index = index_of(world, id, "hold_rigid");
    check_hold(motion, release, "hold_rigid");
    wake_around(world, index);
    std::vector<HeldRigid>& all = writable(world.drivers).held;
    std::erase_if(all, [&](const HeldRigid& held) { return held.body == index; });
    HeldRigid held;
    held.body = index;
    held.set_rest(world.rigid_bodies->pose[index]);
    held.motion = motion;
    held.release = release;
    writable(world.rigid_bodies).hold(index);
    all.push_back(std::move(held));
    if (!world.contact->on) writable(world.revisions).contact.bump();  // what hangs on it may touch what else does
}

void pin_particles(World& world, std::span<const int> particles, const Motion& motion, double release)
{
    check_hold(motion, release, "pin");
    PinnedSet set{.particles = {}, .rest = {}, .motion = motion, .release = release, .released = false};
    for (const int i : particles) {
        if (i < 0 || i >= world.particles->size()) {
            throw InputError("pin: there is no particle " + std::to_string(i) + "; the world has " +
                             std::to_string(world.particles->size()));
        }
        set.particles.push_back(i);
        set.rest.push_back(world.particles->position(i));
    }
    for (const int i : particles) {
        writable(world.particles).inv_mass[i] = 0;
        writable(world.particles).v[i] = Vec3{};
    }
    writable(world.drivers).pins.push_back(std::move(set));
}

namespace {

/// The pins of a cloth that is moved by hand; made when it is moved for the first time. It does not touch itself from then
/// on: no part of it could give way.
PinnedSet& pins_of_moved(World& world, ClothId id)
{
    const Range range = world.cloths[world.cloths.index(id)].particles;
    std::vector<PinnedSet>& pins = writable(world.drivers).pins;
    for (PinnedSet& set : pins)
        if (!set.goal.empty() && set.particles.front() == range.first) return set;
    for (PinnedSet& set : pins)
        for (std::size_t k = set.particles.size(); k-- > 0;)
            if (range.contains(set.particles[k])) {
                set.particles.erase(set.particles.begin() + static_cast<std::ptrdiff_t>(k));
                set.rest.erase(set.rest.begin() + static_cast<std::ptrdiff_t>(k));
            }
    std::erase_if(pins, [](const PinnedSet& set) { return set.particles.empty(); });
    std::vector<int> all;
    for (int i = range.first; i < range.end(); ++i) all.push_back(i);
    pin_particles(world, all);
    set_contact_filter(world, id, id, false);
    return writable(world.drivers).pins.back();
}

}  // namespace

void move_cloth(World& world, ClothId id, std::span<const Vec3d> positions, double arrival)
{
    const Cloth& cloth = world.cloths[index_of(world, id, "move_cloth")];
    const Range range = cloth.particles;
    if (positions.size() != static_cast<std::size_t>(range.count))
        throw InputError(message("move_cloth: there are {} positions for the {} particles of \"{}\"", positions.size(),
                                 range.count, cloth.name));
    check_positions(positions, "move_cloth");
    if (!(arrival > world.time) || !std::isfinite(arrival))
        throw InputError(message("move_cloth: arrival must be later than now, {} s, is {}", *world.time, arrival));
    PinnedSet& set = pins_of_moved(world, id);
    for (std::size_t k = 0; k < set.particles.size(); ++k) set.rest[k] = world.particles->position(set.particles[k]);
    set.goal.assign(positions.begin(), positions.end());
    set.departure = world.time;
    set.arrival = arrival;
}

std::vector<int> find_particles(const World& world, Range range, const Vec3d& low, const Vec3d& high)
{
    std::vector<int> found;
    for (int i = range.first; i < range.end(); ++i) {
        const Vec3d p = world.particles->x[i].cast<double>();
        if (p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y && p.z <= high.z)
            found.push_back(i);
    }
    return found;
}

namespace {

void check_grab(const Vec3& at, Real compliance)
{
    check_vector(at.cast<double>(), "add_grab");
    if (!(compliance >= 0) || !std::isfinite(compliance))
        throw InputError(message("add_grab: compliance must be at least 0, is {}", compliance));
}

GrabId grab_rigid(World& world, RigidId id, const Vec3& at, Real compliance)
{
    const int b = index_of(world, id, "add_grab");
    writable(world.rigid_bodies).wake(b);
    const RigidBodies& bodies = world.rigid_bodies;
    if (bodies.inv_mass[b] == 0) return {};
    const Vec3 arm = bodies.pose[b].rotation().transposed() * (at - bodies.pose[b].x);
    return Writable::append(world.grabs, Grab{-1, at, compliance, b, arm});
}

}  // namespace

GrabId add_grab(World& world, const BodyRef& body, int particle, const Vec3& at, Real compliance)
{
    check_grab(at, compliance);
    return std::visit(
        [&]<class Body>(Id<Body> id) -> GrabId {
            if constexpr (std::is_same_v<Body, Collider>) return {};
            else if constexpr (std::is_same_v<Body, Rigid>) return grab_rigid(world, id, at, compliance);
            else {
                const int i = detail::particle_of(world, id, particle, "add_grab");
                if (world.particles->inv_mass[i] == 0 || world.particles->is_ghost(i)) return {};
                return Writable::append(world.grabs, Grab{i, at, compliance});
            }
        },
        body);
}

GrabId add_grab(World& world, const Vec3& at, Real compliance)
{
    check_grab(at, compliance);
    const Particles& p = world.particles;
    int nearest = -1;
    Real best = std::numeric_limits<Real>::max();
    for (int i = 0; i < p.size(); ++i) {
        const Real d = (p.x[i] - at).squared_norm();
        if (p.inv_mass[i] == 0 || p.is_ghost(i) || d >= best) continue;
        best = d;
        nearest = i;
    }
    return nearest < 0 ? GrabId{} : Writable::append(world.grabs, Grab{nearest, at, compliance});
}

void move_grab(World& world, GrabId id, const Vec3& target)
{
    const int index = index_of(world, id, "move_grab");
    check_vector(target.cast<double>(), "move_grab");
    writable(world.grabs)[index].target = target;
}

void remove_grab(World& world, GrabId id) { Writable::erase(world.grabs, id); }

}  // namespace pliant
