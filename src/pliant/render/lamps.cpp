#include "pliant/render/lamps.h"

#include "pliant/render/raster.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace pliant {

namespace {

constexpr int kKeyLamps = 9, kSkyLamps = 16;
constexpr int kKeyMapWidth = 224, kSkyMapWidth = 72;
constexpr double kKeyAngle = 0.09;  // half the opening of the key light [rad]; the sun's is 0.0047
constexpr double kGoldenAngle = 2.39996322972865332;
constexpr Color kKeyStrength = {0.74f, 0.70f, 0.64f};
constexpr Color kSkyStrength = {0.33f, 0.36f, 0.42f};  // of an open sky, on ground
constexpr Color kFill = {0.06f, 0.06f, 0.06f};         // ambient, so that no corner is black

struct Plane {
    Vec3d across, along;
};

/// Two unit vectors that make a right-handed frame with the unit vector n.
Plane plane_across(const Vec3d& n)
{
    const Vec3d other = std::abs(n.y) < 0.9 ? Vec3d{0, 1, 0} : Vec3d{1, 0, 0};
    const Vec3d across = other.cross(n).normalized();
    return {across, n.cross(across)};
}

Vec3d offset_of(double angle, double radius, const Plane& plane)
{
    return radius * (std::cos(angle) * plane.across + std::sin(angle) * plane.along);
}

/// The shadow map of one lamp, in parallel projection.
struct LampMap {
    Vec3d center, across, along, direction;
    double step;       // between samples [m]
    DepthBuffer seen;  // nearness is the distance from the center towards the lamp [m]

    LampMap(const Lamp& lamp, const Casters& casters)
        : center(casters.center),
          across(plane_across(lamp.direction).across),
          along(plane_across(lamp.direction).along),
          direction(lamp.direction),
          step(2 * casters.radius / (lamp.map_width - 2)),  // with an empty border
          seen(lamp.map_width, lamp.map_width)
    {}

    Corner project(const Vec3d& p) const
    {
        const Vec3d d = p - center;
        const double middle = 0.5 * seen.width;
        return {{middle + across.dot(d) / step, middle + along.dot(d) / step, 1}, direction.dot(d)};
    }
};

void draw_ball(const Drawing::Ball& ball, int id, LampMap& map)
{
    const Corner c = map.project(ball.center);
    const double r = ball.radius / map.step;
    const SampleRange range = samples_near(c.q.x, c.q.y, r, r, map.seen);
    for (int j = range.y0; j < range.y1; ++j) {
        for (int i = range.x0; i < range.x1; ++i) {
            const double dx = i + 0.5 - c.q.x, dy = j + 0.5 - c.q.y, h2 = r * r - dx * dx - dy * dy;
            if (h2 < 0) continue;
            map.seen.put(map.seen.index(i, j), static_cast<float>(c.value + std::sqrt(h2) * map.step), id);
        }
    }
}

void draw(const Drawing& drawing, LampMap& map)
{
    std::vector<Corner> corners;
    corners.reserve(drawing.points.size());
    for (const Vec3d& p : drawing.points) corners.push_back(map.project(p));
    for (int id = 0; id < drawing.face_count(); ++id) {
        const Drawing::Face& face = drawing.faces[id];
        if (drawing.materials[face.material].kind == Material::Kind::kGround) continue;
        const auto [a, b, c] = face.corners;
        draw_triangle({corners[a], corners[b], corners[c]}, id, map.seen);
    }
    for (int id = drawing.face_count(); id < drawing.surface_count(); ++id) {
        draw_ball(drawing.balls[id - drawing.face_count()], id, map);
    }
}

/// Adds one lamp's light: the fraction of samples around a point that the lamp reaches, weighted by a quadratic
/// B-spline so that shadows have soft edges (percentage-closer filtering).
void add_light(const Lamp& lamp, const LampMap& map, std::span<const LitPoint> points, std::vector<Illumination>& light)
{
    using Vector = Vector3<float>;
    const Vector direction = lamp.direction.cast<float>();
    const Vector across = (map.across / map.step).cast<float>(), along = (map.along / map.step).cast<float>();
    const float step = static_cast<float>(map.step), middle = 0.5f * static_cast<float>(map.seen.width);
    const int width = map.seen.width;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const float cosine = points[k].normal.dot(direction);
        if (cosine <= 0) continue;
        // Bias against shadow acne: a map is a staircase, with which a slope would shade itself.
        const Vector p = points[k].offset + (1.5f * step) * points[k].normal;
        const float x = across.dot(p) + middle, y = along.dot(p) + middle;
        float lit = 1;
        if (x >= 1 && y >= 1 && x < static_cast<float>(width - 1) && y < static_cast<float>(width - 1)) {
            const int i = static_cast<int>(x), j = static_cast<int>(y);
            const float u = x - static_cast<float>(i), v = y - static_cast<float>(j);  // within the nearest sample
            const float wx[3] = {0.5f * (1 - u) * (1 - u), 0.5f + u * (1 - u), 0.5f * u * u};
            const float wy[3] = {0.5f * (1 - v) * (1 - v), 0.5f + v * (1 - v), 0.5f * v * v};
            const float nearness = direction.dot(p) + 0.5f * step;
            const float* row = &map.seen.nearness[map.seen.index(i - 1, j - 1)];
            lit = 0;
            for (int r = 0; r < 3; ++r, row += width) {
                float sum = 0;
                for (int c = 0; c < 3; ++c) sum += row[c] <= nearness ? wx[c] : 0.0f;
                lit += wy[r] * sum;
            }
        }
        light[k].irradiance += (cosine * lit) * lamp.strength;
        if (lamp.key) light[k].key += lit / kKeyLamps;
    }
}

/// The same if nothing casts a shadow.
void add_open_light(const Lamp& lamp, std::span<const LitPoint> points, std::vector<Illumination>& light)
{
    for (std::size_t k = 0; k < points.size(); ++k) {
        const float cosine = points[k].normal.dot(lamp.direction.cast<float>());
        if (cosine <= 0) continue;
        light[k].irradiance += cosine * lamp.strength;
        if (lamp.key) light[k].key += 1.0f / kKeyLamps;
    }
}

}  // namespace

Vec3d key_direction() { return Vec3d{-0.38, 0.86, 0.34}.normalized(); }

/// Both sets lie on Fermat's spiral: the key light fills a disc evenly, the sky the hemisphere, cosine-weighted, so
/// that every lamp of the sky lights the ground equally.
std::vector<Lamp> make_lamps()
{
    std::vector<Lamp> lamps;
    const Vec3d key = key_direction();
    for (int i = 0; i < kKeyLamps; ++i) {
        const double radius = kKeyAngle * std::sqrt((i + 0.5) / kKeyLamps);
        const Vec3d offset = offset_of(i * kGoldenAngle, radius, plane_across(key));
        lamps.push_back({(key + offset).normalized(), kKeyStrength / float{kKeyLamps}, true, kKeyMapWidth});
    }
    const Vec3d up = {0, 1, 0};
    for (int i = 0; i < kSkyLamps; ++i) {
        const double sine = std::sqrt((i + 0.5) / kSkyLamps), height = std::sqrt(1 - sine * sine);
        const Vec3d direction = height * up + offset_of(i * kGoldenAngle, sine, plane_across(up));
        const float share = static_cast<float>(1 / (kSkyLamps * height));
        lamps.push_back({direction, share * kSkyStrength, false, kSkyMapWidth});
    }
    return lamps;
}

Casters find_casters(const Drawing& drawing, const Vec3d& center, double reach)
{
    constexpr double kHuge = std::numeric_limits<double>::max();
    Vec3d low = {kHuge, kHuge, kHuge}, high = -low;
    const auto include = [&](const Vec3d& p, double margin) {
        if ((p - center).norm() > reach) return;
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis] - margin);
            high[axis] = std::max(high[axis], p[axis] + margin);
        }
    };
    for (const Drawing::Face& face : drawing.faces) {
        if (drawing.materials[face.material].kind == Material::Kind::kGround) continue;
        for (const int corner : face.corners) include(drawing.points[corner], 0);
    }
    for (const Drawing::Ball& ball : drawing.balls) include(ball.center, ball.radius);
    if (low.x > high.x) return {center, 0};
    return {0.5 * (low + high), 0.5 * (high - low).norm()};
}

std::vector<Illumination> illuminate(const Drawing& drawing, const Casters& casters, std::span<const LitPoint> points)
{
    // Lamp by lamp, not point by point: one map at a time stays in the cache.
    std::vector<Illumination> light(points.size(), {kFill, 0});
    for (const Lamp& lamp : make_lamps()) {
        if (casters.radius <= 0) {
            add_open_light(lamp, points, light);
            continue;
        }
        LampMap map(lamp, casters);
        draw(drawing, map);
        add_light(lamp, map, points, light);
    }
    return light;
}

Color open_ground()
{
    Color sum = kFill;
    for (const Lamp& lamp : make_lamps()) sum += static_cast<float>(lamp.direction.y) * lamp.strength;
    return sum;
}

}  // namespace pliant
