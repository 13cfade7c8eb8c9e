// Point caches: the first frame of every body as NAME.obj, and all its frames as NAME.pc2 or NAME.mdd beside it, whose points
// are the vertices of the .obj in order. Blender's Mesh Cache modifier and most other programs read both.
//
//   .pc2   little endian: "POINTCACHE2\0", version 1, points, first frame, frames a sample, samples; then x y z floats
//   .mdd   big endian: frames, points, a time [s] for each frame, then x y z floats. The times stand before the points, so room
//          is left for as many frames as are expected; a run of another length is written anew in the end.

#include "pliant/files/write_cache.h"
#include "pliant/base/check.h"
#include "pliant/files/atomic_file.h"
#include "pliant/files/byte_order.h"
#include "pliant/files/frame_meshes.h"
#include "pliant/files/obj_text.h"
#include "pliant/files/paths.h"
#include "pliant/files/stream_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <utility>

namespace pliant {

namespace {

std::string cache_path(const std::string& path, const std::string& body, const char* suffix)
{
    return fmt::format("{}.{}{}", split_extension(path).stem, body, suffix);
}

std::string points_as_bytes(const std::vector<Float3>& points, std::endian order)
{
    std::string bytes;
    bytes.reserve(12 * points.size());
    for (const Float3& p : points)
        for (int i = 0; i < 3; ++i) append_number(p[i], order, bytes);
    return bytes;
}

/// The cache of one body.
class PointCache {
  public:
    PointCache(const std::string& path, std::size_t points, StreamFile::Start start)
        : file_(path, start), points_(points)
    {}
    virtual ~PointCache() = default;
    PointCache(const PointCache&) = delete;
    PointCache& operator=(const PointCache&) = delete;

    virtual void add(const std::vector<Float3>& points, double time) = 0;
    virtual void cut(int frames) = 0;  // to go on from there
    virtual void finish() {}

  protected:
    std::int64_t frame_size() const { return 12 * static_cast<std::int64_t>(points_); }

    StreamFile file_;
    std::size_t points_;
    int frames_ = 0;
};

class Pc2 : public PointCache {
  public:
    Pc2(const std::string& path, std::size_t points, StreamFile::Start start) : PointCache(path, points, start)
    {
        if (start == StreamFile::Start::empty) file_.append(head());
    }
    void add(const std::vector<Float3>& points, double /*time*/) override
    {
        file_.append(points_as_bytes(points, std::endian::little));
        ++frames_;
        file_.overwrite(0, head());
    }
    void cut(int frames) override
    {
        file_.shrink(kHeadSize + frames * frame_size());
        frames_ = frames;
        file_.overwrite(0, head());
    }

  private:
    static constexpr std::int64_t kHeadSize = 32;

    std::string head() const
    {
        std::string bytes("POINTCACHE2\0", 12);
        append_little(1, bytes);
        append_little(static_cast<int>(points_), bytes);
        append_little(0.0F, bytes);
        append_little(1.0F, bytes);
        append_little(frames_, bytes);
        return bytes;
    }
};

class Mdd : public PointCache {
  public:
    Mdd(const std::string& path, std::size_t points, StreamFile::Start start, int room)
        : PointCache(path, points, start), room_(room)
    {
        if (start == StreamFile::Start::empty) file_.append(head(room_));
    }
    void add(const std::vector<Float3>& points, double time) override
    {
        file_.append(points_as_bytes(points, std::endian::big));
        std::string bytes;
        append_number(static_cast<float>(time), std::endian::big, bytes);
        if (frames_ < room_) file_.overwrite(8 + 4 * static_cast<std::int64_t>(frames_), bytes);
        times_.push_back(static_cast<float>(time));
        ++frames_;
    }
    void cut(int frames) override
    {
        file_.shrink(head_size() + frames * frame_size());
        frames_ = frames;
        const std::string bytes = file_.read(8, 4 * static_cast<std::size_t>(std::min(frames, room_)));
        for (std::size_t i = 0; i < bytes.size(); i += 4) {
            std::array<char, 4> raw{bytes[i + 3], bytes[i + 2], bytes[i + 1], bytes[i]};
            times_.push_back(std::bit_cast<float>(raw));
        }
    }
    /// With exactly as much room as there are frames.
    void finish() override
    {
        if (frames_ == room_) return;
        AtomicFile whole(file_.path());
        whole.write(head(frames_));
        for (int i = 0; i < frames_; ++i)
            whole.write(file_.read(head_size() + i * frame_size(), static_cast<std::size_t>(frame_size())));
        whole.commit();
    }

  private:
    std::int64_t head_size() const { return 8 + 4 * static_cast<std::int64_t>(room_); }

    std::string head(int frames) const
    {
        std::string bytes;
        append_number(frames, std::endian::big, bytes);
        append_number(static_cast<int>(points_), std::endian::big, bytes);
        for (int i = 0; i < frames; ++i)
            append_number(static_cast<std::size_t>(i) < times_.size() ? times_[static_cast<std::size_t>(i)] : 0.0F,
                          std::endian::big, bytes);
        return bytes;
    }

    int room_;  // frames that the list of times has room for
    std::vector<float> times_;
};

/// Makes room for as many times in an .mdd that a finished run has left with another number of them.
void widen_mdd(const std::string& path, std::size_t points, int room)
{
    const StreamFile file(path, StreamFile::Start::as_it_is);
    const auto number = [](const std::string& raw, std::size_t at) {
        return std::bit_cast<std::int32_t>(std::array<char, 4>{raw[at + 3], raw[at + 2], raw[at + 1], raw[at]});
    };
    const int had = number(file.read(0, 4), 0);
    const std::int64_t head = 8 + 4 * static_cast<std::int64_t>(had), size = 12 * static_cast<std::int64_t>(points);
    if (had == room || had < 0 || file.size() < head) return;  // whoever goes on from it says what is wrong
    AtomicFile whole(path);
    std::string bytes;
    append_number(room, std::endian::big, bytes);
    append_number(static_cast<int>(points), std::endian::big, bytes);
    bytes += file.read(8, 4 * static_cast<std::size_t>(std::min(had, room)));
    bytes.resize(8 + 4 * static_cast<std::size_t>(room), '\0');
    whole.write(bytes);
    for (std::int64_t at = head; at + size <= file.size(); at += size)
        whole.write(file.read(at, static_cast<std::size_t>(size)));
    whole.commit();
}

class CacheWriter : public FrameWriter {
  public:
    CacheWriter(std::string path, const WriterOptions& options)
        : path_(std::move(path)), options_(options), meshes_(path_, options)
    {}

    void write(const Frame& frame) override
    {
        const std::span<const BodyMesh> bodies = meshes_.update(frame);
        if (caches_.empty()) {
            for (const BodyMesh& body : bodies) {
                write_file(cache_path(path_, body.name, ".obj"), obj_of_body(body));
                caches_.push_back(open(body, StreamFile::Start::empty, options_.frames));
            }
        }
        for (std::size_t i = 0; i < bodies.size(); ++i) caches_[i]->add(bodies[i].points, frame.time);
    }

    void finish() override
    {
        for (const auto& cache : caches_) cache->finish();
    }

    std::string state() const override { return std::to_string(options_.frames); }

    void resume(const Frame& latest, std::string_view state) override
    {
        const int room = std::max(std::stoi(std::string(state)), options_.frames);
        for (const BodyMesh& body : meshes_.update(latest)) {
            if (kind_of_path(cache_path(path_, body.name, suffix().c_str())) != PathKind::file)
                throw FileError(fmt::format("'{}' of the run to resume is missing; run without --resume to start again",
                                            cache_path(path_, body.name, suffix().c_str())));
            if (suffix() == ".mdd") widen_mdd(cache_path(path_, body.name, ".mdd"), body.points.size(), room);
            caches_.push_back(open(body, StreamFile::Start::as_it_is, room));
            caches_.back()->cut(latest.number + 1);
        }
        options_.frames = room;
    }

  private:
    std::string suffix() const { return lower_extension(path_); }
    std::unique_ptr<PointCache> open(const BodyMesh& body, StreamFile::Start start, int room) const
    {
        const std::string file = cache_path(path_, body.name, suffix().c_str());
        if (suffix() == ".pc2") return std::make_unique<Pc2>(file, body.points.size(), start);
        return std::make_unique<Mdd>(file, body.points.size(), start, room);
    }

    std::string path_;
    WriterOptions options_;
    FrameMeshes meshes_;
    std::vector<std::unique_ptr<PointCache>> caches_;  // per body
};

}  // namespace

std::unique_ptr<FrameWriter> make_cache_writer(const std::string& path, const WriterOptions& options)
{
    return std::make_unique<CacheWriter>(path, options);
}

}  // namespace pliant
