#include "pliant/files/write_sheet.h"

#include "pliant/files/atomic_file.h"
#include "pliant/render/picture.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>

namespace pliant {

namespace {

constexpr std::uint8_t kPaper = 255;
constexpr int kMargin = 14, kDot = 2;  // of the caption [pixels]
constexpr std::array<std::uint8_t, 3> kInk = {72, 80, 90};

/// Which of `frames` frames to show: the first, the last, and evenly between.
std::vector<int> choose_frames(int frames)
{
    const int count = std::clamp(frames, 1, kSheetTiles);
    std::vector<int> chosen = {0};
    for (int i = 1; i < count; ++i) {
        const double even = static_cast<double>(i) * (frames - 1) / (count - 1);
        chosen.push_back(static_cast<int>(std::lround(even)));
    }
    return chosen;
}

void paste(const Image& tile, int x, int y, Image& sheet)
{
    for (int row = 0; row < tile.height; ++row) {
        std::copy_n(tile.pixel(0, row), 3 * tile.width, sheet.pixel(x, y + row));
    }
}

Image render_sheet(const std::vector<Frame>& frames, const std::vector<CameraKey>& keys)
{
    const int count = static_cast<int>(frames.size()), columns = std::min(count, kSheetColumns);
    const int rows = (count + kSheetColumns - 1) / kSheetColumns;
    Image sheet{columns * (kTileWidth + kTileGap) + kTileGap, rows * (kTileHeight + kTileGap) + kTileGap, {}};
    sheet.rgb.assign(static_cast<std::size_t>(3) * sheet.width * sheet.height, kPaper);

    const Camera usual = frame_all(frames, static_cast<double>(kTileWidth) / kTileHeight);
    for (int i = 0; i < count; ++i) {
        const Camera camera = keys.empty() ? usual : camera_at(keys, frames[i].time);
        Image tile = render(frames[i], camera, kTileWidth, kTileHeight);
        const std::string caption = fmt::format("frame {}  {:.2f} s", frames[i].number, frames[i].time);
        draw_text(caption, kMargin, kTileHeight - kMargin - 7 * kDot, kDot, kInk, tile);
        const int column = i % kSheetColumns, row = i / kSheetColumns;
        paste(tile, kTileGap + column * (kTileWidth + kTileGap), kTileGap + row * (kTileHeight + kTileGap), sheet);
    }
    return sheet;
}

class SheetWriter : public FrameWriter {
  public:
    SheetWriter(std::string path, const RunInfo& run)
        : path_(std::move(path)), camera_(run.camera), chosen_(choose_frames(run.frames))
    {}

    void write(const Frame& frame) override
    {
        // Fail now if the path cannot be written, not after a night of simulation.
        if (written_ == 0 && !is_stream(path_)) AtomicFile probe(path_);

        latest_ = frame;
        latest_kept_ = std::binary_search(chosen_.begin(), chosen_.end(), written_);
        if (latest_kept_) kept_.push_back(frame);
        ++written_;
    }

    void finish() override
    {
        if (written_ == 0) return;
        if (!latest_kept_) {
            // The run was longer than expected: show its actual end.
            if (std::ssize(kept_) == kSheetTiles) kept_.pop_back();
            kept_.push_back(latest_);
            latest_kept_ = true;
        }
        write_file(path_, encode_png(render_sheet(kept_, camera_)));
    }

  private:
    std::string path_;
    std::vector<CameraKey> camera_;
    std::vector<int> chosen_;  // in increasing order, counted in calls of write
    std::vector<Frame> kept_;
    Frame latest_;
    int written_ = 0;
    bool latest_kept_ = false;
};

}  // namespace

std::unique_ptr<FrameWriter> make_sheet_writer(const std::string& path, const RunInfo& run)
{
    return std::make_unique<SheetWriter>(path, run);
}

}  // namespace pliant
