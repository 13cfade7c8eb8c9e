#include "pliant/geometry/mascot.h"

#include "pliant/base/check.h"
#include "pliant/base/message.h"
#include "pliant/geometry/surface_nets.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace pliant {

namespace {

constexpr int kLeastResolution = 24, kMostResolution = 256;
constexpr double kMargin = 0.02;  // around the parts, for what melting adds

/// An ellipsoid of the figure, which is about 1.1 high. Its radii are along side, up and front; `up` is the direction
/// of the middle one, front as near to +z as that allows. A pair has a twin on the other side of the plane x = 0.
struct Part {
    enum Kind { kSingle, kPair } kind;
    Vec3d center, radii, up;
    double blend;  // width over which it melts into the parts before it
};

constexpr Vec3d kUp{0, 1, 0};
const Part kParts[] = {
    {Part::kSingle, {0, 0.280, -0.070}, {0.255, 0.270, 0.270}, {0, 1, 0.25}, 0.02},       // body
    {Part::kSingle, {0, 0.350, 0.060}, {0.185, 0.190, 0.160}, kUp, 0.10},                 // chest
    {Part::kSingle, {0, 0.130, 0.060}, {0.180, 0.120, 0.170}, kUp, 0.05},                 // belly
    {Part::kPair, {0.190, 0.175, -0.060}, {0.115, 0.165, 0.195}, {0, 1, -0.3}, 0.05},     // haunches
    {Part::kPair, {0.205, 0.055, 0.130}, {0.075, 0.055, 0.160}, kUp, 0.06},               // hind feet
    {Part::kPair, {0.080, 0.180, 0.200}, {0.058, 0.150, 0.062}, {0, 1, -0.2}, 0.05},      // forelegs
    {Part::kPair, {0.082, 0.052, 0.250}, {0.060, 0.052, 0.080}, kUp, 0.06},               // forepaws
    {Part::kSingle, {0, 0.150, -0.335}, {0.095, 0.095, 0.095}, kUp, 0.03},                // tail
    {Part::kSingle, {0, 0.600, 0.110}, {0.195, 0.172, 0.185}, kUp, 0.06},                 // head
    {Part::kPair, {0.070, 0.545, 0.240}, {0.078, 0.064, 0.070}, kUp, 0.06},               // cheeks
    {Part::kSingle, {0, 0.590, 0.298}, {0.036, 0.026, 0.032}, kUp, 0.02},                 // nose
    {Part::kPair, {0.112, 0.645, 0.236}, {0.038, 0.044, 0.038}, kUp, 0.012},              // eyes
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
            const Vec3d axes[3] = {side, up, side.cross(up)};
            Ellipsoid e{part, {}, {}};
            for (int i = 0; i < 3; ++i) {
                e.to_sphere[i] = axes[i] / part.radii[i];
                e.inverse_radii[i] = 1 / part.radii[i];
            }
            ellipsoids_.push_back(e);
        }
    }

    /// Negative inside; equal to the bit at mirrored points.
    double operator()(const Vec3d& p) const
    {
        const Vec3d mirrored{-p.x, p.y, p.z};
        double f = 1;
        for (const Ellipsoid& e : ellipsoids_) {
            double g = distance(e, p);
            if (e.part.kind == Part::kPair) g = smooth_min(g, distance(e, mirrored), e.part.blend);
            f = smooth_min(f, g, e.part.blend);
        }
        return f;
    }

    /// A box around all parts. Melting swells them by less than the margin.
    Box3 reach() const
    {
        Box3 box;
        for (const Ellipsoid& e : ellipsoids_) {
            const Vec3d& r = e.part.radii;
            for (int i = 0; i < 3; ++i) {
                const Vec3d semi_axes{e.to_sphere[0][i] * r.x * r.x, e.to_sphere[1][i] * r.y * r.y,
                                      e.to_sphere[2][i] * r.z * r.z};
                const double half = semi_axes.norm() + kMargin;
                box.low[i] = std::min(box.low[i], e.part.center[i] - half);
                box.high[i] = std::max(box.high[i], e.part.center[i] + half);
            }
        }
        return box;
    }

  private:
    struct Ellipsoid {
        const Part& part;
        Vec3d to_sphere[3];   // rows of the matrix that makes it the unit sphere
        Vec3d inverse_radii;  // [1/m]
    };

    /// Signed distance to first order: k (k - 1) / |grad k^2 / 2| with k = |d / radii|.
    static double distance(const Ellipsoid& e, const Vec3d& p)
    {
        const Vec3d d = p - e.part.center;
        const Vec3d q{e.to_sphere[0].dot(d), e.to_sphere[1].dot(d), e.to_sphere[2].dot(d)};
        const Vec3d slope{q.x * e.inverse_radii.x, q.y * e.inverse_radii.y, q.z * e.inverse_radii.z};
        const double k = q.norm(), steep = slope.norm();
        return steep > 0 ? k * (k - 1) / steep : -e.part.radii.x;  // at the very centre any inner value will do
    }

    std::vector<Ellipsoid> ellipsoids_;
};

}  // namespace

SurfaceMesh make_mascot(double height, int resolution)
{
    if (!std::isfinite(height) || height <= 0) {
        throw InputError(message("mascot: height is {}; give a length above 0 metres", height));
    }
    if (resolution < kLeastResolution || resolution > kMostResolution) {
        throw InputError(message("mascot: resolution is {}; give a number from {} to {}", resolution, kLeastResolution,
                                 kMostResolution));
    }
    const Figure figure;
    const Box3 reach = figure.reach();
    SurfaceMesh mesh = mesh_mirrored(figure, reach, (reach.extent().y - 2 * kMargin) / resolution);

    const Box3 box = bounding_box(mesh.vertices);
    const double scale = height / box.extent().y;
    for (Vec3d& p : mesh.vertices) p = scale * (p - box.center());
    return mesh;
}

}  // namespace pliant
