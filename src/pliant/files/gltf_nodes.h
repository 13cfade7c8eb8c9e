#pragma once
// The nodes of a glTF document: who hangs on whom, and where they are in a pose.

#include "pliant/files/gltf_buffers.h"
#include "pliant/math/rotation.h"
#include "pliant/math/types.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pliant {

/// What a small file may grow to by showing the same things many times: vertices, corners, weights.
inline constexpr std::uint64_t kMostGltfCopies = 1'000'000;

/// A 4 x 4 matrix, as the linear part and the shift.
struct GltfPlacement {
    Mat3d linear = Mat3d::identity();
    Vec3d shift;

    Vec3d operator*(const Vec3d& p) const { return linear * p + shift; }
    GltfPlacement operator*(const GltfPlacement& b) const { return {linear * b.linear, linear * b.shift + shift}; }
};

GltfPlacement placement_of_columns(std::span<const double, 16> m);

/// What an animation may change of a node.
struct GltfNodePose {
    Vec3d translation;
    Quatd rotation;  // of unit length
    Vec3d scale{1, 1, 1};
    std::optional<GltfPlacement> matrix;  // in place of the three
    std::vector<double> weights;          // per morph target of its mesh
};
using GltfPose = std::vector<GltfNodePose>;  // per node

class GltfNodes {
  public:
    explicit GltfNodes(const GltfDocument& document);

    /// As the file has them without an animation.
    const GltfPose& at_rest() const { return at_rest_; }
    /// The nodes of the first scene, parents first, in the order of the file.
    const std::vector<std::size_t>& shown() const { return shown_; }
    /// Per node, in the world of the file.
    std::vector<GltfPlacement> place(const GltfPose& pose) const;

  private:
    void find_parents(const GltfDocument& document);
    void find_order(const GltfDocument& document);
    void find_shown(const GltfDocument& document);

    static constexpr std::size_t kNoParent = static_cast<std::size_t>(-1);
    std::vector<std::vector<std::uint64_t>> children_;  // per node
    std::vector<std::size_t> parent_;                   // per node, or kNoParent
    std::vector<std::size_t> order_;                    // all nodes, parents first
    std::vector<std::size_t> shown_;
    GltfPose at_rest_;
};

}  // namespace pliant
