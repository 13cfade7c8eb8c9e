#pragma once
// The ground of a picture: a faint checkerboard that fades into the backdrop. Its light varies slowly, so it is
// computed on a grid around the shadow casters, blurred a little, and interpolated.

#include "pliant/render/lamps.h"

#include <span>
#include <vector>

namespace pliant {

/// The light on a horizontal square that contains the shadows.
class GroundLight {
  public:
    GroundLight(const Casters& casters, double height);

    /// Appends the grid's points to those that illuminate() is given; pass its result for them to `set`.
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

/// A checkerboard of 0 and 1 with cells of width 1, averaged over a box.
float checker(double x, double z, double width_x, double width_z);

}  // namespace pliant
