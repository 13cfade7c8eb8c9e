#pragma once
// Pictures of frames, drawn in software: looking at a result needs no viewer, no window and no graphics card.
//
//   frame_all   one camera that sees the bodies of several frames
//   render      Drawing (primitives) -> DepthBuffer (visible surfaces, 3 x 3 samples per pixel) -> Lighting -> Image

#include "pliant/math/types.h"
#include "pliant/render/frame.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pliant {

struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  // three bytes per pixel, sRGB, row by row from the top

    std::uint8_t* pixel(int x, int y) { return &rgb[3 * (static_cast<std::size_t>(y) * width + x)]; }
    const std::uint8_t* pixel(int x, int y) const { return &rgb[3 * (static_cast<std::size_t>(y) * width + x)]; }
};

/// The distance from eye to target is the scale of the scene: the ground fades out at a few times that distance.
struct Camera {
    Vec3d eye = {0, 0, 5};       // [m]
    Vec3d target = {0, 0, 0};    // [m]
    double field_of_view = 0.5;  // from the top of the picture to its bottom [rad]
};

/// A three-quarter view, slightly from above, as near as possible with the simulated bodies of all frames in view;
/// `aspect` is the picture's width over its height. Points that are not finite are ignored.
Camera frame_all(const std::vector<Frame>& frames, double aspect = 4.0 / 3.0);

/// The same for one frame at the start of a run, with the ground below the bodies in view: where they may fall.
Camera frame_with_ground(const Frame& frame, double aspect);

Image render(const Frame& frame, const Camera& camera, int width, int height);

/// Letters of 5 x 7 dots, each `dot` pixels wide, with (x, y) at the upper left, clipped to the image. Characters that
/// the font lacks (it has lower case, digits, point and minus) are left blank.
void draw_text(std::string_view text, int x, int y, int dot, std::array<std::uint8_t, 3> color, Image& image);

/// The bytes of a PNG file.
std::string encode_png(const Image& image);

}  // namespace pliant
