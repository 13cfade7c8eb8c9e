#include "pliant/files/gltf_vertices.h"

#include <fmt/format.h>

#include <algorithm>

namespace pliant {

namespace {

constexpr std::size_t kMostInfluences = 16;          // joints of a vertex
constexpr std::uint64_t kMostMorphed = 100'000'000;  // vertices of all morph targets together

}  // namespace

GltfVertices::Accessors GltfVertices::accessors_of(const Json& primitive, std::size_t targets, bool has_skin) const
{
    const Json& attributes = primitive.at("attributes");
    Accessors accessors{.position = document_.whole_number(attributes, "POSITION"), .influences = {}, .targets = {}};
    for (std::size_t set = 0; has_skin; ++set) {
        const std::string joints = fmt::format("JOINTS_{}", set), weights = fmt::format("WEIGHTS_{}", set);
        if (!attributes.contains(joints)) break;
        if (4 * set >= kMostInfluences)
            document_.fail(fmt::format("vertices have more than {} joints; export fewer", kMostInfluences));
        accessors.influences.emplace_back(document_.whole_number(attributes, joints.c_str()),
                                          document_.whole_number(attributes, weights.c_str()));
    }
    const Json* list = document_.list(primitive, "targets");
    const std::size_t count = list == nullptr ? 0 : list->size();
    if (count != targets)
        document_.fail(fmt::format(
            "a primitive has {} morph targets, but the first of its mesh has {}; export it again", count, targets));
    for (std::size_t k = 0; k < count; ++k) {
        const Json& target = (*list)[k];
        if (!target.is_object()) document_.fail(fmt::format("morph target {} is not an object; export it again", k));
        if (target.contains("POSITION")) accessors.targets.emplace_back(k, document_.whole_number(target, "POSITION"));
    }
    return accessors;
}

GltfVertices::Range GltfVertices::add(std::size_t node, const Json& primitive)
{
    const Skin* skin = skin_of(document_.element("nodes", node, "node"));
    const Accessors accessors = accessors_of(primitive, nodes_.at_rest()[node].weights.size(), skin != nullptr);
    if (std::exchange(shown_by_, node) != node) ranges_.clear();
    const auto [range, is_new] = ranges_.try_emplace(accessors);
    if (!is_new) return range->second;
    const std::shared_ptr<const Rest> rest = rest_of(accessors);
    const std::uint64_t most = std::max(kMostGltfCopies, document_.bytes_read());
    if (size_ + rest->points.size() > most)
        document_.fail(fmt::format("its nodes show more than {} vertices; use fewer copies", most));
    if (skin != nullptr) check_joints(*rest, *skin);
    parts_.push_back({node, rest, rest->influences == 0 ? nullptr : skin});
    range->second = {static_cast<int>(size_), static_cast<int>(rest->points.size())};
    size_ += rest->points.size();
    return range->second;
}

std::shared_ptr<const GltfVertices::Rest> GltfVertices::rest_of(const Accessors& accessors)
{
    std::shared_ptr<const Rest>& known = rests_[accessors];
    if (known) return known;
    Rest rest;
    const std::vector<double> values = document_.read_accessor(accessors.position, 3);
    for (std::size_t i = 0; i < values.size(); i += 3) rest.points.push_back({values[i], values[i + 1], values[i + 2]});
    read_influences(accessors, rest);
    for (const auto& [target, positions] : accessors.targets)
        if (const std::uint64_t count = document_.accessor_size(positions); count != rest.points.size())
            document_.fail(fmt::format("morph target {} has {} vertices, but its primitive has {}; export it again",
                                       target, count, rest.points.size()));
    if (accessors.targets.size() * rest.points.size() > std::max(kMostMorphed, document_.bytes_read()))
        document_.fail(fmt::format("{} morph targets of {} vertices are too many; use a point cache (.pc2)",
                                   accessors.targets.size(), rest.points.size()));
    rest.targets = accessors.targets;
    return known = std::make_shared<const Rest>(std::move(rest));
}

void GltfVertices::read_influences(const Accessors& accessors, Rest& rest)
{
    const std::size_t count = rest.points.size(), per_vertex = 4 * accessors.influences.size();
    rest.influences = per_vertex;
    if (per_vertex == 0) return;
    rest.joint.resize(count * per_vertex);
    rest.weight.resize(count * per_vertex);
    for (std::size_t set = 0; set < accessors.influences.size(); ++set) {
        const std::vector<double> joints = document_.read_accessor(accessors.influences[set].first, 4);
        const std::vector<double> weights = document_.read_accessor(accessors.influences[set].second, 4);
        if (joints.size() != 4 * count || weights.size() != 4 * count)
            document_.fail(
                fmt::format("a primitive has {} vertices, but joints of {} and weights of {}; export it again", count,
                            joints.size() / 4, weights.size() / 4));
        for (std::size_t i = 0; i < 4 * count; ++i) {
            const std::size_t to = i / 4 * per_vertex + 4 * set + i % 4;
            if (!(weights[i] >= 0 && weights[i] < 1e6))
                document_.fail(
                    fmt::format("vertex {} has the weight {} at a joint; paint it again", i / 4, weights[i]));
            if (!(joints[i] >= 0 && joints[i] <= 65535))
                document_.fail(fmt::format("vertex {} hangs on joint {}; export it again", i / 4, joints[i]));
            rest.weight[to] = static_cast<float>(weights[i]);
            rest.joint[to] = weights[i] > 0 ? static_cast<int>(joints[i]) : 0;  // the rest of four is padding
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        const auto own = std::span(rest.weight).subspan(i * per_vertex, per_vertex);
        if (std::ranges::all_of(own, [](float weight) { return weight == 0; })) own[0] = 1;
    }
}

void GltfVertices::check_joints(const Rest& rest, const Skin& skin) const
{
    const auto largest = std::ranges::max_element(rest.joint);
    if (largest != rest.joint.end() && static_cast<std::size_t>(*largest) >= skin.joints.size())
        document_.fail(fmt::format("vertex {} hangs on joint {}, but its skin has {}; export it again",
                                   static_cast<std::size_t>(largest - rest.joint.begin()) / rest.influences, *largest,
                                   skin.joints.size()));
}

const GltfVertices::Skin* GltfVertices::skin_of(const Json& node)
{
    if (!node.contains("skin")) return nullptr;
    const std::uint64_t index = document_.whole_number(node, "skin");
    auto known = skins_.find(index);
    if (known == skins_.end()) known = skins_.emplace(index, read_skin(index)).first;
    return &known->second;
}

GltfVertices::Skin GltfVertices::read_skin(std::uint64_t index)
{
    const Json& entry = document_.element("skins", index, "skin");
    Skin skin;
    for (const std::uint64_t joint : document_.indices(entry, "joints")) {
        document_.element("nodes", joint, "node");
        skin.joints.push_back(joint);
    }
    if (skin.joints.empty()) document_.fail(fmt::format("skin {} has no joints; export it again", index));
    skin.inverse_bind.resize(skin.joints.size());
    if (!entry.contains("inverseBindMatrices")) return skin;
    const std::vector<double> columns =
        document_.read_accessor(document_.whole_number(entry, "inverseBindMatrices"), 16);
    if (columns.size() < 16 * skin.joints.size())
        document_.fail(fmt::format("skin {} has {} joints, but {} inverse bind matrices; export it again", index,
                                   skin.joints.size(), columns.size() / 16));
    for (std::size_t j = 0; j < skin.joints.size(); ++j)
        skin.inverse_bind[j] = placement_of_columns(std::span(columns).subspan(16 * j).first<16>());
    return skin;
}

/// Targets are read when they are needed: a file of a thousand frames has a thousand of them, two at a time with a weight.
void GltfVertices::add_targets(const Part& part, const std::vector<double>& weights, std::vector<Vec3d>& points)
{
    for (const auto& [target, positions] : part.rest->targets) {
        const double weight = weights[target];
        if (weight == 0) continue;
        const std::vector<double> moved = document_.read_accessor(positions, 3);
        for (std::size_t i = 0; i < points.size(); ++i)
            points[i] += weight * Vec3d{moved[3 * i], moved[3 * i + 1], moved[3 * i + 2]};
    }
}

/// Weights may be counted in bytes, and their sum is then not quite one.
Vec3d GltfVertices::skinned(const Vec3d& point, const Rest& rest, std::size_t vertex,
                            const std::vector<GltfPlacement>& joints)
{
    Vec3d x;
    double sum = 0;
    for (std::size_t k = vertex * rest.influences; k < (vertex + 1) * rest.influences; ++k) {
        const auto weight = static_cast<double>(rest.weight[k]);
        if (weight == 0) continue;
        x += weight * (joints[static_cast<std::size_t>(rest.joint[k])] * point);
        sum += weight;
    }
    return (1 / sum) * x;
}

std::vector<Vec3d> GltfVertices::at(const GltfPose& pose)
{
    const std::vector<GltfPlacement> placed = nodes_.place(pose);
    std::vector<Vec3d> all;
    all.reserve(size_);
    for (const Part& part : parts_) {
        std::vector<Vec3d> points = part.rest->points;
        add_targets(part, pose[part.node].weights, points);
        if (part.skin == nullptr) {
            for (const Vec3d& p : points) all.push_back(placed[part.node] * p);
            continue;
        }
        std::vector<GltfPlacement> joints;
        for (std::size_t j = 0; j < part.skin->joints.size(); ++j)
            joints.push_back(placed[part.skin->joints[j]] * part.skin->inverse_bind[j]);
        for (std::size_t i = 0; i < points.size(); ++i) all.push_back(skinned(points[i], *part.rest, i, joints));
    }
    return all;
}

}  // namespace pliant
