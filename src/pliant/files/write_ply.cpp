// Stanford PLY, binary little endian, one file per frame. `body` at a vertex is the place of its layer in the frame; a
// comment gives the name that belongs to it. Where bodies come from files, faces are the polygons of those, with
// texture coordinates (of vertices if each has one only, otherwise of corners), and with numbers of their objects,
// groups and materials, whose names are comments too.

#include "pliant/files/atomic_file.h"
#include "pliant/files/sequence.h"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <utility>

namespace pliant {

namespace {

/// Little endian on any machine.
void append(std::uint32_t word, std::string& bytes)
{
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((word >> shift) & 0xff);
}

void append(float number, std::string& bytes) { append(std::bit_cast<std::uint32_t>(number), bytes); }

void append(int number, std::string& bytes) { append(std::bit_cast<std::uint32_t>(number), bytes); }

/// Objects, groups or materials of the faces of all bodies.
struct PlyLabel {
    const char* key;
    FaceLabels PolygonFaces::* labels;
    bool used = false;
    int next = 0;  // number of the first name of the next body
};

class PlyFrame {
  public:
    explicit PlyFrame(const Frame& frame) : frame_(frame)
    {
        for (const Layer& layer : frame.layers) {
            if (layer.scenery || !layer.faces) continue;
            const PolygonFaces& faces = *layer.faces;
            has_uvs_ = has_uvs_ || !faces.uvs.empty();
            one_each_ = one_each_ && has_one_uv_each(faces, layer.points.size());
            for (PlyLabel& label : labels_) label.used = label.used || !(faces.*label.labels).names.empty();
            for (int i = 0; i < faces.size(); ++i) largest_ = std::max(largest_, faces.face(i).size());
        }
    }

    std::string write()
    {
        std::string bytes = make_header();
        for_each_body([&](std::size_t body, const Layer& layer) { append_vertices(body, layer, bytes); });
        int first = 0;
        for_each_body([&](std::size_t, const Layer& layer) {
            if (layer.faces) append_polygons(*layer.faces, first, bytes);
            else if (layer.triangles) append_triangles(*layer.triangles, first, bytes);
            first += static_cast<int>(layer.points.size());
        });
        return bytes;
    }

  private:
    using Uv = std::array<double, 2>;

    template <class Visit>
    void for_each_body(const Visit& visit) const
    {
        for (std::size_t body = 0; body < frame_.layers.size(); ++body)
            if (!frame_.layers[body].scenery) visit(body, frame_.layers[body]);
    }

    static std::vector<int> uv_of_vertices(const PolygonFaces& faces, std::size_t vertices)
    {
        std::vector<int> uv(vertices, -1);
        for (std::size_t k = 0; k < faces.corners.size(); ++k)
            if (faces.corner_uvs[k] >= 0) uv[static_cast<std::size_t>(faces.corners[k])] = faces.corner_uvs[k];
        return uv;
    }

    static bool has_one_uv_each(const PolygonFaces& faces, std::size_t vertices)
    {
        const std::vector<int> uv = uv_of_vertices(faces, vertices);
        for (std::size_t k = 0; k < faces.corners.size(); ++k) {
            const int of_vertex = uv[static_cast<std::size_t>(faces.corners[k])], of_corner = faces.corner_uvs[k];
            if (of_vertex == of_corner || of_corner < 0) continue;
            if (faces.uvs[static_cast<std::size_t>(of_vertex)] != faces.uvs[static_cast<std::size_t>(of_corner)])
                return false;
        }
        return true;
    }

    std::string make_header() const
    {
        std::string bodies;
        std::size_t vertices = 0, count = 0;
        for_each_body([&](std::size_t body, const Layer& layer) {
            bodies += fmt::format("comment body {} {}\n", body, one_line(layer.name));
            vertices += layer.points.size();
            if (layer.faces) count += static_cast<std::size_t>(layer.faces->size());
            else if (layer.triangles) count += layer.triangles->size();
        });
        std::string face = fmt::format("property list {} int vertex_indices\n", length_type());
        if (has_uvs_ && !one_each_) face += fmt::format("property list {} float texcoord\n", length_type());
        for (const PlyLabel& label : labels_) {
            if (!label.used) continue;
            bodies += name_comments(label);
            face += fmt::format("property int {}\n", label.key);
        }
        return fmt::format(
            "ply\nformat binary_little_endian 1.0\ncomment frame {}\ncomment time {} s\n{}"
            "element vertex {}\nproperty float x\nproperty float y\nproperty float z\nproperty int body\n{}"
            "element face {}\n{}end_header\n",
            frame_.number, frame_.time, bodies, vertices,
            has_uvs_ && one_each_ ? "property float s\nproperty float t\n" : "", count, face);
    }

    std::string name_comments(const PlyLabel& label) const
    {
        std::string comments;
        int number = 0;
        for_each_body([&](std::size_t, const Layer& layer) {
            if (!layer.faces) return;
            for (const std::string& name : ((*layer.faces).*label.labels).names)
                comments += fmt::format("comment {} {} {}\n", label.key, number++, one_line(name));
        });
        return comments;
    }

    /// A byte is enough for all but the largest polygons, and what most programs expect.
    const char* length_type() const { return is_small() ? "uchar" : "int"; }
    bool is_small() const { return largest_ <= 127; }  // with two coordinates a corner
    void append_length(std::size_t length, std::string& bytes) const
    {
        if (is_small()) bytes += static_cast<char>(length);
        else append(static_cast<int>(length), bytes);
    }

    static void append_uv(const PolygonFaces* faces, int uv, std::string& bytes)
    {
        const Uv value = uv < 0 ? Uv{} : faces->uvs[static_cast<std::size_t>(uv)];
        append(static_cast<float>(value[0]), bytes);
        append(static_cast<float>(value[1]), bytes);
    }

    void append_vertices(std::size_t body, const Layer& layer, std::string& bytes) const
    {
        const bool with_uv = has_uvs_ && one_each_;
        std::vector<int> uv;
        if (with_uv && layer.faces) uv = uv_of_vertices(*layer.faces, layer.points.size());
        for (std::size_t i = 0; i < layer.points.size(); ++i) {
            const Vector3<float> x = layer.points[i].cast<float>();
            append(x.x, bytes);
            append(x.y, bytes);
            append(x.z, bytes);
            append(static_cast<int>(body), bytes);
            if (with_uv) append_uv(layer.faces.get(), uv.empty() ? -1 : uv[i], bytes);
        }
    }

    void append_polygons(const PolygonFaces& faces, int first, std::string& bytes)
    {
        for (int i = 0; i < faces.size(); ++i) {
            const std::span<const int> corners = faces.face(i);
            append_length(corners.size(), bytes);
            for (const int v : corners) append(first + v, bytes);
            if (has_uvs_ && !one_each_) {
                append_length(2 * corners.size(), bytes);
                for (const int uv : faces.face_uvs(i)) append_uv(&faces, uv, bytes);
            }
            for (const PlyLabel& label : labels_) {
                const int name = (faces.*label.labels).of_face[static_cast<std::size_t>(i)];
                if (label.used) append(name < 0 ? -1 : label.next + name, bytes);
            }
        }
        for (PlyLabel& label : labels_) label.next += static_cast<int>((faces.*label.labels).names.size());
    }

    void append_triangles(const Triangles& triangles, int first, std::string& bytes) const
    {
        for (const std::array<int, 3>& triangle : triangles) {
            append_length(3, bytes);
            for (const int vertex : triangle) append(first + vertex, bytes);
            if (has_uvs_ && !one_each_) append_length(0, bytes);
            for (const PlyLabel& label : labels_)
                if (label.used) append(-1, bytes);
        }
    }

    const Frame& frame_;
    std::array<PlyLabel, 3> labels_{
        {{"object", &PolygonFaces::objects}, {"group", &PolygonFaces::groups}, {"material", &PolygonFaces::materials}}};
    bool has_uvs_ = false, one_each_ = true;
    std::size_t largest_ = 3;  // corners of a polygon
};

class PlyWriter : public FrameWriter {
  public:
    explicit PlyWriter(std::string path) : path_(std::move(path)) {}

    void write(const Frame& frame) override { write_file(sequence_path(path_, frame.number), PlyFrame(frame).write()); }
    std::string state() const override { return {}; }
    void resume(const Frame& latest, std::string_view /*state*/) override { check_sequence(path_, latest.number); }

  private:
    std::string path_;
};

}  // namespace

std::unique_ptr<FrameWriter> make_ply_writer(const std::string& path) { return std::make_unique<PlyWriter>(path); }

}  // namespace pliant
