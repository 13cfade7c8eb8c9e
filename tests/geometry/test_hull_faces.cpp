#include "pliant/geometry/hull_faces.h"

#include "pliant/geometry/convex_hull.h"
#include "pliant/geometry/convex_touch.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/shapes.h"
#include "pliant/math/rotation.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

std::vector<Vec3d> random_points(unsigned seed, int count)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Vec3d> points;
    for (int i = 0; i < count; ++i) points.push_back({uniform(random), 0.5 * uniform(random), 2 * uniform(random)});
    return points;
}

/// Twice the area of a face, as a vector; counter-clockwise corners make it look along the normal.
Vec3d area_of(const HullFaces& faces, std::size_t face)
{
    Vec3d area{};
    const auto corner = [&](int k) { return faces.corner[static_cast<std::size_t>(k)].cast<double>(); };
    for (int k = faces.first[face] + 1; k + 1 < faces.first[face + 1]; ++k)
        area += (corner(k) - corner(faces.first[face])).cross(corner(k + 1) - corner(faces.first[face]));
    return area;
}

TEST(HullFaces, OfAFinelyDividedBoxAreSix)
{
    const HullFaces faces = find_hull_faces(make_box({0.4, 1, 2}, 3));
    ASSERT_EQ(faces.normal.size(), 6U);
    double area = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        area += area_of(faces, i).norm() / 2;
        EXPECT_GT(area_of(faces, i).normalized().dot(faces.normal[i].cast<double>()), 0.999999);
    }
    EXPECT_NEAR(area, 2 * (0.4 * 1 + 0.4 * 2 + 1 * 2), 1e-5);
}

TEST(HullFaces, EncloseTheVolumeOfRandomHulls)
{
    for (unsigned seed = 0; seed < 20; ++seed) {
        const SurfaceMesh hull = convex_hull(random_points(seed, 12));
        const HullFaces faces = find_hull_faces(hull);
        double six = 0;
        for (std::size_t i = 0; i < faces.normal.size(); ++i)
            six += area_of(faces, i).dot(faces.corner[static_cast<std::size_t>(faces.first[i])].cast<double>());
        EXPECT_NEAR(six / 6, volume(hull), 1e-3 * volume(hull)) << "seed " << seed;
    }
}

TEST(HullFaces, NoneOfWhatIsNotConvex)
{
    EXPECT_TRUE(find_hull_faces(make_mascot(1)).normal.empty());
    EXPECT_TRUE(find_hull_faces(make_torus(0.5, 0.2, 12)).normal.empty());
}

/// Cubes as hulls and as boxes touch at the same points.
TEST(HullFaces, TouchAsBoxesDo)
{
    const SurfaceMesh cube = make_box({1, 1, 1}, 1);
    ShapeMesh mesh{.faces = find_hull_faces(cube)};
    for (const Vec3d& p : cube.vertices) mesh.points.push_back(p.cast<Real>());
    const Shape hull{.kind = Shape::Kind::mesh, .extent = 1, .mesh = std::make_shared<const ShapeMesh>(mesh)};
    const Shape box{.kind = Shape::Kind::box, .half = {0.5, 0.5, 0.5}, .extent = 1};
    for (const double turn : {0., 0.3, 0.7}) {
        for (const double gap : {0.001, 0., -0.001}) {
            const ConvexAt below{&hull, Mat3d::identity(), {}},
                above{&hull, rotation_about({0, 1, 0}, turn), {0.2, 1 + gap, 0.1}};
            std::vector<FacingPoints> points, of_boxes;
            ASSERT_TRUE(find_facing_points(above, below, 0.01, points));
            find_facing_points({&box, above.rotation, {0.2, 1.001, 0.1}}, {&box, below.rotation, {}}, 0.01, of_boxes);
            EXPECT_EQ(points.size(), of_boxes.size()) << "turn " << turn << ", gap " << gap;
            for (const FacingPoints& p : points) {
                EXPECT_GT(p.n.y, 0.99999);
                EXPECT_NEAR(p.n.dot(p.on_a - p.on_b), gap, 1e-6);
            }
        }
    }
}

}  // namespace
}  // namespace pliant
