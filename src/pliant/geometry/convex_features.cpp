#include "pliant/geometry/convex.h"
#include "pliant/geometry/hull_faces.h"

#include <cmath>
#include <utility>

namespace pliant {

namespace {

Feature3 box_feature(const Vec3d& half, const Vec3d& n)
{
    Feature3 f;
    int flat[3], flats = 0, steep = 0;
    for (int k = 0; k < 3; ++k) {
        if (std::abs(n[k]) < kFlatCore) flat[flats++] = k;
        else steep = k;
    }
    Vec3d corner{n.x < 0 ? -half.x : half.x, n.y < 0 ? -half.y : half.y, n.z < 0 ? -half.z : half.z};
    if (flats == 2) {
        const int j = (steep + 1) % 3, k = (steep + 2) % 3;
        f.n[steep] = n[steep] < 0 ? -1 : 1;
        for (const auto& [u, v] : {std::pair(1., 1.), {-1., 1.}, {-1., -1.}, {1., -1.}}) {
            corner[j] = u * half[j];
            corner[k] = (f.n[steep] < 0 ? -v : v) * half[k];
            f.add(corner);
        }
        return f;
    }
    if (flats == 0) {
        f.add(corner);
        return f;
    }
    for (const double u : {-1., 1.}) {
        corner[flat[0]] = u * half[flat[0]];
        f.add(corner);
    }
    return f;
}

Feature3 cylinder_feature(double r, double h, const Vec3d& n)
{
    constexpr double kDiagonal = 0.70710678118654752;
    Feature3 f;
    const double across = std::sqrt(n.x * n.x + n.z * n.z), side = n.y < 0 ? -h : h;
    if (across < kFlatCore) {
        f.n = {0, n.y < 0 ? -1. : 1., 0};
        const double turn = n.y < 0 ? 1 : -1;
        for (const auto& [c, s] : {std::pair(1., 0.),
                                   {kDiagonal, kDiagonal},
                                   {0., 1.},
                                   {-kDiagonal, kDiagonal},
                                   {-1., 0.},
                                   {-kDiagonal, -kDiagonal},
                                   {0., -1.},
                                   {kDiagonal, -kDiagonal}})
            f.add({r * c, side, turn * r * s});
        return f;
    }
    const Vec3d rim{r * n.x / across, 0, r * n.z / across};
    if (std::abs(n.y) < kFlatCore) {
        f.add(rim + Vec3d{0, -h, 0});
        f.add(rim + Vec3d{0, h, 0});
    } else {
        f.add(rim + Vec3d{0, side, 0});
    }
    return f;
}

Feature3 feature_of(const Shape& shape, const Vec3d& n)
{
    const auto h = static_cast<double>(shape.half_height), r = static_cast<double>(shape.radius);
    Feature3 f;
    switch (shape.kind) {
        case Shape::Kind::box: return box_feature(shape.half.cast<double>(), n);
        case Shape::Kind::cylinder: return cylinder_feature(r, h, n);
        case Shape::Kind::mesh: return hull_feature(*shape.mesh, n);
        case Shape::Kind::capsule:
            if (std::abs(n.y) < kFlatCore || n.y < 0) f.add({0, -h, 0});
            if (std::abs(n.y) < kFlatCore || n.y >= 0) f.add({0, h, 0});
            return f;
        case Shape::Kind::plane:
        case Shape::Kind::sphere: f.add({}); return f;
    }
    return f;
}

}  // namespace

Feature3 feature_along(const ConvexAt& at, const Vec3d& n)
{
    Feature3 f = feature_of(*at.shape, at.rotation.transposed() * n);
    for (int k = 0; k < f.count; ++k) {
        Vec3d& x = f.corner[static_cast<std::size_t>(k)];
        x = at.rotation * x + at.position;
    }
    f.n = at.rotation * f.n;
    return f;
}

}  // namespace pliant
