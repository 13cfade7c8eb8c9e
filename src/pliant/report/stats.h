#pragma once
// The statistics of a run as JSON, which `--stats` writes. Frame 0 is the initial state.

#include "pliant/base/profile.h"
#include "pliant/contact/pairs/report.h"
#include "pliant/solver/effort.h"
#include "pliant/world/world.h"

#include <string>
#include <vector>

namespace pliant {

/// What only the caller of step() knows about a frame.
struct FrameCost {
    double step_ms = 0;
    Profile phases;                 // its times are valid only while it is on
    int contacts = 0;               // of particles and rigid bodies with colliders
    std::size_t intersections = 0;  // edges that pass through triangles
    std::vector<GlueEvent> events;
    FeatureContactReport feature_contacts;
    Effort effort;
};

class Stats {
  public:
    /// Records settings and counts.
    explicit Stats(const World& world);

    void add(int frame, const World& world, const FrameCost& cost);

    /// JSON, a line for each frame.
    std::string text() const;

    /// The same in pieces: what stands before the frames, one frame, and what stands behind them.
    const std::string& head() const { return head_; }
    static std::string line(int frame, const World& world, const FrameCost& cost);
    static const char* tail() { return "\n]\n}\n"; }

  private:
    std::string head_, frames_;
};

/// One frame of it alone, on a line; `warnings` are those of a Watch.
std::string write_frame_stats(int frame, const World& world, const FrameCost& cost,
                              const std::vector<std::string>& warnings);

/// The number of fibres that keep their length; 0 if fibres are off.
long long count_fibres(const Cloth& cloth);

}  // namespace pliant
