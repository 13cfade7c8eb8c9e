#include "pliant/geometry/separation.h"

#include "pliant/geometry/support.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

const Shape kConvexShapes[] = {
    {.kind = Shape::Kind::plane},
    {.kind = Shape::Kind::sphere, .radius = Real(0.7)},
    {.kind = Shape::Kind::box, .half = {Real(0.5), Real(0.05), 1}},
    {.kind = Shape::Kind::capsule, .radius = Real(0.1), .half_height = 1},
    {.kind = Shape::Kind::cylinder, .radius = Real(0.4), .half_height = Real(0.3)},
};

/// The least distance of many points of a triangle.
double sampled_distance(const Vec3d (&x)[3], const Shape& shape)
{
    constexpr int kSteps = 40;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i <= kSteps; ++i)
        for (int j = 0; i + j <= kSteps; ++j) {
            const double a = double(i) / kSteps, b = double(j) / kSteps;
            const Vec3d p = a * x[0] + b * x[1] + (1 - a - b) * x[2];
            least = std::min(least, double(nearest_on_shape(shape, p.cast<Real>()).distance));
        }
    return least;
}

TEST(SeparatingPlane, OfATriangleAndAShapeIsTheirDistance)
{
    std::mt19937 random(5);
    std::uniform_real_distribution<double> u(-2, 2);
    int apart = 0, touching = 0;
    for (int k = 0; k < 2000; ++k) {
        const Shape& shape = kConvexShapes[k % 5];
        const Vec3d middle{u(random), u(random), u(random)};
        Vec3d x[3];
        for (Vec3d& corner : x) corner = middle + 0.4 * Vec3d{u(random), u(random), u(random)};
        const SeparatingPlane s = separate(x, shape);
        const double distance = sampled_distance(x, shape);
        if (distance <= 0) {
            ++touching;
            EXPECT_LE(s.clearance, 1e-6);
            continue;
        }
        if (!s) continue;
        ++apart;
        double least = std::numeric_limits<double>::infinity();
        for (const Vec3d& corner : x) least = std::min(least, s.n.dot(corner));
        EXPECT_NEAR(least - support_of(shape, s.n), s.clearance, 1e-5) << "a certificate";
        EXPECT_LE(s.clearance, distance + 1e-5);
        EXPECT_GT(s.clearance, distance - 0.06) << "as near as the samples are";
        EXPECT_NEAR(s.w[0] + s.w[1] + s.w[2], 1, 1e-6);
    }
    EXPECT_GT(apart, 1000);
    EXPECT_GT(touching, 100);
}

TEST(SeparatingPlane, OfBoxesIsTheirDistance)
{
    const Shape a{.kind = Shape::Kind::box, .half = {1, 1, 1}}, b{.kind = Shape::Kind::box, .half = {2, 1, 1}};
    const SeenPose beside{Mat3d::identity(), {3.5, 0.2, 0.1}}, inside{Mat3d::identity(), {2, 0.5, 0}};
    EXPECT_NEAR(separate(a, std::span(&beside, 1), b).clearance, 0.5, 1e-5);
    EXPECT_FALSE(separate(a, std::span(&inside, 1), b));
    const SeenPose sweep[] = {{Mat3d::identity(), {-5, 0, 0}}, {Mat3d::identity(), {5, 0, 0}}};
    EXPECT_FALSE(separate(a, sweep, b)) << "it passes through";
    const SeenPose past[] = {{Mat3d::identity(), {-5, 2.5, 0}}, {Mat3d::identity(), {5, 2.5, 0}}};
    EXPECT_NEAR(separate(a, past, b).clearance, 0.5, 1e-5);
}

}  // namespace
}  // namespace pliant
