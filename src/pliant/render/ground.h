#pragma once
// The ground of a picture: a quiet checker that fades into the backdrop. Its light changes slowly, so it is found on a
// grid around the casters, blurred a little, and looked up between.

#include "pliant/render/lamps.h"

#include <span>
#include <vector>

namespace pliant {

/// A horizontal square around where the shadows fall.
class GroundLight {
  public:
    GroundLight(const Casters& casters, double height);

    /// The grid's points: append them to those that illuminate() is given, and hand its answer for them to `set`.
    void append_points(std::vector<LitPoint>& points) const;
    void set(std::span<const Illumination> light);
    /// Relative to open ground: 1 where nothing shades it.
    Color at(const Vec3d& point) const;

    int size() const;
    double height() const { return height_; }

  private:
    Casters casters_;
    double height_;             // of the ground [m]
    double x_, z_, step_;       // the grid's first point and spacing [m]
    std::vector<Color> shade_;  // per grid point
};

/// A checker of cells one wide, averaged over a box: 0 and 1 in the cells.
float checker(double x, double z, double width_x, double width_z);

}  // namespace pliant
