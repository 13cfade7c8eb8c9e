#include "pliant/files/gltf_file.h"

#include "pliant/files/gltf_clip.h"
#include "pliant/files/gltf_vertices.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace pliant {

namespace {

enum GltfMode : std::uint64_t { kTriangles = 4, kTriangleStrip = 5, kTriangleFan = 6 };

class GltfReader {
  public:
    GltfReader(GltfDocument& document, const GltfNodes& nodes, GltfVertices& vertices)
        : document_(document), nodes_(nodes), vertices_(vertices), placed_(nodes.place(nodes.at_rest()))
    {}

    PolygonFaces read()
    {
        refuse_extensions();
        for (const std::size_t node : nodes_.shown())
            if (const Json& entry = document_.element("nodes", node, "node"); entry.contains("mesh"))
                add_mesh(node, entry);
        return std::move(faces_);
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

    void add_mesh(std::size_t node, const Json& entry)
    {
        const Json& mesh = document_.element("meshes", document_.whole_number(entry, "mesh"), "mesh");
        const std::string name = document_.text(entry, "name"), mesh_name = document_.text(mesh, "name");
        const std::string& object = name.empty() ? mesh_name : name;
        object_ = object.empty() ? -1 : faces_.objects.index_of(object);
        const Json* primitives = document_.list(mesh, "primitives");
        if (primitives == nullptr) return;
        for (const Json& primitive : *primitives) {
            if (!primitive.is_object()) document_.fail("a primitive of a mesh is not an object; export it again");
            add_primitive(primitive, node, entry.contains("skin"));
        }
    }

    /// A node that mirrors its mesh turns its triangles; one with a skin does not place it.
    void add_primitive(const Json& primitive, std::size_t node, bool has_skin)
    {
        const std::uint64_t mode = document_.whole_number(primitive, "mode", kTriangles);
        const auto attributes = primitive.find("attributes");
        check_size(++shown_, "primitives");
        if (mode < kTriangles || attributes == primitive.end() || !attributes->contains("POSITION")) return;
        if (mode > kTriangleFan) document_.fail(fmt::format("a primitive has the unknown \"mode\" {}", mode));

        const Block points = vertices_.add(node, primitive);
        const Block uvs = attributes->contains("TEXCOORD_0")
                              ? add_uvs(document_.whole_number(*attributes, "TEXCOORD_0"), points.count)
                              : Block{};
        const std::vector<int> corners = corners_of(primitive, points.count);
        const int material = material_of(primitive);
        const bool mirrored = !has_skin && placed_[node].linear.determinant() < 0;
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
        check_size(faces_.corners.size(), "corners");
    }

    using Block = GltfVertices::Range;  // of vertices, or of UVs

    void add_triangle(const std::array<int, 3>& t, const Block& points, const Block& uvs, int material)
    {
        std::array<int, 3> corners{}, corner_uvs{};
        for (std::size_t k = 0; k < 3; ++k) {
            corners[k] = points.first + t[k];
            corner_uvs[k] = uvs.first < 0 ? -1 : uvs.first + t[k];
        }
        faces_.add(corners, corner_uvs, object_, -1, material);
    }

    /// The same for all nodes: placement does not change them.
    Block add_uvs(std::uint64_t accessor, int vertices)
    {
        auto known = first_uv_.find(accessor);
        if (known == first_uv_.end()) {
            const std::vector<double> values = document_.read_accessor(accessor, 2);
            const Block block{static_cast<int>(faces_.uvs.size()), static_cast<int>(values.size() / 2)};
            for (std::size_t i = 0; i < values.size(); i += 2) faces_.uvs.push_back({values[i], 1 - values[i + 1]});
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
        return faces_.materials.index_of(name.empty() ? fmt::format("material-{}", index) : name);
    }

    void check_size(std::size_t count, const char* what) const
    {
        if (count > std::max(kMostGltfCopies, document_.bytes_read()))
            document_.fail(fmt::format("its nodes show more than {} {}; use fewer copies", count - 1, what));
    }

    GltfDocument& document_;
    const GltfNodes& nodes_;
    GltfVertices& vertices_;
    std::vector<GltfPlacement> placed_;  // per node
    PolygonFaces faces_;
    std::size_t shown_ = 0;                    // primitives
    std::map<std::uint64_t, Block> first_uv_;  // by accessor
    int object_ = -1;
};

/// What a file shows, and what moves it.
struct GltfModel {
    explicit GltfModel(const std::string& path) : document(path), nodes(document), vertices(document, nodes)
    {
        faces = GltfReader(document, nodes, vertices).read();
    }

    GltfDocument document;
    GltfNodes nodes;
    GltfVertices vertices;
    PolygonFaces faces;
};

class GltfSequence : public VertexSequence {
  public:
    GltfSequence(const std::string& path, const std::string& clip)
        : path_(path), model_(path), clip_(model_.document, model_.nodes, clip)
    {
        model_.faces = {};
    }

    std::size_t points() const override { return model_.vertices.size(); }
    double length() const override { return clip_.length(); }
    void read_at(double time, std::vector<Vec3d>& points) override
    {
        GltfPose pose = model_.nodes.at_rest();
        clip_.pose_at(time, pose);
        points = model_.vertices.at(pose);
        check_finite(fmt::format("{}: at {:.4g} s", path_, time), points);
    }

  private:
    std::string path_;
    GltfModel model_;
    GltfClip clip_;
};

}  // namespace

PolygonMesh read_gltf(const std::string& path)
{
    GltfModel model(path);
    return {.vertices = model.vertices.at(model.nodes.at_rest()), .faces = std::move(model.faces)};
}

std::unique_ptr<VertexSequence> open_gltf_sequence(const std::string& path, const std::string& clip)
{
    return std::make_unique<GltfSequence>(path, clip);
}

}  // namespace pliant
