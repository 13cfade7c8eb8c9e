#include "pliant/render/drawing.h"
#include "pliant/render/fragments.h"
#include "pliant/render/ground.h"
#include "pliant/render/lamps.h"
#include "pliant/render/picture.h"
#include "pliant/render/view.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr double kReach = 1e4;  // in camera distances from the target; anything farther is not drawn
constexpr Color kWhite = {1, 1, 1};
constexpr Color kBounce = {0.30f, 0.29f, 0.28f};  // light reflected by the ground, from below

float smooth_step(double low, double high, double x)
{
    const double t = std::clamp((x - low) / (high - low), 0.0, 1.0);
    return static_cast<float>(t * t * (3 - 2 * t));
}

Color mix(const Color& a, const Color& b, float t) { return (1 - t) * a + t * b; }

Color times(const Color& a, const Color& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

/// 1, 2 or 5 times a power of ten, at most x.
double round_length(double x)
{
    const double power = std::pow(10, std::floor(std::log10(x)));
    return x >= 5 * power ? 5 * power : x >= 2 * power ? 2 * power : power;
}

double distance_of(const Camera& camera)
{
    const double distance = (camera.target - camera.eye).norm();
    return distance > 0 ? distance : 1;
}

/// The color of each kind of surface.
class Painter {
  public:
    Painter(const View& view, const Camera& camera)
        : view_(view), target_(camera.target), distance_(distance_of(camera)), cell_(round_length(distance_ / 9))
    {}

    Color backdrop(const Fragment& fragment) const
    {
        return mix(backdrop_top_, backdrop_bottom_, smooth_step(-0.1, 0.9, fragment.y / (2 * view_.middle_y)));
    }

    Color body(const VisiblePoint& at, const Material& material, const Illumination& light) const
    {
        const Vec3d &n = at.normal, to_eye = (view_.eye - at.point).normalized();
        const float below = static_cast<float>(0.5 - 0.5 * n.y);
        const Color albedo = albedo_at(at, material);
        const Color color = times(albedo, light.irradiance + below * kBounce);
        if (material.kind != Material::Kind::kBody) return color;

        const double grazing = 1 - std::clamp(n.dot(to_eye), 0.0, 1.0);
        const float rim = static_cast<float>(grazing * grazing * grazing * (0.6 + 0.4 * n.y));
        const double mirror = n.dot((to_eye + key_direction()).normalized());
        const float gloss = light.key * static_cast<float>(std::pow(std::max(mirror, 0.0), 40));
        return color + (0.30f * rim) * mix(albedo, kWhite, 0.5f) + (0.16f * gloss) * kWhite;
    }

    Color ground(const Fragment& fragment, const GroundLight& light) const
    {
        const Vec3d ray = view_.ray(fragment.x, fragment.y);
        const double depth = (light.height() - view_.eye.y) / ray.y;
        const Vec3d point = view_.eye + depth * ray;
        const double dx = point.x - target_.x, dz = point.z - target_.z;
        const float faded = smooth_step(distance_, 3.2 * distance_, std::sqrt(dx * dx + dz * dz));
        if (!(faded < 1)) return backdrop(fragment);

        // How far the point moves for one pixel to the right and one down: the box to average over.
        const double pixel = kPixelSide * depth / view_.scale;
        const Vec3d right = pixel * (view_.right - (view_.right.y / ray.y) * ray);
        const Vec3d down = pixel * (view_.up - (view_.up.y / ray.y) * ray);
        const double width_x = (std::abs(right.x) + std::abs(down.x)) / cell_ + 1e-6;
        const double width_z = (std::abs(right.z) + std::abs(down.z)) / cell_ + 1e-6;
        const float dark = checker(point.x / cell_, point.z / cell_, width_x, width_z);
        return mix(times(mix(ground_light_, ground_dark_, dark), light.at(point)), backdrop(fragment), faded);
    }

  private:
    Color albedo_at(const VisiblePoint& at, const Material& material) const
    {
        if (material.pattern == Pattern::none) return material.albedo;
        const Vec3d to_point = at.point - view_.eye;
        const double facing = std::max(0.1, -at.normal.dot(to_point.normalized()));
        const double pixel = kPixelSide * to_point.dot(view_.forward) / (view_.scale * facing);  // on the surface [m]
        return mix(material.albedo, material.accent,
                   accent_at(material.pattern, at.place[0] / material.repeat, at.place[1] / material.repeat,
                             pixel / material.repeat));
    }

    const View& view_;
    Vec3d target_;
    double distance_, cell_;  // [m]
    Color backdrop_top_ = from_srgb(0xb9c6d3), backdrop_bottom_ = from_srgb(0xeceff1);
    Color ground_light_ = from_srgb(0xe9ebec), ground_dark_ = from_srgb(0xd9dcdf);
};

/// The light at all points of a picture, computed together since they share the lamps' shadow maps.
struct Light {
    std::vector<GroundLight> grounds;
    std::vector<int> ground_of;           // per material; index into grounds, or -1
    std::vector<VisiblePoint> points;     // per fragment that is neither ground nor kNothing
    std::vector<Illumination> at_points;  // as points
};

Light make_light(const Drawing& drawing, const Casters& casters, const View& view, std::span<const Fragment> fragments)
{
    Light light;
    std::vector<LitPoint> lit;
    light.ground_of.assign(drawing.materials.size(), -1);
    for (const Drawing::Face& face : drawing.faces) {
        int& ground = light.ground_of[face.material];
        if (drawing.materials[face.material].kind != Material::Kind::kGround || ground >= 0) continue;
        ground = static_cast<int>(light.grounds.size());
        light.grounds.emplace_back(casters, drawing.points[face.corners[0]].y);
        light.grounds.back().append_points(lit);
    }
    for (const Fragment& fragment : fragments) {
        if (fragment.id == kNothing || light.ground_of[drawing.material(fragment.id)] >= 0) continue;
        const VisiblePoint at = locate(fragment, view, drawing);
        light.points.push_back(at);
        lit.push_back({(at.point - casters.center).cast<float>(), at.normal.cast<float>()});
    }

    const std::vector<Illumination> all = illuminate(drawing, casters, lit);
    std::span<const Illumination> rest = all;
    for (GroundLight& ground : light.grounds) {
        ground.set(rest.first(ground.size()));
        rest = rest.subspan(ground.size());
    }
    light.at_points.assign(rest.begin(), rest.end());
    return light;
}

/// From linear light to sRGB bytes.
class SrgbTable {
  public:
    SrgbTable()
    {
        for (int i = 0; i < kSize; ++i) {
            const float x = static_cast<float>(i) / (kSize - 1);
            const float s = x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
            table_[i] = static_cast<std::uint8_t>(std::lround(255 * s));
        }
    }
    std::uint8_t operator()(float x) const
    {
        const float place = x > 0 ? std::min(x, 1.0f) * (kSize - 1) : 0;  // also for NaN
        return table_[static_cast<int>(place)];
    }

  private:
    static constexpr int kSize = 4096;
    std::uint8_t table_[kSize];
};

Image to_image(int width, int height, const std::vector<Color>& colors)
{
    const SrgbTable to_srgb;
    Image image{width, height, {}};
    image.rgb.reserve(3 * colors.size());
    for (const Color& color : colors) {
        for (int channel = 0; channel < 3; ++channel) image.rgb.push_back(to_srgb(color[channel]));
    }
    return image;
}

}  // namespace

Image render(const Frame& frame, const Camera& camera, int width, int height)
{
    const double distance = distance_of(camera);
    const Drawing drawing = make_drawing(frame, camera.target, kReach * distance, 0.004 * distance);
    const View view(camera, kPixelSide * width, kPixelSide * height);
    const DepthBuffer samples = draw(drawing, view, kPixelSide * width, kPixelSide * height);
    const std::vector<Fragment> fragments = make_fragments(samples, drawing);
    const Light light = make_light(drawing, find_casters(drawing, camera.target, distance), view, fragments);

    const Painter painter(view, camera);
    std::vector<Color> colors(static_cast<std::size_t>(width) * height);
    std::size_t next = 0;  // of light.points
    for (const Fragment& fragment : fragments) {
        Color color;
        const int material = fragment.id == kNothing ? -1 : drawing.material(fragment.id);
        if (material < 0) {
            color = painter.backdrop(fragment);
        } else if (const int ground = light.ground_of[material]; ground >= 0) {
            color = painter.ground(fragment, light.grounds[ground]);
        } else {
            color = painter.body(light.points[next], drawing.materials[material], light.at_points[next]);
            ++next;
        }
        colors[fragment.pixel] += fragment.share * color;
    }
    return to_image(width, height, colors);
}

}  // namespace pliant
