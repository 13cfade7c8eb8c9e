#include "pliant/files/gltf_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

Quatd rotation_from(const GltfDocument& document, const std::vector<double>& q)
{
    if (q.empty()) return {};
    const Quatd rotation{q[3], {q[0], q[1], q[2]}};
    if (!(rotation.dot(rotation) > 0) || !std::isfinite(rotation.dot(rotation)))
        document.fail("a \"rotation\" of a node is not a quaternion; export it again");
    return normalized(rotation);
}

Vec3d vector_from(const std::vector<double>& v, const Vec3d& without)
{
    return v.empty() ? without : Vec3d{v[0], v[1], v[2]};
}

/// Of the mesh of a node: its own, those of the mesh, or zeros, one for each morph target.
std::vector<double> weights_of(const GltfDocument& document, const Json& node)
{
    if (!node.contains("mesh")) return {};
    const Json& mesh = document.element("meshes", document.whole_number(node, "mesh"), "mesh");
    const Json* primitives = document.list(mesh, "primitives");
    if (primitives == nullptr || primitives->empty() || !primitives->front().is_object()) return {};
    const Json* targets = document.list(primitives->front(), "targets");
    const std::size_t count = targets == nullptr ? 0 : targets->size();
    for (const Json* owner : {&node, &mesh})
        if (owner->contains("weights")) return document.numbers(*owner, "weights", count);
    return std::vector<double>(count, 0.0);
}

GltfNodePose pose_of(const GltfDocument& document, const Json& node)
{
    GltfNodePose pose;
    if (const std::vector<double> m = document.numbers(node, "matrix", 16); !m.empty())
        pose.matrix = placement_of_columns(std::span<const double, 16>(m));
    pose.translation = vector_from(document.numbers(node, "translation", 3), {});
    pose.rotation = rotation_from(document, document.numbers(node, "rotation", 4));
    pose.scale = vector_from(document.numbers(node, "scale", 3), {1, 1, 1});
    pose.weights = weights_of(document, node);
    return pose;
}

GltfPlacement placement_of(const GltfNodePose& pose)
{
    if (pose.matrix) return *pose.matrix;
    return {pose.rotation.matrix() * Mat3d::diagonal(pose.scale), pose.translation};
}

[[noreturn]] void fail_twice(const GltfDocument& document, std::size_t node)
{
    document.fail(fmt::format("node {} is reached twice; a node has one parent at most; export it again", node));
}

}  // namespace

GltfPlacement placement_of_columns(std::span<const double, 16> m)
{
    return {Mat3d{{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}}, {m[12], m[13], m[14]}};
}

GltfNodes::GltfNodes(const GltfDocument& document)
{
    const Json* nodes = document.list(document.root(), "nodes");
    const std::size_t count = nodes == nullptr ? 0 : nodes->size();
    const std::uint64_t most = std::max(kMostGltfCopies, document.bytes_read());
    std::uint64_t weights = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Json& node = document.element("nodes", i, "node");
        children_.push_back(document.indices(node, "children"));
        at_rest_.push_back(pose_of(document, node));
        weights += at_rest_.back().weights.size();
        if (weights > most)
            document.fail(fmt::format("its nodes have more than {} weights of morph targets; use fewer copies", most));
    }
    find_parents(document);
    find_order(document);
    find_shown(document);
}

void GltfNodes::find_parents(const GltfDocument& document)
{
    parent_.assign(children_.size(), kNoParent);
    for (std::size_t i = 0; i < children_.size(); ++i)
        for (const std::uint64_t child : children_[i]) {
            document.element("nodes", child, "node");
            if (parent_[child] != kNoParent) fail_twice(document, child);
            parent_[child] = i;
        }
}

/// What cannot be reached from a node without a parent is a circle.
void GltfNodes::find_order(const GltfDocument& document)
{
    std::vector<bool> reached(parent_.size(), false);
    for (std::size_t i = 0; i < parent_.size(); ++i)
        if (parent_[i] == kNoParent) order_.push_back(i);
    for (std::size_t k = 0; k < order_.size(); ++k) {
        reached[order_[k]] = true;
        order_.insert(order_.end(), children_[order_[k]].begin(), children_[order_[k]].end());
    }
    if (const auto circle = std::ranges::find(reached, false); circle != reached.end())
        fail_twice(document, static_cast<std::size_t>(circle - reached.begin()));
}

/// Without a scene, the nodes that are not children of others.
void GltfNodes::find_shown(const GltfDocument& document)
{
    const Json* scenes = document.list(document.root(), "scenes");
    std::vector<std::uint64_t> open;
    if (scenes != nullptr && !scenes->empty())
        open = document.indices(document.element("scenes", document.whole_number(document.root(), "scene", 0), "scene"),
                                "nodes");
    else
        for (std::size_t i = 0; i < parent_.size(); ++i)
            if (parent_[i] == kNoParent) open.push_back(i);
    std::ranges::reverse(open);
    std::vector<bool> seen(parent_.size(), false);
    while (!open.empty()) {
        const std::uint64_t next = open.back();
        open.pop_back();
        document.element("nodes", next, "node");
        if (seen[next]) fail_twice(document, next);
        seen[next] = true;
        shown_.push_back(next);
        open.insert(open.end(), children_[next].rbegin(), children_[next].rend());
    }
}

std::vector<GltfPlacement> GltfNodes::place(const GltfPose& pose) const
{
    std::vector<GltfPlacement> placed(parent_.size());
    for (const std::size_t i : order_) {
        const GltfPlacement own = placement_of(pose[i]);
        placed[i] = parent_[i] == kNoParent ? own : placed[parent_[i]] * own;
    }
    return placed;
}

}  // namespace pliant
