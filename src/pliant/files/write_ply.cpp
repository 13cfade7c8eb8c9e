// Stanford PLY, binary little endian, one file per frame. `body` at a vertex is the place of its layer in the frame;
// a comment gives the name that belongs to it.

#include "pliant/files/atomic_file.h"
#include "pliant/files/sequence.h"

#include <fmt/format.h>
#include <bit>
#include <cstdint>
#include <utility>

namespace pliant {

namespace {

/// Little endian whatever the machine is.
void append(std::uint32_t word, std::string& bytes)
{
    for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>((word >> shift) & 0xff);
}

void append(float number, std::string& bytes) { append(std::bit_cast<std::uint32_t>(number), bytes); }

void append(int number, std::string& bytes) { append(std::bit_cast<std::uint32_t>(number), bytes); }

std::string make_header(const Frame& frame)
{
    std::string bodies;
    std::size_t vertices = 0, faces = 0;
    for (std::size_t body = 0; body < frame.layers.size(); ++body) {
        const Layer& layer = frame.layers[body];
        if (layer.scenery) continue;
        bodies += fmt::format("comment body {} {}\n", body, one_line(layer.name));
        vertices += layer.points.size();
        if (layer.triangles) faces += layer.triangles->size();
    }
    return fmt::format(
        "ply\nformat binary_little_endian 1.0\ncomment frame {}\ncomment time {} s\n{}"
        "element vertex {}\nproperty float x\nproperty float y\nproperty float z\nproperty int body\n"
        "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        frame.number, frame.time, bodies, vertices, faces);
}

void append_vertices(const Frame& frame, std::string& bytes)
{
    for (std::size_t body = 0; body < frame.layers.size(); ++body) {
        if (frame.layers[body].scenery) continue;
        for (const Vec3& point : frame.layers[body].points) {
            const Vector3<float> x = point.cast<float>();
            append(x.x, bytes);
            append(x.y, bytes);
            append(x.z, bytes);
            append(static_cast<int>(body), bytes);
        }
    }
}

void append_faces(const Frame& frame, std::string& bytes)
{
    int first = 0;
    for (const Layer& layer : frame.layers) {
        if (layer.scenery) continue;
        if (layer.triangles) {
            for (const std::array<int, 3>& triangle : *layer.triangles) {
                bytes += '\3';
                for (const int vertex : triangle) append(first + vertex, bytes);
            }
        }
        first += static_cast<int>(layer.points.size());
    }
}

class PlyWriter : public FrameWriter {
  public:
    explicit PlyWriter(std::string path) : path_(std::move(path)) {}

    void write(const Frame& frame) override
    {
        std::string bytes = make_header(frame);
        append_vertices(frame, bytes);
        append_faces(frame, bytes);
        write_file(sequence_path(path_, frame.number), bytes);
    }

  private:
    std::string path_;
};

}  // namespace

std::unique_ptr<FrameWriter> make_ply_writer(const std::string& path) { return std::make_unique<PlyWriter>(path); }

}  // namespace pliant
