// Wavefront OBJ, one file per frame: an object per body, vertex numbers running on from 1 through the file. A body from a
// file has the polygons, texture coordinates, objects, groups and materials of that.

#include "pliant/files/atomic_file.h"
#include "pliant/files/sequence.h"

#include <fmt/format.h>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>

namespace pliant {

namespace {

using Buffer = fmt::memory_buffer;

/// Numbers of the next vertex and the next texture coordinate of a file.
struct ObjNumbers {
    int vertex = 1, uv = 1;
};

/// The lines `o`, `g` and `usemtl` where a face bears other names than the one before it.
class LabelLines {
  public:
    explicit LabelLines(const PolygonFaces& faces) : faces_(faces) {}

    void append(int face, Buffer& text)
    {
        append("o", faces_.objects, face, object_, text);
        append("g", faces_.groups, face, group_, text);
        append("usemtl", faces_.materials, face, material_, text);
    }

  private:
    /// A face without a name after one with a name has the format's default.
    static void append(const char* key, const FaceLabels& labels, int face, int& latest, Buffer& text)
    {
        const int label = labels.of_face[static_cast<std::size_t>(face)];
        if (label == std::exchange(latest, label)) return;
        const std::string name = label < 0 ? "default" : one_line(labels.names[static_cast<std::size_t>(label)]);
        fmt::format_to(std::back_inserter(text), "{} {}\n", key, name);
    }

    const PolygonFaces& faces_;
    int object_ = -1, group_ = -1, material_ = -1;
};

/// The faces of the body's file.
void append_faces(const PolygonFaces& faces, const ObjNumbers& first, Buffer& text)
{
    auto out = std::back_inserter(text);
    for (const auto& [u, v] : faces.uvs) fmt::format_to(out, "vt {} {}\n", u, v);
    LabelLines labels(faces);
    for (int i = 0; i < faces.size(); ++i) {
        labels.append(i, text);
        const std::span<const int> corners = faces.face(i), uvs = faces.face_uvs(i);
        fmt::format_to(out, "f");
        for (std::size_t k = 0; k < corners.size(); ++k) {
            fmt::format_to(out, " {}", first.vertex + corners[k]);
            if (uvs[k] >= 0) fmt::format_to(out, "/{}", first.uv + uvs[k]);
        }
        fmt::format_to(out, "\n");
    }
}

void append(const Layer& layer, const ObjNumbers& first, Buffer& text)
{
    auto out = std::back_inserter(text);
    // The objects of a file take the place of the one that a body is.
    const bool has_objects = layer.faces && !layer.faces->objects.names.empty();
    fmt::format_to(out, "{} {}\n", has_objects ? "# body" : "o", one_line(layer.name));
    if (layer.faces)
        for (const std::string& file : layer.faces->material_files) fmt::format_to(out, "mtllib {}\n", one_line(file));
    // The shortest digits that read back as the same number.
    for (const Vec3& x : layer.points) fmt::format_to(out, "v {} {} {}\n", x.x, x.y, x.z);
    if (layer.faces) return append_faces(*layer.faces, first, text);
    if (!layer.triangles) return;
    for (const auto& [a, b, c] : *layer.triangles)
        fmt::format_to(out, "f {} {} {}\n", first.vertex + a, first.vertex + b, first.vertex + c);
}

class ObjWriter : public FrameWriter {
  public:
    explicit ObjWriter(std::string path) : path_(std::move(path)) {}

    void write(const Frame& frame) override
    {
        Buffer text;
        fmt::format_to(std::back_inserter(text), "# frame {}\n# time {} s\n", frame.number, frame.time);
        ObjNumbers first;
        for (const Layer& layer : frame.layers) {
            if (layer.scenery) continue;
            append(layer, first, text);
            first.vertex += static_cast<int>(layer.points.size());
            if (layer.faces) first.uv += static_cast<int>(layer.faces->uvs.size());
        }
        write_file(sequence_path(path_, frame.number), {text.data(), text.size()});
    }

  private:
    std::string path_;
};

}  // namespace

std::unique_ptr<FrameWriter> make_obj_writer(const std::string& path) { return std::make_unique<ObjWriter>(path); }

}  // namespace pliant
