#include "progress.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <string>

namespace pliant::cli {

namespace {

std::string duration_text(double seconds)
{
    if (seconds < 60) return fmt::format("{:.1f} s", seconds);
    const int whole = static_cast<int>(std::min(seconds, 1e9));
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

}  // namespace

ProgressStyle usual_style() { return isatty(STDERR_FILENO) != 0 ? ProgressStyle::bar : ProgressStyle::lines; }

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Progress::show(int frame)
{
    if (style_ == ProgressStyle::none || frames_ == 0) return;
    const double passed = seconds();
    const double rate = passed > 0 ? frame / passed : 0;
    const std::string left = rate > 0 ? duration_text((frames_ - frame) / rate) : "?";
    const auto tenth = [&](int n) { return static_cast<long long>(n) * 10 / frames_; };

    if (style_ == ProgressStyle::lines) {
        if (frame == 0 || tenth(frame) == tenth(frame - 1)) return;
        fmt::print(stderr, "frame {}/{} ({} %), {:.3g} frames/s, {} left\n", frame, frames_,
                   static_cast<long long>(frame) * 100 / frames_, rate, left);
        return;
    }
    const Clock::time_point now = Clock::now();
    constexpr std::chrono::milliseconds kBetween{50};  // more often would only flicker
    if (now - shown_ < kBetween && frame < frames_) return;
    shown_ = now;
    constexpr int kWidth = 30;
    const int full = static_cast<int>(static_cast<long long>(frame) * kWidth / frames_);
    fmt::print(stderr, "\r[{:=<{}}{: <{}}] {}/{}  {:.3g} frames/s  {} left \033[K", "", full, "", kWidth - full, frame,
               frames_, rate, left);
    std::fflush(stderr);
    bar_there_ = true;
}

void Progress::clear()
{
    if (!bar_there_) return;
    fmt::print(stderr, "\r\033[K");
    std::fflush(stderr);
    bar_there_ = false;
}

}  // namespace pliant::cli
