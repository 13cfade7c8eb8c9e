#include "pliant/geometry/mascot.h"

#include "pliant/base/check.h"
#include "pliant/geometry/surface_nets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pliant {

namespace {

constexpr int kLeastResolution = 24, kMostResolution = 256;

/// An ellipsoid of the figure, which is about 1.1 high. Its radii are along side, up and front; `up` is the direction of
/// the middle one, and front is as near to +z as that allows. A pair has a twin on the other side of the plane x = 0.
struct Part {
    enum Kind { kSingle, kPair } kind;
    Vec3d center, radii, up;
    double blend;  // width over which it melts into the parts before it
};

constexpr Vec3d kUp{0, 1, 0};
const Part kParts[] = {
    {Part::kSingle, {0, 0.280, -0.070}, {0.255, 0.270, 0.270}, {0, 1, 0.25}, 0.02},    // body
    {Part::kSingle, {0, 0.350, 0.060}, {0.185, 0.190, 0.160}, kUp, 0.10},              // chest
    {Part::kSingle, {0, 0.130, 0.060}, {0.180, 0.120, 0.170}, kUp, 0.05},              // belly
    {Part::kPair, {0.190, 0.175, -0.060}, {0.115, 0.165, 0.195}, {0, 1, -0.3}, 0.05},  // haunches
    {Part::kPair, {0.205, 0.055, 0.130}, {0.075, 0.055, 0.160}, kUp, 0.06},            // hind feet
    {Part::kPair, {0.080, 0.180, 0.200}, {0.058, 0.150, 0.062}, {0, 1, -0.2}, 0.05},   // forelegs
    {Part::kPair, {0.082, 0.052, 0.250}, {0.060, 0.052, 0.080}, kUp, 0.06},            // forepaws
    {Part::kSingle, {0, 0.150, -0.335}, {0.095, 0.095, 0.095}, kUp, 0.03},             // tail
    {Part::kSingle, {0, 0.600, 0.110}, {0.195, 0.172, 0.185}, kUp, 0.06},              // head
    {Part::kPair, {0.070, 0.545, 0.240}, {0.078, 0.064, 0.070}, kUp, 0.06},            // cheeks
    {Part::kSingle, {0, 0.590, 0.298}, {0.036, 0.026, 0.032}, kUp, 0.02},              // nose
    {Part::kPair, {0.112, 0.645, 0.236}, {0.038, 0.044, 0.038}, kUp, 0.012},            // eyes
    {Part::kPair, {0.122, 0.865, 0.040}, {0.086, 0.220, 0.072}, {0.22, 1, -0.16}, 0.05},  // ears
};

/// Smooth minimum: below min(a, b) by at most k/4, and only where |a - b| < k. Symmetric to the bit.
double smooth_min(double a, double b, double k)
{
    const double h = std::max(k - std::abs(a - b), 0.0) / k;
    return std::min(a, b) - h * h * k / 4;
}

/// The parts with their axes worked out.
class Figure {
  public:
    Figure()
    {
        for (const Part& part : kParts) {
            const Vec3d up = part.up.normalized(), side = up.cross(Vec3d{0, 0, 1}).normalized();
            axes_.push_back(Mat3d{{side, up, side.cross(up)}}.transposed());
        }
    }

    /// Negative inside; equal to the bit at mirrored points.
    double operator()(const Vec3d& p) const
    {
        const Vec3d mirrored{-p.x, p.y, p.z};
        double f = 1;
        for (std::size_t i = 0; i < axes_.size(); ++i) {
            const Part& part = kParts[i];
            double g = distance(i, p);
            if (part.kind == Part::kPair) g = smooth_min(g, distance(i, mirrored), part.blend);
            f = smooth_min(f, g, part.blend);
        }
        return f;
    }

    /// A box around all parts. Melting swells them by less than the margin.
    Box3 reach() const
    {
        Box3 box;
        for (std::size_t i = 0; i < axes_.size(); ++i) {
            const Part& part = kParts[i];
            for (int a = 0; a < 3; ++a) {
                const Vec3d& r = part.radii;
                const Vec3d semi_axes{axes_[i](0, a) * r.x, axes_[i](1, a) * r.y, axes_[i](2, a) * r.z};
                const double half = semi_axes.norm() + 0.02;
                box.low[a] = std::min(box.low[a], part.center[a] - half);
                box.high[a] = std::max(box.high[a], part.center[a] + half);
            }
        }
        return box;
    }

  private:
    /// Signed distance to first order: k (k - 1) / |grad k^2 / 2| with k = |d / radii|.
    double distance(std::size_t i, const Vec3d& p) const
    {
        const Vec3d d = axes_[i] * (p - kParts[i].center), r = kParts[i].radii;
        const Vec3d scaled{d.x / r.x, d.y / r.y, d.z / r.z};
        const Vec3d slope{scaled.x / r.x, scaled.y / r.y, scaled.z / r.z};
        const double k = scaled.norm(), steep = slope.norm();
        return steep > 0 ? k * (k - 1) / steep : -r.x;  // at the very centre any inner value will do
    }

    std::vector<Mat3d> axes_;  // per part: rows side, up, front
};

}  // namespace

SurfaceMesh make_mascot(double height, int resolution)
{
    if (!std::isfinite(height) || height <= 0) {
        throw InputError(fmt::format("mascot: height is {}; give a length above 0 metres", height));
    }
    if (resolution < kLeastResolution || resolution > kMostResolution) {
        throw InputError(fmt::format("mascot: resolution is {}; give a number from {} to {}", resolution,
                                     kLeastResolution, kMostResolution));
    }
    const Figure figure;
    const Box3 reach = figure.reach();
    SurfaceMesh mesh = mesh_mirrored(figure, reach, (reach.extent().y - 0.04) / resolution);

    const Box3 box = bounding_box(mesh.vertices);
    const double scale = height / box.extent().y;
    for (Vec3d& p : mesh.vertices) p = scale * (p - box.center());
    return mesh;
}

}  // namespace pliant
