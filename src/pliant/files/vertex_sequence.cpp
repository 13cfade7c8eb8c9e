#include "pliant/files/vertex_sequence.h"

#include "pliant/base/check.h"
#include "pliant/files/file_table.h"
#include "pliant/files/gltf_file.h"
#include "pliant/files/mesh_files.h"
#include "pliant/files/paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>

namespace pliant {

namespace {

/// A file of which parts are read, or one in memory.
class PartReader {
  public:
    explicit PartReader(const std::string& path) : path_(path)
    {
        if (const std::string* given = find_in_memory(path)) {
            memory_ = *given;
            size_ = static_cast<std::int64_t>(memory_->size());
            return;
        }
        if (kind_of_path(path) != PathKind::file)
            throw FileError(fmt::format("{}: cannot read: there is no such file", path));
        file_.reset(std::fopen(path.c_str(), "rb"));
        if (file_ == nullptr || std::fseek(file_.get(), 0, SEEK_END) != 0) fail();
        size_ = std::ftell(file_.get());
        if (size_ < 0) fail();
    }

    std::int64_t size() const { return size_; }

    std::string bytes(std::int64_t at, std::int64_t count)
    {
        if (at < 0 || count < 0 || at > size_ - count)
            throw InputError(fmt::format("{}: the file ends early; export it again", path_));
        const auto size = static_cast<std::size_t>(count);
        if (memory_) return memory_->substr(static_cast<std::size_t>(at), size);
        std::string part(size, '\0');
        if (std::fseek(file_.get(), static_cast<long>(at), SEEK_SET) != 0 ||
            std::fread(part.data(), 1, size, file_.get()) != size)
            fail();
        return part;
    }

    template <class T>
    T number(std::int64_t at, std::endian order)
    {
        return number_in(bytes(at, sizeof(T)), 0, order, T{});
    }

    template <class T>
    static T number_in(const std::string& bytes, std::size_t at, std::endian order, T)
    {
        std::array<char, sizeof(T)> raw;
        std::memcpy(raw.data(), bytes.data() + at, sizeof(T));
        if (order != std::endian::native) std::ranges::reverse(raw);
        return std::bit_cast<T>(raw);
    }

  private:
    [[noreturn]] void fail() const { throw FileError(fmt::format("{}: cannot read", path_)); }

    std::string path_;
    std::optional<std::string> memory_;
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};
    std::int64_t size_ = 0;
};

/// Points that are stored frame by frame.
class FrameSequence : public VertexSequence {
  public:
    double length() const override { return time(frames() - 1); }

    void read_at(double at, std::vector<Vec3d>& points) override
    {
        const int frame = frame_at(at);
        read(frame, points);
        if (frame + 1 == frames() || at <= time(frame)) return;
        read(frame + 1, next_);
        const double s = (at - time(frame)) / (time(frame + 1) - time(frame));
        for (std::size_t i = 0; i < points.size(); ++i) points[i] += s * (next_[i] - points[i]);
    }

  protected:
    virtual int frames() const = 0;            // at least one
    virtual double time(int frame) const = 0;  // from the first on [s]; later than that of the frame before
    virtual void read(int frame, std::vector<Vec3d>& points) = 0;

  private:
    /// The last frame that is not after a time.
    int frame_at(double at) const
    {
        int low = 0, high = frames() - 1;
        while (low < high) {
            const int middle = low + (high - low + 1) / 2;
            if (time(middle) <= at) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    std::vector<Vec3d> next_;
};

/// A point cache: floats side by side, frame after frame.
class CachedPoints : public FrameSequence {
  public:
    std::size_t points() const override { return static_cast<std::size_t>(points_); }

  protected:
    int frames() const override { return frames_; }

    void read(int frame, std::vector<Vec3d>& points) override
    {
        const std::int64_t size = 12 * points_;
        const std::string bytes = file_.bytes(first_ + size * frame, size);
        points.resize(static_cast<std::size_t>(points_));
        for (std::size_t i = 0; i < points.size(); ++i)
            for (std::size_t k = 0; k < 3; ++k)
                points[i][static_cast<int>(k)] =
                    static_cast<double>(PartReader::number_in(bytes, 12 * i + 4 * k, order_, 0.0f));
        check_finite(fmt::format("{}: frame {}", path_, frame), points);
    }

    CachedPoints(const std::string& path, std::endian order) : path_(path), order_(order), file_(path) {}

    /// The counts of a header, checked against the size of the file.
    void set_size(std::int64_t frames, std::int64_t points, std::int64_t header)
    {
        constexpr std::int64_t kMost = 1 << 28;
        if (frames < 1 || points < 1 || frames > kMost || points > kMost)
            throw InputError(
                fmt::format("{}: there are {} frames of {} points in it; is it a point cache?", path_, frames, points));
        if (file_.size() - header < 12 * points * frames)
            throw InputError(
                fmt::format("{}: {} frames of {} points are missing in part; export it again", path_, frames, points));
        frames_ = static_cast<int>(frames);
        points_ = points;
        first_ = header;
    }

    std::string path_;
    std::endian order_;
    PartReader file_;
    int frames_ = 0;
    std::int64_t points_ = 0;
    std::int64_t first_ = 0;  // of the points, in the file
};

/// "POINTCACHE2\0", version, points, first frame, frames a sample, samples; lowest byte first.
class Pc2File : public CachedPoints {
  public:
    Pc2File(const std::string& path, double rate) : CachedPoints(path, std::endian::little)
    {
        if (file_.size() < 32 || file_.bytes(0, 11) != "POINTCACHE2")
            throw InputError(fmt::format("{}: this is no .pc2 file", path));
        const double step = static_cast<double>(file_.number<float>(24, order_));
        if (!(step > 0) || !(step < 1e6))
            throw InputError(fmt::format("{}: a sample takes {} frames; it must be more than 0", path, step));
        step_ = step / rate;
        set_size(file_.number<std::int32_t>(28, order_), file_.number<std::int32_t>(16, order_), 32);
    }

  private:
    double time(int frame) const override { return step_ * frame; }

    double step_ = 0;  // [s]
};

/// Frames, points, a time for each frame; highest byte first.
class MddFile : public CachedPoints {
  public:
    explicit MddFile(const std::string& path) : CachedPoints(path, std::endian::big)
    {
        if (file_.size() < 8) throw InputError(fmt::format("{}: this is no .mdd file", path));
        const std::int64_t frames = file_.number<std::int32_t>(0, order_);
        set_size(frames, file_.number<std::int32_t>(4, order_), 8 + 4 * std::max<std::int64_t>(frames, 0));
        const std::string stored = file_.bytes(8, 4 * frames);
        for (std::size_t i = 0; i < static_cast<std::size_t>(frames_); ++i) {
            times_.push_back(PartReader::number_in(stored, 4 * i, order_, 0.0f));
            if (!std::isfinite(times_[i]) || (i > 0 && !(times_[i] > times_[i - 1])))
                throw InputError(
                    fmt::format("{}: frame {} is at {} s, not after the frame before it", path, i, times_[i]));
        }
    }

  private:
    double time(int frame) const override
    {
        return static_cast<double>(times_[static_cast<std::size_t>(frame)]) - static_cast<double>(times_[0]);
    }

    std::vector<float> times_;  // per frame [s]
};

/// A mesh for each frame: walk.0001.obj, walk.0002.obj, ... for walk.####.obj, from the lowest number of 0 and 1 on.
class MeshFiles : public FrameSequence {
  public:
    MeshFiles(const std::string& pattern, double rate) : rate_(rate)
    {
        const std::size_t end = pattern.rfind('#'), begin = pattern.find_last_not_of('#', end) + 1;
        before_ = pattern.substr(0, begin);
        after_ = pattern.substr(end + 1);
        digits_ = end + 1 - begin;
        first_ = exists(0) ? 0 : 1;
        while (frames_ < 10'000'000 && exists(first_ + frames_)) ++frames_;
        if (frames_ == 0) throw FileError(fmt::format("{}: there is no file {}", pattern, name(first_)));
        points_ = read_points(name(first_)).size();
    }
    std::size_t points() const override { return points_; }

  private:
    int frames() const override { return frames_; }
    double time(int frame) const override { return frame / rate_; }

    void read(int frame, std::vector<Vec3d>& points) override
    {
        points = read_points(name(first_ + frame));
        if (points.size() != points_)
            throw InputError(
                fmt::format("{}: there are {} vertices, but {} in {}; export all frames with the same ones",
                            name(first_ + frame), points.size(), points_, name(first_)));
        check_finite(name(first_ + frame), points);
    }

    std::string name(int frame) const { return fmt::format("{}{:0{}}{}", before_, frame, digits_, after_); }
    bool exists(int frame) const { return find_in_memory(name(frame)) != nullptr || path_exists(name(frame)); }

    double rate_;
    std::string before_, after_;
    std::size_t digits_ = 0, points_ = 0;
    int first_ = 0, frames_ = 0;
};

}  // namespace

void check_finite(const std::string& where, const std::vector<Vec3d>& points)
{
    for (std::size_t i = 0; i < points.size(); ++i)
        if (const Vec3d& p = points[i]; !std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z))
            throw InputError(fmt::format("{}: point {} is at ({}, {}, {}); repair the file", where, i, p.x, p.y, p.z));
}

std::unique_ptr<VertexSequence> open_vertex_sequence(const std::string& path, double rate, const std::string& clip)
{
    const std::string extension = lower_extension(path);
    if (extension == ".gltf" || extension == ".glb") return open_gltf_sequence(path, clip);
    if (!clip.empty())
        throw InputError(
            fmt::format("{}: there is one animation in a '{}'; only .gltf and .glb have clips", path, extension));
    if (extension == ".pc2") return std::make_unique<Pc2File>(path, rate);
    if (extension == ".mdd") return std::make_unique<MddFile>(path);
    if (extension != ".obj" && extension != ".ply")
        throw InputError(fmt::format(
            "{}: animations are read from .pc2, .mdd, .gltf, .glb, .obj and .ply, not from '{}'", path, extension));
    if (path.find('#') == std::string::npos)
        throw InputError(fmt::format("{}: needs #### in place of the number of the frame", path));
    return std::make_unique<MeshFiles>(path, rate);
}

}  // namespace pliant
