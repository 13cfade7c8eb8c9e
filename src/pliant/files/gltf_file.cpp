#include "pliant/files/gltf_file.h"

#include "pliant/files/gltf_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace pliant {

namespace {

enum GltfMode : std::uint64_t { kTriangles = 4, kTriangleStrip = 5, kTriangleFan = 6 };

/// Nodes may share a mesh (instancing); this limits how much a small file can grow that way.
constexpr std::uint64_t kMaxInstanced = 1'000'000;  // vertices, corners

/// A 4 x 4 matrix of a node, as the linear part and the shift.
struct NodePlacement {
    Mat3d linear = Mat3d::identity();
    Vec3d shift;

    Vec3d operator*(const Vec3d& p) const { return linear * p + shift; }
    NodePlacement operator*(const NodePlacement& b) const { return {linear * b.linear, linear * b.shift + shift}; }
};

Mat3d rotation_from(const GltfDocument& document, const std::vector<double>& quaternion)
{
    if (quaternion.empty()) return Mat3d::identity();
    double norm = 0;
    for (const double q : quaternion) norm += q * q;
    if (!(norm > 0)) document.fail("a \"rotation\" of a node is not a quaternion; export it again");
    const double s = 2 / norm, x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
    return Mat3d{{{1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)},
                  {s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)},
                  {s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y)}}};
}

NodePlacement placement_of(const GltfDocument& document, const Json& node)
{
    const std::vector<double> m = document.numbers(node, "matrix", 16);
    if (!m.empty())
        return {Mat3d{{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}}, {m[12], m[13], m[14]}};
    const std::vector<double> t = document.numbers(node, "translation", 3), s = document.numbers(node, "scale", 3);
    NodePlacement placement;
    placement.linear = rotation_from(document, document.numbers(node, "rotation", 4));
    if (!s.empty()) placement.linear = placement.linear * Mat3d::diagonal({s[0], s[1], s[2]});
    if (!t.empty()) placement.shift = {t[0], t[1], t[2]};
    return placement;
}

/// A node that is still to be visited.
struct OpenNode {
    std::uint64_t index;
    NodePlacement parent;
};

class GltfReader {
  public:
    explicit GltfReader(const std::string& path) : document_(path) {}

    PolygonMesh read()
    {
        refuse_extensions();
        const Json* nodes = document_.list(document_.root(), "nodes");
        seen_.resize(nodes == nullptr ? 0 : nodes->size(), false);
        std::vector<OpenNode> open;
        push(find_roots(), {}, open);
        while (!open.empty()) {
            const OpenNode next = open.back();
            open.pop_back();
            visit(next, open);
        }
        return std::move(mesh_);
    }

  private:
    void refuse_extensions() const
    {
        const Json* required = document_.list(document_.root(), "extensionsRequired");
        if (required == nullptr) return;
        for (const Json& name : *required)
            if (name == "KHR_draco_mesh_compression" || name == "EXT_meshopt_compression")
                document_.fail(fmt::format("the meshes are compressed by {}; export without compression",
                                           name.get<std::string>()));
    }

    /// The nodes of the scene; without a scene, the nodes that are not children of others.
    std::vector<std::uint64_t> find_roots() const
    {
        const Json* scenes = document_.list(document_.root(), "scenes");
        if (scenes != nullptr && !scenes->empty())
            return indices_of(
                document_.element("scenes", document_.whole_number(document_.root(), "scene", 0), "scene"), "nodes");
        std::vector<bool> is_child(seen_.size(), false);
        for (std::size_t i = 0; i < seen_.size(); ++i)
            for (const std::uint64_t child : indices_of(document_.element("nodes", i, "node"), "children"))
                if (child < is_child.size()) is_child[child] = true;
        std::vector<std::uint64_t> roots;
        for (std::size_t i = 0; i < is_child.size(); ++i)
            if (!is_child[i]) roots.push_back(i);
        return roots;
    }

    std::vector<std::uint64_t> indices_of(const Json& object, const char* key) const
    {
        std::vector<std::uint64_t> indices;
        const Json* elements = document_.list(object, key);
        if (elements == nullptr) return indices;
        for (const Json& element : *elements) {
            if (!element.is_number_unsigned())
                document_.fail(fmt::format("\"{}\" must be a list of whole numbers; export it again", key));
            indices.push_back(element.get<std::uint64_t>());
        }
        return indices;
    }

    void push(const std::vector<std::uint64_t>& nodes, const NodePlacement& parent, std::vector<OpenNode>& open) const
    {
        for (std::size_t i = nodes.size(); i-- > 0;) open.push_back({nodes[i], parent});
    }

    /// Nodes are a tree: a node that is reached again is part of a cycle, or has two parents.
    void visit(const OpenNode& next, std::vector<OpenNode>& open)
    {
        const Json& node = document_.element("nodes", next.index, "node");
        if (seen_[next.index])
            document_.fail(
                fmt::format("node {} is reached twice; a node has one parent at most; export it again", next.index));
        seen_[next.index] = true;
        const NodePlacement placement = next.parent * placement_of(document_, node);
        if (node.contains("mesh")) add_mesh(node, placement);
        push(indices_of(node, "children"), placement, open);
    }

    void add_mesh(const Json& node, const NodePlacement& placement)
    {
        const Json& mesh = document_.element("meshes", document_.whole_number(node, "mesh"), "mesh");
        const std::string name = document_.text(node, "name"), mesh_name = document_.text(mesh, "name");
        const std::string& object = name.empty() ? mesh_name : name;
        object_ = object.empty() ? -1 : mesh_.faces.objects.index_of(object);
        first_vertex_.clear();
        const Json* primitives = document_.list(mesh, "primitives");
        if (primitives == nullptr) return;
        for (const Json& primitive : *primitives) {
            if (!primitive.is_object()) document_.fail("a primitive of a mesh is not an object; export it again");
            add_primitive(primitive, placement);
        }
    }

    void add_primitive(const Json& primitive, const NodePlacement& placement)
    {
        const std::uint64_t mode = document_.whole_number(primitive, "mode", kTriangles);
        const auto attributes = primitive.find("attributes");
        if (mode < kTriangles || attributes == primitive.end() || !attributes->contains("POSITION")) return;
        if (mode > kTriangleFan) document_.fail(fmt::format("a primitive has the unknown \"mode\" {}", mode));

        const Block points = add_vertices(document_.whole_number(*attributes, "POSITION"), placement);
        const Block uvs = attributes->contains("TEXCOORD_0")
                              ? add_uvs(document_.whole_number(*attributes, "TEXCOORD_0"), points.count)
                              : Block{};
        const std::vector<int> corners = corners_of(primitive, points.count);
        const int material = material_of(primitive);
        const bool mirrored = placement.linear.determinant() < 0;
        if (mode == kTriangles && corners.size() % 3 != 0)
            document_.fail(
                fmt::format("a primitive has {} corners, which makes no triangles; export it again", corners.size()));
        const std::size_t step = mode == kTriangles ? 3 : 1;
        for (std::size_t i = 0; i + 2 < corners.size(); i += step) {
            std::array<int, 3> t{corners[mode == kTriangleFan ? 0 : i], corners[i + 1], corners[i + 2]};
            const bool turned = mode == kTriangleStrip && i % 2 == 1;
            if (turned != mirrored) std::swap(t[1], t[2]);
            add_triangle(t, points, uvs, material);
        }
        check_size(mesh_.faces.corners.size(), "corners");
    }

    /// The vertices or UVs that came from an accessor.
    struct Block {
        int first = -1, count = 0;
    };

    void add_triangle(const std::array<int, 3>& t, const Block& points, const Block& uvs, int material)
    {
        std::array<int, 3> corners{}, corner_uvs{};
        for (std::size_t k = 0; k < 3; ++k) {
            corners[k] = points.first + t[k];
            corner_uvs[k] = uvs.first < 0 ? -1 : uvs.first + t[k];
        }
        mesh_.faces.add(corners, corner_uvs, object_, -1, material);
    }

    /// Primitives of one mesh often share their vertices.
    Block add_vertices(std::uint64_t accessor, const NodePlacement& placement)
    {
        if (const auto known = first_vertex_.find(accessor); known != first_vertex_.end()) return known->second;
        const std::vector<double> values = document_.read_accessor(accessor, 3);
        check_size(mesh_.vertices.size() + values.size() / 3, "vertices");
        const Block block{static_cast<int>(mesh_.vertices.size()), static_cast<int>(values.size() / 3)};
        for (std::size_t i = 0; i < values.size(); i += 3)
            mesh_.vertices.push_back(placement * Vec3d{values[i], values[i + 1], values[i + 2]});
        return first_vertex_[accessor] = block;
    }

    /// The same for all nodes: placement does not change them.
    Block add_uvs(std::uint64_t accessor, int vertices)
    {
        auto known = first_uv_.find(accessor);
        if (known == first_uv_.end()) {
            const std::vector<double> values = document_.read_accessor(accessor, 2);
            const Block block{static_cast<int>(mesh_.faces.uvs.size()), static_cast<int>(values.size() / 2)};
            for (std::size_t i = 0; i < values.size(); i += 2)
                mesh_.faces.uvs.push_back({values[i], 1 - values[i + 1]});
            known = first_uv_.emplace(accessor, block).first;
        }
        if (known->second.count != vertices)
            document_.fail(fmt::format("a primitive has {} vertices but {} texture coordinates; export it again",
                                       vertices, known->second.count));
        return known->second;
    }

    std::vector<int> corners_of(const Json& primitive, int vertices)
    {
        std::vector<int> corners;
        if (!primitive.contains("indices")) {
            for (int i = 0; i < vertices; ++i) corners.push_back(i);
            return corners;
        }
        for (const double index : document_.read_accessor(document_.whole_number(primitive, "indices"), 1)) {
            if (!(index >= 0 && index < vertices))
                document_.fail(
                    fmt::format("a face uses vertex {}, but its mesh has {}; export it again", index, vertices));
            corners.push_back(static_cast<int>(index));
        }
        return corners;
    }

    int material_of(const Json& primitive)
    {
        if (!primitive.contains("material")) return -1;
        const std::uint64_t index = document_.whole_number(primitive, "material");
        const std::string name = document_.text(document_.element("materials", index, "material"), "name");
        return mesh_.faces.materials.index_of(name.empty() ? fmt::format("material-{}", index) : name);
    }

    void check_size(std::size_t count, const char* what) const
    {
        if (count > std::max(kMaxInstanced, document_.bytes_read()))
            document_.fail(fmt::format("its nodes show more than {} {}; use fewer copies", count - 1, what));
    }

    GltfDocument document_;
    PolygonMesh mesh_;
    std::vector<bool> seen_;                       // per node
    std::map<std::uint64_t, Block> first_vertex_;  // by accessor, of the current node
    std::map<std::uint64_t, Block> first_uv_;      // by accessor
    int object_ = -1;
};

}  // namespace

PolygonMesh read_gltf(const std::string& path) { return GltfReader(path).read(); }

}  // namespace pliant
