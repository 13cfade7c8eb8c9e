#pragma once
// The statistics of a run as JSON, which `--stats` writes. Frame 0 is the initial state.

#include "pliant/base/profile.h"
#include "pliant/contact/pairs/report.h"
#include "pliant/solver/effort.h"
#include "pliant/world/world.h"

#include <memory>
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
    ~Stats();
    Stats(const Stats&) = delete;
    Stats& operator=(const Stats&) = delete;

    void add(int frame, const World& world, const FrameCost& cost);

    /// JSON, a line for each frame.
    std::string text() const;

  private:
    struct Document;
    std::unique_ptr<Document> document_;
};

/// One frame of it alone, on a line; `warnings` are those of a Watch.
std::string write_frame_stats(int frame, const World& world, const FrameCost& cost,
                              const std::vector<std::string>& warnings);

/// The number of fibres that keep their length; 0 if fibres are off.
long long count_fibres(const Cloth& cloth);

}  // namespace pliant
