#include "pliant/files/gltf_clip.h"

#include "pliant/files/text_reader.h"
#include "pliant/json/nearest_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

constexpr std::uint64_t kMostKeyed = 10'000'000;  // numbers in all keys, or as many as the file has bytes

/// w last, as the format has it.
Quatd turn_in(std::span<const double> v)
{
    const Quatd q{v[3], {v[0], v[1], v[2]}};
    return q.dot(q) > 0 ? normalized(q) : Quatd{};
}

/// Of three numbers.
Vec3d vector_in(const std::vector<double>& v) { return {v[0], v[1], v[2]}; }

}  // namespace

GltfClip::GltfClip(GltfDocument& document, const GltfNodes& nodes, const std::string& name) : document_(document)
{
    const Json& entry = find(name);
    const Json* samplers = document_.list(entry, "samplers");
    const Json* channels = document_.list(entry, "channels");
    if (samplers == nullptr || channels == nullptr) fail("has no \"samplers\" or no \"channels\"; export it again");
    first_ = std::numeric_limits<double>::infinity();
    last_ = 0;
    for (const Json& channel : *channels) {
        if (!channel.is_object()) fail("has a channel that is not an object; export it again");
        add_channel(channel, *samplers, nodes);
    }
    if (channels_.empty()) fail("moves no node; export the animation of the body too");
}

void GltfClip::fail(const std::string& problem) const
{
    document_.fail(fmt::format("the animation {} {}", pliant::quoted(name_), problem));
}

const Json& GltfClip::find(const std::string& name)
{
    const Json* clips = document_.list(document_.root(), "animations");
    if (clips == nullptr || clips->empty())
        document_.fail("there is no animation in the file; export it with its animation");
    std::vector<std::string> names;
    for (std::size_t i = 0; i < clips->size(); ++i) {
        const Json& clip = document_.element("animations", i, "animation");
        names.push_back(document_.text(clip, "name"));
        if (!name.empty() && names.back() != name) continue;
        name_ = names.back();
        return clip;
    }
    document_.fail(fmt::format("there is no animation {}{}", pliant::quoted(name), suggest_name(name, names)));
}

void GltfClip::add_channel(const Json& entry, const Json& samplers, const GltfNodes& nodes)
{
    const auto target = entry.find("target");
    if (target == entry.end() || !target->is_object()) fail("has a channel without a \"target\"; export it again");
    const std::string path = document_.text(*target, "path");
    Channel channel;
    if (path == "translation") channel.path = Path::translation;
    else if (path == "rotation") channel.path = Path::rotation;
    else if (path == "scale") channel.path = Path::scale;
    else if (path == "weights") channel.path = Path::weights;
    else return;  // of an extension, and no place
    if (!target->contains("node")) return;
    channel.node = document_.whole_number(*target, "node");
    document_.element("nodes", channel.node, "node");
    const GltfNodePose& rest = nodes.at_rest()[channel.node];
    if (rest.matrix && channel.path != Path::weights)
        fail(fmt::format("moves node {}, which has a \"matrix\"; export it with translation, rotation and scale",
                         channel.node));
    channel.width = channel.path == Path::weights ? rest.weights.size() : channel.path == Path::rotation ? 4 : 3;

    const std::uint64_t index = document_.whole_number(entry, "sampler");
    if (index >= samplers.size() || !samplers[index].is_object())
        fail(fmt::format("has no sampler {}; export it again", index));
    const Json& sampler = samplers[index];
    const std::string between = sampler.contains("interpolation") ? document_.text(sampler, "interpolation") : "LINEAR";
    if (between == "STEP") channel.between = Between::step;
    else if (between == "CUBICSPLINE") channel.between = Between::cubic;
    else if (between != "LINEAR") fail(fmt::format("has the unknown \"interpolation\" {}", pliant::quoted(between)));
    channel.times = read_times(document_.whole_number(sampler, "input"));
    channel.values = read(document_.whole_number(sampler, "output"), channel.path == Path::weights ? 1 : channel.width);
    check(channel);
    first_ = std::min(first_, channel.times->front());
    last_ = std::max(last_, channel.times->back());
    channels_.push_back(std::move(channel));
}

/// Channels may share an accessor, but then they say the same of it.
GltfClip::Values GltfClip::read(std::uint64_t accessor, std::size_t components)
{
    const auto known = read_.find(accessor);
    if (known != read_.end()) return known->second;
    auto values = std::make_shared<const std::vector<double>>(document_.read_accessor(accessor, components));
    numbers_ += values->size();
    if (numbers_ > std::max(kMostKeyed, document_.bytes_read())) fail("has too many keys; use a point cache (.pc2)");
    for (std::size_t i = 0; i < values->size(); ++i)
        if (!std::isfinite((*values)[i]))
            fail(fmt::format("has the number {} in element {} of accessor {}; repair it", (*values)[i], i / components,
                             accessor));
    return read_[accessor] = values;
}

GltfClip::Values GltfClip::read_times(std::uint64_t accessor)
{
    const bool known = read_.contains(accessor);
    const Values times = read(accessor, 1);
    if (times->empty()) fail(fmt::format("has no keys in accessor {}; export it again", accessor));
    for (std::size_t i = 1; !known && i < times->size(); ++i)
        if (!((*times)[i] > (*times)[i - 1]))
            fail(fmt::format("has key {} of accessor {} at {} s, not after the key before it; repair it", i, accessor,
                             (*times)[i]));
    return times;
}

void GltfClip::check(const Channel& channel) const
{
    const std::size_t keys = channel.times->size();
    const std::size_t wanted = keys * channel.width * (channel.between == Between::cubic ? 3 : 1);
    if (channel.values->size() != wanted)
        fail(fmt::format("has {} numbers for {} keys of node {}, not {}; export it again", channel.values->size(), keys,
                         channel.node, wanted));
    if (channel.path != Path::rotation) return;
    const std::size_t stride = channel.between == Between::cubic ? 12 : 4;
    for (std::size_t i = 0; i < keys; ++i) {
        const auto q = std::span(*channel.values).subspan(i * stride + (stride == 12 ? 4 : 0), 4);
        if (std::ranges::all_of(q, [](double x) { return std::abs(x) < 1e-12; }))
            fail(fmt::format("turns node {} by a quaternion of zeros in key {}; repair it", channel.node, i));
    }
}

std::vector<double> GltfClip::sample(const Channel& channel, double time)
{
    const std::vector<double>& times = *channel.times;
    const auto after = std::ranges::upper_bound(times, time);
    const std::size_t n = channel.width, next = static_cast<std::size_t>(after - times.begin());
    const bool cubic = channel.between == Between::cubic;
    const auto value = [&](std::size_t key, std::size_t part) {  // part 0 to 2: tangent before, value, tangent after
        return std::span(*channel.values).subspan((cubic ? 3 * key + part : key) * n, n);
    };
    const auto held = value(next == 0 ? 0 : next - 1, 1);
    std::vector<double> out(held.begin(), held.end());
    if (next == 0 || next == times.size() || channel.between == Between::step) return out;
    const double step = times[next] - times[next - 1], s = (time - times[next - 1]) / step;
    const auto to = value(next, 1);
    if (cubic) {
        const auto leaving = value(next - 1, 2), arriving = value(next, 0);
        const double ss = s * s, sss = ss * s;
        for (std::size_t i = 0; i < n; ++i)
            out[i] = (2 * sss - 3 * ss + 1) * held[i] + step * (sss - 2 * ss + s) * leaving[i] +
                     (3 * ss - 2 * sss) * to[i] + step * (sss - ss) * arriving[i];
    } else if (channel.path == Path::rotation) {
        const Quatd q = turned_between(turn_in(held), turn_in(to), s);
        out = {q.v.x, q.v.y, q.v.z, q.w};
    } else {
        for (std::size_t i = 0; i < n; ++i) out[i] += s * (to[i] - out[i]);
    }
    return out;
}

void GltfClip::pose_at(double time, GltfPose& pose) const
{
    for (const Channel& channel : channels_) {
        GltfNodePose& node = pose[channel.node];
        std::vector<double> value = sample(channel, first_ + time);
        switch (channel.path) {
            case Path::translation: node.translation = vector_in(value); break;
            case Path::rotation: node.rotation = turn_in(value); break;
            case Path::scale: node.scale = vector_in(value); break;
            case Path::weights: node.weights = std::move(value); break;
        }
    }
}

}  // namespace pliant
