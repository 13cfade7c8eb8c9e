// Wavefront OBJ, one file per frame: an object per body, vertex numbers running on from 1 through the file.

#include "pliant/files/atomic_file.h"
#include "pliant/files/sequence.h"

#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace pliant {

namespace {

using Buffer = fmt::memory_buffer;

/// `first` is the number of the layer's first vertex.
void append(const Layer& layer, int first, Buffer& text)
{
    auto out = std::back_inserter(text);
    fmt::format_to(out, "o {}\n", one_line(layer.name));
    // The shortest digits that read back as the same number.
    for (const Vec3& x : layer.points) fmt::format_to(out, "v {} {} {}\n", x.x, x.y, x.z);
    if (!layer.triangles) return;
    for (const auto& [a, b, c] : *layer.triangles) {
        fmt::format_to(out, "f {} {} {}\n", first + a, first + b, first + c);
    }
}

class ObjWriter : public FrameWriter {
  public:
    explicit ObjWriter(std::string path) : path_(std::move(path)) {}

    void write(const Frame& frame) override
    {
        Buffer text;
        fmt::format_to(std::back_inserter(text), "# frame {}\n# time {} s\n", frame.number, frame.time);
        int first = 1;
        for (const Layer& layer : frame.layers) {
            if (layer.scenery) continue;
            append(layer, first, text);
            first += static_cast<int>(layer.points.size());
        }
        write_file(sequence_path(path_, frame.number), {text.data(), text.size()});
    }

  private:
    std::string path_;
};

}  // namespace

std::unique_ptr<FrameWriter> make_obj_writer(const std::string& path) { return std::make_unique<ObjWriter>(path); }

}  // namespace pliant
