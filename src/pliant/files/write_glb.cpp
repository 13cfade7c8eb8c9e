#include "pliant/files/write_glb.h"

#include "pliant/base/check.h"
#include "pliant/files/atomic_file.h"
#include "pliant/files/byte_order.h"
#include "pliant/files/glb_mesh.h"
#include "pliant/files/spooled_writer.h"
#include "pliant/json/fields_json.h"

#include <fmt/format.h>

#include <limits>

namespace pliant {

namespace {

constexpr int kGlbFloat = 5126, kGlbUnsigned = 5125;              // componentType
constexpr int kArrayBuffer = 34962, kElementArrayBuffer = 34963;  // target
constexpr int kGlbPoints = 0, kGlbTriangles = 4;                  // mode

/// The binary part, planned before it is written: where what will be.
class GlbPlan {
  public:
    Json views = Json::array(), accessors = Json::array();
    std::uint64_t size = 0;  // [bytes]

    int add(const char* type, int component, std::size_t count, std::size_t bytes, int target, Json more = {})
    {
        Json view = {{"buffer", 0}, {"byteOffset", size}, {"byteLength", bytes}};
        if (target != 0) view["target"] = target;
        Json accessor = {{"bufferView", views.size()}, {"componentType", component}, {"count", count}, {"type", type}};
        if (!more.is_null()) accessor.update(more);
        views.push_back(std::move(view));
        accessors.push_back(std::move(accessor));
        size += bytes;
        return static_cast<int>(accessors.size()) - 1;
    }
    int add_vectors(std::size_t count, Json bounds = {})
    {
        return add("VEC3", kGlbFloat, count, 12 * count, kArrayBuffer, std::move(bounds));
    }
};

std::string bytes_of(const std::vector<Float3>& list)
{
    std::string bytes;
    bytes.reserve(12 * list.size());
    for (const Float3& v : list)
        for (int i = 0; i < 3; ++i) append_little(v[i], bytes);
    return bytes;
}

Json bounds_of(const std::vector<Float3>& list)
{
    Float3 low = list.front(), high = low;
    for (const Float3& v : list)
        for (int i = 0; i < 3; ++i) {
            low[i] = std::min(low[i], v[i]);
            high[i] = std::max(high[i], v[i]);
        }
    return {{"min", {low.x, low.y, low.z}}, {"max", {high.x, high.y, high.z}}};
}

std::vector<Float3> differences(std::vector<Float3> now, const std::vector<Float3>& first)
{
    for (std::size_t i = 0; i < now.size(); ++i) now[i] -= first[i];
    return now;
}

class GlbWriter : public SpooledWriter {
  public:
    using SpooledWriter::SpooledWriter;

    void write(const Frame& frame) override
    {
        if (frames() >= kMostGlbFrames)
            throw FileError(fmt::format("cannot write '{}': it would have more than {} frames; use .usda, or --frames",
                                        path_, kMostGlbFrames));
        SpooledWriter::write(frame);
    }

  protected:
    void write_all() override
    {
        meshes_.clear();
        for (const SpooledBody& body : bodies_)
            if (body.points > 0) meshes_.emplace_back(body);
        GlbPlan plan;
        std::string json = plan_all(plan).dump(-1, ' ', false, Json::error_handler_t::replace);
        json.resize((json.size() + 3) / 4 * 4, ' ');
        const std::uint64_t whole = 12 + 8 + json.size() + 8 + plan.size;
        if (whole > std::numeric_limits<std::uint32_t>::max())
            throw FileError(
                fmt::format("cannot write '{}': it would be larger than 4 GB, which the format does not allow; "
                            "use .usda, or --frames",
                            path_));
        AtomicFile file(path_);
        std::string head = "glTF";
        for (const std::uint64_t number : {std::uint64_t{2}, whole, std::uint64_t{json.size()}})
            append_little(static_cast<std::uint32_t>(number), head);
        head += "JSON" + json;
        append_little(static_cast<std::uint32_t>(plan.size), head);
        file.write(head + std::string("BIN\0", 4));
        write_data(file);
        file.commit();
    }

  private:
    /// In the order of write_data.
    Json plan_all(GlbPlan& plan) const
    {
        Json meshes = Json::array(), nodes = Json::array(), channels = Json::array(), samplers = Json::array();
        Json list = Json::array();
        const auto count = static_cast<std::size_t>(frames());
        const int input =
            plan.add("SCALAR", kGlbFloat, count, 4 * count, 0,
                     {{"min", {static_cast<float>(times_.front())}}, {"max", {static_cast<float>(times_.back())}}});
        const int weights =
            count > 1 ? plan.add("SCALAR", kGlbFloat, count * (count - 1), 4 * count * (count - 1), 0) : -1;
        for (std::size_t i = 0; i < meshes_.size(); ++i) {
            meshes.push_back(plan_mesh(meshes_[i], plan));
            nodes.push_back({{"name", meshes_[i].name()}, {"mesh", i}});
            list.push_back(i);
            if (weights < 0) continue;
            channels.push_back({{"sampler", 0}, {"target", {{"node", i}, {"path", "weights"}}}});
        }
        Json root = {{"asset", {{"version", "2.0"}, {"generator", "Pliant"}}},
                     {"scene", 0},
                     {"accessors", plan.accessors},
                     {"bufferViews", plan.views},
                     {"buffers", {{{"byteLength", plan.size}}}}};
        Json scene = Json::object();
        if (!nodes.empty()) {
            scene["nodes"] = list;
            root["nodes"] = nodes;
            root["meshes"] = meshes;
        }
        root["scenes"] = Json::array();
        root["scenes"].push_back(std::move(scene));
        if (!channels.empty()) {
            samplers.push_back({{"input", input}, {"output", weights}, {"interpolation", "LINEAR"}});
            root["animations"] = {{{"name", "run"}, {"samplers", samplers}, {"channels", channels}}};
        }
        return root;
    }

    Json plan_mesh(const GlbMesh& mesh, GlbPlan& plan) const
    {
        const std::vector<Float3> first = mesh.points(0);
        Json attributes = {{"POSITION", plan.add_vectors(first.size(), bounds_of(first))}};
        const bool has_faces = !mesh.corners.empty();
        if (has_faces) attributes["NORMAL"] = plan.add_vectors(first.size());
        if (!mesh.uvs.empty())
            attributes["TEXCOORD_0"] = plan.add("VEC2", kGlbFloat, mesh.uvs.size(), 8 * mesh.uvs.size(), kArrayBuffer);
        Json primitive = {{"mode", has_faces ? kGlbTriangles : kGlbPoints}};
        if (has_faces)
            primitive["indices"] =
                plan.add("SCALAR", kGlbUnsigned, mesh.corners.size(), 4 * mesh.corners.size(), kElementArrayBuffer);
        Json targets = Json::array(), still = Json::array();
        for (int i = 1; i < frames(); ++i) {
            Json target = {{"POSITION", plan.add_vectors(first.size(), bounds_of(differences(mesh.points(i), first)))}};
            if (has_faces) target["NORMAL"] = plan.add_vectors(first.size());
            targets.push_back(std::move(target));
            still.push_back(0);
        }
        primitive["attributes"] = std::move(attributes);
        if (!targets.empty()) primitive["targets"] = std::move(targets);
        Json json = {{"name", mesh.name()}, {"primitives", {std::move(primitive)}}};
        if (!still.empty()) json["weights"] = std::move(still);
        return json;
    }

    void write_data(AtomicFile& file) const
    {
        std::string bytes;
        for (const double time : times_) append_little(static_cast<float>(time), bytes);
        for (int i = 0; i < frames(); ++i)
            for (int k = 1; k < frames(); ++k) append_little(i == k ? 1.0F : 0.0F, bytes);
        file.write(bytes);
        for (const GlbMesh& mesh : meshes_) write_mesh(mesh, file);
    }

    void write_mesh(const GlbMesh& mesh, AtomicFile& file) const
    {
        const std::vector<Float3> first = mesh.points(0), normals = mesh.normals(first);
        std::string bytes = bytes_of(first) + bytes_of(normals);
        for (const auto& [u, v] : mesh.uvs) {
            append_little(u, bytes);
            append_little(v, bytes);
        }
        for (const int corner : mesh.corners) append_little(static_cast<std::uint32_t>(corner), bytes);
        file.write(bytes);
        for (int i = 1; i < frames(); ++i) {
            const std::vector<Float3> now = mesh.points(i);
            file.write(bytes_of(differences(now, first)));
            file.write(bytes_of(differences(mesh.normals(now), normals)));
        }
    }

    std::vector<GlbMesh> meshes_;
};

}  // namespace

std::unique_ptr<FrameWriter> make_glb_writer(const std::string& path, const WriterOptions& options)
{
    if (options.frames > kMostGlbFrames)
        throw InputError(fmt::format(
            "{}: a .glb has a morph target for every frame and at most {} of them; use .usda, or --frames {}", path,
            kMostGlbFrames, kMostGlbFrames - 1));
    if (options.up != UpAxis::y || options.unit != 1)
        throw InputError(fmt::format("{}: glTF is always in metres with y up; leave --up-axis and --unit out", path));
    return std::make_unique<GlbWriter>(path, options);
}

}  // namespace pliant
