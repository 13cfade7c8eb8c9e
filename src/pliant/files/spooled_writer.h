#pragma once
// For formats that have all frames of a body in one place (.usda, .glb): while a run goes on, the points of each body are
// collected in a file beside the output, a frame after the other; in the end the output is written from these, with no more
// than two frames of a body in memory, and they are removed.

#include "pliant/files/frame_meshes.h"
#include "pliant/files/stream_file.h"
#include "pliant/files/writer.h"

#include <memory>
#include <string>
#include <vector>

namespace pliant {

/// All frames of one body.
struct SpooledBody {
    std::string name;
    Layer layer;  // all but its points, of the first frame
    std::size_t points = 0;
    std::unique_ptr<StreamFile> file;

    std::vector<Float3> frame(int number) const;
};

class SpooledWriter : public FrameWriter {
  public:
    SpooledWriter(std::string path, const WriterOptions& options);
    ~SpooledWriter() override;

    void write(const Frame& frame) override;
    void finish() override;
    std::string state() const override;
    void resume(const Frame& latest, std::string_view state) override;

  protected:
    /// Writes the output. Frames are numbered from 0.
    virtual void write_all() = 0;

    int frames() const { return static_cast<int>(times_.size()); }
    bool kept_for_checkpoint() const { return kept_; }

    std::string path_;
    WriterOptions options_;
    std::vector<SpooledBody> bodies_;
    std::vector<double> times_;  // per frame [s]

  private:
    void open(std::span<const BodyMesh> meshes, StreamFile::Start start);

    FrameMeshes meshes_;
    mutable bool kept_ = false;  // a checkpoint counts on the collected points: they stay beside the output
};

}  // namespace pliant
