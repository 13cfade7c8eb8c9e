#include "pliant/render/drawing.h"

#include "pliant/base/check.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr std::uint32_t kPalette[] = {0xf0764f, 0x2f9fa8, 0xf2b840, 0x5a77d6, 0xd8608f, 0x74b35a, 0x9a6cc9, 0x4fb3e0};
constexpr std::uint32_t kScenery = 0xb4b6ba;

bool is_cloud(const Layer& layer) { return !layer.triangles || layer.triangles->empty(); }

bool has_pattern(const Layer& layer) { return layer.paint && layer.paint->place.size() == layer.points.size(); }

/// A plane collider is one horizontal quad.
bool is_ground(const Layer& layer)
{
    if (!layer.scenery || is_cloud(layer) || layer.triangles->size() != 2 || layer.points.size() > 6) return false;
    Vec3 low = layer.points[0], high = low;
    for (const Vec3& p : layer.points) {
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    }
    const Vec3 extent = high - low;
    return extent.y <= Real(1e-4) * std::min(extent.x, extent.z);
}

void append_faces(const Layer& layer, int material, const std::vector<bool>& usable, Drawing& drawing)
{
    const int first = static_cast<int>(drawing.points.size());
    for (const Vec3& p : layer.points) drawing.points.push_back(p.cast<double>());
    drawing.normals.resize(drawing.points.size());
    drawing.places.resize(drawing.points.size());
    if (has_pattern(layer)) std::ranges::copy(layer.paint->place, drawing.places.begin() + first);
    for (const auto& [a, b, c] : *layer.triangles) {
        PLIANT_ASSERT(std::min({a, b, c}) >= 0 && std::max({a, b, c}) < static_cast<int>(layer.points.size()));
        if (!usable[a] || !usable[b] || !usable[c]) continue;
        const std::array<int, 3> corners = {first + a, first + b, first + c};
        const Vec3d& origin = drawing.points[corners[0]];
        const Vec3d area = (drawing.points[corners[1]] - origin).cross(drawing.points[corners[2]] - origin);
        const double norm = area.norm();
        if (norm == 0) continue;
        for (const int corner : corners) drawing.normals[corner] += area;
        drawing.faces.push_back({corners, area / norm, material});
    }
}

void append_balls(const Layer& layer, int material, const std::vector<bool>& usable, double radius, Drawing& drawing)
{
    for (std::size_t i = 0; i < layer.points.size(); ++i) {
        if (usable[i]) drawing.balls.push_back({layer.points[i].cast<double>(), radius, material});
    }
}

}  // namespace

Color from_srgb(std::uint32_t hex)
{
    const auto linear = [&](int shift) {
        const float s = static_cast<float>((hex >> shift) & 0xff) / 255;
        return s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
    };
    return {linear(16), linear(8), linear(0)};
}

Drawing make_drawing(const Frame& frame, const Vec3d& center, double reach, double point_radius)
{
    Drawing drawing;
    std::size_t bodies = 0;
    for (const Layer& layer : frame.layers) {
        const int material = static_cast<int>(drawing.materials.size());
        if (is_ground(layer)) {
            drawing.materials.push_back({Material::Kind::kGround, {}});
        } else if (layer.scenery) {
            drawing.materials.push_back({Material::Kind::kScenery, from_srgb(layer.color.value_or(kScenery))});
        } else {
            const std::uint32_t usual = kPalette[bodies++ % std::size(kPalette)];
            drawing.materials.push_back({Material::Kind::kBody, from_srgb(layer.color.value_or(usual))});
        }
        if (has_pattern(layer)) {
            Material& painted = drawing.materials.back();
            painted.pattern = layer.paint->pattern;
            painted.accent = from_srgb(layer.paint->accent);
            painted.repeat = layer.paint->repeat;
        }
        if (!layer.shown) continue;

        std::vector<bool> usable;  // per point
        for (const Vec3& p : layer.points) {
            usable.push_back((p.cast<double>() - center).norm() < reach);  // false for NaN, too
        }
        if (is_cloud(layer)) {
            const bool has_radius = layer.radius > 0 && layer.radius < reach;
            append_balls(layer, material, usable, has_radius ? layer.radius : point_radius, drawing);
        } else {
            append_faces(layer, material, usable, drawing);
        }
    }
    for (Vec3d& normal : drawing.normals) {
        const double norm = normal.norm();
        if (norm > 0) normal = normal / norm;
    }
    return drawing;
}

}  // namespace pliant
