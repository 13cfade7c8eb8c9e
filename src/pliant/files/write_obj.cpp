// Wavefront OBJ, one file per frame: an object per body, vertex numbers running on from 1 through the file. A body from
// a file has the polygons, texture coordinates, objects, groups and materials of that.

#include "pliant/files/atomic_file.h"
#include "pliant/files/obj_text.h"
#include "pliant/files/sequence.h"

#include <fmt/format.h>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

namespace pliant {

namespace {

/// The text of a frame, body by body.
class ObjText {
  public:
    explicit ObjText(const Frame& frame)
    {
        fmt::format_to(out(), "# frame {}\n# time {} s\n", frame.number, frame.time);
        for (const Layer& layer : frame.layers)
            if (!layer.scenery) append(layer);
    }

    std::string_view text() const { return {text_.data(), text_.size()}; }

  private:
    std::back_insert_iterator<fmt::memory_buffer> out() { return std::back_inserter(text_); }

    void append(const Layer& layer)
    {
        // A body from a file with objects is written as those, otherwise as one object.
        const bool has_objects = layer.faces && !layer.faces->objects.names.empty();
        object_.clear();
        if (has_objects) fmt::format_to(out(), "# body {}\n", one_line(layer.name));
        else set("o", one_line(layer.name), object_);
        if (layer.faces)
            for (const std::string& file : layer.faces->material_files)
                fmt::format_to(out(), "mtllib {}\n", one_line(file));
        // The shortest digits that read back as the same number.
        for (const Vec3& x : layer.points) fmt::format_to(out(), "v {} {} {}\n", x.x, x.y, x.z);
        if (layer.faces) append_faces(layer);
        else if (layer.triangles) append_triangles(*layer.triangles);
        next_vertex_ += static_cast<int>(layer.points.size());
    }

    /// The faces of the body's file.
    void append_faces(const Layer& layer)
    {
        const PolygonFaces& faces = *layer.faces;
        for (const auto& [u, v] : faces.uvs) fmt::format_to(out(), "vt {} {}\n", u, v);
        for (int i = 0; i < faces.size(); ++i) {
            set("o", name_of(faces.objects, i, one_line(layer.name)), object_);
            set("g", name_of(faces.groups, i, kNoName), group_);
            set("usemtl", name_of(faces.materials, i, kNoName), material_);
            const std::span<const int> corners = faces.face(i), uvs = faces.face_uvs(i);
            fmt::format_to(out(), "f");
            for (std::size_t k = 0; k < corners.size(); ++k) {
                fmt::format_to(out(), " {}", next_vertex_ + corners[k]);
                if (uvs[k] >= 0) fmt::format_to(out(), "/{}", next_uv_ + uvs[k]);
            }
            fmt::format_to(out(), "\n");
        }
        next_uv_ += static_cast<int>(faces.uvs.size());
    }

    void append_triangles(const Triangles& triangles)
    {
        set("g", kNoName, group_);
        set("usemtl", kNoName, material_);
        for (const auto& [a, b, c] : triangles)
            fmt::format_to(out(), "f {} {} {}\n", next_vertex_ + a, next_vertex_ + b, next_vertex_ + c);
    }

    static std::string name_of(const FaceLabels& labels, int face, const std::string& without)
    {
        const int label = labels.of_face[static_cast<std::size_t>(face)];
        return label < 0 ? without : one_line(labels.names[static_cast<std::size_t>(label)]);
    }

    /// A line where the name changes: it holds for all faces until the next, those of other bodies too.
    void set(const char* key, const std::string& name, std::string& latest)
    {
        if (name == latest) return;
        fmt::format_to(out(), "{} {}\n", key, name);
        latest = name;
    }

    inline static const std::string kNoName = "default";  // group and material of a face without any

    fmt::memory_buffer text_;
    int next_vertex_ = 1, next_uv_ = 1;
    std::string object_, group_ = kNoName, material_ = kNoName;  // currently in effect
};

}  // namespace

std::string obj_text(const Frame& frame) { return std::string(ObjText(frame).text()); }

std::string obj_of_body(const BodyMesh& body)
{
    Frame alone;
    Layer& layer = alone.layers.emplace_back(*body.layer);
    for (std::size_t i = 0; i < layer.points.size(); ++i) layer.points[i] = body.points[i].cast<Real>();
    return obj_text(alone);
}

namespace {

class ObjWriter : public FrameWriter {
  public:
    explicit ObjWriter(std::string path) : path_(std::move(path)) {}

    void write(const Frame& frame) override { write_file(sequence_path(path_, frame.number), ObjText(frame).text()); }
    std::string state() const override { return {}; }
    void resume(const Frame& latest, std::string_view /*state*/) override { check_sequence(path_, latest.number); }

  private:
    std::string path_;
};

}  // namespace

std::unique_ptr<FrameWriter> make_obj_writer(const std::string& path) { return std::make_unique<ObjWriter>(path); }

}  // namespace pliant
