#pragma once
// The vertices that a glTF document shows, in any pose: those of a mesh, moved by morph targets, then by the joints of its
// skin or, without one, by its node.
//
//   x = sum_j w_j G_j B_j (p + sum_k m_k d_k)      G_j placement of joint j, B_j its inverse bind matrix,
//                                                  w_j weights of the vertex, m_k those of the morph targets d_k

#include "pliant/files/gltf_nodes.h"

#include <compare>
#include <map>
#include <memory>
#include <utility>

namespace pliant {

class GltfVertices {
  public:
    /// Keeps references to both.
    GltfVertices(GltfDocument& document, const GltfNodes& nodes) : document_(document), nodes_(nodes) {}

    struct Range {
        int first = -1, count = 0;
    };
    /// Adds those of a primitive of the mesh of a node. Primitives of one node share them where they have the same.
    Range add(std::size_t node, const Json& primitive);

    std::size_t size() const { return size_; }
    /// Where all of them are in a pose, in the order in which they were added.
    std::vector<Vec3d> at(const GltfPose& pose);

  private:
    /// The accessors that vertices are made of.
    struct Accessors {
        std::uint64_t position = 0;
        std::vector<std::pair<std::uint64_t, std::uint64_t>> influences;  // joints, weights: four each a vertex
        std::vector<std::pair<std::size_t, std::uint64_t>> targets;       // number of a morph target, its positions
        auto operator<=>(const Accessors&) const = default;
    };
    /// Of a primitive, whichever node shows it.
    struct Rest {
        std::vector<Vec3d> points;
        std::vector<int> joint;     // per vertex and influence: index into the joints of the skin
        std::vector<float> weight;  // of each of them; not all zero
        std::size_t influences = 0;
        std::vector<std::pair<std::size_t, std::uint64_t>> targets;
    };
    struct Skin {
        std::vector<std::size_t> joints;          // nodes
        std::vector<GltfPlacement> inverse_bind;  // per joint
    };
    struct Part {
        std::size_t node;
        std::shared_ptr<const Rest> rest;
        const Skin* skin;  // or null
    };

    Accessors accessors_of(const Json& primitive, std::size_t targets, bool has_skin) const;
    std::shared_ptr<const Rest> rest_of(const Accessors& accessors);
    void read_influences(const Accessors& accessors, Rest& rest);
    const Skin* skin_of(const Json& node);
    Skin read_skin(std::uint64_t index);
    void check_joints(const Rest& rest, const Skin& skin) const;
    static Vec3d skinned(const Vec3d& point, const Rest& rest, std::size_t vertex,
                         const std::vector<GltfPlacement>& joints);
    void add_targets(const Part& part, const std::vector<double>& weights, std::vector<Vec3d>& points);

    GltfDocument& document_;
    const GltfNodes& nodes_;
    std::vector<Part> parts_;
    std::size_t size_ = 0;
    std::map<Accessors, std::shared_ptr<const Rest>> rests_;
    std::map<Accessors, Range> ranges_;                    // of the node that came last
    std::size_t shown_by_ = static_cast<std::size_t>(-1);  // that node
    std::map<std::uint64_t, Skin> skins_;
};

}  // namespace pliant
