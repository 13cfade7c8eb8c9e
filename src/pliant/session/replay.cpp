#include "pliant/session/replay.h"

#include "pliant/base/check.h"
#include "pliant/session/parameters.h"
#include "pliant/world/queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pliant {

namespace {

constexpr std::size_t kMostKeyframes = 24;

BodyRef find_body(const World& world, const std::string& name)
{
    for (const BodyRef& body : list_bodies(world))
        if (name_of(world, body) == name) return body;
    throw InputError(fmt::format("the recording holds \"{}\", which is not in its scene", name));
}

}  // namespace

Replay::Replay(Recording recording) : recording_(std::move(recording)), session_(recording_.scene, recording_.unit)
{
    keep();
    compare();
}

void Replay::apply(const Input& input)
{
    if (const auto* set = std::get_if<SetInput>(&input.what)) return session_.set(set->path, set->value);
    if (const auto* release = std::get_if<ReleaseInput>(&input.what)) return session_.release(release->hand);
    const auto& grab = std::get<GrabInput>(input.what);
    const Vec3d at = Vec3d{double(grab.at[0]), double(grab.at[1]), double(grab.at[2])} * recording_.unit;
    const int hand = session_.grab(find_body(session_.world(), grab.body), grab.particle, at, grab.compliance);
    if (hand != grab.hand)
        throw InputError(fmt::format("frame {}: hand {} of the recording finds no hold on \"{}\"", input.frame,
                                     grab.hand, grab.body));
}

void Replay::move_hands()
{
    for (std::size_t i = 0; i < next_input_; ++i) {
        const auto* grab = std::get_if<GrabInput>(&recording_.inputs[i].what);
        if (grab == nullptr) continue;
        const auto k = static_cast<std::size_t>(session_.frame() - recording_.inputs[i].frame);
        if (k >= grab->path.size()) continue;  // it has let go
        const GridPoint& p = grab->path[k];
        session_.drag(grab->hand, Vec3d{double(p[0]), double(p[1]), double(p[2])} * recording_.unit);
    }
}

Replay::Result Replay::compare()
{
    const int frame = session_.frame();
    const std::uint64_t hash = session_.hash();
    const bool last = frame == frames();
    const std::uint64_t recorded = last ? recording_.last_hash : recording_.hashes[static_cast<std::size_t>(frame)];
    const bool equal = last ? hash == recorded : (hash & kHashMask) == (recorded & kHashMask);
    if (!equal && (difference_ < 0 || frame < difference_)) difference_ = frame;
    return {frame, hash, recorded, equal};
}

void Replay::keep()
{
    const int frame = session_.frame();
    if (frame % interval_ != 0 || keyframes_.contains(frame)) return;
    keyframes_.emplace(frame, Keyframe{session_.save(), next_input_});
    if (keyframes_.size() <= kMostKeyframes) return;
    interval_ *= 2;
    std::erase_if(keyframes_, [&](const auto& entry) {
        const bool goes = entry.first % interval_ != 0;
        if (goes) session_.forget(entry.second.snapshot);
        return goes;
    });
}

std::optional<Replay::Result> Replay::step()
{
    if (session_.frame() >= frames()) return std::nullopt;
    for (; next_input_ < recording_.inputs.size() && recording_.inputs[next_input_].frame <= session_.frame();
         ++next_input_)
        apply(recording_.inputs[next_input_]);
    move_hands();
    session_.step();
    keep();
    return compare();
}

void Replay::seek(int frame)
{
    const int goal = std::clamp(frame, 0, frames());
    const auto nearest = std::prev(keyframes_.upper_bound(goal));
    if (session_.frame() > goal || session_.frame() < nearest->first) {
        session_.restore(nearest->second.snapshot);
        next_input_ = nearest->second.next_input;
    }
    while (session_.frame() < goal && step()) {}
}

}  // namespace pliant
