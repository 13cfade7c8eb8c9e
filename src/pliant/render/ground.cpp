#include "pliant/render/ground.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr int kWidth = 200;                // grid points along one side
constexpr double kFullShadowShare = 0.75;  // of the way from the middle to the sides, beyond which shadows fade out

/// Weights 1 2 1 along one direction of the grid; the border is unchanged.
void blur(int stride, std::vector<Color>& values)
{
    const std::vector<Color> sharp = values;
    for (int j = 1; j < kWidth - 1; ++j) {
        for (int i = 1; i < kWidth - 1; ++i) {
            const int k = j * kWidth + i;
            values[k] = 0.25f * (sharp[k - stride] + sharp[k + stride]) + 0.5f * sharp[k];
        }
    }
}

}  // namespace

/// Large enough for the shadow of the key light and the ambient occlusion below the bodies.
GroundLight::GroundLight(const Casters& casters, double height) : casters_(casters), height_(height)
{
    const Vec3d key = key_direction();
    const double drop = std::max(casters.center.y - height, 0.0) / key.y;
    const double shift_x = -drop * key.x, shift_z = -drop * key.z;
    const double half = (0.5 * std::hypot(shift_x, shift_z) + 1.6 * casters.radius) / kFullShadowShare;
    x_ = casters.center.x + 0.5 * shift_x - half;
    z_ = casters.center.z + 0.5 * shift_z - half;
    step_ = 2 * half / (kWidth - 1);
}

int GroundLight::size() const { return kWidth * kWidth; }

void GroundLight::append_points(std::vector<LitPoint>& points) const
{
    for (int j = 0; j < kWidth; ++j) {
        for (int i = 0; i < kWidth; ++i) {
            const Vec3d p = {x_ + i * step_, height_, z_ + j * step_};
            points.push_back({(p - casters_.center).cast<float>(), {0, 1, 0}});
        }
    }
}

void GroundLight::set(std::span<const Illumination> light)
{
    const Color open = open_ground();
    shade_.resize(light.size());
    for (int j = 0; j < kWidth; ++j) {
        for (int i = 0; i < kWidth; ++i) {
            // The sky's lamps cast long faint shadows; fade them out before the grid ends.
            const double x = 2.0 * i / (kWidth - 1) - 1, z = 2.0 * j / (kWidth - 1) - 1;
            const float keep =
                static_cast<float>(std::clamp((1 - std::sqrt(x * x + z * z)) / (1 - kFullShadowShare), 0.0, 1.0));
            const Color& lit = light[j * kWidth + i].irradiance;
            const Color ratio = {lit.x / open.x, lit.y / open.y, lit.z / open.z};
            shade_[j * kWidth + i] = keep * ratio + (1 - keep) * Color{1, 1, 1};
        }
    }
    blur(1, shade_);
    blur(kWidth, shade_);
}

Color GroundLight::at(const Vec3d& point) const
{
    const double x = (point.x - x_) / step_, z = (point.z - z_) / step_;
    if (!(x >= 0 && z >= 0 && x < kWidth - 1 && z < kWidth - 1)) return {1, 1, 1};
    const int i = static_cast<int>(x), j = static_cast<int>(z), k = j * kWidth + i;
    const float u = static_cast<float>(x - i), v = static_cast<float>(z - j);
    return (1 - v) * ((1 - u) * shade_[k] + u * shade_[k + 1]) +
           v * ((1 - u) * shade_[k + kWidth] + u * shade_[k + kWidth + 1]);
}

/// The integral of a square wave is a triangle wave.
float checker(double x, double z, double width_x, double width_z)
{
    const auto wave = [](double p) { return std::abs(p / 2 - std::floor(p / 2) - 0.5); };
    const auto mean = [&](double p, double w) { return 2 * (wave(p - w / 2) - wave(p + w / 2)) / w; };
    return static_cast<float>(0.5 - 0.5 * mean(x, width_x) * mean(z, width_z));
}

}  // namespace pliant
