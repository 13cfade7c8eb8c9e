#include "pliant/state/integrate.h"

#include <gtest/gtest.h>

namespace pliant {
namespace {

TEST(Integrate, AParticleFarFromTheOriginArrivesWhereItsSpeedTakesIt)
{
    Particles p;
    const int i = p.append(1).first;
    p.put(i, {100, -1000, Real(0.25)});
    p.v[i] = {Real(0.1), 5, Real(-0.003)};
    constexpr int kSteps = 12000;
    constexpr Real h = Real(1) / 6000;
    const Vec3d start = p.position(i);
    Predicted predicted;
    for (int k = 0; k < kSteps; ++k) {
        predict(h, p, predicted);
        update_velocities(h, predicted, p);
    }
    const Vec3d moved = p.position(i) - start, expected = kSteps * double(h) * p.v[i].cast<double>();
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(moved[axis] / expected[axis], 1, 1e-6);
    EXPECT_EQ(p.v[i], (Vec3{Real(0.1), 5, Real(-0.003)})) << "nothing has touched it";
}

TEST(Integrate, ACorrectionBelowAnUlpOfThePlaceGivesItsVelocity)
{
    Particles p;
    const int i = p.append(1).first;
    p.put(i, {100, 0, 0});
    Predicted predicted;
    constexpr Real h = Real(1) / 4096, push = Real(1e-7);  // an ulp at 100 m is 7.6e-6 m in float
    predict(h, p, predicted);
    p.x_low[i].x += push;
    update_velocities(h, predicted, p);
    EXPECT_NEAR(double(p.v[i].x), double(push) / double(h), 1e-6 * double(push) / double(h));
}

}  // namespace
}  // namespace pliant
