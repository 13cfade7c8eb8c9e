#include "pliant/session/session.h"

#include "pliant/base/check.h"
#include "pliant/contact/pairs/crossings.h"
#include "pliant/report/stats.h"
#include "pliant/session/parameters.h"
#include "pliant/world/access.h"
#include "pliant/world/current_surface.h"
#include "pliant/world/edits.h"
#include "pliant/world/measure.h"
#include "pliant/world/queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace pliant {

namespace {

constexpr std::size_t kHandSize = 8;  // particles of a solid that a hand holds

Scene read(const SceneText& text)
{
    const UseFiles scope(text.files);
    return read_scene_text(text.text, text.source, ".", text.sets);
}

/// A power of two that splits what is there into some ten thousand parts [m].
double grid_of(const World& world)
{
    double extent = 0;
    const auto widen = [&](const Box3& box) { extent = std::max(extent, (box.high - box.low).norm()); };
    for_each_body(world, [&](const auto& body) { widen(current_bounds(world, body)); });
    const double size = std::isfinite(extent) && extent > 0 ? extent : 1;
    return std::exp2(std::floor(std::log2(size))) / 8192;
}

double mass_of(const World& world, const BodyRef& body)
{
    return std::visit(
        [&]<class Body>(Id<Body> id) {
            if constexpr (std::is_same_v<Body, Collider>) return 1.0;
            else if constexpr (std::is_same_v<Body, Rigid>) return get(world, id).properties.mass;
            else {
                double mass = 0;
                for (const Real m : get(world, id).particles.of(world.particles->mass)) mass += static_cast<double>(m);
                return mass;
            }
        },
        body);
}

/// A spring on which the whole body would swing three times a second.
double hand_compliance(double mass)
{
    constexpr double kRate = 2 * 3.14159265358979 * 3;  // [rad/s]
    return 1 / (std::max(mass, 1e-9) * kRate * kRate);
}

/// The particles of a solid around one of them, that one first; of other bodies that one alone.
std::vector<int> held_particles(const World& world, const BodyRef& body, int particle)
{
    const auto* id = std::get_if<SolidId>(&body);
    if (id == nullptr) return {particle};
    const std::span<const Vec3> x = positions(world, *id);
    if (particle < 0 || particle >= static_cast<int>(x.size())) return {particle};
    std::vector<int> order(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) order[i] = static_cast<int>(i);
    const auto distance = [&](int i) { return std::pair((x[i] - x[particle]).squared_norm(), i); };
    const std::size_t count = std::min(kHandSize, order.size());
    std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(count), {}, distance);
    order.resize(count);
    return order;
}

/// Names of all bodies, and how much there is of each.
std::vector<std::pair<std::string, int>> bodies_in(const World& world)
{
    std::vector<std::pair<std::string, int>> list;
    for_each_body(world, [&](const auto& body) {
        if constexpr (requires { body.particles; }) list.emplace_back(body.name, body.particles.count);
        else list.emplace_back(body.name, 0);
    });
    return list;
}

Vec3 position_of(const World& world, const Grab& grab)
{
    if (grab.rigid < 0) return world.particles->x[grab.particle];
    const Pose& pose = world.rigid_bodies->pose[grab.rigid];
    return pose.x + pose.rotation() * grab.arm;
}

}  // namespace

Session::Session(SceneText text, double unit) : text_(std::move(text)), scene_(read(text_))
{
    warnings_ = find_warnings(scene_);
    start_.world = std::exchange(scene_.world, World{});
    start_.hashes = {hash_state(start_.world)};
    unit_ = unit > 0 ? unit : grid_of(start_.world);
    solver_.profile.on = true;
    solver_.report_contacts = true;
    restart();
}

void Session::restart()
{
    state_ = start_;
    report_ = {};
    step_ms_ = 0;
    solver_.profile.clear();
    watch_.emplace(state_.world);
}

void Session::reset() { restart(); }

std::uint64_t Session::hash() const { return hash_state(state_.world); }

std::string Session::step()
{
    using Clock = std::chrono::steady_clock;
    for (auto& [number, hand] : state_.hands) {
        auto& grab = std::get<GrabInput>(state_.inputs[hand.input].what);
        grab.path.push_back(hand.place);
    }
    animate(scene_.animations, state_.world);
    solver_.profile.clear();
    const Clock::time_point start = Clock::now();
    report_ = solver_.step(state_.world);
    step_ms_ = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    ++state_.frame;
    state_.hashes.push_back(hash());
    return report_.trouble ? fmt::format("frame {}: {}", state_.frame, report_.trouble.text) : std::string();
}

std::string Session::stats()
{
    FrameCost cost{
        step_ms_,       solver_.profile,          report_.contacts, solver_.count_intersections(state_.world),
        report_.events, report_.feature_contacts, report_.effort};
    return write_frame_stats(state_.frame, state_.world, cost, watch_->look(state_.frame, state_.world));
}

GridPoint Session::on_grid(const Vec3d& place) const
{
    constexpr double kFarthest = 1 << 23;  // units: beyond, float could not tell them apart
    GridPoint point{};
    for (int i = 0; i < 3; ++i) {
        if (!std::isfinite(place[i])) throw InputError("a hand must be at a finite place");
        point[static_cast<std::size_t>(i)] = std::llround(std::clamp(place[i] / unit_, -kFarthest, kFarthest));
    }
    return point;
}

Vec3 Session::place_of(const GridPoint& place) const
{
    return Vec3d{static_cast<double>(place[0]) * unit_, static_cast<double>(place[1]) * unit_,
                 static_cast<double>(place[2]) * unit_}
        .cast<Real>();
}

template <class What>
void Session::note(What what)
{
    Input& input = state_.inputs.emplace_back();
    input.frame = state_.frame;
    input.what.emplace<What>(std::move(what));
}

Session::Hand& Session::hand(int number)
{
    const auto found = state_.hands.find(number);
    if (found == state_.hands.end()) throw InputError(fmt::format("there is no hand {}; it has let go", number));
    return found->second;
}

int Session::grab(const BodyRef& body, int particle, const Vec3d& at, double compliance)
{
    World& world = state_.world;
    if (compliance < 0) compliance = hand_compliance(mass_of(world, body));
    Hand hand;
    hand.place = on_grid(at);
    const Vec3 place = place_of(hand.place);
    const std::vector<int> particles = held_particles(world, body, particle);
    const auto each = static_cast<Real>(compliance * static_cast<double>(particles.size()));
    for (const int i : particles) {
        const GrabId id = add_grab(world, body, i, place, each);
        const Grab* grab = world.grabs.find(id);
        if (grab == nullptr) continue;
        hand.grabs.push_back(id);
        hand.offset.push_back(position_of(world, *grab) - place);
    }
    if (hand.grabs.empty()) return 0;
    for (std::size_t k = 0; k < hand.grabs.size(); ++k) move_grab(world, hand.grabs[k], place + hand.offset[k]);
    const int number = state_.next_hand++;
    hand.input = state_.inputs.size();
    note(GrabInput{number, name_of(world, body), particle, hand.place, compliance, {}});
    state_.hands.emplace(number, std::move(hand));
    return number;
}

void Session::drag(int number, const Vec3d& target)
{
    Hand& held = hand(number);
    held.place = on_grid(target);
    const Vec3 place = place_of(held.place);
    for (std::size_t k = 0; k < held.grabs.size(); ++k) move_grab(state_.world, held.grabs[k], place + held.offset[k]);
}

void Session::release(int number)
{
    for (const GrabId id : hand(number).grabs) remove_grab(state_.world, id);
    state_.hands.erase(number);
    note(ReleaseInput{number});
}

void Session::set(const std::string& path, const std::string& value)
{
    set_parameter(state_.world, path, value);
    note(SetInput{path, value});
}

int Session::save()
{
    snapshots_.emplace(next_snapshot_, state_);
    return next_snapshot_++;
}

void Session::restore(int snapshot)
{
    const auto found = snapshots_.find(snapshot);
    if (found == snapshots_.end()) throw InputError(fmt::format("there is no snapshot {}", snapshot));
    state_ = found->second;
}

void Session::open_snapshot(std::string_view bytes)
{
    State opened{.world = read_snapshot(bytes), .hands = {}, .inputs = {}, .hashes = {}, .from_outside = true};
    if (bodies_in(opened.world) != bodies_in(start_.world))
        throw InputError(fmt::format("the snapshot has other bodies than {}; load its own scene first", text_.source));
    opened.frame = static_cast<int>(std::lround(opened.world.time / static_cast<double>(opened.world.settings->dt)));
    state_ = std::move(opened);
}

Recording Session::recording() const
{
    if (state_.from_outside)
        throw InputError("what was done before the snapshot is not known here; a recording begins with a reset");
    return {text_, unit_, state_.inputs, state_.hashes, state_.hashes.back()};
}

}  // namespace pliant
