#pragma once
// The layers of a recorded page: what does not change, and the numbers of each frame, quantised and predicted.

#include "pliant/files/residuals.h"
#include "pliant/json/json_text.h"
#include "pliant/render/display.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace pliant {

/// A grid that positions are put on.
struct PageGrid {
    Vec3d low;        // where it begins [m]
    double unit = 1;  // [m]

    std::int32_t quantise(double x, int axis) const;
};

/// How a layer moves, and what its next frame is predicted from.
struct PageTrack {
    enum class Moves { still, pose, points };
    Moves moves = Moves::points;
    Mat3d turn = Mat3d::identity();      // of a pose: at the start
    std::vector<std::int32_t> one, two;  // the frame before, and the one before that
};

/// What is kept for a run that is resumed.
struct PageTrail {
    PageGrid grid;
    std::vector<PageTrack> tracks;  // per layer
};

class PageLayers {
  public:
    /// From the initial state.
    PageLayers(const World& world, const Frame& frame);
    /// From where a run was left: frames only, its layers have been described.
    explicit PageLayers(PageTrail trail) : trail_(std::move(trail)) {}

    const PageTrail& trail() const { return trail_; }

    const PageGrid& grid() const { return trail_.grid; }
    /// One entry for each layer.
    Json describe() const;
    /// Indices, texture coordinates, strands and the positions at the start, in base64.
    std::string encode_constants() const;
    /// Appends a frame; the first one of a chunk needs no other.
    void encode(const World& world, const Frame& frame, bool first, ResidualWriter& out);

  private:
    struct PageLayer {
        DisplayLayer display;
        std::vector<std::int32_t> start;  // per coordinate of the initial positions
        Vec3d center;                     // of a pose: where it was at the start
    };

    void measure(const World& world, const Frame& frame);
    void quantise_points(const World& world, const Frame& frame, int layer, std::vector<std::int32_t>& out) const;
    void quantise_pose(const World& world, int layer, std::vector<std::int32_t>& out) const;

    PageTrail trail_;
    std::vector<PageLayer> layers_;  // at the start
};

}  // namespace pliant
