// Distances to meshes against exact ones.

#include "pliant/geometry/distance_field.h"

#include "messages.h"
#include "pliant/geometry/mascot.h"
#include "pliant/geometry/nearest_point.h"
#include "pliant/geometry/shapes.h"

#include <gtest/gtest.h>

#include <random>

namespace pliant {
namespace {

class RandomVectors {
  public:
    explicit RandomVectors(int seed) : generator_(seed) {}
    Vec3 vector(Real size) { return {size * u_(generator_), size * u_(generator_), size * u_(generator_)}; }

  private:
    std::mt19937 generator_;
    std::uniform_real_distribution<Real> u_{-1, 1};
};

double distance_to(const SurfaceMesh& mesh, const Vec3d& p)
{
    double least = 1e9;
    for (const auto& [a, b, c] : mesh.triangles) {
        const std::array<Vec3d, 3> corners{mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]};
        least = std::min(least, (blend(nearest_on_triangle(p, corners), corners) - p).norm());
    }
    return least;
}

TEST(DistanceField, IsExactAtItsPointsWithinTheMeshToo)
{
    const SurfaceMesh mascot = make_mascot(1, 24);
    const DistanceField field = make_distance_field(mascot, 0.05);
    int inside = 0;
    for (std::size_t n = 0; n < field.distance.size(); n += 97) {
        const auto at = static_cast<int>(n);
        const int i = at % field.size[0], j = at / field.size[0] % field.size[1],
                  k = at / field.size[0] / field.size[1];
        const Vec3 p = field.low + field.voxel * Vec3{Real(i), Real(j), Real(k)};
        EXPECT_NEAR(std::abs(double(field.distance[n])), distance_to(mascot, p.cast<double>()), 2e-6);
        inside += field.distance[n] < 0 ? 1 : 0;
    }
    EXPECT_NEAR(97 * inside * std::pow(0.05, 3), volume(mascot), 0.2 * volume(mascot));
}

TEST(DistanceField, OfABallIsThatOfTheBall)
{
    const DistanceField field = make_distance_field(make_sphere(0.5, 32));
    RandomVectors random(1);
    for (int i = 0; i < 3000; ++i) {
        const Vec3 p = random.vector(2);  // within the grid and beyond it
        const SurfacePoint got = nearest_on_field(field, p), exact = nearest_on_ball(p, Real(0.5));
        EXPECT_NEAR(double(got.distance), double(exact.distance), 0.002 + 0.004 * double(p.norm()));
        EXPECT_NEAR(double(got.normal.norm()), 1, 1e-5);
        if (p.norm() > Real(0.2)) { EXPECT_LT(double((got.normal - exact.normal).norm()), 0.1); }
    }
}

TEST(DistanceField, OfABoxIsThatOfTheBox)
{
    const DistanceField field = make_distance_field(make_box({1, 0.6, 0.8}, 1));
    const Vec3 half{Real(0.5), Real(0.3), Real(0.4)};
    RandomVectors random(2);
    double middle = 0, anywhere = 0;
    for (int i = 0; i < 10000; ++i) {
        const Vec3 p = random.vector(Real(0.8));
        const double off = std::abs(double(nearest_on_field(field, p).distance - nearest_on_box(half, p).distance));
        anywhere = std::max(anywhere, off);
        const bool above_a_face = std::abs(p.x) < Real(0.25) && std::abs(p.z) < Real(0.2) && p.y > Real(0.25);
        if (above_a_face) middle = std::max(middle, off);
    }
    EXPECT_LT(middle, 1e-5) << "over the middle of a face it is straight";
    EXPECT_LT(anywhere, 0.35 * double(field.voxel)) << "edges are rounded";
}

TEST(DistanceField, SaysTheWayOutFromAnywhere)
{
    for (const SurfaceMesh& mesh :
         {make_box({1, 1, 1}, 1), make_box({0.2, 1, 1}, 4), make_mascot(1, 24), make_torus(0.5, 0.2, 32)}) {
        const DistanceField field = make_distance_field(mesh, 0.03);
        RandomVectors random(3);
        int inside = 0;
        for (int i = 0; i < 3000; ++i) {
            Vec3 p = i == 0 ? Vec3{} : random.vector(Real(0.5));
            const Real depth = -nearest_on_field(field, p).distance;
            inside += depth > 0 ? 1 : 0;
            for (int step = 0; step < 6; ++step) {
                const SurfacePoint s = nearest_on_field(field, p);
                if (s.distance < 0) p -= s.distance * s.normal;
            }
            EXPECT_GT(double(nearest_on_field(field, p).distance), -0.2 * double(field.voxel));
        }
        EXPECT_GT(inside, 100);
    }
}

TEST(DistanceField, HasNoOpinionOnWhatIsNoPlace)
{
    const DistanceField field = make_distance_field(make_box({1, 1, 1}, 1), 0.1);
    const Real nan = std::numeric_limits<Real>::quiet_NaN();
    EXPECT_FALSE(nearest_on_field(field, {nan, 0, 0}).distance < 0);
    EXPECT_FALSE(nearest_on_field(field, {0, 0, nan}).distance < 0);
    EXPECT_GT(nearest_on_field(field, {Real(1e8), 0, 0}).distance, Real(9e7));
}

TEST(DistanceField, SaysWhatIsWrong)
{
    const SurfaceMesh box = make_box({1, 1, 1}, 1);
    SurfaceMesh open = box, inside_out = box;
    open.triangles.pop_back();
    for (auto& t : inside_out.triangles) std::swap(t[0], t[1]);
    EXPECT_PRED2(says, message_of([&] { make_distance_field(open); }), "not closed: 3 edges");
    EXPECT_PRED2(says, message_of([&] { make_distance_field(inside_out); }), "inside out");
    EXPECT_PRED2(says, message_of([&] { make_distance_field({}); }), "no triangles");
    EXPECT_PRED2(says, message_of([&] { make_distance_field(box, -1); }), "must be positive");
    const std::string fine = message_of([&] { make_distance_field(box, 1e-6); });
    EXPECT_PRED2(says, fine, "a voxel of 1e-06 m makes a grid of");
    EXPECT_PRED2(says, fine, "use 0.0049 m or more");
}

}  // namespace
}  // namespace pliant
