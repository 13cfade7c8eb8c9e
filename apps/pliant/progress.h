#pragma once
// How far a run has come, on standard error: a bar on a terminal, otherwise a line about every tenth.

#include <chrono>

namespace pliant::cli {

enum class ProgressStyle { none, lines, bar };

/// A bar where standard error is a terminal, lines where it is not.
ProgressStyle usual_style();

class Progress {
  public:
    Progress(int frames, ProgressStyle style) : frames_(frames), style_(style) {}
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void show(int frame);
    /// Takes the bar away, so that a message can stand there.
    void clear();

    double seconds() const;

  private:
    using Clock = std::chrono::steady_clock;

    int frames_;
    ProgressStyle style_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point shown_{};
    bool bar_there_ = false;
};

}  // namespace pliant::cli
